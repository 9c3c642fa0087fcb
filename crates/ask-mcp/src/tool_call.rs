//! A tool call from its ask to the delivery of its result, over either transport. Over HTTP the
//! client may lose the stream, stay away, and return for the result.

use std::pin::Pin;
use std::sync::Arc;

use ask_config::clock;
use ask_core::Json;
use ask_dialects::{ToolAction, Word};
use ask_hub::client::{Client, Delivery};
use ask_hub::http::limits::AGENTS;
use ask_protocol::Reply;
use ask_protocol::ipc::CallFailure;
use rmcp::model::CallToolResponse;
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::watch;

use super::call::Conversation;
use super::context::Shared;
use super::elicitation::multi_round::Round;
use super::http::{DeliveryStatus, ReplyPath, TooLong};
use super::outcome::CallStart;
use super::stdio::Unbegun;
use super::{Offered, caller_query, convert};

/// Watches the delivery of a response over HTTP; `None` over stdio.
type Look = Option<watch::Receiver<DeliveryStatus>>;

/// Serves a call. A client that cancels it reads no result; the ask stays open.
pub(crate) async fn call(
    conversation: &Conversation,
    offered: &Offered,
    arguments: Json,
    mut round: Option<Box<Round>>,
    mut context: RequestContext<RoleServer>,
) -> CallToolResponse {
    if let Some(reply) = refused(conversation, offered, round.is_some(), &context) {
        return CallToolResponse::Complete(convert::tool_result(reply));
    }
    let mut look = look(&context);
    let (id, cancelled) = (context.id.clone(), context.ct.clone());
    let told = loop {
        // Limits how many calls of a burst are opened at once, because the peak of memory would
        // stay with the process.
        let turn = conversation.shared.turns.acquire().await.ok();
        let begun = begin(conversation, offered, &arguments, round.take(), &context);
        let call = match begun.await {
            CallStart::Replied(told) => break told,
            CallStart::Otherwise(reply) => return *reply,
            CallStart::Waits(call) => call,
        };
        drop(turn);
        context.extensions.remove::<Unbegun>();
        tokio::select! {
            biased;
            () = cancelled.cancelled() => return convert::unread(),
            told = call.told() => break Box::pin(conversation.mentioned(told)).await,
            () = stands(&mut look, |standing| standing == DeliveryStatus::Away) => {}
        }
        // The client is away, so the call waits no longer, and people see that. A client that
        // returns repeats the call.
        tokio::select! {
            () = cancelled.cancelled() => return convert::unread(),
            () = stands(&mut look, |standing| standing != DeliveryStatus::Away) => {}
        }
    };
    if !conversation.is_here() {
        arrives(conversation, &context, told.delivers);
        return CallToolResponse::Complete(convert::tool_result(told.reply));
    }
    let result = conversation.tell(id.clone(), told);
    if cancelled.is_cancelled() {
        // The cancellation came before there was anything to return to the hub.
        conversation.cancelled(&id).await;
    }
    CallToolResponse::Complete(result)
}

/// Opening an ask takes kilobytes, which the call's future would otherwise hold while the person
/// thinks.
fn begin<'a>(
    conversation: &'a Conversation,
    offered: &'a Offered,
    arguments: &'a Json,
    round: Option<Box<Round>>,
    context: &RequestContext<RoleServer>,
) -> Pin<Box<dyn Future<Output = CallStart> + Send + 'a>> {
    Box::pin(conversation.begin(offered, arguments, round, context.clone()))
}

/// The reply to a call that is too large or above the rate limit. It is a tool error: many clients
/// end the whole session at an HTTP error status.
fn refused(
    conversation: &Conversation,
    offered: &Offered,
    goes_on: bool,
    context: &RequestContext<RoleServer>,
) -> Option<Reply> {
    let shared = &conversation.shared;
    let (why, said) = if let Some(too_long) = TooLong::from_extensions(&context.extensions) {
        let said = format!(
            "{too_long}. Nobody has been asked: ask shorter, and name files where long texts are to be read"
        );
        (CallFailure::TooLarge, said)
    } else if offered.tool.does == ToolAction::Ask && !goes_on && !conversation.is_here() {
        let caller = caller_query::caller(&context.extensions).map(|caller| caller.share());
        let limits = shared.context.limits();
        let too_many = limits.take(AGENTS, caller.as_deref(), clock::now()).err()?;
        let seconds = too_many.seconds;
        let said = format!(
            "{too_many} over HTTP. Nobody has been asked: ask again in {seconds} s, and several questions in one call"
        );
        (CallFailure::TooMany, said)
    } else {
        return None;
    };
    shared.context.note_failed(why);
    Some(offered.dialect.write(Word::Failed(&said)))
}

/// Watches the delivery of the response to this request.
fn look(context: &RequestContext<RoleServer>) -> Look {
    ReplyPath::from_extensions(&context.extensions).map(|reply_path| reply_path.look())
}

/// Acknowledges outcomes once their response is received. The handler returns the response next.
pub(crate) fn arrives(
    conversation: &Conversation,
    context: &RequestContext<RoleServer>,
    asks: Vec<Delivery>,
) {
    let Some(reply_path) = ReplyPath::from_extensions(&context.extensions) else {
        return;
    };
    reply_path.set_answered();
    let shared = Arc::clone(&conversation.shared);
    if let Some(hub) = shared.context.known_hub().cloned() {
        tokio::spawn(arrive(reply_path.look(), shared, hub, asks));
    }
}

/// Resolves when the delivery has a matching status.
async fn stands(look: &mut Look, so: impl Fn(DeliveryStatus) -> bool) {
    let stood = match look {
        Some(look) => look.wait_for(|standing| so(*standing)).await.is_ok(),
        None => false,
    };
    if !stood {
        std::future::pending().await
    }
}

/// Reports the delivery of outcomes: acknowledged once the response was received; undelivered while
/// the client is lost, so that another call may fetch them.
async fn arrive(
    mut look: watch::Receiver<DeliveryStatus>,
    shared: Arc<Shared>,
    hub: Client,
    asks: Vec<Delivery>,
) {
    if asks.is_empty() {
        return;
    }
    let mut is_undelivered = false;
    loop {
        let standing = *look.borrow_and_update();
        match standing {
            DeliveryStatus::Taken => {
                shared.delivered(asks).await;
                return;
            }
            DeliveryStatus::Lost | DeliveryStatus::Away if !is_undelivered => {
                is_undelivered = true;
                undelivered(&hub, &asks).await;
            }
            DeliveryStatus::Here | DeliveryStatus::Lost | DeliveryStatus::Away => {}
        }
        if look.changed().await.is_err() {
            if !is_undelivered {
                undelivered(&hub, &asks).await;
            }
            return;
        }
    }
}

async fn undelivered(hub: &Client, asks: &[Delivery]) {
    for ask in asks {
        // Without a hub, a new hub has no delivery in flight.
        let _ = hub.not_delivered(&ask.id).await;
    }
}
