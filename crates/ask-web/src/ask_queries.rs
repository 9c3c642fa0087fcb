//! Asks over HTTP: opening, reading, and waiting for the outcome.

use std::convert::Infallible;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ask_config::clock;
use ask_core::{AskId, Asker, Caller, Record, lifecycle};
use ask_dialects::{Call as Meant, Dialect, Setting, ToolAction};
use ask_hub::client::{Client, Delivery, Waiter};
use ask_hub::http::Client as Connection;
use ask_hub::http::caller;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_protocol::api::{self, AskedBy, RecordView, WaitedBy};
use ask_protocol::ipc::{Request, Response as Said, TakeUp};
use ask_protocol::json_text;
use ask_protocol::native::Outcome;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_core::Stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::Web;
use super::auth::Sender;
use super::openapi::{NoAsk, TooOften, UnfitAsk};
use super::request::{self, AskCall, Attempt, Call};

/// The client name of an ask without one.
const CLIENT: &str = "http";

/// The interval of white space in the response to a waiting caller.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The ask of a request. An agent has to give its whole id.
///
/// # Errors
/// The ask doesn't exist. An agent gets the same problem for an incomplete id.
pub(crate) async fn find(web: &Web, call: &Call) -> Result<Record, Problem> {
    let id = call.part.clone();
    let record = match web.say(Request::Get { id }).await {
        Ok(Said::Record(record)) => Ok(Arc::unwrap_or_clone(record)),
        Ok(other) => Err(Problem::unexpected_response(&other)),
        Err(problem) => Err(problem),
    };
    let may = |record: &Record| call.who != Sender::Agent || record.id.as_str() == call.part;
    match record {
        Ok(record) if may(&record) => Ok(record),
        Err(problem) if call.who != Sender::Agent || problem.status().is_server_error() => {
            Err(problem)
        }
        // An agent must not learn which beginnings of ids exist.
        hidden => {
            let said = format!("no ask has the id \"{}\"", call.part);
            let problem = Problem::new(ProblemKind::NotFound, said);
            Err(match hidden {
                Ok(_) => problem,
                Err(other) => problem.counted_like(&other),
            })
        }
    }
}

/// Get one ask
///
/// An agent needs the whole id and gets no drafts. Its request counts as waiting, and delivers the
/// outcome of a closed ask.
#[utoipa::path(
    get,
    path = "/v1/asks/{id}",
    params(request::AskId),
    responses((status = 200, description = "Done", body = RecordView<'static>), NoAsk)
)]
pub(crate) async fn get(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let record = find(&web, &call).await?;
    let is_known = match record.is_open() {
        true => record.waiters > 0 && !web.shared.polling_agents.is_due(&record.id),
        false => record.is_delivered(),
    };
    if call.who != Sender::Agent || is_known {
        return Ok(reply::json(&view(&call.who, &record)));
    }
    let client = web.shared.hub().await?;
    let waiting = client.wait(record.id.as_str()).await?;
    let (record, underway) = stands(&web, client, waiting).await?;
    Ok(given(&call, &view(&call.who, &record), underway))
}

/// The record for its agent. An open ask is marked as waited for before the agent gets its
/// response; a closed one is returned with its delivery.
async fn stands(
    web: &Web,
    client: &Client,
    mut waiting: Waiter,
) -> Result<(Record, Option<Underway>), Problem> {
    while let Some(id) = waiting.id().cloned() {
        web.shared.polling_agents.leave_by_id(&id, waiting);
        let record = client.get(id.as_str()).await?;
        if record.is_open() {
            return Ok((record, None));
        }
        // The ask was closed at this moment.
        waiting = client.wait(id.as_str()).await?;
    }
    let record = waiting.outcome().await?.record;
    let underway = Underway::new(client.clone(), Delivery::from(&record));
    Ok((record, Some(underway)))
}

/// A response that may contain an outcome.
fn given(call: &Call, value: &RecordView<'_>, underway: Option<Underway>) -> Response {
    let Some(underway) = underway else {
        return reply::json(value);
    };
    let (pieces, coming) = mpsc::channel(1);
    let text = Bytes::from(json_text(value));
    // The channel has room for one piece.
    let _ = pieces.try_send(Piece::Outcome(text, Some(underway)));
    coming_as(call, coming)
}

fn coming_as(call: &Call, coming: mpsc::Receiver<Piece>) -> Response {
    let connection = call.connection.clone();
    let mut response = Response::new(Body::from_stream(BodyStream { coming, connection }));
    reply::set_content_type(&mut response, "application/json");
    response
}

/// The parts of an ask that this requester may see.
pub(crate) fn view<'a>(who: &Sender, record: &'a Record) -> RecordView<'a> {
    match who {
        Sender::Nobody | Sender::Agent => RecordView::for_agent(record),
        Sender::Program | Sender::Page(_) | Sender::Device(_) => {
            RecordView::whole(record, ask_dialects::reply_text(record))
        }
    }
}

/// Open an ask, or continue an equal one that its agent left behind
///
/// If the equal one is answered, the response has its answer. A repeated request with the same
/// Idempotency-Key finds the same ask.
#[utoipa::path(
    post,
    path = "/v1/asks",
    params(AskedBy, Attempt),
    request_body = api::Call,
    responses((
            status = 201,
            description = "Done",
            body = RecordView<'static>,
            headers(("Location" = String, description = "Where the ask is")),
        ), UnfitAsk, TooOften)
)]
pub(crate) async fn open(
    State(web): State<Arc<Web>>,
    AskCall(call): AskCall,
) -> Result<Response, Problem> {
    let caller = match &call.connection {
        Some(connection) => connection.caller().await,
        None => None,
    };
    let share = caller.as_ref().map(Caller::share);
    let limits = web.shared.limits();
    limits.count_ask(call.who.name(), share.as_deref(), clock::now())?;
    let mut asked = read(&call)?;
    asked.asker.caller = caller;
    let client = web.shared.hub().await?;
    let taken = match web.taken.ask_of(&asked.id) {
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
        // Another process may repeat the request.
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
            ProblemKind::KeyReused,
            "This Idempotency-Key belongs to a different ask. Nothing was asked; send a new key.",
        ));
    }
    let mut response = given(&call, &view(&call.who, &record), underway);
    *response.status_mut() = StatusCode::CREATED;
    if let Ok(place) = HeaderValue::from_str(&format!("/v1/asks/{}", record.id)) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response)
}

fn read(call: &Call) -> Result<Record, Problem> {
    // The query parameters of a call differ from those of a list.
    request::single_parameter(&api::names_of::<AskedBy>(), &call.query, "")?;
    let wording: &dyn Dialect = &ask_dialects::native::Native;
    let tools = wording.tools().iter();
    let mut asking = tools.filter(|tool| tool.does == ToolAction::Ask);
    let tool = asking.next().map_or("", |tool| tool.name);
    let setting = Setting {
        limit_ms: None,
        random: clock::random(),
    };
    let meant = wording.read(tool, &api::read_call(&call.body)?, &setting);
    let meant = meant.map_err(|refusal| {
        let problems = api::of_refusal(&refusal);
        Problem::new(ProblemKind::InvalidAsk, refusal.to_string()).with_problems(problems)
    })?;
    let Meant::Ask { ask, agent, .. } = meant else {
        return Err(Problem::new(
            ProblemKind::InvalidAsk,
            "this call asks nothing",
        ));
    };
    if let Some(directory) = call.asked("directory")
        && !Path::new(directory).is_absolute()
    {
        let said = format!(
            "directory: must be a whole path in the query, as /srv/shop, not \"{directory}\"; the hub works elsewhere"
        );
        return Err(Problem::new(ProblemKind::Malformed, said));
    }
    let mut who = caller::asker_from_query(call.query.iter().cloned().collect());
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

/// Wait for the outcome; until then the response sends white space
#[utoipa::path(
    get,
    path = "/v1/asks/{id}/wait",
    params(request::AskId, WaitedBy),
    responses((status = 200, description = "Done", body = Outcome<'static>), NoAsk)
)]
pub(crate) async fn wait(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let WaitedBy { client: named } = call.only("")?;
    let record = find(&web, &call).await?;
    let client = web.shared.hub().await?.clone();
    let waiting = client.wait(record.id.as_str()).await?;
    let asked = record.asker.client.as_deref();
    let is_theirs = call.who == Sender::Agent || (named.is_some() && named.as_deref() == asked);
    let (pieces, coming) = mpsc::channel(1);
    tokio::spawn(wait_for_outcome(waiting, pieces, client, is_theirs));
    Ok(coming_as(&call, coming))
}

/// A piece of a response in progress.
enum Piece {
    Sign,
    Outcome(Bytes, Option<Underway>),
}

/// An outcome on its way to its waiter. Dropping it reports the delivery or its failure to the hub:
/// otherwise the outcome would stay in flight for ever, and no other caller would get it.
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
        // Without a runtime the hub is ending, and the next hub has no delivery in flight.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(noted);
        }
    }
}

async fn wait_for_outcome(
    mut waiting: Waiter,
    pieces: mpsc::Sender<Piece>,
    client: Client,
    is_theirs: bool,
) {
    loop {
        let ended = tokio::select! {
            ended = timeout_at(Instant::now() + KEEP_ALIVE, waiting.outcome()) => ended,
            () = pieces.closed() => return,
        };
        let last = match ended {
            Err(_) => Piece::Sign,
            Ok(Ok(ended)) => {
                let text = json_text(&Outcome::of_record(&ended.record));
                let told = Delivery::from(&ended.record);
                let underway = match is_theirs {
                    true => Some(Underway::new(client.clone(), told)),
                    // A viewer's wait doesn't deliver the outcome to the agent.
                    false => {
                        // If the hub can't be reached, it has no delivery in flight.
                        let _ = client.not_delivered(&told.id).await;
                        None
                    }
                };
                Piece::Outcome(Bytes::from(text), underway)
            }
            // The response is cut off, as the wait was.
            Ok(Err(_)) => return,
        };
        let is_last = matches!(last, Piece::Outcome(..));
        if pieces.send(last).await.is_err() || is_last {
            return;
        }
    }
}

struct BodyStream {
    coming: mpsc::Receiver<Piece>,
    connection: Option<Connection>,
}

impl Stream for BodyStream {
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

/// Reports to the hub whether an outcome has reached its waiter.
async fn note(client: Client, told: Delivery, is_taken: bool) {
    // If the hub can't record it, the outcome is delivered again, which does no harm.
    let _ = match is_taken {
        true => client.delivered(told).await,
        false => client.not_delivered(&told.id).await,
    };
}
