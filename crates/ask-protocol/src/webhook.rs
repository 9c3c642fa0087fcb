//! What programs and services receive about an ask that needs its person: one JSON object each. The
//! person decides how much it contains.

use serde_json::{Map, json};

use crate::native;
use crate::{json_text, put_some, to_json};
use ask_core::Json;
use ask_core::record::Record;
use ask_core::sanitize::SafeText;
use ask_core::time::Time;

/// How much a message contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// That something is asked, and by which client.
    Little,
    /// Also the title, the project, the branch and the agent's name for itself; no question, no
    /// answer.
    Names,
    /// Everything that is known.
    Everything,
}

/// An event of one ask, for a program on this machine.
pub fn write_event(event: &str, at: Time, muted: bool, record: &Record, detail: Detail) -> String {
    let mut out = Map::new();
    put_some(&mut out, "event", Some(event));
    put_some(&mut out, "at", Some(&at.to_string()));
    if muted {
        out.insert("muted".into(), true.into());
    }
    out.insert("ask".into(), write_ask(record, detail));
    json_text(&out)
}

/// An event of several asks, with the text that a person reads.
pub fn write_message(
    event: &str,
    at: Time,
    (title, body): (&str, &str),
    records: &[Record],
    detail: Detail,
) -> String {
    let asks: Vec<Json> = records
        .iter()
        .map(|record| write_ask(record, detail))
        .collect();
    let at = at.to_string();
    json_text(&json!({"event": event, "at": at, "title": title, "body": body, "asks": asks}))
}

/// A notification for a topic of ntfy, in the form of its JSON interface.
pub fn write_topic_message(
    topic: &str,
    (title, body): (&str, &str),
    click: Option<&str>,
    urgent: bool,
) -> String {
    let priority = if urgent { 4 } else { 3 };
    let mut out = json!({
        "topic": topic, "title": title, "message": body, "priority": priority,
    });
    out["tags"] = json!(["question"]);
    if let Some(click) = click {
        out["click"] = click.into();
    }
    json_text(&out)
}

fn write_ask(record: &Record, detail: Detail) -> Json {
    if detail == Detail::Everything {
        return to_json(&native::Record::from(record));
    }
    let mut out = Map::new();
    put_some(&mut out, "askId", Some(record.id.as_str()));
    put_some(&mut out, "state", Some(record.state_word()));
    put_some(&mut out, "askedAt", Some(&record.asked_at.to_string()));
    if let Some(at) = record.deadline_at {
        put_some(&mut out, "deadlineAt", Some(&at.to_string()));
    }
    out.insert("questionCount".into(), record.ask.questions.len().into());
    let asker = &record.asker;
    let named = match detail {
        Detail::Little => vec![("client", asker.client.as_deref())],
        Detail::Names | Detail::Everything => vec![
            ("client", asker.client.as_deref()),
            ("agent", asker.agent.as_deref()),
            ("project", asker.project.as_deref()),
            ("branch", asker.branch.as_deref()),
            ("title", Some(record.ask.headline())),
        ],
    };
    for (key, value) in named {
        let shown = value.map(|value| SafeText::line(value).to_string());
        put_some(&mut out, key, shown.as_deref());
    }
    Json::Object(out)
}
