//! The bridge: a WebSocket (RFC 6455) over which a desktop app receives asks, shows them in its own
//! dialogs, and sends its person's answers. `ask_protocol` defines the events, and [`crate::embed`]
//! handles them in the same way as JSON lines.
// The query selects the asks of an app: `instance=ID`, once for each of its windows; `directory`
// and `session` as for `ask-user rpc --surface`. An app that reconnects lists in `open` the
// asks that it still shows, and receives an event for each that was closed meanwhile.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use ask_core::AskId;
use ask_hub::client::Client;
use ask_hub::context::Context;
use ask_hub::http::Client as Connection;
use ask_hub::http::{Guard, ProblemKind, add_challenge, check_request, rejection};
use ask_protocol::bridge::{self, EVENTS, MAX_EVENT_BYTES};
use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, FromRequestParts, Query, Request};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::any;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

use crate::embed::DRAIN_TIMEOUT;
use crate::embed::stream::{Out, Outgoing};
use crate::embed::{self, Filter, Host};

/// An event up to this multiple of the limit is read, so that the app gets an error message for it.
const OVERSIZE_FACTOR: usize = 8;

/// How many apps may be connected at the same time.
const MAX_APPS: usize = 64;

/// The state of a bridge.
struct Bridge {
    slots: Arc<Semaphore>,
    shared: Arc<Context>,
    guard: Guard,
    /// The asks that an app may see. Its query may name other windows.
    filter: Filter,
}

/// The routes of the bridge, which need the answer token. They show no ask outside of `filter`, but
/// the query of an app may name other windows.
pub fn router(shared: &Arc<Context>, guard: &Guard, filter: Filter) -> Router {
    let bridge = Arc::new(Bridge {
        slots: Arc::new(Semaphore::new(MAX_APPS)),
        shared: Arc::clone(shared),
        guard: guard.clone(),
        filter,
    });
    let serve = move |request: Request| {
        let bridge = Arc::clone(&bridge);
        async move { bridge.connect(request).await }
    };
    Router::new()
        .route("/bridge", any(serve.clone()))
        .route("/bridge/", any(serve))
}

impl Bridge {
    /// Upgrades a request that may use the bridge.
    async fn connect(&self, request: Request) -> Response {
        if let Err(refused) = check_request(&self.guard, request.uri(), request.headers()) {
            return add_challenge(*refused);
        }
        let (mut parts, _) = request.into_parts();
        let query = match BridgeQuery::parse(&parts.uri, &self.filter) {
            Ok(query) => query,
            Err(problem) => {
                return rejection(ProblemKind::Malformed, StatusCode::BAD_REQUEST, &problem);
            }
        };
        let connection = parts.extensions.get::<ConnectInfo<Connection>>().cloned();
        let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => upgrade.max_message_size(OVERSIZE_FACTOR * MAX_EVENT_BYTES),
            Err(refused) => {
                return rejection(
                    ProblemKind::Malformed,
                    refused.status(),
                    &refused.body_text(),
                );
            }
        };
        let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() else {
            let message = format!("{MAX_APPS} apps are connected to the bridge: close some");
            return rejection(
                ProblemKind::Overloaded,
                StatusCode::SERVICE_UNAVAILABLE,
                &message,
            );
        };
        // Each app has a client of its own, whose subscription ends with it.
        match self.shared.connect().await {
            Ok(client) => {
                let sender = match connection {
                    Some(ConnectInfo(connection)) => connection.program_ancestry().await,
                    None => None,
                };
                let client = client.for_sender(sender);
                upgrade.on_upgrade(async move |socket| {
                    serve(socket, client, query).await;
                    drop(slot);
                })
            }
            Err(error) => {
                let message = format!("{error:#}");
                rejection(
                    ProblemKind::HubUnavailable,
                    StatusCode::SERVICE_UNAVAILABLE,
                    &message,
                )
            }
        }
    }
}

/// Which asks an app wants, and which it still shows.
#[derive(Debug, Default)]
struct BridgeQuery {
    filter: Filter,
    open: BTreeSet<AskId>,
}

impl BridgeQuery {
    /// Parses the query. An empty value is refused, because it would select all asks.
    fn parse(uri: &Uri, all: &Filter) -> Result<Self, String> {
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let Query(pairs) = pairs.map_err(|_| "the query can't be parsed".to_owned())?;
        let mut query = Self::default();
        for (name, value) in pairs {
            let value = value.trim();
            match name.as_str() {
                "instance" | "instanceId" | "session" | "directory" if value.is_empty() => {
                    return Err(format!(
                        "{name}: is empty; leave it out to receive all asks"
                    ));
                }
                "instance" | "instanceId" => query.filter.instances.push(value.to_owned()),
                "session" => query.filter.session = Some(value.to_owned()),
                "directory" => {
                    let folder = PathBuf::from(value);
                    if !folder.is_absolute() {
                        return Err("directory: must be an absolute path".to_owned());
                    }
                    query.filter.directory = Some(folder);
                }
                "open" => {
                    for id in value.split(',').filter(|id| !id.is_empty()) {
                        let Some(id) = AskId::parse(id) else {
                            return Err("open: must be ids of asks, separated by commas".to_owned());
                        };
                        query.open.insert(id);
                    }
                }
                _ => {}
            }
        }
        if query.filter.instances.is_empty() {
            query.filter.instances.clone_from(&all.instances);
        }
        query.filter.dialects.clone_from(&all.dialects);
        Ok(query)
    }
}

/// Serves an app until it disconnects. Earlier messages are still handled, and open asks stay open.
async fn serve(mut socket: WebSocket, client: Client, query: BridgeQuery) {
    let (out, mut outgoing) = Out::channel();
    let (to_surface, messages) = mpsc::unbounded_channel();
    let errors = out.clone();
    let host = Host {
        name: "bridge",
        words: &EVENTS,
        filter: query.filter,
        open: query.open,
        out,
    };
    let mut surface = tokio::spawn(embed::run(client, host, messages));
    loop {
        tokio::select! {
            _ = &mut surface => return,
            Some(message) = outgoing.recv() => {
                if send(&mut socket, message).await.is_err() {
                    break;
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => match bridge::read(&text) {
                    Ok(message) => drop(to_surface.send(message)),
                    Err(mistake) => errors.queue((EVENTS.mistake)(&mistake)),
                },
                Some(Ok(Message::Binary(_))) => errors.queue((EVENTS.mistake)(&bridge::no_text())),
                Some(Err(_)) | None => break,
                // axum responds to pings and closes by itself.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_))) => {}
            },
        }
    }
    // Later messages have no receiver. The surface ends when its channel is closed.
    drop((socket, outgoing, to_surface));
    if timeout(DRAIN_TIMEOUT, &mut surface).await.is_err() {
        surface.abort();
    }
}

async fn send(socket: &mut WebSocket, (text, done): Outgoing) -> Result<(), axum::Error> {
    socket.send(Message::Text(text.into())).await?;
    // The sender of the message may not wait for it.
    let _ = done.send(());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str, window: Option<&str>) -> Result<BridgeQuery, String> {
        let uri = format!("/bridge{query}").parse().unwrap();
        let all = Filter {
            instances: window.map(str::to_owned).into_iter().collect(),
            dialects: vec!["any"],
            ..Filter::default()
        };
        BridgeQuery::parse(&uri, &all)
    }

    #[test]
    fn the_query_selects_the_asks_of_an_app() {
        let all = parse("", None).unwrap();
        assert!(all.filter.instances.is_empty() && all.open.is_empty());
        let two = parse("?instance=a&instanceId=b%20c&v=1", Some("own")).unwrap();
        assert_eq!(two.filter.instances, ["a", "b c"]);
        assert_eq!(two.filter.dialects, ["any"]);
        assert_eq!(parse("", Some("own")).unwrap().filter.instances, ["own"]);
        let back = parse("?open=a_12345,a_67890,", None).unwrap();
        assert_eq!(back.open.len(), 2);
        for wrong in [
            "?instance=",
            "?directory=shop",
            "?open=%2e%2e",
            "?session=%20",
        ] {
            assert!(parse(wrong, None).is_err(), "{wrong}");
        }
    }
}
