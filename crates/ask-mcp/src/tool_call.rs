//! Runs a tool call from its ask to the delivery of its result, over both transports. Over HTTP the
//! client may lose the stream, and return later for the result.

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
use super::http::{DeliveryStatus, ResponseDelivery, TooLarge};
use super::outcome::CallStart;
use super::stdio::UnstartedRequest;
use super::{Offered, caller_query, convert};

/// Watches the delivery of a response over HTTP; `None` over stdio.
type StatusReceiver = Option<watch::Receiver<DeliveryStatus>>;

/// Runs a call. If the client cancels it, it reads no result, and the ask stays open.
pub(crate) async fn call(
    conversation: &Conversation,
    offered: &Offered,
    arguments: Json,
    mut round: Option<Box<Round>>,
    mut context: RequestContext<RoleServer>,
) -> CallToolResponse {
    if let Some(reply) = refusal(conversation, offered, round.is_some(), &context) {
        return CallToolResponse::Complete(convert::tool_result(reply));
    }
    let mut status = watch_delivery(&context);
    let (id, cancelled) = (context.id.clone(), context.ct.clone());
    let result = loop {
        // Limits how many calls open their asks at a time, because the process would keep the
        // memory of a burst.
        let permit = conversation.shared.opening_permits.acquire().await.ok();
        let started = start(conversation, offered, &arguments, round.take(), &context);
        let call = match started.await {
            CallStart::Replied(result) => break result,
            CallStart::OtherResponse(reply) => return *reply,
            CallStart::Waiting(call) => call,
        };
        drop(permit);
        context.extensions.remove::<UnstartedRequest>();
        tokio::select! {
            biased;
            () = cancelled.cancelled() => return convert::ignored_response(),
            result = call.result() => break Box::pin(conversation.finish_result(result)).await,
            () = wait_for_status(&mut status, |status| status == DeliveryStatus::Away) => {}
        }
        // The client is away, so the call stops waiting, which surfaces show. When the client
        // returns, the call is started again.
        tokio::select! {
            () = cancelled.cancelled() => return convert::ignored_response(),
            () = wait_for_status(&mut status, |status| status != DeliveryStatus::Away) => {}
        }
    };
    if !conversation.is_stdio() {
        acknowledge_on_receipt(conversation, &context, result.delivers);
        return CallToolResponse::Complete(convert::tool_result(result.reply));
    }
    let result = conversation.to_result(id.clone(), result);
    if cancelled.is_cancelled() {
        // The cancellation was handled before the outcomes were recorded.
        conversation.return_undelivered(&id).await;
    }
    CallToolResponse::Complete(result)
}

/// Starts a call in a boxed future. Otherwise the call's own future would hold kilobytes while it
/// waits for the person.
fn start<'a>(
    conversation: &'a Conversation,
    offered: &'a Offered,
    arguments: &'a Json,
    round: Option<Box<Round>>,
    context: &RequestContext<RoleServer>,
) -> Pin<Box<dyn Future<Output = CallStart> + Send + 'a>> {
    Box::pin(conversation.start(offered, arguments, round, context.clone()))
}

/// The reply to a call that is too large or above the rate limit. It is a tool error, because many
/// clients end the whole session after an HTTP error status.
fn refusal(
    conversation: &Conversation,
    offered: &Offered,
    is_retry: bool,
    context: &RequestContext<RoleServer>,
) -> Option<Reply> {
    let shared = &conversation.shared;
    let (failure, message) = if let Some(too_large) = TooLarge::from_extensions(&context.extensions)
    {
        let message = format!(
            "{too_large}. Nobody has been asked: ask shorter, and name files where long texts are to be read"
        );
        (CallFailure::TooLarge, message)
    } else if offered.tool.does == ToolAction::Ask && !is_retry && !conversation.is_stdio() {
        let caller = caller_query::caller(&context.extensions).map(|caller| caller.share());
        let limits = shared.context.limits();
        let too_many = limits
            .count_ask(AGENTS, caller.as_deref(), clock::now())
            .err()?;
        let seconds = too_many.seconds;
        let message = format!(
            "{too_many} over HTTP. Nobody has been asked: ask again in {seconds} s, and several questions in one call"
        );
        (CallFailure::TooMany, message)
    } else {
        return None;
    };
    shared.context.count_failed_call(failure);
    Some(offered.dialect.write(Word::Failed(&message)))
}

/// Watches the delivery of the response to this request.
fn watch_delivery(context: &RequestContext<RoleServer>) -> StatusReceiver {
    ResponseDelivery::from_extensions(&context.extensions).map(|delivery| delivery.watch())
}

/// Acknowledges outcomes once their response is received. The caller returns the response next.
pub(crate) fn acknowledge_on_receipt(
    conversation: &Conversation,
    context: &RequestContext<RoleServer>,
    asks: Vec<Delivery>,
) {
    let Some(delivery) = ResponseDelivery::from_extensions(&context.extensions) else {
        return;
    };
    delivery.set_answered();
    let shared = Arc::clone(&conversation.shared);
    if let Some(hub) = shared.context.existing_hub().cloned() {
        tokio::spawn(report_delivery(delivery.watch(), shared, hub, asks));
    }
}

/// Resolves when the delivery has a matching status, if ever.
async fn wait_for_status(receiver: &mut StatusReceiver, matches: impl Fn(DeliveryStatus) -> bool) {
    let is_reached = match receiver {
        Some(receiver) => receiver.wait_for(|status| matches(*status)).await.is_ok(),
        None => false,
    };
    if !is_reached {
        std::future::pending().await
    }
}

/// Reports the delivery of outcomes: acknowledged once the response was received; undelivered while
/// the client is lost, so that another call may fetch them.
async fn report_delivery(
    mut receiver: watch::Receiver<DeliveryStatus>,
    shared: Arc<Shared>,
    hub: Client,
    asks: Vec<Delivery>,
) {
    if asks.is_empty() {
        return;
    }
    let mut is_returned = false;
    loop {
        let status = *receiver.borrow_and_update();
        match status {
            DeliveryStatus::Received => {
                shared.acknowledge(asks).await;
                return;
            }
            DeliveryStatus::Lost | DeliveryStatus::Away if !is_returned => {
                is_returned = true;
                return_undelivered(&hub, &asks).await;
            }
            DeliveryStatus::Connected | DeliveryStatus::Lost | DeliveryStatus::Away => {}
        }
        if receiver.changed().await.is_err() {
            if !is_returned {
                return_undelivered(&hub, &asks).await;
            }
            return;
        }
    }
}

async fn return_undelivered(hub: &Client, asks: &[Delivery]) {
    for ask in asks {
        // Without a hub nothing has to be returned, because a new hub has no delivery in flight.
        let _ = hub.not_delivered(&ask.id).await;
    }
}
