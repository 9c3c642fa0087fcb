//! One request as the handlers take it: who, about what, with which words and which body.

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
use super::auth::{self, Who};
use super::origin::RequestOrigin;

/// How many times the size of a body is read of one that is too large: a client that is refused
/// while it still sends may never hear of it.
const PATIENTLY: usize = 8;

/// A request that was let in.
#[derive(Clone)]
pub struct Admitted {
    /// Who sent it.
    pub who: Who,
    /// On which way it came.
    pub way: RequestOrigin,
}

/// One request.
pub struct Call {
    /// Who.
    pub who: Who,
    /// On which way it came.
    pub way: RequestOrigin,
    /// The part of its path that names something.
    pub part: String,
    /// Its query, word by word.
    pub query: Vec<(String, String)>,
    /// Its headers.
    pub headers: HeaderMap,
    /// The connection that it came over, where that is known.
    pub connection: Option<Connection>,
    /// Its body.
    pub body: Bytes,
}

/// Which ask a path names.
#[derive(IntoParams)]
#[into_params(names("id"), parameter_in = Path)]
#[expect(
    dead_code,
    reason = "a parameter alone: the part of a path is read as it is"
)]
pub struct AskId(
    /// The id of the ask; for a person's programs also the beginning of it, or `latest`
    String,
);

/// What makes the same attempt of a request that comes again.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(
    dead_code,
    reason = "a parameter alone: headers are read where they are needed"
)]
pub struct Attempt {
    /// Identifies this attempt: a repeated request with the same key changes nothing more
    #[param(rename = "Idempotency-Key")]
    key: Option<String>,
}

/// One that asks.
pub struct AskCall(pub Call);

/// One that brings a file.
pub struct FileCall(pub Call);

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

    /// The process that sent it, where that is one of this machine, and the agent that it serves where
    /// that had its browser signed in.
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

    /// Reads a request that was let in, with a body of at most so many bytes.
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
        // A body may come slowly, and who was let in before it may have been shut out meanwhile.
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

    /// Its body in this form, without a field that nothing reads; an empty one is an object without
    /// fields.
    pub fn json<T: DeserializeOwned + ToSchema>(&self) -> Result<T, Problem> {
        Ok(api::read_body(&self.body)?)
    }

    /// Its query as words of this form and those that narrow asks down. One that nobody understands is
    /// refused: more asks would be listed, counted or removed than was meant. What says nothing narrows
    /// nothing down either.
    pub fn narrowed<T>(&self, instead: &str) -> Result<(T, Narrowing), Problem>
    where
        T: DeserializeOwned + IntoParams,
    {
        let known = [api::names_of::<T>(), api::names_of::<Narrowing>()].concat();
        self.understood(&known, instead)?;
        Ok((self.words()?, self.words()?))
    }

    /// The same without those that narrow down.
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
        once(known, &self.query, "", instead)?;
        let empty = self.query.iter().find(|(_, value)| value.trim().is_empty());
        let text = self.query.iter().find(|(_, value)| value.contains('\0'));
        let said = match (empty, text) {
            (Some((key, _)), _) => format!("{key}: says nothing; leave it out"),
            // No ask has one, and the index takes it for the end of what is looked for.
            (_, Some((key, _))) => {
                format!("{key}: must be a text without the character U+0000")
            }
            (None, None) => return Ok(()),
        };
        Err(Problem::new(ProblemKind::Malformed, said))
    }

    /// How whoever sent it reaches us, and what they may.
    pub fn reach(&self) -> Reach {
        Reach {
            is_here: self.way.is_here(),
            is_encrypted: self.way.is_encrypted(),
            may: match &self.who {
                Who::Device(device) => device.may,
                Who::Nobody | Who::Agent | Who::Program | Who::Page(_) => Permission::Answer,
            },
        }
    }

    /// One word of its query, unless it is empty.
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

    /// What names the attempt of this request: the same for every retry that says so.
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

    /// A digest of its Idempotency-Key, of whoever sent it and what it is about.
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

/// Refuses a word that is not among these, or is there twice.
pub fn once(
    known: &[String],
    query: &[(String, String)],
    place: &str,
    instead: &str,
) -> Result<(), Problem> {
    for (at, (key, _)) in query.iter().enumerate() {
        let said = match known.contains(key) {
            true if query[..at].iter().all(|(before, _)| before != key) => continue,
            true => format!("{key}: is there twice{place}; say it once"),
            false if instead.is_empty() => {
                let known = known.join(", ");
                format!("there is no {key} here{place}: there are {known}")
            }
            false => format!("there is no {key} here; {instead}"),
        };
        return Err(Problem::new(ProblemKind::Malformed, said));
    }
    Ok(())
}

/// Reads a body that nobody wants, as far as one is read at all.
pub async fn pass_over(body: Body) {
    let mut coming = body.into_data_stream();
    let mut length = 0;
    while let Some(Ok(more)) = poll_fn(|context| Pin::new(&mut coming).poll_next(context)).await {
        length += more.len();
        if length > MOST_BYTES {
            return;
        }
    }
}

/// Reads a body that is not too large; of one that is, says what to do instead.
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
