//! Asks over HTTP: opening, reading, and waiting for the outcome.

use std::convert::Infallible;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ask_config::{clock, process};
use ask_core::{AskId, Asker, Caller, Record, lifecycle};
use ask_dialects::{Call as AgentCall, Dialect, Setting, ToolAction};
use ask_hub::client::{Client, Delivery, Waiter};
use ask_hub::http::Client as Connection;
use ask_hub::http::caller;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_protocol::api::{self, AskedBy, RecordView, WaitResponse, WaitedBy};
use ask_protocol::ipc::{Request, Response as HubResponse, TakeUp};
use ask_protocol::json_text;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_core::Stream;
use sha2::{Digest as _, Sha256};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::Web;
use super::auth::Requester;
use super::openapi::{AskNotFound, AskRefused, RateLimited};
use super::request::{self, ApiRequest, IdempotencyKey, OpenRequest};

/// The client name of asks that come without one.
const DEFAULT_CLIENT: &str = "http";

/// The interval of white space in a response that waits.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Gets the ask that a request names. An agent has to send the whole id.
///
/// # Errors
/// The ask doesn't exist. An agent gets the same problem for an incomplete id.
pub(crate) async fn find(web: &Web, request: &ApiRequest) -> Result<Record, Problem> {
    let id = request.path_parameter.clone();
    let record = match web.send(Request::Get { id }).await {
        Ok(HubResponse::Record(record)) => Ok(Arc::unwrap_or_clone(record)),
        Ok(other) => Err(Problem::unexpected_response(&other)),
        Err(problem) => Err(problem),
    };
    let is_permitted = |record: &Record| {
        request.requester != Requester::Agent || record.id.as_str() == request.path_parameter
    };
    match record {
        Ok(record) if is_permitted(&record) => Ok(record),
        Err(problem)
            if request.requester != Requester::Agent || problem.status().is_server_error() =>
        {
            Err(problem)
        }
        // An agent must not find out which ids begin like this.
        hidden => {
            let message = format!("no ask has the id \"{}\"", request.path_parameter);
            let problem = Problem::new(ProblemKind::NotFound, message);
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
    params(request::AskIdPath),
    responses((status = 200, description = "Done", body = RecordView<'static>), AskNotFound)
)]
pub(crate) async fn get(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let record = find(&web, &request).await?;
    let needs_no_wait = if record.is_open() {
        record.waiters > 0 && !web.shared.polling_agents.is_due(&record.id)
    } else {
        record.is_delivered()
    };
    if request.requester != Requester::Agent || needs_no_wait {
        return Ok(reply::json(&view(&request.requester, &record)));
    }
    let client = web.shared.hub().await?;
    let waiter = client.wait(record.id.as_str()).await?;
    let (record, delivery) = start_wait(&web, client, waiter).await?;
    Ok(outcome_response(
        &request,
        &view(&request.requester, &record),
        delivery,
    ))
}

/// Makes a request count as waiting, and returns the record for its agent: of an open ask, or of a
/// closed one with the delivery of its outcome.
async fn start_wait(
    web: &Web,
    client: &Client,
    mut waiter: Waiter,
) -> Result<(Record, Option<InFlightDelivery>), Problem> {
    while let Some(id) = waiter.id().cloned() {
        web.shared.polling_agents.leave_by_id(&id, waiter);
        let record = client.get(id.as_str()).await?;
        if record.is_open() {
            return Ok((record, None));
        }
        // The ask was closed meanwhile.
        waiter = client.wait(id.as_str()).await?;
    }
    let record = waiter.outcome().await?.record;
    let delivery = InFlightDelivery::new(client.clone(), Delivery::from(&record));
    Ok((record, Some(delivery)))
}

/// A response with a record, whose delivery is reported if it contains an outcome.
fn outcome_response(
    request: &ApiRequest,
    value: &RecordView<'_>,
    delivery: Option<InFlightDelivery>,
) -> Response {
    let Some(delivery) = delivery else {
        return reply::json(value);
    };
    let (chunks, receiver) = mpsc::channel(1);
    let text = Bytes::from(json_text(value));
    // The channel has capacity for one chunk, so this can't fail.
    let _ = chunks.try_send(BodyChunk::Outcome(text, Some(delivery)));
    stream_response(request, receiver)
}

/// A response whose body another task sends.
fn stream_response(request: &ApiRequest, receiver: mpsc::Receiver<BodyChunk>) -> Response {
    let connection = request.connection.clone();
    let mut response = Response::new(Body::from_stream(OutcomeBody {
        receiver,
        connection,
    }));
    reply::set_content_type(&mut response, "application/json");
    response
}

/// The parts of a record that this requester may see.
pub(crate) fn view<'a>(requester: &Requester, record: &'a Record) -> RecordView<'a> {
    match requester {
        Requester::Unknown | Requester::Agent => RecordView::for_agent(record),
        Requester::Program | Requester::Page(_) | Requester::Device(_) => {
            RecordView::whole(record, ask_dialects::reply_text(record))
        }
    }
}

/// Open an ask, or take up an equal one that its agent left
///
/// If the equal one is answered, the response has its answer. A repeated request with the same
/// Idempotency-Key finds the same ask.
#[utoipa::path(
    post,
    path = "/v1/asks",
    params(AskedBy, IdempotencyKey),
    request_body = api::Call,
    responses((
            status = 201,
            description = "Done",
            body = RecordView<'static>,
            headers(("Location" = String, description = "The path of the ask")),
        ), AskRefused, RateLimited)
)]
pub(crate) async fn open(
    State(web): State<Arc<Web>>,
    OpenRequest(request): OpenRequest,
) -> Result<Response, Problem> {
    let caller = match &request.connection {
        Some(connection) => connection.caller().await,
        None => None,
    };
    let share = caller.as_ref().map(Caller::share);
    let limits = web.shared.limits();
    limits.count_ask(request.requester.name(), share.as_deref(), clock::now())?;
    let mut new = parse_ask(&web, &request)?;
    new.asker.caller = caller;
    let client = web.shared.hub().await?;
    let taken_up = match web.take_ups.find(&new.id) {
        Some(taken_up) => client.wait(taken_up.as_str()).await.ok(),
        None => None,
    };
    let waiter = match taken_up {
        Some(waiter) => waiter,
        None => client.ask(new.clone(), TakeUp::Always).await?,
    };
    let (record, delivery) = start_wait(&web, client, waiter).await?;
    if record.id != new.id && request.retry_key().is_some() {
        web.take_ups.record(new.id.clone(), record.id.clone());
    }
    let is_same = if request.retry_key().is_some() && is_of_another_program(&record, &new) {
        false
    } else if record.id == new.id {
        // Another process may repeat the request.
        let caller = record.asker.caller.clone();
        let asker = Asker {
            caller,
            ..new.asker.clone()
        };
        (&record.ask, &record.asker) == (&new.ask, &asker)
    } else {
        lifecycle::is_same(&record, &new)
    };
    if !is_same {
        return Err(Problem::new(
            ProblemKind::KeyReused,
            "This Idempotency-Key belongs to a different ask. Nothing was asked; send a new key.",
        ));
    }
    let mut response = outcome_response(&request, &view(&request.requester, &record), delivery);
    *response.status_mut() = StatusCode::CREATED;
    if let Ok(path) = HeaderValue::from_str(&format!("/v1/asks/{}", record.id)) {
        response.headers_mut().insert(header::LOCATION, path);
    }
    Ok(response)
}

/// Whether another program that still runs has asked this. Its key is not meant then: a request is
/// repeated by the same program, or after that has ended.
fn is_of_another_program(record: &Record, new: &Record) -> bool {
    let callers = record.asker.caller.as_ref().zip(new.asker.caller.as_ref());
    let is_of_other_agent =
        callers.is_some_and(|(theirs, ours)| theirs.is_of_other_agent(ours, process::runs));
    let process = |record: &Record| record.asker.caller.as_ref()?.process;
    let theirs = process(record);
    theirs != process(new) && (is_of_other_agent || theirs.is_some_and(process::runs))
}

/// Parses the body and the query of a request that opens an ask.
fn parse_ask(web: &Web, request: &ApiRequest) -> Result<Record, Problem> {
    // Unlike a list's, these parameters may be empty.
    request::check_parameters(&api::names_of::<AskedBy>(), &request.query, "")?;
    let dialect: &dyn Dialect = &ask_dialects::native::Native;
    let tools = dialect.tools().iter();
    let mut ask_tools = tools.filter(|tool| tool.does == ToolAction::Ask);
    let tool = ask_tools.next().map_or("", |tool| tool.name);
    let setting = Setting { limit_ms: None };
    let parsed = dialect.read(tool, &api::read_call(&request.body)?, &setting);
    let parsed = parsed.map_err(|refusal| {
        let problems = api::of_refusal(&refusal);
        Problem::new(ProblemKind::InvalidAsk, refusal.to_string()).with_problems(problems)
    })?;
    let AgentCall::Ask { ask, agent, .. } = parsed else {
        return Err(Problem::new(
            ProblemKind::InvalidAsk,
            "this call asks nothing: send a list of questions",
        ));
    };
    if let Some(directory) = request.query_value("directory")
        && !Path::new(directory).is_absolute()
    {
        let message = format!(
            "directory: must be an absolute path, such as /srv/shop, not \"{directory}\": the hub runs in another folder"
        );
        return Err(Problem::new(ProblemKind::Malformed, message));
    }
    let mut asker = caller::asker_from_query(request.query.iter().cloned().collect());
    asker.client = Some(
        request
            .query_value("client")
            .unwrap_or(DEFAULT_CLIENT)
            .to_owned(),
    );
    let asker = Asker {
        agent: agent.or(asker.agent),
        ..asker
    };
    let id = match request.retry_key() {
        Some(digest) => id_of_key(web, digest),
        None => dialect.id(clock::random()),
    };
    let now = clock::now();
    Ok(lifecycle::open(id, dialect.name(), *ask, asker, now))
}

/// The id of an ask that was sent with this digest of an Idempotency-Key. Agents are given answers by
/// the whole id, so nobody may find it out from the key: the answer token is part of it.
fn id_of_key(web: &Web, digest: [u8; 32]) -> AskId {
    let secret = web.tokens.as_ref().map(|(_, answering)| answering.as_str());
    let id = Sha256::new()
        .chain_update(secret.unwrap_or_default())
        .chain_update(digest)
        .finalize();
    AskId::native(std::array::from_fn(|at| id[at]))
}

/// Wait for the outcome; until then the response sends white space
#[utoipa::path(
    get,
    path = "/v1/asks/{id}/wait",
    params(request::AskIdPath, WaitedBy),
    responses((status = 200, description = "Done", body = WaitResponse<'static>), AskNotFound)
)]
pub(crate) async fn wait(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let WaitedBy {
        client: waiting_client,
    } = request.unfiltered_query("")?;
    let record = find(&web, &request).await?;
    let client = web.shared.hub().await?.clone();
    let waiter = client.wait(record.id.as_str()).await?;
    let asking_client = record.asker.client.as_deref();
    let is_agent = request.requester == Requester::Agent
        || (waiting_client.is_some() && waiting_client.as_deref() == asking_client);
    let (chunks, receiver) = mpsc::channel(1);
    tokio::spawn(wait_for_outcome(waiter, chunks, client, is_agent));
    Ok(stream_response(&request, receiver))
}

/// A chunk of a response body.
enum BodyChunk {
    KeepAlive,
    Outcome(Bytes, Option<InFlightDelivery>),
}

/// An outcome that is being sent to its waiter. Dropping this reports the delivery or its failure to
/// the hub. Otherwise, the outcome would stay in flight forever, and no other caller would get it.
struct InFlightDelivery {
    client: Client,
    delivery: Delivery,
    is_acknowledged: bool,
}

impl InFlightDelivery {
    fn new(client: Client, delivery: Delivery) -> Self {
        Self {
            client,
            delivery,
            is_acknowledged: false,
        }
    }

    fn finish(mut self, is_acknowledged: bool) {
        self.is_acknowledged = is_acknowledged;
    }
}

impl Drop for InFlightDelivery {
    fn drop(&mut self) {
        let report = report_delivery(
            self.client.clone(),
            self.delivery.clone(),
            self.is_acknowledged,
        );
        // Without a runtime, the hub is ending, and the next hub has no delivery in flight.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(report);
        }
    }
}

/// Sends chunks of a response until it has the outcome.
async fn wait_for_outcome(
    mut waiter: Waiter,
    chunks: mpsc::Sender<BodyChunk>,
    client: Client,
    is_agent: bool,
) {
    loop {
        let ended = tokio::select! {
            ended = timeout_at(Instant::now() + KEEP_ALIVE, waiter.outcome()) => ended,
            () = chunks.closed() => return,
        };
        let chunk = match ended {
            Err(_) => BodyChunk::KeepAlive,
            Ok(Ok(ended)) => {
                let text = json_text(&WaitResponse::of_record(&ended.record));
                let delivery = Delivery::from(&ended.record);
                let delivery = if is_agent {
                    Some(InFlightDelivery::new(client.clone(), delivery))
                } else {
                    // Somebody else's wait doesn't deliver the outcome to the agent. If the hub can't
                    // be reached, it has no delivery in flight.
                    let _ = client.not_delivered(&delivery.id).await;
                    None
                };
                BodyChunk::Outcome(Bytes::from(text), delivery)
            }
            // The incomplete response tells the client that the wait failed.
            Ok(Err(_)) => return,
        };
        let is_last = matches!(chunk, BodyChunk::Outcome(..));
        if chunks.send(chunk).await.is_err() || is_last {
            return;
        }
    }
}

struct OutcomeBody {
    receiver: mpsc::Receiver<BodyChunk>,
    connection: Option<Connection>,
}

impl Stream for OutcomeBody {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = ready!(self.receiver.poll_recv(context));
        Poll::Ready(chunk.map(|chunk| match chunk {
            BodyChunk::KeepAlive => Ok(Bytes::from_static(b" ")),
            BodyChunk::Outcome(text, delivery) => {
                if let (Some(delivery), Some(connection)) = (delivery, &self.connection) {
                    connection
                        .when_written(move |is_acknowledged| delivery.finish(is_acknowledged));
                }
                Ok(text)
            }
        }))
    }
}

/// Reports to the hub whether an outcome has reached its waiter.
async fn report_delivery(client: Client, delivery: Delivery, is_acknowledged: bool) {
    // If the hub can't record it, the outcome is delivered again, which does no harm.
    let _ = if is_acknowledged {
        client.delivered(delivery).await
    } else {
        client.not_delivered(&delivery.id).await
    };
}
