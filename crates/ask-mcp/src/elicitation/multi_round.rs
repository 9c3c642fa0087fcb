//! A dialog by rounds, since the revision 2026-07-28: the call ends with a wish for
//! input, and the client calls again with what the person said. In between nobody
//! waits, so an answer from another surface reaches the agent with the next call.

pub mod retry;

use std::collections::BTreeMap;
use std::time::Duration;

use ask_config::clock;
use ask_config::home::Home;
use ask_core::{Draft, Record, Time};
use ask_dialects::elicit::{self, Edition};
use ask_protocol::ipc;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, InputRequest, InputRequiredResult,
    InputResponses,
};

use super::state_token::{Seal, State};

/// What our one wish for input is called.
const INPUT: &str = "answer";

/// So long the agent counts as waiting while its client's dialog is being filled in: a person's time.
pub const FILLED_IN_WITHIN: Duration = Duration::from_secs(10 * 60);

/// An answer elsewhere can't take the dialog away.
const ELSEWHERE: &str = "If you answer elsewhere, close this dialog: the agent goes on only then.";

/// What a client hands back when it calls again.
pub struct Round {
    state: String,
    replies: InputResponses,
}

impl Round {
    /// What a call hands back, if it is one that comes again.
    pub fn of(request: &mut CallToolRequestParams) -> Option<Box<Self>> {
        let state = request.request_state.take()?;
        let replies = request.input_responses.take().unwrap_or_default();
        Some(Box::new(Self { state, replies }))
    }
}

/// The wish for input that a call ends with, when its ask was opened at that time.
pub fn first(home: &Home, record: &Record, asked_at: Time) -> anyhow::Result<CallToolResponse> {
    let draft = record.draft.as_ref().map(|saved| &saved.draft);
    let state = State {
        id: record.id.clone(),
        asked_at,
        shown_at: clock::now(),
        again: false,
    };
    wish(&Seal::of(home)?, record, draft, ELSEWHERE, &state)
}

fn wish(
    seal: &Seal,
    record: &Record,
    draft: Option<&Draft>,
    notice: &str,
    state: &State,
) -> anyhow::Result<CallToolResponse> {
    let form = elicit::request(&record.ask, draft, Edition::Titled, Some(notice));
    let form = ask_protocol::json_text(&form);
    let request = ElicitRequest::new(ipc::unline(form.as_bytes())?);
    let wishes = BTreeMap::from([(INPUT.to_owned(), InputRequest::Elicitation(request))]);
    let sealed = seal.close(state, record);
    Ok(InputRequiredResult::new(Some(wishes), Some(sealed)).into())
}
