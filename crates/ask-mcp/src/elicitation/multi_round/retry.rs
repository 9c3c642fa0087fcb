//! A call that the client repeats with the dialog's response and the state of the first call.

use ask_config::clock;
use ask_core::record::InClient;
use ask_core::{Gaps, Json, Problem, Record, Refusal, lifecycle};
use ask_dialects::elicit::Edition;
use ask_dialects::{Dialect, Word};
use ask_hub::client::Client;
use ask_protocol::ipc;
use rmcp::model::ElicitResult;
use rmcp::service::{RequestContext, RoleServer};
use tracing::debug;

use super::super::SURFACE;
use super::super::response::{ElicitReply, interpret};
use super::super::state_token::{ElicitationState, StateSealer};
use super::{INPUT, Round, input_required};
use crate::call::{Conversation, note_ask};
use crate::outcome::{CallStart, WaitingCall, still_open_reply};

impl Conversation {
    /// Continues a repeated call: applies the dialog's response, then waits for the outcome, which
    /// may have come from another surface meanwhile.
    pub(crate) async fn resume(
        &self,
        dialect: &'static dyn Dialect,
        record: &Record,
        round: &Round,
        context: &RequestContext<RoleServer>,
    ) -> anyhow::Result<CallStart> {
        let hub = self.shared.hub().await?;
        let sealer = StateSealer::load(self.shared.context.home(), self.transport())?;
        let Some((state, stored)) = open_state(&sealer, hub, record, &round.state).await? else {
            return Ok(foreign_state(dialect));
        };
        if stored.is_open() {
            // Other surfaces only show this fact.
            let _ = hub.in_client(&state.id, None).await;
            let reply = interpret_reply(&stored, &state, round.replies.get(INPUT));
            note_ask(&state.id);
            debug!("the client called again");
            match reply {
                ElicitReply::Verdict(verdict) => {
                    hub.settle(&state.id, verdict, SURFACE).await?;
                }
                ElicitReply::Incomplete { draft, notice } => {
                    if let Some(draft) = &draft {
                        hub.save_draft(&state.id, draft, SURFACE).await?;
                    }
                    if !state.gaps_shown {
                        let state = ElicitationState {
                            shown_at: clock::now(),
                            gaps_shown: true,
                            ..state
                        };
                        let saved = stored.draft.as_ref().map(|saved| &saved.draft);
                        let draft = draft.as_ref().or(saved);
                        let response = input_required(&sealer, &stored, draft, &notice, &state)?;
                        // Other surfaces only show this fact.
                        let _ = hub.in_client(&state.id, Some(InClient::Handed)).await;
                        return Ok(CallStart::OtherResponse(Box::new(response)));
                    }
                }
                ElicitReply::Dismissed => {}
                ElicitReply::NoPerson(why) => self.dialogs.mark_absent(why),
            }
        }
        let waiting = hub.wait(state.id.as_str()).await?;
        if let Some(offline) = self
            .shared
            .offline_mode()
            .filter(|_| waiting.id().is_some())
        {
            self.offer_in_file(&offline, hub, &stored).await?;
        }
        if waiting.id().is_some() && self.may_return_task(context) {
            let task = self.create_task(&stored, waiting).into();
            return Ok(CallStart::OtherResponse(Box::new(task)));
        }
        let progress = self.start_progress(context, &stored).await;
        let reply = || still_open_reply(dialect, &stored);
        let end = self.shared.wait_limit(hub, self.limit(context), reply);
        Ok(CallStart::Waiting(WaitingCall {
            dialect,
            waiting,
            asked_at: state.asked_at,
            end,
            is_fetch: false,
            dialog: None,
            _progress: progress,
        }))
    }
}

/// The returned state and its ask; `None` if the state was given to another call.
async fn open_state(
    sealer: &StateSealer,
    hub: &Client,
    record: &Record,
    sealed: &str,
) -> anyhow::Result<Option<(ElicitationState, Record)>> {
    let Some(state) = sealer.open(sealed, record) else {
        return Ok(None);
    };
    let stored = hub.try_get(state.id.as_str()).await?;
    let stored = stored.filter(|found| found.id == state.id && lifecycle::is_same(found, record));
    Ok(stored.map(|stored| (state, stored)))
}

fn interpret_reply(stored: &Record, state: &ElicitationState, reply: Option<&Json>) -> ElicitReply {
    let reply = reply.map(ask_protocol::json_text);
    let reply: Option<ElicitResult> = reply.and_then(|text| ipc::unline(text.as_bytes()).ok());
    let Some(reply) = reply else {
        return ElicitReply::NoPerson("it called again without a reply");
    };
    let gaps = if state.gaps_shown {
        Gaps::Send
    } else {
        Gaps::Refuse
    };
    let after_ms = clock::now().since_ms(state.shown_at);
    interpret(&stored.ask, Edition::Titled, &reply, after_ms, gaps)
}

/// The reply to a state that was given to another call. It settles nothing.
pub(crate) fn foreign_state(dialect: &dyn Dialect) -> CallStart {
    let refusal = Refusal::from(Problem::new(
        "requestState",
        "was not given to this call, or is too old: call again without it",
    ));
    CallStart::Replied(dialect.write(Word::Refused(&refusal)).into())
}
