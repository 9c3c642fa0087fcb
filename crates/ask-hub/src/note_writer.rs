//! Writes notes for the hub's HTTP side. A note is state that belongs to no ask, and one row of the
//! store. The HTTP side can't own the store, which closes only after the last owner has dropped it.

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

/// Sends notes to the hub, in order.
#[derive(Clone, Debug)]
pub struct NoteWriter(mpsc::UnboundedSender<NoteOrder>);

impl NoteWriter {
    /// A writer, and the receiver whose orders [`crate::hub::Hub::store_notes`] carries out.
    pub fn channel() -> (Self, mpsc::UnboundedReceiver<NoteOrder>) {
        let (sender, orders) = mpsc::unbounded_channel();
        (Self(sender), orders)
    }

    /// Sends notes to the store. A hub that is ending drops them: they are not stored, and `then`
    /// is not called.
    pub fn write(&self, notes: Vec<Note>, then: impl FnOnce(bool) + Send + 'static) {
        let then = Box::new(then);
        // The hub is ending, as above.
        let _ = self.0.send(NoteOrder { notes, then });
    }

    /// Resolves once all earlier notes are stored, or storing them has failed.
    pub async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        self.write(Vec::new(), move |_| {
            // The future that waits may have been dropped.
            let _ = done.send(());
        });
        // The hub is ending, as above.
        let _ = flushed.await;
    }
}
