//! MCP's Streamable HTTP transport, for revisions with and without sessions. rmcp implements the
//! protocol. This module guards the endpoint, keeps blocked calls alive, makes their responses
//! resumable, and knows which responses were received.
// The rules of this transport. "Modern" is MCP since revision 2026-07-28, without sessions;
// "legacy" is everything before.
//
// - A call's headers are sent after a second at the latest, and a comment every 15 seconds. Clients
//   time out after one to five minutes without headers, and soon after that on silent streams.
// - Modern: a call ends with its stream. A client that closes the stream cancels the call.
// - Legacy: a call outlives its stream. Its events are stored and can be read again from
//   `Last-Event-ID` on (transport section "Resumability and Redelivery"). A minute after the stream
//   was lost, the client counts as away until it returns. A session ends after half an hour without
//   an open stream or a request. It leaves memory after an idle minute and is restored from its
//   initialize request, as after a restart of the hub; a response that was not received stays until
//   the session ends, or the hub. A client that returns for lost events gets an error as the
//   response to its request, because after an empty stream it would return for ever. After four
//   silent minutes, a call pings its client on its own stream, which every client reads. The stream
//   of GET is optional.
// - A response counts as received when its connection has written it and the client had not closed
//   the connection with unread bytes. Listeners of type [`SocketListener`] determine this at the
//   time of the write.
// - Foreign hosts and origins are refused first, then requests without the token, before their
//   bodies are read. The refusal has no `WWW-Authenticate`, because that header makes clients look
//   for an OAuth server, and there is none.
// - A request may have 256 KB, and a call as much as the settings say. A larger call is cut down to
//   its name and fails as a tool error; any other larger request gets a 413. `tool_call` applies
//   the rate limits.
// - A trailing slash in the path names the same endpoint.

mod delivery;
mod early_headers;
mod event_id;
mod ping;
mod refusal;
mod replay_buffer;
mod sessions;
mod stored_event;
mod streams;

use std::sync::Arc;

use ask_config::process;
use ask_core::Caller;
use ask_hub::http::agent_sessions::MAX_INITIALIZE_BYTES;
use ask_hub::http::{
    Client, Guard, LEAST_BYTES, ProblemKind, Times, check_request, origin_guard, rejection,
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

use self::delivery::{DeliveryBody, run_resumable};
pub(crate) use self::delivery::{DeliveryStatus, ResponseDelivery};
use self::sessions::Sessions;

/// A router for the MCP endpoint at `path`. `make` creates a handler for each session (legacy) or
/// each request (modern). A call finds its `ResponseDelivery` and its `Parts` in the extensions
/// that rmcp passes on.
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
                    if let Some(caller) = identify_caller(&guard, &admitted.0).await {
                        admitted.0.extensions.insert(caller);
                    }
                    respond(service, &guard.times, admitted).await
                }
                Err(rejected) => *rejected,
            }
        }
    };
    let with_slash = format!("{path}/");
    Router::new()
        .route(path, any(serve.clone()))
        .route(&with_slash, any(serve))
}

/// The caller of a request: the session that it names if that is open, and otherwise the sending
/// process. A modern request has no session, but one that names an open session speaks for it.
async fn identify_caller(guard: &Guard, parts: &Parts) -> Option<Caller> {
    let session = session_id(parts).filter(|id| guard.sessions.has(id));
    match session {
        Some(id) => {
            guard.sessions.store_if_needed(id).await;
            // Before it asks: otherwise an agent could answer its own ask before its process is known.
            if parts.method == Method::POST
                && let Some(client) = connected_client(parts)
            {
                let sender = client.caller().await;
                guard.sessions.add_sender(id, sender, process::runs);
            }
            guard.sessions.caller(id)
        }
        None if parts.method == Method::POST => connected_client(parts)?.caller().await,
        None => None,
    }
}

fn connected_client(parts: &Parts) -> Option<Client> {
    let client = parts.extensions.get::<ConnectInfo<Client>>();
    client.map(|client| client.0.clone())
}

/// Whether a modern request calls a tool, by its `Mcp-Method` header.
fn is_call(parts: &Parts) -> bool {
    let method = parts.headers.get("mcp-method");
    method.is_some_and(|method| method == "tools/call")
}

/// The session of a request, by its `Mcp-Session-Id` header.
fn session_id(parts: &Parts) -> Option<&str> {
    parts.headers.get("mcp-session-id")?.to_str().ok()
}

/// The size of a call that was too large and was passed on without its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooLarge {
    length: usize,
    max: usize,
}

impl TooLarge {
    /// Whether a request was cut down, from the parts that rmcp passes on.
    pub(crate) fn from_extensions(extensions: &Extensions) -> Option<Self> {
        extensions.get::<Parts>()?.extensions.get().copied()
    }
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { length, max } = self;
        write!(
            out,
            "the call has {length} bytes, and at most {max} are read (http.max_request_kb)"
        )
    }
}

async fn respond<S>(
    service: StreamableHttpService<S, Sessions>,
    times: &Times,
    (mut parts, body): (Parts, Bytes),
) -> Response
where
    S: ServerHandler + Send + 'static,
{
    let is_tool_call = is_call(&parts);
    let ends_session = parts.method == Method::DELETE;
    let delivery = ResponseDelivery::default();
    let client = connected_client(&parts);
    parts.extensions.insert(delivery.clone());
    let request = Request::from_parts(parts, Body::from(body.clone()));
    let response_future = async move {
        let response = service.handle(request).await.map(Body::new);
        refusal::with_problem_document(response).await
    };
    let (mut response, resumed) = if is_tool_call {
        (
            early_headers::with_early_headers(response_future, body, times).await,
            None,
        )
    } else {
        run_resumable(response_future).await
    };
    if ends_session && response.status() == StatusCode::ACCEPTED {
        // The session is closed already, so the status is 200 rather than 202; the Python SDK logs
        // an error for any other.
        *response.status_mut() = StatusCode::OK;
    }
    DeliveryBody::with_response(response, resumed.unwrap_or(delivery), client)
}

/// Checks a request and reads its whole body.
///
/// # Errors
/// The response, if the request is refused.
async fn admit(guard: &Guard, request: Request) -> Result<(Parts, Bytes), Box<Response>> {
    check_request(guard, request.uri(), request.headers())?;
    let (mut parts, body) = request.into_parts();
    let last_event_id = parts.headers.get("last-event-id");
    if last_event_id
        .is_some_and(|last_event_id| !last_event_id.to_str().is_ok_and(event_id::is_possible))
    {
        let detail = "Last-Event-ID: no event has this id, so no stream can resume after it: call again with a new request id";
        let rejected = rejection(ProblemKind::Malformed, StatusCode::BAD_REQUEST, detail);
        return Err(Box::new(rejected));
    }
    let (max, max_of_any) = (guard.most_bytes, guard.most_bytes.max(LEAST_BYTES));
    let mut body = origin_guard::read_body(body, max_of_any).await?;
    let kind = parts.headers.get(CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let is_message = parts.method == Method::POST && is_json;
    let length = body.len();
    if is_message
        && length > max
        && let Some(shortened) = origin_guard::without_arguments(&body)
    {
        parts.extensions.insert(TooLarge { length, max });
        parts.headers.remove(CONTENT_LENGTH);
        body = shortened;
    } else if length > max_of_any {
        return Err(Box::new(origin_guard::too_large(max_of_any)));
    } else if is_message {
        origin_guard::check_json(&body)?;
        if length > MAX_INITIALIZE_BYTES && origin_guard::is_initialize(&body) {
            return Err(Box::new(origin_guard::too_large(MAX_INITIALIZE_BYTES)));
        }
    }
    Ok((parts, body))
}
