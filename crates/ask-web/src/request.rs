//! A request as handlers receive it: its sender, path, query, headers and body, checked and within
//! their limits.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use ask_config::clock;
use ask_core::Ancestry;
use ask_core::attachment::MOST_BYTES;
use ask_core::devices::Permission;
use ask_hub::http::Client as Connection;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_protocol::api::{self, Narrowing, Reach};
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
use utoipa::{IntoParams, ToSchema};

use super::Web;
use super::auth::{self, Sender};
use super::origin::RequestOrigin;

/// A body that is too large is read up to this multiple of its limit, because a client that is
/// still sending may not read the response.
const PATIENTLY: usize = 8;

/// An admitted request.
#[derive(Clone)]
pub(crate) struct Admitted {
    /// The sender.
    pub who: Sender,
    /// How it connects.
    pub way: RequestOrigin,
}

/// A request for a handler.
pub struct Call {
    /// The sender.
    pub who: Sender,
    /// How it connects.
    pub way: RequestOrigin,
    /// The parameter of the path; empty if the path has none.
    pub part: String,
    /// The query, as decoded keys and values.
    pub query: Vec<(String, String)>,
    /// The headers.
    pub headers: HeaderMap,
    /// Its connection, if it came through the loopback port.
    pub connection: Option<Connection>,
    /// The body.
    pub body: Bytes,
}

/// The id of an ask in a path.
#[derive(IntoParams)]
#[into_params(names("id"), parameter_in = Path)]
#[expect(
    dead_code,
    reason = "only describes the parameter; `Call::part` reads it"
)]
pub(crate) struct AskId(
    /// The id of the ask; for a person's programs also the beginning of it, or `latest`
    String,
);

/// The header that identifies repeated requests.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(
    dead_code,
    reason = "only describes the header; `Call::retry_key` reads it"
)]
pub(crate) struct Attempt {
    /// Identifies this attempt: a repeated request with the same key changes nothing more
    #[param(rename = "Idempotency-Key")]
    key: Option<String>,
}

/// A request that opens an ask.
pub(crate) struct AskCall(pub Call);

/// A request that uploads a file.
pub(crate) struct FileCall(pub Call);

impl FromRequest<Arc<Web>> for Call {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        let most = web.config.most_bytes();
        let instead = "send less text, or attach what is long as a file";
        Self::read(web, request, most, instead).await
    }
}

impl FromRequest<Arc<Web>> for AskCall {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        let most = web.config.most_bytes();
        let instead = "ask shorter, and name files where long texts are to be read";
        Call::read(web, request, most, instead).await.map(Self)
    }
}

impl FromRequest<Arc<Web>> for FileCall {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        let call = Call::read(web, request, MOST_BYTES, "send a smaller file");
        call.await.map(Self)
    }
}

impl Call {
    fn below_agent(&self, web: &Web) -> Option<String> {
        web.pairing_service
            .sessions
            .below_agent(self.who.session()?)
    }

    /// The process that sent it, if that is on this machine. If an agent fetched the link that
    /// signed its browser in, the process counts as below that agent.
    pub async fn sender(&self, web: &Web) -> Option<Arc<Ancestry>> {
        let connection = self.connection.as_ref().filter(|_| self.way.is_here())?;
        let sender = connection.ancestry().await;
        let Some(agent) = self.below_agent(web) else {
            return sender;
        };
        let mut sender = sender.as_deref().cloned().unwrap_or_default();
        sender.below_agent = Some(agent);
        Some(Arc::new(sender))
    }

    /// Reads an admitted request, with a body of at most `most` bytes.
    async fn read(
        web: &Arc<Web>,
        request: Request,
        most: usize,
        instead: &str,
    ) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let path = RawPathParams::from_request_parts(&mut parts, web).await;
        let admitted = Extension::from_request_parts(&mut parts, web).await;
        let Extension(Admitted { who, way }) = admitted.map_err(IntoResponse::into_response)?;
        let unread = |what: &str| Problem::new(ProblemKind::Malformed, what).into_response();
        let path = path.map_err(|_| unread("the path is not UTF-8"))?;
        let part = path.iter().next().map(|(_, part)| part.to_owned());
        let body = read(body, most, instead).await;
        let body = body.map_err(IntoResponse::into_response)?;
        let query = Query::try_from_uri(&parts.uri);
        let Query(query) = query.map_err(|_| unread("the query can't be read"))?;
        // A body may arrive slowly, and the sender may have lost its access meanwhile.
        auth::may_stay(web, way, &who).map_err(IntoResponse::into_response)?;
        let connection = parts.extensions.get::<ConnectInfo<Connection>>();
        Ok(Self {
            who,
            way,
            part: part.unwrap_or_default(),
            query,
            connection: connection.map(|connection| connection.0.clone()),
            headers: parts.headers,
            body,
        })
    }

    /// The body as JSON of this type; an empty body is an empty object.
    ///
    /// # Errors
    /// The body doesn't match the type, or has a field that the type lacks.
    pub fn json<T: DeserializeOwned + ToSchema>(&self) -> Result<T, Problem> {
        Ok(api::read_body(&self.body)?)
    }

    /// The query as this type and the filters of asks.
    ///
    /// # Errors
    /// The query has an unknown, repeated or empty parameter. Ignoring it would list, count or
    /// remove more asks than were meant.
    pub fn narrowed<T>(&self, instead: &str) -> Result<(T, Narrowing), Problem>
    where
        T: DeserializeOwned + IntoParams,
    {
        let known = [api::names_of::<T>(), api::names_of::<Narrowing>()].concat();
        self.understood(&known, instead)?;
        Ok((self.words()?, self.words()?))
    }

    /// The query as this type, without the filters of asks. Its errors are those of
    /// [`Self::narrowed`].
    pub fn only<T>(&self, instead: &str) -> Result<T, Problem>
    where
        T: DeserializeOwned + IntoParams,
    {
        self.understood(&api::names_of::<T>(), instead)?;
        self.words()
    }

    fn words<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let said = self.query.iter().map(|(key, value)| (key, value));
        Ok(api::read_query(said)?)
    }

    fn understood(&self, known: &[String], instead: &str) -> Result<(), Problem> {
        single_parameter(known, &self.query, instead)?;
        let empty = self.query.iter().find(|(_, value)| value.trim().is_empty());
        let text = self.query.iter().find(|(_, value)| value.contains('\0'));
        let said = match (empty, text) {
            (Some((key, _)), _) => format!("{key}: says nothing; leave it out"),
            // No ask contains NUL, and the index would take it for the end of the search text.
            (_, Some((key, _))) => {
                format!("{key}: must be a text without the character U+0000")
            }
            (None, None) => return Ok(()),
        };
        Err(Problem::new(ProblemKind::Malformed, said))
    }

    /// How its sender connects, and what the sender may do.
    pub fn reach(&self) -> Reach {
        Reach {
            is_here: self.way.is_here(),
            is_encrypted: self.way.is_encrypted(),
            may: match &self.who {
                Sender::Device(device) => device.may,
                Sender::Nobody | Sender::Agent | Sender::Program | Sender::Page(_) => {
                    Permission::Answer
                }
            },
        }
    }

    /// One parameter of the query, trimmed; `None` if it is empty.
    pub fn asked(&self, key: &str) -> Option<&str> {
        let mut query = self.query.iter().rev();
        let value = query.find(|(name, _)| name == key);
        let value = value.map(|(_, value)| value.trim());
        value.filter(|value| !value.is_empty())
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A number that identifies the attempt: the same for requests with the same Idempotency-Key.
    pub fn attempt(&self) -> u64 {
        match self.retry_key() {
            Some(bytes) => {
                let mut number = [0; 8];
                number[..6].copy_from_slice(&bytes[..6]);
                u64::from_le_bytes(number)
            }
            None => clock::attempt(),
        }
    }

    /// A digest of the Idempotency-Key, the path's parameter and the sender.
    pub fn retry_key(&self) -> Option<[u8; 32]> {
        let key = self.header("idempotency-key")?;
        let mut hasher = Sha256::new();
        for part in [key, self.part.as_str(), self.who.name()] {
            hasher.update(part.as_bytes());
            hasher.update([0]);
        }
        Some(hasher.finalize().into())
    }
}

/// Refuses parameters that are unknown or repeated.
pub(crate) fn single_parameter(
    known: &[String],
    query: &[(String, String)],
    instead: &str,
) -> Result<(), Problem> {
    for (at, (key, _)) in query.iter().enumerate() {
        let said = match known.contains(key) {
            true if query[..at].iter().all(|(before, _)| before != key) => continue,
            true => format!("Query parameter `{key}` is repeated."),
            false if instead.is_empty() => {
                let known = known.join(", ");
                format!("Unknown query parameter `{key}`. Known: {known}.")
            }
            false => format!("Unknown query parameter `{key}`. {instead}"),
        };
        return Err(Problem::new(ProblemKind::Malformed, said));
    }
    Ok(())
}

/// Reads and drops a body, up to the largest size that any request may have.
pub(crate) async fn pass_over(body: Body) {
    let mut coming = body.into_data_stream();
    let mut length = 0;
    while let Some(Ok(more)) = poll_fn(|context| Pin::new(&mut coming).poll_next(context)).await {
        length += more.len();
        if length > MOST_BYTES {
            return;
        }
    }
}

/// Reads a body of at most `most` bytes. The problem for a larger one says what to do instead.
async fn read(body: Body, most: usize, instead: &str) -> Result<Bytes, Problem> {
    let mut coming = body.into_data_stream();
    let mut all = Vec::new();
    let mut length = 0;
    while let Some(more) = poll_fn(|context| Pin::new(&mut coming).poll_next(context)).await {
        let Ok(more) = more else {
            return Err(Problem::new(
                ProblemKind::Malformed,
                "the request broke off",
            ));
        };
        length += more.len();
        if length <= most {
            all.extend_from_slice(&more);
        } else {
            all = Vec::new();
        }
        if length > PATIENTLY * most {
            break;
        }
    }
    if length > most {
        let said = format!(
            "the body has more than {most} bytes, which is all that is read of one: {instead}"
        );
        return Err(Problem::new(ProblemKind::TooLarge, said));
    }
    Ok(Bytes::from(all))
}
