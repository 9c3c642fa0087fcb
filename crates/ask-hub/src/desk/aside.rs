//! What a person does with an ask besides closing it: fills it in, puts it aside, takes more time
//! for it, and mutes what would announce it.

use ask_config::clock;
use ask_core::record::{InClient, Snooze};
use ask_core::{AskId, Draft, Record, Time, lifecycle};
use ask_protocol::ipc::{Day, Fault, Response};
use ask_store::{Kept, Store, rows};

use super::{ClientId, Desk, Problem};

/// The switch that mutes notifications.
const MUTED: &str = "muted";

impl Desk {
    /// Keeps a half-filled form. One that was built on a revision is kept only where that is the
    /// last; else its surface is told how the ask stands, and saves again.
    pub(super) async fn keep(
        &self,
        id: AskId,
        mut draft: Draft,
        surface: String,
        built_on: Option<u64>,
    ) -> Result<Response, Problem> {
        // Where files are is not the draft's to say.
        draft.place(|_| None);
        let signed = (surface, clock::now());
        let kept = self.store.keep(id.clone(), draft, signed, built_on).await;
        match (kept?, built_on) {
            (0, Some(_)) => match self.store.get(id.clone()).await? {
                Some(record) => Ok(Response::Record(Box::new(self.with_waiters(record)))),
                None => Err(Problem::not_found(id.as_str())),
            },
            (count, _) => self.mark(Ok(count)),
        }
    }

    /// Puts an open ask aside, or back.
    pub(super) async fn snooze(
        &self,
        id: &str,
        snooze: Option<Snooze>,
    ) -> Result<Response, Problem> {
        let record = self.open_one(id).await?;
        let now = clock::now();
        let until = match snooze {
            Some(Snooze::Until(at)) if at <= now => {
                return Err(over(at));
            }
            Some(Snooze::Until(at)) => Some(at),
            Some(Snooze::AskedAgain) | None => None,
        };
        self.store.snooze(record.id.clone(), snooze).await?;
        self.mind(until);
        self.ring();
        self.as_it_stands(&record.id).await
    }

    /// Gives an open ask's person more time, as far as its agent can expect it.
    pub(super) async fn extend(&self, id: &str, until: Time) -> Result<Response, Problem> {
        let record = self.open_one(id).await?;
        if record.deadline_at.is_none() {
            let text = format!("{} has no deadline: it waits until you answer", record.id);
            return Err(refused(text));
        }
        // Whoever names such a time means another one.
        if until <= clock::now() {
            return Err(over(until));
        }
        let dialect = ask_dialects::find(&record.dialect);
        let longest = dialect.map_or(0, |dialect| dialect.longest_limit_ms());
        // Where no more is to be had it stays as it is; whoever asked sees by when it is due.
        if let Some(deadline) = lifecycle::more_time(&record, until, longest) {
            self.put_off(&record.id, Some(deadline)).await?;
            self.ring();
        }
        self.as_it_stands(&record.id).await
    }

    /// An agent's client asks the same itself, or no more.
    pub(super) async fn is_in_client(
        &self,
        client: ClientId,
        id: AskId,
        how: Option<InClient>,
    ) -> Result<Response, Problem> {
        let stands = how.map(|how| (client, how));
        let stood = match stands {
            Some(stands) => self.in_client.borrow_mut().insert(id.clone(), stands),
            None => self.in_client.borrow_mut().remove(&id),
        };
        if stood != stands {
            self.rung_by_touch(vec![id]).await;
        }
        Ok(Response::Done { count: 1 })
    }

    /// Asks that a connection's client asked itself: it is gone.
    pub(super) fn in_client_no_more(&self, client: ClientId) -> Vec<AskId> {
        let mut in_client = self.in_client.borrow_mut();
        let gone = in_client.extract_if(|_, (by, _)| *by == client);
        gone.map(|(id, _)| id).collect()
    }

    /// Mutes notifications on every surface, or no more.
    pub(super) async fn mute(&self, on: bool) -> Result<Response, Problem> {
        self.store.switch(MUTED, on).await?;
        self.muted.set(on);
        // The feed has nothing to tell, but whoever looks is told of this, too.
        self.ring();
        Ok(Response::Done { count: 1 })
    }

    /// Whether notifications are muted.
    pub fn muted(&self) -> bool {
        self.muted.get()
    }

    /// Whether they were muted when the store was last used.
    pub(super) fn was_muted(store: &ask_store::sqlite::Sqlite) -> bool {
        let sql = "SELECT count(*) FROM switch WHERE name = ?1";
        let found = store.glance(|db| db.query_row(sql, [MUTED], |row| row.get::<_, u64>(0)));
        found.unwrap_or(0) > 0
    }

    /// What a list says besides its asks.
    pub(super) async fn day(&self) -> Kept<Day> {
        let midnight = clock::midnight();
        let sql = "SELECT count(*) FROM ask WHERE closed_at >= ?1 AND state = 'answered'";
        let answered = self.store.glance(|db| {
            db.prepare_cached(sql)?
                .query_row([midnight.0], |row| row.get(0))
        })?;
        Ok(Day {
            answered,
            muted: self.muted.get(),
            more: 0,
            port: self.port.get().map(|(port, _)| port),
        })
    }

    /// Brings back what was put aside until now.
    pub(super) async fn bring_back(&self, now: Time) -> Kept<()> {
        let due = self.store.read(move |db| {
            let which = "ask.state = 'waiting' AND desk.back_at <= ?1";
            rows::select(db, which, &[&now.0])
        });
        let due = due.await?.into_iter();
        self.back(due.filter(|record| lifecycle::comes_back(record, now, false)))
            .await
    }

    /// The agent of this ask asks, whatever it asks: what was put aside until then comes back.
    pub(super) async fn bring_back_for(&self, asking: &Record) -> Result<(), Problem> {
        let aside = self.store.glance(|db| {
            let which = "ask.state = 'waiting' AND desk.snoozed_until IS NOT NULL \
                         AND desk.back_at IS NULL AND ask.client IS ?1 AND ask.directory IS ?2";
            let asker = &asking.asker;
            rows::select(db, which, &[&asker.client, &asker.directory])
        })?;
        let its_own = |aside: &Record| {
            let one = aside.id == asking.id || !lifecycle::are_two(&aside.asker, &asking.asker);
            one && lifecycle::comes_back(aside, asking.asked_at, true)
        };
        Ok(self.back(aside.into_iter().filter(its_own)).await?)
    }

    async fn back(&self, records: impl Iterator<Item = Record>) -> Kept<()> {
        for record in records {
            self.store.snooze(record.id, None).await?;
            self.ring();
        }
        Ok(())
    }

    async fn open_one(&self, id: &str) -> Result<Record, Problem> {
        let record = self.find(id).await?;
        match record.is_waiting() {
            true => Ok(record),
            false => Err(refused(format!(
                "{} waits no more: it is {}",
                record.id,
                record.state_word()
            ))),
        }
    }

    async fn as_it_stands(&self, id: &AskId) -> Result<Response, Problem> {
        let record = self.find(id.as_str()).await?;
        Ok(Response::Record(Box::new(record)))
    }
}

fn refused(text: String) -> Problem {
    Problem {
        kind: Fault::Malformed,
        text,
    }
}

/// A moment that can't be meant.
fn over(at: Time) -> Problem {
    Problem {
        kind: Fault::Unfit,
        text: format!("{at} is over already: say a later time"),
    }
}
