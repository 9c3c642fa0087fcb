//! State of the HTTP side that outlives the hub: notes of the store. Earlier versions had it in
//! files beside the store. Such a file is read once, and removed when the store has what was in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ask_hub::note_writer::NoteWriter;
use tokio::sync::oneshot;

/// Notes by their keys.
pub type Notes = BTreeMap<String, String>;

/// The notes with one prefix, and the file that had the same in earlier versions.
///
/// As long as that file exists, it counts and the notes don't. So it serves once more: if a full disk
/// keeps the store from removing a note, the file is made, empty, which needs no room. The next hub
/// finds it and takes nothing up.
pub struct Stored {
    writer: NoteWriter,
    state: Arc<Mutex<State>>,
}

struct State {
    file: PathBuf,
    /// Whether the file exists.
    has_file: bool,
    /// The notes as the store has them once it has carried out all orders.
    written: Notes,
    /// The keys whose notes the store failed to write.
    failed: BTreeSet<String>,
}

/// The text of an earlier version's file, if there is one.
pub fn read_file(file: &Path) -> Option<String> {
    match std::fs::read_to_string(file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => {
            tracing::error!("{} can't be read: {error}", file.display());
            Some(String::new())
        }
    }
}

impl Stored {
    /// The notes of the store that begin with a prefix.
    pub fn new(notes: &Notes, prefix: &str, file: &Path, writer: NoteWriter) -> Self {
        let ours = notes.iter().filter(|(key, _)| key.starts_with(prefix));
        let ours = ours.map(|(key, value)| (key.clone(), value.clone()));
        Self {
            writer,
            state: Arc::new(Mutex::new(State {
                file: file.to_owned(),
                has_file: file.exists(),
                written: ours.collect(),
                failed: BTreeSet::new(),
            })),
        }
    }

    /// Stores these notes in place of all before. Only what has changed is written, in the order of
    /// the calls. The future resolves to whether the notes are stored; nobody has to wait for it.
    pub fn keep(&self, wanted: Notes) -> impl Future<Output = bool> + Send + use<> {
        self.store(wanted, false)
    }

    /// The same where something has ended that must not begin again: if the store can't write, the
    /// file makes sure of it.
    pub fn end(&self, wanted: Notes) -> impl Future<Output = bool> + Send + use<> {
        self.store(wanted, true)
    }

    /// [`Self::end`] if something has ended, else [`Self::keep`].
    pub(crate) fn store(
        &self,
        wanted: Notes,
        ends: bool,
    ) -> impl Future<Output = bool> + Send + use<> {
        let (done, kept) = oneshot::channel();
        let mut state = self.lock();
        let changed = state.changed(&wanted);
        let notes = changed
            .iter()
            .map(|key| (key.clone(), wanted.get(key).cloned()));
        let notes: Vec<(String, Option<String>)> = notes.collect();
        state.written = wanted;
        let shared = Arc::clone(&self.state);
        let then = move |is_kept: bool| {
            let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
            match is_kept {
                true => state.is_written(&changed),
                false => state.fail(changed, ends),
            }
            // Most callers don't wait.
            let _ = done.send(is_kept);
        };
        if notes.is_empty() {
            drop(state);
            then(true);
        } else {
            // While the lock is held, so that the store gets the orders of all threads in turn.
            self.writer.write(notes, then);
            drop(state);
        }
        // A hub that is ending drops the order.
        async move { kept.await.unwrap_or(false) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The keys whose notes differ. Those that failed before count as different.
    fn changed(&mut self, wanted: &Notes) -> BTreeSet<String> {
        let mut changed = std::mem::take(&mut self.failed);
        let keys = self.written.keys().chain(wanted.keys());
        let differ = keys.filter(|key| self.written.get(*key) != wanted.get(*key));
        changed.extend(differ.cloned());
        changed
    }

    fn is_written(&mut self, keys: &BTreeSet<String>) {
        self.failed.retain(|key| !keys.contains(key));
        if !self.has_file || !self.failed.is_empty() {
            return;
        }
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let file = self.file.display();
                tracing::error!("{file} can't be removed ({error}): the next hub reads it again");
            }
            Ok(()) | Err(_) => self.has_file = false,
        }
    }

    fn fail(&mut self, keys: BTreeSet<String>, ends: bool) {
        self.failed.extend(keys);
        let file = self.file.display();
        // The hub's umask makes the file private.
        match ends.then(|| File::create(&self.file)) {
            None => tracing::error!(
                "the store can't write who is signed in or whether pairing is on: the next hub may know less"
            ),
            Some(Ok(_)) => {
                self.has_file = true;
                tracing::error!(
                    "the store can't write what has ended: because of the empty file {file}, the next hub takes nothing of it up"
                );
            }
            Some(Err(error)) => tracing::error!(
                "the store can't write what has ended, and {file} can't be emptied ({error}): the next hub takes it up again"
            ),
        }
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use ask_hub::note_writer::{NoteOrder, NoteWriter};
    use tokio::sync::mpsc::UnboundedReceiver;

    use super::Notes;

    /// A store in memory that carries out orders on demand.
    pub(crate) struct FakeStore {
        orders: UnboundedReceiver<NoteOrder>,
        /// The notes that it holds.
        pub notes: Notes,
        /// Whether it can't write.
        pub is_full: bool,
    }

    impl FakeStore {
        pub(crate) fn new() -> (Self, NoteWriter) {
            let (writer, orders) = NoteWriter::channel();
            let store = Self {
                orders,
                notes: Notes::new(),
                is_full: false,
            };
            (store, writer)
        }

        /// Carries out the orders so far, and returns the keys that they named.
        pub(crate) fn work(&mut self) -> Vec<String> {
            let mut named = Vec::new();
            while let Ok(NoteOrder { notes, then }) = self.orders.try_recv() {
                for (key, value) in notes {
                    named.push(key.clone());
                    match value.filter(|_| !self.is_full) {
                        Some(value) => drop(self.notes.insert(key, value)),
                        None if self.is_full => {}
                        None => drop(self.notes.remove(&key)),
                    }
                }
                then(!self.is_full);
            }
            named
        }
    }
}
