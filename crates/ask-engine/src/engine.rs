//! The engine: one door for events, and what follows from what the store has kept.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use ask_core::record::Snooze;
use ask_core::{Ancestry, AskId, Asker, Record, Settlement, Time, Write, Written, lifecycle};

use crate::asks::{Asks, Counts, Entry, Parked, Waiter};
use crate::callers::{self, Machine};
use crate::changes::{ChangeKind, Changes, Cursor, News};
use crate::connections::Connections;
use crate::deadlines::{Deadlines, Due, Why};
use crate::event::{ConnectionId, Effect, Event, Now, Problem, Reply, Request, RequestId, Ticket};

/// What a hub is set to.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long an ask can be taken up after it was asked.
    pub take_up_ms: u64,
    /// How long outcomes that nobody fetched are listed with what waits.
    pub list_undelivered_ms: u64,
    /// How many changes are kept for connections that lag or come back. Whoever missed more gets a
    /// snapshot.
    pub changes_kept: usize,
    /// How many changes a connection is sent before it has taken any of them.
    pub changes_ahead: usize,
    /// How many asks may be open.
    pub open: OpenLimits,
}

/// How many asks may be open at a time, and how long they may be, so that one agent leaves room for
/// others. 0 for any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenLimits {
    /// Of one caller.
    pub of_caller: Amount,
    /// Of all.
    pub of_all: Amount,
}

/// So many asks, and so many bytes of what is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many.
    pub asks: usize,
    /// How long all of them are.
    pub bytes: usize,
}

/// When what the clock wanted is tried again after the store refused it.
const RETRY_MS: u64 = 1_000;

/// How many bytes of expired asks are held in memory.
const MOST_EXPIRED_BYTES: usize = 64 << 20;

/// So many answered asks are kept in mind, in case the same is asked again.
const RECENT: usize = 64;

/// The hub's decisions.
#[derive(Debug)]
pub struct Engine {
    pub(crate) settings: Settings,
    pub(crate) asks: Asks,
    pub(crate) connections: Connections,
    pub(crate) changes: Changes,
    pub(crate) deadlines: Deadlines,
    pub(crate) muted: bool,
    /// What was answered last, the newest at the end.
    pub(crate) recent: VecDeque<Arc<Record>>,
    pending: BTreeMap<Ticket, Pending>,
    /// Requests about asks that are not in the working set, while those are looked for.
    loading: HashMap<AskId, Vec<Parked>>,
    next_ticket: u64,
    /// The state of the generator of random numbers. Its seed differs from hub to hub.
    random: u64,
    out: Vec<Effect>,
}

/// What was handed to the store.
#[derive(Debug)]
struct Pending {
    writes: Vec<Write>,
    /// The asks of the working set that take no other change meanwhile.
    ids: Vec<AskId>,
    /// Who asked for it; nobody for what the clock does.
    requester: Option<(ConnectionId, RequestId)>,
    then: AfterStore,
}

/// What follows once it is kept.
#[derive(Debug)]
pub(crate) enum AfterStore {
    /// A new ask stands; whether its call waits.
    Created { wait: bool },
    /// A call that took up an ask waits for it.
    Attached,
    /// An ask is closed: whoever waits is told.
    Settled,
    /// An outcome has reached its caller.
    Delivered,
    /// The request is answered with the record as it is then.
    ReplyRecord,
    /// The request is answered with how many asks it was about.
    Done,
    /// Nobody waits for it.
    Nothing,
}

impl Engine {
    /// An engine over what the store has: all open asks, all outcomes of people that were not
    /// delivered, expired asks that can still be taken up, and what was answered last. `random`
    /// tells this hub from any other.
    pub fn new(
        settings: Settings,
        records: impl IntoIterator<Item = Record>,
        recent: impl IntoIterator<Item = Record>,
        muted: bool,
        random: u64,
    ) -> Self {
        let mut engine = Self {
            settings,
            asks: Asks::default(),
            connections: Connections::default(),
            changes: Changes::new(random, (settings.changes_kept, settings.changes_ahead)),
            deadlines: Deadlines::default(),
            muted,
            recent: recent.into_iter().map(Arc::new).collect(),
            pending: BTreeMap::new(),
            loading: HashMap::new(),
            next_ticket: 0,
            random,
            out: Vec::new(),
        };
        for record in records {
            engine.insert_loaded(record);
        }
        engine.evict_expired();
        engine
    }

    /// Takes one event and says what is to be done, in this order.
    pub fn handle(&mut self, now: Now, event: Event, machine: &dyn Machine) -> Vec<Effect> {
        match event {
            Event::Opened(connection) => self.connections.open(connection),
            Event::Closed(connection) => self.close_connection(now, connection),
            Event::Request {
                connection,
                request,
                body,
            } => self.request(now, connection, request, body, machine),
            Event::Drained(connection) => {
                self.changes.drained(connection);
                self.catch_up(now, connection);
            }
            Event::Stored(ticket, written) => self.stored(now, ticket, written, machine),
            Event::StoreFailed(ticket, problem) => {
                self.store_failed(now, ticket, &problem, machine);
            }
            Event::Loaded(id, record) => self.loaded(now, id, record, machine),
            Event::LoadFailed(id, problem) => {
                for parked in self.loading.remove(&id).unwrap_or_default() {
                    let problem = Problem::Store(problem.clone());
                    self.refuse(parked.connection, parked.request, problem);
                }
            }
            Event::Removed(ids) => {
                for id in ids {
                    self.recent.retain(|record| record.id != id);
                    if self.asks.get(&id).is_some() {
                        self.removed(id);
                    }
                }
            }
            Event::Tick => self.tick(now),
        }
        std::mem::take(&mut self.out)
    }

    /// In how many milliseconds [`Event::Tick`] is due. The calendar may be set in between, so
    /// nobody should sleep for long on that word.
    pub fn next_in_ms(&self, now: Now) -> Option<u64> {
        self.deadlines.next_in_ms(now)
    }

    /// An ask of the working set, as it is.
    pub fn record(&self, id: &AskId) -> Option<Arc<Record>> {
        let entry = self.asks.get(id).filter(|entry| entry.is_kept)?;
        Some(Arc::clone(&entry.record))
    }

    /// All asks of the working set, in the order of their ids.
    pub fn records(&self) -> impl Iterator<Item = &Arc<Record>> {
        let kept = self.asks.all().filter(|entry| entry.is_kept);
        kept.map(|entry| &entry.record)
    }

    /// Whether notifications are muted.
    pub fn is_muted(&self) -> bool {
        self.muted
    }

    /// Whether what a person said to this ask is on its way to nobody.
    pub fn is_undelivered(&self, id: &AskId) -> bool {
        self.asks.get(id).is_some_and(Entry::is_undelivered)
    }

    /// Whether an outcome is on its way to a call over one of these connections.
    pub fn has_delivery_in_flight(&self, connection: impl Fn(ConnectionId) -> bool) -> bool {
        let mut calls = self.asks.all().flat_map(|entry| &entry.in_flight);
        calls.any(|call| connection(call.connection))
    }

    /// How many asks there are in the working set, and calls that wait for them.
    pub fn counts(&self) -> Counts {
        self.asks.counts()
    }

    /// Whether any ask is open.
    pub fn is_any_open(&self) -> bool {
        self.asks.is_any_open()
    }

    /// The asks that calls of a connection are about and that have changed since a cursor; all of them
    /// where that is not known any more.
    pub fn news_of(&self, connection: ConnectionId, after: Cursor) -> Vec<Arc<Record>> {
        let Some(connection) = self.connections.get(connection) else {
            return Vec::new();
        };
        let changed = self.changes.ids_after(after);
        let mut ids: Vec<&AskId> = connection.calls.iter().map(|(_, id)| id).collect();
        ids.sort();
        ids.dedup();
        let is_news = |id: &&AskId| match &changed {
            Some(changed) => changed.contains(id),
            None => true,
        };
        let news = ids.into_iter().filter(is_news);
        news.filter_map(|id| self.record(id)).collect()
    }

    /// Where the changes stand.
    pub fn cursor(&self) -> Cursor {
        self.changes.cursor()
    }

    /// Whether the store has yet to say what became of a change, or to look for an ask.
    pub fn awaits_store(&self) -> bool {
        !self.pending.is_empty() || !self.loading.is_empty()
    }

    /// The client of an agent below which a process runs: of the agent that asks this ask, where there
    /// is one, or of any other that is connected.
    pub fn agent_above(
        &self,
        asks: Option<&Asker>,
        process: &Ancestry,
        in_dialog: bool,
        machine: &dyn Machine,
    ) -> Option<String> {
        let (line, others) = (&process.processes, self.connections.known());
        let known = process.below_agent.clone();
        known.or_else(|| callers::agent_above(line, asks, in_dialog, others, machine))
    }

    /// Whether a caller may be given an ask without naming its whole id.
    pub fn may_have(&self, record: &Record, asker: &Asker, machine: &dyn Machine) -> bool {
        callers::may_have(record, asker, &self.connections, machine)
    }

    /// Whether a process is the server of an agent that is connected.
    pub fn is_server(&self, process: &Ancestry) -> bool {
        let mut known = self.connections.known();
        known.any(|agent| callers::is_server(&process.processes, agent))
    }

    /// What a surface lists: what waits, and behind that what was answered lately and not fetched.
    pub fn listed(&self, now: Now) -> Vec<Arc<Record>> {
        let late = i64::try_from(self.settings.list_undelivered_ms).unwrap_or(i64::MAX);
        let since = Time(now.wall.0.saturating_sub(late));
        let mut listed: Vec<Arc<Record>> = self
            .asks
            .open_or_missed(since)
            .filter(|entry| entry.is_kept)
            .map(|entry| Arc::clone(&entry.record))
            .collect();
        listed.sort_by(|one, other| {
            let key = |record: &Record| (!record.is_open(), record.asked_at);
            (key(one), &one.id).cmp(&(key(other), &other.id))
        });
        listed
    }

    // What goes out.

    pub(crate) fn reply(&mut self, connection: ConnectionId, request: RequestId, reply: Reply) {
        if self.connections.is_open(connection) {
            self.out.push(Effect::Reply(connection, request, reply));
        }
    }

    pub(crate) fn refuse(
        &mut self,
        connection: ConnectionId,
        request: RequestId,
        problem: Problem,
    ) {
        self.reply(connection, request, Reply::Refused(problem));
    }

    pub(crate) fn push(&mut self, kind: ChangeKind) {
        let (change, connections) = self.changes.add(kind);
        for connection in connections {
            self.out.push(Effect::Push(connection, Arc::clone(&change)));
        }
    }

    pub(crate) fn catch_up(&mut self, now: Now, connection: ConnectionId) {
        for news in self.changes.missed(connection) {
            let effect = match news {
                News::Change(change) => Effect::Push(connection, change),
                News::Snapshot => {
                    Effect::Snapshot(connection, self.changes.cursor(), self.listed(now))
                }
            };
            self.out.push(effect);
        }
    }

    /// Tells whoever looks on how an ask is now.
    pub(crate) fn announce(&mut self, id: &AskId) {
        if let Some(record) = self.record(id) {
            self.push(ChangeKind::Record(record));
        }
    }

    /// The same, if what the store doesn't keep of it has changed.
    pub(crate) fn announce_if_different(&mut self, id: &AskId) {
        let different = self.asks.get_mut(id).is_some_and(Entry::refresh);
        if different {
            self.announce(id);
        }
    }

    /// Hands changes to the store. The asks they are about take no other change until it has said
    /// what became of these.
    pub(crate) fn persist(
        &mut self,
        ids: &[AskId],
        writes: Vec<Write>,
        requester: Option<(ConnectionId, RequestId)>,
        then: AfterStore,
    ) {
        self.next_ticket += 1;
        let ticket = Ticket(self.next_ticket);
        let mut held = Vec::new();
        for id in ids {
            if let Some(entry) = self.asks.get_mut(id) {
                entry.ticket = Some(ticket);
                held.push(id.clone());
            }
        }
        self.out.push(Effect::Persist(ticket, writes.clone()));
        let pending = Pending {
            writes,
            ids: held,
            requester,
            then,
        };
        self.pending.insert(ticket, pending);
    }

    /// These asks take changes again.
    fn release(&mut self, ids: &[AskId]) {
        for id in ids {
            if let Some(entry) = self.asks.get_mut(id) {
                entry.ticket = None;
            }
        }
    }

    /// A number that no other attempt has.
    pub(crate) fn random(&mut self) -> u64 {
        // SplitMix64, by Steele, Lea and Flood.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    // What the store says.

    fn stored(&mut self, now: Now, ticket: Ticket, written: Written, machine: &dyn Machine) {
        let Some(Pending {
            writes,
            ids,
            requester,
            then,
        }) = self.pending.remove(&ticket)
        else {
            return;
        };
        self.release(&ids);
        match written {
            Written::Done => self.apply_stored(now, &writes, &ids, requester, then),
            Written::Existing(record) => self.on_conflict(now, *record, requester, &then, machine),
        }
        for id in ids {
            self.resume_parked(now, &id, machine);
        }
    }

    /// Applies what the store has kept to the working set, and sends the replies that waited for it.
    fn apply_stored(
        &mut self,
        now: Now,
        writes: &[Write],
        ids: &[AskId],
        requester: Option<(ConnectionId, RequestId)>,
        then: AfterStore,
    ) {
        for write in writes {
            match write {
                Write::Mute(on) => {
                    self.muted = *on;
                    self.push(ChangeKind::Muted(*on));
                }
                Write::Forget(id) if ids.contains(id) => self.removed(id.clone()),
                // It was not in the working set. One of that id that came since is another.
                Write::Forget(id) => {
                    self.recent.retain(|record| record.id != *id);
                    self.push(ChangeKind::Removed(id.clone()));
                }
                write => {
                    // Whose an ask is holds up nothing else that happens to it.
                    let holds_nothing_up = matches!(write, Write::TakeOver(..));
                    let Some(id) = write.id().filter(|id| holds_nothing_up || ids.contains(id))
                    else {
                        continue;
                    };
                    self.asks.change(id, |entry| {
                        entry.is_kept = true;
                        write.apply(Arc::make_mut(&mut entry.record));
                    });
                    self.schedule(now, id, write);
                }
            }
        }
        let id = ids.first();
        match (then, id) {
            (AfterStore::Created { wait }, Some(id)) => {
                if let Some((connection, request)) = requester.filter(|_| wait) {
                    self.add_waiter(connection, request, id);
                }
                self.refresh(id);
                // The person first: the agent only waits from here on.
                self.announce(id);
                if let Some((connection, request)) = requester {
                    self.reply(connection, request, Reply::Opened(id.clone()));
                }
            }
            (AfterStore::Attached, Some(id)) => {
                if let Some((connection, request)) = requester {
                    self.attach(connection, request, id);
                }
                self.refresh(id);
                self.announce(id);
            }
            (AfterStore::Settled, Some(id)) => self.settled(id, requester),
            (AfterStore::Delivered, Some(id)) => {
                self.asks.change(id, |entry| {
                    entry.in_flight.clear();
                    entry.expected = None;
                });
                self.refresh(id);
                self.announce(id);
                self.done(requester, 1);
            }
            (AfterStore::ReplyRecord, Some(id)) => {
                self.announce(id);
                if let (Some((connection, request)), Some(record)) = (requester, self.record(id)) {
                    self.reply(connection, request, Reply::Record(record));
                }
            }
            (AfterStore::Done, _) => {
                for id in ids {
                    self.announce(id);
                }
                self.done(requester, writes.len() as u64);
            }
            (AfterStore::Nothing, _) => {
                for id in ids {
                    self.announce(id);
                }
            }
            (
                AfterStore::Created { .. }
                | AfterStore::Attached
                | AfterStore::Settled
                | AfterStore::Delivered
                | AfterStore::ReplyRecord,
                None,
            ) => {}
        }
    }

    fn done(&mut self, requester: Option<(ConnectionId, RequestId)>, count: u64) {
        if let Some((connection, request)) = requester {
            self.reply(connection, request, Reply::Done(count));
        }
    }

    /// The store had the ask already, in another state than we knew: that one holds.
    fn on_conflict(
        &mut self,
        now: Now,
        record: Record,
        requester: Option<(ConnectionId, RequestId)>,
        then: &AfterStore,
        machine: &dyn Machine,
    ) {
        let id = record.id.clone();
        match self.asks.get(&id) {
            Some(_) => {
                self.asks.change(&id, |entry| {
                    entry.is_kept = true;
                    entry.record = Arc::new(record);
                });
                self.refresh(&id);
            }
            None => self.insert_loaded(record),
        }
        let Some((connection, request)) = requester else {
            return;
        };
        match then {
            AfterStore::Created { wait: true } | AfterStore::Attached => {
                self.attach(connection, request, &id);
            }
            AfterStore::Created { wait: false } => {
                self.reply(connection, request, Reply::Opened(id.clone()));
            }
            AfterStore::Settled => {
                let record = self.record(&id);
                if let Some(record) = record {
                    self.reply(connection, request, Reply::Settled(false, record));
                }
            }
            AfterStore::Delivered
            | AfterStore::ReplyRecord
            | AfterStore::Done
            | AfterStore::Nothing => {
                self.reply(connection, request, Reply::Done(0));
            }
        }
        self.resume_parked(now, &id, machine);
    }

    /// Nothing was kept: nothing has changed.
    fn store_failed(&mut self, now: Now, ticket: Ticket, problem: &str, machine: &dyn Machine) {
        let Some(Pending {
            ids,
            requester,
            then,
            ..
        }) = self.pending.remove(&ticket)
        else {
            return;
        };
        self.release(&ids);
        match requester {
            Some((connection, request)) => {
                self.refuse(connection, request, Problem::Store(problem.to_owned()));
            }
            None => {
                let again = Due::Boot(now.boot_ms.saturating_add(RETRY_MS));
                for id in &ids {
                    self.deadlines.add(again, Why::Expire, id.clone());
                    self.deadlines.add(again, Why::BringBack, id.clone());
                }
            }
        }
        if let (AfterStore::Delivered, Some(id)) = (&then, ids.first()) {
            self.stop_holding_for_mark(id);
        }
        if let (AfterStore::Created { .. }, Some(id)) = (then, ids.first())
            && let Some(entry) = self.asks.remove(id)
        {
            // What waited for this ask asks for itself now.
            for parked in entry.parked {
                self.resume(now, id, parked, machine);
            }
        }
        for id in ids {
            self.resume_parked(now, &id, machine);
        }
    }

    /// The mark that an outcome was delivered can't be stored. What a person said is held for its call,
    /// so that no other is given it. Nobody else wants an outcome that no person gave: a call that says
    /// again that it has it has it loaded.
    fn stop_holding_for_mark(&mut self, id: &AskId) {
        let record = self.asks.get(id).map(|entry| &entry.record);
        let settlement = record.and_then(|record| record.settlement());
        if settlement.is_some_and(|settlement| !settlement.outcome.is_human()) {
            self.asks.change(id, |entry| entry.in_flight.clear());
        }
    }

    fn loaded(&mut self, now: Now, id: AskId, record: Option<Box<Record>>, machine: &dyn Machine) {
        let parked = self.loading.remove(&id).unwrap_or_default();
        let is_there = record.is_some() || self.asks.get(&id).is_some();
        if let Some(record) = record
            && self.asks.get(&id).is_none()
        {
            self.insert_loaded(*record);
        }
        for parked in parked {
            if is_there {
                self.resume(now, &id, parked, machine);
            } else if matches!(parked.body, Request::Delivered { .. }) {
                // Whose ask it was may have to tell another hub.
                self.reply(parked.connection, parked.request, Reply::Done(0));
            } else {
                let problem = Problem::NotFound(id.clone());
                self.refuse(parked.connection, parked.request, problem);
            }
        }
        self.resume_parked(now, &id, machine);
    }

    /// Looks for an ask that is not in the working set; the request goes on when it was found.
    pub(crate) fn load(&mut self, id: &AskId, parked: Parked) {
        let waiting = self.loading.entry(id.clone()).or_default();
        if waiting.is_empty() {
            self.out.push(Effect::Load(id.clone()));
        }
        waiting.push(parked);
    }

    /// Takes a record of the store into the working set.
    fn insert_loaded(&mut self, mut record: Record) {
        self.connections.restore(&record.asker);
        record.waiters = 0;
        record.in_client = None;
        let id = record.id.clone();
        if record.is_open() {
            if let Some(at) = record.deadline_at {
                self.deadlines.add(Due::Wall(at), Why::Expire, id.clone());
            }
            if let Some(Snooze::Until(at)) = record.snoozed {
                self.deadlines
                    .add(Due::Wall(at), Why::BringBack, id.clone());
            }
        } else {
            let over = record.asked_at.plus_ms(self.settings.take_up_ms);
            self.deadlines.add(Due::Wall(over), Why::Retire, id.clone());
        }
        self.asks.insert(record, true);
    }

    /// It is gone, and its answer is no longer offered where the same is asked again.
    fn removed(&mut self, id: AskId) {
        self.recent.retain(|record| record.id != id);
        if let Some(entry) = self.asks.remove(&id) {
            // What waited for it learns from the store that it is gone.
            for parked in entry.parked {
                self.load(&id, parked);
            }
        }
        self.push(ChangeKind::Removed(id));
    }

    /// After a change: what waited for it goes on, and what nobody needs any more leaves memory.
    pub(crate) fn resume_parked(&mut self, now: Now, id: &AskId, machine: &dyn Machine) {
        while let Some(entry) = self.asks.get_mut(id)
            && !entry.is_changing()
            && let Some(parked) = entry.parked.pop_front()
        {
            self.resume(now, id, parked, machine);
        }
        self.retire(now, id);
    }

    // Waiters and deliveries.

    pub(crate) fn add_waiter(&mut self, connection: ConnectionId, request: RequestId, id: &AskId) {
        if !self.is_call(connection, request, id) {
            return;
        }
        if let Some(entry) = self.asks.get_mut(id) {
            let waiter = Waiter {
                connection,
                request,
            };
            if !entry.waiters.contains(&waiter) {
                entry.waiters.push(waiter);
            }
            entry.expected = None;
        }
    }

    /// Whether a call that was about this ask has not left.
    fn is_call(&mut self, connection: ConnectionId, request: RequestId, id: &AskId) -> bool {
        let connection = self.connections.get_mut(connection);
        connection.is_some_and(|connection| connection.calls.contains(&(request, id.clone())))
    }

    /// A call comes upon an ask that is there: it waits, or has the outcome at once.
    pub(crate) fn attach(&mut self, connection: ConnectionId, request: RequestId, id: &AskId) {
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        if entry.record.is_open() {
            self.add_waiter(connection, request, id);
            self.reply(connection, request, Reply::Opened(id.clone()));
            self.announce_if_different(id);
        } else {
            self.send_outcome(
                Waiter {
                    connection,
                    request,
                },
                id,
            );
        }
    }

    /// Sends an outcome on its way to a call.
    pub(crate) fn send_outcome(&mut self, to: Waiter, id: &AskId) {
        if !self.is_call(to.connection, to.request, id) {
            return;
        }
        self.asks.change(id, |entry| {
            entry.waiters.retain(|waiter| *waiter != to);
            if !entry.in_flight.contains(&to) {
                entry.in_flight.push(to);
            }
        });
        let Some(record) = self.record(id) else {
            return;
        };
        let missed = self.asks.has_other_undelivered(&record);
        self.reply(to.connection, to.request, Reply::Outcome { record, missed });
    }

    fn settled(&mut self, id: &AskId, requester: Option<(ConnectionId, RequestId)>) {
        let Some(entry) = self.asks.get_mut(id) else {
            return;
        };
        entry.in_client = None;
        let waiters = std::mem::take(&mut entry.waiters);
        let is_human = entry
            .record
            .settlement()
            .is_some_and(|settlement| settlement.outcome.is_human());
        // Who said that it comes back over another connection comes for the answer, too.
        if !is_human
            || entry
                .expected
                .is_some_and(|expected| expected.connection.is_some())
        {
            entry.expected = None;
        }
        // Whoever settled it learns how many calls were waiting.
        let told = u32::try_from(waiters.len()).unwrap_or(u32::MAX);
        let mut record = Record::clone(&entry.record);
        record.waiters = record.waiters.max(told);
        self.refresh(id);
        // The agents first: the person has done their part.
        for waiter in waiters {
            self.send_outcome(waiter, id);
        }
        if let Some((connection, request)) = requester {
            self.reply(connection, request, Reply::Settled(true, Arc::new(record)));
        }
        if is_human && let Some(record) = self.record(id) {
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(record);
        }
        self.announce(id);
    }

    /// A call is no longer there: neither as a waiter nor on the way of an outcome.
    pub(crate) fn drop_call(&mut self, call: Waiter, id: &AskId) {
        self.asks.change(id, |entry| {
            entry.waiters.retain(|waiter| *waiter != call);
            entry.in_flight.retain(|waiter| *waiter != call);
            entry.by_id.remove(&call);
        });
    }

    fn refresh(&mut self, id: &AskId) {
        if let Some(entry) = self.asks.get_mut(id) {
            entry.refresh();
        }
    }

    fn close_connection(&mut self, now: Now, connection: ConnectionId) {
        self.changes.unsubscribe(connection);
        let Some(closed) = self.connections.close(connection, now.wall) else {
            return;
        };
        let mut changed: Vec<AskId> = Vec::new();
        for (request, id) in closed.calls {
            self.drop_call(
                Waiter {
                    connection,
                    request,
                },
                &id,
            );
            changed.push(id);
        }
        for id in closed.marks {
            if let Some(entry) = self.asks.get_mut(&id) {
                entry
                    .expected
                    .take_if(|expected| expected.connection == Some(connection));
                entry.in_client.take_if(|(of, _)| *of == connection);
            }
            changed.push(id);
        }
        changed.sort();
        changed.dedup();
        for id in changed {
            self.refresh(&id);
            self.announce(&id);
            self.retire(now, &id);
        }
    }

    // The clock.

    /// Notes when an ask must be looked at again after this change.
    fn schedule(&mut self, now: Now, id: &AskId, write: &Write) {
        match write {
            Write::Create(_) | Write::SetDeadline(..) | Write::Reopen(..) => {
                let Some(entry) = self.asks.get_mut(id) else {
                    return;
                };
                let left = entry.record.deadline_at.map(|at| at.since_ms(now.wall));
                entry.due_boot_ms = left.map(|left| now.boot_ms.saturating_add(left));
                if let Some(at) = entry.due_boot_ms {
                    self.deadlines.add(Due::Boot(at), Why::Expire, id.clone());
                }
            }
            Write::Snooze(_, Some(Snooze::Until(at))) => {
                self.deadlines
                    .add(Due::Wall(*at), Why::BringBack, id.clone());
            }
            Write::Settle(..) => {
                if let Some(entry) = self.asks.get(id) {
                    let over = entry.record.asked_at.plus_ms(self.settings.take_up_ms);
                    let over = over.plus_ms(1);
                    self.deadlines.add(Due::Wall(over), Why::Retire, id.clone());
                }
            }
            Write::Snooze(..)
            | Write::Deliver(..)
            | Write::SaveDraft(..)
            | Write::AskAgain(..)
            | Write::TakeOver(..)
            | Write::Show(..)
            | Write::Forget(_)
            | Write::Mute(_) => {}
        }
    }

    fn tick(&mut self, now: Now) {
        for (why, id) in self.deadlines.take_due(now) {
            let Some(entry) = self.asks.get(&id) else {
                continue;
            };
            // It is looked at again when the change that is on its way is kept.
            if entry.is_changing() && matches!(why, Why::Expire | Why::BringBack) {
                let soon = Due::Boot(now.boot_ms.saturating_add(1));
                self.deadlines.add(soon, why, id);
                continue;
            }
            match why {
                Why::Expire => self.expire(now, &id),
                Why::BringBack => {
                    if entry.record.is_open()
                        && lifecycle::snooze_ends(&entry.record, now.wall, false)
                    {
                        let back = vec![Write::Snooze(id.clone(), None)];
                        self.persist(&[id], back, None, AfterStore::Nothing);
                    }
                }
                Why::Expect => {
                    let over = |expected: &mut crate::asks::Expected| {
                        expected.until_boot_ms <= now.boot_ms
                    };
                    if let Some(entry) = self.asks.get_mut(&id) {
                        entry.expected.take_if(over);
                    }
                    self.announce_if_different(&id);
                }
                Why::Retire => self.retire(now, &id),
            }
        }
    }

    fn expire(&mut self, now: Now, id: &AskId) {
        // No larger than what readers of JSON in any language keep exact, as every attempt.
        let attempt = self.random() >> 16;
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        // Where this hub has seen the limit begin, only the clock that nobody sets counts.
        let due = match entry.due_boot_ms {
            Some(at) => at <= now.boot_ms,
            None => entry.record.deadline_at.is_some_and(|at| at <= now.wall),
        };
        if !due || !entry.record.is_open() {
            return;
        }
        let settlement = Settlement {
            outcome: ask_core::Outcome::Expired,
            surface: lifecycle::CLOCK.to_owned(),
            device: None,
            origin: None,
            at: now.wall,
            attempt,
            awaited: false,
        };
        let write = Write::Settle(Arc::clone(&entry.record), Box::new(settlement));
        self.persist(
            std::slice::from_ref(id),
            vec![write],
            None,
            AfterStore::Settled,
        );
    }

    /// Drops an ask that nobody needs any more.
    pub(crate) fn retire(&mut self, now: Now, id: &AskId) {
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        let within = self.settings.take_up_ms;
        let is_needed = entry.is_in_use()
            || (entry.is_expired() && lifecycle::may_reopen(&entry.record, now.wall, within));
        if !is_needed {
            self.asks.remove(id);
        }
        self.evict_expired();
    }

    /// Drops what was asked first of what only time has closed, where that is too much to hold. Who has
    /// its id, or answers it late, has it from the store; nobody takes it up by asking the same again.
    pub(crate) fn evict_expired(&mut self) {
        while let Some(id) = self.asks.expired_beyond(MOST_EXPIRED_BYTES)
            && let Some(entry) = self.asks.get(&id)
            && !entry.is_in_use()
        {
            self.asks.remove(&id);
        }
    }
}
