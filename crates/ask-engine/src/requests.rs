//! What clients want, one function a request. Each decides over what is kept; what changes goes to
//! the store first, and an ask whose change is on its way there takes no other.

use std::sync::Arc;

use ask_core::lifecycle::{self, SettleResult};
use ask_core::record::{InClient, Snooze};
use ask_core::{
    AskId, Asker, Caller, Draft, Fingerprint, Outcome, Record, Settlement, Time, Write,
};

use crate::asks::{Entry, Expected, Parked, Waiter};
use crate::callers::{self, Machine};
use crate::changes::Cursor;
use crate::deadlines::{Due, Why};
use crate::engine::{AfterStore, Engine, OpenLimits};
use crate::event::{
    ConnectionId, Now, Problem, Reply, Request, RequestId, Signature, TakeUp, Verdict,
};

/// Who wants something, and when.
#[derive(Clone, Copy)]
struct Requester {
    now: Now,
    connection: ConnectionId,
    request: RequestId,
}

/// What there is for a call that opens an ask.
enum Found {
    /// Nothing: the ask is new.
    Nothing,
    /// This one may be it, but is changing just now.
    Changing(AskId),
    /// This one, which waits or has an outcome for the caller.
    Resumable(AskId),
    /// This one, whose time has passed.
    Expired(AskId),
}

/// How many undelivered outcomes are listed, the newest, for a caller that doesn't take them.
const NAMED: usize = 10;

impl Engine {
    pub(crate) fn request(
        &mut self,
        now: Now,
        connection: ConnectionId,
        request: RequestId,
        body: Request,
        machine: &dyn Machine,
    ) {
        let requester = Requester {
            now,
            connection,
            request,
        };
        match body {
            Request::Open {
                record,
                wait,
                take_up,
            } => self.open(requester, record, wait, take_up, machine),
            Request::Wait(id) => self.wait(requester, id),
            Request::Leave {
                request,
                back_ms,
                elsewhere,
            } => self.leave(requester, request, back_ms, elsewhere),
            Request::Fetch {
                asker,
                take,
                or_open,
            } => self.fetch(requester, &asker, (take, or_open), machine),
            Request::Delivered { id, attempt } => self.delivered(requester, id, attempt),
            Request::NotDelivered(id) => self.not_delivered(requester, &id),
            Request::Settle {
                id,
                verdict,
                signature,
                attempt,
            } => self.settle(requester, id, verdict, signature, attempt),
            Request::SaveDraft {
                id,
                draft,
                surface,
                built_on,
            } => self.save_draft(requester, id, draft, surface, built_on),
            Request::Snooze(id, snooze) => self.snooze(requester, id, snooze),
            Request::Extend {
                id,
                until,
                longest_ms,
            } => self.extend(requester, id, until, longest_ms),
            Request::Shown(id, surface) => self.shown(requester, id, surface),
            Request::InClient(id, how) => self.in_client(requester, &id, how),
            Request::Mute(on) => {
                let mute = vec![Write::Mute(on)];
                self.persist(&[], mute, Some((connection, request)), AfterStore::Done);
            }
            Request::Forget { ids, undelivered } => self.forget(requester, ids, undelivered),
            Request::Subscribe { after, paced } => self.subscribe(requester, after, paced),
        }
    }

    /// Goes on with a request that waited, unless its call has left meanwhile.
    pub(crate) fn resume(
        &mut self,
        now: Now,
        about: &AskId,
        parked: Parked,
        machine: &dyn Machine,
    ) {
        let is_call = matches!(parked.body, Request::Open { .. } | Request::Wait(_));
        if is_call && !self.end_call(parked.connection, parked.request, about) {
            return;
        }
        self.request(now, parked.connection, parked.request, parked.body, machine);
    }

    // Calls of agents.

    fn open(
        &mut self,
        requester: Requester,
        mut record: Box<Record>,
        wait: bool,
        take_up: TakeUp,
        machine: &dyn Machine,
    ) {
        self.connections
            .record_caller(requester.connection, &record.asker, machine);
        // What an ask is opened with is what is asked, and perhaps a draft: nothing has happened to it.
        record.reset_status();
        // Who comes back to its own ask takes up no other.
        if let Some(earlier) = self.asks.get(&record.id) {
            if earlier.is_changing() {
                let id = record.id.clone();
                let body = Request::Open {
                    record,
                    wait,
                    take_up,
                };
                return self.park(requester, &id, body);
            }
            let id = record.id.clone();
            return match wait {
                true => self.attach_call(requester, &id),
                false => self.reply(requester.connection, requester.request, Reply::Opened(id)),
            };
        }
        match self.find_earlier(requester.now, &record, take_up, machine) {
            Found::Nothing => self.create(requester, *record, wait, take_up),
            Found::Changing(id) => {
                let body = Request::Open {
                    record,
                    wait,
                    take_up,
                };
                self.park(requester, &id, body);
            }
            Found::Resumable(id) => self.take_up(requester, &id, &record),
            Found::Expired(id) => self.reopen(requester, &id, &record),
        }
    }

    fn find_earlier(
        &self,
        now: Now,
        record: &Record,
        take_up: TakeUp,
        machine: &dyn Machine,
    ) -> Found {
        if take_up == TakeUp::Never {
            return Found::Nothing;
        }
        let within = self.settings.take_up_ms;
        let state = |entry: &Entry| {
            let earlier = &entry.record;
            let id = || earlier.id.clone();
            // An answer reaches its agent wherever that is; a question stands in one app's window.
            let is_reachable = lifecycle::is_same_window(&earlier.asker, &record.asker);
            let is_free = take_up == TakeUp::Always || entry.waiters.is_empty();
            if entry.is_changing() {
                Some(Found::Changing(id()))
            } else if earlier.is_open() {
                let is_left = is_free && is_reachable;
                (is_left && lifecycle::may_take_up(earlier, now.wall, within))
                    .then(|| Found::Resumable(id()))
            } else if entry.is_undelivered() {
                lifecycle::may_take_up(earlier, now.wall, within).then(|| Found::Resumable(id()))
            } else {
                let is_over = entry.is_expired() && is_reachable;
                (is_over && lifecycle::may_reopen(earlier, now.wall, within))
                    .then(|| Found::Expired(id()))
            }
        };
        let alike = self.asks.alike(Fingerprint::of_record(record));
        let candidates = alike.filter_map(|entry| {
            let earlier = &entry.record;
            let may_have_it = lifecycle::is_same(earlier, record)
                && callers::may_have(earlier, &record.asker, &self.connections, machine);
            Some((&earlier.asker, state(entry).filter(|_| may_have_it)?))
        });
        let (of_caller, of_others): (Vec<_>, Vec<_>) =
            candidates.partition(|(asker, _)| callers::are_one(asker, &record.asker));
        // What it asked itself comes first. Of several that have gone nobody knows which one it follows.
        let mut candidates = of_caller.into_iter().chain(of_others);
        let mut expired = None;
        let resumable = candidates.find_map(|(_, found)| match found {
            Found::Expired(_) => {
                expired.get_or_insert(found);
                None
            }
            Found::Nothing | Found::Changing(_) | Found::Resumable(_) => Some(found),
        });
        resumable.or(expired).unwrap_or(Found::Nothing)
    }

    fn create(&mut self, requester: Requester, mut record: Record, wait: bool, take_up: TakeUp) {
        if let Some(problem) = self.is_full_for(&record) {
            return self.refuse(requester.connection, requester.request, problem);
        }
        if take_up == TakeUp::Always && record.draft.is_none() {
            record.draft = self.earlier_answer(requester.now, &record);
        }
        let id = record.id.clone();
        let asker = record.asker.clone();
        if record.asker.caller.is_none() {
            record.asker.caller = Some(Caller::unidentified(&id, requester.now.wall));
        }
        let kept = Arc::new(record.clone());
        self.asks.insert(record, false);
        if wait {
            self.begin_call(requester, &id);
        }
        let create = vec![Write::Create(kept)];
        self.persist(
            std::slice::from_ref(&id),
            create,
            Some((requester.connection, requester.request)),
            AfterStore::Created { wait },
        );
        self.bring_back_for(&asker, &id);
    }

    /// Why this one is not taken now.
    fn is_full_for(&self, record: &Record) -> Option<Problem> {
        let OpenLimits { of_caller, of_all } = self.settings.open;
        let (own, all) = (self.asks.open_of(&record.asker), self.asks.open_in_all());
        let bytes = record.ask.bytes();
        let is_past = |limit: usize, amount: usize| limit > 0 && amount > limit;
        if is_past(of_caller.asks, own.asks + 1) {
            Some(Problem::TooManyOfCaller(of_caller.asks))
        } else if is_past(of_all.asks, all.asks + 1) {
            Some(Problem::TooManyOpen(of_all.asks))
        } else if is_past(of_caller.bytes, own.bytes + bytes) {
            Some(Problem::TooLongOfCaller(of_caller.bytes))
        } else if is_past(of_all.bytes, all.bytes + bytes) {
            Some(Problem::TooLongOpen(of_all.bytes))
        } else {
            None
        }
    }

    fn take_up(&mut self, requester: Requester, id: &AskId, asking: &Record) {
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        let earlier = Arc::clone(&entry.record);
        let comes_after = !callers::are_one(&earlier.asker, &asking.asker);
        let mut writes = Self::caller_change(id, &earlier, asking);
        if !earlier.is_open() {
            self.attach_call(requester, id);
            // Nothing waits for it: who was given the outcome before may still say that it was read.
            if !writes.is_empty() {
                self.persist(&[], writes, None, AfterStore::Nothing);
            }
            return;
        }
        if comes_after {
            self.take_over(id);
        }
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        let deadline = lifecycle::later_deadline(&earlier, asking.deadline_at);
        if deadline != earlier.deadline_at {
            writes.push(Write::SetDeadline(id.clone(), deadline));
        }
        // A caller that said it would come back resumes its wait. Any other has asked again.
        if entry.expected.is_none() {
            writes.push(Write::AskAgain(id.clone(), asking.asked_at));
            if earlier.snoozed == Some(Snooze::AskedAgain) {
                writes.push(Write::Snooze(id.clone(), None));
            }
        }
        let brings_back = !writes.is_empty();
        self.attach_after(requester, id, writes);
        if brings_back {
            self.bring_back_for(&asking.asker, id);
        }
    }

    /// The write that makes the asking caller the owner of an ask that another caller opened. The store
    /// must know the owner, because after a restart of the hub it is the new one that comes back.
    fn caller_change(id: &AskId, earlier: &Record, asking: &Record) -> Vec<Write> {
        let comes_after = !callers::are_one(&earlier.asker, &asking.asker);
        let caller = asking.asker.caller.clone().filter(|_| comes_after);
        let take_over = |caller| Write::TakeOver(id.clone(), Box::new(caller));
        caller.map(take_over).into_iter().collect()
    }

    /// Has a call wait once these changes are kept.
    fn attach_after(&mut self, requester: Requester, id: &AskId, writes: Vec<Write>) {
        if writes.is_empty() {
            return self.attach_call(requester, id);
        }
        self.begin_call(requester, id);
        let waits = Some((requester.connection, requester.request));
        self.persist(
            std::slice::from_ref(id),
            writes,
            waits,
            AfterStore::Attached,
        );
    }

    /// The caller of an ask is gone, and another goes on with it: calls of it that seem to wait still
    /// wait no more. Those that know the ask by its id stay.
    fn take_over(&mut self, id: &AskId) {
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        let gone = entry.waiters.iter();
        let gone: Vec<Waiter> = gone
            .filter(|call| !entry.by_id.contains(call))
            .copied()
            .collect();
        for call in gone {
            self.end_call(call.connection, call.request, id);
            self.drop_call(call, id);
            self.refuse(
                call.connection,
                call.request,
                Problem::TakenOver(id.clone()),
            );
        }
    }

    /// An ask whose time had passed waits again: its person keeps the card, and what was typed.
    fn reopen(&mut self, requester: Requester, id: &AskId, asking: &Record) {
        let Some(earlier) = self.record(id) else {
            return;
        };
        // That its time had passed concerns nobody any more, also if it is being told just now.
        self.asks.change(id, |entry| entry.in_flight.clear());
        let mut writes = Self::caller_change(id, &earlier, asking);
        writes.push(Write::Reopen(
            id.clone(),
            asking.deadline_at,
            asking.asked_at,
        ));
        self.attach_after(requester, id, writes);
        self.bring_back_for(&asking.asker, id);
    }

    fn wait(&mut self, requester: Requester, id: AskId) {
        match self.asks.get(&id) {
            None => {
                self.begin_call(requester, &id);
                self.load(&id, requester.parked(Request::Wait(id.clone())));
            }
            Some(entry) if entry.is_changing() => {
                self.park(requester, &id, Request::Wait(id.clone()))
            }
            Some(_) => {
                if let Some(entry) = self.asks.get_mut(&id) {
                    entry.by_id.insert(requester.waiter());
                }
                self.attach_call(requester, &id);
            }
        }
    }

    fn leave(&mut self, requester: Requester, request: RequestId, back_ms: u64, elsewhere: bool) {
        let Some(connection) = self.connections.get_mut(requester.connection) else {
            return;
        };
        let ids: Vec<AskId> = connection
            .calls
            .iter()
            .filter(|(of, _)| *of == request)
            .map(|(_, id)| id.clone())
            .collect();
        let count = ids.len() as u64;
        for id in ids {
            self.end_call(requester.connection, request, &id);
            let call = Waiter {
                connection: requester.connection,
                request,
            };
            self.drop_call(call, &id);
            if back_ms > 0
                && let Some(entry) = self.asks.get_mut(&id)
                && entry.record.is_open()
            {
                let until = requester.now.boot_ms.saturating_add(back_ms);
                entry.expected = Some(Expected {
                    until_boot_ms: until,
                    connection: (!elsewhere).then_some(requester.connection),
                });
                self.deadlines
                    .add(Due::Boot(until), Why::Expect, id.clone());
                self.mark(requester.connection, &id);
            }
            self.announce_if_different(&id);
            self.retire(requester.now, &id);
        }
        self.reply(requester.connection, requester.request, Reply::Done(count));
    }

    /// A caller's own outcomes that have not reached it, the oldest first; where there is none,
    /// perhaps its open asks.
    fn fetch(
        &mut self,
        requester: Requester,
        asker: &Asker,
        (take, or_open): (bool, bool),
        machine: &dyn Machine,
    ) {
        self.connections
            .record_caller(requester.connection, asker, machine);
        let mut fetched = Vec::new();
        for id in self.asks.undelivered_for(asker) {
            let Some(entry) = self.asks.get(&id) else {
                continue;
            };
            let is_free = entry.is_undelivered() && !entry.is_changing();
            if is_free && callers::may_have(&entry.record, asker, &self.connections, machine) {
                fetched.push(Arc::clone(&entry.record));
            }
        }
        if fetched.is_empty() && or_open {
            let open = self.listed(requester.now).into_iter();
            let open = open.filter(|record| {
                record.is_open() && callers::may_have(record, asker, &self.connections, machine)
            });
            let open = open.collect();
            return self.reply(
                requester.connection,
                requester.request,
                Reply::Fetched(open, 0),
            );
        }
        let more = match take {
            true => 0,
            // They are only named, with every reply of an agent that never comes for them.
            false => fetched.len().saturating_sub(NAMED),
        };
        if !take {
            fetched.sort_by_key(|record| std::cmp::Reverse(answered_at(record)));
            fetched.truncate(NAMED);
        } else {
            for record in &fetched {
                self.begin_call(requester, &record.id);
                let call = requester.waiter();
                self.asks
                    .change(&record.id, |entry| entry.in_flight.push(call));
            }
        }
        self.reply(
            requester.connection,
            requester.request,
            Reply::Fetched(fetched, more),
        );
    }

    fn delivered(&mut self, requester: Requester, id: AskId, attempt: Option<u64>) {
        let write = Write::Deliver(id.clone(), attempt, requester.now.wall);
        let waits = Some((requester.connection, requester.request));
        let body = Request::Delivered {
            id: id.clone(),
            attempt,
        };
        let Some(entry) = self.asks.get(&id) else {
            return self.load(&id, requester.parked(body));
        };
        if entry.is_changing() {
            return self.park(requester, &id, body);
        }
        if lifecycle::may_deliver(&entry.record, attempt) {
            return self.persist(&[id], vec![write], waits, AfterStore::Delivered);
        }
        // Told twice, or another outcome has taken its place: what is on its way now is not this.
        self.drop_delivery_in_flight(requester, &id);
        self.reply(requester.connection, requester.request, Reply::Done(0));
    }

    fn not_delivered(&mut self, requester: Requester, id: &AskId) {
        self.drop_delivery_in_flight(requester, id);
        self.reply(requester.connection, requester.request, Reply::Done(1));
    }

    /// Ends the delivery of this ask's outcome that is on its way over this connection, if one is.
    fn drop_delivery_in_flight(&mut self, requester: Requester, id: &AskId) {
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        let mut in_flight = entry.in_flight.iter();
        let call = in_flight
            .find(|call| call.connection == requester.connection)
            .copied();
        if let Some(call) = call {
            self.end_call(call.connection, call.request, id);
            self.drop_call(call, id);
            self.announce(id);
            self.retire(requester.now, id);
        }
    }

    /// The agent of an ask asks, whatever it asks: what was put aside until then comes back.
    fn bring_back_for(&mut self, asker: &Asker, but: &AskId) {
        for id in self.asks.asked_again() {
            let Some(entry) = self.asks.get(&id) else {
                continue;
            };
            let other = &entry.record.asker;
            let is_its_own = other.client == asker.client
                && other.directory == asker.directory
                && !lifecycle::are_distinct_askers(other, asker);
            if is_its_own && !entry.is_changing() && *but != id {
                let back = vec![Write::Snooze(id.clone(), None)];
                self.persist(&[id], back, None, AfterStore::Nothing);
            }
        }
    }

    /// What the person answered when the same was asked shortly before.
    fn earlier_answer(&self, now: Now, record: &Record) -> Option<ask_core::record::Saved> {
        let mut recent = self.recent.iter().rev();
        let earlier = recent.find(|earlier| lifecycle::is_same(earlier, record))?;
        lifecycle::repeated(earlier, now.wall)
    }

    // What a person does.

    fn settle(
        &mut self,
        requester: Requester,
        id: AskId,
        verdict: Verdict,
        signature: Signature,
        attempt: u64,
    ) {
        let parkable = |verdict| Request::Settle {
            id: id.clone(),
            verdict,
            signature: signature.clone(),
            attempt,
        };
        let Some(entry) = self.asks.get(&id) else {
            return self.load(&id, requester.parked(parkable(verdict)));
        };
        if entry.is_changing() {
            return self.park(requester, &id, parkable(verdict));
        }
        let outcome = match verdict {
            Verdict::Answer { draft, gaps } => match draft.finish(&entry.record.ask, gaps) {
                Ok(answered) => Outcome::Answered(answered),
                Err(unfinished) => {
                    let problem = Problem::Unfinished(unfinished);
                    return self.refuse(requester.connection, requester.request, problem);
                }
            },
            Verdict::Decline { reason } => Outcome::Declined { reason },
            Verdict::Clarify { words } => Outcome::Clarify { words },
            Verdict::Withdraw => Outcome::Withdrawn,
        };
        let expected = entry
            .expected
            .filter(|expected| expected.connection.is_none());
        let awaited =
            expected.is_some_and(|expected| expected.until_boot_ms > requester.now.boot_ms);
        let settlement = Settlement {
            awaited: awaited && outcome.is_human(),
            outcome,
            surface: signature.surface,
            device: signature.device,
            origin: signature.origin,
            at: requester.now.wall,
            attempt,
        };
        let record = Arc::clone(&entry.record);
        match lifecycle::close(&record, &settlement) {
            SettleResult::Close => {
                let waits = Some((requester.connection, requester.request));
                let settle = vec![Write::Settle(Arc::clone(&record), Box::new(settlement))];
                self.persist(&[id], settle, waits, AfterStore::Settled);
            }
            SettleResult::Again => self.reply(
                requester.connection,
                requester.request,
                Reply::Settled(true, record),
            ),
            SettleResult::TooLate => {
                self.reply(
                    requester.connection,
                    requester.request,
                    Reply::Settled(false, record),
                );
            }
        }
    }

    fn save_draft(
        &mut self,
        requester: Requester,
        id: AskId,
        mut draft: Box<Draft>,
        surface: String,
        built_on: Option<u64>,
    ) {
        let Some(entry) = self.asks.get(&id) else {
            let body = Request::SaveDraft {
                id: id.clone(),
                draft,
                surface,
                built_on,
            };
            return self.load(&id, requester.parked(body));
        };
        if entry.is_changing() {
            let body = Request::SaveDraft {
                id: id.clone(),
                draft,
                surface,
                built_on,
            };
            return self.park(requester, &id, body);
        }
        let record = Arc::clone(&entry.record);
        if built_on.is_some_and(|revision| !lifecycle::may_save_draft(&record, revision)) {
            return self.reply(
                requester.connection,
                requester.request,
                Reply::Record(record),
            );
        }
        if !record.is_answerable() {
            return self.reply(requester.connection, requester.request, Reply::Done(0));
        }
        // Where files are is not the draft's to say.
        draft.set_attachment_paths(|_| None);
        let save = Write::SaveDraft(id.clone(), draft, surface, requester.now.wall);
        self.persist(
            &[id],
            vec![save],
            Some((requester.connection, requester.request)),
            AfterStore::Done,
        );
    }

    fn snooze(&mut self, requester: Requester, id: AskId, snooze: Option<Snooze>) {
        if let Some(Snooze::Until(at)) = snooze
            && at <= requester.now.wall
        {
            return self.refuse(requester.connection, requester.request, Problem::Past(at));
        }
        let body = Request::Snooze(id.clone(), snooze);
        if self.open_ask(requester, &id, body).is_some() {
            let snooze = vec![Write::Snooze(id.clone(), snooze)];
            self.persist(
                &[id],
                snooze,
                Some((requester.connection, requester.request)),
                AfterStore::ReplyRecord,
            );
        }
    }

    fn extend(&mut self, requester: Requester, id: AskId, until: Time, longest_ms: u64) {
        let body = Request::Extend {
            id: id.clone(),
            until,
            longest_ms,
        };
        let Some(record) = self.open_ask(requester, &id, body) else {
            return;
        };
        if record.deadline_at.is_none() {
            return self.refuse(
                requester.connection,
                requester.request,
                Problem::NoDeadline(id),
            );
        }
        if until <= requester.now.wall {
            return self.refuse(
                requester.connection,
                requester.request,
                Problem::Past(until),
            );
        }
        // Where no more time is to be had it stays as it is; whoever asked sees by when it is due.
        match lifecycle::extended_deadline(&record, until, longest_ms) {
            None => self.reply(
                requester.connection,
                requester.request,
                Reply::Record(record),
            ),
            Some(deadline) => {
                let extend = vec![Write::SetDeadline(id.clone(), Some(deadline))];
                self.persist(
                    &[id],
                    extend,
                    Some((requester.connection, requester.request)),
                    AfterStore::ReplyRecord,
                );
            }
        }
    }

    fn shown(&mut self, requester: Requester, id: AskId, surface: String) {
        match self.asks.get(&id) {
            Some(entry) if entry.is_changing() => {
                self.park(requester, &id, Request::Shown(id.clone(), surface))
            }
            Some(entry) if entry.record.is_open() => {
                let show = vec![Write::Show(id.clone(), surface, requester.now.wall)];
                self.persist(
                    &[id],
                    show,
                    Some((requester.connection, requester.request)),
                    AfterStore::Done,
                );
            }
            Some(_) | None => self.reply(requester.connection, requester.request, Reply::Done(0)),
        }
    }

    fn in_client(&mut self, requester: Requester, id: &AskId, how: Option<InClient>) {
        if let Some(entry) = self.asks.get_mut(id) {
            entry.in_client = how.map(|how| (requester.connection, how));
        }
        self.mark(requester.connection, id);
        self.announce_if_different(id);
        self.reply(requester.connection, requester.request, Reply::Done(1));
    }

    /// Notes that something about an ask ends with a connection.
    fn mark(&mut self, connection: ConnectionId, id: &AskId) {
        if let Some(connection) = self.connections.get_mut(connection) {
            connection.marks.insert(id.clone());
        }
    }

    /// What is not in the working set is closed and delivered, and may go without a look.
    fn forget(&mut self, requester: Requester, ids: Vec<AskId>, undelivered: bool) {
        for id in &ids {
            let Some(entry) = self.asks.get(id) else {
                continue;
            };
            if entry.is_changing() {
                let id = id.clone();
                return self.park(requester, &id, Request::Forget { ids, undelivered });
            }
            let problem = match &entry.record {
                record if record.is_open() => Problem::StillOpen(id.clone()),
                record if entry.is_unacknowledged() && !undelivered => {
                    Problem::Undelivered(id.clone(), record.state_word())
                }
                _ => continue,
            };
            return self.refuse(requester.connection, requester.request, problem);
        }
        let writes = ids.iter().cloned().map(Write::Forget).collect();
        self.persist(
            &ids,
            writes,
            Some((requester.connection, requester.request)),
            AfterStore::Done,
        );
    }

    fn subscribe(&mut self, requester: Requester, after: Option<Cursor>, paced: bool) {
        let goes_on = self.changes.subscribe(requester.connection, after, paced);
        let all = (!goes_on).then(|| self.listed(requester.now));
        let cursor = match after {
            Some(after) if goes_on => after,
            _ => self.cursor(),
        };
        self.reply(
            requester.connection,
            requester.request,
            Reply::Subscribed(cursor, all),
        );
        self.catch_up(requester.now, requester.connection);
    }

    // Calls, and requests that wait.

    /// An open ask that can be changed now. Else the request waits, or was told why not.
    fn open_ask(&mut self, requester: Requester, id: &AskId, body: Request) -> Option<Arc<Record>> {
        let Some(entry) = self.asks.get(id) else {
            self.load(id, requester.parked(body));
            return None;
        };
        if entry.is_changing() {
            self.park(requester, id, body);
            return None;
        }
        let record = Arc::clone(&entry.record);
        if record.is_open() {
            return Some(record);
        }
        let problem = Problem::Closed(id.clone(), record.state_word());
        self.refuse(requester.connection, requester.request, problem);
        None
    }

    fn attach_call(&mut self, requester: Requester, id: &AskId) {
        self.begin_call(requester, id);
        self.attach(requester.connection, requester.request, id);
    }

    /// Notes that a call is about an ask, so that it can leave.
    fn begin_call(&mut self, requester: Requester, id: &AskId) {
        if let Some(connection) = self.connections.get_mut(requester.connection) {
            connection.calls.insert((requester.request, id.clone()));
        }
    }

    /// The call is no longer about this ask; whether it was.
    fn end_call(&mut self, connection: ConnectionId, request: RequestId, id: &AskId) -> bool {
        let connection = self.connections.get_mut(connection);
        connection.is_some_and(|connection| connection.calls.remove(&(request, id.clone())))
    }

    fn park(&mut self, requester: Requester, id: &AskId, body: Request) {
        if matches!(body, Request::Open { .. } | Request::Wait(_)) {
            self.begin_call(requester, id);
        }
        if let Some(entry) = self.asks.get_mut(id) {
            entry.parked.push_back(requester.parked(body));
        }
    }
}

fn answered_at(record: &Record) -> Option<Time> {
    record.settlement().map(|settlement| settlement.at)
}

impl Requester {
    fn parked(self, body: Request) -> Parked {
        Parked {
            connection: self.connection,
            request: self.request,
            body,
        }
    }

    fn waiter(self) -> Waiter {
        Waiter {
            connection: self.connection,
            request: self.request,
        }
    }
}
