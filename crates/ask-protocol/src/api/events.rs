//! What happens, as server-sent events.

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::devices::{Pairing, Reach};
use super::records::{Asks, Day, RecordView};
use crate::json_text;
use crate::native::{Moment, Scope};
use ask_core::{AskId, Outcome, Record, Time, history};

/// An event: its name, and its data as JSON.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", content = "data")]
pub enum Event<'a> {
    /// The first: who speaks.
    #[serde(rename = "hello")]
    Hello(Hello<'a>),
    /// To a page of another version: it is to load itself anew.
    #[serde(rename = "reload")]
    Reload(Hello<'a>),
    /// All that waits, or the most urgent of it.
    #[serde(rename = "snapshot")]
    Snapshot(Asks<'a>),
    /// An ask is new.
    #[serde(rename = "ask.created")]
    Created(RecordView<'a>),
    /// An ask that waits has changed.
    #[serde(rename = "ask.updated")]
    Updated(RecordView<'a>),
    /// Its time has passed.
    #[serde(rename = "ask.expired")]
    Expired(RecordView<'a>),
    /// It was closed.
    #[serde(rename = "ask.resolved")]
    Resolved(RecordView<'a>),
    /// It was answered after its time had passed.
    #[serde(rename = "ask.late")]
    Late(RecordView<'a>),
    /// It is no more.
    #[serde(rename = "ask.gone")]
    Gone(Gone<'a>),
    /// What a list of asks says besides them.
    #[serde(rename = "day")]
    Day(Day),
    /// How pairing stands; for the computer alone.
    #[serde(rename = "pairing")]
    Pairing(Pairing<'a>),
}

/// Who speaks.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
pub struct Hello<'a> {
    /// The hub's version.
    version: &'a str,
    /// That of its page.
    page: &'a str,
    /// What time it is.
    now: Moment,
    /// Whether whoever listens is on the hub's own machine.
    local: bool,
    /// Whether nobody on the way can read along.
    encrypted: bool,
    /// What whoever listens may.
    scope: Scope,
    /// The language that the person has set.
    language: Option<&'a str>,
}

impl<'a> Hello<'a> {
    /// Who speaks, and how whoever listens reaches it.
    pub fn new(
        version: &'a str,
        page: &'a str,
        language: Option<&'a str>,
        now: Time,
        reach: &Reach,
    ) -> Self {
        Self {
            version,
            page,
            now: Moment(now),
            local: reach.is_here,
            encrypted: reach.is_encrypted,
            scope: Scope(reach.may),
            language,
        }
    }
}

/// That an ask is no more.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gone<'a> {
    ask_id: &'a str,
}

impl<'a> From<&'a AskId> for Gone<'a> {
    fn from(id: &'a AskId) -> Self {
        Self {
            ask_id: id.as_str(),
        }
    }
}

/// The name of the event that tells of a record, by whether it was known to wait before.
pub fn event_name(record: &Record, known: bool) -> &'static str {
    match record.settlement().map(|ended| &ended.outcome) {
        None if known => "ask.updated",
        None => "ask.created",
        Some(Outcome::Expired) => "ask.expired",
        Some(_) if history::had_expired(record) => "ask.late",
        Some(_) => "ask.resolved",
    }
}

/// One event of the stream, as bytes: with an id where the feed may be taken up after it.
pub fn write_event(name: &str, id: Option<u64>, value: &impl Serialize) -> String {
    write_event_of(name, id, &json_text(value))
}

/// The same of data that is text already.
pub fn write_event_of(name: &str, id: Option<u64>, data: &str) -> String {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    format!("{id}event: {name}\ndata: {data}\n\n")
}

/// A document as the one event of a stream: whatever lines it has are its data.
pub fn write_document_event(document: &[u8]) -> Vec<u8> {
    let mut event = Vec::with_capacity(document.len() + 8);
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    for line in document.trim_ascii().split(is_end) {
        event.extend_from_slice(b"data: ");
        event.extend_from_slice(line);
        event.push(b'\n');
    }
    event.push(b'\n');
    event
}
