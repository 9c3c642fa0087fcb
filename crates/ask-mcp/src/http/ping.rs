//! Pings for clients of calls that say nothing: they keep a call alive where progress
//! was not asked for. Their answers are nobody else's business.

use rmcp::model::{
    ClientJsonRpcMessage, PingRequest, RequestId, ServerJsonRpcMessage, ServerRequest,
};
use rmcp::transport::streamable_http_server::session::ServerSseMessage;

/// How our pings are named; nobody else's request is named so.
const NAME: &str = "ask-user/ping/";

/// A ping. It is an event without an id: there is no going on after it, only after what rmcp said.
pub fn ping(number: u64) -> ServerSseMessage {
    let id = RequestId::String(format!("{NAME}{number}").into());
    let request = ServerRequest::PingRequest(PingRequest::default());
    ServerSseMessage::from_message(ServerJsonRpcMessage::request(request, id))
}

/// Whether a message answers one.
pub fn is_answer(message: &ClientJsonRpcMessage) -> bool {
    let id = match message {
        ClientJsonRpcMessage::Response(response) => Some(&response.id),
        ClientJsonRpcMessage::Error(error) => error.id.as_ref(),
        _ => None,
    };
    matches!(id, Some(RequestId::String(id)) if id.starts_with(NAME))
}
