//! The engine: its single entry point for events, and the effects that follow once the store has
//! reported the result of a change.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use ask_core::record::Snooze;
use ask_core::{
    Ancestry, AskId, Asker, Caller, Process, Record, Role, Settlement, Time, Write, Written,
    lifecycle,
};

use crate::asked_text::AskedText;
use crate::asks::{Asks, Counts, Entry, Parked, Waiter};
use crate::callers::{self, AnswerPlace, Machine};
use crate::changes::{CatchUp, ChangeKind, Changes, Cursor};
use crate::connections::Connections;
use crate::deadlines::{Check, Deadlines, Due};
use crate::event::{
    ConnectionId, Effect, Event, MIN_STEP_MS, Now, Problem, Reply, Request, RequestId, Ticket,
};

/// The settings of a hub that matter to its engine.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long after it was opened an ask can be taken up, in milliseconds.
    pub take_up_ms: u64,
    /// How long undelivered outcomes are listed together with open asks, in milliseconds.
    pub list_undelivered_ms: u64,
    /// How many changes are retained for connections that lag or reconnect. A connection that
    /// missed more gets a snapshot.
    pub changes_kept: usize,
    /// How many changes are pushed to a connection before it has taken any of them.
    pub changes_ahead: usize,
    /// The limits on open asks.
    pub open: OpenLimits,
}

/// How many asks may be open at a time, and how large they may be, so that one agent leaves room
/// for others. 0 means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenLimits {
    /// The limit for each caller.
    pub of_caller: Amount,
    /// The limit for all callers together.
    pub of_all: Amount,
}

/// A number of asks and their size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// The number of asks.
    pub asks: usize,
    /// The total size of what is asked, in bytes.
    pub bytes: usize,
}

/// How long after a failure of the store a change that no request caused is tried again.
const RETRY_MS: u64 = 1_000;

/// How many answered asks are remembered, in case the same is asked again.
const MAX_RECENT: usize = 64;

/// The state of a hub and its decisions.
#[derive(Debug)]
pub struct Engine {
    pub(crate) settings: Settings,
    pub(crate) asks: Asks,
    pub(crate) connections: Connections,
    /// The processes whose end the hub reports, because [`Effect::Watch`] named them.
    watched: BTreeSet<Process>,
    pub(crate) changes: Changes,
    pub(crate) deadlines: Deadlines,
    pub(crate) muted: bool,
    /// The asks that were answered last, the newest at the end.
    pub(crate) recent: VecDeque<Arc<Record>>,
    pub(crate) asked_text: AskedText,
    pending: BTreeMap<Ticket, Pending>,
    /// Requests that wait until an ask is loaded from the store, by ask.
    loading: HashMap<AskId, Vec<Parked>>,
    next_ticket: u64,
    /// How far the wall clock was ahead of the boot clock at the last event, in milliseconds.
    wall_ahead_ms: Option<i64>,
    /// The state of the random number generator. Its seed differs from hub to hub.
    random: u64,
    out: Vec<Effect>,
}

/// Changes that were sent to the store, and what to do with its result.
#[derive(Debug)]
struct Pending {
    writes: Vec<Write>,
    /// The asks of the working set that take no other change until the store has replied.
    ids: Vec<AskId>,
    /// The request that caused the changes. `None` if time passing caused them.
    requester: Option<(ConnectionId, RequestId)>,
    then: AfterStore,
}

/// What follows once changes are stored.
#[derive(Debug)]
pub(crate) enum AfterStore {
    /// A new ask is open. Its call waits, or only gets the id.
    Created { wait: bool },
    /// A call that took up an ask waits for it.
    Attached,
    /// An ask is closed: its waiters get the outcome once it has been held for this time.
    Settled { hold_ms: u64 },
    /// An outcome is taken back: the ask is open.
    TakenBack,
    /// An outcome is marked as delivered.
    Delivered,
    /// The reply is the current record.
    ReplyRecord,
    /// The reply is the number of changes.
    Done,
    /// No request gets a reply.
    Nothing,
}

impl Engine {
    /// An engine that starts from what is stored: all open asks, all undelivered outcomes of
    /// people, expired asks that can still be taken up, and the asks that were answered last.
    /// `random` distinguishes this hub from every other.
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
            watched: BTreeSet::new(),
            changes: Changes::new(random, settings.changes_kept, settings.changes_ahead),
            deadlines: Deadlines::default(),
            muted,
            recent: recent.into_iter().map(Arc::new).collect(),
            asked_text: AskedText::default(),
            pending: BTreeMap::new(),
            loading: HashMap::new(),
            next_ticket: 0,
            wall_ahead_ms: None,
            random,
            out: Vec::new(),
        };
        for record in records {
            engine.insert_loaded(record);
        }
        engine.evict_expired();
        engine
    }

    /// How far the wall clock was ahead of the boot clock when this engine last looked, in milliseconds. All
    /// deadlines are by that wall clock.
    pub fn wall_ahead_ms(&self) -> Option<i64> {
        self.wall_ahead_ms
    }

    /// Continues with the clocks of an earlier hub of this boot: what its [`Self::wall_ahead_ms`] was.
    pub fn continue_clock(&mut self, wall_ahead_ms: i64) {
        self.wall_ahead_ms = Some(wall_ahead_ms);
    }

    /// Processes one event. The caller must carry out the returned effects in their order.
    pub fn handle(&mut self, now: Now, event: Event, machine: &dyn Machine) -> Vec<Effect> {
        self.move_deadlines(now);
        match event {
            Event::Opened(connection) => self.connections.open(connection),
            Event::Closed(connection) => self.close_connection(now, connection, machine),
            Event::Request {
                connection,
                request,
                body,
            } => self.request(now, connection, request, body, machine),
            Event::Drained(connection) => {
                self.changes.drained(connection);
                self.catch_up(now, connection);
            }
            Event::Stored(ticket, written) => self.on_stored(now, ticket, written, machine),
            Event::StoreFailed(ticket, problem) => {
                self.on_store_failed(now, ticket, &problem, machine);
            }
            Event::Loaded(id, record) => self.on_loaded(now, id, record, machine),
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
                        self.on_removed(id);
                    }
                }
            }
            Event::Tick => self.tick(now),
            Event::Started => self.watch_callers(|_| true, machine),
            Event::ProcessEnded(process) => self.end_process(now, process, machine),
            Event::Ending => {
                self.store_presence(now.steady, |engine, _, caller| {
                    engine.is_present(caller, machine)
                });
                self.store_agents(now.steady, |_, caller| {
                    callers::nearest_running(caller, machine).is_some()
                });
            }
        }
        std::mem::take(&mut self.out)
    }

    /// In how many milliseconds [`Event::Tick`] is due. The wall clock may be set meanwhile, so the
    /// caller must ask again from time to time.
    pub fn next_in_ms(&self, now: Now) -> Option<u64> {
        self.deadlines.next_in_ms(now)
    }

    /// The current record of an ask. `None` if the ask is not in the working set.
    pub fn record(&self, id: &AskId) -> Option<Arc<Record>> {
        let entry = self.asks.get(id).filter(|entry| entry.is_stored)?;
        Some(Arc::clone(&entry.record))
    }

    /// All asks of the working set, in the order of their ids.
    pub fn records(&self) -> impl Iterator<Item = &Arc<Record>> {
        let stored = self.asks.iter().filter(|entry| entry.is_stored);
        stored.map(|entry| &entry.record)
    }

    /// Whether notifications are muted.
    pub fn is_muted(&self) -> bool {
        self.muted
    }

    /// Whether a person settled this ask, and the outcome is neither delivered nor being delivered.
    pub fn is_undelivered(&self, id: &AskId) -> bool {
        self.asks.get(id).is_some_and(Entry::is_undelivered)
    }

    /// The revision of an ask's draft, if it is what a program with this mark has filled in, and
    /// nobody else has changed it since this hub started.
    pub fn revision_filled_in(&self, id: &AskId, mark: &str) -> Option<u64> {
        self.asks.get(id)?.revision_filled_in(mark)
    }

    /// The instances of all callers with an ask that is open or whose outcome hasn't reached them.
    pub fn callers_in_use(&self) -> HashSet<String> {
        let in_use = self.asks.iter().filter(|entry| entry.is_in_use());
        let callers = in_use.filter_map(|entry| entry.record.asker.caller.as_ref());
        callers.map(|caller| caller.instance.clone()).collect()
    }

    /// Whether an outcome was sent to a call over one of these connections, and not confirmed yet.
    pub fn has_delivery_in_flight(&self, connection: impl Fn(ConnectionId) -> bool) -> bool {
        let mut calls = self.asks.iter().flat_map(|entry| &entry.in_flight);
        calls.any(|call| connection(call.connection))
    }

    /// The numbers of asks in the working set and of calls that wait.
    pub fn counts(&self) -> Counts {
        self.asks.counts()
    }

    /// Whether an ask is open, or its outcome is held.
    pub(crate) fn is_awaited(&self, id: &AskId) -> bool {
        self.asks.get(id).is_some_and(Entry::is_awaited)
    }

    /// Whether any ask is open.
    pub fn is_any_open(&self) -> bool {
        self.asks.is_any_open()
    }

    /// The records of the asks that calls of a connection wait for and that have changed after a
    /// cursor. If the changes after the cursor are no longer retained, the records of all these
    /// asks.
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

    /// The position after the last change.
    pub fn cursor(&self) -> Cursor {
        self.changes.cursor()
    }

    /// Whether a reply of the store is outstanding.
    pub fn awaits_store(&self) -> bool {
        !self.pending.is_empty() || !self.loading.is_empty()
    }

    /// The client's name of the agent that a process is or runs below: the agent that asked, if
    /// `record` is given, or any other known agent. `None` if there is no such agent.
    pub fn agent_above(
        &self,
        record: Option<&Record>,
        process: &Ancestry,
        place: AnswerPlace,
        machine: &dyn Machine,
    ) -> Option<String> {
        let line = &process.processes;
        let others = self.connections.known();
        // An agent's own process is excepted: `ask-user doctor` is the client of a server that it
        // ends, and removes its ask then.
        let ancestors = line.get(1..).unwrap_or_default();
        let others = others.chain(self.connections.agents_among(ancestors));
        // Of an agent that has not asked yet, the system knows the server.
        let servers = process.servers.iter().map(|server| Asker {
            caller: Some(server.clone()),
            ..Asker::default()
        });
        let servers: Vec<Asker> = servers.collect();
        let others = others.chain(&servers);
        // A command is known by its connection, and by what it has left.
        let left = self.asks.iter().filter(|entry| entry.is_in_use());
        let left = left.map(|entry| &entry.record.asker);
        let others = others.chain(left.filter(|asker| {
            let role = asker.caller.as_ref().and_then(Caller::role);
            role == Some(Role::Command)
        }));
        let known = process.below_agent.clone();
        let opened_at = |record: &Record| match self.asks.get(&record.id) {
            Some(entry) => entry.opened_at,
            None => record.asked_at,
        };
        let record = record.map(|record| (record, opened_at(record)));
        known.or_else(|| callers::agent_above(process, record, place, others, machine))
    }

    /// The name of a program above a process that ran a command which asked. It may be an agent
    /// without a server, or a script of the person.
    pub fn script_above(&self, process: &Ancestry) -> Option<String> {
        let ancestors = process.processes.get(1..).unwrap_or_default();
        let asker = self.connections.script_among(ancestors)?;
        Some(asker.client.as_deref().unwrap_or("an agent").to_owned())
    }

    /// Whether a caller may receive an ask without naming its whole id.
    pub fn may_have(&self, record: &Record, asker: &Asker, machine: &dyn Machine) -> bool {
        callers::may_have(record, asker, &self.connections, machine)
    }

    /// Whether a process is our program and the MCP server of a known agent.
    pub fn is_server(&self, process: &Ancestry) -> bool {
        let mut known = self.connections.known();
        known.any(|agent| callers::is_server(process, agent))
    }

    /// The records that a surface lists: open asks first, then undelivered outcomes that are not
    /// older than [`Settings::list_undelivered_ms`].
    pub fn listed(&self, now: Now) -> Vec<Arc<Record>> {
        let late = i64::try_from(self.settings.list_undelivered_ms).unwrap_or(i64::MAX);
        let since = Time(now.wall.0.saturating_sub(late));
        let mut listed: Vec<Arc<Record>> = self
            .asks
            .open_or_unacknowledged(since)
            .filter(|entry| entry.is_stored)
            .map(|entry| Arc::clone(&entry.record))
            .collect();
        listed.sort_by(|one, other| {
            let key = |record: &Record| (!record.is_open(), record.asked_at);
            (key(one), &one.id).cmp(&(key(other), &other.id))
        });
        listed
    }

    // Replies and changes.

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
        for missed in self.changes.take_missed(connection) {
            let effect = match missed {
                CatchUp::Change(change) => Effect::Push(connection, change),
                CatchUp::Snapshot => {
                    Effect::Snapshot(connection, self.changes.cursor(), self.listed(now))
                }
            };
            self.out.push(effect);
        }
    }

    /// Pushes the current record of an ask to subscribers.
    pub(crate) fn announce(&mut self, id: &AskId) {
        if let Some(record) = self.record(id) {
            self.push(ChangeKind::Record(record));
        }
    }

    /// Like [`Self::announce`], but only if a field that is not stored has changed.
    pub(crate) fn announce_if_different(&mut self, id: &AskId) {
        let different = self.asks.get_mut(id).is_some_and(Entry::refresh);
        if different {
            self.announce(id);
        }
    }

    /// Sends changes to the store. The asks with these ids take no other change until the store has
    /// reported the result.
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

    /// Lets these asks take changes again.
    fn release(&mut self, ids: &[AskId]) {
        for id in ids {
            if let Some(entry) = self.asks.get_mut(id) {
                entry.ticket = None;
            }
            self.deadlines.resume(id);
        }
    }

    /// The next random number.
    pub(crate) fn random(&mut self) -> u64 {
        // SplitMix64, by Steele, Lea and Flood.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    // Results of the store.

    fn on_stored(&mut self, now: Now, ticket: Ticket, written: Written, machine: &dyn Machine) {
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

    /// Applies stored changes to the working set, and sends the replies that waited for them.
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
                Write::Forget(id) if ids.contains(id) => self.on_removed(id.clone()),
                // The ask was not in the working set. An ask of the same id that is there now came
                // later.
                Write::Forget(id) => {
                    self.recent.retain(|record| record.id != *id);
                    self.push(ChangeKind::Removed(id.clone()));
                }
                write => {
                    // A change of the owner doesn't hold the ask, so it may be missing in `ids`.
                    let is_of_caller = matches!(
                        write,
                        Write::TakeOver(..) | Write::SeeCaller(..) | Write::SeeAgent(..)
                    );
                    let Some(id) = write.id().filter(|id| is_of_caller || ids.contains(id)) else {
                        continue;
                    };
                    self.asks.change(id, |entry| {
                        entry.is_stored = true;
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
                // The person is notified before the agent gets its reply, because the agent only
                // waits from here on.
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
            (AfterStore::Settled { hold_ms }, Some(id)) => {
                self.on_settled(now, id, hold_ms, requester);
            }
            (AfterStore::TakenBack, Some(id)) => {
                self.recent.retain(|record| record.id != *id);
                self.asks.change(id, |entry| entry.hold = None);
                self.refresh(id);
                self.announce(id);
                if let (Some((connection, request)), Some(record)) = (requester, self.record(id)) {
                    self.reply(connection, request, Reply::Record(record));
                }
            }
            (AfterStore::Delivered, Some(id)) => {
                self.asks.change(id, |entry| {
                    entry.in_flight.clear();
                    entry.expected = None;
                });
                self.refresh(id);
                self.announce(id);
                self.reply_done(requester, 1);
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
                self.reply_done(requester, writes.len() as u64);
            }
            (AfterStore::Nothing, _) => {
                for id in ids {
                    self.announce(id);
                }
            }
            (
                AfterStore::Created { .. }
                | AfterStore::Attached
                | AfterStore::Settled { .. }
                | AfterStore::TakenBack
                | AfterStore::Delivered
                | AfterStore::ReplyRecord,
                None,
            ) => {}
        }
    }

    fn reply_done(&mut self, requester: Option<(ConnectionId, RequestId)>, count: u64) {
        if let Some((connection, request)) = requester {
            self.reply(connection, request, Reply::Done(count));
        }
    }

    /// The store has the ask in another state than the working set. The stored state is adopted.
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
                    entry.is_stored = true;
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
            AfterStore::Settled { .. } => {
                let record = self.record(&id);
                if let Some(record) = record {
                    self.reply(connection, request, Reply::Settled(false, record));
                }
            }
            AfterStore::Delivered
            | AfterStore::TakenBack
            | AfterStore::ReplyRecord
            | AfterStore::Done
            | AfterStore::Nothing => {
                self.reply(connection, request, Reply::Done(0));
            }
        }
        self.resume_parked(now, &id, machine);
    }

    /// The store could not write. Nothing has changed, so a request is refused, and a change that
    /// time caused is tried again later.
    fn on_store_failed(&mut self, now: Now, ticket: Ticket, problem: &str, machine: &dyn Machine) {
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
                let retry = Due::Boot(now.boot_ms.saturating_add(RETRY_MS));
                for id in &ids {
                    self.deadlines.add(retry, Check::Expire, id.clone());
                    self.deadlines.add(retry, Check::EndSnooze, id.clone());
                }
            }
        }
        if let (AfterStore::Delivered, Some(id)) = (&then, ids.first()) {
            self.release_unmarked_delivery(id);
        }
        if let (AfterStore::Created { .. }, Some(id)) = (then, ids.first())
            && let Some(entry) = self.asks.remove(id)
        {
            // A request that would have taken up this ask may open its own now.
            for parked in entry.parked {
                self.resume(now, id, parked, machine);
            }
        }
        for id in ids {
            self.resume_parked(now, &id, machine);
        }
    }

    /// The store could not mark an outcome as delivered. If its call confirms the delivery again,
    /// and the ask is no longer in memory, it is loaded from the store.
    fn release_unmarked_delivery(&mut self, id: &AskId) {
        self.asks.change(id, |entry| {
            entry.in_flight.clear();
            entry.is_confirmed = entry.is_unacknowledged();
        });
        self.refresh(id);
    }

    fn on_loaded(
        &mut self,
        now: Now,
        id: AskId,
        record: Option<Box<Record>>,
        machine: &dyn Machine,
    ) {
        let parked = self.loading.remove(&id).unwrap_or_default();
        let exists = record.is_some() || self.asks.get(&id).is_some();
        if let Some(record) = record
            && self.asks.get(&id).is_none()
        {
            let is_answerable = record.is_answerable();
            let caller = record.asker.caller.clone();
            self.insert_loaded(*record);
            if let Some(caller) = caller.filter(|_| is_answerable) {
                self.resume_watching(&id, &caller, machine);
            }
        }
        for parked in parked {
            if exists {
                self.resume(now, &id, parked, machine);
            } else if matches!(parked.body, Request::Delivered { .. }) {
                // Not an error: the ask may be another hub's, and 0 makes the client tell that hub.
                self.reply(parked.connection, parked.request, Reply::Done(0));
            } else {
                let problem = Problem::NotFound(id.clone());
                self.refuse(parked.connection, parked.request, problem);
            }
        }
        self.resume_parked(now, &id, machine);
    }

    /// Watches the caller of an ask that was not in memory. If it has ended, it is unknown who started after
    /// that, so the ask gets no successor.
    fn resume_watching(&mut self, id: &AskId, caller: &Caller, machine: &dyn Machine) {
        if !self.is_present(caller, machine) {
            self.store_seen(vec![Write::SeeCaller(id.clone(), Time::last())]);
        }
        self.watch_callers(|other| other == caller, machine);
    }

    /// Loads an ask that is not in the working set. The request is resumed afterwards.
    pub(crate) fn load(&mut self, id: &AskId, parked: Parked) {
        let waiting = self.loading.entry(id.clone()).or_default();
        if waiting.is_empty() {
            self.out.push(Effect::Load(id.clone()));
        }
        waiting.push(parked);
    }

    /// Adds a stored record to the working set.
    fn insert_loaded(&mut self, mut record: Record) {
        self.connections.restore(&record.asker);
        record.waiters = 0;
        record.in_client = None;
        record.normalize_forms();
        let id = record.id.clone();
        if record.is_open() {
            if let Some(at) = record.deadline_at {
                self.deadlines.add(Due::Wall(at), Check::Expire, id.clone());
            }
            if let Some(Snooze::Until(at)) = record.snoozed {
                self.deadlines
                    .add(Due::Wall(at), Check::EndSnooze, id.clone());
            }
        } else {
            let take_up_end = record.asked_at.plus_ms(self.settings.take_up_ms);
            self.deadlines
                .add(Due::Wall(take_up_end), Check::Retire, id.clone());
        }
        self.asks.insert(record, true);
    }

    /// An ask was removed from the store: its answer is no longer offered if the same is asked
    /// again.
    fn on_removed(&mut self, id: AskId) {
        self.recent.retain(|record| record.id != id);
        if let Some(entry) = self.asks.remove(&id) {
            // The store no longer has the ask, so the load refuses these requests.
            for parked in entry.parked {
                self.load(&id, parked);
            }
        }
        self.push(ChangeKind::Removed(id));
    }

    /// Resumes the requests that waited for a change of this ask, and drops the ask from memory if
    /// nothing needs it any more.
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
        if !self.has_call(connection, request, id) {
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

    /// Whether a call for this ask is open: it has not left, and its connection has not ended.
    fn has_call(&mut self, connection: ConnectionId, request: RequestId, id: &AskId) -> bool {
        let connection = self.connections.get_mut(connection);
        connection.is_some_and(|connection| connection.calls.contains(&(request, id.clone())))
    }

    /// Makes a call wait for an ask, or sends it the outcome if the ask is closed.
    pub(crate) fn attach(&mut self, connection: ConnectionId, request: RequestId, id: &AskId) {
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        if entry.is_awaited() {
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

    /// Sends an outcome to a call. It is in flight until the call confirms it.
    pub(crate) fn send_outcome(&mut self, to: Waiter, id: &AskId) {
        if !self.has_call(to.connection, to.request, id) {
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

    fn on_settled(
        &mut self,
        now: Now,
        id: &AskId,
        hold_ms: u64,
        requester: Option<(ConnectionId, RequestId)>,
    ) {
        if hold_ms > 0 {
            let until_boot_ms = now.boot_ms.saturating_add(hold_ms);
            let hold = (until_boot_ms, now.wall.plus_ms(hold_ms));
            self.asks.change(id, |entry| entry.hold = Some(hold));
            let due = Due::Boot(until_boot_ms);
            self.deadlines.add(due, Check::EndHold, id.clone());
        }
        let Some(entry) = self.asks.get_mut(id) else {
            return;
        };
        entry.in_client = None;
        let waiters = match entry.hold {
            Some(_) => entry.waiters.clone(),
            None => std::mem::take(&mut entry.waiters),
        };
        let is_human = entry
            .record
            .settlement()
            .is_some_and(|settlement| settlement.outcome.is_human());
        // An agent that announced to return over another connection will fetch a person's outcome,
        // so its announcement stays.
        if !is_human
            || entry
                .expected
                .is_some_and(|expected| expected.connection.is_some())
        {
            entry.expected = None;
        }
        // The reply to the person has the number of calls that were waiting.
        let waiting = u32::try_from(waiters.len()).unwrap_or(u32::MAX);
        let mut record = Record::clone(&entry.record);
        record.waiters = record.waiters.max(waiting);
        record.held_until = entry.hold.map(|(_, until)| until);
        self.refresh(id);
        // The agents get the outcome before the person gets the reply: only the agents still have
        // to act.
        if self.asks.get(id).is_some_and(|entry| entry.hold.is_none()) {
            for waiter in waiters {
                self.send_outcome(waiter, id);
            }
        }
        // A call counts as waiting until it has read its outcome, which is not kept so far.
        self.refresh(id);
        if let Some((connection, request)) = requester {
            self.reply(connection, request, Reply::Settled(true, Arc::new(record)));
        }
        if let Some(record) = self
            .record(id)
            .filter(|record| is_human || record.unsent().is_some())
        {
            if self.recent.len() == MAX_RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(record);
        }
        self.announce(id);
    }

    /// Ends the hold of an outcome: the calls that wait for it get it.
    pub(crate) fn release_outcome(&mut self, id: &AskId) {
        let released = self.asks.change(id, |entry| {
            entry.hold.take()?;
            Some(std::mem::take(&mut entry.waiters))
        });
        let Some(waiters) = released.flatten() else {
            return;
        };
        self.refresh(id);
        for waiter in waiters {
            self.send_outcome(waiter, id);
        }
        self.refresh(id);
        self.announce(id);
    }

    /// Removes a call from an ask: it neither waits nor receives an outcome any more.
    pub(crate) fn drop_call(&mut self, call: Waiter, id: &AskId) {
        self.asks.change(id, |entry| {
            entry.waiters.retain(|waiter| *waiter != call);
            entry.in_flight.retain(|waiter| *waiter != call);
            entry.by_id.remove(&call);
        });
    }

    pub(crate) fn refresh(&mut self, id: &AskId) {
        if let Some(entry) = self.asks.get_mut(id) {
            entry.refresh();
        }
    }

    fn close_connection(&mut self, now: Now, connection: ConnectionId, machine: &dyn Machine) {
        self.changes.unsubscribe(connection);
        let Some(closed) = self.connections.close(connection, now.steady) else {
            return;
        };
        self.store_presence(
            callers::ran_at_least_until(now.steady),
            |engine, _, caller| {
                closed.callers.contains(&caller.instance)
                    && engine.connections.departed_at(&caller.instance) == Some(now.steady)
            },
        );
        let left = |caller: &Caller| closed.callers.contains(&caller.instance);
        self.watch_callers(left, machine);
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
        for id in closed.bound_asks {
            if let Some(entry) = self.asks.get_mut(&id) {
                entry
                    .expected
                    .take_if(|expected| expected.connection == Some(connection));
                entry.in_client.take_if(|(by, _)| *by == connection);
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

    /// Stores that the callers that `is_meant` selects ran at this time, for the next hub. It can't know
    /// that a caller which ran beside one of them is no successor.
    pub(crate) fn store_presence(
        &mut self,
        at: Time,
        is_meant: impl Fn(&Self, &Asker, &Caller) -> bool,
    ) {
        let meant = self.asks_of(|record, caller| {
            callers::caller_seen(record) < at && is_meant(self, &record.asker, caller)
        });
        let seen = meant.into_iter().map(|id| Write::SeeCaller(id, at));
        self.store_seen(seen.collect());
    }

    /// Whether this caller is connected, or its own process runs.
    pub(crate) fn is_present(&self, caller: &Caller, machine: &dyn Machine) -> bool {
        let own = callers::own_process(caller);
        self.connections.is_present(&caller.instance, machine)
            || own.is_some_and(|process| machine.runs(process))
    }

    /// Stores that the agents of the callers that `is_meant` selects ran at this time.
    pub(crate) fn store_agents(&mut self, at: Time, is_meant: impl Fn(&Asker, &Caller) -> bool) {
        let meant = self.asks_of(|record, caller| {
            record.agent_seen.is_none_or(|seen| seen < at) && is_meant(&record.asker, caller)
        });
        let seen = meant.into_iter().map(|id| Write::SeeAgent(id, at));
        self.store_seen(seen.collect());
    }

    /// The stored asks that may be taken up and whose callers `is_meant` selects.
    fn asks_of(&self, is_meant: impl Fn(&Record, &Caller) -> bool) -> Vec<AskId> {
        let asks = self.asks.iter();
        let asks = asks.filter(|entry| entry.may_be_taken_up() && entry.is_stored);
        let records = asks.map(|entry| &entry.record);
        let meant = records.filter(|record| {
            let mut caller = record.asker.caller.iter();
            caller.any(|caller| is_meant(record, caller))
        });
        meant.map(|record| record.id.clone()).collect()
    }

    fn store_seen(&mut self, seen: Vec<Write>) {
        if !seen.is_empty() {
            self.persist(&[], seen, None, AfterStore::Nothing);
        }
    }

    /// Watches what may go on as the callers that `is_meant` selects, so that its end is known: a server
    /// or a command may have ended before its agent.
    fn watch_callers(&mut self, is_meant: impl Fn(&Caller) -> bool, machine: &dyn Machine) {
        let callers = self.left_callers().filter(|caller| is_meant(caller));
        let nearest = callers.filter_map(|caller| callers::nearest_running(caller, machine));
        let nearest: BTreeSet<Process> = nearest.collect();
        self.watch(nearest);
    }

    /// The callers of the asks that may be taken up.
    fn left_callers(&self) -> impl Iterator<Item = &Caller> {
        let asks = self.asks.iter().filter(|entry| entry.may_be_taken_up());
        asks.filter_map(|entry| entry.record.asker.caller.as_ref())
    }

    /// Has the ends of these processes reported.
    pub(crate) fn watch(&mut self, processes: impl IntoIterator<Item = Process>) {
        for process in processes {
            if self.watched.insert(process) {
                self.out.push(Effect::Watch(process));
            }
        }
    }

    /// Looks for watched processes that have ended, whose report is under way.
    pub(crate) fn look_for_ends(&mut self, now: Now, machine: &dyn Machine) {
        let ended = self
            .watched
            .iter()
            .filter(|process| !machine.runs(**process));
        let ended: Vec<Process> = ended.copied().collect();
        for process in ended {
            self.end_process(now, process, machine);
        }
    }

    /// Takes the end of a process for the end of the callers that it may have been.
    fn end_process(&mut self, now: Now, process: Process, machine: &dyn Machine) {
        if !self.watched.remove(&process) {
            return;
        }
        let callers = self.left_callers();
        let ended = callers.filter(|caller| callers::was_nearest(caller, process, machine));
        let ended: BTreeSet<String> = ended.map(|caller| caller.instance.clone()).collect();
        for instance in &ended {
            self.connections.note_departure(instance, now.steady);
        }
        let has_ended = |caller: &Caller| ended.contains(&caller.instance);
        let ran_until = callers::ran_at_least_until(now.steady);
        self.store_presence(ran_until, |_, _, caller| {
            callers::own_process(caller) == Some(process)
        });
        self.store_agents(ran_until, |_, caller| has_ended(caller));
        self.watch_callers(has_ended, machine);
    }

    // Time.

    /// Moves all deadlines with the wall clock if somebody has set it: a time limit is a length of time,
    /// also for what shows it and for the next hub.
    fn move_deadlines(&mut self, now: Now) {
        let ahead_ms = now.wall.0.saturating_sub_unsigned(now.boot_ms);
        let step_ms = ahead_ms - self.wall_ahead_ms.unwrap_or(ahead_ms);
        if step_ms.unsigned_abs() < MIN_STEP_MS {
            // Readings of two clocks differ a little. What they drift apart slowly adds up.
            self.wall_ahead_ms.get_or_insert(ahead_ms);
            return;
        }
        self.wall_ahead_ms = Some(ahead_ms);
        // The change in progress may be another deadline, which was computed by either clock.
        let open = self.asks.iter().filter(|entry| entry.record.is_open());
        let moved = open.filter(|entry| entry.is_stored && !entry.is_changing());
        let moved = moved.filter_map(|entry| {
            let until = entry.record.deadline_at?;
            let until = Time(until.0.saturating_add(step_ms));
            Some((entry.record.id.clone(), until))
        });
        for (id, until) in moved.collect::<Vec<_>>() {
            let write = vec![Write::SetDeadline(id.clone(), Some(until))];
            self.persist(&[id], write, None, AfterStore::Nothing);
        }
    }

    /// Schedules the checks that become due because of this change.
    fn schedule(&mut self, now: Now, id: &AskId, write: &Write) {
        match write {
            Write::Create(_) | Write::SetDeadline(..) | Write::Reopen(..) | Write::TakeBack(..) => {
                let Some(entry) = self.asks.get_mut(id) else {
                    return;
                };
                let left = entry.record.deadline_at.map(|at| at.since_ms(now.wall));
                entry.due_boot_ms = left.map(|left| now.boot_ms.saturating_add(left));
                if let Some(at) = entry.due_boot_ms {
                    self.deadlines.add(Due::Boot(at), Check::Expire, id.clone());
                }
            }
            Write::Snooze(_, Some(Snooze::Until(at))) => {
                self.deadlines
                    .add(Due::Wall(*at), Check::EndSnooze, id.clone());
            }
            Write::Settle(_, settlement) if settlement.outcome == ask_core::Outcome::Expired => {
                if let Some(entry) = self.asks.get(id) {
                    let take_up_end = entry.record.asked_at.plus_ms(self.settings.take_up_ms);
                    // At the end itself the ask can still be taken up.
                    let after_end = take_up_end.plus_ms(1);
                    self.deadlines
                        .add(Due::Wall(after_end), Check::Retire, id.clone());
                }
            }
            Write::Settle(..)
            | Write::Snooze(..)
            | Write::Deliver(..)
            | Write::SaveDraft(..)
            | Write::AskAgain(..)
            | Write::TakeOver(..)
            | Write::SeeCaller(..)
            | Write::SeeAgent(..)
            | Write::Show(..)
            | Write::Forget(_)
            | Write::Mute(_) => {}
        }
    }

    fn tick(&mut self, now: Now) {
        for (check, id) in self.deadlines.take_due(now) {
            let Some(entry) = self.asks.get(&id) else {
                continue;
            };
            // An ask takes one change at a time, so the check waits for the end of this one.
            let is_change = !matches!(check, Check::EndExpected | Check::Retire);
            if entry.is_changing() && is_change {
                self.deadlines.postpone(check, id);
                continue;
            }
            match check {
                Check::Expire => self.expire(now, &id),
                Check::EndSnooze => {
                    if entry.record.is_open()
                        && lifecycle::snooze_ends(&entry.record, now.wall, false)
                    {
                        let end_snooze = vec![Write::Snooze(id.clone(), None)];
                        self.persist(&[id], end_snooze, None, AfterStore::Nothing);
                    }
                }
                Check::EndHold => {
                    let has_passed = entry.hold.is_some_and(|(until, _)| until <= now.boot_ms);
                    if has_passed {
                        self.release_outcome(&id);
                    }
                }
                Check::EndExpected => {
                    let has_passed = |expected: &mut crate::asks::Expected| {
                        expected.until_boot_ms <= now.boot_ms
                    };
                    if let Some(entry) = self.asks.get_mut(&id) {
                        entry.expected.take_if(has_passed);
                    }
                    self.announce_if_different(&id);
                }
                Check::Retire => self.retire(now, &id),
            }
        }
    }

    fn expire(&mut self, now: Now, id: &AskId) {
        // 48 bits, because JSON parsers of some languages read only 53 bits exactly.
        let attempt = self.random() >> 16;
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        // If this hub set the deadline, the boot clock decides, because people can set the wall
        // clock.
        let is_due = match entry.due_boot_ms {
            Some(at) => at <= now.boot_ms,
            None => entry.record.deadline_at.is_some_and(|at| at <= now.wall),
        };
        if !is_due || !entry.record.is_open() {
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
            AfterStore::Settled { hold_ms: 0 },
        );
    }

    /// Drops an ask from memory if nothing needs it any more.
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

    /// Drops the oldest expired asks from memory while they exceed [`lifecycle::MAX_EXPIRED_BYTES`]. A request
    /// that names the id of such an ask still loads it from the store, so a late answer works. But
    /// an equal ask no longer takes it up.
    pub(crate) fn evict_expired(&mut self) {
        while let Some(id) = self.asks.expired_beyond(lifecycle::MAX_EXPIRED_BYTES)
            && let Some(entry) = self.asks.get(&id)
            && !entry.is_in_use()
        {
            self.asks.remove(&id);
        }
    }
}
