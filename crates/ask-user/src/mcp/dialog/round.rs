//! A dialog by rounds, since the revision 2026-07-28: the call ends with a wish for
//! input, and the client calls again with what the person said. In between nobody
//! waits, so an answer from another surface reaches the agent with the next call.

use std::collections::BTreeMap;

use ask_core::dialect::elicit::{self, Edition};
use ask_core::dialect::{self, Dialect, Json, Problem, Refusal, Word, wire};
use ask_core::{Draft, Gaps, Record, Time, lifecycle};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitResult, InputRequest,
    InputRequiredResult, InputResponses,
};
use rmcp::service::{RequestContext, RoleServer};

use super::SURFACE;
use super::hearing::{Heard, hear};
use super::seal::{Seal, State};
use crate::clock;
use crate::home::Home;
use crate::hub::client::Client;
use crate::mcp::call::Conversation;
use crate::mcp::debug;
use crate::mcp::told::{Begun, Waits};

/// What our one wish for input is called.
const INPUT: &str = "answer";

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
    let form = dialect::json_text(&form);
    let request = ElicitRequest::new(wire::unline(form.as_bytes())?);
    let wishes = BTreeMap::from([(INPUT.to_owned(), InputRequest::Elicitation(request))]);
    let sealed = seal.close(state, record);
    Ok(InputRequiredResult::new(Some(wishes), Some(sealed)).into())
}

impl Conversation {
    /// Goes on with a call that comes again: hears what the person said in the dialog, and then
    /// waits for the outcome, which may have come from elsewhere meanwhile.
    pub async fn resume(
        &self,
        dialect: &'static dyn Dialect,
        record: &Record,
        round: &Round,
        context: &RequestContext<RoleServer>,
    ) -> anyhow::Result<Begun> {
        let hub = self.shared.hub().await?;
        let seal = Seal::of(self.shared.home())?;
        let Some((state, standing)) = recall(&seal, hub, record, &round.state).await? else {
            return Ok(foreign(dialect));
        };
        if standing.is_waiting() {
            let heard = heard(&standing, &state, round.replies.get(INPUT));
            debug(|| format!("request {}: {} {heard:?}", context.id, state.id));
            match heard {
                Heard::Closes(verdict) => {
                    hub.settle(&state.id, verdict, SURFACE).await?;
                }
                Heard::Again { draft, notice } => {
                    if let Some(draft) = &draft {
                        hub.save_draft(&state.id, draft, SURFACE).await?;
                    }
                    if !state.again {
                        let state = State {
                            shown_at: clock::now(),
                            again: true,
                            ..state
                        };
                        let kept = standing.draft.as_ref().map(|saved| &saved.draft);
                        let draft = draft.as_ref().or(kept);
                        let wish = wish(&seal, &standing, draft, &notice, &state)?;
                        return Ok(Begun::Otherwise(Box::new(wish)));
                    }
                }
                Heard::Dismissed => {}
                Heard::Absent(why) => self.dialogs.miss(why),
            }
        }
        let waiting = hub.wait(state.id.as_str()).await?;
        if waiting.id().is_some() && self.gives_tasks(context) {
            let task = self.task(&standing, waiting).into();
            return Ok(Begun::Otherwise(Box::new(task)));
        }
        let beat = self.beat(context, &standing).await;
        let says = || dialect.write(Word::Open(&standing));
        let end = self.shared.end(hub, self.limit(context), says);
        Ok(Begun::Waits(Waits {
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

/// The state that a client hands back and the ask it is about, if this call is the one it was
/// given for.
async fn recall(
    seal: &Seal,
    hub: &Client,
    record: &Record,
    sealed: &str,
) -> anyhow::Result<Option<(State, Record)>> {
    let Some(state) = seal.open(sealed, record) else {
        return Ok(None);
    };
    let standing = hub.look(state.id.as_str()).await?;
    let standing =
        standing.filter(|found| found.id == state.id && lifecycle::is_same(found, record));
    Ok(standing.map(|standing| (state, standing)))
}

fn heard(standing: &Record, state: &State, reply: Option<&Json>) -> Heard {
    let reply = reply.map(dialect::json_text);
    let reply: Option<ElicitResult> = reply.and_then(|text| wire::unline(text.as_bytes()).ok());
    let Some(reply) = reply else {
        return Heard::Absent("it called again without a reply");
    };
    let gaps = match state.again {
        false => Gaps::Refuse,
        true => Gaps::Send,
    };
    let after_ms = clock::now().since_ms(state.shown_at);
    hear(&standing.ask, Edition::Titled, &reply, after_ms, gaps)
}

/// Nothing is settled by what somebody else was given.
pub fn foreign(dialect: &dyn Dialect) -> Begun {
    let refusal = Refusal::from(Problem::new(
        "requestState",
        "was not given to this call, or is too old: call again without it",
    ));
    Begun::Told(dialect.write(Word::Refused(&refusal)).into())
}
