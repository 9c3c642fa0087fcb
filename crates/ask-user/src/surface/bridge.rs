//! The bridge: a WebSocket where a desktop app is told of asks, shows them in a wizard
//! of its own, and answers for its person. The events are the core's; what is done
//! with them is what [`super::rpc`] does with lines.

use std::sync::Arc;

use ask_core::dialect::bridge::{self, EVENTS};
use axum::Router;
use axum::extract::FromRequestParts;
use axum::extract::Request;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use tokio::sync::mpsc;

use super::rpc::{self, Filter, Host};
use crate::hub::client::Client;
use crate::mcp::http::{Guard, check, refusal};
use crate::mcp::shared::Shared;
use crate::rpc::{Out, Outgoing};

/// The endpoint, for whoever has the token that answers.
pub fn router(shared: &Arc<Shared>, guard: &Guard) -> Router {
    let (shared, guard) = (Arc::clone(shared), Arc::new(guard.clone()));
    let serve = move |request: Request| {
        let (shared, guard) = (Arc::clone(&shared), Arc::clone(&guard));
        async move { admit(&shared, &guard, request).await }
    };
    Router::new().route("/bridge", any(serve))
}

async fn admit(shared: &Arc<Shared>, guard: &Guard, request: Request) -> Response {
    if let Err(refused) = check(guard, request.uri(), request.headers()) {
        return *refused;
    }
    let (mut parts, _) = request.into_parts();
    let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => upgrade,
        Err(refused) => return refused.into_response(),
    };
    // A client of its own: what it watches ends with it.
    match shared.another().await {
        Ok(client) => upgrade.on_upgrade(move |socket| serve(socket, client)),
        Err(error) => refusal(StatusCode::SERVICE_UNAVAILABLE, &format!("{error:#}")),
    }
}

/// Serves an app until it goes. What waits then still waits.
async fn serve(mut socket: WebSocket, client: Client) {
    let (out, mut outgoing) = Out::piped();
    let (to_surface, said) = mpsc::unbounded_channel();
    let complains = out.clone();
    let host = Host {
        name: "bridge",
        words: &EVENTS,
        filter: Filter::default(),
        out,
    };
    let mut showing = tokio::spawn(rpc::run(client, host, said));
    loop {
        tokio::select! {
            _ = &mut showing => break,
            Some(message) = outgoing.recv() => {
                if say(&mut socket, message).await.is_err() {
                    break;
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => match bridge::read(&text) {
                    Ok(said) => drop(to_surface.send(said)),
                    Err(mistake) => complains.put((EVENTS.mistake)(&mistake)),
                },
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => {}
            },
        }
    }
    showing.abort();
}

async fn say(socket: &mut WebSocket, (text, done): Outgoing) -> Result<(), axum::Error> {
    socket.send(Message::Text(text.into())).await?;
    let _ = done.send(());
    Ok(())
}
