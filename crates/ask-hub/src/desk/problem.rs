//! Why the desk can't do what it is asked.

use ask_protocol::ipc::{Fault, Response};
use ask_store::StoreError;

/// Why a request can't be served.
pub struct Problem {
    /// Which kind, for the exit code.
    pub kind: Fault,
    /// What happened, and what to do.
    pub text: String,
}

impl Problem {
    /// Nothing goes by that id.
    pub fn not_found(id: &str) -> Self {
        let text = if id == "latest" {
            "nothing has been asked yet".to_owned()
        } else {
            format!("no ask has the id \"{id}\": see `ask-user list --all`")
        };
        Self {
            kind: Fault::NotFound,
            text,
        }
    }

    /// As the client hears it.
    pub fn into_response(self) -> Response {
        Response::Fault {
            kind: self.kind,
            text: self.text,
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self {
            kind: Fault::Store,
            text: error.to_string(),
        }
    }
}
