//! A call that the client repeats with the dialog's response and the state that it was given.

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
use super::{INPUT, Round, wish};
use crate::call::{Conversation, note_ask};
use crate::outcome::{CallStart, Waits, still_waits};

impl Conversation {
    /// Continues a repeated call: applies the dialog's response, then waits for the outcome, which
    /// may have come from another surface meanwhile.
    pub async fn resume(
        &self,
        dialect: &'static dyn Dialect,
        record: &Record,
        round: &Round,
        context: &RequestContext<RoleServer>,
    ) -> anyhow::Result<CallStart> {
        let hub = self.shared.hub().await?;
        let seal = StateSealer::load(self.shared.context.home())?;
        let Some((state, standing)) = recall(&seal, hub, record, &round.state).await? else {
            return Ok(foreign(dialect));
        };
        if standing.is_open() {
            // The mark only informs other surfaces.
            let _ = hub.in_client(&state.id, None).await;
            let heard = heard(&standing, &state, round.replies.get(INPUT));
            note_ask(&state.id);
            debug!("the client called again");
            match heard {
                ElicitReply::Closes(verdict) => {
                    hub.settle(&state.id, verdict, SURFACE).await?;
                }
                ElicitReply::Again { draft, notice } => {
                    if let Some(draft) = &draft {
                        hub.save_draft(&state.id, draft, SURFACE).await?;
                    }
                    if !state.again {
                        let state = ElicitationState {
                            shown_at: clock::now(),
                            again: true,
                            ..state
                        };
                        let kept = standing.draft.as_ref().map(|saved| &saved.draft);
                        let draft = draft.as_ref().or(kept);
                        let wish = wish(&seal, &standing, draft, &notice, &state)?;
                        // The mark only informs other surfaces.
                        let _ = hub.in_client(&state.id, Some(InClient::Handed)).await;
                        return Ok(CallStart::Otherwise(Box::new(wish)));
                    }
                }
                ElicitReply::Dismissed => {}
                ElicitReply::Absent(why) => self.dialogs.mark_absent(why),
            }
        }
        let waiting = hub.wait(state.id.as_str()).await?;
        if let Some(alone) = self
            .shared
            .offline_mode()
            .filter(|_| waiting.id().is_some())
        {
            self.offer(&alone, hub, &standing).await?;
        }
        if waiting.id().is_some() && self.gives_tasks(context) {
            let task = self.task(&standing, waiting).into();
            return Ok(CallStart::Otherwise(Box::new(task)));
        }
        let beat = self.beat(context, &standing).await;
        let says = || still_waits(dialect, &standing);
        let end = self.shared.end(hub, self.limit(context), says);
        Ok(CallStart::Waits(Waits {
            dialect,
            waiting,
            asked_at: state.asked_at,
            end,
            is_fetch: false,
            dialog: None,
            _beat: beat,
        }))
    }
}

/// The returned state and its ask; `None` if the state was given to another call.
async fn recall(
    seal: &StateSealer,
    hub: &Client,
    record: &Record,
    sealed: &str,
) -> anyhow::Result<Option<(ElicitationState, Record)>> {
    let Some(state) = seal.open(sealed, record) else {
        return Ok(None);
    };
    let standing = hub.look(state.id.as_str()).await?;
    let standing =
        standing.filter(|found| found.id == state.id && lifecycle::is_same(found, record));
    Ok(standing.map(|standing| (state, standing)))
}

fn heard(standing: &Record, state: &ElicitationState, reply: Option<&Json>) -> ElicitReply {
    let reply = reply.map(ask_protocol::json_text);
    let reply: Option<ElicitResult> = reply.and_then(|text| ipc::unline(text.as_bytes()).ok());
    let Some(reply) = reply else {
        return ElicitReply::Absent("it called again without a reply");
    };
    let gaps = match state.again {
        false => Gaps::Refuse,
        true => Gaps::Send,
    };
    let after_ms = clock::now().since_ms(state.shown_at);
    interpret(&standing.ask, Edition::Titled, &reply, after_ms, gaps)
}

/// The refusal of a state that was given to another call: it settles nothing.
pub(crate) fn foreign(dialect: &dyn Dialect) -> CallStart {
    let refusal = Refusal::from(Problem::new(
        "requestState",
        "was not given to this call, or is too old: call again without it",
    ));
    CallStart::Replied(dialect.write(Word::Refused(&refusal)).into())
}
