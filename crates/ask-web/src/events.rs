//! Server-sent events (HTML Living Standard, section 9.2). Each stream has a hub client of its own,
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

use super::auth::{self, Sender};
use super::history::ExportStream;
use super::openapi::Full;
use super::pairing::PairingService;
use super::request::Call;
use super::{Web, assets};

/// The interval of comments on a silent stream.
const PING: Duration = Duration::from_secs(15);

/// The reconnection time that the stream gives, in milliseconds.
const RETRY_MS: u64 = 2_000;

/// With more asks than this, the most urgent are sent first, then all. No window is high enough to
/// show more.
pub(crate) const FIRST: u64 = 40;

/// How many chunks are queued for a slow client before its stream waits.
const AHEAD: usize = 2;

/// How many streams one session may have open.
const MOST: usize = 64;

/// A list longer than this is serialized for one stream of a session at a time. The next one begins
/// once the client has read it.
const LONG: usize = 1 << 20;

/// How many bytes of changes are written at once.
const TOGETHER: usize = 64 * 1024;

/// The `Retry-After` for a refused stream, in seconds.
const AGAIN_AFTER: u64 = 15;

/// The open streams, with their sessions.
#[derive(Clone, Default)]
pub struct Streams(Arc<Mutex<Vec<EventListener>>>);

struct EventListener {
    who: String,
    client: Client,
    pieces: mpsc::WeakSender<std::io::Result<Bytes>>,
    end: Arc<Notify>,
    /// The turn to serialize a whole list, which the streams of a session share.
    turn: Arc<Semaphore>,
}

impl EventListener {
    fn is_there(&self) -> bool {
        self.pieces
            .upgrade()
            .is_some_and(|pieces| !pieces.is_closed())
    }
}

impl Streams {
    /// The hub clients of a session's streams.
    pub fn clients_of(&self, who: &str) -> Vec<Client> {
        let all = self.lock_present();
        let theirs = all.iter().filter(|one| one.who == who);
        theirs.map(|one| one.client.clone()).collect()
    }

    /// Ends the streams of a session.
    pub fn end(&self, who: &str) {
        let mut all = self.lock_all();
        all.iter()
            .filter(|one| one.who == who)
            .for_each(|one| one.end.notify_one());
        all.retain(|one| one.who != who);
    }

    /// The number of open streams.
    pub fn count(&self) -> usize {
        self.lock_present().len()
    }

    /// Adds a stream. Returns the turn that it shares with others of its session.
    fn begin(&self, mut listening: EventListener) -> Arc<Semaphore> {
        let mut all = self.lock_present();
        if let Some(other) = all.iter().find(|one| one.who == listening.who) {
            listening.turn = Arc::clone(&other.turn);
        }
        let turn = Arc::clone(&listening.turn);
        all.push(listening);
        turn
    }

    /// The open streams.
    fn lock_present(&self) -> MutexGuard<'_, Vec<EventListener>> {
        let mut all = self.lock_all();
        all.retain(EventListener::is_there);
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
        ("page" = Option<String>, Query, description = "The version of the page that listens, as `hello` said it"),
        ("Last-Event-ID" = Option<String>, Header, description = "The last id that was told: takes the stream up again"),
    ),
    responses((status = 200, description = "Done", body = Event<'static>, content_type = "text/event-stream"), Full)
)]
pub async fn stream(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    if web.streams.clients_of(call.who.name()).len() >= MOST {
        let said =
            format!("{MOST} streams of events are open with this token or session: close some");
        return Err(Problem::too_many(said, AGAIN_AFTER));
    }
    let client = web.shared.connect().await?;
    let client = client.for_sender(call.sender(&web).await);
    let (pieces, coming) = mpsc::channel(AHEAD);
    let end = Arc::new(Notify::new());
    let turn = web.streams.begin(EventListener {
        who: call.who.name().to_owned(),
        client: client.clone(),
        pieces: pieces.downgrade(),
        end: Arc::clone(&end),
        turn: Arc::new(Semaphore::new(1)),
    });
    // Checked after the stream was added: a session that ends from now on ends this stream too, and
    // one that ended before is refused here.
    auth::may_stay(&web, call.way, &call.who)?;
    let last = call.header("last-event-id");
    let stream = EventStream {
        client,
        pieces,
        turn,
        known: HashSet::new(),
        cursor: last.and_then(|text| text.trim().parse().ok()),
        day: None,
        pairing_service: Arc::clone(&web.pairing_service),
        is_told_of_devices: call.way.is_here(),
        may_answer: match &call.who {
            Sender::Nobody | Sender::Agent => false,
            Sender::Program | Sender::Page(_) => true,
            Sender::Device(device) => device.may == Permission::Answer,
        },
    };
    let language = web.shared.config().language.map(Language::code);
    let mut first = format!("retry: {RETRY_MS}\n");
    let version = ask_hub::version();
    let reach = call.reach();
    let hello = Hello::new(&version, assets::version(), language, clock::now(), &reach);
    first.push_str(&api::write_event("hello", None, &hello));
    if call
        .asked("page")
        .is_some_and(|page| page != assets::version())
    {
        first.push_str(&api::write_event("reload", None, &hello));
    }
    let streams = web.streams.clone();
    tokio::spawn(async move {
        stream.run(first, end).await;
        // A stream's client counts as a surface, so it must be dropped at once.
        drop(streams.lock_present());
    });
    let mut response = Response::new(Body::from_stream(ExportStream(coming)));
    reply::set_content_type(&mut response, "text/event-stream");
    Ok(response)
}

struct EventStream {
    client: Client,
    pieces: mpsc::Sender<std::io::Result<Bytes>>,
    turn: Arc<Semaphore>,
    /// Open asks that the stream has sent.
    known: HashSet<AskId>,
    /// The number of the last change that was sent.
    cursor: Option<u64>,
    day: Option<Day>,
    pairing_service: Arc<PairingService>,
    /// The pairing state is only for this computer.
    is_told_of_devices: bool,
    /// Whether its person can answer there.
    may_answer: bool,
}

/// The stream must end.
struct Over;

/// A long chunk, and the turn, which is released once the client has read it.
struct Long {
    text: String,
    _turn: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Long {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

/// A whole list as one event. A long one is serialized on a blocking thread, because the hub serves
/// others meanwhile.
async fn snapshot(listing: AskListing, id: Option<u64>) -> Result<String, Over> {
    let write = move || {
        let value = Asks::waiting(&listing.records, listing.cursor, clock::now(), listing.day);
        api::write_event("snapshot", id, &value)
    };
    tokio::task::spawn_blocking(write).await.map_err(|_| Over)
}

impl EventStream {
    async fn run(mut self, first: String, end: Arc<Notify>) {
        // The computer's page shows which devices are connected.
        let pairing_service = Arc::clone(&self.pairing_service);
        let is_here = self.is_told_of_devices;
        let rings = || (!is_here).then(|| pairing_service.rings());
        rings();
        let pieces = self.pieces.clone();
        // After any end, the page reconnects if it may.
        tokio::select! {
            _ = self.tell(first) => {}
            () = end.notified() => {}
            // Drops unfinished work for a page that is gone.
            () = pieces.closed() => {}
        }
        drop((self, pieces));
        rings();
    }

    async fn tell(&mut self, first: String) -> Result<(), Over> {
        let mut pairing = self.pairing_service.watch();
        pairing.mark_unchanged();
        self.say(first).await?;
        let mut turn = None;
        if self.cursor.is_none() {
            turn = self.begin().await?;
        }
        let subscription = match self.cursor {
            Some(cursor) => self.client.subscribe_after(cursor, !self.may_answer),
            None if self.may_answer => self.client.subscribe(),
            None => self.client.subscribe_viewer(),
        };
        self.tell_of_devices().await?;
        // Changes without an event don't postpone the comment, which detects that a page is gone.
        let mut ping = Instant::now() + PING;
        loop {
            let news = tokio::select! {
                Ok(()) = pairing.changed(), if self.is_told_of_devices => {
                    self.tell_of_devices().await?;
                    continue;
                }
                news = timeout_at(ping, subscription.next()) => news,
            };
            match news {
                Err(_) => {
                    self.say(": ping\n\n".to_owned()).await?;
                    ping = Instant::now() + PING;
                }
                Ok(Push::All(listing)) => {
                    let listing = previous_answers::with_expired(&self.client, listing).await;
                    let turn = match turn.take() {
                        Some(turn) => turn,
                        None => self.turn().await?,
                    };
                    self.told(listing.map_err(|_| Over)?, turn).await?;
                }
                Ok(Push::Changed(changes)) => self.look(&changes).await?,
            }
        }
    }

    /// Sends the most urgent asks. Returns `None` if these are all, so that changes follow.
    /// Otherwise the whole list has to follow, for which the turn is kept: a client that is
    /// disconnected before starts again.
    async fn begin(&mut self) -> Result<Option<OwnedSemaphorePermit>, Over> {
        let turn = self.turn().await?;
        let listing = self.client.most_urgent(FIRST).await.map_err(|_| Over)?;
        if listing.day.more > 0 {
            self.say(snapshot(listing, None).await?).await?;
            return Ok(Some(turn));
        }
        let listing = previous_answers::with_expired(&self.client, listing).await;
        self.told(listing.map_err(|_| Over)?, turn).await?;
        Ok(None)
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, Over> {
        let turn = Arc::clone(&self.turn).acquire_owned().await;
        turn.map_err(|_| Over)
    }

    async fn told(&mut self, listing: AskListing, turn: OwnedSemaphorePermit) -> Result<(), Over> {
        let waiting = listing.records.iter().filter(|record| record.is_open());
        self.known = waiting.map(|record| record.id.clone()).collect();
        self.cursor = Some(listing.cursor);
        self.day = Some(listing.day);
        let text = snapshot(listing, self.cursor).await?;
        match text.len() > LONG {
            true => {
                self.send(Bytes::from_owner(Long { text, _turn: turn }))
                    .await
            }
            false => self.say(text).await,
        }
    }

    /// Sends changes.
    async fn look(&mut self, changes: &[Arc<Change>]) -> Result<(), Over> {
        let mut text = String::new();
        for (at, change) in changes.iter().enumerate() {
            // Only the last event of a batch has an id, so a client that is disconnected within it
            // receives the whole batch again.
            let last = (at + 1 == changes.len()).then_some(change.cursor);
            let day = (self.day.replace(change.day) != Some(change.day)).then_some(change.day);
            let id = last.filter(|_| day.is_none());
            match &change.what {
                Changed::Record(record) => {
                    let name = self.name(record);
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
            // A slow client gets no more than this serialized ahead.
            if text.len() >= TOGETHER {
                self.say(std::mem::take(&mut text)).await?;
            }
        }
        match text.is_empty() {
            true => Ok(()),
            false => self.say(text).await,
        }
    }

    fn name(&mut self, record: &Record) -> &'static str {
        let known = match record.is_open() {
            true => !self.known.insert(record.id.clone()),
            false => self.known.remove(&record.id),
        };
        api::event_name(record, known)
    }

    /// Sends the pairing state.
    async fn tell_of_devices(&self) -> Result<(), Over> {
        if !self.is_told_of_devices {
            return Ok(());
        }
        let pairing = self.pairing_service.look();
        self.say(api::write_event("pairing", None, &Pairing::from(&pairing)))
            .await
    }

    async fn say(&self, text: String) -> Result<(), Over> {
        self.send(Bytes::from(text)).await
    }

    async fn send(&self, piece: Bytes) -> Result<(), Over> {
        let sent = self.pieces.send(Ok(piece)).await;
        sent.map_err(|_| Over)
    }
}
