//! Who waits, and who wants to hear of changes: what lives only as long as the hub.

use std::collections::HashSet;
use std::time::Duration;

use ask_core::{AskId, Caller, Record, Time, lifecycle};
use ask_protocol::ipc::Response;

use ask_config::clock;
use ask_store::rows;
use tokio::time::Instant;

use super::presence::There;
use super::{ANOTHER, ClientId, Desk, Outgoing, Problem, Waiter};

/// Clients that lost their hub are back this soon: each starts the next one itself. Whoever asks again
/// is heard a little earlier than who wants everything, because it may be one that comes back.
pub const ASKERS_BACK: Duration = Duration::from_millis(1_200);
pub const ALL_BACK: Duration = Duration::from_millis(2_000);

/// A connection.
pub(super) struct Client {
    pub(super) outgoing: Outgoing,
    /// `None`: no bell wanted. Else whether one has rung that wasn't answered by a look.
    pub(super) rung: Option<bool>,
    /// Whether its person can't answer there.
    pub(super) only_looks: bool,
    pub(super) there: There,
    pub(super) waits: HashSet<(u64, AskId)>,
    /// Whether it carries the calls of many agents.
    speaks_for_many: bool,
    /// The program at its other end, where the machine can tell.
    pub(super) caller: Option<Caller>,
}

impl Client {
    pub(super) fn of(outgoing: Outgoing) -> Self {
        Self {
            outgoing,
            rung: None,
            only_looks: false,
            there: There::default(),
            waits: HashSet::new(),
            speaks_for_many: false,
            caller: None,
        }
    }

    /// Whether it is a surface: a person is told there of what waits, and can answer it.
    pub(super) fn is_surface(&self) -> bool {
        self.rung.is_some() && !self.only_looks
    }
}

impl Desk {
    /// A connection carries the calls of many agents, which come and go.
    pub fn speaks_for_many(&self, client: ClientId) {
        if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
            client.speaks_for_many = true;
        }
    }

    /// Who asked it last is whom its outcome is for, as long as that connection stands.
    pub(super) fn claim(&self, client: ClientId, id: &AskId) {
        let clients = self.clients.borrow();
        match clients.get(&client).is_some_and(|of| !of.speaks_for_many) {
            true => self.claims.borrow_mut().insert(id.clone(), client),
            false => self.claims.borrow_mut().remove(id),
        };
    }

    /// Whether another agent that still stands has asked it: then it wasn't left behind for this one.
    pub(super) fn is_another_s(&self, client: ClientId, id: &AskId) -> bool {
        let claims = self.claims.borrow();
        claims.get(id).is_some_and(|by| *by != client)
    }

    /// Rings every bell that isn't ringing yet.
    pub(super) fn ring(&self) {
        self.news.notify_one();
        for client in self.clients.borrow_mut().values_mut() {
            if client.rung == Some(false) {
                client.rung = Some(true);
                let _ = client.outgoing.send((0, Response::Bell));
            }
        }
    }

    /// A look answers the bell: the next change rings again.
    pub(super) fn looked(&self, client: ClientId) {
        if let Some(client) = self.clients.borrow_mut().get_mut(&client)
            && let Some(rung) = &mut client.rung
        {
            *rung = false;
        }
    }

    /// A record with what the store doesn't know of it: who waits, and where its files are.
    pub(super) fn with_waiters(&self, mut record: Record) -> Record {
        let count = self.waiters.borrow().get(&record.id).map_or(0, Vec::len);
        // What is due is back, or over, also for who looks before the clock does.
        let now = clock::now();
        let expected = self.expected.borrow().get(&record.id).copied();
        let expected = expected.is_some_and(|(until, _)| until > now);
        if lifecycle::comes_back(&record, now, false) {
            record.snoozed = None;
        }
        record.in_client = self.in_client.borrow().get(&record.id).map(|(_, how)| *how);
        record.waiters = u32::try_from(count.max(usize::from(expected))).unwrap_or(u32::MAX);
        self.place_files(&mut record);
        record
    }

    pub(super) fn add_waiter(&self, client: ClientId, number: u64, id: &AskId) {
        if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
            client.waits.insert((number, id.clone()));
        }
        self.expected.borrow_mut().remove(id);
        let waiter = Waiter { client, number };
        self.waiters
            .borrow_mut()
            .entry(id.clone())
            .or_default()
            .push(waiter);
    }

    /// Counts an agent as waiting, although its call has ended: it said that it comes back.
    pub(super) fn expect(&self, id: &AskId, client: ClientId, within_ms: u64) {
        let until = clock::now().plus_ms(within_ms);
        self.expected
            .borrow_mut()
            .insert(id.clone(), (until, client));
        self.timer.notify_one();
    }

    /// Whether an agent is to come for its answer by itself, and still has time.
    pub(super) fn is_awaited(&self, id: &AskId, now: Time) -> bool {
        let expected = self.expected.borrow().get(id).copied();
        expected.is_some_and(|(until, by)| by == ANOTHER && until > now)
    }

    /// Expects these no more; says which they were.
    pub(super) fn expected_no_more(&self, which: impl Fn(&AskId, ClientId) -> bool) -> Vec<AskId> {
        let mut expected = self.expected.borrow_mut();
        let gone = expected.extract_if(|id, (_, client)| which(id, *client));
        gone.map(|(id, _)| id).collect()
    }

    /// Who comes back to an ask that was closed: an agent that knows it by its id comes for the answer,
    /// too.
    pub(super) fn expected_after(&self, closed: &Record) {
        let said = closed
            .settlement()
            .is_some_and(|end| end.outcome.is_human());
        self.expected_no_more(|id, by| *id == closed.id && !(said && by == ANOTHER));
    }

    /// Until when the first agent is expected back.
    pub fn next_return(&self) -> Option<Time> {
        self.expected
            .borrow()
            .values()
            .map(|(until, _)| *until)
            .min()
    }

    /// Those who should be back by now have left after all.
    pub async fn expect_no_longer(&self) {
        let now = clock::now();
        let late: Vec<AskId> = {
            let mut expected = self.expected.borrow_mut();
            let late = expected.extract_if(|_, (until, _)| *until <= now);
            late.map(|(id, _)| id).collect()
        };
        self.rung_by_touch(late).await;
    }

    /// Another hub has ended, and this one has forgotten who waited there. Until they had time to
    /// come back and say so, nobody else is told what may be theirs.
    pub fn let_others_come_back(&self) {
        self.begun.set(Some(Instant::now()));
    }

    /// Waits until those of the hub before this one are back; whether that took any time.
    pub(super) async fn when_others_are_back(&self, within: Duration) -> bool {
        let until = self.begun.get().map(|begun| begun + within);
        match until.filter(|until| *until > Instant::now()) {
            Some(until) => {
                tokio::time::sleep_until(until).await;
                true
            }
            None => false,
        }
    }

    /// An outcome is on its way to a waiter.
    pub(super) fn sets_out(&self, id: &AskId, waiter: Waiter) {
        self.outbox.borrow_mut().sets_out(id, waiter);
    }

    /// Whether an outcome is on its way to a waiter of this connection.
    pub(super) fn is_underway_to(&self, id: &AskId, client: ClientId) -> bool {
        let of_client = |waiter: &Waiter| waiter.client == client;
        self.outbox.borrow().is_underway_to(id, of_client)
    }

    /// A waiter has written an outcome: whose attempt's, where it says that.
    pub(super) async fn delivered(
        &self,
        client: ClientId,
        number: u64,
        id: AskId,
        attempt: Option<u64>,
    ) -> Result<Response, Problem> {
        // From this word on it is nobody else's, also before the store has it: the agent may
        // ask the same again at once, and that is a new question.
        let said_first = !self.is_underway_to(&id, client);
        if said_first {
            self.sets_out(&id, Waiter { client, number });
        }
        // Also if its process ends before the store has it.
        let until_kept = Waiter {
            client: ANOTHER,
            number,
        };
        self.sets_out(&id, until_kept);
        let marked = self.store.deliver(id.clone(), attempt, clock::now()).await;
        self.outbox
            .borrow_mut()
            .comes_to_nothing(&id, |waiter| *waiter == until_kept);
        // What can't be kept now, on a full disk, stays on its way: its agent says it again.
        if marked.is_err() {
            if !self.clients.borrow().contains_key(&client) {
                let of_client = |waiter: &Waiter| waiter.client == client;
                self.outbox.borrow_mut().come_to_nothing(of_client);
            }
        } else if self.was_another(&id, attempt)? {
            // What is on its way since is another call's.
            if said_first {
                let this = |waiter: &Waiter| (waiter.client, waiter.number) == (client, number);
                self.outbox.borrow_mut().comes_to_nothing(&id, this);
                self.rung_by_touch(vec![id]).await;
            }
            return Ok(Response::Done { count: 0 });
        } else {
            self.outbox.borrow_mut().is_done(&id);
            self.expected_no_more(|expected, _| *expected == id);
        }
        self.mark(marked)
    }

    /// Whether the outcome that stands is not the one that was told: a person has answered after
    /// the clock's word had set out.
    fn was_another(&self, id: &AskId, told: Option<u64>) -> Result<bool, Problem> {
        let Some(told) = told else { return Ok(false) };
        let stands = self.store.glance(|db| rows::get(db, id.as_str()))?;
        let stands = stands.as_ref().and_then(Record::settlement);
        Ok(stands.is_some_and(|stands| stands.attempt != told))
    }

    /// An outcome on its way to a waiter of this connection has not reached it.
    pub(super) async fn untold(&self, client: ClientId, id: AskId) -> Response {
        let of_client = |waiter: &Waiter| waiter.client == client;
        self.outbox.borrow_mut().comes_to_nothing(&id, of_client);
        self.rung_by_touch(vec![id]).await;
        Response::Done { count: 1 }
    }

    pub(super) fn has_waiter(&self, client: ClientId, number: u64, id: &AskId) -> bool {
        self.waiters.borrow().get(id).is_some_and(|waiters| {
            waiters
                .iter()
                .any(|waiter| waiter.client == client && waiter.number == number)
        })
    }

    pub(super) fn drop_waiter(&self, client: ClientId, number: u64, id: &AskId) {
        if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
            client.waits.remove(&(number, id.clone()));
        }
        self.drop_waiters(id, |waiter| {
            waiter.client == client && waiter.number == number
        });
    }

    pub(super) fn drop_waiters(&self, id: &AskId, which: impl Fn(&Waiter) -> bool) {
        let mut all = self.waiters.borrow_mut();
        if let Some(waiters) = all.get_mut(id) {
            waiters.retain(|waiter| !which(waiter));
            if waiters.is_empty() {
                all.remove(id);
            }
        }
    }
}
