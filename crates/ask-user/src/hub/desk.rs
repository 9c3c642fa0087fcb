//! The hub's work: every request of every client ends here. It holds what only
//! lives as long as the hub does, waiters and bells; the store is the only memory.

mod look;
mod problem;
mod waiters;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::time::Duration;

use ask_core::dialect::wire::{self, Fault, Request, Response, Verdict};
use ask_core::lifecycle;
use ask_core::{AskId, Outcome, Record, Settlement, Time};
use tokio::sync::{Notify, mpsc};

use self::problem::Problem;
use crate::clock;
use crate::store::sqlite::Sqlite;
use crate::store::{Created, Cursor, Settled, Store, StoreError, rows};

/// A connection's way out: whole lines.
pub type Outgoing = mpsc::UnboundedSender<Vec<u8>>;

/// Names a connection.
pub type ClientId = u64;

/// Everything a hub holds.
pub struct Desk {
    /// What survives.
    pub store: Sqlite,
    /// Rings when the timer must look at its deadline again.
    pub timer: Notify,
    /// Rings when the hub shall end.
    pub end: Notify,
    waiters: RefCell<HashMap<AskId, Vec<Waiter>>>,
    /// Outcomes on their way to a waiter that still stands, until it says that it has them.
    underway: RefCell<HashMap<AskId, Vec<ClientId>>>,
    /// Asks whose agent comes back in a moment, until when, and over which connection.
    expected: RefCell<HashMap<AskId, (Time, ClientId)>>,
    clients: RefCell<HashMap<ClientId, Client>>,
    next_deadline: Cell<Option<Time>>,
    active_at: Cell<Time>,
    set_aside: Option<String>,
    /// How long an ask that was left behind is taken up again.
    take_up_ms: u64,
}

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
        Rc::new(Self {
            store,
            timer: Notify::new(),
            end: Notify::new(),
            waiters: RefCell::default(),
            underway: RefCell::default(),
            expected: RefCell::default(),
            clients: RefCell::default(),
            next_deadline: Cell::new(None),
            active_at: Cell::new(clock::now()),
            set_aside,
            take_up_ms: u64::try_from(take_up.as_millis()).unwrap_or(u64::MAX),
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

    /// Lets a connection go, and its waiters with it. Their asks stay.
    pub async fn part(&self, client: ClientId) {
        self.active_at.set(clock::now());
        let gone = self.clients.borrow_mut().remove(&client);
        self.underway.borrow_mut().retain(|_, told| {
            told.retain(|told| *told != client);
            !told.is_empty()
        });
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
            Request::Leave { request, back } => self.leave(client, request, back).await,
            Request::Delivered { id } => {
                // From this word on it is nobody else's, also before the store has it: the agent may
                // ask the same again at once, and that is a new question.
                self.sets_out(&id, client);
                let marked = self.store.deliver(id.clone(), clock::now()).await;
                self.underway.borrow_mut().remove(&id);
                self.mark(marked)
            }
            Request::Get { id } => self
                .find(&id)
                .await
                .map(|record| Response::Record(Box::new(record))),
            Request::Waiting => self.waiting(client).await,
            Request::Undelivered { client, directory } => self.undelivered(client, directory).await,
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

    async fn open(
        &self,
        client: ClientId,
        number: u64,
        record: Record,
        wait: bool,
        take_up: bool,
    ) -> Result<Option<Response>, Problem> {
        if let Some(left) = take_up
            .then(|| self.left_behind(&record))
            .transpose()?
            .flatten()
        {
            self.add_waiter(client, number, &left.id);
            if left.is_waiting() && left.deadline_at != record.deadline_at {
                self.put_off(&left.id, record.deadline_at).await?;
            }
            return Ok(self.attach(client, number, left, true).await);
        }
        let id = record.id.clone();
        let deadline = record.deadline_at;
        // The waiter stands before the ask is kept: whoever closes it will find it.
        if wait {
            self.add_waiter(client, number, &id);
        }
        let created = match self.store.create(record).await {
            Ok(created) => created,
            Err(error) => {
                self.drop_waiter(client, number, &id);
                return Err(error.into());
            }
        };
        if let Created::Existing(existing) = created {
            return Ok(self.attach(client, number, *existing, wait).await);
        }
        self.mind(deadline);
        self.ring();
        Ok(Some(Response::Opened))
    }

    /// Lets the clock look at a deadline, if it is the next of all.
    fn mind(&self, deadline: Option<Time>) {
        if let Some(at) = deadline
            && self.next_deadline.get().is_none_or(|next| at < next)
        {
            self.next_deadline.set(Some(at));
            self.timer.notify_one();
        }
    }

    /// The agent asks again, so its time limit runs anew.
    async fn put_off(&self, id: &AskId, deadline: Option<Time>) -> Result<(), Problem> {
        self.store.put_off(id.clone(), deadline).await?;
        self.mind(deadline);
        Ok(())
    }

    /// The same ask, left behind by its agent, if there is one and this one isn't kept already.
    fn left_behind(&self, record: &Record) -> Result<Option<Record>, Problem> {
        let likeness = lifecycle::likeness(record);
        let found = self.store.glance(|db| {
            if rows::get(db, record.id.as_str())?.is_some() {
                return Ok(Vec::new());
            }
            let which = "ask.likeness = ?1 AND ask.delivered_at IS NULL \
                         ORDER BY ask.row DESC LIMIT 8";
            rows::select(db, which, &[&likeness])
        })?;
        let underway = self.underway.borrow();
        Ok(found
            .into_iter()
            .map(|found| self.with_waiters(found))
            .find(|found| {
                lifecycle::may_take_up(found, record.asked_at, self.take_up_ms)
                    && lifecycle::is_same(found, record)
                    && !underway.contains_key(&found.id)
            }))
    }

    async fn wait(
        &self,
        client: ClientId,
        number: u64,
        id: &str,
    ) -> Result<Option<Response>, Problem> {
        let id = self.find(id).await?.id;
        self.add_waiter(client, number, &id);
        match self.store.get(id.clone()).await? {
            Some(record) => Ok(self.attach(client, number, record, true).await),
            None => Err(Problem::not_found(id.as_str())),
        }
    }

    /// What a waiter on a record that exists already is told: the outcome, or that it waits.
    /// Nothing, where the outcome came in between and was told to it as to every waiter.
    async fn attach(
        &self,
        client: ClientId,
        number: u64,
        record: Record,
        wait: bool,
    ) -> Option<Response> {
        let stands = wait && self.has_waiter(client, number, &record.id);
        if !record.is_waiting() {
            if wait && !stands {
                return None;
            }
            self.drop_waiter(client, number, &record.id);
            if wait {
                self.sets_out(&record.id, client);
                return Some(self.told(&record));
            }
            return Some(Response::Record(Box::new(record)));
        }
        if stands {
            self.rung_by_touch(vec![record.id]).await;
        }
        Some(Response::Opened)
    }

    async fn leave(
        &self,
        client: ClientId,
        number: u64,
        back: bool,
    ) -> Result<Response, Problem> {
        let left: Vec<AskId> = match self.clients.borrow().get(&client) {
            Some(client) => client
                .waits
                .iter()
                .filter(|(wait, _)| *wait == number)
                .map(|(_, id)| id.clone())
                .collect(),
            None => Vec::new(),
        };
        for id in &left {
            self.drop_waiter(client, number, id);
            if back {
                self.expect(id, client);
            }
        }
        let count = left.len() as u64;
        self.rung_by_touch(left).await;
        Ok(Response::Done { count })
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
                let told = self.told(&record);
                for waiter in waiters {
                    self.sets_out(&id, waiter.client);
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
        self.mark(self.store.forget(found).await)
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
