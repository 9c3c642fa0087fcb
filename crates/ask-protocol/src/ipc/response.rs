//! The hub's responses, one line each.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_with::base64::Base64;
use serde_with::{serde_as, skip_serializing_none};

use super::serialize::{closed_line, read_line};
use super::{Change, Changed, Day, ErrorKind, Response, Status};
use crate::native::{Id, Malformed, Pairing, Record, Sha256, Stats};

/// The fields of a line. Those that are present determine the response.
#[serde_as]
#[skip_serializing_none]
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Line<'a> {
    n: u64,
    change: Option<u64>,
    welcome: Option<Cow<'a, str>>,
    pid: Option<u32>,
    opened: Option<Id>,
    won: Option<bool>,
    record: Option<Record<'a>>,
    missed: Option<bool>,
    records: Option<Vec<Record<'a>>>,
    more: Option<u64>,
    gone: Option<Gone<'a>>,
    pairing: Option<PairingOf<'a>>,
    cursor: Option<u64>,
    reset: Option<bool>,
    day: Option<Day>,
    forgotten: Option<u64>,
    undelivered: Option<u64>,
    done: Option<u64>,
    stats: Option<Stats<'a>>,
    filed: Option<Sha256>,
    #[serde_as(as = "Option<Base64>")]
    file: Option<Cow<'a, [u8]>>,
    page_key: Option<Cow<'a, str>>,
    port: Option<u16>,
    status: Option<Cow<'a, Status>>,
    fault: Option<ErrorKind>,
    text: Option<Cow<'a, str>>,
}

/// Removed asks: one in a change, several in a list.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Gone<'a> {
    One(Id),
    Several(Cow<'a, [String]>),
}

/// The state of pairing, or that it has changed.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PairingOf<'a> {
    Changed(bool),
    State(Box<Pairing<'a>>),
}

/// Writes a response to the request with this number as one line.
pub fn write_response(number: u64, response: &Response) -> Vec<u8> {
    let line = Line::from(response);
    closed_line(&Line { n: number, ..line })
}

/// Parses what [`write_response`] wrote.
pub fn read_response(line: &[u8]) -> Result<(u64, Response), Malformed> {
    let line: Line<'_> = read_line(line)?;
    Ok((line.n, line.try_into()?))
}

impl<'a> From<&'a Response> for Line<'a> {
    fn from(response: &'a Response) -> Self {
        let nothing = Self::default();
        match response {
            Response::Welcome { version, pid } => Self {
                welcome: Some(version.into()),
                pid: Some(*pid),
                ..nothing
            },
            Response::Opened { id } => Self {
                opened: Some(Id(id.clone())),
                ..nothing
            },
            Response::Record(record) => Self {
                record: Some((&**record).into()),
                ..nothing
            },
            Response::Outcome { record, missed } => Self {
                record: Some((&**record).into()),
                missed: Some(*missed),
                ..nothing
            },
            Response::Settled { won, record } => Self {
                won: Some(*won),
                record: Some((&**record).into()),
                ..nothing
            },
            Response::Records {
                records,
                more,
                gone,
                cursor,
                reset,
                day,
            } => Self {
                records: Some(records.iter().map(|record| (&**record).into()).collect()),
                more: (*more > 0).then_some(*more),
                gone: Some(Gone::Several(gone.into())),
                cursor: Some(*cursor),
                reset: Some(*reset),
                day: *day,
                ..nothing
            },
            Response::Forgotten { count, undelivered } => Self {
                forgotten: Some(*count),
                undelivered: Some(*undelivered),
                ..nothing
            },
            Response::Done { count } => Self {
                done: Some(*count),
                ..nothing
            },
            Response::Stats(stats) => Self {
                stats: Some((&**stats).into()),
                ..nothing
            },
            Response::Filed { digest } => Self {
                filed: Some(Sha256(*digest)),
                ..nothing
            },
            Response::File { bytes } => Self {
                file: Some(bytes.into()),
                ..nothing
            },
            Response::Status(status) => Self {
                status: Some(Cow::Borrowed(status)),
                ..nothing
            },
            Response::PageKey { key, port } => Self {
                page_key: Some(key.into()),
                port: *port,
                ..nothing
            },
            Response::Pairing(pairing) => Self {
                pairing: Some(PairingOf::State(Box::new((&**pairing).into()))),
                ..nothing
            },
            Response::Change(change) => Self::from(&**change),
            Response::Fault { kind, text } => Self {
                fault: Some(*kind),
                text: Some(text.into()),
                ..nothing
            },
        }
    }
}

impl<'a> From<&'a Change> for Line<'a> {
    fn from(change: &'a Change) -> Self {
        let line = Self {
            change: Some(change.cursor),
            day: Some(change.day),
            ..Self::default()
        };
        match &change.what {
            Changed::Record(record) => Self {
                record: Some((&**record).into()),
                ..line
            },
            Changed::Gone(id) => Self {
                gone: Some(Gone::One(Id(id.clone()))),
                ..line
            },
            Changed::Day => line,
            Changed::Pairing => Self {
                pairing: Some(PairingOf::Changed(true)),
                ..line
            },
        }
    }
}

impl TryFrom<Line<'_>> for Response {
    type Error = Malformed;

    fn try_from(line: Line<'_>) -> Result<Self, Malformed> {
        let record = line.record.map(ask_core::Record::try_from).transpose()?;
        let record = record.map(Arc::new);
        if let Some(cursor) = line.change {
            let what = match (record, line.gone, line.pairing) {
                (Some(record), ..) => Changed::Record(record),
                (None, Some(Gone::One(Id(id))), _) => Changed::Gone(id),
                (None, _, Some(PairingOf::Changed(true))) => Changed::Pairing,
                (None, ..) => Changed::Day,
            };
            let day = line.day.unwrap_or_default();
            return Ok(Self::Change(Arc::new(Change::new(cursor, what, day))));
        }
        if let Some(record) = record {
            return Ok(match (line.won, line.missed) {
                (Some(won), _) => Self::Settled { won, record },
                (None, Some(missed)) => Self::Outcome { record, missed },
                (None, None) => Self::Record(record),
            });
        }
        if let Some(records) = line.records {
            let records = records.into_iter();
            let records = records.map(|record| Ok(Arc::new(record.try_into()?)));
            return Ok(Self::Records {
                records: records.collect::<Result<_, Malformed>>()?,
                more: line.more.unwrap_or(0),
                gone: match line.gone {
                    Some(Gone::Several(ids)) => ids.into_owned(),
                    Some(Gone::One(_)) | None => Vec::new(),
                },
                cursor: line.cursor.unwrap_or(0),
                reset: line.reset.unwrap_or(false),
                day: line.day,
            });
        }
        let simple = [
            line.opened.map(|id| Self::Opened { id: id.0 }),
            line.forgotten.map(|count| Self::Forgotten {
                count,
                undelivered: line.undelivered.unwrap_or(0),
            }),
            line.done.map(|count| Self::Done { count }),
            line.filed.map(|digest| Self::Filed { digest: digest.0 }),
            line.file.map(|bytes| Self::File {
                bytes: bytes.into_owned(),
            }),
            line.page_key.map(|key| Self::PageKey {
                key: key.into_owned(),
                port: line.port,
            }),
            line.status.map(|status| Self::Status(status.into_owned())),
            line.welcome.map(|version| Self::Welcome {
                version: version.into_owned(),
                pid: line.pid.unwrap_or(0),
            }),
            line.fault.zip(line.text).map(|(kind, text)| Self::Fault {
                kind,
                text: text.into_owned(),
            }),
        ];
        if let Some(response) = simple.into_iter().flatten().next() {
            return Ok(response);
        }
        match (line.stats, line.pairing) {
            (Some(stats), _) => Ok(Self::Stats(Box::new(stats.into()))),
            (None, Some(PairingOf::State(pairing))) => {
                Ok(Self::Pairing(Box::new((*pairing).into())))
            }
            (None, _) => Err(Malformed("the line is no response".to_owned())),
        }
    }
}
