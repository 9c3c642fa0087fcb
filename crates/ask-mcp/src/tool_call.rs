//! A tool call, from its ask to its reply's arrival, over either transport. Over HTTP its client may
//! lose the stream, stay away, and come back for what became of it.

use std::pin::Pin;
use std::sync::Arc;

use ask_config::clock;
use ask_core::Json;
use ask_dialects::{Does, Word};
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

/// Along a reply's way, where there is one.
pub type Look = Option<watch::Receiver<DeliveryStatus>>;

/// Serves a call. Whoever cancels it reads no reply; the ask stays.
pub async fn call(
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
        // A burst of calls is opened a few at a time, so that its peak doesn't stay with us.
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
        // Nobody waits now, and the person sees that. Whoever comes back asks the same again.
        tokio::select! {
            () = cancelled.cancelled() => return convert::unread(),
            () = stands(&mut look, |standing| standing != DeliveryStatus::Away) => {}
        }
    };
    if !conversation.is_here() {
        arrives(conversation, look, told.delivers);
        return CallToolResponse::Complete(convert::tool_result(told.reply));
    }
    let result = conversation.tell(id.clone(), told);
    if cancelled.is_cancelled() {
        // That was before there was anything to take back.
        conversation.cancelled(&id).await;
    }
    CallToolResponse::Complete(result)
}

/// Opening takes kilobytes, which a call would hold for as long as its person thinks.
fn begin<'a>(
    conversation: &'a Conversation,
    offered: &'a Offered,
    arguments: &'a Json,
    round: Option<Box<Round>>,
    context: &RequestContext<RoleServer>,
) -> Pin<Box<dyn Future<Output = CallStart> + Send + 'a>> {
    Box::pin(conversation.begin(offered, arguments, round, context.clone()))
}

/// What a call is told that is too large, or one too many. Its agent is told so as by its tool: a
/// status of HTTP would end the whole session of clients that take it for the end of the connection.
fn refused(
    conversation: &Conversation,
    offered: &Offered,
    goes_on: bool,
    context: &RequestContext<RoleServer>,
) -> Option<Reply> {
    let shared = &conversation.shared;
    let (why, said) = if let Some(too_long) = TooLong::of(&context.extensions) {
        let said = format!(
            "{too_long}. Nobody has been asked: ask shorter, and name files where long texts are to be read"
        );
        (CallFailure::TooLarge, said)
    } else if offered.tool.does == Does::Ask && !goes_on && !conversation.is_here() {
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

/// To be looked along for as long as the reply to this request is on its way.
pub fn look(context: &RequestContext<RoleServer>) -> Look {
    ReplyPath::of(&context.extensions).map(|reply_path| reply_path.look())
}

/// Sees to it that outcomes count as delivered once the reply that tells them was taken.
pub fn arrives(conversation: &Conversation, look: Look, asks: Vec<Delivery>) {
    let shared = Arc::clone(&conversation.shared);
    if let (Some(look), Some(hub)) = (look, shared.context.known_hub().cloned()) {
        tokio::spawn(arrive(look, shared, hub, asks));
    }
}

/// Resolves when the client stands so.
async fn stands(look: &mut Look, so: impl Fn(DeliveryStatus) -> bool) {
    let stood = match look {
        Some(look) => look.wait_for(|standing| so(*standing)).await.is_ok(),
        None => false,
    };
    if !stood {
        std::future::pending().await
    }
}

/// Says what becomes of outcomes on their way: delivered when their reply was taken; anybody else's
/// while its client is lost, which may still come for it.
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
        let _ = hub.not_delivered(&ask.id).await;
    }
}
