//! A connection within the hub's own process: values are passed as they are, and nothing is
//! serialized.

use std::rc::Rc;

use ask_protocol::ipc::{Request, Response};
use tokio::sync::mpsc;

use super::hub::{ConnectionId, Hub, Outgoing};

/// The client's end.
pub struct Ours {
    /// Requests, each with its number.
    pub requests: mpsc::UnboundedSender<(u64, Request)>,
    /// Responses, each with the number of its request.
    pub said: mpsc::UnboundedReceiver<(u64, Response)>,
}

/// The hub's end.
pub struct Theirs {
    pub(crate) requests: mpsc::UnboundedReceiver<(u64, Request)>,
    pub(crate) said: Outgoing,
}

/// Both ends of a new connection.
pub fn pair() -> (Ours, Theirs) {
    let (requests, asked) = mpsc::unbounded_channel();
    let (outgoing, said) = mpsc::unbounded_channel();
    let theirs = Theirs {
        requests: asked,
        said: outgoing,
    };
    (Ours { requests, said }, theirs)
}

/// Serves a client until it disconnects.
pub async fn serve(hub: Rc<Hub>, client: ConnectionId, theirs: Theirs) {
    let Theirs { mut requests, said } = theirs;
    hub.connect(client, said, None, true);
    while let Some((number, request)) = requests.recv().await {
        hub.serve(client, number, request);
    }
    hub.disconnect(client);
}
