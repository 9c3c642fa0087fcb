//! Writes the messages, one line each.

use serde::Serialize;
use serde_json::{Map, json};

use super::super::Json;
use super::super::form::{self, Malformed};
use super::{Address, FAULTS, Fault, Request, Response, Status, TakeUp, Verdict, WHEN_LEFT};
use crate::draft::Gaps;

/// Writes an address.
pub fn write_address(address: &Address) -> String {
    let mut value = json!({
        "version": address.version, "pid": address.pid, "socket": address.socket,
    });
    if let Some(http) = &address.http {
        value["port"] = http.port.into();
        value["token"] = http.token.as_str().into();
    }
    format!("{value}\n")
}

/// Writes a request with its number as one line.
pub fn write_request(number: u64, request: &Request) -> Vec<u8> {
    let (word, body) = request_parts(request);
    let mut out = Map::new();
    out.insert("n".into(), number.into());
    out.insert("do".into(), word.into());
    if let Json::Object(fields) = body {
        out.extend(fields);
    }
    closed_line(Json::Object(out))
}

fn request_parts(request: &Request) -> (&'static str, Json) {
    match request {
        Request::Hello { version } => ("hello", json!({"version": version})),
        Request::Open {
            record,
            wait,
            take_up,
        } => (
            "open",
            json!({"record": form::write_record(record), "wait": wait, "takeUp": write_take_up(*take_up)}),
        ),
        Request::Wait { id } => ("wait", json!({"id": id})),
        Request::Leave {
            request,
            back_ms,
            elsewhere,
        } => (
            "leave",
            json!({"request": request, "backMs": back_ms, "elsewhere": elsewhere}),
        ),
        Request::Delivered { id } => ("delivered", json!({"id": id.as_str()})),
        Request::Untold { id } => ("untold", json!({"id": id.as_str()})),
        Request::Get { id } => ("get", json!({"id": id})),
        Request::Waiting => ("waiting", json!({})),
        Request::Undelivered {
            client,
            directory,
            take,
        } => (
            "undelivered",
            json!({"client": client, "directory": directory, "take": take}),
        ),
        Request::Changes { after } => ("changes", json!({"after": after})),
        Request::History { filter } => (
            "history",
            json!({
                "search": filter.search, "project": filter.project, "since": filter.since_ms,
                "before": filter.before, "limit": filter.limit, "open": filter.open,
            }),
        ),
        Request::Watch => ("watch", json!({})),
        Request::Keep { id, draft, surface } => (
            "keep",
            json!({"id": id.as_str(), "draft": form::write_draft(draft), "surface": surface}),
        ),
        Request::Shown { id, surface } => ("shown", json!({"id": id.as_str(), "surface": surface})),
        Request::Settle {
            id,
            verdict,
            surface,
            attempt,
        } => (
            "settle",
            json!({
                "id": id.as_str(), "verdict": write_verdict(verdict),
                "surface": surface, "attempt": attempt,
            }),
        ),
        Request::Forget { ids } => ("forget", json!({"ids": ids})),
        Request::Status => ("status", json!({})),
        Request::Stop => ("stop", json!({})),
        Request::Clock { now_ms } => ("clock", json!({"now": now_ms})),
    }
}

fn write_take_up(take_up: TakeUp) -> Json {
    match take_up {
        TakeUp::Never => false.into(),
        TakeUp::WhenLeft => WHEN_LEFT.into(),
        TakeUp::Always => true.into(),
    }
}

fn write_verdict(verdict: &Verdict) -> Json {
    match verdict {
        Verdict::Answer { draft, gaps } => {
            json!({"answer": form::write_draft(draft), "gaps": *gaps == Gaps::Send})
        }
        Verdict::Decline { reason } => json!({"decline": true, "reason": reason}),
        Verdict::Clarify { words } => json!({"clarify": words}),
        Verdict::Withdraw => json!({"withdraw": true}),
    }
}

/// Writes a response to the request of that number as one line.
pub fn write_response(number: u64, response: &Response) -> Vec<u8> {
    let body = match response {
        Response::Welcome { version, pid } => json!({"welcome": version, "pid": pid}),
        Response::Opened { id } => json!({"opened": id.as_str()}),
        Response::Record(record) => json!({"record": form::write_record(record)}),
        Response::Told { record, missed } => {
            json!({"record": form::write_record(record), "missed": missed})
        }
        Response::Settled { won, record } => {
            json!({"won": won, "record": form::write_record(record)})
        }
        Response::Records {
            records,
            gone,
            cursor,
            reset,
        } => {
            let records: Vec<Json> = records.iter().map(form::write_record).collect();
            json!({"records": records, "gone": gone, "cursor": cursor, "reset": reset})
        }
        Response::Done { count } => json!({"done": count}),
        Response::Status(status) => json!({"status": write_status(status)}),
        Response::Bell => json!({"bell": true}),
        Response::Fault { kind, text } => json!({"fault": fault_word(*kind), "text": text}),
    };
    let mut out = Map::new();
    out.insert("n".into(), number.into());
    if let Json::Object(fields) = body {
        out.extend(fields);
    }
    closed_line(Json::Object(out))
}

fn write_status(status: &Status) -> Json {
    json!({
        "version": status.version, "pid": status.pid, "waiting": status.waiting,
        "undelivered": status.undelivered, "clients": status.clients,
        "waiters": status.waiters, "surfaces": status.surfaces, "aloneMs": status.alone_ms,
        "port": status.port, "setAside": status.set_aside,
    })
}

/// A status for `--json`; without a hub, that none runs.
pub fn status_json(status: Option<&Status>) -> String {
    let mut value = write_status(status.unwrap_or(&Status::default()));
    if let Json::Object(fields) = &mut value {
        fields.retain(|_, field| !field.is_null());
        fields.insert("running".into(), status.is_some().into());
    }
    value.to_string()
}

fn fault_word(kind: Fault) -> &'static str {
    FAULTS
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or("malformed", |(_, word)| word)
}

fn closed_line(value: Json) -> Vec<u8> {
    let mut bytes = value.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

/// Writes a value of some protocol as one line.
pub fn line(message: &impl Serialize) -> Result<Vec<u8>, Malformed> {
    let mut bytes = serde_json::to_vec(message).map_err(|error| Malformed(error.to_string()))?;
    bytes.push(b'\n');
    Ok(bytes)
}
