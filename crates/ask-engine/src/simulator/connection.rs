//! A client's end of the hub: what was not answered when a connection broke is said again over the
//! next one.

use std::collections::BTreeMap;

use crate::event::{ConnectionId, Reply, Request, RequestId};

/// A client's end.
#[derive(Debug, Default)]
pub(crate) struct Client {
    /// The connection that stands, as far as the client knows.
    pub connection: Option<ConnectionId>,
    /// Requests that have no last reply yet, in order.
    pub pending: BTreeMap<RequestId, Request>,
    last: u64,
}

impl Client {
    pub fn new_request(&mut self, body: Request, expects_reply: bool) -> RequestId {
        self.last += 1;
        let request = RequestId(self.last);
        if expects_reply {
            self.pending.insert(request, body);
        }
        request
    }

    /// Hears a reply. False where nobody waits for it any more.
    pub fn hear(&mut self, request: RequestId, reply: &Reply) -> bool {
        let Some(body) = self.pending.get(&request) else {
            return false;
        };
        let waits = match body {
            Request::Open { wait, .. } => *wait,
            Request::Wait(_) => true,
            _ => false,
        };
        let is_last = !(waits && matches!(reply, Reply::Opened(_)));
        if is_last {
            self.pending.remove(&request);
        }
        true
    }
}
