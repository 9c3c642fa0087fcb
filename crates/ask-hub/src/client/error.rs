//! What goes wrong with a request: faults that the hub tells, responses that don't fit, and a hub
//! that is gone.

use ask_config::exit::{Exit, Failure};
use ask_protocol::ipc::{Fault, Response};

/// The hub is there and can't keep anything: its disk is full, most likely.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CannotKeep(String);

/// So much is open or kept already that no more is taken.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TooMuch(String);

/// Tells responses from faults.
pub(super) trait Checked: Sized {
    /// Faults become failures with an exit code.
    fn checked(self) -> anyhow::Result<Self>;
}

impl Checked for Response {
    fn checked(self) -> anyhow::Result<Self> {
        match self {
            Self::Fault { kind, text } => {
                let exit = match kind {
                    Fault::NotFound
                    | Fault::Ambiguous
                    | Fault::Malformed
                    | Fault::Unfit
                    | Fault::NotAllowed => Exit::Failure,
                    Fault::TooMany => return Err(TooMuch(text).into()),
                    Fault::Undelivered => {
                        let hint = "the same with --yes removes it for good";
                        return Err(Failure::new(Exit::Failure, text, hint).into());
                    }
                    Fault::Store => return Err(CannotKeep(text).into()),
                    Fault::Unfinished => Exit::Usage,
                };
                Err(Failure::plain(exit, text).into())
            }
            other => Ok(other),
        }
    }
}

/// Nobody answers any more.
pub(super) fn gone() -> anyhow::Error {
    Failure::new(
        Exit::NoHub,
        "the hub can't be reached",
        "see hub.log in the state folder, or try `ask-user hub --foreground`",
    )
    .into()
}

/// A response to something else.
pub(super) fn unexpected(response: &Response) -> anyhow::Error {
    Failure::plain(
        Exit::Failure,
        format!("the hub said something unexpected: {response:?}"),
    )
    .into()
}
