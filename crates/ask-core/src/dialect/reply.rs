//! What the replies of all dialects have in common: the facts about an ask that
//! no dialect has a word for, and the words for asks that came to nothing.

use serde_json::{Map, json};

use super::{Json, Reply, Shown};
use crate::attachment::Attachment;
use crate::lifecycle::Settlement;
use crate::outcome::Outcome;
use crate::plain::Plain;
use crate::record::Record;

/// A JSON reply about one ask, with the facts about it.
pub(super) fn about(record: &Record, value: Json) -> Reply {
    with_facts(record, Reply::json(value))
}

/// Adds the facts about an ask to a reply.
pub(super) fn with_facts(record: &Record, mut reply: Reply) -> Reply {
    reply
        .meta
        .push(("ask-user/askId", record.id.as_str().into()));
    if let Some(settlement) = record.settlement() {
        reply
            .meta
            .push(("ask-user/answeredBy", settlement.surface.as_str().into()));
        reply
            .meta
            .push(("ask-user/answeredAt", settlement.at.to_string().into()));
    }
    reply.files = files(record);
    reply
}

/// The files that a person attached to answers, in their order.
pub(super) fn files(record: &Record) -> Vec<Shown> {
    let outcome = record.settlement().map(|settlement| &settlement.outcome);
    let Some(Outcome::Answered(answered)) = outcome else {
        return Vec::new();
    };
    let answers = record.ask.questions.iter().zip(answered.answers());
    answers
        .flat_map(|(question, answer)| {
            answer.attachments.iter().map(|file| Shown {
                of: short(question.label.as_deref().unwrap_or(&question.text)),
                file: file.clone(),
                bytes: None,
            })
        })
        .collect()
}

fn short(text: &str) -> String {
    let line = Plain::line(text);
    line.as_str().chars().take(80).collect()
}

/// A file in words: what it is, its name and its measures.
pub(super) fn file_words(file: &Attachment) -> String {
    let kind = match file.media.is_image() {
        true => "image",
        false => "file",
    };
    format!("attached {kind}: {}, {}", file.name, file.measures())
}

/// The same, and where it is.
pub(super) fn file_at(file: &Attachment) -> String {
    match &file.path {
        Some(path) => format!("({}, kept as {path})", file_words(file)),
        None => format!("({})", file_words(file)),
    }
}

/// Files by name, with where they are.
pub(super) fn names_files(files: &[Shown]) -> Option<String> {
    if files.is_empty() {
        return None;
    }
    let line = |shown: &Shown| {
        let file = &shown.file;
        let path = file.path.as_ref().map(|path| match &shown.bytes {
            Some(_) => format!("; shown here, and kept as {path}"),
            None => format!("; not shown here, read it at {path}"),
        });
        format!(
            "\n- to \"{}\": {}{}",
            shown.of,
            file_words(file),
            path.unwrap_or_default()
        )
    };
    let lines: String = files.iter().map(line).collect();
    Some(format!("With the answers the user sent:{lines}"))
}

/// Marks a person's outcome as given to a call that did not wait for it.
pub(super) fn late(record: &Record, mut reply: Reply) -> Reply {
    let is_human = |settlement: &Settlement| settlement.outcome.is_human();
    if record.settlement().is_some_and(is_human) {
        reply.meta.push(("ask-user/late", true.into()));
    }
    reply
}

/// A reply in the shape of MCP's tool results, for hosts that speak no MCP.
pub(super) fn result(reply: Reply) -> String {
    let named = reply.names_files();
    let alone = reply.mention.is_none() && named.is_none();
    let texts = [Some(reply.text), named, reply.mention];
    let content = texts.into_iter().flatten();
    let content = content.map(|text| json!({"type": "text", "text": text}));
    let mut out = Map::new();
    out.insert("content".into(), content.collect());
    if let Some(value) = reply.structured.filter(|_| alone) {
        out.insert("structuredContent".into(), value);
    }
    out.insert("isError".into(), reply.is_error.into());
    let meta = reply.meta.into_iter();
    let meta: Map<String, Json> = meta.map(|(key, value)| (key.to_owned(), value)).collect();
    if !meta.is_empty() {
        out.insert("_meta".into(), meta.into());
    }
    Json::Object(out).to_string()
}

/// Adds the files of several asks.
pub(super) fn with_all_files(records: &[Record], mut reply: Reply) -> Reply {
    reply.files = records.iter().flat_map(files).collect();
    reply
}

/// A fetch for nothing.
pub(super) fn no_such_ask(id: &str) -> Reply {
    Reply::error(format!(
        "There is no ask \"{}\". Ask ids are in the reply of the call that asked.",
        super::json::brief(id)
    ))
}

/// What to say of an open ask where a dialect has no word for it.
pub(super) const STILL_OPEN: &str = "Not answered yet; the question stays open. The user has \
    neither agreed nor refused: don't claim either and don't decide in their place. Asking the \
    same again waits for the same answer.";

/// What a fetch found, for dialects without a tool for it.
pub(super) fn fetched(records: &[Record], one: impl Fn(&Record) -> Reply) -> Reply {
    match records {
        [] => Reply::text("There is no answer that you haven't been given."),
        [record] => late(record, one(record)),
        many => {
            let values: Vec<Json> = many
                .iter()
                .map(|record| {
                    let reply = one(record);
                    reply.structured.unwrap_or(Json::String(reply.text))
                })
                .collect();
            with_all_files(records, Reply::json(json!({ "asks": values })))
        }
    }
}
