//! Askers that are remembered as long as they may exist.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use ask_core::Asker;

/// The least value of [`Remembered::limit`] after the first removal.
const MIN_LIMIT: usize = 256;

/// Askers by a key. Looking for those that have ended costs a look at each, so it happens only when
/// twice as many are remembered as were left the last time.
#[derive(Debug)]
pub(crate) struct Remembered<K> {
    askers: BTreeMap<K, Asker>,
    /// With how many askers those that have ended are removed next.
    limit: usize,
}

impl<K> Default for Remembered<K> {
    fn default() -> Self {
        Self {
            askers: BTreeMap::new(),
            limit: 0,
        }
    }
}

impl<K: Ord> Remembered<K> {
    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&Asker>
    where
        K: Borrow<Q>,
    {
        self.askers.get(key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Asker> {
        self.askers.values()
    }

    pub(crate) fn insert(&mut self, key: K, asker: Asker) {
        self.askers.insert(key, asker);
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<Asker> {
        self.askers.remove(key)
    }

    /// Removes those that don't exist any more, if there are many.
    pub(crate) fn prune(&mut self, exists: impl Fn(&K, &Asker) -> bool) {
        if self.askers.len() > self.limit {
            self.askers.retain(|key, asker| exists(key, asker));
            self.limit = MIN_LIMIT.max(2 * self.askers.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn each_new_asker_costs_a_few_looks() {
        let mut remembered = Remembered::default();
        let looks = Cell::new(0);
        for key in 0..10_000 {
            remembered.prune(|_, _| {
                looks.set(looks.get() + 1);
                true
            });
            remembered.insert(key, Asker::default());
        }
        assert!(looks.get() < 20_000, "{}", looks.get());
    }

    #[test]
    fn ended_askers_are_removed() {
        let mut remembered = Remembered::default();
        for key in 0..10_000 {
            remembered.prune(|other, _| other + 10 > key);
            remembered.insert(key, Asker::default());
        }
        assert!(remembered.iter().count() <= MIN_LIMIT + 1);
        assert!(remembered.get(&9_999).is_some());
    }
}
