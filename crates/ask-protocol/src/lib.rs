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

use ask_core::Json;

pub use reply::Reply;

/// The compact text of a value.
pub fn json_text(value: &Json) -> String {
    value.to_string()
}

/// The value of a text that this project wrote itself.
pub fn text_json(text: &str) -> Result<Json, native::Malformed> {
    serde_json::from_str(text).map_err(|error| native::Malformed(error.to_string()))
}
