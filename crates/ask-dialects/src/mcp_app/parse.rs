//! Parses what the card sends.

use crate::mcp_app::CardAction;
use ask_core::Json;
use ask_core::draft::Draft;
use ask_core::time::Time;
use ask_protocol::api::CardCall;
use ask_protocol::native::Malformed;

/// A command of the card.
#[derive(Clone, Debug, PartialEq)]
pub enum CardCommand {
    /// Report the status of an ask.
    State {
        /// Which ask it is.
        which: Which,
        /// The stamp that the card has.
        stamp: Option<String>,
        /// Whether the person can see the card.
        seen: bool,
    },
    /// Store a draft of the answers.
    Draft {
        /// The id of the ask.
        id: String,
        /// The draft to be stored.
        draft: Draft,
        /// The revision that it was built on.
        built_on: u64,
    },
    /// Answer the ask.
    Submit {
        /// The id of the ask.
        id: String,
        /// The answers, which can only be parsed together with the ask.
        answers: Json,
        /// The attempt, which is the same for every retry.
        attempt: Option<String>,
    },
    /// Decline the ask.
    Decline {
        /// The id of the ask.
        id: String,
        /// The person's reason, if any.
        reason: Option<String>,
    },
    /// Ask back about the ask.
    AskBack {
        /// The id of the ask.
        id: String,
        /// What the person wants to know.
        words: String,
    },
    /// Extend the deadline of the ask.
    Extend {
        /// The id of the ask.
        id: String,
        /// The deadline that the person wants.
        until: Time,
    },
    /// Record that the agent has read the outcome.
    Acknowledge {
        /// The id of the ask.
        id: String,
    },
}

/// Which ask a card is for, by what its client has sent to it.
#[derive(Clone, Debug, PartialEq)]
pub enum Which {
    /// The ask with this id, which the card knows already.
    Ask(String),
    /// The ask of the card's call, by the call's id and by its arguments.
    Call {
        /// The id that the client gave the call, if the client sends it.
        call: Option<String>,
        /// The arguments, once the client has sent them.
        arguments: Option<Json>,
    },
}

/// The key that a call contains, and its command.
pub fn read(does: CardAction, arguments: &Json) -> Result<(String, CardCommand), Malformed> {
    let card = CardCall::read(arguments)?;
    let id = |id: Option<String>| needed(id, "askId");
    let command = match does {
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
        CardAction::Acknowledge => CardCommand::Acknowledge {
            id: id(card.ask_id)?,
        },
    };
    Ok((card.key, command))
}

fn needed<T>(value: Option<T>, key: &str) -> Result<T, Malformed> {
    value.ok_or_else(|| Malformed(format!("{key}: is missing")))
}

/// A client's id of a call as text. It may be a number or a string.
fn number(id: &Json) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
