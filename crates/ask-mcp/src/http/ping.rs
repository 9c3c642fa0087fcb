//! Pings (MCP's `ping` utility) to clients of silent calls. They keep a call alive if no progress
//! was requested. Their responses are ignored.

use rmcp::model::{
    ClientJsonRpcMessage, PingRequest, RequestId, ServerJsonRpcMessage, ServerRequest,
};
use rmcp::transport::streamable_http_server::session::ServerSseMessage;

/// The prefix of our pings' ids. No other request has it.
const ID_PREFIX: &str = "ask-user/ping/";

/// A ping, as an event without an id: clients can only resume after events of rmcp.
pub(super) fn ping(number: u64) -> ServerSseMessage {
    let id = RequestId::String(format!("{ID_PREFIX}{number}").into());
    let request = ServerRequest::PingRequest(PingRequest::default());
    ServerSseMessage::from_message(ServerJsonRpcMessage::request(request, id))
}

/// Whether a message is the response to one of our pings.
pub(super) fn is_ping_response(message: &ClientJsonRpcMessage) -> bool {
    let id = match message {
        ClientJsonRpcMessage::Response(response) => Some(&response.id),
        ClientJsonRpcMessage::Error(error) => error.id.as_ref(),
        _ => None,
    };
    matches!(id, Some(RequestId::String(id)) if id.starts_with(ID_PREFIX))
}
