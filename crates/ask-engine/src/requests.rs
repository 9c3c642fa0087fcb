//! The requests of clients, one function for each. Each decides by the stored state. Changes are
//! stored first, and an ask takes one change at a time: other requests wait until it is stored.

use std::sync::Arc;

use ask_core::lifecycle::{self, SettleResult};
use ask_core::record::{BELOW, EarlierAnswer, InClient, Saved, Snooze, TakenBack};
use ask_core::{
    AskId, Asker, Caller, Draft, Fingerprint, Outcome, Record, Settlement, Time, Write,
};

use crate::asks::{Entry, Expected, Parked, Waiter, quota_key};
use crate::callers::{self, Machine};
use crate::changes::Cursor;
use crate::deadlines::{Check, Due};
use crate::engine::{AfterStore, Engine, OpenLimits};
use crate::event::{
    ConnectionId, MIN_STEP_MS, Now, Problem, Reply, Request, RequestId, Signature, TakeUp, Verdict,
};

/// Which request a function serves, and when.
#[derive(Clone, Copy)]
struct Requester {
    now: Now,
    connection: ConnectionId,
    request: RequestId,
}

/// The earlier ask that a call which opens an ask may take up.
enum Found {
    /// There is none.
    Nothing,
    /// This one may fit, but a change of it is not stored yet.
    Changing(AskId),
    /// This one is open or has an outcome for the caller.
    Resumable(AskId),
    /// This one has expired.
    Expired(AskId),
}

/// How many undelivered outcomes are listed for a caller that doesn't take them.
const MAX_LISTED: usize = 10;

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
            Request::SessionEnded(caller) => self.session_ended(requester, &caller),
            Request::Settle {
                id,
                verdict,
                signature,
                attempt,
                hold_ms,
            } => self.settle(requester, id, verdict, signature, (attempt, hold_ms)),
            Request::TakeBack {
                id,
                attempt,
                signature,
            } => self.take_back(requester, id, attempt, signature),
            Request::EndHold { id, attempt } => self.end_hold(requester, &id, attempt),
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

    /// Resumes a parked request, unless its call has left meanwhile.
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

    /// Notes that a caller sent a request. What other callers of the same place have open is stored with
    /// the time, because this one runs beside them.
    fn record_caller(&mut self, requester: Requester, asker: &Asker, machine: &dyn Machine) {
        self.look_for_ends(requester.now, machine);
        let own = asker.caller.as_ref().map(|caller| &caller.instance);
        let is_new = own.is_some_and(|own| !self.connections.knows(own));
        self.connections
            .record_caller(requester.connection, asker, machine);
        if !is_new {
            return;
        }
        if let Some(ours) = &asker.caller {
            // No connection shows its end.
            let over_http = ours.is_session() || ours.is_sessionless_http();
            if over_http {
                self.watch(callers::nearest_running(ours, machine));
            }
            let is_beside = |other: &Asker, theirs: &Caller| {
                let is_near = other.client == asker.client && other.directory == asker.directory;
                is_near && theirs.instance != ours.instance
            };
            self.store_presence(requester.now.steady, |engine, other, theirs| {
                is_beside(other, theirs) && engine.is_present(theirs, machine)
            });
            self.store_agents(requester.now.steady, |other, theirs| {
                let runs = |process| machine.runs(process);
                is_beside(other, theirs) && theirs.is_of_other_agent(ours, runs)
            });
        }
    }

    fn open(
        &mut self,
        requester: Requester,
        mut record: Box<Record>,
        wait: bool,
        take_up: TakeUp,
        machine: &dyn Machine,
    ) {
        self.record_caller(requester, &record.asker, machine);
        // A client can send the question and perhaps a draft, but no status.
        record.reset_status();
        // A call that is sent again after a lost connection returns to its own ask.
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
            if !wait {
                let opened = Reply::Opened(id);
                return self.reply(requester.connection, requester.request, opened);
            }
            // It may name an ask that another process of the same session has left.
            let is_awaited = earlier.is_awaited();
            let earlier = Arc::clone(&earlier.record);
            let is_left = is_awaited
                && callers::may_have(&earlier, &record.asker, &self.connections, machine);
            let writes = match is_left {
                true => Self::caller_change(&id, &earlier, &record),
                false => Vec::new(),
            };
            if !writes.is_empty() {
                self.end_former_calls(&id);
            }
            return self.attach_after(requester, &id, writes);
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
            // An answer reaches its agent in any window, but an open question is shown in one app's
            // window only.
            let is_reachable = lifecycle::is_same_window(&earlier.asker, &record.asker);
            let is_free = take_up == TakeUp::Always || entry.waiters.is_empty();
            if entry.is_changing() {
                Some(Found::Changing(id()))
            } else if entry.is_awaited() {
                let is_available = is_free && is_reachable;
                (is_available && lifecycle::may_take_up(earlier, now.wall, within))
                    .then(|| Found::Resumable(id()))
            } else if entry.is_undelivered() {
                lifecycle::may_take_up(earlier, now.wall, within).then(|| Found::Resumable(id()))
            } else {
                let is_available = entry.is_expired() && is_reachable;
                (is_available && lifecycle::may_reopen(earlier, now.wall, within))
                    .then(|| Found::Expired(id()))
            }
        };
        let equal = self.asks.with_fingerprint(Fingerprint::of_record(record));
        let candidates = equal.filter_map(|entry| {
            let earlier = &entry.record;
            // Whether the caller may have it is looked up last, because that costs the most.
            let found = state(entry).filter(|_| lifecycle::is_same(earlier, record))?;
            callers::may_have(earlier, &record.asker, &self.connections, machine)
                .then_some((&earlier.asker, found))
        });
        let (of_caller, of_others): (Vec<_>, Vec<_>) =
            candidates.partition(|(asker, _)| callers::are_same_instance(asker, &record.asker));
        // The caller's own asks come first. If several other callers have ended, it is unknown
        // which of them it succeeds, and the newest ask comes first.
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
        let bytes = record.ask.bytes();
        if let Some(problem) = self.check_limits(&record.asker, bytes, requester.now) {
            return self.refuse(requester.connection, requester.request, problem);
        }
        self.asked_text
            .add(quota_key(&record.asker), bytes, requester.now);
        record.normalize_forms();
        // Whatever the client sent: only the hub knows what the person answered.
        record.earlier_answer = match take_up {
            TakeUp::Always => self.earlier_answer(requester.now, &record),
            TakeUp::Never | TakeUp::WhenLeft => None,
        };
        if record.draft.is_none() && matches!(take_up, TakeUp::Always) {
            record.draft = self.unsent_form(requester.now, &record);
        }
        let id = record.id.clone();
        let asker = record.asker.clone();
        if record.asker.caller.is_none() {
            record.asker.caller = Some(Caller::unidentified(&id, requester.now.steady));
        }
        record.caller_seen = caller_seen(&record, requester.now);
        let created = Arc::new(record.clone());
        self.asks.insert(record, false);
        self.asks
            .change(&id, |entry| entry.opened_at = requester.now.steady);
        if wait {
            self.begin_call(requester, &id);
        }
        let create = vec![Write::Create(created)];
        self.persist(
            std::slice::from_ref(&id),
            create,
            Some((requester.connection, requester.request)),
            AfterStore::Created { wait },
        );
        self.end_snoozes_of(&asker, &id);
    }

    /// The limit that a new ask of this size would exceed, as a problem. `None` if it exceeds none.
    fn check_limits(&self, asker: &Asker, bytes: usize, now: Now) -> Option<Problem> {
        let OpenLimits { of_caller, of_all } = self.settings.open;
        let own = self.asks.open_amount_of(asker);
        let all = self.asks.open_amount();
        let in_a_day = self.asked_text.bytes_of(&quota_key(asker), now);
        let exceeds = |limit: usize, amount: usize| limit > 0 && amount > limit;
        if exceeds(of_caller.asks, own.asks + 1) {
            Some(Problem::TooManyOfCaller(of_caller.asks))
        } else if exceeds(of_all.asks, all.asks + 1) {
            Some(Problem::TooManyOpen(of_all.asks))
        } else if exceeds(of_caller.bytes, own.bytes + bytes) {
            Some(Problem::TooLongOfCaller(of_caller.bytes))
        } else if exceeds(of_caller.bytes, in_a_day + bytes) {
            Some(Problem::TooLongInADay(of_caller.bytes))
        } else if exceeds(of_all.bytes, all.bytes + bytes) {
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
        let is_successor = !callers::are_same_instance(&earlier.asker, &asking.asker);
        let mut writes = Self::caller_change(id, &earlier, asking);
        if !earlier.is_open() {
            if is_successor && entry.is_awaited() {
                self.end_former_calls(id);
            }
            self.attach_call(requester, id);
            // Without ids, so that the ask is not held: the former caller may still confirm the
            // delivery.
            if !writes.is_empty() {
                self.persist(&[], writes, None, AfterStore::Nothing);
            }
            return;
        }
        if is_successor {
            self.end_former_calls(id);
        }
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        let deadline = lifecycle::later_deadline(&earlier, asking.deadline_at);
        if deadline != earlier.deadline_at {
            writes.push(Write::SetDeadline(id.clone(), deadline));
        }
        // A caller that announced its return resumes its wait. Any other caller has asked again.
        if entry.expected.is_none() {
            writes.push(Write::AskAgain(id.clone(), asking.asked_at));
            if earlier.snoozed == Some(Snooze::AskedAgain) {
                writes.push(Write::Snooze(id.clone(), None));
            }
        }
        let has_changes = !writes.is_empty();
        self.attach_after(requester, id, writes);
        if has_changes {
            self.end_snoozes_of(&asking.asker, id);
        }
    }

    /// The write that makes the asking caller the owner of an ask that another caller opened. The
    /// owner must be stored, because after a restart of the hub the new owner is the one that
    /// returns.
    fn caller_change(id: &AskId, earlier: &Record, asking: &Record) -> Vec<Write> {
        let is_successor = !callers::are_same_instance(&earlier.asker, &asking.asker);
        let caller = asking.asker.caller.clone().filter(|_| is_successor);
        let take_over = |caller| Write::TakeOver(id.clone(), Box::new(caller));
        caller.map(take_over).into_iter().collect()
    }

    /// Makes a call wait for an ask once these changes are stored.
    fn attach_after(&mut self, requester: Requester, id: &AskId, writes: Vec<Write>) {
        if writes.is_empty() {
            return self.attach_call(requester, id);
        }
        self.begin_call(requester, id);
        let waiting = Some((requester.connection, requester.request));
        self.persist(
            std::slice::from_ref(id),
            writes,
            waiting,
            AfterStore::Attached,
        );
    }

    /// Ends the calls of a caller that is gone and whose ask another caller takes over. Calls that
    /// named the id of the ask go on.
    fn end_former_calls(&mut self, id: &AskId) {
        let Some(entry) = self.asks.get(id) else {
            return;
        };
        let former = entry.waiters.iter();
        let former: Vec<Waiter> = former
            .filter(|call| !entry.by_id.contains(call))
            .copied()
            .collect();
        for call in former {
            self.end_call(call.connection, call.request, id);
            self.drop_call(call, id);
            self.refuse(
                call.connection,
                call.request,
                Problem::TakenOver(id.clone()),
            );
        }
    }

    /// Opens an expired ask again. The person keeps its form with the text that was typed.
    fn reopen(&mut self, requester: Requester, id: &AskId, asking: &Record) {
        let Some(earlier) = self.record(id) else {
            return;
        };
        // The expiry no longer counts, so its deliveries in flight are dropped.
        self.asks.change(id, |entry| entry.in_flight.clear());
        let mut writes = Self::caller_change(id, &earlier, asking);
        writes.push(Write::Reopen(
            id.clone(),
            asking.deadline_at,
            asking.asked_at,
        ));
        self.attach_after(requester, id, writes);
        self.end_snoozes_of(&asking.asker, id);
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
            .filter(|(call, _)| *call == request)
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
                && entry.is_awaited()
            {
                let until = requester.now.boot_ms.saturating_add(back_ms);
                entry.expected = Some(Expected {
                    until_boot_ms: until,
                    connection: (!elsewhere).then_some(requester.connection),
                });
                self.deadlines
                    .add(Due::Boot(until), Check::EndExpected, id.clone());
                self.bind_to_connection(requester.connection, &id);
            }
            self.announce_if_different(&id);
            self.retire(requester.now, &id);
        }
        self.reply(requester.connection, requester.request, Reply::Done(count));
    }

    /// Replies with a caller's own undelivered outcomes. With `take` these are all, the oldest
    /// first, and in flight from now on. Without it these are the newest. If there are none and
    /// `or_open` is set, replies with the caller's open asks.
    fn fetch(
        &mut self,
        requester: Requester,
        asker: &Asker,
        (take, or_open): (bool, bool),
        machine: &dyn Machine,
    ) {
        self.record_caller(requester, asker, machine);
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
                self.is_awaited(&record.id)
                    && callers::may_have(record, asker, &self.connections, machine)
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
            // The list is short, because an agent that never fetches its outcomes gets it with
            // every reply.
            false => fetched.len().saturating_sub(MAX_LISTED),
        };
        if !take {
            fetched.sort_by_key(|record| std::cmp::Reverse(answered_at(record)));
            fetched.truncate(MAX_LISTED);
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
        let waiting = Some((requester.connection, requester.request));
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
            return self.persist(&[id], vec![write], waiting, AfterStore::Delivered);
        }
        // The delivery was confirmed before, or a later outcome has replaced this one. In both
        // cases the delivery in flight over this connection has ended.
        self.drop_delivery_in_flight(requester, &id);
        self.reply(requester.connection, requester.request, Reply::Done(0));
    }

    fn not_delivered(&mut self, requester: Requester, id: &AskId) {
        self.drop_delivery_in_flight(requester, id);
        self.reply(requester.connection, requester.request, Reply::Done(1));
    }

    fn session_ended(&mut self, requester: Requester, caller: &Caller) {
        self.connections.end_session(&caller.instance);
        self.reply(requester.connection, requester.request, Reply::Done(1));
    }

    /// Ends the delivery of this ask's outcome over this connection, if one is in flight.
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
            self.refresh(id);
            self.announce(id);
            self.retire(requester.now, id);
        }
    }

    /// Ends the snoozes that last until this agent asks again, whatever it asks. Leaves out the ask
    /// that it asks now.
    fn end_snoozes_of(&mut self, asker: &Asker, asking: &AskId) {
        for id in self.asks.snoozed_until_asked() {
            let Some(entry) = self.asks.get(&id) else {
                continue;
            };
            let other = &entry.record.asker;
            let is_its_own = other.client == asker.client
                && other.directory == asker.directory
                && !lifecycle::are_distinct_askers(other, asker);
            if is_its_own && !entry.is_changing() && *asking != id {
                let end_snooze = vec![Write::Snooze(id.clone(), None)];
                self.persist(&[id], end_snooze, None, AfterStore::Nothing);
            }
        }
    }

    /// The person's answer to offer, if the same was answered shortly before.
    fn earlier_answer(&self, now: Now, record: &Record) -> Option<EarlierAnswer> {
        lifecycle::earlier_answer(self.last_equal(record)?, now.wall)
    }

    /// What the person had filled in and not sent, if the same was asked shortly before.
    fn unsent_form(&self, now: Now, record: &Record) -> Option<Saved> {
        lifecycle::unsent_form(self.last_equal(record)?, now.wall)
    }

    /// The equal ask that was closed last.
    fn last_equal(&self, record: &Record) -> Option<&Arc<Record>> {
        let mut recent = self.recent.iter().rev();
        recent.find(|earlier| {
            lifecycle::shows_same(earlier, record) && callers::may_offer(earlier, record)
        })
    }

    // Requests of people.

    fn settle(
        &mut self,
        requester: Requester,
        id: AskId,
        verdict: Verdict,
        signature: Signature,
        (attempt, hold_ms): (u64, u64),
    ) {
        let parkable = |verdict| Request::Settle {
            id: id.clone(),
            verdict,
            signature: signature.clone(),
            attempt,
            hold_ms,
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
                let waiting = Some((requester.connection, requester.request));
                let settled_by_person = settlement.outcome.is_human();
                let settle = vec![Write::Settle(Arc::clone(&record), Box::new(settlement))];
                let hold_ms = match settled_by_person {
                    true => hold_ms.min(lifecycle::MAX_HOLD_MS),
                    false => 0,
                };
                self.persist(&[id], settle, waiting, AfterStore::Settled { hold_ms });
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

    fn take_back(&mut self, requester: Requester, id: AskId, attempt: u64, by: Signature) {
        let body = |signature| Request::TakeBack {
            id: id.clone(),
            attempt,
            signature,
        };
        let Some(entry) = self.asks.get(&id) else {
            return self.load(&id, requester.parked(body(by)));
        };
        if entry.is_changing() {
            return self.park(requester, &id, body(by));
        }
        let record = Arc::clone(&entry.record);
        let reply_to = (requester.connection, requester.request);
        let settlement = record.settlement().filter(|one| one.attempt == attempt);
        let Some(settlement) = settlement.filter(|_| entry.may_take_back()) else {
            let reply = match record.was_taken_back(attempt) {
                true => Reply::Record(record),
                false => Reply::Refused(Problem::NotTakenBack(id)),
            };
            return self.reply(reply_to.0, reply_to.1, reply);
        };
        let at = requester.now.wall;
        let deadline = lifecycle::deadline_after_take_back(&record, settlement.at, at);
        let form = lifecycle::form_after_take_back(&record, settlement, at);
        let taken_back = TakenBack {
            settlement: settlement.clone(),
            at,
            surface: by.surface,
            device: by.device,
        };
        let take_back = Write::TakeBack(id.clone(), Box::new(taken_back), Box::new(form), deadline);
        self.persist(
            &[id],
            vec![take_back],
            Some(reply_to),
            AfterStore::TakenBack,
        );
    }

    fn end_hold(&mut self, requester: Requester, id: &AskId, attempt: u64) {
        let body = Request::EndHold {
            id: id.clone(),
            attempt,
        };
        let Some(entry) = self.asks.get(id) else {
            return self.load(id, requester.parked(body));
        };
        if entry.is_changing() {
            return self.park(requester, id, body);
        }
        let settlement = entry.record.settlement();
        if settlement.is_some_and(|settlement| settlement.attempt == attempt) {
            self.release_outcome(id);
        }
        if let Some(record) = self.record(id) {
            self.reply(
                requester.connection,
                requester.request,
                Reply::Record(record),
            );
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
        let is_outdated =
            built_on.is_some_and(|revision| !lifecycle::may_save_draft(&record, revision));
        if is_outdated || !record.is_answerable() {
            return self.reply(
                requester.connection,
                requester.request,
                Reply::Record(record),
            );
        }
        // Paths in a draft are not trusted: the hub alone knows where files are.
        draft.set_attachment_paths(|_| None);
        let given = std::mem::take(&mut *draft);
        let mut surface = surface;
        let is_below = surface.starts_with(BELOW);
        if is_below {
            *draft = given.as_shown(&record.ask);
        } else {
            *draft = given.normalized(&record.ask);
            if let Some(mark) = entry.mark_of(&draft) {
                surface = mark.to_owned();
            }
        }
        if let Some(entry) = self.asks.get_mut(&id) {
            let revision = record.draft.as_ref().map_or(0, |saved| saved.revision) + 1;
            entry.filled_in_revision = is_below.then_some(revision);
            if is_below {
                entry.remember_filled_in(&surface, &draft);
            }
        }
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
        if self.changeable_record(requester, &id, body).is_some() {
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
        let Some(record) = self.changeable_record(requester, &id, body) else {
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
        // If the deadline can't be later, it stays, and the client sees it in the record.
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
        self.bind_to_connection(requester.connection, id);
        self.announce_if_different(id);
        self.reply(requester.connection, requester.request, Reply::Done(1));
    }

    /// Notes that a state of an ask ends with this connection.
    fn bind_to_connection(&mut self, connection: ConnectionId, id: &AskId) {
        if let Some(connection) = self.connections.get_mut(connection) {
            connection.bound_asks.insert(id.clone());
        }
    }

    /// Removes closed asks. An ask that is not in the working set is closed, and its agent needs
    /// nothing more from it, so it needs no check.
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
                record if entry.hold.is_some() => {
                    Problem::Undelivered(id.clone(), record.state_word())
                }
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
        let continues = self.changes.subscribe(requester.connection, after, paced);
        let all = (!continues).then(|| self.listed(requester.now));
        let cursor = match after {
            Some(after) if continues => after,
            _ => self.cursor(),
        };
        self.reply(
            requester.connection,
            requester.request,
            Reply::Subscribed(cursor, all),
        );
        self.catch_up(requester.now, requester.connection);
    }

    // Calls and parked requests.

    /// The record of an open ask that can be changed now. Otherwise parks or refuses the request
    /// and returns `None`.
    fn changeable_record(
        &mut self,
        requester: Requester,
        id: &AskId,
        body: Request,
    ) -> Option<Arc<Record>> {
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

    /// Notes that a call is for this ask, so that the call can leave it.
    fn begin_call(&mut self, requester: Requester, id: &AskId) {
        if let Some(connection) = self.connections.get_mut(requester.connection) {
            connection.calls.insert((requester.request, id.clone()));
        }
    }

    /// Notes that a call is no longer for this ask. Returns whether it was.
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

/// When the caller of a new ask asked, by the steady clock, if the ask's own time doesn't tell it. That is
/// so once the wall clock was set.
fn caller_seen(record: &Record, now: Now) -> Option<Time> {
    // A client that doesn't send the time asks the hub at once.
    let at_once = || now.is_clock_set().then_some(now.steady);
    let seen = record.caller_seen.or_else(at_once)?.min(now.steady);
    (seen.0.abs_diff(record.asked_at.0) >= MIN_STEP_MS).then_some(seen)
}

#[cfg(test)]
mod tests {
    use ask_core::record::Saved;
    use ask_core::{Answer, Ask, Input, Question, Written};

    use super::*;
    use crate::callers::EmptyMachine;
    use crate::{Amount, Effect, Event, Settings};

    const SETTINGS: Settings = Settings {
        take_up_ms: 1_000,
        list_undelivered_ms: 1_000,
        changes_kept: 10,
        changes_ahead: 10,
        open: OpenLimits {
            of_caller: Amount { asks: 0, bytes: 0 },
            of_all: Amount { asks: 0, bytes: 0 },
        },
    };

    #[test]
    fn a_form_that_brings_back_what_a_program_filled_in_is_marked_again() {
        let draft = |words: &str| Draft {
            answers: vec![Answer::saying(words)],
            note: None,
        };
        let id = AskId::native([1; 16]);
        let question = Question {
            id: "q1".to_owned(),
            text: "Which?".to_owned(),
            label: None,
            input: Input::Text,
            required: true,
            placeholder: None,
            default: None,
        };
        let ask = Ask {
            questions: vec![question],
            ..Ask::default()
        };
        let asker = Asker::default();
        let mut record = lifecycle::open(id.clone(), "native", ask, asker, Time(0));
        record.draft = Some(Saved {
            draft: draft("all of them"),
            at: Time(0),
            surface: format!("{BELOW}evil"),
            revision: 1,
        });
        let mut engine = Engine::new(SETTINGS, [record], [], false, 1);
        let now = Now {
            wall: Time(1),
            boot_ms: 1,
            steady: Time(1),
        };
        let connection = ConnectionId(1);
        engine.handle(now, Event::Opened(connection), &EmptyMachine::default());
        let mut stored_as = |number, words: &str| {
            let body = Request::SaveDraft {
                id: id.clone(),
                draft: Box::new(draft(words)),
                surface: "terminal".to_owned(),
                built_on: None,
            };
            let save = Event::Request {
                connection,
                request: RequestId(number),
                body,
            };
            let effects = engine.handle(now, save, &EmptyMachine::default());
            let Some(Effect::Persist(ticket, writes)) = effects.first() else {
                panic!("it is not stored: {effects:?}");
            };
            let Some(Write::SaveDraft(_, _, surface, _)) = writes.first() else {
                panic!("another change is stored: {writes:?}");
            };
            let stored = Event::Stored(*ticket, Written::Done);
            engine.handle(now, stored, &EmptyMachine::default());
            surface.clone()
        };
        assert_eq!(stored_as(1, "none"), "terminal");
        assert_eq!(stored_as(2, "all of them"), "below evil");
        // What the person writes into it stays marked, until nothing of the stored form is left.
        assert_eq!(stored_as(3, "none, or all of it"), "below evil");
        assert_eq!(stored_as(4, "keep the whole set"), "terminal");
        // Pieces of the forms before are common words by now.
        assert_eq!(stored_as(5, "allow the rest"), "terminal");
        assert_eq!(stored_as(6, "all of them"), "below evil");
    }
}
