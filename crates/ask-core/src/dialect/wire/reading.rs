//! Reads what the writers wrote.

use serde::de::DeserializeOwned;

use super::super::Json;
use super::super::form::{self, Fields, Malformed};
use super::{
    Address, FAULTS, Fault, Filter, HttpAddress, Request, Response, Status, TakeUp, Verdict,
    WHEN_LEFT,
};
use crate::draft::Gaps;
use crate::id::AskId;
use crate::record::Record;

/// Reads what [`super::write_address`] wrote.
pub fn read_address(text: &str) -> Result<Address, Malformed> {
    let value: Json = unline(text.as_bytes())?;
    let from = Fields::of(&value, "hub.json")?;
    Ok(Address {
        version: from.text("version")?,
        pid: u32::try_from(from.number("pid").unwrap_or(0)).unwrap_or(0),
        socket: from.text("socket")?,
        http: match (from.number("port"), from.optional_text("token")) {
            (Some(port), Some(token)) => u16::try_from(port)
                .ok()
                .map(|port| HttpAddress { port, token }),
            _ => None,
        },
    })
}

/// Reads what [`super::write_request`] wrote. The number is known even where the rest is not.
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
            take_up: take_up(&from),
        },
        "wait" => Request::Wait {
            id: from.text("id")?,
        },
        "leave" => Request::Leave {
            request: from.number("request").unwrap_or(0),
            back_ms: from.number("backMs").unwrap_or(0),
            elsewhere: from.flag("elsewhere"),
        },
        "delivered" => Request::Delivered { id: id_of(&from)? },
        "untold" => Request::Untold { id: id_of(&from)? },
        "get" => Request::Get {
            id: from.text("id")?,
        },
        "waiting" => Request::Waiting,
        "undelivered" => Request::Undelivered {
            client: from.optional_text("client"),
            directory: from.optional_text("directory"),
            take: from.flag("take"),
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

fn take_up(from: &Fields<'_>) -> TakeUp {
    let word = from.get("takeUp").and_then(Json::as_str);
    match word == Some(WHEN_LEFT) {
        true => TakeUp::WhenLeft,
        false => from.flag("takeUp").into(),
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

/// Reads what [`super::write_response`] wrote.
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
    } else if let Some(id) = from.optional_text("opened") {
        let id =
            AskId::parse(&id).ok_or_else(|| Malformed(format!("opened: \"{id}\" is not an id")))?;
        Response::Opened { id }
    } else if let Some(won) = from.get("won") {
        Response::Settled {
            won: won.as_bool().unwrap_or(false),
            record: record()?,
        }
    } else if from.get("record").is_some() {
        match from.get("missed").and_then(Json::as_bool) {
            Some(missed) => Response::Told {
                record: record()?,
                missed,
            },
            None => Response::Record(record()?),
        }
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
        surfaces: count("surfaces"),
        alone_ms: count("aloneMs"),
        port: from
            .number("port")
            .and_then(|port| u16::try_from(port).ok()),
        set_aside: from.optional_text("setAside"),
    })
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

/// Reads a value of some protocol from one line.
pub fn unline<T: DeserializeOwned>(line: &[u8]) -> Result<T, Malformed> {
    serde_json::from_slice(line).map_err(|error| Malformed(error.to_string()))
}
