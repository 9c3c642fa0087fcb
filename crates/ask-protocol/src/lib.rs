//! Our own wire forms: records, drafts and outcomes as JSON ([`native`]), the messages between the hub
//! and its clients ([`ipc`]), the HTTP API ([`api`]), the lines that programs embed us by ([`jsonl`]),
//! webhooks ([`webhook`]) and the events of CodeNomad's bridge ([`bridge`]).
//!
//! Agents' tool contracts are none of it: they are in `ask-dialects`, which builds on this crate and is
//! not known here. What a dialect says in its own words comes in as a [`Reply`] or as text.

pub mod answers;
pub mod api;
pub mod bridge;
pub mod ipc;
pub mod jsonl;
pub mod native;
pub mod reply;
pub mod webhook;

use serde::Serialize;
use serde_json::Map;

use ask_core::Json;

pub use reply::Reply;

/// The compact text of a value, or of one of our forms.
pub fn json_text(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("our forms have texts for keys, and no part of them fails")
}

/// A form of ours as a value, for who puts it into something else.
pub fn to_json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).expect("our forms have texts for keys, and no part of them fails")
}

/// The value of a text that this project wrote itself.
pub fn text_json(text: &str) -> Result<Json, native::Malformed> {
    serde_json::from_str(text).map_err(|error| native::Malformed(error.to_string()))
}

fn put_some(out: &mut Map<String, Json>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        out.insert(key.to_owned(), value.into());
    }
}
