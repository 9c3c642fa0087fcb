//! Why the hub refuses a request.

use ask_protocol::ipc::{ErrorKind, Response};
use ask_store::StoreError;

/// The bytes of a megabyte in limits (1,024²).
pub(crate) const MEGABYTE: usize = 1024 * 1024;

/// Why a request is refused.
#[derive(Debug)]
pub(super) struct HubError {
    /// The kind of fault; clients derive their exit code from it.
    pub kind: ErrorKind,
    /// What happened, and what to do about it.
    pub text: String,
}

impl HubError {
    /// The request doesn't fit the current state.
    pub(super) fn malformed(text: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Malformed,
            text: text.into(),
        }
    }

    /// No ask has this id.
    pub(super) fn not_found(id: &str) -> Self {
        let text = if id == "latest" {
            "nothing has been asked yet".to_owned()
        } else {
            format!("no ask has the id \"{id}\": see `ask-user list --all`")
        };
        Self {
            kind: ErrorKind::NotFound,
            text,
        }
    }

    /// The fault as a response.
    pub(super) fn into_response(self) -> Response {
        Response::Fault {
            kind: self.kind,
            text: self.text,
        }
    }
}

impl From<StoreError> for HubError {
    fn from(error: StoreError) -> Self {
        Self {
            kind: ErrorKind::Store,
            text: error.to_string(),
        }
    }
}

impl From<ask_engine::Problem> for HubError {
    fn from(problem: ask_engine::Problem) -> Self {
        use ask_engine::Problem as EngineProblem;
        let (kind, text) = match problem {
            EngineProblem::NotFound(id) => return Self::not_found(id.as_str()),
            EngineProblem::Unfinished(unfinished) => {
                (ErrorKind::Unfinished, unfinished.to_string())
            }
            EngineProblem::Closed(id, state) => {
                let text = format!("{id} is no longer open: {state}");
                (ErrorKind::Malformed, text)
            }
            EngineProblem::StillOpen(id) => {
                let text = format!("{id} is still waiting: answer or decline it first");
                (ErrorKind::StillOpen, text)
            }
            EngineProblem::Undelivered(id, state) => {
                let text =
                    format!("{id} is {state}, and no agent has been told; nothing was removed");
                (ErrorKind::Undelivered, text)
            }
            EngineProblem::TakenOver(id) => {
                let text =
                    format!("another call of this agent goes on with {id}; ask for it by its id");
                (ErrorKind::Malformed, text)
            }
            EngineProblem::NotTakenBack(id) => {
                let text = format!("the answer of {id} can't be taken back: an agent has it");
                (ErrorKind::Malformed, text)
            }
            EngineProblem::NoDeadline(id) => {
                let text = format!("{id} has no deadline: it waits until you answer");
                (ErrorKind::Malformed, text)
            }
            EngineProblem::Past(at) => {
                let text = format!("{at} is in the past; give a later time");
                (ErrorKind::Unfit, text)
            }
            EngineProblem::TooManyOfCaller(limit) => {
                let text = format!(
                    "{limit} questions of this agent are open already (limits.open_asks_per_agent): wait for answers, or withdraw what is out of date"
                );
                (ErrorKind::TooMany, text)
            }
            EngineProblem::TooManyOpen(limit) => {
                let text = format!(
                    "{limit} questions are open already (limits.open_asks): the person has to answer or decline some first"
                );
                (ErrorKind::TooMany, text)
            }
            EngineProblem::TooLongOfCaller(limit) => {
                let text = format!(
                    "the open questions of this agent would have more than {} MB with this one (limits.open_megabytes_per_agent): name files where long texts are to be read, and wait for answers or withdraw what is out of date",
                    limit / MEGABYTE
                );
                (ErrorKind::TooMany, text)
            }
            EngineProblem::TooLongInADay(limit) => {
                let text = format!(
                    "this agent would have asked more than {} MB within a day with this one (limits.open_megabytes_per_agent): name files where long texts are to be read",
                    limit / MEGABYTE
                );
                (ErrorKind::TooMany, text)
            }
            EngineProblem::TooLongOpen(limit) => {
                let text = format!(
                    "all open questions would have more than {} MB with this one (limits.open_megabytes): name files where long texts are to be read; the person has to answer or decline some first",
                    limit / MEGABYTE
                );
                (ErrorKind::TooMany, text)
            }
            EngineProblem::Store(text) => (ErrorKind::Store, text),
        };
        Self { kind, text }
    }
}
