//! Calls as large and as awkward as are read: they are read or refused, and a
//! release build says how long each takes (`cargo test --release --test awkward
//! -- --nocapture`).

use std::time::Instant;

use ask_core::dialect::{DIALECTS, Json, Setting, Word, json};
use ask_core::{AskId, Asker, Plain, Time, lifecycle};

const SIZE: usize = json::MAX_CALL_BYTES;

fn shapes() -> Vec<(&'static str, String)> {
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
        ("questions as a broken string", nested),
        ("questions as a string", strings),
        ("20 questions of 200 bad options", {
            let options = vec!["{}"; 200].join(",");
            let question = format!(r#"{{"question":"Q?","options":[{options}]}}"#);
            format!(r#"{{"questions":[{}]}}"#, vec![question; 20].join(","))
        }),
    ]
}

#[test]
fn awkward_calls_are_read_or_refused() {
    let mut slowest = (0, String::new());
    for (shape, text) in shapes() {
        assert!(text.len() <= SIZE + 8, "{shape}: {}", text.len());
        for dialect in DIALECTS {
            let begun = Instant::now();
            let parsed = json::parse(&text);
            let read = parsed.map(|call| {
                let strict = dialect.strict(dialect.tools()[0].name, &call).len();
                (
                    strict,
                    dialect.read(dialect.tools()[0].name, &call, &Setting::default()),
                )
            });
            if let Ok((_, Err(refusal))) = &read {
                assert!(dialect.write(Word::Refused(refusal)).text.len() < 16_000);
            }
            let spent = begun.elapsed().as_micros();
            println!("{spent:>8} µs  {:<10} {shape}", dialect.name());
            slowest = slowest.max((spent, shape.to_owned()));
        }
    }
    println!("slowest: {slowest:?}");
}

#[test]
fn awkward_texts_are_cleaned_and_bounded() {
    for piece in [
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
    ] {
        let text = piece.repeat(SIZE / piece.len());
        let begun = Instant::now();
        let plain = Plain::block(&text);
        assert!(plain.as_str().len() <= text.len());
        println!("{:>8} µs  {piece:?}", begun.elapsed().as_micros());
    }
}

/// A call that is built rather than parsed can be larger than any text.
#[test]
fn a_value_that_is_too_large_is_refused() {
    let call = serde_json::json!({"question": "x".repeat(SIZE), "questions": [{"question": "Q?"}]});
    for dialect in DIALECTS {
        let read = dialect.read(dialect.tools()[0].name, &call, &Setting::default());
        assert!(read.is_err(), "{}", dialect.name());
    }
    let ask = ask_core::Ask::default();
    let record = lifecycle::open(
        AskId::native([0; 16]),
        "native",
        ask,
        Asker::default(),
        Time(0),
    );
    for dialect in DIALECTS {
        let reply = dialect.write(Word::Open(&record));
        assert_ne!(reply.structured, Some(Json::Null));
    }
}
