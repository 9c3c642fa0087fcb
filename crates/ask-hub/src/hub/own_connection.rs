//! The hub's own connection to its engine: its pending requests, and the listener within the
//! process that receives every change.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use ask_engine::{Change, ConnectionId, Reply, RequestId};
use tokio::sync::{mpsc, oneshot};

#[derive(Debug, Default)]
pub(super) struct OwnConnection {
    waiting: RefCell<HashMap<RequestId, oneshot::Sender<Reply>>>,
    last_request: Cell<u64>,
    listener: RefCell<Option<mpsc::UnboundedSender<Arc<Change>>>>,
}

impl OwnConnection {
    pub(super) const ID: ConnectionId = ConnectionId(0);

    /// Registers a request, and returns the receiver of its reply.
    pub(super) fn begin_request(&self) -> (RequestId, oneshot::Receiver<Reply>) {
        let request = self.next_request();
        let (sender, reply) = oneshot::channel();
        self.waiting.borrow_mut().insert(request, sender);
        (request, reply)
    }

    /// Passes a reply to the request's receiver.
    pub(super) fn reply(&self, request: RequestId, reply: Reply) {
        let sender = self.waiting.borrow_mut().remove(&request);
        if let Some(sender) = sender {
            // The request's future may have been dropped.
            let _ = sender.send(reply);
        }
    }

    /// Replaces the listener. Returns the request that subscribes it, and its receiver.
    pub(super) fn subscribe(&self) -> (RequestId, mpsc::UnboundedReceiver<Arc<Change>>) {
        let (sender, changes) = mpsc::unbounded_channel();
        self.listener.replace(Some(sender));
        (self.next_request(), changes)
    }

    /// Passes a change to the listener.
    pub(super) fn push(&self, change: Arc<Change>) {
        if let Some(listener) = self.listener.borrow().as_ref() {
            // The listener ends with the hub.
            let _ = listener.send(change);
        }
    }

    fn next_request(&self) -> RequestId {
        self.last_request.set(self.last_request.get() + 1);
        RequestId(self.last_request.get())
    }
}
