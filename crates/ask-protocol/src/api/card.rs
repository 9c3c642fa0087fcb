//! What the card of chat clients sends: the arguments of its tools.

use serde::Deserialize;

use crate::native::{Draft, Malformed, Moment, from_json};
use ask_core::Json;

/// A call of any of its tools; each has some of this.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardCall {
    /// What shows that it is the card.
    pub key: String,
    /// Which ask.
    pub ask_id: Option<String>,
    /// A half-filled form.
    pub draft: Option<Draft<'static>>,
    /// The revision that it was built on.
    pub built_on: Option<u64>,
    /// The same for every retry.
    pub attempt: Option<String>,
    /// Why the person declines.
    pub reason: Option<String>,
    /// What the person asks back.
    pub text: Option<String>,
    /// Until when there is time.
    pub until: Option<Moment>,
    /// What the card was told last.
    pub stamp: Option<String>,
    /// Whether its person can see it.
    pub seen: Option<bool>,
    /// The number that the client gave the call, where it says it.
    pub call: Option<Json>,
    /// What was called with, once the client has said that.
    pub arguments: Option<Json>,
}

impl CardCall {
    /// Reads the arguments of a call.
    pub fn read(arguments: &Json) -> Result<Self, Malformed> {
        from_json(arguments, "")
    }
}
