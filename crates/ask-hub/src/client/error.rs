//! Errors of a request: faults that the hub reports, responses of the wrong kind, and a lost hub.

use ask_config::exit::{Exit, Failure};
use ask_protocol::ipc::{ErrorKind, Response};

/// The hub can't write to its store, most likely because the disk is full.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StoreFailed(String);

/// A limit on open or stored asks is reached.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct LimitReached(String);

/// Separates responses from faults.
pub(super) trait Checked: Sized {
    /// Turns a fault into an error with an exit code.
    fn checked(self) -> anyhow::Result<Self>;
}

impl Checked for Response {
    fn checked(self) -> anyhow::Result<Self> {
        match self {
            Self::Fault { kind, text } => {
                let exit = match kind {
                    ErrorKind::NotFound
                    | ErrorKind::Ambiguous
                    | ErrorKind::Malformed
                    | ErrorKind::Unfit
                    | ErrorKind::StillOpen
                    | ErrorKind::NotAllowed => Exit::Failure,
                    ErrorKind::TooMany => return Err(LimitReached(text).into()),
                    ErrorKind::Undelivered => {
                        let hint = "the same with --yes removes it for good";
                        return Err(Failure::new(Exit::Failure, text, hint).into());
                    }
                    ErrorKind::Store => return Err(StoreFailed(text).into()),
                    ErrorKind::Unfinished => Exit::Usage,
                };
                Err(Failure::plain(exit, text).into())
            }
            other => Ok(other),
        }
    }
}

/// The error for a hub that doesn't respond any more.
pub(super) fn hub_unreachable() -> anyhow::Error {
    Failure::new(
        Exit::NoHub,
        "the hub can't be reached",
        "see hub.log in the state folder, or try `ask-user hub --foreground`",
    )
    .into()
}

/// The error for a response that doesn't fit the request.
pub(super) fn unexpected_response(response: &Response) -> anyhow::Error {
    // Only the hub's own process logs to hub.log.
    Failure::plain(
        Exit::Failure,
        format!("The hub sent an unexpected response: {}.", response.name()),
    )
    .into()
}
