//! The texts of a campaign: questions that contain the number of their ask, and answers that
//! contain a number of their own, so that both are recognized anywhere.

use std::collections::BTreeSet;

/// A dialect as its agents use it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wording {
    /// The name of the dialect.
    pub dialect: &'static str,
    /// The name of the tool that asks.
    pub asks: &'static str,
    /// The name of the tool that fetches, and its property for an id.
    pub fetches: Option<(&'static str, &'static str)>,
    /// Whether that tool fetches without an id.
    pub fetches_all: bool,
}

/// Every dialect.
pub(crate) const WORDINGS: [Wording; 9] = [
    Wording {
        dialect: "native",
        asks: "ask_user",
        fetches: Some(("ask_user_result", "askId")),
        fetches_all: true,
    },
    Wording {
        dialect: "codenomad",
        asks: "ask_user",
        fetches: None,
        fetches_all: false,
    },
    Wording {
        dialect: "auq",
        asks: "ask_user_questions",
        fetches: Some(("get_answered_questions", "session_id")),
        fetches_all: false,
    },
    Wording {
        dialect: "claude",
        asks: "AskUserQuestion",
        fetches: None,
        fetches_all: false,
    },
    Wording {
        dialect: "pi",
        asks: "ask_user",
        fetches: None,
        fetches_all: false,
    },
    Wording {
        dialect: "gemini",
        asks: "ask_user",
        fetches: None,
        fetches_all: false,
    },
    Wording {
        dialect: "codex",
        asks: "request_user_input",
        fetches: None,
        fetches_all: false,
    },
    Wording {
        dialect: "opencode",
        asks: "question",
        fetches: None,
        fetches_all: false,
    },
    Wording {
        dialect: "roo",
        asks: "ask_followup_question",
        fetches: None,
        fetches_all: false,
    },
];

/// The dialect with this name.
pub(crate) fn wording(dialect: &str) -> Option<Wording> {
    WORDINGS
        .into_iter()
        .find(|wording| wording.dialect == dialect)
}

/// The question of an ask, always the same for the same number.
pub(crate) fn question(tag: u64) -> String {
    format!("Ask #{tag}# of the campaign: which way?")
}

/// The number of the ask in a question.
pub(crate) fn tag_in(question: &str) -> Option<u64> {
    let (_, rest) = question.split_once('#')?;
    rest.split_once('#')?.0.parse().ok()
}

impl Wording {
    /// The arguments of a call that asks.
    pub(crate) fn call(&self, tag: u64, limit_ms: Option<u64>) -> String {
        let text = question(tag);
        let choices = r#"[{"label":"left"},{"label":"right"}]"#;
        match (self.dialect, tag.is_multiple_of(2)) {
            ("auq", _) => format!(
                r#"{{"questions":[{{"prompt":"{text}","title":"Way","multiSelect":false,"options":{choices}}}]}}"#
            ),
            ("claude", _) => format!(
                r#"{{"questions":[{{"question":"{text}","header":"Way","options":{choices}}}]}}"#
            ),
            ("codex", _) => format!(
                r#"{{"questions":[{{"id":"way","question":"{text}","header":"Way","options":{choices}}}]}}"#
            ),
            ("roo", true) => format!(
                r#"{{"question":"{text}","follow_up":[{{"text":"left","mode":null}},{{"text":"right","mode":"code"}}]}}"#
            ),
            ("roo", false) => format!(r#"{{"question":"{text}"}}"#),
            ("codenomad", _) => {
                format!(r#"{{"questions":[{{"question":"{text}","type":"text"}}]}}"#)
            }
            ("native", _) if limit_ms.is_some() => format!(
                r#"{{"questions":[{{"question":"{text}"}}],"timeout":{}}}"#,
                limit_ms.unwrap_or(0)
            ),
            (_, true) => {
                format!(r#"{{"questions":[{{"question":"{text}","options":{choices}}}]}}"#)
            }
            (_, false) => format!(r#"{{"questions":[{{"question":"{text}"}}]}}"#),
        }
    }
}

const MEANINGS: [&str; 4] = [
    "left, über die Brücke",
    "right — twice",
    "straight on",
    "🚲 back",
];

/// The text of an answer.
pub(crate) fn answer(nonce: u64) -> String {
    let meaning = MEANINGS[usize::try_from(nonce % 4).unwrap_or(0)];
    format!("nonce-{nonce}-means {meaning} and nothing but {nonce}.")
}

/// The answers that occur in a text; false for those whose text was changed.
pub(crate) fn nonces_in(text: &str) -> Vec<(u64, bool)> {
    let found: BTreeSet<u64> = text
        .split("nonce-")
        .skip(1)
        .filter_map(|rest| {
            let end = rest.find(|sign: char| !sign.is_ascii_digit());
            rest[..end.unwrap_or(rest.len())].parse().ok()
        })
        .collect();
    let whole = |nonce: u64| (nonce, text.contains(&answer(nonce)));
    found.into_iter().map(whole).collect()
}
