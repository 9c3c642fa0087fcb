//! Reads what the writers wrote.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::ipc::stats::read_figures;
use crate::ipc::{
    Address, Change, Changed, Day, FAULTS, Fault, Filter, HttpAddress, Request, Response, TakeUp,
    Verdict, WHEN_LEFT, Why, base64,
};
use crate::native::{self, Fields, Malformed, from_json};
use ask_core::Json;
use ask_core::attachment::Digest;
use ask_core::draft::{Draft, Gaps};
use ask_core::history::End;
use ask_core::id::AskId;
use ask_core::record::{Asker, Record, Snooze};

/// Reads what [`crate::ipc::write_address`] wrote.
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

/// Reads what [`crate::ipc::write_request`] wrote. The number is known even where the rest is not.
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
            record: Box::new(read_record(from.get("record").unwrap_or(&Json::Null))?),
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
        "delivered" => Request::Delivered {
            id: id_of(&from)?,
            attempt: from.number("attempt"),
        },
        "untold" => Request::Untold { id: id_of(&from)? },
        "get" => Request::Get {
            id: from.text("id")?,
        },
        "waiting" => Request::Waiting {
            first: from.number("first"),
        },
        "undelivered" => Request::Undelivered {
            asker: Box::new(match from.get("asker") {
                Some(asker) => from_json::<native::Asker<'_>>(asker, "asker")?.into(),
                // As version 0.1 wrote it.
                None => Asker {
                    client: from.optional_text("client"),
                    directory: from.optional_text("directory"),
                    ..Asker::default()
                },
            }),
            take: from.flag("take"),
            or_open: from.flag("orOpen"),
        },
        "changes" => Request::Changes {
            after: from.number("after").unwrap_or(0),
        },
        "history" => Request::History {
            filter: read_filter(&from)?,
        },
        "figures" => Request::Figures {
            filter: read_filter(&from)?,
        },
        "forget-some" => Request::ForgetSome {
            filter: read_filter(&Fields::of(
                from.get("filter").unwrap_or(&Json::Null),
                "filter",
            )?)?,
            count: from.flag("count"),
        },
        "subscribe" => Request::Subscribe {
            after: from.number("after"),
            only_looks: from.flag("onlyLooks"),
        },
        "present" => Request::Present {
            focused: from.get("focused").and_then(Json::as_bool),
            rings: from.flag("rings"),
            input: from.flag("input"),
        },
        "keep" => Request::Keep {
            id: id_of(&from)?,
            draft: read_draft(from.get("draft").unwrap_or(&Json::Null))?,
            surface: from.text("surface")?,
            built_on: from.number("builtOn"),
        },
        "snooze" => Request::Snooze {
            id: from.text("id")?,
            snooze: read_snooze(&from)?,
        },
        "extend" => Request::Extend {
            id: from.text("id")?,
            until: from.time("until")?,
        },
        "inClient" => Request::InClient {
            id: id_of(&from)?,
            how: (from.optional_text("how")).and_then(|word| native::read_in_client(&word)),
        },
        "mute" => Request::Mute {
            on: from.flag("on"),
        },
        "failed" => Request::Failed {
            why: Why::read(&from.text("why")?)
                .ok_or_else(|| Malformed("why: is not known".to_owned()))?,
        },
        "put-file" => Request::PutFile {
            bytes: base64::read(&from, "bytes")?,
        },
        "get-file" => Request::GetFile {
            digest: digest_of(&from, "digest")?,
        },
        "shown" => Request::Shown {
            id: id_of(&from)?,
            surface: from.text("surface")?,
        },
        "settle" => Request::Settle {
            id: id_of(&from)?,
            verdict: read_verdict(from.get("verdict").unwrap_or(&Json::Null))?,
            surface: from.text("surface")?,
            device: from.optional_text("device"),
            attempt: from.number("attempt").unwrap_or(0),
        },
        "forget" => Request::Forget {
            ids: texts(from.get("ids")),
            untold: from.flag("untold"),
        },
        "status" => Request::Status,
        "page-key" => Request::PageKey,
        "pairing" => Request::Pairing(from_json::<native::Wish<'_>>(value, "")?.into()),
        "stop" => Request::Stop,
        "clock" => Request::Clock {
            now_ms: from.get("now").and_then(Json::as_i64).unwrap_or(0),
        },
        other => return Err(Malformed(format!("do: this hub knows no \"{other}\""))),
    })
}

fn read_record(value: &Json) -> Result<Record, Malformed> {
    from_json::<native::Record<'_>>(value, "record")?.try_into()
}

fn read_draft(value: &Json) -> Result<Draft, Malformed> {
    Ok(from_json::<native::Draft<'_>>(value, "draft")?.into())
}

fn read_filter(from: &Fields<'_>) -> Result<Filter, Malformed> {
    let end = from.optional_text("end");
    let end = match end.as_deref().map(|word| (word, End::find(word))) {
        None => None,
        Some((_, Some(end))) => Some(end),
        Some((word, None)) => {
            return Err(Malformed(format!("end: this hub knows no \"{word}\"")));
        }
    };
    Ok(Filter {
        search: from.optional_text("search"),
        agent: from.optional_text("agent"),
        project: from.optional_text("project"),
        branch: from.optional_text("branch"),
        end,
        untold: from.flag("untold"),
        surface: from.optional_text("surface"),
        recommended: from.get("recommended").and_then(Json::as_bool),
        since_ms: from.get("since").and_then(Json::as_i64),
        until_ms: from.get("until").and_then(Json::as_i64),
        before: from.number("before"),
        limit: from.number("limit"),
        open: from.flag("open"),
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
        let draft = read_draft(answer)?;
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

/// Reads what [`crate::ipc::write_response`] wrote.
pub fn read_response(line: &[u8]) -> Result<(u64, Response), Malformed> {
    let value: Json = unline(line)?;
    let from = Fields::of(&value, "response")?;
    let number = from.number("n").unwrap_or(0);
    let record = || -> Result<Arc<Record>, Malformed> {
        let value = from.get("record").unwrap_or(&Json::Null);
        Ok(Arc::new(read_record(value)?))
    };
    let response = if let Some(cursor) = from.number("change") {
        Response::Change(Arc::new(read_change(&from, cursor)?))
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
                .map(|item| read_record(item).map(Arc::new))
                .collect::<Result<_, _>>()?,
            gone: texts(from.get("gone")),
            cursor: from.number("cursor").unwrap_or(0),
            reset: from.flag("reset"),
            day: from.get("day").map(read_day).transpose()?,
        }
    } else if let Some(count) = from.number("forgotten") {
        let untold = from.number("untold").unwrap_or(0);
        Response::Forgotten { count, untold }
    } else if let Some(count) = from.number("done") {
        Response::Done { count }
    } else if let Some(figures) = from.get("figures") {
        Response::Figures(Box::new(read_figures(figures)?))
    } else if from.get("filed").is_some() {
        Response::Filed {
            digest: digest_of(&from, "filed")?,
        }
    } else if from.get("file").is_some() {
        Response::File {
            bytes: base64::read(&from, "file")?,
        }
    } else if let Some(key) = from.optional_text("pageKey") {
        let port = port_of(&from, "port");
        Response::PageKey { key, port }
    } else if let Some(pairing) = from.get("pairing") {
        Response::Pairing(Box::new(
            from_json::<native::Pairing<'_>>(pairing, "pairing")?.into(),
        ))
    } else if let Some(status) = from.get("status") {
        Response::Status(from_json(status, "status")?)
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

fn read_change(from: &Fields<'_>, cursor: u64) -> Result<Change, Malformed> {
    let what = if let Some(record) = from.get("record") {
        Changed::Record(Arc::new(read_record(record)?))
    } else if let Some(id) = from.optional_text("gone") {
        let gone = AskId::parse(&id);
        Changed::Gone(gone.ok_or_else(|| Malformed(format!("gone: \"{id}\" is not an id")))?)
    } else if from.flag("pairing") {
        Changed::Pairing
    } else {
        Changed::Day
    };
    let day = from.get("day").map(read_day).transpose()?;
    Ok(Change::new(cursor, what, day.unwrap_or_default()))
}

fn read_snooze(from: &Fields<'_>) -> Result<Option<Snooze>, Malformed> {
    let Some(text) = from.optional_text("until") else {
        return Ok(None);
    };
    match native::read_snooze(&text) {
        Some(snooze) => Ok(Some(snooze)),
        None => Err(Malformed(format!(
            "until: must be a time in RFC 3339 or asked-again, not \"{text}\""
        ))),
    }
}

fn port_of(from: &Fields<'_>, key: &str) -> Option<u16> {
    u16::try_from(from.number(key)?).ok()
}

fn read_day(value: &Json) -> Result<Day, Malformed> {
    let from = Fields::of(value, "day")?;
    Ok(Day {
        answered: from.number("answered").unwrap_or(0),
        muted: from.flag("muted"),
        more: from.number("more").unwrap_or(0),
        port: port_of(&from, "port"),
    })
}

fn id_of(from: &Fields<'_>) -> Result<AskId, Malformed> {
    let text = from.text("id")?;
    AskId::parse(&text).ok_or_else(|| Malformed(format!("id: \"{text}\" is not an id")))
}

fn digest_of(from: &Fields<'_>, key: &str) -> Result<Digest, Malformed> {
    Digest::parse(&from.text(key)?)
        .ok_or_else(|| Malformed(format!("{key}: must be 64 hexadecimal digits")))
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
