//! One request as the handlers take it: who, about what, with which words and which body.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use ask_config::clock;
use ask_core::attachment::MOST_BYTES;
use ask_core::devices::Permission;
use ask_core::{Json, json};
use ask_hub::http::Client as Connection;
use ask_hub::http::problem::{Kind, Problem};
use ask_protocol::api::routes::{Op, Route, Schema};
use ask_protocol::api::{self, Reach};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{
    ConnectInfo, FromRequest, FromRequestParts as _, Query, RawPathParams, Request,
};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use sha2::{Digest as _, Sha256};

use super::Web;
use super::door::{self, Who};
use super::way::Way;

/// How many times the size of a body is read of one that is too large: a client that is refused
/// while it still sends may never hear of it.
const PATIENTLY: usize = 8;

/// A request that was let in.
#[derive(Clone)]
pub struct Admitted {
    /// What it wants.
    pub route: &'static Route,
    /// Who sent it.
    pub who: Who,
    /// On which way it came.
    pub way: Way,
}

/// One request.
pub struct Call {
    /// Who.
    pub who: Who,
    /// On which way it came.
    pub way: Way,
    /// The part of its path that names something.
    pub part: String,
    /// Its query.
    pub query: HashMap<String, String>,
    /// Its headers.
    pub headers: HeaderMap,
    /// The connection that it came over, where that is known.
    pub connection: Option<Connection>,
    /// What its body holds, where it has one.
    pub takes: Option<Schema>,
    /// Its body.
    pub body: Bytes,
}

/// Refuses what nobody understands where asks are narrowed down, or one is asked: more of them would be
/// listed, counted or removed than was meant, and a person not told who asks. What says nothing narrows
/// nothing down either.
fn understood(route: &Route, said: &[(String, String)]) -> Result<(), Problem> {
    let (asks, forgets) = (route.op == Op::Open, route.method == "DELETE");
    // A call has words of its own.
    let place = if asks { ", in the query" } else { "" };
    let known: Vec<&str> = (route.query.iter().copied().flatten())
        .map(|(name, _)| *name)
        .collect();
    for (at, (key, value)) in said.iter().enumerate() {
        let is_again = said[..at].iter().any(|(before, _)| before == key);
        let said = match known.contains(&key.as_str()) {
            true if is_again => format!("{key}: is there twice{place}; say it once"),
            true if asks || !value.trim().is_empty() => continue,
            true => format!("{key}: says nothing; leave it out"),
            false if forgets => format!("there is no {key} here; nothing was removed"),
            false => format!(
                "there is no {key} here{place}: there are {}",
                known.join(", ")
            ),
        };
        return Err(Problem::new(Kind::Malformed, said));
    }
    Ok(())
}

impl FromRequest<Arc<Web>> for Call {
    type Rejection = Response;

    /// Reads a request that was let in.
    async fn from_request(request: Request, web: &Arc<Web>) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let path = RawPathParams::from_request_parts(&mut parts, web).await;
        let admitted = Extension::from_request_parts(&mut parts, web).await;
        let Extension(admitted) = admitted.map_err(IntoResponse::into_response)?;
        let call = Self::read(web, admitted, path, parts, body).await;
        call.map_err(IntoResponse::into_response)
    }
}

impl Call {
    async fn read(
        web: &Web,
        Admitted { route, who, way }: Admitted,
        path: Result<RawPathParams, RawPathParamsRejection>,
        parts: Parts,
        body: Body,
    ) -> Result<Self, Problem> {
        let path = path.map_err(|_| Problem::new(Kind::Malformed, "the path is not UTF-8"))?;
        let part = path.iter().next().map(|(_, part)| part.to_owned());
        let most = web.config.most_bytes();
        let (most, instead) = if route.op == Op::PutFile {
            (MOST_BYTES, "send a smaller file")
        } else if route.op == Op::Open {
            (
                most,
                "ask shorter, and name files where long texts are to be read",
            )
        } else {
            (most, "send less text, or attach what is long as a file")
        };
        let body = read(body, most, instead).await?;
        let query = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        let query = query.map_err(|_| Problem::new(Kind::Malformed, "the query can't be read"))?;
        if route.narrows() || route.op == Op::Open {
            understood(route, &query.0)?;
        }
        // A body may come slowly, and who was let in before it may have been shut out meanwhile.
        door::may_stay(web, way, &who)?;
        let connection = parts.extensions.get::<ConnectInfo<Connection>>();
        Ok(Self {
            who,
            way,
            part: part.unwrap_or_default(),
            query: query.0.into_iter().collect(),
            connection: connection.map(|connection| connection.0.clone()),
            headers: parts.headers,
            takes: route.takes,
            body,
        })
    }

    /// Its body as JSON, without a field that nothing reads; an empty one is an object without fields.
    pub fn json(&self) -> Result<Json, Problem> {
        let unread = |what: String| Problem::new(Kind::Malformed, what);
        let is_none = |what: &str| {
            let instead = self.takes.map_or_else(String::new, api::expected);
            unread(format!("the body is {what}; {instead}"))
        };
        let text = std::str::from_utf8(&self.body).map_err(|_| is_none("not UTF-8"))?;
        if text.trim().is_empty() {
            return Ok(Json::Object(Default::default()));
        }
        let body = json::read(text).map_err(|problem| is_none(&problem.problem))?;
        if let Some(schema) = self.takes {
            api::refuse_unknown(schema, &body).map_err(|problem| unread(problem.to_string()))?;
        }
        Ok(body)
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
        let value = self.query.get(key).map(|value| value.trim());
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

/// Reads a body that is not too large; of one that is, says what to do instead.
async fn read(body: Body, most: usize, instead: &str) -> Result<Bytes, Problem> {
    let mut coming = body.into_data_stream();
    let mut all = Vec::new();
    let mut length = 0;
    while let Some(more) = poll_fn(|context| Pin::new(&mut coming).poll_next(context)).await {
        let Ok(more) = more else {
            return Err(Problem::new(Kind::Malformed, "the request broke off"));
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
        return Err(Problem::new(Kind::TooLarge, said));
    }
    Ok(Bytes::from(all))
}
