//! Parses what hosts write: a line, and what a person answered through them.

use serde_json::Map;

use crate::ipc::Verdict;
use crate::jsonl::{HostMessage, Kind, MAX_LINE_BYTES, ProtocolError, RequestId};
use ask_core::ask::Ask;
use ask_core::draft::{Draft, Gaps};
use ask_core::record::Asker;
use ask_core::{Json, Problem, json};

const KNOWN: &str = "a host writes ask_user_hello, ask_user_request, ask_user_withdraw, \
    ask_user_leave, ask_user_fetch, ask_user_response, ask_user_draft and ask_user_shown";

/// Parses a line. `whole` is its length in bytes; of a line that is too long, `line` is only the
/// beginning. An empty line gives `None`.
pub fn read(line: &[u8], whole: usize) -> Result<Option<HostMessage>, ProtocolError> {
    let text = String::from_utf8_lossy(line);
    if whole > MAX_LINE_BYTES {
        let problem = format!("the line has {whole} bytes, at most {MAX_LINE_BYTES} are read");
        return Err(ProtocolError {
            request: name_in(&text),
            kind: Kind::TooLong,
            problem,
            hint: Some("shorten the texts, or ask in several requests".to_owned()),
        });
    }
    if text.trim().is_empty() {
        return Ok(None);
    }
    let malformed = |request: Option<RequestId>, problem: String, hint: &str| ProtocolError {
        request,
        kind: Kind::Malformed,
        problem,
        hint: Some(hint.to_owned()),
    };
    let value = json::parse(&text).map_err(|problem| {
        let hint = "write one JSON object a line, without line breaks inside";
        malformed(name_in(&text), format!("the line is {problem}"), hint)
    })?;
    let Json::Object(mut fields) = value else {
        let problem = format!("the line is {}, not an object", json::kind(&value));
        return Err(malformed(None, problem, KNOWN));
    };
    let request = fields.get("requestId").and_then(RequestId::read);
    let Some(Json::String(word)) = fields.shift_remove("type") else {
        return Err(malformed(
            request,
            "type: must say what the line is".to_owned(),
            KNOWN,
        ));
    };
    if word == "ask_user_hello" {
        return Ok(Some(HostMessage::Hello(Box::new(asker(&fields)))));
    }
    let make = match word.as_str() {
        "ask_user_request" => |request, call| HostMessage::Ask { request, call },
        "ask_user_withdraw" => |request, _| HostMessage::Withdraw { request },
        "ask_user_leave" => |request, _| HostMessage::Leave { request },
        "ask_user_fetch" => |request, _| HostMessage::Fetch { request },
        "ask_user_response" => |request, response| HostMessage::Respond { request, response },
        "ask_user_draft" => |request, response| HostMessage::Draft { request, response },
        "ask_user_shown" => |request, _| HostMessage::Shown { request },
        other => {
            let problem = format!("type: there is no line \"{}\"", json::brief(other));
            return Err(malformed(request, problem, KNOWN));
        }
    };
    let Some(request) = request else {
        let hint = "give each request a name of your own: a string or a number";
        return Err(malformed(None, "requestId: is missing".to_owned(), hint));
    };
    fields.shift_remove("requestId");
    Ok(Some(make(request, Json::Object(fields))))
}

/// Parses a response to an ask: answers, a refusal, or a question back.
pub fn read_verdict(ask: &Ask, response: &Json) -> Result<Verdict, Problem> {
    let words = |key: &str| response.get(key).and_then(Json::as_str).map(str::to_owned);
    let says = |key: &str| response.get(key).and_then(Json::as_bool).unwrap_or(false);
    if let Some(words) = words("clarify") {
        if words.trim().is_empty() {
            return Err(Problem::new(
                "clarify",
                "must say what the person wants to know",
            ));
        }
        return Ok(Verdict::Clarify { words });
    }
    if says("cancelled") {
        let reason = words("reason").filter(|reason| !reason.trim().is_empty());
        return Ok(Verdict::Decline { reason });
    }
    Ok(Verdict::Answer {
        draft: read_draft(ask, response)?,
        gaps: match says("partial") {
            true => Gaps::Send,
            false => Gaps::Refuse,
        },
    })
}

/// Parses the answers of a response, or those that a person has given so far.
pub fn read_draft(ask: &Ask, response: &Json) -> Result<Draft, Problem> {
    if response.get("answers").is_none_or(Json::is_null) {
        return Err(Problem::new("answers", "is missing"));
    }
    crate::answers::parse(ask, response)
}

fn asker(fields: &Map<String, Json>) -> Asker {
    let text = |key: &str| {
        let text = fields.get(key).and_then(Json::as_str);
        text.filter(|text| !text.is_empty())
            .map(|text| json::cut(text, MAX_NAME_BYTES))
    };
    Asker {
        client: text("client"),
        version: text("version"),
        agent: text("agent"),
        session: text("session"),
        instance: text("instance"),
        project: text("project"),
        directory: text("directory"),
        branch: None,
        caller: None,
    }
}

/// The longest name of a client, a session or a folder that is kept.
const MAX_NAME_BYTES: usize = 4_096;

/// The id of the request in a line that can't be parsed to its end: its host waits for a response.
fn name_in(line: &str) -> Option<RequestId> {
    json::field(line, "requestId")
        .as_ref()
        .and_then(RequestId::read)
}
