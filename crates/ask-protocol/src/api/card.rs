//! The arguments of the tools that the card of chat clients calls.

use serde::Deserialize;

use crate::native::{Draft, Malformed, Moment, from_json};
use ask_core::Json;

/// A call of any of these tools. Each tool uses some of the fields.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardCall {
    /// The key that shows that the card is calling.
    pub key: String,
    /// The id of the ask.
    pub ask_id: Option<String>,
    /// A partly filled form.
    pub draft: Option<Draft<'static>>,
    /// The revision that it is based on.
    pub built_on: Option<u64>,
    /// The attempt, which is the same for every retry.
    pub attempt: Option<String>,
    /// Why the person declines.
    pub reason: Option<String>,
    /// What the person wants to know.
    pub text: Option<String>,
    /// The deadline that the person wants.
    pub until: Option<Moment>,
    /// The stamp that the card has.
    pub stamp: Option<String>,
    /// Whether the person can see the card.
    pub seen: Option<bool>,
    /// The id that the client gave the call, if the client sends it.
    pub call: Option<Json>,
    /// The arguments of that call, once the client has sent them.
    pub arguments: Option<Json>,
}

impl CardCall {
    /// Parses the arguments of a call.
    pub fn read(arguments: &Json) -> Result<Self, Malformed> {
        from_json(arguments, "")
    }
}
