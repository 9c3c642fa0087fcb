//! Writes the messages, one line each.

use serde::Serialize;
use serde_json::{Map, json};

use crate::ipc::stats::write_figures;
use crate::ipc::{
    Address, Change, Changed, Day, FAULTS, Fault, Filter, Request, Response, Status, TakeUp,
    Verdict, WHEN_LEFT, base64,
};
use crate::native::{self, Malformed};
use crate::to_json;
use ask_core::Json;
use ask_core::draft::Gaps;
use ask_core::history::End;

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
            json!({"record": native::Record::from(&**record), "wait": wait, "takeUp": write_take_up(*take_up)}),
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
        Request::Delivered { id, attempt } => {
            ("delivered", json!({"id": id.as_str(), "attempt": attempt}))
        }
        Request::Untold { id } => ("untold", json!({"id": id.as_str()})),
        Request::Get { id } => ("get", json!({"id": id})),
        Request::Waiting { first } => ("waiting", json!({"first": first})),
        Request::Undelivered {
            asker,
            take,
            or_open,
        } => (
            "undelivered",
            json!({"asker": native::Asker::from(&**asker), "take": take, "orOpen": or_open}),
        ),
        Request::Changes { after } => ("changes", json!({"after": after})),
        Request::History { filter } => ("history", write_filter(filter)),
        Request::Figures { filter } => ("figures", write_filter(filter)),
        Request::ForgetSome { filter, count } => (
            "forget-some",
            json!({"filter": write_filter(filter), "count": count}),
        ),
        Request::Subscribe { after, only_looks } => (
            "subscribe",
            json!({"after": after, "onlyLooks": only_looks}),
        ),
        Request::Present {
            focused,
            rings,
            input,
        } => (
            "present",
            json!({"focused": focused, "rings": rings, "input": input}),
        ),
        Request::Keep {
            id,
            draft,
            surface,
            built_on,
        } => (
            "keep",
            json!({
                "id": id.as_str(), "draft": native::Draft::from(draft),
                "surface": surface, "builtOn": built_on,
            }),
        ),
        Request::PutFile { bytes } => ("put-file", json!({"bytes": base64(bytes)})),
        Request::GetFile { digest } => ("get-file", json!({"digest": digest.to_string()})),
        Request::Snooze { id, snooze } => (
            "snooze",
            json!({"id": id, "until": snooze.map(native::Until)}),
        ),
        Request::Extend { id, until } => ("extend", json!({"id": id, "until": until.to_string()})),
        Request::InClient { id, how } => (
            "inClient",
            json!({"id": id.as_str(), "how": how.map(native::in_client_word)}),
        ),
        Request::Failed { why } => ("failed", json!({"why": why.word()})),
        Request::Mute { on } => ("mute", json!({"on": on})),
        Request::Shown { id, surface } => ("shown", json!({"id": id.as_str(), "surface": surface})),
        Request::Settle {
            id,
            verdict,
            surface,
            device,
            attempt,
        } => (
            "settle",
            json!({
                "id": id.as_str(), "verdict": write_verdict(verdict),
                "surface": surface, "device": device, "attempt": attempt,
            }),
        ),
        Request::Forget { ids, untold } => ("forget", json!({"ids": ids, "untold": untold})),
        Request::Status => ("status", json!({})),
        Request::PageKey => ("page-key", json!({})),
        Request::Pairing(wish) => ("pairing", to_json(&native::Wish::from(wish))),
        Request::Stop => ("stop", json!({})),
        Request::Clock { now_ms } => ("clock", json!({"now": now_ms})),
    }
}

fn write_filter(filter: &Filter) -> Json {
    json!({
        "search": filter.search, "agent": filter.agent, "project": filter.project,
        "branch": filter.branch, "end": filter.end.map(End::word), "surface": filter.surface,
        "recommended": filter.recommended, "since": filter.since_ms, "until": filter.until_ms,
        "before": filter.before, "limit": filter.limit, "open": filter.open,
        "untold": filter.untold,
    })
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
            json!({"answer": native::Draft::from(draft), "gaps": *gaps == Gaps::Send})
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
        Response::Record(record) => json!({"record": native::Record::from(&**record)}),
        Response::Told { record, missed } => {
            json!({"record": native::Record::from(&**record), "missed": missed})
        }
        Response::Settled { won, record } => {
            json!({"won": won, "record": native::Record::from(&**record)})
        }
        Response::Records {
            records,
            gone,
            cursor,
            reset,
            day,
        } => {
            let records: Vec<_> = records
                .iter()
                .map(|record| native::Record::from(&**record))
                .collect();
            let day = day.map(write_day);
            json!({"records": records, "gone": gone, "cursor": cursor, "reset": reset, "day": day})
        }
        Response::Forgotten { count, untold } => json!({"forgotten": count, "untold": untold}),
        Response::Done { count } => json!({"done": count}),
        Response::Figures(figures) => json!({"figures": write_figures(figures)}),
        Response::Filed { digest } => json!({"filed": digest.to_string()}),
        Response::File { bytes } => json!({"file": base64(bytes)}),
        Response::Status(status) => json!({"status": status}),
        Response::PageKey { key, port } => json!({"pageKey": key, "port": port}),
        Response::Pairing(pairing) => json!({"pairing": native::Pairing::from(&**pairing)}),
        Response::Change(change) => write_change(change),
        Response::Fault { kind, text } => json!({"fault": fault_word(*kind), "text": text}),
    };
    let mut out = Map::new();
    out.insert("n".into(), number.into());
    if let Json::Object(fields) = body {
        out.extend(fields);
    }
    closed_line(Json::Object(out))
}

fn write_change(change: &Change) -> Json {
    let day = write_day(change.day);
    let (key, value) = match &change.what {
        Changed::Record(record) => ("record", to_json(&native::Record::from(&**record))),
        Changed::Gone(id) => ("gone", id.as_str().into()),
        Changed::Day => return json!({"change": change.cursor, "day": day}),
        Changed::Pairing => ("pairing", true.into()),
    };
    json!({"change": change.cursor, key: value, "day": day})
}

fn write_day(day: Day) -> Json {
    json!({"answered": day.answered, "muted": day.muted, "more": day.more, "port": day.port})
}

/// A status for `--json`; without a hub, that none runs.
pub fn status_json(status: Option<&Status>) -> String {
    Json::Object(standing(status)).to_string()
}

/// The same, and the folder with the tokens, for programs that are about to connect.
pub fn hub_json(status: Option<&Status>, folder: &str) -> String {
    let mut fields = standing(status);
    fields.insert("state".into(), folder.into());
    Json::Object(fields).to_string()
}

fn standing(status: Option<&Status>) -> Map<String, Json> {
    let mut fields = match to_json(status.unwrap_or(&Status::default())) {
        Json::Object(fields) => fields,
        _ => Map::new(),
    };
    if status.is_none() {
        // A process number that is none's would be its reader's own group to `kill`.
        fields.retain(|name, _| !matches!(name.as_str(), "pid" | "version" | "aloneMs"));
    }
    fields.insert("running".into(), status.is_some().into());
    fields
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
