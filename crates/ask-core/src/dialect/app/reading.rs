//! Reads what the card sends.

use super::super::Json;
use super::super::api::{read_draft, read_optional_text, read_text, read_time};
use super::super::form::{Fields, Malformed};
use super::Does;
use crate::draft::Draft;
use crate::time::Time;

/// What the card wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// To know how an ask stands.
    State {
        /// Which.
        which: Which,
        /// What it was told last.
        stamp: Option<String>,
        /// Whether its person can see it.
        seen: bool,
    },
    /// To have a draft kept.
    Draft {
        /// Of which ask.
        id: String,
        /// It.
        draft: Draft,
        /// The revision that it was built on.
        built_on: u64,
    },
    /// To answer.
    Submit {
        /// Which ask.
        id: String,
        /// The answers, to be read with the ask in hand.
        answers: Json,
        /// The same for every retry.
        attempt: Option<String>,
    },
    /// To decline.
    Decline {
        /// Which ask.
        id: String,
        /// Why.
        reason: Option<String>,
    },
    /// To ask back.
    AskBack {
        /// About which ask.
        id: String,
        /// What.
        words: String,
    },
    /// To have more time.
    Extend {
        /// For which ask.
        id: String,
        /// Until when.
        until: Time,
    },
    /// That the agent was told.
    Told {
        /// Of which ask.
        id: String,
    },
}

/// Which ask a card is for, by what its client has told it.
#[derive(Clone, Debug, PartialEq)]
pub enum Which {
    /// That of this id, which it was told before.
    Ask(String),
    /// That of its call: by the number that the client gave the call, and what was called with.
    Call {
        /// The number, where the client says it.
        call: Option<String>,
        /// The arguments, once the client has said them.
        arguments: Option<Json>,
    },
}

/// The key that a call shows, and what it wants.
pub fn read(does: Does, arguments: &Json) -> Result<(String, Wish), Malformed> {
    let key = read_text(arguments, "key")?;
    let id = || read_text(arguments, "askId");
    let wish = match does {
        Does::State => {
            let from = Fields::of(arguments, "body")?;
            let call = || Which::Call {
                call: from.get("call").map(number),
                arguments: from.get("arguments").cloned(),
            };
            Wish::State {
                which: from.optional_text("askId").map_or_else(call, Which::Ask),
                stamp: from.optional_text("stamp"),
                seen: from.flag("seen"),
            }
        }
        Does::Draft => {
            let (draft, built_on) = read_draft(arguments)?;
            let built_on = built_on.unwrap_or_default();
            let id = id()?;
            Wish::Draft {
                id,
                draft,
                built_on,
            }
        }
        Does::Submit => Wish::Submit {
            id: id()?,
            answers: arguments.clone(),
            attempt: read_optional_text(arguments, "attempt")?,
        },
        Does::Decline => Wish::Decline {
            id: id()?,
            reason: read_optional_text(arguments, "reason")?,
        },
        Does::AskBack => Wish::AskBack {
            id: id()?,
            words: read_text(arguments, "text")?,
        },
        Does::Extend => Wish::Extend {
            id: id()?,
            until: read_time(arguments, "until")?,
        },
        Does::Told => Wish::Told { id: id()? },
    };
    Ok((key, wish))
}

/// A client's number of a call as text: it may be either.
fn number(id: &Json) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
