//! Writes notes for the hub's HTTP side: state that belongs to no ask, one row of the store each.
//! The HTTP side can't hold the store itself, which ends only after everyone has let go of it.

use ask_store::Note;
use tokio::sync::{mpsc, oneshot};

/// Called with whether the notes were stored. Runs on the store's thread.
pub type Then = Box<dyn FnOnce(bool) + Send>;

/// Notes to store, all or none.
pub struct NoteOrder {
    /// The keys and values.
    pub notes: Vec<Note>,
    /// Called when the store has finished.
    pub then: Then,
}

/// Hands notes over, in order.
#[derive(Clone, Debug)]
pub struct NoteWriter(mpsc::UnboundedSender<NoteOrder>);

impl NoteWriter {
    /// A writer, and the receiver whose orders [`crate::hub::Hub::store_notes`] carries out.
    pub fn channel() -> (Self, mpsc::UnboundedReceiver<NoteOrder>) {
        let (sender, orders) = mpsc::unbounded_channel();
        (Self(sender), orders)
    }

    /// Hands notes over. A hub that is ending drops the order: then the notes are not stored, and
    /// `then` is not called.
    pub fn write(&self, notes: Vec<Note>, then: impl FnOnce(bool) + Send + 'static) {
        let then = Box::new(then);
        // The hub is ending, as above.
        let _ = self.0.send(NoteOrder { notes, then });
    }

    /// Resolves once everything before it is stored or storing has failed.
    pub async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        self.write(Vec::new(), move |_| {
            // Whoever waited may be gone.
            let _ = done.send(());
        });
        // The hub is ending, as above.
        let _ = flushed.await;
    }
}
