//! MCP's Streamable HTTP transport, for revisions with and without sessions. rmcp implements the
//! protocol. This module guards the endpoint, keeps blocked calls alive, makes their responses
//! resumable, and knows which responses were received.
// The rules of this transport. "Modern" is MCP since revision 2026-07-28, without sessions;
// "legacy" is everything before.
//
// - A call's headers are sent after a second at the latest, and a comment every 15 seconds: clients
//   time out on missing headers after one to five minutes, and on silent streams soon after.
// - Modern: the stream is the call. A client that closes it has cancelled.
// - Legacy: a call outlives its stream. Its events are stored and can be read again from
//   `Last-Event-ID` on (transport section "Resumability and Redelivery"). A minute after the stream
//   was lost, the client counts as away until it returns. A session ends after half an hour without
//   an open stream or a request. It leaves memory after an idle minute and is restored from its
//   initialize request, as after a restart of the hub; a response that was not received stays until
//   the session ends, or the hub. A client that comes back for events that are lost gets an error as
//   the response to its request: an empty stream would make it come back for ever. A call that was
//   silent for four minutes pings its client on the call's own stream, which every client reads; the
//   stream of GET is optional.
// - A response counts as received when its connection has written it and the client had not closed
//   the connection with unread bytes. Listeners of type [`Sockets`] determine this at the time of
//   the write.
// - Foreign hosts and origins are refused first, then requests without the token, before anything
//   is read. That refusal has no `WWW-Authenticate`: the header makes clients look for an OAuth
//   server, and there is none.
// - A request may have 256 KB, and a call as much as the settings say. A larger call is cut down to
//   its name and fails as a tool error; any other larger request gets a 413. Rate limits are not
//   this module's task.
// - A trailing slash in the path names the same endpoint.

mod delivery;
mod early_headers;
mod event_id;
mod ping;
mod refusal;
mod replay_buffer;
mod sessions;
mod streams;

use std::sync::Arc;

use ask_core::Caller;
use ask_hub::http::agent_sessions::MOST_GREETING;
use ask_hub::http::{
    Client, Guard, LEAST_BYTES, ProblemKind, Times, check, origin_guard, rejection,
};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use axum::routing::any;
use rmcp::handler::server::ServerHandler;
use rmcp::model::Extensions;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

pub use self::delivery::{DeliveryStatus, ReplyPath};
use self::delivery::{Watched, on_its_way};
use self::sessions::Sessions;

/// A router for the MCP endpoint at `path`. `make` creates a handler for each session (legacy) or
/// each request (modern). A call finds its [`ReplyPath`] and its `Parts` in the extensions that
/// rmcp passes on.
pub fn endpoint<S, F>(path: &str, make: F, guard: &Guard) -> Router
where
    S: ServerHandler + Send + 'static,
    F: Fn() -> std::io::Result<S> + Send + Sync + Clone + 'static,
{
    let guard = Arc::new(guard.clone());
    let mut config = StreamableHttpServerConfig::default()
        // `admit` checks the host, with our own problem documents.
        .disable_allowed_hosts()
        .with_max_request_body_bytes(guard.most_bytes.max(LEAST_BYTES));
    config.sse_keep_alive = Some(guard.times.comment);
    let sessions = Sessions::new(path, guard.times.clone(), Arc::clone(&guard.sessions));
    config.session_store = Some(Arc::new(sessions.clone()));
    let service = StreamableHttpService::new(make, Arc::new(sessions), config);
    let serve = move |request: Request| {
        let (service, guard) = (service.clone(), Arc::clone(&guard));
        async move {
            match admit(&guard, request).await {
                Ok(mut admitted) => {
                    if let Some(caller) = caller(&guard, &admitted.0).await {
                        admitted.0.extensions.insert(caller);
                    }
                    answer(service, &guard.times, admitted).await
                }
                Err(refused) => *refused,
            }
        }
    };
    let slash = format!("{path}/");
    Router::new()
        .route(path, any(serve.clone()))
        .route(&slash, any(serve))
}

/// The caller of a request: its session, or for a call without a session the sending process.
async fn caller(guard: &Guard, parts: &Parts) -> Option<Caller> {
    match session_of(parts) {
        Some(id) => {
            guard.sessions.keep_if_needed(id).await;
            if guard.sessions.lacks_process(id) {
                look_up(guard, id, client_of(parts)).await;
            }
            guard.sessions.caller(id)
        }
        None if is_call(parts) => client_of(parts)?.caller().await,
        None => None,
    }
}

/// Looks up which process sends a session's requests, once, before its first ask: otherwise an
/// agent could answer its own ask before it is known.
async fn look_up(guard: &Guard, id: &str, client: Option<Client>) -> Option<()> {
    let caller = client?.caller().await?;
    guard.sessions.is_sent_by(id, caller.process?);
    Some(())
}

fn client_of(parts: &Parts) -> Option<Client> {
    let client = parts.extensions.get::<ConnectInfo<Client>>();
    client.map(|client| client.0.clone())
}

/// Whether a modern request calls a tool, by its `Mcp-Method` header.
fn is_call(parts: &Parts) -> bool {
    let method = parts.headers.get("mcp-method");
    method.is_some_and(|method| method == "tools/call")
}

/// The session of a request, by its `Mcp-Session-Id` header.
fn session_of(parts: &Parts) -> Option<&str> {
    parts.headers.get("mcp-session-id")?.to_str().ok()
}

/// A call that was too large and was passed on without its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooLong {
    had: usize,
    most: usize,
}

impl TooLong {
    /// Whether a request was cut down, from the parts that rmcp passes on.
    pub(crate) fn from_extensions(extensions: &Extensions) -> Option<Self> {
        extensions.get::<Parts>()?.extensions.get().copied()
    }
}

impl std::fmt::Display for TooLong {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { had, most } = self;
        write!(
            out,
            "the call has {had} bytes, and at most {most} are read (http.max_request_kb)"
        )
    }
}

async fn answer<S>(
    service: StreamableHttpService<S, Sessions>,
    times: &Times,
    (mut parts, body): (Parts, Bytes),
) -> Response
where
    S: ServerHandler + Send + 'static,
{
    let calls = is_call(&parts);
    let closes = parts.method == Method::DELETE;
    let reply_path = ReplyPath::default();
    let client = client_of(&parts);
    parts.extensions.insert(reply_path.clone());
    let request = Request::from_parts(parts, Body::from(body.clone()));
    let answering = async move {
        let response = service.handle(request).await.map(Body::new);
        refusal::document(response).await
    };
    let (mut response, again) = if calls {
        (early_headers::headers(answering, body, times).await, None)
    } else {
        on_its_way(answering).await
    };
    if closes && response.status() == StatusCode::ACCEPTED {
        // The session is closed already, so the status is 200 rather than 202; the Python SDK logs
        // an error for any other.
        *response.status_mut() = StatusCode::OK;
    }
    Watched::with_response(response, again.unwrap_or(reply_path), client)
}

/// Checks a request and reads its whole body.
///
/// # Errors
/// The response of the refusal.
async fn admit(guard: &Guard, request: Request) -> Result<(Parts, Bytes), Box<Response>> {
    check(guard, request.uri(), request.headers())?;
    let (mut parts, body) = request.into_parts();
    let last = parts.headers.get("last-event-id");
    if last.is_some_and(|last| !last.to_str().is_ok_and(event_id::is_possible)) {
        let said = "Last-Event-ID: no event has this id, so nothing can be read from there on: call again with a new request id";
        let refused = rejection(ProblemKind::Malformed, StatusCode::BAD_REQUEST, said);
        return Err(Box::new(refused));
    }
    let (most, most_of_any) = (guard.most_bytes, guard.most_bytes.max(LEAST_BYTES));
    let mut body = origin_guard::read(body, most_of_any).await?;
    let kind = parts.headers.get(CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let is_message = parts.method == Method::POST && is_json;
    let had = body.len();
    if is_message
        && had > most
        && let Some(cut) = origin_guard::without_arguments(&body)
    {
        parts.extensions.insert(TooLong { had, most });
        parts.headers.remove(CONTENT_LENGTH);
        body = cut;
    } else if had > most_of_any {
        return Err(Box::new(origin_guard::too_large(most_of_any)));
    } else if is_message {
        origin_guard::check_json(&body)?;
        if had > MOST_GREETING && origin_guard::begins_session(&body) {
            return Err(Box::new(origin_guard::too_large(MOST_GREETING)));
        }
    }
    Ok((parts, body))
}
