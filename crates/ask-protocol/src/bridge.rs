//! The events of CodeNomad's bridge: what a desktop app learns about open asks, and what it says
//! for its person. Each is one JSON object.
//!
//! Decided here: asks of every dialect are sent. `instanceId` (the window that the agent works
//! for), `context`, `asker`, `askedAt`, `deadlineAt`, `draft` and `earlierAnswer` are added keys.
//! For an ask that was closed elsewhere the same events are sent, so that a wizard can close:
//! `cn_ask_user.answered` with the answers, otherwise `cn_ask_user.cancelled` with a `reason`
//! (`declined`, `clarify`, `expired`, `withdrawn`, `forgotten`). They are also sent for what the
//! app closed itself, as its receipt. An event that fails is answered with a `cn_ask_user.error`.

use serde_json::{Map, json};

use crate::jsonl::{HostMessage, Kind, MAX_LINE_BYTES, ProtocolError, RequestId, Words};
use crate::native;
use crate::{json_text, put_some, to_json};
use ask_core::ask::{Input, Question};
use ask_core::draft::Answer;
use ask_core::id::AskId;
use ask_core::outcome::Outcome;
use ask_core::record::Record;
use ask_core::{Json, json};

const ASKED: &str = "cn_ask_user.asked";
const ANSWERED: &str = "cn_ask_user.answered";
const CANCELLED: &str = "cn_ask_user.cancelled";
const ERROR: &str = "cn_ask_user.error";

/// The longest event that is read, in bytes.
pub const MAX_EVENT_BYTES: usize = MAX_LINE_BYTES;

/// The messages of a surface that speaks in these events.
pub static EVENTS: Words = Words {
    request: asked,
    closed,
    mistake,
    gaps: "send all answers again",
    empty: "send answers, or cn_ask_user.cancelled if the person won't answer",
};

/// The error for an app that sends anything other than text.
pub fn no_text() -> ProtocolError {
    let problem = "events are texts; this message was binary".to_owned();
    wrong(None, Kind::Malformed, problem)
}

/// Parses an event of the app.
pub fn read(text: &str) -> Result<HostMessage, ProtocolError> {
    if text.len() > MAX_EVENT_BYTES {
        let problem = format!(
            "the event has {} bytes, at most {MAX_EVENT_BYTES} are read",
            text.len()
        );
        return Err(wrong(None, Kind::TooLong, problem));
    }
    let event = json::parse(text)
        .map_err(|problem| wrong(None, Kind::Malformed, format!("the event is {problem}")))?;
    let request = event.get("requestId").and_then(RequestId::read);
    let word = event.get("type").and_then(Json::as_str).unwrap_or_default();
    let response = match word {
        ANSWERED => json!({ "answers": event.get("answers") }),
        CANCELLED => {
            let reason = event.get("reason").unwrap_or(&Json::Null);
            if !reason.is_null() && !reason.is_string() {
                let problem = "reason: must be a text, or left out".to_owned();
                return Err(wrong(request, Kind::Malformed, problem));
            }
            json!({ "cancelled": true, "reason": reason })
        }
        other => {
            let problem = format!(
                "type: an app says {ANSWERED} or {CANCELLED}, not \"{}\"",
                json::brief(other)
            );
            return Err(wrong(request, Kind::Malformed, problem));
        }
    };
    match request {
        Some(request) => Ok(HostMessage::Respond { request, response }),
        None => {
            let problem = "requestId: give it back as it came".to_owned();
            Err(wrong(None, Kind::Malformed, problem))
        }
    }
}

fn wrong(request: Option<RequestId>, kind: Kind, problem: String) -> ProtocolError {
    ProtocolError {
        request,
        kind,
        problem,
        hint: None,
    }
}

fn asked(record: &Record) -> String {
    let mut out = head(ASKED, record.id.as_str());
    let questions = record.ask.questions.iter().map(question).collect();
    out.insert("questions".into(), questions);
    put_some(&mut out, "title", record.ask.title.as_deref());
    put_some(&mut out, "instanceId", record.asker.instance.as_deref());
    put_some(&mut out, "context", record.ask.context.as_deref());
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
    json_text(&out)
}

/// A question as the specification's `QuestionInfo`, with what else is known about it.
fn question(question: &Question) -> Json {
    let mut out = Map::new();
    out.insert("id".into(), question.id.as_str().into());
    out.insert("question".into(), question.text.as_str().into());
    let word = match question.input {
        Input::Text => "text",
        Input::One(_) => "select",
        Input::Confirm => "confirm",
        Input::Many(_) => "multi-select",
    };
    out.insert("type".into(), word.into());
    let choices = question.input.choices();
    if !choices.is_empty() {
        let labels = choices.iter().map(|choice| choice.label.as_str());
        out.insert("options".into(), labels.collect());
    }
    if choices.iter().any(|choice| choice.description.is_some()) {
        let descriptions = choices.iter().map(|choice| choice.description.as_deref());
        out.insert("descriptions".into(), descriptions.collect());
    }
    out.insert("required".into(), question.required.into());
    put_some(&mut out, "placeholder", question.placeholder.as_deref());
    put_some(&mut out, "header", question.label.as_deref());
    Json::Object(out)
}

/// An answer in CodeNomad's form, for its events and for the reply of its tool.
pub fn answer((question, answer): (&Question, &Answer)) -> Json {
    let mut out = Map::new();
    out.insert("questionId".into(), question.id.as_str().into());
    out.insert(
        "values".into(),
        native::values(question, answer).into_iter().collect(),
    );
    match question.input {
        Input::Text => {}
        Input::One(_) | Input::Confirm | Input::Many(_) => {
            put_some(&mut out, "customText", answer.own.as_deref())
        }
    }
    put_some(&mut out, "note", answer.note.as_deref());
    Json::Object(out)
}

fn closed(id: &AskId, record: Option<&Record>, _by_this_app: bool) -> String {
    let settlement = record.and_then(|record| Some((record, record.settlement()?)));
    let mut out = match settlement {
        Some((record, settlement)) => match &settlement.outcome {
            Outcome::Answered(answered) => {
                let mut out = head(ANSWERED, id.as_str());
                let questions = record.ask.questions.iter();
                let answers = questions.zip(answered.answers()).map(answer);
                out.insert("answers".into(), answers.collect());
                out
            }
            Outcome::Declined { .. }
            | Outcome::Clarify { .. }
            | Outcome::Expired
            | Outcome::Withdrawn => cancelled(id, settlement.outcome.word()),
        },
        None => cancelled(id, "forgotten"),
    };
    if let Some((_, settlement)) = settlement {
        out.insert("by".into(), settlement.surface.as_str().into());
    }
    json_text(&out)
}

fn cancelled(id: &AskId, reason: &str) -> Map<String, Json> {
    let mut out = head(CANCELLED, id.as_str());
    out.insert("reason".into(), reason.into());
    out
}

fn mistake(mistake: &ProtocolError) -> String {
    let mut out = Map::new();
    out.insert("type".into(), ERROR.into());
    if let Some(request) = &mistake.request {
        out.insert("requestId".into(), request.json());
    }
    out.insert("code".into(), mistake.kind.word().into());
    out.insert("message".into(), mistake.problem.as_str().into());
    // The hints of `jsonl` name lines. Here the messages are events.
    let hint = match mistake.kind {
        Kind::Malformed => Some(
            "say cn_ask_user.answered with answers [{questionId, values, customText}], or cn_ask_user.cancelled; the ask still waits",
        ),
        Kind::Unknown => Some("give the requestId back as it came in cn_ask_user.asked"),
        Kind::TooLong
        | Kind::Refused
        | Kind::Taken
        | Kind::Unfinished
        | Kind::Closed
        | Kind::Hub => mistake.hint.as_deref(),
    };
    put_some(&mut out, "hint", hint);
    json_text(&out)
}

fn head(word: &str, request: &str) -> Map<String, Json> {
    let mut out = Map::new();
    out.insert("type".into(), word.into());
    out.insert("requestId".into(), request.into());
    out
}
