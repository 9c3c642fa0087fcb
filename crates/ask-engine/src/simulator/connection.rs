//! The client side of a connection. Requests without a reply when the connection breaks are sent
//! again over the next one.

use std::collections::BTreeMap;

use crate::event::{ConnectionId, Problem, Reply, Request, RequestId};

/// The client side of a connection.
#[derive(Debug, Default)]
pub(crate) struct Client {
    /// The open connection, as far as the client knows.
    pub connection: Option<ConnectionId>,
    /// Requests whose last reply is still outstanding, in order.
    pub pending: BTreeMap<RequestId, Request>,
    last: u64,
}

impl Client {
    /// The number of the newest request.
    pub(super) fn last_request(&self) -> RequestId {
        RequestId(self.last)
    }

    pub(super) fn new_request(&mut self, body: Request, expects_reply: bool) -> RequestId {
        self.last += 1;
        let request = RequestId(self.last);
        if expects_reply {
            self.pending.insert(request, body);
        }
        request
    }

    /// Receives a reply. Returns false if no request waits for it any more, or if the request has to
    /// be sent again.
    pub(super) fn receive(&mut self, request: RequestId, reply: &Reply) -> bool {
        let Some(body) = self.pending.get(&request) else {
            return false;
        };
        let is_confirmation = matches!(body, Request::Delivered { .. });
        if is_confirmation && matches!(reply, Reply::Refused(Problem::Store(_))) {
            return false;
        }
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
