//! The shell of the engine: it passes events to the engine, with the time, and carries out the
//! effects. It also serves requests that don't change an ask: lists, history, files, statistics,
//! the hub's status.

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
mod recent_changes;
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
use ask_core::{AskId, Process, Record, Settlement, Time, Write, Written};
pub use ask_engine::ConnectionId;
use ask_engine::{Effect, Engine, Event, Now, Reply, Request, Ticket};
use ask_protocol::ipc::Response;
use ask_store::sqlite::{Opened, Sqlite};
use ask_store::{Store as _, StoreError};
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

use self::clients::Clients;
pub(crate) use self::clients::Outgoing;
use self::machine::ThisMachine;
pub(crate) use self::machine::find_caller;
use self::own_connection::OwnConnection;
use self::problem::HubError;
use self::recent_changes::RecentChanges;
pub(crate) use self::retention::SWEEP_MS;
pub(crate) use self::settings::HubSettings;
use self::today::Today;
use crate::http::agent_sessions::AgentSessions;
use crate::note_writer::NoteOrder;
use crate::shared_state::SharedState;

/// How many changes are kept for surfaces that lag or reconnect. A surface that missed more gets
/// the full list.
const CHANGES_KEPT: usize = 2_048;

/// How many changes may be sent to one surface before it has received them.
pub(crate) const CHANGES_AHEAD: usize = 512;

/// How long a hub that is ending waits for the store to record deliveries over HTTP.
const RECORD_LIMIT: Duration = Duration::from_secs(2);

/// How many processes are watched at most: each needs an open file.
const MAX_WATCHED: usize = 512;

/// All state of a hub.
pub struct Hub {
    /// The store of asks, notes and files.
    pub(crate) store: Sqlite,
    /// State that the HTTP side shares with the hub.
    pub shared: Arc<SharedState>,
    /// Wakes the notifier when something other than an ask changed, such as the person's presence.
    pub(crate) wake_notifier: Notify,
    /// Wakes the server to end the hub.
    pub(crate) end: Notify,
    /// Wakes the timer to read its deadline again.
    pub(crate) wake_timer: Notify,
    /// Notified after every event that the engine handled.
    handled: Notify,
    /// The port that HTTP listens on, and the port in the settings.
    pub(crate) port: Cell<Option<(u16, u16)>>,
    /// When to remove old asks next.
    pub(crate) next_sweep: Cell<Time>,
    settings: HubSettings,
    engine: RefCell<Engine>,
    /// By which wall clock the stored deadlines are, as the store's notes have it.
    noted_clock: Cell<Option<i64>>,
    machine: ThisMachine,
    clients: RefCell<Clients>,
    /// How many processes are watched.
    watched: Cell<usize>,
    /// Events from other threads.
    event_sender: mpsc::UnboundedSender<Event>,
    event_receiver: RefCell<Option<mpsc::UnboundedReceiver<Event>>>,
    own_connection: OwnConnection,
    /// Writes that the store has not finished. They are counted and logged once they are stored.
    pending_writes: RefCell<HashMap<Ticket, Vec<Write>>>,
    /// The notes that the store held at start, until they are taken.
    notes: RefCell<BTreeMap<String, String>>,
    recent_changes: RefCell<RecentChanges>,
    today: RefCell<Today>,
    /// When the timer wakes for the engine, in milliseconds of the monotonic clock.
    wakes_at_ms: Cell<Option<u64>>,
    last_used_at: Cell<Time>,
    set_aside: Option<String>,
    /// The ids of stored asks that couldn't be read at the start.
    unreadable: RefCell<Vec<String>>,
    /// An upper bound of the bytes of files that no answer and no draft refers to.
    unnamed_bytes: Cell<u64>,
}

/// Logs a change of an ask, by its id and without its text.
fn log_write(write: &Write) {
    match write {
        Write::Create(record) => {
            tracing::info!(ask = %record.id, dialect = %record.dialect, "asked");
        }
        Write::TakeBack(id, taken_back, ..) => {
            tracing::info!(ask = %id, surface = %taken_back.surface, "taken back");
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
        | Write::SeeCaller(..)
        | Write::SeeAgent(..)
        | Write::Show(..)
        | Write::Forget(_)
        | Write::Mute(_) => {}
    }
}

fn now() -> Now {
    let (wall, boot_ms) = clock::now_and_boot_ms();
    Now {
        wall,
        boot_ms,
        steady: clock::steady_at(wall, boot_ms),
    }
}

/// The store's note of the wall clock by which deadlines are.
const CLOCK_NOTE: &str = "clock";

impl Hub {
    /// A hub over an opened store.
    pub(crate) fn new(opened: Opened, settings: HubSettings) -> Rc<Self> {
        let Opened {
            store,
            working_set,
            set_aside,
            ..
        } = opened;
        let sessions = AgentSessions::read(&working_set.notes);
        let noted_clock = working_set.notes.get(CLOCK_NOTE);
        let noted_clock = noted_clock.and_then(|note| clock::of_this_boot(note));
        let mut engine = Engine::new(
            settings.engine_settings(),
            working_set.records,
            working_set.recent,
            working_set.muted,
            clock::attempt(),
        );
        if let Some(ahead_ms) = noted_clock {
            engine.continue_clock(ahead_ms);
        }
        let shared = Arc::new(SharedState {
            sessions: Arc::new(sessions),
            ..SharedState::default()
        });
        let (event_sender, event_receiver) = mpsc::unbounded_channel();
        let hub = Rc::new(Self {
            store,
            wake_notifier: Notify::new(),
            end: Notify::new(),
            wake_timer: Notify::new(),
            handled: Notify::new(),
            port: Cell::new(None),
            next_sweep: Cell::new(clock::now()),
            settings,
            engine: RefCell::new(engine),
            noted_clock: Cell::new(noted_clock),
            machine: ThisMachine::with_sessions(Arc::clone(&shared.sessions)),
            shared,
            clients: RefCell::new(Clients::new(clock::now())),
            watched: Cell::new(0),
            event_sender,
            event_receiver: RefCell::new(Some(event_receiver)),
            own_connection: OwnConnection::default(),
            pending_writes: RefCell::default(),
            notes: RefCell::new(working_set.notes),
            recent_changes: RefCell::default(),
            today: RefCell::new(Today::new(clock::midnight(), working_set.answered_today)),
            wakes_at_ms: Cell::new(None),
            last_used_at: Cell::new(clock::now()),
            set_aside: set_aside.map(|path| path.display().to_string()),
            unreadable: RefCell::new(working_set.unreadable),
            // Forces a count before the first file is accepted.
            unnamed_bytes: Cell::new(u64::MAX),
        });
        hub.handle(Event::Opened(OwnConnection::ID));
        hub
    }

    /// Handles events from the store until the hub ends.
    pub(crate) async fn run(self: Rc<Self>) {
        let Some(mut event_receiver) = self.event_receiver.take() else {
            return;
        };
        self.handle(Event::Started);
        while let Some(event) = event_receiver.recv().await {
            self.handle(event);
        }
    }

    /// Passes an event to the engine and carries out the effects.
    fn handle(self: &Rc<Self>, event: Event) {
        self.handle_at(now(), event);
    }

    fn handle_at(self: &Rc<Self>, now: Now, event: Event) {
        let stored = self.take_stored(&event);
        if let [Write::Settle(record, settlement)] = stored.as_slice() {
            self.count_closed_ask(record, settlement);
        }
        let effects = self.engine.borrow_mut().handle(now, event, &self.machine);
        for effect in effects {
            self.carry_out(effect);
        }
        self.note_clock();
        self.wake_timer_for(now);
        self.handled.notify_waiters();
        // Logging comes last, because nothing waits for it.
        stored.iter().for_each(log_write);
    }

    /// Notes a wall clock that somebody has set, after the deadlines that were moved with it: the next
    /// hub moves what it finds, if the clock is set again before it starts.
    fn note_clock(&self) {
        let ahead_ms = self.engine.borrow().wall_ahead_ms();
        if self.noted_clock.replace(ahead_ms) != ahead_ms {
            let note = (CLOCK_NOTE.to_owned(), ahead_ms.map(clock::for_this_boot));
            self.store.note(vec![note], Box::new(drop));
        }
    }

    fn carry_out(self: &Rc<Self>, effect: Effect) {
        match effect {
            Effect::Persist(ticket, writes) => self.persist(ticket, writes),
            Effect::Load(id) => self.load(id),
            Effect::Reply(OwnConnection::ID, request, reply) => {
                self.own_connection.reply(request, reply)
            }
            Effect::Reply(connection, request, reply) => {
                let response = self.to_response(reply);
                self.send(connection, request.0, response);
            }
            Effect::Push(OwnConnection::ID, change) => self.own_connection.push(change),
            Effect::Push(connection, change) => {
                let change = self.shared_change(&change);
                self.send(connection, 0, Response::Change(change));
            }
            // The hub's own listener is unpaced: it gets every change and needs no list.
            Effect::Snapshot(OwnConnection::ID, ..) => {}
            Effect::Snapshot(connection, cursor, records) => {
                let listing = self.listing(records, cursor, true);
                self.send(connection, 0, listing);
            }
            Effect::Watch(process) => self.watch(process),
        }
    }

    fn persist(&self, ticket: Ticket, writes: Vec<Write>) {
        self.pending_writes
            .borrow_mut()
            .insert(ticket, writes.clone());
        let event_sender = self.event_sender.clone();
        let then = Box::new(move |done: Result<Written, StoreError>| {
            let event = match done {
                Ok(written) => Event::Stored(ticket, written),
                Err(error) => Event::StoreFailed(ticket, error.to_string()),
            };
            // The hub may have ended.
            let _ = event_sender.send(event);
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

    /// Reports the end of a process to the engine. Above the limit, the engine notices it with the next
    /// call of an agent.
    fn watch(self: &Rc<Self>, process: Process) {
        if self.watched.get() >= MAX_WATCHED {
            return;
        }
        self.watched.update(|watched| watched + 1);
        let hub = Rc::clone(self);
        tokio::task::spawn_local(async move {
            machine::ended(process).await;
            hub.watched.update(|watched| watched - 1);
            hub.handle(Event::ProcessEnded(process));
        });
    }

    /// Takes the writes that this event reports as stored.
    fn take_stored(&self, event: &Event) -> Vec<Write> {
        let mut pending_writes = self.pending_writes.borrow_mut();
        let stored = match event {
            Event::Stored(ticket, written) => {
                let writes = pending_writes.remove(ticket);
                writes.filter(|_| matches!(written, Written::Done))
            }
            Event::StoreFailed(ticket, _) => {
                pending_writes.remove(ticket);
                None
            }
            _ => None,
        };
        stored.unwrap_or_default()
    }

    fn count_closed_ask(&self, record: &Record, settlement: &Settlement) {
        self.shared.metrics.count_closed(record, settlement);
        self.today
            .borrow_mut()
            .count_closed(settlement, clock::midnight());
    }

    /// Wakes the timer if the engine needs it before it would wake.
    fn wake_timer_for(&self, now: Now) {
        let next = self.engine.borrow().next_in_ms(now);
        let next = next.map(|ms| now.boot_ms.saturating_add(ms));
        if let Some(next) = next
            && self
                .wakes_at_ms
                .get()
                .is_none_or(|wakes_at_ms| next < wakes_at_ms)
        {
            self.wakes_at_ms.set(Some(next));
            self.wake_timer.notify_one();
        }
    }

    /// After how many milliseconds the engine has something to do.
    pub(crate) fn next_in_ms(&self) -> Option<u64> {
        let now = now();
        let next = self.engine.borrow().next_in_ms(now);
        self.wakes_at_ms
            .set(next.map(|ms| now.boot_ms.saturating_add(ms)));
        next
    }

    /// Lets the engine handle deadlines that have passed.
    pub(crate) fn tick(self: &Rc<Self>) {
        if self.engine.borrow().next_in_ms(now()) == Some(0) {
            self.handle(Event::Tick);
        }
    }

    /// Sends a request of the hub itself to the engine.
    async fn request(self: &Rc<Self>, body: Request) -> Result<Reply, HubError> {
        let (request, reply) = self.own_connection.begin_request();
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

    /// The notes that the store held at start.
    pub(crate) fn take_notes(&self) -> BTreeMap<String, String> {
        self.notes.take()
    }

    /// Stores notes for the HTTP side.
    pub fn store_notes(&self, order: NoteOrder) {
        let NoteOrder { notes, then } = order;
        let then = Box::new(move |stored: Result<(), StoreError>| then(stored.is_ok()));
        self.store.note(notes, then);
        // Each new session stores a note.
        let sessions = &self.shared.sessions;
        sessions.evict(|| self.engine.borrow().callers_in_use());
    }

    /// Subscribes a listener within the process to every change.
    pub(crate) fn subscribe_in_process(
        self: &Rc<Self>,
    ) -> mpsc::UnboundedReceiver<Arc<ask_engine::Change>> {
        let (request, changes) = self.own_connection.subscribe();
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

    /// Since when the hub has been idle. `None` while it is needed: a surface is subscribed, an ask
    /// is open, or devices need it. Other connected clients don't count, because they reconnect
    /// when they need a hub.
    pub(crate) fn idle_since(&self) -> Option<Time> {
        let is_needed = self.clients.borrow().any_subscribed()
            || self.is_needed_by_devices()
            || self.engine.borrow().is_any_open();
        (!is_needed).then(|| self.last_used_at.get())
    }

    /// Records that the hub is in use.
    pub fn mark_used(&self) {
        self.last_used_at.set(clock::now());
    }

    /// Closes all connections after their last responses. Deliveries over HTTP are recorded first,
    /// because nobody could report them to the next hub. A stdio server could.
    pub(crate) async fn flush(self: &Rc<Self>) {
        self.handle(Event::Ending);
        self.clients.borrow_mut().drop_connections(false);
        let recorded = async {
            let is_in_process = |connection| self.clients.borrow().is_in_process(connection);
            loop {
                let handled = self.handled.notified();
                if !self.engine.borrow().has_delivery_in_flight(is_in_process) {
                    return;
                }
                handled.await;
            }
        };
        // Bounded, because a client may take its time to read.
        let _ = timeout(RECORD_LIMIT, recorded).await;
        self.clients.borrow_mut().drop_connections(true);
        // Gives each connection's task a few turns to write. Responses that its socket can't take
        // are lost, and the client requests them from the next hub.
        for _ in 0..32 {
            tokio::task::yield_now().await;
        }
    }

    fn set_clock(self: &Rc<Self>, now_ms: i64) -> Result<Response, HubError> {
        #[cfg(feature = "testing")]
        {
            clock::set(Time(now_ms));
            self.tick();
            self.wake_timer.notify_one();
            self.wake_notifier.notify_one();
            if let Some(pairing_service) = self.shared.pairing_service.get() {
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
    pub(crate) fn send(&self, client: ConnectionId, number: u64, response: Response) {
        self.shared.metrics.count_response(&response);
        self.clients.borrow_mut().send(client, number, response);
    }
}
