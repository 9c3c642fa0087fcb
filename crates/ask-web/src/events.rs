//! Server-sent events (HTML Living Standard, section 9.2). Each stream has its own client of the hub,
//! so that it counts as a surface while it is open, if its person can answer there.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ask_config::clock;
use ask_config::i18n::Language;
use ask_core::devices::Permission;
use ask_core::{AskId, Record};
use ask_hub::client::{AskListing, Client, Push};
use ask_hub::http::problem::Problem;
use ask_hub::http::reply;
use ask_hub::surface::previous_answers;
use ask_protocol::api::{self, Asks, Event, Gone, Hello, RecordView};
use ask_protocol::ipc::{Change, Changed, Day};
use ask_protocol::json_text;
use ask_protocol::native::Pairing;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, timeout_at};

use super::auth::{self, Requester};
use super::history::ChunkedBody;
use super::openapi::LimitReached;
use super::pairing::PairingService;
use super::request::ApiRequest;
use super::{Web, assets};

/// The interval of comments on a silent stream.
const PING: Duration = Duration::from_secs(15);

/// The reconnection time that the client should use, in milliseconds.
const RETRY_MS: u64 = 2_000;

/// If there are more asks than this, the most urgent ones are sent first, and then all. No window is
/// high enough to show more.
pub(crate) const FIRST_ASKS: u64 = 40;

/// How many chunks are queued for a slow client; then its stream waits.
const MAX_QUEUED: usize = 2;

/// How many streams a session or token may have open.
const MAX_PER_SESSION: usize = 64;

/// A session's streams serialize lists longer than this one after the other. The next one begins when
/// the client has read the previous one.
const LONG_BYTES: usize = 1 << 20;

/// Changes are sent in batches of about this many bytes.
const BATCH_BYTES: usize = 64 * 1024;

/// The `Retry-After` for a refused stream, in seconds.
const RETRY_AFTER_S: u64 = 15;

/// The open streams of all sessions.
#[derive(Clone, Default)]
pub(crate) struct EventStreams(Arc<Mutex<Vec<EventListener>>>);

struct EventListener {
    session: String,
    client: Client,
    chunks: mpsc::WeakSender<std::io::Result<Bytes>>,
    end: Arc<Notify>,
    /// Permits one stream of the session at a time to serialize a whole list.
    turn: Arc<Semaphore>,
}

impl EventListener {
    fn is_open(&self) -> bool {
        self.chunks
            .upgrade()
            .is_some_and(|chunks| !chunks.is_closed())
    }
}

impl EventStreams {
    /// The hub clients of a session's streams.
    pub(crate) fn clients_of(&self, session: &str) -> Vec<Client> {
        let all = self.lock_open();
        let theirs = all.iter().filter(|one| one.session == session);
        theirs.map(|one| one.client.clone()).collect()
    }

    /// Ends the streams of a session.
    pub(crate) fn end(&self, session: &str) {
        let mut all = self.lock_all();
        all.iter()
            .filter(|one| one.session == session)
            .for_each(|one| one.end.notify_one());
        all.retain(|one| one.session != session);
    }

    /// The number of open streams.
    pub(crate) fn count(&self) -> usize {
        self.lock_open().len()
    }

    /// Adds a stream. Returns the semaphore that it shares with other streams of its session; `None`
    /// if the session has as many as it may have.
    fn add(&self, mut listener: EventListener) -> Option<Arc<Semaphore>> {
        let mut all = self.lock_open();
        let theirs = all.iter().filter(|one| one.session == listener.session);
        let theirs: Vec<&EventListener> = theirs.collect();
        if theirs.len() >= MAX_PER_SESSION {
            return None;
        }
        if let Some(other) = theirs.first() {
            listener.turn = Arc::clone(&other.turn);
        }
        let turn = Arc::clone(&listener.turn);
        all.push(listener);
        Some(turn)
    }

    /// Locks the list, without streams that have ended.
    fn lock_open(&self) -> MutexGuard<'_, Vec<EventListener>> {
        let mut all = self.lock_all();
        all.retain(EventListener::is_open);
        all
    }

    fn lock_all(&self) -> MutexGuard<'_, Vec<EventListener>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stream every change as server-sent events; each is an `event` with its `data` as JSON
#[utoipa::path(
    get,
    path = "/v1/events",
    operation_id = "events",
    params(
        ("page" = Option<String>, Query, description = "The version of the page that listens, from `hello`"),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that the client received. The stream continues after it"),
    ),
    responses((status = 200, description = "Done", body = Event<'static>, content_type = "text/event-stream"), LimitReached)
)]
pub(crate) async fn stream(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let client = web.shared.connect().await?;
    let (chunks, receiver) = mpsc::channel(MAX_QUEUED);
    let end = Arc::new(Notify::new());
    let added = web.streams.add(EventListener {
        session: request.requester.name().to_owned(),
        client: client.clone(),
        chunks: chunks.downgrade(),
        end: Arc::clone(&end),
        turn: Arc::new(Semaphore::new(1)),
    });
    let Some(turn) = added else {
        let message = format!(
            "{MAX_PER_SESSION} streams of events are open with this token or session: close some"
        );
        return Err(Problem::too_many(message, RETRY_AFTER_S));
    };
    let client = client.for_sender(request.sender(&web).await);
    // Checked after the stream was added: if the session ends later, it ends this stream, and if it
    // ended before, the request is refused here.
    auth::check_access_lasts(&web, request.origin, &request.requester)?;
    let last = request.header("last-event-id");
    let stream = EventStream {
        client,
        chunks,
        turn,
        known: HashSet::new(),
        cursor: last.and_then(|text| text.trim().parse().ok()),
        day: None,
        pairing_service: Arc::clone(&web.pairing_service),
        sees_pairing: request.origin.is_local(),
        may_answer: match &request.requester {
            Requester::Unknown | Requester::Agent => false,
            Requester::Program | Requester::Page(_) => true,
            Requester::Device(device) => device.may == Permission::Answer,
        },
    };
    let language = web.shared.config().language.map(Language::code);
    let mut first = format!("retry: {RETRY_MS}\n");
    let version = ask_hub::version();
    let access = request.client_access();
    let hello = Hello::new(&version, assets::version(), language, clock::now(), &access);
    first.push_str(&api::write_event("hello", None, &hello));
    if request
        .query_value("page")
        .is_some_and(|page| page != assets::version())
    {
        first.push_str(&api::write_event("reload", None, &hello));
    }
    let streams = web.streams.clone();
    tokio::spawn(async move {
        stream.run(first, end).await;
        // A stream's client counts as a surface, so it must be dropped at once.
        drop(streams.lock_open());
    });
    let mut response = Response::new(Body::from_stream(ChunkedBody(receiver)));
    reply::set_content_type(&mut response, "text/event-stream");
    Ok(response)
}

struct EventStream {
    client: Client,
    chunks: mpsc::Sender<std::io::Result<Bytes>>,
    turn: Arc<Semaphore>,
    /// The open asks that the stream has sent.
    known: HashSet<AskId>,
    /// The number of the last change that was sent.
    cursor: Option<u64>,
    day: Option<Day>,
    pairing_service: Arc<PairingService>,
    /// Whether to send the pairing state, which is only for this computer.
    sees_pairing: bool,
    /// Whether the person can answer with this session.
    may_answer: bool,
}

/// The error that ends the stream.
struct StreamEnded;

/// A long chunk, and the permit of its stream, which is released when the client has read the chunk.
struct LongChunk {
    text: String,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for LongChunk {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

/// Serializes a whole list as one event, on a blocking thread so that the hub can serve others
/// meanwhile.
async fn snapshot(listing: AskListing, id: Option<u64>) -> Result<String, StreamEnded> {
    let serialize = move || {
        let value = Asks::waiting(&listing.records, listing.cursor, clock::now(), listing.day);
        api::write_event("snapshot", id, &value)
    };
    tokio::task::spawn_blocking(serialize)
        .await
        .map_err(|_| StreamEnded)
}

impl EventStream {
    async fn run(mut self, first: String, end: Arc<Notify>) {
        // The computer's page shows which devices are connected.
        let pairing_service = Arc::clone(&self.pairing_service);
        let is_local = self.sees_pairing;
        let notify = || (!is_local).then(|| pairing_service.notify_watchers());
        notify();
        let chunks = self.chunks.clone();
        // Whatever ends the stream, a page that still has access reconnects.
        tokio::select! {
            _ = self.serve(first) => {}
            () = end.notified() => {}
            // The page is gone, so unfinished work for it is dropped.
            () = chunks.closed() => {}
        }
        drop((self, chunks));
        notify();
    }

    /// Sends the list of asks, and then every change.
    async fn serve(&mut self, first: String) -> Result<(), StreamEnded> {
        let mut pairing = self.pairing_service.watch();
        pairing.mark_unchanged();
        self.send_text(first).await?;
        let mut permit = None;
        if self.cursor.is_none() {
            permit = self.send_most_urgent().await?;
        }
        let subscription = match self.cursor {
            Some(cursor) => self.client.subscribe_after(cursor, !self.may_answer),
            None if self.may_answer => self.client.subscribe(),
            None => self.client.subscribe_viewer(),
        };
        self.send_pairing().await?;
        // Changes that need no event must not postpone the comment, which detects that a page is gone.
        let mut ping = Instant::now() + PING;
        loop {
            let push = tokio::select! {
                Ok(()) = pairing.changed(), if self.sees_pairing => {
                    self.send_pairing().await?;
                    continue;
                }
                push = timeout_at(ping, subscription.next()) => push,
            };
            match push {
                Err(_) => {
                    self.send_text(": ping\n\n".to_owned()).await?;
                    ping = Instant::now() + PING;
                }
                Ok(Push::All(listing)) => {
                    let listing = previous_answers::with_expired(&self.client, listing).await;
                    let permit = match permit.take() {
                        Some(permit) => permit,
                        None => self.take_turn().await?,
                    };
                    self.send_list(listing.map_err(|_| StreamEnded)?, permit)
                        .await?;
                }
                Ok(Push::Changed(changes)) => self.send_changes(&changes).await?,
            }
        }
    }

    /// Sends the most urgent asks. Returns `None` if these are all. Otherwise the whole list has to
    /// follow, and the returned permit is for it. No cursor is set until then, so a client that is
    /// disconnected before starts again.
    async fn send_most_urgent(&mut self) -> Result<Option<OwnedSemaphorePermit>, StreamEnded> {
        let permit = self.take_turn().await?;
        let listing = self
            .client
            .most_urgent(FIRST_ASKS)
            .await
            .map_err(|_| StreamEnded)?;
        if listing.day.more > 0 {
            self.send_text(snapshot(listing, None).await?).await?;
            return Ok(Some(permit));
        }
        let listing = previous_answers::with_expired(&self.client, listing).await;
        self.send_list(listing.map_err(|_| StreamEnded)?, permit)
            .await?;
        Ok(None)
    }

    /// Waits until no other stream of the session serializes a list.
    async fn take_turn(&self) -> Result<OwnedSemaphorePermit, StreamEnded> {
        let permit = Arc::clone(&self.turn).acquire_owned().await;
        permit.map_err(|_| StreamEnded)
    }

    /// Sends a whole list.
    async fn send_list(
        &mut self,
        listing: AskListing,
        permit: OwnedSemaphorePermit,
    ) -> Result<(), StreamEnded> {
        let waiting = listing.records.iter().filter(|record| record.is_open());
        self.known = waiting.map(|record| record.id.clone()).collect();
        self.cursor = Some(listing.cursor);
        self.day = Some(listing.day);
        let text = snapshot(listing, self.cursor).await?;
        if text.len() > LONG_BYTES {
            let long = LongChunk {
                text,
                _permit: permit,
            };
            self.send(Bytes::from_owner(long)).await
        } else {
            self.send_text(text).await
        }
    }

    /// Sends an event for each change.
    async fn send_changes(&mut self, changes: &[Arc<Change>]) -> Result<(), StreamEnded> {
        let mut text = String::new();
        for (at, change) in changes.iter().enumerate() {
            // Only the last event of these has an id, so a client that is disconnected before it
            // receives all of them again.
            let last = (at + 1 == changes.len()).then_some(change.cursor);
            let day = (self.day.replace(change.day) != Some(change.day)).then_some(change.day);
            let id = last.filter(|_| day.is_none());
            match &change.what {
                Changed::Record(record) => {
                    let name = self.event_name(record);
                    let data = change.event(|| json_text(&RecordView::listed(record)));
                    text.push_str(&api::write_event_of(name, id, &data));
                }
                Changed::Gone(gone) => {
                    self.known.remove(gone);
                    text.push_str(&api::write_event("ask.gone", id, &Gone::from(gone)));
                }
                Changed::Day | Changed::Pairing => {}
            }
            if let Some(day) = day {
                text.push_str(&api::write_event("day", last, &api::Day::from(day)));
            }
            self.cursor = Some(change.cursor);
            // No more than this is serialized ahead for a slow client.
            if text.len() >= BATCH_BYTES {
                self.send_text(std::mem::take(&mut text)).await?;
            }
        }
        if text.is_empty() {
            return Ok(());
        }
        self.send_text(text).await
    }

    /// The name of the event for a record. Tracks which asks the client knows as open.
    fn event_name(&mut self, record: &Record) -> &'static str {
        let is_known = if record.is_open() {
            !self.known.insert(record.id.clone())
        } else {
            self.known.remove(&record.id)
        };
        api::event_name(record, is_known)
    }

    /// Sends the pairing state.
    async fn send_pairing(&self) -> Result<(), StreamEnded> {
        if !self.sees_pairing {
            return Ok(());
        }
        let pairing = self.pairing_service.snapshot();
        self.send_text(api::write_event("pairing", None, &Pairing::from(&pairing)))
            .await
    }

    async fn send_text(&self, text: String) -> Result<(), StreamEnded> {
        self.send(Bytes::from(text)).await
    }

    async fn send(&self, chunk: Bytes) -> Result<(), StreamEnded> {
        let sent = self.chunks.send(Ok(chunk)).await;
        sent.map_err(|_| StreamEnded)
    }
}
