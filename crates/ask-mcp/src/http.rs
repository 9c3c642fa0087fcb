//! Streamable HTTP for MCP, both eras. rmcp speaks the protocol; around it this
//! module guards the endpoint, keeps blocked calls alive and answers resumable, and
//! knows which replies were taken.
//
// What is decided here:
//
// - A call says its headers after a second at the latest, and a comment every 15 seconds: clients
//   give up on headers after one to five minutes, and on silent streams soon after.
// - Modern era: the stream is the call. A client that closes it has cancelled.
// - Legacy era: a call outlives its stream. What was said is kept and read again from
//   `Last-Event-ID` on. A minute after the stream was lost the client counts as away, until it comes
//   back; the session is forgotten when for half an hour nothing was open and nothing was asked.
//   It leaves the memory after a minute, and goes on from what it began with, as after a restart of
//   the hub; a reply that was not taken stays until then.
//   A call that was silent for four minutes pings its client on the call's own stream, which every
//   client reads, other than the optional one of GET.
// - A reply counts as taken when its connection has written it, and its client had not closed it
//   unread. That is looked up at that very moment where the listener is [`Sockets`].
// - Foreign hosts and origins are refused first, then whoever has no token, before anything is read.
//   A missing token is told as plain text and without `WWW-Authenticate`: that header sends clients
//   looking for an OAuth server, and there is none.
// - A request may have 256 KB, a call what the person has set. A call that has more is cut down to its
//   name and told so as its tool's error; anything else is a 413. How often a client may ask is no
//   matter of this module.
// - A slash at the end of the path is nobody's mistake: it is the same endpoint.

mod delivery;
mod early_headers;
mod ping;
mod replay_buffer;
mod sessions;
mod streams;

use std::sync::Arc;

use ask_core::Caller;
use ask_hub::http::agent_sessions::MOST_GREETING;
use ask_hub::http::{Client, Guard, LEAST_BYTES, Times, check, origin_guard};
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

/// A router for the MCP endpoint at `path`, with one `make()` for each session (legacy) or each
/// request (modern). A call finds its [`ReplyPath`] and its `Parts` in what rmcp hands it.
pub fn endpoint<S, F>(path: &str, make: F, guard: &Guard) -> Router
where
    S: ServerHandler + Send + 'static,
    F: Fn() -> std::io::Result<S> + Send + Sync + Clone + 'static,
{
    let guard = Arc::new(guard.clone());
    let mut config = StreamableHttpServerConfig::default()
        // Checked at the door, with our own sentences.
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

/// Who sends a request: a session, or the process of a call that belongs to none.
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

/// Finds out which process sends the requests of a session, once, before anything is asked in it: an
/// agent could answer itself before it was known.
async fn look_up(guard: &Guard, id: &str, client: Option<Client>) -> Option<()> {
    let caller = client?.caller().await?;
    guard.sessions.is_sent_by(id, caller.process?);
    Some(())
}

fn client_of(parts: &Parts) -> Option<Client> {
    let client = parts.extensions.get::<ConnectInfo<Client>>();
    client.map(|client| client.0.clone())
}

/// Whether a request of the modern era calls a tool, as its headers say.
fn is_call(parts: &Parts) -> bool {
    let method = parts.headers.get("mcp-method");
    method.is_some_and(|method| method == "tools/call")
}

/// The session that a request belongs to, as its client says.
fn session_of(parts: &Parts) -> Option<&str> {
    parts.headers.get("mcp-session-id")?.to_str().ok()
}

/// A call that had more than it may, and came without its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooLong {
    had: usize,
    most: usize,
}

impl TooLong {
    /// Whether a request is one, out of what rmcp hands on with it.
    pub fn of(extensions: &Extensions) -> Option<Self> {
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
    let answering = async move { service.handle(request).await.map(Body::new) };
    let (mut response, again) = if calls {
        (early_headers::headers(answering, body, times).await, None)
    } else {
        on_its_way(answering).await
    };
    if closes && response.status() == StatusCode::ACCEPTED {
        // It is closed, not about to be; the Python SDK complains about anything else.
        *response.status_mut() = StatusCode::OK;
    }
    Watched::over(response, again.unwrap_or(reply_path), client)
}

/// A request that may come in, read whole.
async fn admit(guard: &Guard, request: Request) -> Result<(Parts, Bytes), Box<Response>> {
    check(guard, request.uri(), request.headers())?;
    let (mut parts, body) = request.into_parts();
    let (most, most_of_any) = (guard.most_bytes, guard.most_bytes.max(LEAST_BYTES));
    let mut body = origin_guard::read(body, most_of_any).await?;
    let kind = parts.headers.get(CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let is_message = parts.method == Method::POST && is_json;
    let had = body.len();
    if is_message
        && had > most
        && let Some(cut) = origin_guard::cut_down(&body)
    {
        parts.extensions.insert(TooLong { had, most });
        parts.headers.remove(CONTENT_LENGTH);
        body = cut;
    } else if had > most_of_any {
        return Err(Box::new(origin_guard::too_large(most_of_any)));
    } else if is_message {
        origin_guard::readable(&body)?;
        if had > MOST_GREETING && origin_guard::begins_session(&body) {
            return Err(Box::new(origin_guard::too_large(MOST_GREETING)));
        }
    }
    Ok((parts, body))
}
