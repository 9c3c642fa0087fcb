//! The hub's work: every request of every client ends here. It holds what only
//! lives as long as the hub does, waiters and bells; the store is the only memory.

mod look;
#[cfg(test)]
mod model;
mod opening;
mod outbox;
mod problem;
mod waiters;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use ask_core::dialect::wire::{self, Fault, Request, Response, Verdict};
use ask_core::lifecycle;
use ask_core::{AskId, Outcome, Settlement, Time};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use self::outbox::Outbox;
use self::problem::Problem;
use crate::clock;
use crate::store::sqlite::Sqlite;
use crate::store::{Cursor, Settled, Store, StoreError, rows};

/// A connection's way out: whole lines.
pub type Outgoing = mpsc::UnboundedSender<Vec<u8>>;

/// Names a connection.
pub type ClientId = u64;

/// Records that a person closed and whose agent has not been told.
const UNDELIVERED: &str =
    "ask.state IN ('answered', 'declined', 'clarify') AND ask.delivered_at IS NULL";

/// Everything a hub holds.
pub struct Desk {
    /// What survives.
    pub store: Sqlite,
    /// Rings when the timer must look at its deadline again.
    pub timer: Notify,
    /// Rings when the hub shall end.
    pub end: Notify,
    waiters: RefCell<HashMap<AskId, Vec<Waiter>>>,
    /// Outcomes that have not reached their agents.
    outbox: RefCell<Outbox>,
    /// Asks whose agent comes back in a moment, until when, and over which connection.
    expected: RefCell<HashMap<AskId, (Time, ClientId)>>,
    clients: RefCell<HashMap<ClientId, Client>>,
    /// What was answered last: likeness and id, the newest at the end.
    answered: RefCell<VecDeque<(i64, AskId)>>,
    /// Likenesses of asks on their way into the store, and the ring when one is there.
    opening: RefCell<HashSet<i64>>,
    turns: Notify,
    /// Since when no surface looks on, where none does.
    alone_since: Cell<Time>,
    next_deadline: Cell<Option<Time>>,
    active_at: Cell<Time>,
    /// Where the hub speaks HTTP.
    pub port: Cell<Option<u16>>,
    set_aside: Option<String>,
    /// How long an ask that was left behind is taken up again.
    take_up_ms: u64,
    /// Since when clients of the hub before this one have been coming back.
    begun: Cell<Option<Instant>>,
}

/// The connection over which an agent comes back that isn't there yet.
const ANOTHER: ClientId = ClientId::MAX;

#[derive(Clone, Copy)]
struct Waiter {
    client: ClientId,
    number: u64,
}

struct Client {
    outgoing: Outgoing,
    /// `None`: no bell wanted. Else whether one has rung that wasn't answered by a look.
    rung: Option<bool>,
    waits: HashSet<(u64, AskId)>,
}

impl Desk {
    /// A desk over an opened store.
    pub fn new(store: Sqlite, set_aside: Option<String>, take_up: Duration) -> Rc<Self> {
        let undelivered = store.glance(|db| rows::select(db, UNDELIVERED, &[]));
        let undelivered = undelivered.unwrap_or_default();
        Rc::new(Self {
            store,
            timer: Notify::new(),
            end: Notify::new(),
            waiters: RefCell::default(),
            outbox: RefCell::new(Outbox::of(&undelivered)),
            expected: RefCell::default(),
            clients: RefCell::default(),
            answered: RefCell::default(),
            opening: RefCell::default(),
            turns: Notify::new(),
            alone_since: Cell::new(clock::now()),
            next_deadline: Cell::new(None),
            active_at: Cell::new(clock::now()),
            port: Cell::new(None),
            set_aside,
            take_up_ms: u64::try_from(take_up.as_millis()).unwrap_or(u64::MAX),
            begun: Cell::new(None),
        })
    }

    /// Takes a new connection in.
    pub fn join(&self, client: ClientId, outgoing: Outgoing) {
        self.active_at.set(clock::now());
        let client_of = Client {
            outgoing,
            rung: None,
            waits: HashSet::new(),
        };
        self.clients.borrow_mut().insert(client, client_of);
    }

    /// Notes that somebody uses the hub, whatever for.
    pub fn is_used(&self) {
        self.active_at.set(clock::now());
    }

    /// Lets a connection go, and its waiters with it. Their asks stay.
    pub async fn part(&self, client: ClientId) {
        self.active_at.set(clock::now());
        let gone = self.clients.borrow_mut().remove(&client);
        if gone.as_ref().is_some_and(|gone| gone.rung.is_some()) {
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
        for id in &left {
            self.drop_waiters(id, |waiter| waiter.client == client);
        }
        self.timer.notify_one();
        self.rung_by_touch(left).await;
    }

    /// Answers one request.
    pub async fn serve(&self, client: ClientId, number: u64, request: Request) {
        self.active_at.set(clock::now());
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
            Request::Delivered { id } => {
                // From this word on it is nobody else's, also before the store has it: the agent may
                // ask the same again at once, and that is a new question.
                if !self.is_underway_to(&id, client) {
                    self.sets_out(&id, Waiter { client, number });
                }
                let marked = self.store.deliver(id.clone(), clock::now()).await;
                // What can't be kept now, on a full disk, stays on its way: its agent says it again.
                if marked.is_ok() {
                    self.outbox.borrow_mut().is_done(&id);
                } else if !self.clients.borrow().contains_key(&client) {
                    let of_client = |waiter: &Waiter| waiter.client == client;
                    self.outbox.borrow_mut().come_to_nothing(of_client);
                }
                self.mark(marked)
            }
            Request::Untold { id } => {
                let of_client = |waiter: &Waiter| waiter.client == client;
                self.outbox.borrow_mut().comes_to_nothing(&id, of_client);
                self.rung_by_touch(vec![id]).await;
                Ok(Response::Done { count: 1 })
            }
            Request::Get { id } => self
                .find(&id)
                .await
                .map(|record| Response::Record(Box::new(record))),
            Request::Waiting => self.waiting(client).await,
            Request::Undelivered {
                client: asker,
                directory,
                take,
            } => {
                let taken_by = take.then_some(Waiter { client, number });
                self.undelivered(asker.as_deref(), directory.as_deref(), taken_by)
                    .await
            }
            Request::Changes { after } => self.changes(client, Cursor(after)).await,
            Request::History { filter } => self.history(filter).await,
            Request::Watch => {
                if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
                    client.rung = Some(false);
                }
                Ok(Response::Done { count: 0 })
            }
            Request::Keep { id, draft, surface } => {
                self.mark(self.store.keep(id, draft, surface, clock::now()).await)
            }
            Request::Shown { id, surface } => {
                self.mark(self.store.show(id, surface, clock::now()).await)
            }
            Request::Settle {
                id,
                verdict,
                surface,
                attempt,
            } => self.settle(id, verdict, surface, attempt).await,
            Request::Forget { ids } => self.forget(&ids).await,
            Request::Status => self.status().await.map(Response::Status),
            Request::Stop => {
                self.end.notify_one();
                Ok(Response::Done { count: 0 })
            }
            Request::Clock { now_ms } => self.set_clock(now_ms),
        };
        self.say(
            client,
            number,
            &response.unwrap_or_else(|fault| fault.into_response()),
        );
    }

    /// Closes what the clock closes, and says when to look again.
    pub async fn expire(&self) -> Option<Time> {
        let now = clock::now();
        let due = self
            .store
            .read(move |db| {
                let which = "ask.state = 'waiting' AND ask.deadline_at <= ?1";
                rows::select(db, which, &[&now.0])
            })
            .await
            .unwrap_or_default();
        for record in due {
            if let Some(settlement) = lifecycle::expire(&record, now, clock::attempt()) {
                let _ = self.close(record.id, settlement).await;
            }
        }
        let sql =
            "SELECT min(deadline_at) FROM ask WHERE state = 'waiting' AND deadline_at IS NOT NULL";
        let next = self
            .store
            .read(move |db| {
                db.prepare_cached(sql)?
                    .query_row([], |row| row.get::<_, Option<i64>>(0))
            })
            .await
            .unwrap_or_default()
            .map(Time);
        self.next_deadline.set(next);
        next
    }

    /// When the timer must look again, as far as is known.
    pub fn next_deadline(&self) -> Option<Time> {
        self.next_deadline.get()
    }

    /// Since when nothing has happened; `None` while a surface looks on or an ask waits. Clients
    /// that only stay connected don't count: they come back when they need a hub.
    pub async fn idle_since(&self) -> Option<Time> {
        let looked_on = |client: &Client| client.rung.is_some();
        if self.clients.borrow().values().any(looked_on) {
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
        surface: String,
        attempt: u64,
    ) -> Result<Response, Problem> {
        let Some(record) = self.store.get(id.clone()).await? else {
            return Err(Problem::not_found(id.as_str()));
        };
        let outcome = match verdict {
            Verdict::Answer { draft, gaps } => match draft.finish(&record.ask, gaps) {
                Ok(answered) => Outcome::Answered(answered),
                Err(unfinished) => {
                    return Err(Problem {
                        kind: Fault::Unfinished,
                        text: unfinished.to_string(),
                    });
                }
            },
            Verdict::Decline { reason } => Outcome::Declined { reason },
            Verdict::Clarify { words } => Outcome::Clarify { words },
            Verdict::Withdraw => Outcome::Withdrawn,
        };
        let settlement = Settlement {
            outcome,
            surface,
            at: clock::now(),
            attempt,
        };
        self.close(id, settlement).await
    }

    async fn close(&self, id: AskId, settlement: Settlement) -> Result<Response, Problem> {
        match self.store.settle(id.clone(), settlement).await? {
            Settled::Won(mut record) => {
                // Whoever closed it learns how many calls were told.
                record = Box::new(self.with_waiters(*record));
                self.expected_no_more(|expected, _| *expected == id);
                let waiters = self.waiters.borrow_mut().remove(&id).unwrap_or_default();
                self.note_answered(&record);
                self.outbox.borrow_mut().keep(&record);
                let told = self.told(&record);
                for waiter in waiters {
                    self.sets_out(&id, waiter);
                    if let Some(client) = self.clients.borrow_mut().get_mut(&waiter.client) {
                        client.waits.remove(&(waiter.number, id.clone()));
                    }
                    self.say(waiter.client, waiter.number, &told);
                }
                self.ring();
                Ok(Response::Settled { won: true, record })
            }
            Settled::Lost(record) => Ok(Response::Settled { won: false, record }),
            Settled::NoSuchAsk => Err(Problem::not_found(id.as_str())),
        }
    }

    async fn forget(&self, ids: &[String]) -> Result<Response, Problem> {
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            let record = self.find(id).await?;
            if record.is_waiting() {
                let text = format!("{} is still waiting: answer or decline it first", record.id);
                return Err(Problem {
                    kind: Fault::Malformed,
                    text,
                });
            }
            found.push(record.id);
        }
        let forgotten = self.store.forget(found.clone()).await;
        if forgotten.is_ok() {
            let mut outbox = self.outbox.borrow_mut();
            found.iter().for_each(|id| outbox.is_done(id));
        }
        self.mark(forgotten)
    }

    fn set_clock(&self, now_ms: i64) -> Result<Response, Problem> {
        #[cfg(feature = "testing")]
        {
            clock::set(Time(now_ms));
            self.timer.notify_one();
            Ok(Response::Done { count: 1 })
        }
        #[cfg(not(feature = "testing"))]
        Err(Problem {
            kind: Fault::Malformed,
            text: format!("this hub's clock can't be set to {now_ms}"),
        })
    }

    fn mark(&self, count: Result<u64, StoreError>) -> Result<Response, Problem> {
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
    pub fn say(&self, client: ClientId, number: u64, response: &Response) {
        if let Some(client) = self.clients.borrow().get(&client) {
            let _ = client.outgoing.send(wire::write_response(number, response));
        }
    }
}
