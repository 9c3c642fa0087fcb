//! A call over HTTP, from its ask to its reply's arrival: its client may lose the
//! stream, stay away, and come back for what became of it.

use ask_core::AskId;
use ask_core::dialect::Json;
use rmcp::model::CallToolResponse;
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::watch;

use super::call::Conversation;
use super::dialog::round::Round;
use super::http::{Passage, Standing};
use super::told::Begun;
use super::{Offered, shape};
use crate::hub::client::Client;

/// Along a reply's way, where there is one.
pub type Look = Option<watch::Receiver<Standing>>;

/// Serves a call.
pub async fn call(
    conversation: &Conversation,
    offered: &Offered,
    arguments: &Json,
    mut round: Option<Box<Round>>,
    context: RequestContext<RoleServer>,
) -> CallToolResponse {
    let mut look = look(&context);
    let cancelled = context.ct.clone();
    let told = loop {
        let turn = conversation.shared.turns.acquire().await.ok();
        let begun = conversation.begin(offered, arguments, round.take(), context.clone());
        let call = match Box::pin(begun).await {
            Begun::Told(told) => break told,
            Begun::Otherwise(reply) => return *reply,
            Begun::Waits(call) => call,
        };
        drop(turn);
        tokio::select! {
            biased;
            () = cancelled.cancelled() => return shape::unread(),
            told = call.told() => break conversation.mentioned(told).await,
            () = stands(&mut look, |standing| standing == Standing::Away) => {}
        }
        // Nobody waits now, and the person sees that. Whoever comes back asks the same again.
        tokio::select! {
            () = cancelled.cancelled() => return shape::unread(),
            () = stands(&mut look, |standing| standing != Standing::Away) => {}
        }
    };
    arrives(conversation, look, told.delivers);
    CallToolResponse::Complete(shape::tool_result(told.reply))
}

/// To be looked along for as long as the reply to this request is on its way.
pub fn look(context: &RequestContext<RoleServer>) -> Look {
    Passage::of(&context.extensions).map(|passage| passage.look())
}

/// Sees to it that outcomes count as delivered once the reply that tells them was taken.
pub fn arrives(conversation: &Conversation, look: Look, asks: Vec<AskId>) {
    if let (Some(look), Some(hub)) = (look, conversation.shared.known_hub()) {
        tokio::spawn(arrive(look, hub, asks));
    }
}

/// Resolves when the client stands so.
async fn stands(look: &mut Look, so: impl Fn(Standing) -> bool) {
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
async fn arrive(mut look: watch::Receiver<Standing>, hub: Client, asks: Vec<AskId>) {
    if asks.is_empty() {
        return;
    }
    let mut is_untold = false;
    loop {
        let standing = *look.borrow_and_update();
        // Where the hub can't be had, an outcome stays undelivered and is told again.
        match standing {
            Standing::Taken => {
                for ask in &asks {
                    let _ = hub.delivered(ask).await;
                }
                return;
            }
            Standing::Lost | Standing::Away if !is_untold => {
                is_untold = true;
                untold(&hub, &asks).await;
            }
            Standing::Here | Standing::Lost | Standing::Away => {}
        }
        if look.changed().await.is_err() {
            if !is_untold {
                untold(&hub, &asks).await;
            }
            return;
        }
    }
}

async fn untold(hub: &Client, asks: &[AskId]) {
    for ask in asks {
        let _ = hub.untold(ask).await;
    }
}
