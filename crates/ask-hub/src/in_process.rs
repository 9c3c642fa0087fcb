//! Connections within the hub's own process. Their messages are passed as values and not
//! serialized.

use std::rc::Rc;

use ask_protocol::ipc::{Request, Response};
use tokio::sync::mpsc;

use super::hub::{ConnectionId, Hub, Outgoing};

/// The client's end of a connection.
pub struct ClientEnd {
    /// Requests, each with its number.
    pub requests: mpsc::UnboundedSender<(u64, Request)>,
    /// Responses, each with the number of its request.
    pub responses: mpsc::UnboundedReceiver<(u64, Response)>,
}

/// The hub's end of a connection.
pub struct ServerEnd {
    pub(crate) requests: mpsc::UnboundedReceiver<(u64, Request)>,
    pub(crate) responses: Outgoing,
}

/// Both ends of a new connection.
pub(crate) fn connection_pair() -> (ClientEnd, ServerEnd) {
    let (requests, incoming) = mpsc::unbounded_channel();
    let (outgoing, responses) = mpsc::unbounded_channel();
    let server = ServerEnd {
        requests: incoming,
        responses: outgoing,
    };
    (
        ClientEnd {
            requests,
            responses,
        },
        server,
    )
}

/// Serves a client until it disconnects.
pub async fn serve(hub: Rc<Hub>, client: ConnectionId, server: ServerEnd) {
    let ServerEnd {
        mut requests,
        responses,
    } = server;
    hub.connect(client, responses, None, true);
    while let Some((number, request)) = requests.recv().await {
        hub.serve(client, number, request);
    }
    hub.disconnect(client);
}
