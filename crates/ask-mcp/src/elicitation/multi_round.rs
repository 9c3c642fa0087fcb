//! Dialogs since MCP revision 2026-07-28: the call ends with a request for input, and the client
//! calls again with the person's response. No call waits in between, so an answer from another
//! surface reaches the agent with the next call.

pub(crate) mod retry;

use std::collections::BTreeMap;
use std::time::Duration;

use ask_config::clock;
use ask_core::{Draft, Record, Time};
use ask_dialects::elicit::{self, Edition};
use ask_protocol::ipc;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, InputRequest, InputRequiredResult,
    InputResponses,
};

use super::state_token::{ElicitationState, StateSealer};

/// The key of our one input request.
const INPUT: &str = "answer";

/// How long the agent counts as waiting while the client's dialog is open: time for a person to
/// fill it in.
pub(crate) const FILLED_IN_WITHIN: Duration = Duration::from_secs(10 * 60);

/// The notice in the dialog, because an answer elsewhere can't close it.
const ELSEWHERE: &str = "If you answer elsewhere, close this dialog: the agent goes on only then.";

/// The state and the responses with which a client calls again.
pub(crate) struct Round {
    state: String,
    replies: InputResponses,
}

impl Round {
    /// The returned state and responses, if the call is a retry. Takes them out of the request.
    pub(crate) fn take_from(request: &mut CallToolRequestParams) -> Option<Box<Self>> {
        let state = request.request_state.take()?;
        let replies = request.input_responses.take().unwrap_or_default();
        Some(Box::new(Self { state, replies }))
    }
}

/// The result that requests input for a newly opened ask. `asked_at` is when the agent first asked.
pub(crate) fn first_round(
    sealer: &StateSealer,
    record: &Record,
    asked_at: Time,
) -> anyhow::Result<CallToolResponse> {
    let draft = record.draft.as_ref().map(|saved| &saved.draft);
    let state = ElicitationState {
        id: record.id.clone(),
        asked_at,
        shown_at: clock::now(),
        gaps_shown: false,
    };
    input_required(sealer, record, draft, ELSEWHERE, &state)
}

fn input_required(
    sealer: &StateSealer,
    record: &Record,
    draft: Option<&Draft>,
    notice: &str,
    state: &ElicitationState,
) -> anyhow::Result<CallToolResponse> {
    let form = elicit::request(&record.ask, draft, Edition::Titled, Some(notice));
    let form = ask_protocol::json_text(&form);
    let request = ElicitRequest::new(ipc::unline(form.as_bytes())?);
    let requests = BTreeMap::from([(INPUT.to_owned(), InputRequest::Elicitation(request))]);
    let sealed = sealer.seal(state, record);
    Ok(InputRequiredResult::new(Some(requests), Some(sealed)).into())
}
