//! What happens to asks, as server-sent events.

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::devices::{ClientAccess, Pairing};
use super::records::{Asks, Day, RecordView};
use crate::json_text;
use crate::native::{Moment, Scope};
use ask_core::{AskId, Outcome, Record, Time, history};

/// An event: its name, and its data as JSON.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", content = "data")]
pub enum Event<'a> {
    /// The first event: the hub, and how the client reaches it.
    #[serde(rename = "hello")]
    Hello(Hello<'a>),
    /// The page has another version than the hub, and has to reload itself.
    #[serde(rename = "reload")]
    Reload(Hello<'a>),
    /// All open asks, or the most urgent of them.
    #[serde(rename = "snapshot")]
    Snapshot(Asks<'a>),
    /// An ask was opened.
    #[serde(rename = "ask.created")]
    Created(RecordView<'a>),
    /// An open ask has changed.
    #[serde(rename = "ask.updated")]
    Updated(RecordView<'a>),
    /// An ask has expired.
    #[serde(rename = "ask.expired")]
    Expired(RecordView<'a>),
    /// An ask was closed.
    #[serde(rename = "ask.resolved")]
    Resolved(RecordView<'a>),
    /// An ask was answered after it had expired.
    #[serde(rename = "ask.late")]
    Late(RecordView<'a>),
    /// An ask was deleted.
    #[serde(rename = "ask.gone")]
    Gone(Gone<'a>),
    /// What a list of asks holds beside the asks.
    #[serde(rename = "day")]
    Day(Day),
    /// The state of pairing; only for clients on the hub's machine.
    #[serde(rename = "pairing")]
    Pairing(Pairing<'a>),
}

/// The hub, and how the client reaches it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
pub struct Hello<'a> {
    /// The version of the hub.
    version: &'a str,
    /// The version of the page.
    page: &'a str,
    /// The current time of the hub.
    now: Moment,
    /// Whether the client is on the hub's own machine.
    local: bool,
    /// Whether the connection is encrypted.
    encrypted: bool,
    /// What the client may do.
    scope: Scope,
    /// The language that the person has set.
    language: Option<&'a str>,
}

impl<'a> Hello<'a> {
    /// The hub, and how the client is connected to it.
    pub fn new(
        version: &'a str,
        page: &'a str,
        language: Option<&'a str>,
        now: Time,
        access: &ClientAccess,
    ) -> Self {
        Self {
            version,
            page,
            now: Moment(now),
            local: access.is_local,
            encrypted: access.is_encrypted,
            scope: Scope(access.may),
            language,
        }
    }
}

/// An ask that was deleted.
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

/// The name of the event for a record. `known` says whether the client knew it as open before.
pub fn event_name(record: &Record, known: bool) -> &'static str {
    match record.settlement().map(|ended| &ended.outcome) {
        None if known => "ask.updated",
        None => "ask.created",
        Some(Outcome::Expired) => "ask.expired",
        Some(_) if history::had_expired(record) => "ask.late",
        Some(_) => "ask.resolved",
    }
}

/// Writes one event of the stream. It has an id if the stream can be resumed after it.
pub fn write_event(name: &str, id: Option<u64>, value: &impl Serialize) -> String {
    write_event_of(name, id, &json_text(value))
}

/// Like [`write_event`], for data that is text already.
pub fn write_event_of(name: &str, id: Option<u64>, data: &str) -> String {
    let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
    format!("{id}event: {name}\ndata: {data}\n\n")
}

/// Writes a document as the only event of a stream. Its lines become lines of data.
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
