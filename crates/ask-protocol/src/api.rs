//! What the hub's HTTP API says and reads: records in the form of [`crate::native`] with what is
//! shown of them, lists, events, problem documents, and the table of routes with the OpenAPI
//! document that is written from it.

mod devices;
mod openapi;
mod parse;
mod responses;
pub mod routes;

use serde_json::{Map, json};

use crate::ipc::{self, Day, Status};
use crate::native;
use crate::to_json;
use ask_core::attachment::{Attachment, Media};
use ask_core::id::AskId;
use ask_core::outcome::Outcome;
use ask_core::record::Record;
use ask_core::sanitize::SafeText;
use ask_core::time::Time;
use ask_core::{Ask, Draft, Json, Problem, Refusal, Unfinished, history};

pub use devices::{
    Asked, Reach, read_decision, read_on, read_pair, write_paired, write_pairing, write_session,
    write_standing,
};
pub use openapi::{document, expected, refuse_unknown};
pub use parse::{
    Answering, read_answering, read_draft, read_flag, read_optional_text, read_presence,
    read_snooze, read_text, read_time,
};
pub use responses::write_document;

/// The name of the form that this module writes.
pub const VERSION: &str = "v1";

/// What a person can act on, and where the feed stands.
pub fn write_waiting(records: &[Record], cursor: u64, now: Time, day: Day) -> Json {
    json!({
        "asks": records.iter().map(write_listed).collect::<Vec<_>>(),
        "cursor": cursor,
        "now": now.to_string(),
        "day": write_day(day),
    })
}

/// What a list of asks says besides them.
pub fn write_day(day: Day) -> Json {
    json!({"answered": day.answered, "muted": day.muted, "more": day.more})
}

/// A page of history; `before` leads to the next, if there is one.
pub fn write_page<'a>(records: impl IntoIterator<Item = &'a Record>, before: u64) -> Json {
    let asks: Vec<Json> = records.into_iter().map(write_past).collect();
    let mut out = json!({"asks": asks});
    if before > 0 {
        out["before"] = before.into();
    }
    out
}

/// A record as a list has it: with its name and its asker safe to show.
pub fn write_listed(record: &Record) -> Json {
    with_shown(
        to_json(&native::Record::from(record)),
        responses::brief(record),
    )
}

/// The same as a history has it: with how it ended.
fn write_past(record: &Record) -> Json {
    let mut out = write_listed(record);
    if let Some(end) = history::end(record) {
        out["end"] = end.word().into();
    }
    out
}

/// A record as its card needs it: everything in it safe to show, and Markdown as trees; with what
/// its agent got, or gets, in its own wording, once it is closed.
pub fn write_one(record: &Record, reply: Option<&str>) -> Json {
    let mut out = with_shown(
        to_json(&native::Record::from(record)),
        responses::whole(record),
    );
    if let Some(reply) = reply {
        out["reply"] = reply.into();
    }
    out
}

/// A record as its agent may know it: what its person has begun to fill in is theirs alone.
pub fn write_for_agent(record: &Record) -> Json {
    let mut out = to_json(&native::Record::from(record));
    if let Json::Object(fields) = &mut out {
        fields.retain(|key, _| {
            !["draft", "shownOn", "shownAt", "snoozedUntil"].contains(&key.as_str())
        });
    }
    out
}

fn with_shown(mut record: Json, shown: Json) -> Json {
    record["shown"] = shown;
    record
}

/// That an attempt has closed an ask.
pub fn write_settled(record: &Record, reply: Option<&str>) -> Json {
    json!({"won": true, "record": write_one(record, reply)})
}

/// The same, for its agent.
pub fn write_settled_for_agent(record: &Record) -> Json {
    json!({"won": true, "record": write_for_agent(record)})
}

/// Settings that a page tells its person of.
pub struct Settings<'a> {
    /// The file that they are changed in.
    pub file: &'a str,
    /// For how many days closed asks are kept; 0 for ever.
    pub keep_days: u64,
    /// The language that the person has set.
    pub language: Option<&'a str>,
}

/// How the hub is, with the version of its page, the language of its words, and what was set.
pub fn write_status(status: &Status, page: &str, language: &str, settings: &Settings<'_>) -> Json {
    let mut out = crate::text_json(&ipc::status_json(Some(status))).unwrap_or_default();
    out["page"] = page.into();
    out["language"] = language.into();
    out["settings"] = json!({"file": settings.file, "keepDays": settings.keep_days});
    if let Some(language) = settings.language {
        out["settings"]["language"] = language.into();
    }
    out
}

/// How many asks are no more, or would be, and how many stay since their agents were told nothing.
pub fn write_forgotten(count: u64, untold: u64) -> Json {
    json!({"count": count, "untold": untold})
}

/// What is wrong with a call, place by place.
pub fn write_refusal(refusal: &Refusal) -> Json {
    let problems = refusal.problems.iter();
    let one = |problem: &Problem| json!({"path": problem.path, "text": problem.problem});
    Json::Array(problems.map(one).collect())
}

/// Files of a folder that fit what was typed.
pub struct Paths<'a> {
    /// Those that fit best, as they can stand among words.
    pub found: &'a [(String, SafeText)],
    /// How many fit.
    pub total: usize,
    /// Whether no more come.
    pub ended: bool,
    /// How many files were looked at, where there are more.
    pub cut: Option<usize>,
    /// Whether the folder could be looked into at all.
    pub readable: bool,
}

/// Files that an answer may name.
pub fn write_paths(paths: &Paths<'_>) -> Json {
    let found = paths.found.iter();
    let one = |(text, shown): &(String, SafeText)| json!({"shown": shown.as_str(), "text": text});
    let mut out = json!({
        "paths": found.map(one).collect::<Vec<_>>(),
        "total": paths.total,
        "ended": paths.ended,
        "readable": paths.readable,
    });
    if let Some(cut) = paths.cut {
        out["cut"] = cut.into();
    }
    out
}

/// A file as it is kept, to be named in a draft.
pub fn write_file(file: &Attachment) -> Json {
    let mut out = json!({
        "name": file.name,
        "mediaType": file.media.word(),
        "bytes": file.bytes,
        "sha256": file.digest.to_string(),
    });
    if let Some((width, height)) = file.pixels {
        out["width"] = width.into();
        out["height"] = height.into();
    }
    out
}

/// Whether a browser may show a file where it is, and not only save it.
pub fn is_shown_inline(media: Media) -> bool {
    media.is_image()
}

/// The name of the event that tells of a record, by whether it was known to wait before.
pub fn event_name(record: &Record, known: bool) -> &'static str {
    match record.settlement().map(|ended| &ended.outcome) {
        None if known => "ask.updated",
        None => "ask.created",
        Some(Outcome::Expired) => "ask.expired",
        Some(_) if history::had_expired(record) => "ask.late",
        Some(_) => "ask.resolved",
    }
}

/// One event of the stream, as bytes: with an id where the feed may be taken up after it.
pub fn write_event(name: &str, id: Option<u64>, value: &Json) -> String {
    write_event_of(name, id, &value.to_string())
}

/// The same of data that is text already.
pub fn write_event_of(name: &str, id: Option<u64>, data: &str) -> String {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    format!("{id}event: {name}\ndata: {data}\n\n")
}

/// That an ask is no more.
pub fn write_gone(id: &AskId) -> Json {
    json!({"askId": id.as_str()})
}

/// Who speaks: the hub's version, that of its page, the language that the person has set, if any,
/// the time, and how whoever listens reaches it.
pub fn write_hello(
    version: &str,
    page: &str,
    language: Option<&str>,
    now: Time,
    reach: &Reach,
) -> Json {
    let mut out = json!({
        "version": version, "page": page, "now": now.to_string(),
        "local": reach.is_here, "encrypted": reach.is_encrypted, "scope": reach.may.word(),
    });
    if let Some(language) = language {
        out["language"] = language.into();
    }
    out
}

/// Why a request failed, as RFC 9457 has it.
pub struct ProblemDocument<'a> {
    /// A short name for the kind of problem, for programs.
    pub kind: &'a str,
    /// The status of the response.
    pub status: u16,
    /// What kind of problem it is, for people.
    pub title: &'a str,
    /// What happened here, and what to do.
    pub detail: &'a str,
    /// The request that it was, where it has a name.
    pub instance: &'a str,
    /// How the ask stands that it is about.
    pub record: Option<&'a Record>,
    /// What the agent of a closed one got, or gets, in its own wording.
    pub reply: Option<String>,
    /// What is wrong with answers.
    pub problems: Json,
    /// How many tries are left, and whether another code follows them.
    pub tries: Option<(u32, bool)>,
}

/// Writes a problem document.
pub fn write_trouble(trouble: &ProblemDocument<'_>) -> Json {
    let mut out = json!({
        "type": format!("urn:ask-user:problem:{}", trouble.kind),
        "title": trouble.title,
        "status": trouble.status,
        "detail": trouble.detail,
    });
    if !trouble.instance.is_empty() {
        out["instance"] = trouble.instance.into();
    }
    if let Some(record) = trouble.record {
        out["record"] = write_one(record, trouble.reply.as_deref());
    }
    if !trouble.problems.is_null() {
        out["problems"] = trouble.problems.clone();
    }
    if let Some((left, another)) = trouble.tries {
        out["triesLeft"] = left.into();
        out["anotherCode"] = another.into();
    }
    out
}

/// What is wrong with answers, question by question, counted from 1.
pub fn write_unfinished(ask: &Ask, unfinished: &Unfinished) -> Json {
    let one = |at: usize, text: &str| {
        let mut out = Map::new();
        out.insert("question".into(), (at + 1).into());
        if let Some(question) = ask.questions.get(at) {
            out.insert("questionId".into(), question.id.as_str().into());
        }
        out.insert("text".into(), text.into());
        Json::Object(out)
    };
    let required = "this question needs an answer";
    Json::Array(match unfinished {
        Unfinished::Missing(missing) => missing.iter().map(|&at| one(at, required)).collect(),
        Unfinished::Empty => {
            let questions = ask.questions.iter().enumerate();
            let needed = questions.filter(|(_, question)| question.required);
            needed.map(|(at, _)| one(at, required)).collect()
        }
        Unfinished::TooMany { .. } => vec![json!({"text": unfinished.to_string()})],
        Unfinished::NoSuchChoice { question, .. } => vec![one(*question, &unfinished.to_string())],
        Unfinished::OneOnly(at) | Unfinished::Torn(at) | Unfinished::TooManyFiles(at) => {
            vec![one(*at, &unfinished.to_string())]
        }
    })
}

/// The revision that a draft was kept as.
pub fn write_revision(revision: u64) -> Json {
    json!({"revision": revision})
}

/// The native reply that an outcome is told by.
pub fn write_reply(record: &Record) -> Json {
    match record.settlement() {
        Some(settlement) => to_json(&native::Outcome::of(record, &settlement.outcome)),
        None => json!({"askId": record.id.as_str(), "answered": false}),
    }
}

/// Writes a draft with nothing else.
pub fn write_draft(draft: &Draft) -> Json {
    to_json(&native::Draft::from(draft))
}
