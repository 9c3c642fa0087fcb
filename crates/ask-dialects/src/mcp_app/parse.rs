//! Reads what the card sends.

use crate::mcp_app::Does;
use ask_core::Json;
use ask_core::draft::Draft;
use ask_core::time::Time;
use ask_protocol::api::{read_draft, read_optional_text, read_text, read_time};
use ask_protocol::native::Malformed;

/// What the card wants.
#[derive(Clone, Debug, PartialEq)]
pub enum CardCommand {
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
pub fn read(does: Does, arguments: &Json) -> Result<(String, CardCommand), Malformed> {
    let key = read_text(arguments, "key")?;
    let id = || read_text(arguments, "askId");
    let wish = match does {
        Does::State => {
            let get = |key| arguments.get(key).filter(|value| !value.is_null());
            let text = |key| get(key).and_then(Json::as_str).map(str::to_owned);
            let call = || Which::Call {
                call: get("call").map(number),
                arguments: get("arguments").cloned(),
            };
            CardCommand::State {
                which: text("askId").map_or_else(call, Which::Ask),
                stamp: text("stamp"),
                seen: get("seen").and_then(Json::as_bool).unwrap_or(false),
            }
        }
        Does::Draft => {
            let (draft, built_on) = read_draft(arguments)?;
            let built_on = built_on.unwrap_or_default();
            let id = id()?;
            CardCommand::Draft {
                id,
                draft,
                built_on,
            }
        }
        Does::Submit => CardCommand::Submit {
            id: id()?,
            answers: arguments.clone(),
            attempt: read_optional_text(arguments, "attempt")?,
        },
        Does::Decline => CardCommand::Decline {
            id: id()?,
            reason: read_optional_text(arguments, "reason")?,
        },
        Does::AskBack => CardCommand::AskBack {
            id: id()?,
            words: read_text(arguments, "text")?,
        },
        Does::Extend => CardCommand::Extend {
            id: id()?,
            until: read_time(arguments, "until")?,
        },
        Does::Told => CardCommand::Told { id: id()? },
    };
    Ok((key, wish))
}

/// A client's number of a call as text: it may be either.
fn number(id: &Json) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
