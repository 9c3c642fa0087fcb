//! The messages between the hub and its clients: one JSON object a line, many
//! requests at once over one connection, each with a number of its own.
//!
//! Every request may be sent again after a lost connection: opening names its
//! ask, closing names its attempt, and the rest only read or overwrite. Records
//! and drafts travel in the form of [`super::form`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, json};

use super::Json;
use super::form::{self, Fields, Malformed};
use crate::draft::{Draft, Gaps};
use crate::id::AskId;
use crate::record::Record;

/// A line longer than this is not read.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// What a client wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Says who calls; the first request of a connection.
    Hello {
        /// The caller's version.
        version: String,
    },
    /// Opens an ask, or finds it open already.
    Open {
        /// As [`crate::lifecycle::open`] made it.
        record: Box<Record>,
        /// Whether the caller waits for the outcome.
        wait: bool,
    },
    /// Waits for the outcome of an ask; its id or the beginning of it.
    Wait {
        /// Which.
        id: String,
    },
    /// Stops waiting.
    Leave {
        /// The number of the request that waits.
        request: u64,
    },
    /// The outcome was written to a waiter that still stood.
    Delivered {
        /// Of which ask.
        id: AskId,
    },
    /// One record; its id, the beginning of it, or `latest`.
    Get {
        /// Which.
        id: String,
    },
    /// What a person can still act on.
    Waiting,
    /// Outcomes that have not reached this asker.
    Undelivered {
        /// The client that asked.
        client: Option<String>,
        /// The directory it works in.
        directory: Option<String>,
    },
    /// Everything that has changed since a cursor.
    Changes {
        /// The cursor of an earlier listing.
        after: u64,
    },
    /// Closed asks, newest first.
    History {
        /// How to narrow it down.
        filter: Filter,
    },
    /// Asks for a bell whenever something changes.
    Watch,
    /// Keeps a half-filled form.
    Keep {
        /// Of which ask.
        id: AskId,
        /// The form.
        draft: Draft,
        /// Where it is being filled in.
        surface: String,
    },
    /// A person can see the ask.
    Shown {
        /// Which.
        id: AskId,
        /// Where.
        surface: String,
    },
    /// Closes an ask.
    Settle {
        /// Which.
        id: AskId,
        /// How.
        verdict: Verdict,
        /// Where.
        surface: String,
        /// Random; the same for every retry.
        attempt: u64,
    },
    /// Removes closed asks for good.
    Forget {
        /// Ids or beginnings of ids.
        ids: Vec<String>,
    },
    /// How the hub is.
    Status,
    /// Ends the hub. Its waiters come back to the next one.
    Stop,
    /// Moves the hub's clock; only hubs built for tests obey.
    Clock {
        /// Milliseconds since the epoch.
        now_ms: i64,
    },
}

/// How a person, or the agent, closes an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// With answers.
    Answer {
        /// The form.
        draft: Draft,
        /// What to do about gaps.
        gaps: Gaps,
    },
    /// Without.
    Decline {
        /// Why.
        reason: Option<String>,
    },
    /// By asking back.
    Clarify {
        /// What the person wants to know.
        words: String,
    },
    /// By the agent.
    Withdraw,
}

/// How to narrow a history down.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Filter {
    /// Words that must occur.
    pub search: Option<String>,
    /// A project's name or directory.
    pub project: Option<String>,
    /// Only asks opened since, in milliseconds since the epoch.
    pub since_ms: Option<i64>,
    /// Only rows before this one, for the next page.
    pub before: Option<u64>,
    /// At most so many.
    pub limit: Option<u64>,
    /// Waiting asks too.
    pub open: bool,
}

/// What the hub says.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// To [`Request::Hello`].
    Welcome {
        /// The hub's version.
        version: String,
        /// Its process.
        pid: u32,
    },
    /// To [`Request::Open`] and [`Request::Wait`]: kept, and waited for if so wanted.
    Opened,
    /// One record; after [`Response::Opened`], the outcome.
    Record(Box<Record>),
    /// To [`Request::Settle`].
    Settled {
        /// Whether this attempt closed it.
        won: bool,
        /// How it stands.
        record: Box<Record>,
    },
    /// Several records.
    Records {
        /// They.
        records: Vec<Record>,
        /// Ids of records that are no more.
        gone: Vec<String>,
        /// For [`Request::Changes`]; for a history, the `before` of the next page, or zero.
        cursor: u64,
        /// The cursor was too old: what the client holds must be thrown away.
        reset: bool,
    },
    /// Done, with a count where there is one.
    Done {
        /// Of what the request was about.
        count: u64,
    },
    /// To [`Request::Status`].
    Status(Status),
    /// Something changed: look. Carries nothing, belongs to no request.
    Bell,
    /// It can't be done.
    Fault {
        /// Which kind.
        kind: Fault,
        /// What happened and what to do.
        text: String,
    },
}

/// How a hub is.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Status {
    /// Its version.
    pub version: String,
    /// Its process.
    pub pid: u32,
    /// Open asks.
    pub waiting: u64,
    /// Outcomes that have not reached their asker.
    pub undelivered: u64,
    /// Connected clients.
    pub clients: u64,
    /// Calls that wait.
    pub waiters: u64,
    /// Where a corrupt store was set aside, if that happened.
    pub set_aside: Option<String>,
}

/// The kinds of fault, for exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No such ask.
    NotFound,
    /// Several asks begin with that.
    Ambiguous,
    /// The answers don't fit the questions.
    Unfinished,
    /// The request can't be understood.
    Malformed,
    /// The store failed; nothing was changed.
    Store,
}

const FAULTS: [(Fault, &str); 5] = [
    (Fault::NotFound, "not-found"),
    (Fault::Ambiguous, "ambiguous"),
    (Fault::Unfinished, "unfinished"),
    (Fault::Malformed, "malformed"),
    (Fault::Store, "store"),
];

/// Where a hub can be found: what `hub.json` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The hub's version.
    pub version: String,
    /// Its process.
    pub pid: u32,
    /// The path of its Unix socket.
    pub socket: String,
}

/// Writes an address.
pub fn write_address(address: &Address) -> String {
    let value = json!({
        "version": address.version, "pid": address.pid, "socket": address.socket,
    });
    format!("{value}\n")
}

/// Reads what [`write_address`] wrote.
pub fn read_address(text: &str) -> Result<Address, Malformed> {
    let value: Json = unline(text.as_bytes())?;
    let from = Fields::of(&value, "hub.json")?;
    Ok(Address {
        version: from.text("version")?,
        pid: u32::try_from(from.number("pid").unwrap_or(0)).unwrap_or(0),
        socket: from.text("socket")?,
    })
}

/// Writes a value of some protocol as one line.
pub fn line(message: &impl Serialize) -> Result<Vec<u8>, Malformed> {
    let mut bytes = serde_json::to_vec(message).map_err(|error| Malformed(error.to_string()))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads a value of some protocol from one line.
pub fn unline<T: DeserializeOwned>(line: &[u8]) -> Result<T, Malformed> {
    serde_json::from_slice(line).map_err(|error| Malformed(error.to_string()))
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
        Request::Open { record, wait } => (
            "open",
            json!({"record": form::write_record(record), "wait": wait}),
        ),
        Request::Wait { id } => ("wait", json!({"id": id})),
        Request::Leave { request } => ("leave", json!({"request": request})),
        Request::Delivered { id } => ("delivered", json!({"id": id.as_str()})),
        Request::Get { id } => ("get", json!({"id": id})),
        Request::Waiting => ("waiting", json!({})),
        Request::Undelivered { client, directory } => (
            "undelivered",
            json!({"client": client, "directory": directory}),
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

/// Reads what [`write_request`] wrote. The number is known even where the rest is not.
pub fn read_request(line: &[u8]) -> (u64, Result<Request, Malformed>) {
    let value: Json = match unline(line) {
        Ok(value) => value,
        Err(malformed) => return (0, Err(malformed)),
    };
    let number = value.get("n").and_then(Json::as_u64).unwrap_or(0);
    (number, request_of(&value))
}

fn request_of(value: &Json) -> Result<Request, Malformed> {
    let from = Fields::of(value, "request")?;
    let word = from.text("do")?;
    Ok(match word.as_str() {
        "hello" => Request::Hello {
            version: from.text("version")?,
        },
        "open" => Request::Open {
            record: Box::new(form::read_record(
                from.get("record").unwrap_or(&Json::Null),
            )?),
            wait: from.flag("wait"),
        },
        "wait" => Request::Wait {
            id: from.text("id")?,
        },
        "leave" => Request::Leave {
            request: from.number("request").unwrap_or(0),
        },
        "delivered" => Request::Delivered { id: id_of(&from)? },
        "get" => Request::Get {
            id: from.text("id")?,
        },
        "waiting" => Request::Waiting,
        "undelivered" => Request::Undelivered {
            client: from.optional_text("client"),
            directory: from.optional_text("directory"),
        },
        "changes" => Request::Changes {
            after: from.number("after").unwrap_or(0),
        },
        "history" => Request::History {
            filter: Filter {
                search: from.optional_text("search"),
                project: from.optional_text("project"),
                since_ms: from.get("since").and_then(Json::as_i64),
                before: from.number("before"),
                limit: from.number("limit"),
                open: from.flag("open"),
            },
        },
        "watch" => Request::Watch,
        "keep" => Request::Keep {
            id: id_of(&from)?,
            draft: form::read_draft(from.get("draft").unwrap_or(&Json::Null))?,
            surface: from.text("surface")?,
        },
        "shown" => Request::Shown {
            id: id_of(&from)?,
            surface: from.text("surface")?,
        },
        "settle" => Request::Settle {
            id: id_of(&from)?,
            verdict: read_verdict(from.get("verdict").unwrap_or(&Json::Null))?,
            surface: from.text("surface")?,
            attempt: from.number("attempt").unwrap_or(0),
        },
        "forget" => Request::Forget {
            ids: texts(from.get("ids")),
        },
        "status" => Request::Status,
        "stop" => Request::Stop,
        "clock" => Request::Clock {
            now_ms: from.get("now").and_then(Json::as_i64).unwrap_or(0),
        },
        other => return Err(Malformed(format!("do: this hub knows no \"{other}\""))),
    })
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

fn read_verdict(value: &Json) -> Result<Verdict, Malformed> {
    let from = Fields::of(value, "verdict")?;
    if let Some(answer) = from.get("answer") {
        let gaps = if from.flag("gaps") {
            Gaps::Send
        } else {
            Gaps::Refuse
        };
        let draft = form::read_draft(answer)?;
        return Ok(Verdict::Answer { draft, gaps });
    }
    if let Some(words) = from.optional_text("clarify") {
        return Ok(Verdict::Clarify { words });
    }
    if from.flag("decline") {
        let reason = from.optional_text("reason");
        return Ok(Verdict::Decline { reason });
    }
    if from.flag("withdraw") {
        return Ok(Verdict::Withdraw);
    }
    Err(Malformed(
        "verdict: must be answer, decline, clarify or withdraw".into(),
    ))
}

/// Writes a response to the request of that number as one line.
pub fn write_response(number: u64, response: &Response) -> Vec<u8> {
    let body = match response {
        Response::Welcome { version, pid } => json!({"welcome": version, "pid": pid}),
        Response::Opened => json!({"opened": true}),
        Response::Record(record) => json!({"record": form::write_record(record)}),
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

/// Reads what [`write_response`] wrote.
pub fn read_response(line: &[u8]) -> Result<(u64, Response), Malformed> {
    let value: Json = unline(line)?;
    let from = Fields::of(&value, "response")?;
    let number = from.number("n").unwrap_or(0);
    let record = || -> Result<Box<Record>, Malformed> {
        let value = from.get("record").unwrap_or(&Json::Null);
        Ok(Box::new(form::read_record(value)?))
    };
    let response = if from.flag("bell") {
        Response::Bell
    } else if from.flag("opened") {
        Response::Opened
    } else if let Some(won) = from.get("won") {
        Response::Settled {
            won: won.as_bool().unwrap_or(false),
            record: record()?,
        }
    } else if from.get("record").is_some() {
        Response::Record(record()?)
    } else if let Some(Json::Array(items)) = from.get("records") {
        Response::Records {
            records: items
                .iter()
                .map(form::read_record)
                .collect::<Result<_, _>>()?,
            gone: texts(from.get("gone")),
            cursor: from.number("cursor").unwrap_or(0),
            reset: from.flag("reset"),
        }
    } else if let Some(count) = from.number("done") {
        Response::Done { count }
    } else if let Some(status) = from.get("status") {
        Response::Status(read_status(status)?)
    } else if let Some(version) = from.optional_text("welcome") {
        let pid = from.number("pid").and_then(|pid| u32::try_from(pid).ok());
        Response::Welcome {
            version,
            pid: pid.unwrap_or(0),
        }
    } else {
        let word = from.text("fault")?;
        let kind = FAULTS.iter().find(|(_, name)| *name == word);
        Response::Fault {
            kind: kind.map_or(Fault::Malformed, |(kind, _)| *kind),
            text: from.text("text")?,
        }
    };
    Ok((number, response))
}

fn write_status(status: &Status) -> Json {
    json!({
        "version": status.version, "pid": status.pid, "waiting": status.waiting,
        "undelivered": status.undelivered, "clients": status.clients,
        "waiters": status.waiters, "setAside": status.set_aside,
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

fn read_status(value: &Json) -> Result<Status, Malformed> {
    let from = Fields::of(value, "status")?;
    let count = |key: &str| from.number(key).unwrap_or(0);
    Ok(Status {
        version: from.text("version")?,
        pid: u32::try_from(count("pid")).unwrap_or(0),
        waiting: count("waiting"),
        undelivered: count("undelivered"),
        clients: count("clients"),
        waiters: count("waiters"),
        set_aside: from.optional_text("setAside"),
    })
}

fn fault_word(kind: Fault) -> &'static str {
    FAULTS
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or("malformed", |(_, word)| word)
}

fn id_of(from: &Fields<'_>) -> Result<AskId, Malformed> {
    let text = from.text("id")?;
    AskId::parse(&text).ok_or_else(|| Malformed(format!("id: \"{text}\" is not an id")))
}

fn texts(value: Option<&Json>) -> Vec<String> {
    match value {
        Some(Json::Array(items)) => items
            .iter()
            .filter_map(Json::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

fn closed_line(value: Json) -> Vec<u8> {
    let mut bytes = value.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}
