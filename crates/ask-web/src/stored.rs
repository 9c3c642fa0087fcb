//! State of the HTTP side that outlives the hub, as notes of the store. Earlier versions had it in
//! files beside the store. Such a file is read once, and removed when the store has its content.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ask_config::home::private_anew;
use ask_hub::note_writer::NoteWriter;
use tokio::sync::oneshot;

/// Notes by their keys.
pub(crate) type Notes = BTreeMap<String, String>;

/// The notes with one prefix, and the file that had the same content in earlier versions.
///
/// While that file exists, it replaces the notes. This also helps when a full disk keeps the store from
/// removing a note: an empty file is created, which needs no space, and the next hub reads it in place
/// of the notes.
pub(crate) struct StoredNotes {
    writer: NoteWriter,
    state: Arc<Mutex<State>>,
}

struct State {
    file: PathBuf,
    /// Whether the file exists.
    has_file: bool,
    /// The notes as the store has them after all orders so far.
    written: Notes,
    /// The keys whose notes the store failed to write.
    failed: BTreeSet<String>,
}

/// The text of an earlier version's file, if there is one.
pub(crate) fn read_file(file: &Path) -> Option<String> {
    match std::fs::read_to_string(file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => {
            tracing::error!("{} can't be read: {error}", file.display());
            Some(String::new())
        }
    }
}

impl StoredNotes {
    /// The notes of the store whose keys begin with a prefix.
    pub(crate) fn new(notes: &Notes, prefix: &str, file: &Path, writer: NoteWriter) -> Self {
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

    /// Replaces all notes. Only changes are written, in the order of the calls. The future resolves to
    /// whether they are stored, and may be dropped.
    pub(crate) fn store(&self, wanted: Notes) -> impl Future<Output = bool> + Send + use<> {
        self.replace(wanted, false)
    }

    /// Like [`Self::store`], after something has ended that must not begin again: if the store can't
    /// write, the empty file prevents it.
    pub(crate) fn store_end(&self, wanted: Notes) -> impl Future<Output = bool> + Send + use<> {
        self.replace(wanted, true)
    }

    /// [`Self::store_end`] if something has ended, otherwise [`Self::store`].
    pub(crate) fn replace(
        &self,
        wanted: Notes,
        is_ended: bool,
    ) -> impl Future<Output = bool> + Send + use<> {
        let (done, stored) = oneshot::channel();
        let mut state = self.lock();
        let changed = state.changed(&wanted);
        let notes = changed
            .iter()
            .map(|key| (key.clone(), wanted.get(key).cloned()));
        let notes: Vec<(String, Option<String>)> = notes.collect();
        state.written = wanted;
        let shared = Arc::clone(&self.state);
        let then = move |is_stored: bool| {
            let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if is_stored {
                state.confirm(&changed);
            } else {
                state.fail(changed, is_ended);
            }
            // Most callers don't wait.
            let _ = done.send(is_stored);
        };
        if notes.is_empty() {
            drop(state);
            then(true);
        } else {
            // The lock is still held, so that the store gets the orders of all threads in their order.
            self.writer.write(notes, then);
            drop(state);
        }
        // A hub that is ending drops the order, and with it the sender.
        async move { stored.await.unwrap_or(false) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The keys whose notes differ from the written ones, including those that could not be written.
    fn changed(&mut self, wanted: &Notes) -> BTreeSet<String> {
        let mut changed = std::mem::take(&mut self.failed);
        let keys = self.written.keys().chain(wanted.keys());
        let different = keys.filter(|key| self.written.get(*key) != wanted.get(*key));
        changed.extend(different.cloned());
        changed
    }

    fn confirm(&mut self, keys: &BTreeSet<String>) {
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

    fn fail(&mut self, keys: BTreeSet<String>, is_ended: bool) {
        self.failed.extend(keys);
        let file = self.file.display();
        match is_ended.then(|| private_anew(&self.file)) {
            None => tracing::error!(
                "the store can't write sessions or the state of pairing: the next hub may not have the latest"
            ),
            Some(Ok(_)) => {
                self.has_file = true;
                tracing::error!(
                    "the store can't write that a session or pairing has ended: because of the empty file {file}, the next hub starts without any"
                );
            }
            Some(Err(error)) => tracing::error!(
                "the store can't write that a session or pairing has ended, and {file} can't be emptied ({error}): the next hub resumes it"
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

        /// Carries out the orders so far, and returns their keys.
        pub(crate) fn run_orders(&mut self) -> Vec<String> {
            let mut keys = Vec::new();
            while let Ok(NoteOrder { notes, then }) = self.orders.try_recv() {
                for (key, value) in notes {
                    keys.push(key.clone());
                    match value.filter(|_| !self.is_full) {
                        Some(value) => drop(self.notes.insert(key, value)),
                        None if self.is_full => {}
                        None => drop(self.notes.remove(&key)),
                    }
                }
                then(!self.is_full);
            }
            keys
        }
    }
}
