//! Reads what the card sends.

use crate::mcp_app::CardAction;
use ask_core::Json;
use ask_core::draft::Draft;
use ask_core::time::Time;
use ask_protocol::api::CardCall;
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
pub fn read(does: CardAction, arguments: &Json) -> Result<(String, CardCommand), Malformed> {
    let card = CardCall::read(arguments)?;
    let id = |id: Option<String>| needed(id, "askId");
    let wish = match does {
        CardAction::State => CardCommand::State {
            which: match card.ask_id {
                Some(id) => Which::Ask(id),
                None => Which::Call {
                    call: card.call.as_ref().map(number),
                    arguments: card.arguments,
                },
            },
            stamp: card.stamp,
            seen: card.seen == Some(true),
        },
        CardAction::Draft => CardCommand::Draft {
            id: id(card.ask_id)?,
            draft: needed(card.draft, "draft")?.into(),
            built_on: card.built_on.unwrap_or_default(),
        },
        CardAction::Submit => CardCommand::Submit {
            id: id(card.ask_id)?,
            answers: arguments.clone(),
            attempt: card.attempt,
        },
        CardAction::Decline => CardCommand::Decline {
            id: id(card.ask_id)?,
            reason: card.reason,
        },
        CardAction::AskBack => CardCommand::AskBack {
            id: id(card.ask_id)?,
            words: needed(card.text, "text")?,
        },
        CardAction::Extend => CardCommand::Extend {
            id: id(card.ask_id)?,
            until: needed(card.until, "until")?.0,
        },
        CardAction::Told => CardCommand::Told {
            id: id(card.ask_id)?,
        },
    };
    Ok((card.key, wish))
}

fn needed<T>(value: Option<T>, key: &str) -> Result<T, Malformed> {
    value.ok_or_else(|| Malformed(format!("{key}: is missing")))
}

/// A client's number of a call as text: it may be either.
fn number(id: &Json) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
