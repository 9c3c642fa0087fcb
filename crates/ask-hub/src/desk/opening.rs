//! How asks come to the desk: opened, taken up again, waited for, and left.

use std::collections::VecDeque;

use ask_config::clock;
use ask_core::record::Saved;
use ask_core::{AskId, Fingerprint, Record, Time, lifecycle};
use ask_protocol::ipc::{Response, TakeUp};
use ask_store::sqlite::Sqlite;
use ask_store::{Created, Settled, Store, rows};

use super::waiters::ASKERS_BACK;
use super::{ClientId, Desk, Problem, Waiter};

/// So many answered asks are kept in mind.
const KEPT_IN_MIND: usize = 64;

/// Ends with the opening that it was for.
pub(super) struct Turn<'desk> {
    desk: &'desk Desk,
    fingerprint: Fingerprint,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.desk.opening.borrow_mut().remove(&self.fingerprint);
        self.desk.turns.notify_waiters();
    }
}

impl Desk {
    pub(super) async fn open(
        &self,
        client: ClientId,
        number: u64,
        mut record: Record,
        wait: bool,
        take_up: TakeUp,
    ) -> Result<Option<Response>, Problem> {
        record.asker = self.identified(client, record.asker);
        // Who comes back to its own ask takes up nothing else, and waits for nobody's turn: behind
        // another of the same words it would come too late to be seen waiting.
        let own = take_up != TakeUp::Never && self.is_kept(&record.id)?;
        let take_up = if own { TakeUp::Never } else { take_up };
        let _turn = match take_up {
            TakeUp::Never => None,
            TakeUp::WhenLeft | TakeUp::Always => {
                Some(self.turn(Fingerprint::of_record(&record)).await)
            }
        };
        let mut left = self.left_behind(client, &record, take_up)?;
        // Who waits for it may be on the way back from the hub before this one. Where both callers are
        // known, the machine says whether that one is still there.
        let is_known = |left: &Record| left.asker.caller.is_some();
        let is_known = left.as_ref().is_some_and(is_known) && record.asker.caller.is_some();
        if take_up == TakeUp::WhenLeft
            && !is_known
            && left.is_some()
            && self.when_others_are_back(ASKERS_BACK).await
        {
            if !self.clients.borrow().contains_key(&client) {
                return Ok(None);
            }
            left = self.left_behind(client, &record, take_up)?;
        }
        if let Some(closed) = left.take_if(|left| !left.is_waiting() && !is_known) {
            // It stands there meanwhile, so that it can leave.
            self.add_waiter(client, number, &closed.id);
            self.when_others_are_back(ASKERS_BACK).await;
            let stands = self.has_waiter(client, number, &closed.id);
            self.drop_waiter(client, number, &closed.id);
            if !stands {
                return Ok(Some(self.told(&closed)));
            }
            left = self.left_behind(client, &record, take_up)?;
        }
        if let Some(left) = left {
            let goes_on = self.expected.borrow().contains_key(&left.id);
            self.claim(client, &left.id);
            self.add_waiter(client, number, &left.id);
            let deadline = lifecycle::put_off(&left, record.deadline_at);
            if left.is_waiting() && left.deadline_at != deadline {
                self.put_off(&left.id, deadline).await?;
            }
            // Who comes back because it said so only goes on waiting.
            if left.is_waiting() && !goes_on {
                self.store
                    .ask_again(left.id.clone(), record.asked_at)
                    .await?;
                self.bring_back_for(&record).await?;
            }
            return Ok(self.attach(client, number, left, true).await);
        }
        if let Some(id) = self.lapsed(client, &record, take_up)?
            && self.reopen(client, number, &id, &record).await?
        {
            return Ok(Some(Response::Opened { id }));
        }
        let id = record.id.clone();
        let deadline = record.deadline_at;
        if take_up == TakeUp::Always {
            record.draft = self.earlier(&record)?;
        }
        self.claim(client, &id);
        // The waiter stands before the ask is kept: whoever closes it will find it.
        if wait {
            self.add_waiter(client, number, &id);
        }
        let asking = record.clone();
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
        self.bring_back_for(&asking).await?;
        self.ring();
        Ok(Some(Response::Opened { id }))
    }

    /// An ask whose time had passed waits again: its person keeps the card, and what was typed.
    async fn reopen(
        &self,
        client: ClientId,
        number: u64,
        id: &AskId,
        asking: &Record,
    ) -> Result<bool, Problem> {
        self.claim(client, id);
        // The waiter stands before it waits again: whoever closes it will find it.
        self.add_waiter(client, number, id);
        let deadline = asking.deadline_at;
        let reopened = self.store.reopen(id.clone(), deadline, asking.asked_at);
        let reopened = reopened.await;
        if !matches!(reopened, Ok(true)) {
            self.drop_waiter(client, number, id);
            return Ok(reopened?);
        }
        // That its time had passed concerns nobody any more, also if it is still being told.
        self.outbox.borrow_mut().is_done(id);
        self.mind(deadline);
        self.bring_back_for(asking).await?;
        self.ring();
        Ok(true)
    }

    /// Waits until no ask of the same fingerprint is on its way into the store, so that the second of
    /// two that come at once finds the first.
    pub(super) async fn turn(&self, fingerprint: Fingerprint) -> Turn<'_> {
        loop {
            let turns = self.turns.notified();
            if self.opening.borrow_mut().insert(fingerprint) {
                return Turn {
                    desk: self,
                    fingerprint,
                };
            }
            turns.await;
        }
    }

    /// What was answered last, under the hub before this one: the newest at the end.
    pub(super) fn answered_before(store: &Sqlite) -> VecDeque<(Fingerprint, AskId)> {
        let since = Time(
            clock::now()
                .0
                .saturating_sub_unsigned(lifecycle::REPEATED_WITHIN_MS),
        );
        let which = format!(
            "ask.closed_at >= ?1 AND ask.state = 'answered' ORDER BY ask.closed_at DESC LIMIT {KEPT_IN_MIND}"
        );
        let found = store.glance(|db| rows::select(db, &which, &[&since.0]));
        let found = found.unwrap_or_default();
        let of = |record: &Record| (Fingerprint::of_record(record), record.id.clone());
        found.iter().rev().map(of).collect()
    }

    /// What the person answered when the same was asked shortly before and told.
    fn earlier(&self, record: &Record) -> Result<Option<Saved>, Problem> {
        let fingerprint = Fingerprint::of_record(record);
        let alike =
            |(earlier, id): &(Fingerprint, AskId)| (*earlier == fingerprint).then(|| id.clone());
        let Some(id) = self.answered.borrow().iter().rev().find_map(alike) else {
            return Ok(None);
        };
        let found = self.store.glance(|db| rows::get(db, id.as_str()))?;
        let found =
            found.filter(|found| found.id != record.id && lifecycle::is_same(found, record));
        Ok(found.and_then(|found| lifecycle::repeated(&found, record.asked_at)))
    }

    /// Counts what was closed, and keeps in mind what was answered last, in case the same is asked
    /// again. An attempt that comes again closes nothing more.
    pub(super) fn noted(&self, settled: Settled) -> Settled {
        if let Settled::Won(record) = &settled {
            self.beside.counts.closed(record);
            let mut answered = self.answered.borrow_mut();
            if answered.len() == KEPT_IN_MIND {
                answered.pop_front();
            }
            answered.push_back((Fingerprint::of_record(record), record.id.clone()));
        }
        settled
    }

    /// Lets the clock look at a deadline, if it is the next of all.
    pub(super) fn mind(&self, deadline: Option<Time>) {
        if let Some(at) = deadline
            && self.next_deadline.get().is_none_or(|next| at < next)
        {
            self.next_deadline.set(Some(at));
            self.timer.notify_one();
        }
    }

    /// The agent asks again, so its time limit runs anew; or the person takes more time.
    pub(super) async fn put_off(&self, id: &AskId, deadline: Option<Time>) -> Result<(), Problem> {
        self.store.put_off(id.clone(), deadline).await?;
        self.mind(deadline);
        Ok(())
    }

    /// The same ask, whose time has passed since, if this one isn't kept already.
    fn lapsed(
        &self,
        client: ClientId,
        record: &Record,
        take_up: TakeUp,
    ) -> Result<Option<AskId>, Problem> {
        let which = "ask.fingerprint = ?1 AND ask.state = 'expired'";
        let found = self.alike(record, take_up, which)?;
        let found = found.into_iter().find(|found| {
            lifecycle::may_reopen(found, record.asked_at, self.take_up_ms)
                && lifecycle::is_same(found, record)
                && lifecycle::share_a_window(&found.asker, &record.asker)
                && self.may_have(client, found, &record.asker)
        });
        Ok(found.map(|found| found.id))
    }

    /// The newest of those that may be the same as this one, if it isn't kept already.
    fn alike(&self, record: &Record, take_up: TakeUp, which: &str) -> Result<Vec<Record>, Problem> {
        if take_up == TakeUp::Never {
            return Ok(Vec::new());
        }
        let fingerprint = Fingerprint::of_record(record);
        let found = self.store.glance(|db| {
            if rows::get(db, record.id.as_str())?.is_some() {
                return Ok(Vec::new());
            }
            let newest = format!("{which} ORDER BY ask.row DESC LIMIT 8");
            rows::select(db, &newest, &[&fingerprint.0])
        });
        Ok(found?)
    }

    /// The same ask, left behind by its agent, if there is one and this one isn't kept already.
    fn left_behind(
        &self,
        client: ClientId,
        record: &Record,
        take_up: TakeUp,
    ) -> Result<Option<Record>, Problem> {
        let which = "ask.fingerprint = ?1 AND ask.delivered_at IS NULL";
        let found = self.alike(record, take_up, which)?;
        let outbox = self.outbox.borrow();
        // An answer reaches its agent wherever that is; a question is in one app's window.
        let reaches_its_person = |found: &Record| {
            !found.is_waiting() || lifecycle::share_a_window(&found.asker, &record.asker)
        };
        let is_free = |found: &Record| {
            let are_two = lifecycle::are_two(&found.asker, &record.asker);
            match take_up {
                TakeUp::Never => false,
                TakeUp::WhenLeft => !are_two && !self.waiters.borrow().contains_key(&found.id),
                TakeUp::Always => !(are_two && found.waiters > 0),
            }
        };
        Ok(found
            .into_iter()
            .map(|found| self.with_waiters(found))
            .find(|found| {
                lifecycle::may_take_up(found, record.asked_at, self.take_up_ms)
                    && lifecycle::is_same(found, record)
                    && is_free(found)
                    && self.may_have(client, found, &record.asker)
                    && reaches_its_person(found)
                    && !outbox.is_underway(&found.id)
            }))
    }

    fn is_kept(&self, id: &AskId) -> Result<bool, Problem> {
        let found = self.store.glance(|db| rows::get(db, id.as_str()))?;
        Ok(found.is_some())
    }

    pub(super) async fn wait(
        &self,
        client: ClientId,
        number: u64,
        id: &str,
    ) -> Result<Option<Response>, Problem> {
        let found = self.find(id).await?;
        let _turn = match found.is_waiting() {
            true => None,
            false => Some(self.turn(Fingerprint::of_record(&found)).await),
        };
        let id = found.id;
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
                self.sets_out(&record.id, Waiter { client, number });
                return Some(self.told(&record));
            }
            return Some(Response::Record(Box::new(record)));
        }
        let id = record.id;
        if stands {
            self.rung_by_touch(vec![id.clone()]).await;
            // Closed meanwhile: it was told so, as all that waited were.
            if !self.has_waiter(client, number, &id) {
                return None;
            }
        }
        Some(Response::Opened { id })
    }

    pub(super) async fn leave(
        &self,
        client: ClientId,
        number: u64,
        back_ms: u64,
        by: ClientId,
    ) -> Result<Response, Problem> {
        // The outcome may have set out already and find nobody.
        let of_call = |waiter: &Waiter| (waiter.client, waiter.number) == (client, number);
        self.outbox.borrow_mut().come_to_nothing(of_call);
        let mut left: Vec<AskId> = match self.clients.borrow().get(&client) {
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
            if back_ms > 0 {
                self.expect(id, by, back_ms);
            }
        }
        let count = left.len() as u64;
        // Where one waiter went that comes back, the person sees what they saw before.
        left.retain(|id| back_ms == 0 || self.waiters.borrow().contains_key(id));
        self.rung_by_touch(left).await;
        Ok(Response::Done { count })
    }
}
