//! A connection inside the process of a hub: what is said goes over as it is. Lines are written for
//! other processes alone.

use std::rc::Rc;

use ask_protocol::ipc::{Request, Response};
use tokio::sync::mpsc;

use super::hub::{ClientId, Hub, Outgoing};

/// The client's end.
pub struct Ours {
    /// Requests, each with its number.
    pub requests: mpsc::UnboundedSender<(u64, Request)>,
    /// What the hub says, to the request of which number.
    pub said: mpsc::UnboundedReceiver<(u64, Response)>,
}

/// The hub's end.
pub struct Theirs {
    requests: mpsc::UnboundedReceiver<(u64, Request)>,
    said: Outgoing,
}

/// Both ends of a connection.
pub fn pair() -> (Ours, Theirs) {
    let (requests, asked) = mpsc::unbounded_channel();
    let (outgoing, said) = mpsc::unbounded_channel();
    let theirs = Theirs {
        requests: asked,
        said: outgoing,
    };
    (Ours { requests, said }, theirs)
}

/// Serves a client until it goes.
pub async fn serve(hub: Rc<Hub>, client: ClientId, theirs: Theirs) {
    let Theirs { mut requests, said } = theirs;
    hub.join(client, said, None, true);
    while let Some((number, request)) = requests.recv().await {
        hub.serve(client, number, request);
    }
    hub.part(client);
}
