//! A request as handlers receive it: the requester, path, query, headers and body, checked and
//! within their limits.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ask_config::clock;
use ask_config::process;
use ask_core::Ancestry;
use ask_core::attachment::MOST_BYTES;
use ask_core::devices::Permission;
use ask_hub::http::Client as Connection;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_protocol::api::{self, ClientAccess, Narrowing};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{
    ConnectInfo, FromRequest, FromRequestParts as _, Query, RawPathParams, Request,
};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;
use utoipa::{IntoParams, ToSchema};

use super::Web;
use super::auth::{self, Requester};
use super::origin::RequestOrigin;
use super::pairing::listener::DeviceEnds;

/// A body that is too large is read up to this multiple of its limit, because a client that is
/// still sending may not read the response.
const OVERSIZE_FACTOR: usize = 8;

/// How long nothing of a body may come. A connection that was cut off without a word ends by it.
const MOST_SILENCE: Duration = Duration::from_secs(60);

/// Who sent a request that may use its route.
#[derive(Clone)]
pub(crate) struct Admitted {
    pub requester: Requester,
    pub origin: RequestOrigin,
}

/// A request for a handler.
pub(crate) struct ApiRequest {
    pub requester: Requester,
    pub origin: RequestOrigin,
    /// The parameter of the path; empty if the path has none.
    pub(crate) path_parameter: String,
    /// The query, as decoded keys and values.
    pub query: Vec<(String, String)>,
    pub headers: HeaderMap,
    /// The connection that it came over, if that is on the loopback port.
    pub connection: Option<Connection>,
    /// The ends of the connection, if that is on the port for devices.
    ends: Option<DeviceEnds>,
    pub body: Bytes,
}

/// The id of an ask in a path.
#[derive(IntoParams)]
#[into_params(names("id"), parameter_in = Path)]
#[expect(
    dead_code,
    reason = "only describes the parameter; `ApiRequest::path_parameter` reads it"
)]
pub(crate) struct AskIdPath(
    /// The id of the ask. A person's programs may also send the beginning of an id, or `latest`
    String,
);

/// The header that identifies repeated requests.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(
    dead_code,
    reason = "only describes the header; `ApiRequest::retry_key` reads it"
)]
pub(crate) struct IdempotencyKey {
    /// Identifies this attempt: a repeated request with the same key changes nothing again
    #[param(rename = "Idempotency-Key")]
    key: Option<String>,
}

/// A request that opens an ask.
pub(crate) struct OpenRequest(pub ApiRequest);

/// A request that uploads a file.
pub(crate) struct UploadRequest(pub ApiRequest);

impl FromRequest<Arc<Web>> for ApiRequest {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        let limit = web.config.most_bytes();
        let instead = "send less text, or attach long texts as files";
        Self::read(web, request, limit, instead).await
    }
}

impl FromRequest<Arc<Web>> for OpenRequest {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        let limit = web.config.most_bytes();
        let instead = "shorten the questions, and name files that hold the long texts";
        ApiRequest::read(web, request, limit, instead)
            .await
            .map(Self)
    }
}

impl FromRequest<Arc<Web>> for UploadRequest {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        let request = ApiRequest::read(web, request, MOST_BYTES, "send a smaller file");
        request.await.map(Self)
    }
}

/// The process that sent a request over the port for devices, if that is on this machine.
async fn look_up_sender(DeviceEnds((theirs, ours)): DeviceEnds) -> Option<Arc<Ancestry>> {
    let look_up = move || process::device_ancestry(theirs, ours);
    let found = tokio::task::spawn_blocking(look_up).await;
    found.ok().flatten().map(Arc::new)
}

impl ApiRequest {
    /// If an agent fetched the link that signed the requester's browser in, the agent's client.
    fn below_agent(&self, web: &Web) -> Option<String> {
        web.pairing_service
            .sessions
            .below_agent(self.requester.session()?)
    }

    /// The process that sent the request, if that is on this machine. If an agent fetched the link that
    /// signed its browser in, the process counts as below that agent.
    pub(crate) async fn sender(&self, web: &Web) -> Option<Arc<Ancestry>> {
        let sender = match (&self.connection, &self.requester) {
            (Some(connection), Requester::Program) if self.origin.is_local() => {
                connection.program_ancestry().await
            }
            (Some(connection), _) if self.origin.is_local() => connection.ancestry().await,
            (Some(connection), _) => connection.device_ancestry().await,
            // A program of this machine may have the cookie of a device.
            (None, _) => look_up_sender(self.ends?).await,
        };
        let Some(agent) = self.below_agent(web) else {
            return sender;
        };
        let mut sender = sender.as_deref().cloned().unwrap_or_default();
        sender.below_agent = Some(agent);
        Some(Arc::new(sender))
    }

    /// Reads a request, with a body of at most `limit` bytes. The problem for a larger one says what to
    /// do `instead`.
    async fn read(
        web: &Arc<Web>,
        request: Request,
        limit: usize,
        instead: &str,
    ) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let path = RawPathParams::from_request_parts(&mut parts, web).await;
        let admitted = Extension::from_request_parts(&mut parts, web).await;
        let Extension(Admitted { requester, origin }) =
            admitted.map_err(IntoResponse::into_response)?;
        let malformed =
            |problem: &str| Problem::new(ProblemKind::Malformed, problem).into_response();
        let path = path.map_err(|_| malformed("the path is not UTF-8"))?;
        let path_parameter = path.iter().next().map(|(_, value)| value.to_owned());
        let body = read(body, limit, instead, MOST_SILENCE).await;
        let body = body.map_err(IntoResponse::into_response)?;
        let query = Query::try_from_uri(&parts.uri);
        let Query(query) = query.map_err(|_| malformed("the query can't be parsed"))?;
        // A body may arrive slowly, and the requester may have lost its access meanwhile.
        auth::check_access_lasts(web, origin, &requester).map_err(IntoResponse::into_response)?;
        let connection = parts.extensions.get::<ConnectInfo<Connection>>();
        let ends = parts.extensions.get::<ConnectInfo<DeviceEnds>>();
        Ok(Self {
            requester,
            origin,
            path_parameter: path_parameter.unwrap_or_default(),
            query,
            connection: connection.map(|connection| connection.0.clone()),
            ends: ends.map(|ends| ends.0),
            headers: parts.headers,
            body,
        })
    }

    /// The body as JSON of this type; an empty body is an empty object.
    ///
    /// # Errors
    /// The body doesn't match the type, or has a field that the type lacks.
    pub(crate) fn json<T: DeserializeOwned + ToSchema>(&self) -> Result<T, Problem> {
        Ok(api::read_body(&self.body)?)
    }

    /// Parses the query as this type and the filters of asks. The problem for an unknown parameter says
    /// `instead`, or lists the known ones.
    ///
    /// # Errors
    /// The query has an unknown, repeated or empty parameter. Ignoring it would list, count or
    /// remove more asks than were meant.
    pub(crate) fn filtered_query<T>(&self, instead: &str) -> Result<(T, Narrowing), Problem>
    where
        T: DeserializeOwned + IntoParams,
    {
        let known = [api::names_of::<T>(), api::names_of::<Narrowing>()].concat();
        self.check_query(&known, instead)?;
        Ok((self.parse_query()?, self.parse_query()?))
    }

    /// Parses the query as this type, without the filters of asks. The errors are those of
    /// [`Self::filtered_query`].
    pub(crate) fn unfiltered_query<T>(&self, instead: &str) -> Result<T, Problem>
    where
        T: DeserializeOwned + IntoParams,
    {
        self.check_query(&api::names_of::<T>(), instead)?;
        self.parse_query()
    }

    fn parse_query<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let pairs = self.query.iter().map(|(key, value)| (key, value));
        Ok(api::read_query(pairs)?)
    }

    fn check_query(&self, known: &[String], instead: &str) -> Result<(), Problem> {
        check_parameters(known, &self.query, instead)?;
        let empty = self.query.iter().find(|(_, value)| value.trim().is_empty());
        let with_nul = self.query.iter().find(|(_, value)| value.contains('\0'));
        let message = match (empty, with_nul) {
            (Some((key, _)), _) => format!("{key}: is empty; leave it out"),
            // No ask contains NUL, and the index would take it for the end of the search text.
            (_, Some((key, _))) => {
                format!("{key}: must not contain the character U+0000")
            }
            (None, None) => return Ok(()),
        };
        Err(Problem::new(ProblemKind::Malformed, message))
    }

    /// How the requester connects, and what it may do.
    pub(crate) fn client_access(&self) -> ClientAccess {
        ClientAccess {
            is_local: self.origin.is_local(),
            is_encrypted: self.origin.is_encrypted(),
            may: match &self.requester {
                Requester::Device(device) => device.may,
                Requester::Unknown | Requester::Agent | Requester::Program | Requester::Page(_) => {
                    Permission::Answer
                }
            },
        }
    }

    /// One parameter of the query, trimmed; `None` if it is missing or empty.
    pub(crate) fn query_value(&self, key: &str) -> Option<&str> {
        let mut query = self.query.iter().rev();
        let value = query.find(|(name, _)| name == key);
        let value = value.map(|(_, value)| value.trim());
        value.filter(|value| !value.is_empty())
    }

    /// A header as text; `None` if it is missing or isn't ASCII.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A number that identifies the attempt: the same for requests with the same Idempotency-Key.
    pub(crate) fn attempt(&self) -> u64 {
        match self.retry_key() {
            Some(bytes) => {
                let mut number = [0; 8];
                number[..6].copy_from_slice(&bytes[..6]);
                u64::from_le_bytes(number)
            }
            None => clock::attempt(),
        }
    }

    /// A digest of the Idempotency-Key, the path's parameter and the requester. `None` without the
    /// header.
    pub(crate) fn retry_key(&self) -> Option<[u8; 32]> {
        let key = self.headers.get("idempotency-key")?.as_bytes();
        let (parameter, name) = (&self.path_parameter, self.requester.name());
        let mut hasher = Sha256::new();
        for part in [key, parameter.as_bytes(), name.as_bytes()] {
            hasher.update(part);
            hasher.update([0]);
        }
        Some(hasher.finalize().into())
    }
}

/// Refuses parameters that are unknown or repeated.
pub(crate) fn check_parameters(
    known: &[String],
    query: &[(String, String)],
    instead: &str,
) -> Result<(), Problem> {
    for (at, (key, _)) in query.iter().enumerate() {
        let is_repeated = query[..at].iter().any(|(before, _)| before == key);
        let message = if !known.contains(key) && instead.is_empty() {
            let known = known.join(", ");
            format!("Unknown query parameter `{key}`. Known: {known}.")
        } else if !known.contains(key) {
            format!("Unknown query parameter `{key}`. {instead}")
        } else if is_repeated {
            format!("Query parameter `{key}` is repeated.")
        } else {
            continue;
        };
        return Err(Problem::new(ProblemKind::Malformed, message));
    }
    Ok(())
}

/// Reads and drops a body, up to the largest size that any request may have.
pub(crate) async fn drain(body: Body) {
    let mut chunks = body.into_data_stream();
    let mut length = 0;
    loop {
        let next = poll_fn(|context| Pin::new(&mut chunks).poll_next(context));
        let Ok(Some(Ok(chunk))) = timeout(MOST_SILENCE, next).await else {
            return;
        };
        length += chunk.len();
        if length > MOST_BYTES {
            return;
        }
    }
}

/// Reads a body of at most `limit` bytes. The problem for a larger one says what to do instead.
async fn read(
    body: Body,
    limit: usize,
    instead: &str,
    most_silence: Duration,
) -> Result<Bytes, Problem> {
    let mut chunks = body.into_data_stream();
    let mut all = Vec::new();
    let mut length = 0;
    loop {
        let next = poll_fn(|context| Pin::new(&mut chunks).poll_next(context));
        let chunk = match timeout(most_silence, next).await {
            Ok(None) => break,
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(_))) | Err(_) => {
                return Err(Problem::new(
                    ProblemKind::Malformed,
                    "the request ended before its body was complete: send it again",
                ));
            }
        };
        length += chunk.len();
        if length <= limit {
            all.extend_from_slice(&chunk);
        } else {
            all = Vec::new();
        }
        if length > OVERSIZE_FACTOR * limit {
            break;
        }
    }
    if length > limit {
        let message =
            format!("the body has more than {limit} bytes, which is the limit: {instead}");
        return Err(Problem::new(ProblemKind::TooLarge, message));
    }
    Ok(Bytes::from(all))
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll};

    use super::*;

    /// A body of which nothing comes.
    struct Silent;

    impl Stream for Silent {
        type Item = Result<Bytes, std::io::Error>;

        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Pending
        }
    }

    #[tokio::test]
    async fn a_body_of_which_nothing_comes_any_more_is_refused() {
        let silent = Body::from_stream(Silent);
        let problem = read(silent, 100, "", Duration::from_millis(1)).await;
        assert!(problem.is_err());
        let whole = read(Body::from("{}"), 100, "", MOST_SILENCE).await;
        assert_eq!(whole.ok().as_deref(), Some(b"{}".as_slice()));
    }
}
