//! The hub's own connection to its engine: its requests that the engine has not replied to, and the
//! listener within the process that receives every change.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use ask_engine::{Change, ConnectionId, Reply, RequestId};
use tokio::sync::{mpsc, oneshot};

#[derive(Debug, Default)]
pub(super) struct OwnConnection {
    waiting: RefCell<HashMap<RequestId, oneshot::Sender<Reply>>>,
    last: Cell<u64>,
    listener: RefCell<Option<mpsc::UnboundedSender<Arc<Change>>>>,
}

impl OwnConnection {
    pub(super) const ID: ConnectionId = ConnectionId(0);

    /// A request whose reply somebody waits for.
    pub(super) fn begin(&self) -> (RequestId, oneshot::Receiver<Reply>) {
        let request = self.next_request();
        let (sender, reply) = oneshot::channel();
        self.waiting.borrow_mut().insert(request, sender);
        (request, reply)
    }

    /// Gives a reply to whoever waits for it.
    pub(super) fn reply(&self, request: RequestId, reply: Reply) {
        let waits = self.waiting.borrow_mut().remove(&request);
        if let Some(waits) = waits {
            // The request's future may have been dropped.
            let _ = waits.send(reply);
        }
    }

    /// A listener in place of the one before, and the request that subscribes it.
    pub(super) fn listen(&self) -> (RequestId, mpsc::UnboundedReceiver<Arc<Change>>) {
        let (sender, changes) = mpsc::unbounded_channel();
        self.listener.replace(Some(sender));
        (self.next_request(), changes)
    }

    /// Gives a change to the listener.
    pub(super) fn push(&self, change: Arc<Change>) {
        if let Some(listener) = self.listener.borrow().as_ref() {
            // The listener ends with the hub.
            let _ = listener.send(change);
        }
    }

    fn next_request(&self) -> RequestId {
        self.last.set(self.last.get() + 1);
        RequestId(self.last.get())
    }
}
