//! Writes what hosts read. Each text is one line with its line feed.

use serde_json::{Map, json};

use crate::Reply;
use crate::jsonl::{PROTOCOL, ProtocolError, RequestId};
use crate::native;
use crate::{json_text, put_some, to_json};
use ask_core::Json;
use ask_core::ask::{Input, Question};
use ask_core::id::AskId;
use ask_core::record::Record;

/// The first line of a stream.
pub fn hello(version: &str, dialect: &str, is_surface: bool) -> String {
    line(json!({
        "type": "ask_user_hello",
        "protocol": PROTOCOL,
        "version": version,
        "dialect": dialect,
        "surface": is_surface,
    }))
}

/// A host's ask is stored, and has this id everywhere else.
pub fn opened(request: &RequestId, id: &AskId) -> String {
    line(json!({
        "type": "ask_user_opened",
        "requestId": request.json(),
        "askId": id.as_str(),
    }))
}

/// The reply to a host's ask: the dialect's reply if it is JSON, otherwise its text.
pub fn reply(request: &RequestId, reply: &Reply) -> String {
    let mut out = head("ask_user_response", request);
    write_reply_into(&mut out, reply);
    line(Json::Object(out))
}

/// The outcomes of earlier asks, each as a reply with the ask's id and the host's own metadata.
pub fn fetched(request: &RequestId, asks: &[(&Record, Reply)]) -> String {
    let mut out = head("ask_user_fetched", request);
    let asks = asks.iter().map(|(record, reply)| {
        let mut out = Map::new();
        out.insert("askId".into(), record.id.as_str().into());
        write_reply_into(&mut out, reply);
        put_metadata(&mut out, record);
        Json::Object(out)
    });
    out.insert("asks".into(), asks.collect());
    line(Json::Object(out))
}

fn write_reply_into(out: &mut Map<String, Json>, reply: &Reply) {
    match &reply.structured {
        Some(Json::Object(fields)) => {
            let own = fields
                .iter()
                .filter(|(key, _)| !LINE_FIELDS.contains(&key.as_str()));
            out.extend(own.map(|(key, value)| (key.clone(), value.clone())));
        }
        Some(_) | None => {
            out.insert("text".into(), reply.text.as_str().into());
        }
    }
    if reply.is_error {
        out.insert("isError".into(), true.into());
    }
    if !reply.meta.is_empty() {
        let facts = reply.meta.iter();
        let facts = facts.map(|(key, value)| ((*key).to_owned(), value.clone()));
        out.insert("_meta".into(), Json::Object(facts.collect()));
    }
}

/// The fields of the line itself, which a reply doesn't replace.
const LINE_FIELDS: [&str; 2] = ["type", "requestId"];

/// The host waits no longer, and the ask stays open.
pub fn left(request: &RequestId, id: &AskId) -> String {
    line(json!({
        "type": "ask_user_left",
        "requestId": request.json(),
        "askId": id.as_str(),
    }))
}

/// An ask for a host to show.
pub fn request(record: &Record) -> String {
    let mut out = head("ask_user_request", &RequestId::from_ask_id(&record.id));
    put_some(&mut out, "title", record.ask.title.as_deref());
    put_some(&mut out, "context", record.ask.context.as_deref());
    let questions = record.ask.questions.iter().map(question).collect();
    out.insert("questions".into(), questions);
    put_metadata(&mut out, record);
    out.insert(
        "asker".into(),
        to_json(&native::Asker::from(&record.asker).without_caller()),
    );
    out.insert("askedAt".into(), record.asked_at.to_string().into());
    if let Some(at) = record.deadline_at {
        out.insert("deadlineAt".into(), at.to_string().into());
    }
    if let Some(saved) = &record.draft {
        out.insert("draft".into(), to_json(&native::Draft::for_surface(saved)));
    }
    if let Some(earlier) = &record.earlier_answer {
        let earlier = to_json(&native::EarlierAnswer::from(earlier));
        out.insert("earlierAnswer".into(), earlier);
    }
    line(Json::Object(out))
}

/// An ask that was shown is closed or removed.
pub fn closed(id: &AskId, record: Option<&Record>, by_this_host: bool) -> String {
    let mut out = head("ask_user_closed", &RequestId::from_ask_id(id));
    let word = record.map_or("forgotten", Record::state_word);
    out.insert("state".into(), word.into());
    if let Some(settlement) = record.and_then(Record::settlement) {
        out.insert("by".into(), settlement.surface.as_str().into());
        out.insert("at".into(), settlement.at.to_string().into());
    }
    out.insert("yours".into(), by_this_host.into());
    line(Json::Object(out))
}

/// Why something failed.
pub fn mistake(mistake: &ProtocolError) -> String {
    let mut out = Map::new();
    out.insert("type".into(), "ask_user_error".into());
    if let Some(request) = &mistake.request {
        out.insert("requestId".into(), request.json());
    }
    out.insert("code".into(), mistake.kind.word().into());
    out.insert("message".into(), mistake.problem.as_str().into());
    put_some(&mut out, "hint", mistake.hint.as_deref());
    line(Json::Object(out))
}

/// A question in our own form, and in the simplest one as well: each choice has a label, wherever
/// it comes from, and several picks are allowed or not.
fn question(question: &Question) -> Json {
    let mut out = to_json(&native::Question::from(question));
    if let Some(fields) = out.as_object_mut() {
        if question.input == Input::Confirm {
            let labels = (0..question.input.len()).filter_map(|at| question.input.label(at));
            let options = labels.map(|label| json!({ "label": label })).collect();
            fields.insert("options".into(), options);
        }
        if question.input.is_many() {
            fields.insert("multiSelect".into(), true.into());
        }
    }
    out
}

fn head(word: &str, request: &RequestId) -> Map<String, Json> {
    let mut out = Map::new();
    out.insert("type".into(), word.into());
    out.insert("requestId".into(), request.json());
    out
}

fn put_metadata(out: &mut Map<String, Json>, record: &Record) {
    let metadata = record.ask.metadata.as_deref();
    if let Some(metadata) = metadata.and_then(|text| serde_json::from_str(text).ok()) {
        out.insert("metadata".into(), metadata);
    }
}

fn line(value: Json) -> String {
    format!("{}\n", json_text(&value))
}
