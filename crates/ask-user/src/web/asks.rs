//! Asks over HTTP: opened, listed, looked at, and waited for.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ask_core::dialect::wire::{Request, Response as Said, TakeUp};
use ask_core::dialect::{self, Call as Meant, Dialect, Does, Json, Setting, api, json_text};
use ask_core::{AskId, Asker, Record, lifecycle};
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_core::Stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::call::Call;
use super::door::Who;
use super::problem::{Kind, Problem};
use super::{Web, past, reply};
use crate::clock;
use crate::hub::client::{Client, Delivery, Listing, Waiting};
use crate::mcp::http::Client as Connection;
use crate::mcp::url;
use crate::surface::recall;

/// The client's name of an ask that was made here by somebody without one.
const CLIENT: &str = "http";

/// Between two signs of life to who waits.
const SIGN: Duration = Duration::from_secs(15);

/// What waits, or what is over.
pub async fn list(web: &Web, call: &Call) -> Result<Response, Problem> {
    match call.asked("state") {
        Some("closed") => past::page(web, call).await,
        None | Some("waiting") => {
            let first = past::number(call, "first")?;
            Ok(reply::json(&waiting(web, first).await?))
        }
        Some(other) => {
            let said = format!("state: must be waiting or closed, not \"{other}\"");
            Err(Problem::new(Kind::Malformed, said))
        }
    }
}

/// What a person can act on; of what waits, perhaps only the most urgent.
async fn waiting(web: &Web, first: Option<u64>) -> Result<Json, Problem> {
    let client = web.shared.hub().await?;
    let listing = match first {
        Some(first) => client.most_urgent(first).await?,
        None => recall::actable(client).await?,
    };
    let Listing {
        records,
        cursor,
        day,
    } = listing;
    Ok(api::write_waiting(&records, cursor, clock::now(), day))
}

/// The ask that a request is about. An agent has to know its whole id.
pub async fn find(web: &Web, call: &Call) -> Result<Record, Problem> {
    let id = call.part.clone();
    let record = match web.say(Request::Get { id }).await {
        Ok(Said::Record(record)) => Ok(*record),
        Ok(other) => Err(Problem::odd(&other)),
        Err(problem) => Err(problem),
    };
    let may = |record: &Record| call.who != Who::Agent || record.id.as_str() == call.part;
    match record {
        Ok(record) if may(&record) => Ok(record),
        Err(problem) if call.who != Who::Agent => Err(problem),
        // Nothing else is said: which beginnings of ids there are is not for agents.
        Ok(_) | Err(_) => {
            let said = format!("no ask has the id \"{}\"", call.part);
            Err(Problem::new(Kind::NotFound, said))
        }
    }
}

/// An ask as whoever asks for it may know it.
pub async fn get(web: &Web, call: &Call) -> Result<Response, Problem> {
    let record = find(web, call).await?;
    Ok(reply::json(&shown(call, &record)))
}

fn shown(call: &Call, record: &Record) -> Json {
    match &call.who {
        Who::Nobody | Who::Agent => api::write_for_agent(record),
        Who::Program | Who::Page(_) | Who::Device(_) => api::write_one(record),
    }
}

/// Opens an ask of a native call.
pub async fn open(web: &Web, call: &Call) -> Result<Response, Problem> {
    web.shared.limits().take(call.who.name(), clock::now())?;
    let record = Box::new(read(call)?);
    let (id, ask, asker) = (record.id.clone(), record.ask.clone(), record.asker.clone());
    let request = Request::Open {
        record,
        wait: false,
        take_up: TakeUp::Never,
    };
    web.say(request).await?;
    let id = id.as_str().to_owned();
    let opened = match web.say(Request::Get { id }).await? {
        Said::Record(record) => record,
        other => return Err(Problem::odd(&other)),
    };
    if (&opened.ask, &opened.asker) != (&ask, &asker) {
        return Err(Problem::new(
            Kind::KeyReused,
            "this Idempotency-Key came with another ask before, and nobody was asked this: send a new key with each ask",
        ));
    }
    let mut response = reply::json_as(StatusCode::CREATED, &shown(call, &opened));
    if let Ok(place) = HeaderValue::from_str(&format!("/v1/asks/{}", opened.id)) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

fn read(call: &Call) -> Result<Record, Problem> {
    let wording: &dyn Dialect = &dialect::native::Native;
    let tools = wording.tools().iter();
    let mut asking = tools.filter(|tool| tool.does == Does::Ask);
    let tool = asking.next().map_or("", |tool| tool.name);
    let setting = Setting {
        limit_ms: None,
        random: clock::random(),
    };
    let meant = wording.read(tool, &call.json()?, &setting);
    let meant = meant.map_err(|refusal| {
        let problems = api::write_refusal(&refusal);
        Problem::new(Kind::Unfit, refusal.to_string()).naming(problems)
    })?;
    let Meant::Ask { ask, agent, .. } = meant else {
        return Err(Problem::new(Kind::Unfit, "this call asks nothing"));
    };
    let mut who = url::said(call.query.clone());
    who.client = Some(call.asked("client").unwrap_or(CLIENT).to_owned());
    let who = Asker {
        agent: agent.or(who.agent),
        ..who
    };
    let id = match call.retry_key() {
        Some(digest) => AskId::native(std::array::from_fn(|at| digest[at])),
        None => wording.id(clock::random()),
    };
    let now = clock::now();
    Ok(lifecycle::open(id, wording.name(), *ask, who, now))
}

/// Waits for an outcome, with white space until it comes.
pub async fn wait(web: &Web, call: &Call) -> Result<Response, Problem> {
    let record = find(web, call).await?;
    let client = web.shared.hub().await?.clone();
    // Also where nobody waits for it any more: a waiter that is known to none would stand for ever.
    let waiting = tokio::spawn(client.wait(record.id.as_str()));
    let waiting = waiting.await.map_err(anyhow::Error::from)??;
    let asked = record.asker.client.as_deref();
    let is_theirs = call.who == Who::Agent || asked == Some(call.asked("client").unwrap_or(CLIENT));
    let (pieces, coming) = mpsc::channel(1);
    tokio::spawn(attend(waiting, pieces, client, is_theirs));
    let connection = call.connection.clone();
    let coming = Coming { coming, connection };
    let mut response = Response::new(Body::from_stream(coming));
    reply::kind(&mut response, "application/json");
    Ok(response)
}

/// A part of a reply that is waited for.
enum Piece {
    Sign,
    Outcome(Bytes, Option<Underway>),
}

/// An outcome on its way to who waits for it. However that ends, the desk hears of it: what nobody has
/// taken would be on its way for ever, and be told to no other.
struct Underway {
    client: Client,
    told: Delivery,
    is_taken: bool,
}

impl Underway {
    fn new(client: Client, told: Delivery) -> Self {
        Self {
            client,
            told,
            is_taken: false,
        }
    }

    fn ends(mut self, is_taken: bool) {
        self.is_taken = is_taken;
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        let noted = note(self.client.clone(), self.told.clone(), self.is_taken);
        // Without a runtime the hub is about to end, and the next one knows of nothing underway.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(noted);
        }
    }
}

async fn attend(
    mut waiting: Waiting,
    pieces: mpsc::Sender<Piece>,
    client: Client,
    is_theirs: bool,
) {
    loop {
        let ended = tokio::select! {
            ended = timeout_at(Instant::now() + SIGN, waiting.outcome()) => ended,
            () = pieces.closed() => return,
        };
        let last = match ended {
            Err(_) => Piece::Sign,
            Ok(Ok(ended)) => {
                let text = json_text(&api::write_reply(&ended.record));
                let told = Delivery::from(&ended.record);
                let underway = match is_theirs {
                    true => Some(Underway::new(client.clone(), told)),
                    // Whoever only looks on takes no agent's answer away.
                    false => {
                        let _ = client.untold(&told.id).await;
                        None
                    }
                };
                Piece::Outcome(Bytes::from(text), underway)
            }
            // The connection breaks off, which is what has happened.
            Ok(Err(_)) => return,
        };
        let is_last = matches!(last, Piece::Outcome(..));
        if pieces.send(last).await.is_err() || is_last {
            return;
        }
    }
}

struct Coming {
    coming: mpsc::Receiver<Piece>,
    connection: Option<Connection>,
}

impl Stream for Coming {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = ready!(self.coming.poll_recv(context));
        Poll::Ready(piece.map(|piece| match piece {
            Piece::Sign => Ok(Bytes::from_static(b" ")),
            Piece::Outcome(text, underway) => {
                if let (Some(underway), Some(connection)) = (underway, &self.connection) {
                    connection.when_written(move |is_taken| underway.ends(is_taken));
                }
                Ok(text)
            }
        }))
    }
}

/// Notes whether an outcome has reached who waited for it.
async fn note(client: Client, told: Delivery, is_taken: bool) {
    // A hub that can't note it tells the outcome once more, which does no harm.
    let _ = match is_taken {
        true => client.delivered(told).await,
        false => client.untold(&told.id).await,
    };
}
