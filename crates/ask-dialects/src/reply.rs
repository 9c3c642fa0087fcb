//! What the replies of all dialects have in common: the words for asks that came to nothing,
//! for late answers, and for files.

use serde_json::json;

use ask_core::Json;
use ask_core::attachment::Attachment;
use ask_core::lifecycle::Settlement;
use ask_core::record::Record;
use ask_protocol::Reply;
use ask_protocol::reply::{file_words, files};

/// A JSON reply about one ask, with the facts about it.
pub(crate) fn with_record(record: &Record, value: Json) -> Reply {
    Reply::json(value).for_record(record)
}

/// A file in words, and where it is.
pub(crate) fn file_at(file: &Attachment) -> String {
    match &file.path {
        Some(path) => format!("({}, kept as {path})", file_words(file)),
        None => format!("({})", file_words(file)),
    }
}

/// Marks a person's outcome as given to a call that did not wait for it.
pub(crate) fn late(record: &Record, mut reply: Reply) -> Reply {
    let is_human = |settlement: &Settlement| settlement.outcome.is_human();
    if record.settlement().is_some_and(is_human) {
        reply.meta.push(("ask-user/late", true.into()));
    }
    reply
}

/// Adds the files of several asks.
pub(crate) fn with_all_files(records: &[Record], mut reply: Reply) -> Reply {
    reply.files = records.iter().flat_map(files).collect();
    reply
}

/// A fetch for nothing.
pub(crate) fn no_such_ask(id: &str) -> Reply {
    Reply::error(format!(
        "There is no ask \"{}\". Ask ids are in the reply of the call that asked.",
        ask_core::json::brief(id)
    ))
}

/// What to say of an open ask where a dialect has no word for it.
pub(crate) const STILL_OPEN: &str = "Not answered yet; the question stays open. The user has \
    neither agreed nor refused: don't claim either and don't decide in their place. Asking the \
    same again waits for the same answer.";

/// What a fetch found, for dialects without a tool for it.
pub(crate) fn fetched(records: &[Record], one: impl Fn(&Record) -> Reply) -> Reply {
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
