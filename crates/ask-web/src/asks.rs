//! Asks over HTTP: opened, looked at, and waited for.

use std::convert::Infallible;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ask_config::clock;
use ask_core::{AskId, Asker, Json, Record, lifecycle};
use ask_dialects::{Call as Meant, Dialect, Does, Setting};
use ask_hub::client::{Client, Delivery, Waiting};
use ask_hub::http::Client as Connection;
use ask_hub::http::caller;
use ask_hub::http::problem::{Kind, Problem};
use ask_hub::http::reply;
use ask_protocol::ipc::{Request, Response as Said, TakeUp};
use ask_protocol::{api, json_text};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_core::Stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::Web;
use super::call::Call;
use super::door::Who;

/// The client's name of an ask that was made here by somebody without one.
const CLIENT: &str = "http";

/// Between two signs of life to who waits.
const SIGN: Duration = Duration::from_secs(15);

/// The ask that a request is about. An agent has to know its whole id.
pub async fn find(web: &Web, call: &Call) -> Result<Record, Problem> {
    let id = call.part.clone();
    let record = match web.say(Request::Get { id }).await {
        Ok(Said::Record(record)) => Ok(Arc::unwrap_or_clone(record)),
        Ok(other) => Err(Problem::odd(&other)),
        Err(problem) => Err(problem),
    };
    let may = |record: &Record| call.who != Who::Agent || record.id.as_str() == call.part;
    match record {
        Ok(record) if may(&record) => Ok(record),
        Err(problem) if call.who != Who::Agent || problem.status().is_server_error() => {
            Err(problem)
        }
        // Nothing else is said: which beginnings of ids there are is not for agents.
        hidden => {
            let said = format!("no ask has the id \"{}\"", call.part);
            let problem = Problem::new(Kind::NotFound, said);
            Err(match hidden {
                Ok(_) => problem,
                Err(other) => problem.for_another(&other),
            })
        }
    }
}

/// An ask as whoever asks for it may know it. Its agent's look is a sign that it waits; once the ask
/// is closed, the agent is told by it.
pub async fn get(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let is_known = match record.is_waiting() {
        true => record.waiters > 0 && !web.shared.expected.is_due(&record.id),
        false => record.is_delivered(),
    };
    if call.who != Who::Agent || is_known {
        return Ok(reply::json(&shown(&call, &record)));
    }
    let client = web.shared.hub().await?;
    let waiting = client.wait(record.id.as_str()).await?;
    let (record, underway) = stands(&web, client, waiting).await?;
    Ok(given(&call, &shown(&call, &record), underway))
}

/// How an ask stands for its agent. While it waits the agent is expected to look again; after that,
/// how it ended is on its way there.
async fn stands(
    web: &Web,
    client: &Client,
    mut waiting: Waiting,
) -> Result<(Record, Option<Underway>), Problem> {
    if let Some(id) = waiting.id().cloned() {
        let record = client.get(id.as_str()).await?;
        if record.is_waiting() {
            web.shared.expected.leave_by_id(&id, waiting);
            return Ok((record, None));
        }
    }
    let record = waiting.outcome().await?.record;
    let underway = Underway::new(client.clone(), Delivery::from(&record));
    Ok((record, Some(underway)))
}

/// A reply that may hold an outcome.
fn given(call: &Call, value: &Json, underway: Option<Underway>) -> Response {
    let Some(underway) = underway else {
        return reply::json(value);
    };
    let (pieces, coming) = mpsc::channel(1);
    let text = Bytes::from(json_text(value));
    // There is room for one.
    let _ = pieces.try_send(Piece::Outcome(text, Some(underway)));
    coming_as(call, coming)
}

fn coming_as(call: &Call, coming: mpsc::Receiver<Piece>) -> Response {
    let connection = call.connection.clone();
    let mut response = Response::new(Body::from_stream(Coming { coming, connection }));
    reply::kind(&mut response, "application/json");
    response
}

fn shown(call: &Call, record: &Record) -> Json {
    match &call.who {
        Who::Nobody | Who::Agent => api::write_for_agent(record),
        Who::Program | Who::Page(_) | Who::Device(_) => {
            api::write_one(record, ask_dialects::reply_text(record).as_deref())
        }
    }
}

/// Opens an ask of a native call, or takes up the same one that was left behind.
pub async fn open(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    web.shared.limits().take(call.who.name(), clock::now())?;
    let mut asked = read(&call)?;
    if let Some(connection) = &call.connection {
        asked.asker.caller = connection.caller().await;
    }
    let client = web.shared.hub().await?;
    let taken = match web.taken.by(&asked.id) {
        Some(taken) => client.wait(taken.as_str()).await.ok(),
        None => None,
    };
    let waiting = match taken {
        Some(waiting) => waiting,
        None => client.ask(asked.clone(), TakeUp::Always).await?,
    };
    let (record, underway) = stands(&web, client, waiting).await?;
    if record.id != asked.id && call.retry_key().is_some() {
        web.taken.note(asked.id.clone(), record.id.clone());
    }
    let is_meant = match record.id == asked.id {
        // Another process may send it once more.
        true => {
            let caller = record.asker.caller.clone();
            let asker = Asker {
                caller,
                ..asked.asker.clone()
            };
            (&record.ask, &record.asker) == (&asked.ask, &asker)
        }
        false => lifecycle::is_same(&record, &asked),
    };
    if !is_meant {
        return Err(Problem::new(
            Kind::KeyReused,
            "this Idempotency-Key came with another ask before, and nobody was asked this: send a new key with each ask",
        ));
    }
    let mut response = given(&call, &shown(&call, &record), underway);
    *response.status_mut() = StatusCode::CREATED;
    if let Ok(place) = HeaderValue::from_str(&format!("/v1/asks/{}", record.id)) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

fn read(call: &Call) -> Result<Record, Problem> {
    let wording: &dyn Dialect = &ask_dialects::native::Native;
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
    if let Some(directory) = call.asked("directory")
        && !Path::new(directory).is_absolute()
    {
        let said = format!(
            "directory: must be a whole path in the query, as /srv/shop, not \"{directory}\"; the hub works elsewhere"
        );
        return Err(Problem::new(Kind::Malformed, said));
    }
    let mut who = caller::said(call.query.clone());
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
pub async fn wait(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let client = web.shared.hub().await?.clone();
    let waiting = client.wait(record.id.as_str()).await?;
    let asked = record.asker.client.as_deref();
    let is_theirs = call.who == Who::Agent || asked == Some(call.asked("client").unwrap_or(CLIENT));
    let (pieces, coming) = mpsc::channel(1);
    tokio::spawn(attend(waiting, pieces, client, is_theirs));
    Ok(coming_as(&call, coming))
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
