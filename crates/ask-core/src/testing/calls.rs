//! Calls and texts as large and as awkward as are accepted. The fuzzer measures how long they take.

use crate::json;

/// Their size in bytes at most, or a little more.
pub const SIZE: usize = json::MAX_CALL_BYTES;

/// Calls, each with a name for its shape.
pub fn calls() -> Vec<(&'static str, String)> {
    let filled = |start: &str, item: &str, end: &str| {
        let count = (SIZE - start.len() - end.len()) / (item.len() + 1);
        format!("{start}{}{end}", vec![item; count].join(","))
    };
    let start = r#"{"questions":[{"question":"Q?","options":["#;
    let labels = format!("\"{}\"", "é\u{301}A".repeat(260));
    let nested = {
        let inner = filled(start, r#""A""#, "]}]}").replace('"', "\\\"");
        format!(r#"{{"questions":"{}"}}"#, &inner[..SIZE / 2])
    };
    let strings = {
        let question = r#"{"question":"Q?","options":["A","B"]}"#;
        let inner = vec![question; 20].join(",").replace('"', "\\\"");
        format!(
            r#"{{"questions":"[{inner}]","metadata":"{}"}}"#,
            "m".repeat(SIZE / 2)
        )
    };
    vec![
        ("deep", "[".repeat(SIZE)),
        (
            "deep but closed",
            format!(r#"{{"questions":{}{}}}"#, "[".repeat(120), "]".repeat(120)),
        ),
        ("60k options", filled(start, r#""A""#, "]}]}")),
        (
            "200 equal long labels",
            format!("{start}{}]}}]}}", vec![labels; 120].join(",")),
        ),
        (
            "one giant string",
            format!(r#"{{"question":"{}"}}"#, "x".repeat(SIZE - 20)),
        ),
        (
            "a giant string of escapes",
            format!(r#"{{"question":"{}"}}"#, "\\u001b]".repeat(SIZE / 8)),
        ),
        (
            "a giant string of half emoji",
            format!(r#"{{"question":"{}"}}"#, "\\ud83d".repeat(SIZE / 7)),
        ),
        ("many tiny keys", {
            let keys: Vec<String> = (0..SIZE / 10).map(|key| format!("\"{key:x}\":0")).collect();
            format!("{{{}}}", keys.join(","))
        }),
        ("many tiny keys of one option", {
            let keys: Vec<String> = (0..SIZE / 11).map(|key| format!("\"{key:x}\":0")).collect();
            format!("{start}{{{}}}]}}]}}", keys.join(","))
        }),
        ("60k questions", filled(r#"{"questions":["#, "{}", "]}")),
        (
            "60k suggestions",
            filled(r#"{"question":"Q?","follow_up":["#, "{}", "]}"),
        ),
        ("suggestions in tags", {
            let tag = r#"<suggest mode='code'>&amp;</suggest>"#;
            let tags = tag.repeat((SIZE - 40) / tag.len());
            format!(r#"{{"question":"Q?","follow_up":"{tags}"}}"#)
        }),
        ("questions as a broken string", nested),
        ("questions as a string", strings),
        ("20 questions of 200 bad options", {
            let options = vec!["{}"; 200].join(",");
            let question = format!(r#"{{"question":"Q?","options":[{options}]}}"#);
            format!(r#"{{"questions":[{}]}}"#, vec![question; 20].join(","))
        }),
    ]
}

/// Texts that repeat one awkward piece.
pub fn texts() -> impl Iterator<Item = (&'static str, String)> {
    const PIECES: [&str; 10] = [
        "\u{1b}]",
        "\u{1b}P\n",
        "\u{9d}x",
        "\u{301}",
        " ",
        "\n ",
        "\u{200d}",
        "👩\u{200d}",
        "\u{1b}[1;",
        "x",
    ];
    PIECES
        .into_iter()
        .map(|piece| (piece, piece.repeat(SIZE / piece.len())))
}
