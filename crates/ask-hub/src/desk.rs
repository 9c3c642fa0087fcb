//! The hub's work: every request of every client ends here. It holds what only
//! lives as long as the hub does, waiters and bells; the store is the only memory.

mod aside;
pub(crate) mod callers;
mod files;
mod look;
#[cfg(test)]
mod model;
mod opening;
mod outbox;
mod pairing;
mod past;
mod presence;
mod problem;
mod waiters;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use ask_config::clock;
use ask_core::record::InClient;
use ask_core::{AskId, Caller, Fingerprint, Outcome, Settlement, Time, lifecycle};
use ask_protocol::ipc::{Fault, Request, Response, Verdict};
use ask_store::sqlite::Sqlite;
use ask_store::{Cursor, Settled, Store, StoreError, rows};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use self::callers::Callers;
use self::outbox::Outbox;
pub(super) use self::past::SWEEP_MS;
use self::problem::Problem;
use self::waiters::{ASKERS_BACK, Client};
use crate::beside::Beside;

/// A connection's way out: what is said, to the request of which number.
pub type Outgoing = mpsc::UnboundedSender<(u64, Response)>;

/// Names a connection.
pub type ClientId = u64;

/// Records that a person closed and whose agent has not been told.
const UNDELIVERED: &str =
    "ask.state IN ('answered', 'declined', 'clarify') AND ask.delivered_at IS NULL";

/// When what the clock wanted is tried again after the store refused it.
const RETRY_MS: u64 = 1_000;

/// Everything a hub holds.
pub struct Desk {
    /// What survives.
    pub store: Sqlite,
    /// Rings when the timer must look at its deadline again.
    pub timer: Notify,
    /// Rings when something changed that may have to be noticed.
    pub news: Notify,
    /// Rings when the hub shall end.
    pub end: Notify,
    waiters: RefCell<HashMap<AskId, Vec<Waiter>>>,
    /// Outcomes that have not reached their agents.
    outbox: RefCell<Outbox>,
    /// Asks whose agent comes back in a moment, until when, and over which connection.
    expected: RefCell<HashMap<AskId, (Time, ClientId)>>,
    clients: RefCell<HashMap<ClientId, Client>>,
    /// What was answered last: fingerprint and id, the newest at the end.
    answered: RefCell<VecDeque<(Fingerprint, AskId)>>,
    /// Asks that their agents' clients ask themselves as well, and over which connection.
    in_client: RefCell<HashMap<AskId, (ClientId, InClient)>>,
    /// Which connection asked what last, as long as it stands. One that carries the calls of many agents,
    /// of which some may be gone, claims nothing.
    claims: RefCell<HashMap<AskId, ClientId>>,
    /// The programs that ask.
    callers: Callers,
    /// Whether notifications are muted.
    muted: Cell<bool>,
    /// Fingerprints of asks on their way into the store, and the ring when one is there.
    opening: RefCell<HashSet<Fingerprint>>,
    turns: Notify,
    /// Since when no surface looks on, where none does.
    alone_since: Cell<Time>,
    /// When a key was last pressed on any surface.
    input_at: Cell<Option<Time>>,
    next_deadline: Cell<Option<Time>>,
    active_at: Cell<Time>,
    /// Where the hub speaks HTTP, and where it wanted to.
    pub port: Cell<Option<(u16, u16)>>,
    /// What its HTTP side needs of it.
    pub beside: Arc<Beside>,
    /// For how many days closed asks are kept; 0 for ever.
    pub keep_days: Cell<u64>,
    /// Folders of whose asks nothing is kept.
    pub skip_projects: RefCell<Vec<PathBuf>>,
    /// When to look for those that are older.
    pub next_sweep: Cell<Time>,
    set_aside: Option<String>,
    /// How long an ask that was left behind is taken up again.
    take_up_ms: u64,
    /// Since when clients of the hub before this one have been coming back.
    begun: Cell<Option<Instant>>,
}

/// The connection of an agent that isn't there yet, or no more.
const ANOTHER: ClientId = ClientId::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Waiter {
    client: ClientId,
    number: u64,
}

impl Desk {
    /// A desk over an opened store.
    pub fn new(store: Sqlite, set_aside: Option<String>, take_up: Duration) -> Rc<Self> {
        let undelivered = store.glance(|db| rows::select(db, UNDELIVERED, &[]));
        let undelivered = undelivered.unwrap_or_default();
        let muted = Self::was_muted(&store);
        let answered = Self::answered_before(&store);
        let beside: Arc<Beside> = Arc::default();
        Rc::new(Self {
            store,
            timer: Notify::new(),
            news: Notify::new(),
            end: Notify::new(),
            waiters: RefCell::default(),
            outbox: RefCell::new(Outbox::of(&undelivered)),
            expected: RefCell::default(),
            clients: RefCell::default(),
            answered: RefCell::new(answered),
            in_client: RefCell::default(),
            claims: RefCell::default(),
            callers: Callers::over(Arc::clone(&beside.sessions)),
            muted: Cell::new(muted),
            opening: RefCell::default(),
            turns: Notify::new(),
            alone_since: Cell::new(clock::now()),
            input_at: Cell::new(None),
            next_deadline: Cell::new(None),
            active_at: Cell::new(clock::now()),
            port: Cell::new(None),
            beside,
            keep_days: Cell::new(0),
            skip_projects: RefCell::default(),
            next_sweep: Cell::new(clock::now()),
            set_aside,
            take_up_ms: u64::try_from(take_up.as_millis()).unwrap_or(u64::MAX),
            begun: Cell::new(None),
        })
    }

    /// Takes a new connection in.
    pub fn join(&self, client: ClientId, outgoing: Outgoing) {
        self.active_at.set(clock::now());
        self.clients
            .borrow_mut()
            .insert(client, Client::of(outgoing));
    }

    /// Notes which program is at the other end of a connection.
    pub fn is_of(&self, client: ClientId, caller: Option<Caller>) {
        if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
            client.caller = caller;
        }
    }

    /// Notes that somebody uses the hub, whatever for.
    pub fn is_used(&self) {
        self.active_at.set(clock::now());
    }

    /// Lets a connection go, and its waiters with it. Their asks stay.
    pub async fn part(&self, client: ClientId) {
        self.active_at.set(clock::now());
        let gone = self.clients.borrow_mut().remove(&client);
        if gone.as_ref().is_some_and(Client::is_surface) {
            self.alone_since.set(clock::now());
        }
        self.outbox
            .borrow_mut()
            .come_to_nothing(|waiter| waiter.client == client);
        let mut left: Vec<AskId> = gone
            .into_iter()
            .flat_map(|gone| gone.waits)
            .map(|(_, id)| id)
            .collect();
        left.extend(self.expected_no_more(|_, by| by == client));
        left.extend(self.in_client_no_more(client));
        self.claims.borrow_mut().retain(|_, by| *by != client);
        self.callers.part(client);
        for id in &left {
            self.drop_waiters(id, |waiter| waiter.client == client);
        }
        self.timer.notify_one();
        self.news.notify_one();
        self.rung_by_touch(left).await;
    }

    /// Answers one request.
    pub async fn serve(&self, client: ClientId, number: u64, request: Request) {
        self.active_at.set(clock::now());
        self.beside.counts.heard(&request);
        let response = match request {
            Request::Hello { .. } => Ok(Response::Welcome {
                version: super::version(),
                pid: std::process::id(),
            }),
            Request::Open {
                record,
                wait,
                take_up,
            } => match self.open(client, number, *record, wait, take_up).await {
                Ok(Some(response)) => Ok(response),
                Ok(None) => return,
                Err(fault) => Err(fault),
            },
            Request::Wait { id } => match self.wait(client, number, &id).await {
                Ok(Some(response)) => Ok(response),
                Ok(None) => return,
                Err(fault) => Err(fault),
            },
            Request::Leave {
                request,
                back_ms,
                elsewhere,
            } => {
                let by = if elsewhere { ANOTHER } else { client };
                self.leave(client, request, back_ms, by).await
            }
            Request::Delivered { id, attempt } => self.delivered(client, number, id, attempt).await,
            Request::Untold { id } => Ok(self.untold(client, id).await),
            Request::Get { id } => self
                .find(&id)
                .await
                .map(|record| Response::Record(Box::new(record))),
            Request::Waiting { first } => self.waiting(client, first).await,
            Request::Undelivered {
                asker,
                take,
                or_open,
            } => {
                let asker = self.identified(client, *asker);
                let by = Waiter { client, number };
                self.undelivered(by, &asker, take, or_open).await
            }
            Request::Changes { after } => self.changes(client, Cursor(after)).await,
            Request::History { filter } => self.history(filter).await,
            Request::Figures { filter } => self.figures(filter).await,
            Request::ForgetSome { filter, count } => self.forget_some(filter, count).await,
            Request::Watch { only_looks } => {
                if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
                    client.rung = Some(false);
                    client.only_looks = only_looks;
                }
                Ok(Response::Done { count: 0 })
            }
            Request::PutFile { bytes } => self.put_file(bytes).await,
            Request::GetFile { digest } => self.get_file(digest).await,
            Request::Present {
                focused,
                rings,
                input,
            } => Ok(self.presented(client, focused, rings, input)),
            Request::Keep {
                id,
                draft,
                surface,
                built_on,
            } => self.keep(id, draft, surface, built_on).await,
            Request::Snooze { id, snooze } => self.snooze(&id, snooze).await,
            Request::Extend { id, until } => self.extend(&id, until).await,
            Request::InClient { id, how } => self.is_in_client(client, id, how).await,
            Request::Mute { on } => self.mute(on).await,
            Request::Failed { why } => {
                self.beside.counts.failed(why.word());
                Ok(Response::Done { count: 0 })
            }
            Request::Shown { id, surface } => {
                self.mark(self.store.show(id, surface, clock::now()).await)
            }
            Request::Settle {
                id,
                verdict,
                surface,
                device,
                attempt,
            } => {
                let by = (surface, device, attempt);
                self.settle(id, verdict, by).await
            }
            Request::Forget { ids, untold } => self.forget(&ids, untold).await,
            Request::Status => self.status().await.map(Response::Status),
            Request::PageKey => Ok(Response::PageKey {
                key: self.beside.keys.make(clock::now()),
                port: self.port.get().map(|(port, _)| port),
            }),
            Request::Pairing(wish) => self.pairing(client, wish).await,
            Request::Stop => {
                self.end.notify_one();
                Ok(Response::Done { count: 0 })
            }
            Request::Clock { now_ms } => self.set_clock(now_ms),
        };
        self.say(
            client,
            number,
            response.unwrap_or_else(|fault| fault.into_response()),
        );
    }

    /// Closes what the clock closes, brings back what it brings back, and finds out when to look
    /// again.
    pub(crate) async fn expire(&self) {
        let now = clock::now();
        // What is opened or put off from here on may not be seen below.
        self.next_deadline.set(None);
        if self.close_and_bring_back(now).await.is_err() {
            // What couldn't be read or written is tried again, but not at once.
            self.mind(Some(now.plus_ms(RETRY_MS)));
        }
    }

    async fn close_and_bring_back(&self, now: Time) -> Result<(), Problem> {
        let due = self.store.read(move |db| {
            let which = "ask.state = 'waiting' AND ask.deadline_at <= ?1";
            rows::select(db, which, &[&now.0])
        });
        let mut closed = Ok(());
        for record in due.await? {
            if let Some(settlement) = lifecycle::expire(&record, now, clock::attempt()) {
                // One that can't be closed keeps no other open.
                let this = self.close(record.id, settlement).await;
                closed = closed.and(this.map(drop));
            }
        }
        self.bring_back(now).await?;
        closed?;
        let next = self.store.read(|db| {
            let sql = "SELECT min(at) FROM (
                 SELECT min(deadline_at) AS at FROM ask
                 WHERE state = 'waiting' AND deadline_at IS NOT NULL
                 UNION ALL SELECT min(back_at) FROM desk WHERE back_at IS NOT NULL)";
            db.prepare_cached(sql)?
                .query_row([], |row| row.get::<_, Option<i64>>(0))
        });
        self.mind(next.await?.map(Time));
        Ok(())
    }

    /// When the timer must look again, as far as is known.
    pub(crate) fn next_deadline(&self) -> Option<Time> {
        self.next_deadline.get()
    }

    /// Since when nothing has happened; `None` while a surface looks on or an ask waits. Clients
    /// that only stay connected don't count: they come back when they need a hub.
    pub(crate) async fn idle_since(&self) -> Option<Time> {
        let looked_on = |client: &Client| client.rung.is_some();
        if self.clients.borrow().values().any(looked_on) || self.is_open_to_devices() {
            return None;
        }
        match self.status().await {
            Ok(status) if status.waiting == 0 => Some(self.active_at.get()),
            _ => None,
        }
    }

    /// Lets go of all connections once what was said to them is on its way.
    pub async fn flush(&self) {
        self.clients.borrow_mut().clear();
        // Each writer gets its turns; what a socket can't take at once is lost with the connection,
        // and asked for again by the client.
        for _ in 0..32 {
            tokio::task::yield_now().await;
        }
    }

    async fn settle(
        &self,
        id: AskId,
        verdict: Verdict,
        (surface, device, attempt): (String, Option<String>, u64),
    ) -> Result<Response, Problem> {
        let Some(record) = self.store.get(id.clone()).await? else {
            return Err(Problem::not_found(id.as_str()));
        };
        let outcome = match verdict {
            Verdict::Answer { draft, gaps } => {
                let draft = self.check_files(draft)?;
                match draft.finish(&record.ask, gaps) {
                    Ok(answered) => Outcome::Answered(answered),
                    Err(unfinished) => {
                        return Err(Problem {
                            kind: Fault::Unfinished,
                            text: unfinished.to_string(),
                        });
                    }
                }
            }
            Verdict::Decline { reason } => Outcome::Declined { reason },
            Verdict::Clarify { words } => Outcome::Clarify { words },
            Verdict::Withdraw => Outcome::Withdrawn,
        };
        let is_late = record.settlement().is_some() && record.is_answerable();
        // Nothing sets out for its agent while the clock's word gives way to the person's: a mark
        // that the one was delivered must not count for the other.
        let mut _turn = None;
        if is_late && outcome.is_human() {
            _turn = Some(self.turn(Fingerprint::of_record(&record)).await);
            self.when_others_are_back(ASKERS_BACK).await;
            if self.outbox.borrow().is_underway(&id) {
                let record = Box::new(record);
                return Ok(Response::Settled { won: false, record });
            }
        }
        let at = clock::now();
        let awaited = outcome.is_human() && self.is_awaited(&id, at);
        let settlement = Settlement {
            outcome,
            surface,
            device,
            at,
            attempt,
            awaited,
        };
        self.close(id, settlement).await
    }

    async fn close(&self, id: AskId, settlement: Settlement) -> Result<Response, Problem> {
        match self.noted(self.store.settle(id.clone(), settlement).await?) {
            Settled::Won(mut record) | Settled::Again(mut record) => {
                // Whoever closed it learns how many calls were told.
                record = Box::new(self.with_waiters(*record));
                self.expected_after(&record);
                self.in_client.borrow_mut().remove(&id);
                let waiters = self.waiters.borrow_mut().remove(&id).unwrap_or_default();
                self.outbox.borrow_mut().keep(&record);
                let told = self.told(&record);
                for waiter in waiters {
                    self.sets_out(&id, waiter);
                    if let Some(client) = self.clients.borrow_mut().get_mut(&waiter.client) {
                        client.waits.remove(&(waiter.number, id.clone()));
                    }
                    self.say(waiter.client, waiter.number, told.clone());
                }
                self.ring();
                Ok(Response::Settled { won: true, record })
            }
            Settled::Lost(record) => {
                let record = Box::new(self.with_waiters(*record));
                Ok(Response::Settled { won: false, record })
            }
            Settled::NoSuchAsk => Err(Problem::not_found(id.as_str())),
        }
    }

    fn set_clock(&self, now_ms: i64) -> Result<Response, Problem> {
        #[cfg(feature = "testing")]
        {
            clock::set(Time(now_ms));
            self.timer.notify_one();
            self.news.notify_one();
            if let Some(office) = self.beside.office.get() {
                office.rings();
            }
            Ok(Response::Done { count: 1 })
        }
        #[cfg(not(feature = "testing"))]
        Err(Problem {
            kind: Fault::Malformed,
            text: format!("this hub's clock can't be set to {now_ms}"),
        })
    }

    pub(super) fn mark(&self, count: Result<u64, StoreError>) -> Result<Response, Problem> {
        let count = count?;
        if count > 0 {
            self.ring();
        }
        Ok(Response::Done { count })
    }

    async fn rung_by_touch(&self, ids: Vec<AskId>) {
        if !ids.is_empty() && self.store.touch(ids).await.is_ok() {
            self.ring();
        }
    }

    /// Says something to a client, if it is still there.
    pub fn say(&self, client: ClientId, number: u64, response: Response) {
        self.beside.counts.said(&response);
        if let Some(client) = self.clients.borrow().get(&client) {
            let _ = client.outgoing.send((number, response));
        }
    }
}
