//! Outcomes that have not reached their agents: which there are, which are on their
//! way to a waiter right now, and whether an asker misses any, without a look into
//! the store.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use ask_core::{AskId, Record};

use super::Waiter;

/// All undelivered outcomes of people.
#[derive(Default)]
pub struct Outbox {
    /// Whose each of them is.
    kept: HashMap<AskId, Whose>,
    /// On their way to waiters that still stand, until one says that it has it.
    underway: HashMap<AskId, Vec<Waiter>>,
    /// How many of each asker are on their way to nobody.
    left: HashMap<Whose, usize>,
}

/// Client and directory of an asker, as a number.
type Whose = u64;

fn whose(record: &Record) -> Whose {
    let mut hasher = DefaultHasher::new();
    record.asker.client.hash(&mut hasher);
    record.asker.directory.hash(&mut hasher);
    hasher.finish()
}

impl Outbox {
    /// What the store has kept before this hub began.
    pub fn of(records: &[Record]) -> Self {
        let mut outbox = Self::default();
        for record in records {
            outbox.keep(record);
        }
        outbox
    }

    /// A person has closed an ask. What nobody said anything to, nobody misses.
    pub fn keep(&mut self, record: &Record) {
        let human = |end: &ask_core::Settlement| end.outcome.is_human();
        if record.settlement().is_some_and(human) && !record.is_delivered() {
            self.change(&record.id, |outbox, id| {
                outbox.kept.insert(id.clone(), whose(record));
            });
        }
    }

    /// An outcome is on its way to a waiter.
    pub fn sets_out(&mut self, id: &AskId, waiter: Waiter) {
        self.change(id, |outbox, id| {
            outbox.underway.entry(id.clone()).or_default().push(waiter);
        });
    }

    /// Outcomes have not reached these waiters.
    pub fn come_to_nothing(&mut self, which: impl Fn(&Waiter) -> bool) {
        let all = self.underway.iter();
        let concerned = all.filter(|(_, told)| told.iter().any(&which));
        let concerned: Vec<AskId> = concerned.map(|(id, _)| id.clone()).collect();
        for id in concerned {
            self.change(&id, |outbox, id| {
                if let Some(told) = outbox.underway.get_mut(id) {
                    told.retain(|waiter| !which(waiter));
                }
            });
        }
    }

    /// An outcome has not reached the first of these waiters.
    pub fn comes_to_nothing(&mut self, id: &AskId, which: impl Fn(&Waiter) -> bool) {
        self.change(id, |outbox, id| {
            if let Some(told) = outbox.underway.get_mut(id)
                && let Some(at) = told.iter().position(which)
            {
                told.remove(at);
            }
        });
    }

    /// An outcome was delivered, or is forgotten.
    pub fn is_done(&mut self, id: &AskId) {
        self.change(id, |outbox, id| {
            outbox.kept.remove(id);
            outbox.underway.remove(id);
        });
    }

    /// Whether an outcome is on its way to somebody.
    pub fn is_underway(&self, id: &AskId) -> bool {
        self.underway.contains_key(id)
    }

    /// Whether it is on its way to one of these waiters.
    pub fn is_underway_to(&self, id: &AskId, which: impl Fn(&Waiter) -> bool) -> bool {
        let mut told = self.underway.get(id).into_iter().flatten();
        told.any(which)
    }

    /// Whether the asker of this record misses other outcomes.
    pub fn misses_others(&self, record: &Record) -> bool {
        let own = usize::from(self.left_of(&record.id).is_some());
        let left = self.left.get(&whose(record)).copied().unwrap_or(0);
        left > own
    }

    /// Whose outcome it is, if it is kept and on its way to nobody.
    fn left_of(&self, id: &AskId) -> Option<Whose> {
        let whose = self.kept.get(id)?;
        (!self.underway.contains_key(id)).then_some(*whose)
    }

    /// Every change goes this way, so that the counts stay right.
    fn change(&mut self, id: &AskId, change: impl FnOnce(&mut Self, &AskId)) {
        let before = self.left_of(id);
        change(self, id);
        if self.underway.get(id).is_some_and(Vec::is_empty) {
            self.underway.remove(id);
        }
        let after = self.left_of(id);
        if before == after {
            return;
        }
        if let Some(whose) = before
            && let Some(count) = self.left.get_mut(&whose)
        {
            *count -= 1;
            if *count == 0 {
                self.left.remove(&whose);
            }
        }
        if let Some(whose) = after {
            *self.left.entry(whose).or_default() += 1;
        }
    }
}
