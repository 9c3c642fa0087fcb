//! The shell of the engine: it passes events to the engine, with the time, and carries out the
//! effects. It also serves what doesn't change an ask: lists, history, files, statistics, the hub's
//! own status.

mod clients;
mod files;
mod history;
mod lookup;
mod machine;
#[cfg(test)]
mod model;
mod origin;
mod own_connection;
mod pairing;
mod presence;
mod problem;
mod requests;
mod responses;
mod retention;
mod settings;
mod today;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use ask_config::clock;
use ask_core::{AskId, Record, Settlement, Time, Write, Written};
pub use ask_engine::ConnectionId;
use ask_engine::{Effect, Engine, Event, Now, Reply, Request, Ticket};
use ask_protocol::ipc::{Change, Response};
use ask_store::sqlite::{Opened, Sqlite};
use ask_store::{Store as _, StoreError};
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

use self::clients::Clients;
pub use self::clients::Outgoing;
use self::machine::ThisMachine;
pub(crate) use self::machine::caller_of;
use self::own_connection::OwnConnection;
use self::problem::HubError;
pub use self::problem::MEGABYTE;
pub use self::retention::SWEEP_MS;
pub use self::settings::HubSettings;
use self::today::Today;
use crate::http::agent_sessions::AgentSessions;
use crate::note_writer::NoteOrder;
use crate::shared_state::SharedState;

/// How many changes are kept for surfaces that lag or reconnect. A surface that missed more gets
/// the full list.
const CHANGES_KEPT: usize = 2_048;

/// How many changes may be on their way to one surface.
pub(crate) const CHANGES_AHEAD: usize = 512;

/// How long a hub that is ending waits for the store to record deliveries over HTTP.
const NOTED_WITHIN: Duration = Duration::from_secs(2);

/// All state of a hub.
pub struct Hub {
    /// The durable store.
    pub store: Sqlite,
    /// State that the HTTP side shares with the hub.
    pub hub_state: Arc<SharedState>,
    /// Wakes the notifier when something besides asks changed.
    pub news: Notify,
    /// Wakes the server to end the hub.
    pub end: Notify,
    /// Wakes the timer to read its deadline again.
    pub timer: Notify,
    /// Notified after every event that the engine handled.
    handled: Notify,
    /// The port that HTTP listens on, and the one that it was meant to.
    pub port: Cell<Option<(u16, u16)>>,
    /// When to look for asks that are too old.
    pub next_sweep: Cell<Time>,
    settings: HubSettings,
    engine: RefCell<Engine>,
    machine: ThisMachine,
    clients: RefCell<Clients>,
    /// Events from other threads.
    events: mpsc::UnboundedSender<Event>,
    heard: RefCell<Option<mpsc::UnboundedReceiver<Event>>>,
    own_connection: OwnConnection,
    /// Writes on their way to the store. They are counted and logged once they are stored.
    unkept: RefCell<HashMap<Ticket, Vec<Write>>>,
    /// State lines that the store held at start, until they are taken.
    notes: RefCell<BTreeMap<String, String>>,
    /// The last pushed change, serialized once for all subscribers.
    pushed: RefCell<Option<Arc<Change>>>,
    today: RefCell<Today>,
    /// Until when the timer sleeps, in milliseconds of the monotonic clock.
    armed: Cell<Option<u64>>,
    active_at: Cell<Time>,
    set_aside: Option<String>,
    /// An upper bound of the bytes that files have which belong to no answer and no draft.
    unnamed_bytes: Cell<u64>,
}

/// Logs an ask's course by its id, without its text.
fn log(write: &Write) {
    match write {
        Write::Create(record) => {
            tracing::info!(ask = %record.id, dialect = %record.dialect, "asked");
        }
        Write::AskAgain(id, _) | Write::Reopen(id, ..) => tracing::info!(ask = %id, "asked again"),
        Write::TakeOver(id, _) => tracing::info!(ask = %id, "taken over by another caller"),
        Write::Settle(record, settlement) => {
            let (outcome, surface) = (settlement.outcome.word(), &settlement.surface);
            tracing::info!(ask = %record.id, outcome, %surface, "closed");
        }
        Write::Deliver(id, ..) => tracing::info!(ask = %id, "delivered"),
        Write::SetDeadline(..)
        | Write::SaveDraft(..)
        | Write::Snooze(..)
        | Write::Show(..)
        | Write::Forget(_)
        | Write::Mute(_) => {}
    }
}

fn now() -> Now {
    let (wall, boot_ms) = clock::now_and_boot_ms();
    Now { wall, boot_ms }
}

impl Hub {
    /// A hub over an opened store.
    pub fn new(opened: Opened, settings: HubSettings) -> Rc<Self> {
        let Opened {
            store,
            working_set,
            set_aside,
            ..
        } = opened;
        let askers = working_set.records.iter();
        let askers = askers.filter_map(|record| record.asker.caller.as_ref());
        let sessions = AgentSessions::read(&working_set.notes, askers);
        let engine = Engine::new(
            settings.of_engine(),
            working_set.records,
            working_set.recent,
            working_set.muted,
            clock::attempt(),
        );
        let hub_state = Arc::new(SharedState {
            sessions: Arc::new(sessions),
            ..SharedState::default()
        });
        let (events, heard) = mpsc::unbounded_channel();
        let hub = Rc::new(Self {
            store,
            news: Notify::new(),
            end: Notify::new(),
            timer: Notify::new(),
            handled: Notify::new(),
            port: Cell::new(None),
            next_sweep: Cell::new(clock::now()),
            settings,
            engine: RefCell::new(engine),
            machine: ThisMachine::with_sessions(Arc::clone(&hub_state.sessions)),
            hub_state,
            clients: RefCell::new(Clients::new(clock::now())),
            events,
            heard: RefCell::new(Some(heard)),
            own_connection: OwnConnection::default(),
            unkept: RefCell::default(),
            notes: RefCell::new(working_set.notes),
            pushed: RefCell::default(),
            today: RefCell::new(Today::new(clock::midnight(), working_set.answered_today)),
            armed: Cell::new(None),
            active_at: Cell::new(clock::now()),
            set_aside: set_aside.map(|path| path.display().to_string()),
            // Forces a count before the first file is accepted.
            unnamed_bytes: Cell::new(u64::MAX),
        });
        hub.handle(Event::Opened(OwnConnection::ID));
        hub
    }

    /// Handles events from the store until the hub ends.
    pub async fn run(self: Rc<Self>) {
        let Some(mut heard) = self.heard.take() else {
            return;
        };
        while let Some(event) = heard.recv().await {
            self.handle(event);
        }
    }

    /// Passes an event to the engine and carries out the effects.
    fn handle(self: &Rc<Self>, event: Event) {
        self.handle_at(now(), event);
    }

    fn handle_at(self: &Rc<Self>, now: Now, event: Event) {
        let kept = self.kept(&event);
        if let [Write::Settle(record, settlement)] = kept.as_slice() {
            self.count_closed(record, settlement);
        }
        let effects = self.engine.borrow_mut().handle(now, event, &self.machine);
        for effect in effects {
            self.carry_out(effect);
        }
        self.arm(now);
        self.handled.notify_waiters();
        // Logging comes last, because nothing waits for it.
        kept.iter().for_each(log);
    }

    fn carry_out(self: &Rc<Self>, effect: Effect) {
        match effect {
            Effect::Persist(ticket, writes) => self.persist(ticket, writes),
            Effect::Load(id) => self.load(id),
            Effect::Reply(OwnConnection::ID, request, reply) => {
                self.own_connection.reply(request, reply)
            }
            Effect::Reply(connection, request, reply) => {
                let response = self.response(reply);
                self.say(connection, request.0, response);
            }
            Effect::Push(OwnConnection::ID, change) => self.own_connection.push(change),
            Effect::Push(connection, change) => {
                let change = self.shared(&change);
                self.say(connection, 0, Response::Change(change));
            }
            // The hub's own listener is unpaced: it gets every change and needs no list.
            Effect::Snapshot(OwnConnection::ID, ..) => {}
            Effect::Snapshot(connection, cursor, records) => {
                let listing = self.listing(records, cursor, true);
                self.say(connection, 0, listing);
            }
        }
    }

    fn persist(&self, ticket: Ticket, writes: Vec<Write>) {
        self.unkept.borrow_mut().insert(ticket, writes.clone());
        let events = self.events.clone();
        let then = Box::new(move |done: Result<Written, StoreError>| {
            let event = match done {
                Ok(written) => Event::Stored(ticket, written),
                Err(error) => Event::StoreFailed(ticket, error.to_string()),
            };
            // The hub may have ended.
            let _ = events.send(event);
        });
        self.store.submit(writes, then);
    }

    fn load(self: &Rc<Self>, id: AskId) {
        let hub = Rc::clone(self);
        tokio::task::spawn_local(async move {
            let event = match hub.store.get(id.clone()).await {
                Ok(record) => Event::Loaded(id, record.map(Box::new)),
                Err(error) => Event::LoadFailed(id, error.to_string()),
            };
            hub.handle(event);
        });
    }

    /// The writes that this event reports as stored.
    fn kept(&self, event: &Event) -> Vec<Write> {
        let mut unkept = self.unkept.borrow_mut();
        let kept = match event {
            Event::Stored(ticket, written) => {
                let writes = unkept.remove(ticket);
                writes.filter(|_| matches!(written, Written::Done))
            }
            Event::StoreFailed(ticket, _) => {
                unkept.remove(ticket);
                None
            }
            _ => None,
        };
        kept.unwrap_or_default()
    }

    fn count_closed(&self, record: &Record, settlement: &Settlement) {
        self.hub_state.counts.closed(record, settlement);
        self.today
            .borrow_mut()
            .closed(settlement, clock::midnight());
    }

    /// Wakes the timer if something is due before it would wake.
    fn arm(&self, now: Now) {
        let next = self.engine.borrow().next_in_ms(now);
        let next = next.map(|ms| now.boot_ms.saturating_add(ms));
        if let Some(next) = next
            && self.armed.get().is_none_or(|armed| next < armed)
        {
            self.armed.set(Some(next));
            self.timer.notify_one();
        }
    }

    /// After how many milliseconds the engine has something to do.
    pub(crate) fn next_in_ms(&self) -> Option<u64> {
        let now = now();
        let next = self.engine.borrow().next_in_ms(now);
        self.armed
            .set(next.map(|ms| now.boot_ms.saturating_add(ms)));
        next
    }

    /// Has the engine handle what is due.
    pub(crate) fn tick(self: &Rc<Self>) {
        if self.engine.borrow().next_in_ms(now()) == Some(0) {
            self.handle(Event::Tick);
        }
    }

    /// Sends a request of the hub itself to the engine.
    async fn ask(self: &Rc<Self>, body: Request) -> Result<Reply, HubError> {
        let (request, reply) = self.own_connection.begin();
        self.handle(Event::Request {
            connection: OwnConnection::ID,
            request,
            body,
        });
        match reply.await {
            Ok(Reply::Refused(problem)) => Err(problem.into()),
            Ok(reply) => Ok(reply),
            Err(_) => Err(StoreError::Closed.into()),
        }
    }

    /// The state lines that the store held at start.
    pub(crate) fn take_notes(&self) -> BTreeMap<String, String> {
        self.notes.take()
    }

    /// Stores notes for the HTTP side.
    pub fn store_notes(&self, order: NoteOrder) {
        let NoteOrder { notes, then } = order;
        let then = Box::new(move |kept: Result<(), StoreError>| then(kept.is_ok()));
        self.store.note(notes, then);
    }

    /// Every change from now on, for a listener within the process.
    pub(crate) fn listen(self: &Rc<Self>) -> mpsc::UnboundedReceiver<Arc<ask_engine::Change>> {
        let (request, changes) = self.own_connection.listen();
        self.handle(Event::Request {
            connection: OwnConnection::ID,
            request,
            body: Request::Subscribe {
                after: None,
                paced: false,
            },
        });
        changes
    }

    /// Since when nothing has happened; `None` while a surface is subscribed or an ask waits.
    /// Clients that are merely connected don't count: they reconnect when they need a hub.
    pub(crate) fn idle_since(&self) -> Option<Time> {
        let is_needed = self.clients.borrow().any_subscribed()
            || self.is_kept_by_devices()
            || self.engine.borrow().is_any_open();
        (!is_needed).then(|| self.active_at.get())
    }

    /// Records that the hub is in use.
    pub fn is_used(&self) {
        self.active_at.set(clock::now());
    }

    /// Closes all connections after their last responses. Deliveries over HTTP are recorded first:
    /// unlike a stdio server, nobody could report them to the next hub.
    pub async fn flush(&self) {
        self.clients.borrow_mut().drop_connections(false);
        let noted = async {
            let is_within = |connection| self.clients.borrow().is_within(connection);
            loop {
                let handled = self.handled.notified();
                if !self.engine.borrow().has_delivery_in_flight(is_within) {
                    return;
                }
                handled.await;
            }
        };
        // Bounded, because a client may take its time to read.
        let _ = timeout(NOTED_WITHIN, noted).await;
        self.clients.borrow_mut().drop_connections(true);
        // Gives each connection's task a few turns to write. What its socket can't take is lost,
        // and the client asks the next hub for it.
        for _ in 0..32 {
            tokio::task::yield_now().await;
        }
    }

    fn set_clock(self: &Rc<Self>, now_ms: i64) -> Result<Response, HubError> {
        #[cfg(feature = "testing")]
        {
            clock::set(Time(now_ms));
            self.tick();
            self.timer.notify_one();
            self.news.notify_one();
            if let Some(pairing_service) = self.hub_state.pairing_service.get() {
                pairing_service.notify_changed();
            }
            Ok(Response::Done { count: 1 })
        }
        #[cfg(not(feature = "testing"))]
        Err(HubError::malformed(format!(
            "this hub's clock can't be set to {now_ms}"
        )))
    }

    /// Sends a response to a client, if it is still connected.
    pub(crate) fn say(&self, client: ConnectionId, number: u64, response: Response) {
        self.hub_state.counts.said(&response);
        self.clients.borrow_mut().say(client, number, response);
    }
}
