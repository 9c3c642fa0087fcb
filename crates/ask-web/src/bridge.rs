//! The bridge: a WebSocket (RFC 6455) over which a desktop app receives asks, shows them in its own
//! wizard, and answers for its person. The events are defined in `ask_protocol`; [`crate::embed`]
//! handles them as it handles JSON lines.
// The query selects the asks of an app: `instance=ID`, once for each of its windows; `directory`
// and `session` as for `ask-user rpc --surface`. An app that was disconnected lists in `open` what
// it still shows, and is told which of these were closed meanwhile.

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

use crate::embed::LAST_WORDS;
use crate::embed::stream::{Out, Outgoing};
use crate::embed::{self, Filter, Host};

/// An event up to this multiple of the limit is read, so that its app gets an error message.
const PATIENTLY: usize = 8;

/// How many apps may be connected at a time.
const MOST: usize = 64;

/// The state of a bridge.
struct Bridge {
    room: Arc<Semaphore>,
    shared: Arc<Context>,
    guard: Guard,
    /// The window of apps that name none.
    instance: Option<String>,
}

/// The endpoint. The token that permits answering admits to it.
pub fn router(shared: &Arc<Context>, guard: &Guard, instance: Option<String>) -> Router {
    let bridge = Arc::new(Bridge {
        room: Arc::new(Semaphore::new(MOST)),
        shared: Arc::clone(shared),
        guard: guard.clone(),
        instance,
    });
    let serve = move |request: Request| {
        let bridge = Arc::clone(&bridge);
        async move { bridge.admit(request).await }
    };
    Router::new()
        .route("/bridge", any(serve.clone()))
        .route("/bridge/", any(serve))
}

impl Bridge {
    async fn admit(&self, request: Request) -> Response {
        if let Err(refused) = check_request(&self.guard, request.uri(), request.headers()) {
            return add_challenge(*refused);
        }
        let (mut parts, _) = request.into_parts();
        let wanted = match Wanted::read(&parts.uri, self.instance.as_ref()) {
            Ok(wanted) => wanted,
            Err(problem) => {
                return rejection(ProblemKind::Malformed, StatusCode::BAD_REQUEST, &problem);
            }
        };
        let connection = parts.extensions.get::<ConnectInfo<Connection>>().cloned();
        let upgrade = match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => upgrade.max_message_size(PATIENTLY * MAX_EVENT_BYTES),
            Err(refused) => {
                return rejection(
                    ProblemKind::Malformed,
                    refused.status(),
                    &refused.body_text(),
                );
            }
        };
        let Ok(place) = Arc::clone(&self.room).try_acquire_owned() else {
            let said = format!("{MOST} apps are connected to the bridge: close some");
            return rejection(
                ProblemKind::Overloaded,
                StatusCode::SERVICE_UNAVAILABLE,
                &said,
            );
        };
        // Each app has a client of its own, whose subscription ends with it.
        match self.shared.connect().await {
            Ok(client) => {
                let sender = match connection {
                    Some(ConnectInfo(connection)) => connection.ancestry().await,
                    None => None,
                };
                let client = client.for_sender(sender);
                upgrade.on_upgrade(async move |socket| {
                    serve(socket, client, wanted).await;
                    drop(place);
                })
            }
            Err(error) => {
                let said = format!("{error:#}");
                rejection(
                    ProblemKind::HubUnavailable,
                    StatusCode::SERVICE_UNAVAILABLE,
                    &said,
                )
            }
        }
    }
}

/// The asks that an app wants.
#[derive(Debug, Default)]
struct Wanted {
    filter: Filter,
    open: BTreeSet<AskId>,
}

impl Wanted {
    /// Parses the query. An empty window id is refused, because it would select every ask.
    fn read(uri: &Uri, window: Option<&String>) -> Result<Self, String> {
        let query = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let Query(words) = query.map_err(|_| "the query can't be read".to_owned())?;
        let mut wanted = Self::default();
        for (name, value) in words {
            let value = value.trim();
            match name.as_str() {
                "instance" | "instanceId" | "session" | "directory" if value.is_empty() => {
                    return Err(format!(
                        "{name}: is empty; leave it out to be told of all asks"
                    ));
                }
                "instance" | "instanceId" => wanted.filter.instances.push(value.to_owned()),
                "session" => wanted.filter.session = Some(value.to_owned()),
                "directory" => {
                    let folder = PathBuf::from(value);
                    if !folder.is_absolute() {
                        return Err("directory: must be a whole path".to_owned());
                    }
                    wanted.filter.directory = Some(folder);
                }
                "open" => {
                    for id in value.split(',').filter(|id| !id.is_empty()) {
                        let Some(id) = AskId::parse(id) else {
                            return Err("open: must be ids of asks with commas".to_owned());
                        };
                        wanted.open.insert(id);
                    }
                }
                _ => {}
            }
        }
        if wanted.filter.instances.is_empty() {
            wanted.filter.instances.extend(window.cloned());
        }
        Ok(wanted)
    }
}

/// Serves an app until it disconnects. Earlier messages are still handled, and open asks stay open.
async fn serve(mut socket: WebSocket, client: Client, wanted: Wanted) {
    let (out, mut outgoing) = Out::piped();
    let (to_surface, said) = mpsc::unbounded_channel();
    let complains = out.clone();
    let host = Host {
        name: "bridge",
        words: &EVENTS,
        filter: wanted.filter,
        open: wanted.open,
        out,
    };
    let mut showing = tokio::spawn(embed::run(client, host, said));
    loop {
        tokio::select! {
            _ = &mut showing => return,
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
                Some(Ok(Message::Binary(_))) => complains.put((EVENTS.mistake)(&bridge::no_text())),
                Some(Err(_)) | None => break,
                // axum responds to pings and closes by itself.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_))) => {}
            },
        }
    }
    // Further results have no receiver.
    drop((socket, outgoing, to_surface));
    if timeout(LAST_WORDS, &mut showing).await.is_err() {
        showing.abort();
    }
}

async fn say(socket: &mut WebSocket, (text, done): Outgoing) -> Result<(), axum::Error> {
    socket.send(Message::Text(text.into())).await?;
    // The sender of the message may not wait for it.
    let _ = done.send(());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, window: Option<&str>) -> Result<Wanted, String> {
        let uri = format!("/bridge{query}").parse().unwrap();
        Wanted::read(&uri, window.map(str::to_owned).as_ref())
    }

    #[test]
    fn a_query_says_what_is_an_apps() {
        let all = read("", None).unwrap();
        assert!(all.filter.instances.is_empty() && all.open.is_empty());
        let two = read("?instance=a&instanceId=b%20c&v=1", Some("own")).unwrap();
        assert_eq!(two.filter.instances, ["a", "b c"]);
        assert_eq!(read("", Some("own")).unwrap().filter.instances, ["own"]);
        let back = read("?open=a_12345,a_67890,", None).unwrap();
        assert_eq!(back.open.len(), 2);
        for wrong in [
            "?instance=",
            "?directory=shop",
            "?open=%2e%2e",
            "?session=%20",
        ] {
            assert!(read(wrong, None).is_err(), "{wrong}");
        }
    }
}
