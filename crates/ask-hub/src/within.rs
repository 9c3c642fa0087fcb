//! A connection inside the process of a hub: what is said goes over as it is. Lines are written for
//! other processes alone; of a thousand asks, writing and reading them again takes longer than all else.

use std::rc::Rc;

use ask_protocol::ipc::Response;
use tokio::sync::mpsc;

use super::connection;
use super::desk::{ClientId, Desk, Outgoing};

/// The client's end.
pub struct Ours {
    /// Requests, as lines: they are short, and are kept as lines until they have a response.
    pub requests: mpsc::UnboundedSender<Vec<u8>>,
    /// What the hub says, to the request of which number.
    pub said: mpsc::UnboundedReceiver<(u64, Response)>,
}

/// The hub's end.
pub struct Theirs {
    requests: mpsc::UnboundedReceiver<Vec<u8>>,
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
pub async fn serve(desk: Rc<Desk>, client: ClientId, theirs: Theirs) {
    let Theirs { mut requests, said } = theirs;
    desk.join(client, said);
    desk.speaks_for_many(client);
    while let Some(lines) = requests.recv().await {
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            connection::take(&desk, client, line);
        }
    }
    desk.part(client).await;
}
