//! An event that is kept for a client that reads it again.

use ask_protocol::{json_text, text_json};
use rmcp::model::{
    CustomResult, JsonRpcMessage, JsonRpcResponse, ServerJsonRpcMessage, ServerResult,
};
use rmcp::transport::streamable_http_server::session::ServerSseMessage;

pub(super) enum StoredEvent {
    Event(ServerSseMessage),
    /// A response whose result is text. As values it takes five times the memory.
    Response {
        /// The event without its message.
        event: ServerSseMessage,
        /// The response without its result.
        response: JsonRpcResponse<()>,
        /// The result as JSON text.
        result: Box<str>,
    },
}

impl StoredEvent {
    pub(super) fn id(&self) -> Option<&str> {
        let (Self::Event(event) | Self::Response { event, .. }) = self;
        event.event_id.as_deref()
    }

    /// Whether it is the response to its request, rather than progress or a ping.
    pub(super) fn is_response(&self) -> bool {
        match self {
            Self::Event(event) => matches!(
                event.message.as_deref(),
                Some(ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_))
            ),
            Self::Response { .. } => true,
        }
    }

    /// Serializes the result of a response.
    pub(super) fn compact(&mut self) {
        let Self::Event(event) = self else { return };
        let Some(JsonRpcMessage::Response(response)) = event.message.as_deref() else {
            return;
        };
        let result = json_text(&response.result);
        if text_json(&result).is_err() {
            // It is nested too deeply to be parsed again.
            return;
        }
        let response = JsonRpcResponse {
            jsonrpc: response.jsonrpc,
            id: response.id.clone(),
            result: (),
        };
        let mut event = event.clone();
        event.message = None;
        *self = Self::Response {
            event,
            response,
            result: result.into(),
        };
    }

    /// The event as it is sent.
    pub(super) fn to_event(&self) -> ServerSseMessage {
        match self {
            Self::Event(event) => event.clone(),
            Self::Response {
                event,
                response,
                result,
            } => {
                let result = text_json(result).expect("it was parsed before");
                let response = JsonRpcMessage::Response(JsonRpcResponse {
                    jsonrpc: response.jsonrpc,
                    id: response.id.clone(),
                    result: ServerResult::CustomResult(CustomResult(result)),
                });
                let mut event = event.clone();
                event.message = Some(response.into());
                event
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ask_core::Json;
    use rmcp::model::{CallToolResult, RequestId};

    use super::*;

    fn response(result: Json) -> ServerSseMessage {
        let result = CallToolResult::structured(result);
        let result = ServerResult::CallToolResult(result);
        let response = ServerJsonRpcMessage::response(result, RequestId::Number(7));
        ServerSseMessage::new("3/1", response)
    }

    fn text(event: &ServerSseMessage) -> String {
        json_text(event.message.as_deref().expect("it is a response"))
    }

    #[test]
    fn a_compact_response_is_sent_as_it_was() {
        let result = r#"{"z": 1, "a": [1.5, null, "Zoë\u001b"]}"#;
        let sent = response(text_json(result).expect("it is JSON"));
        let mut stored = StoredEvent::Event(sent.clone());
        stored.compact();
        assert!(matches!(stored, StoredEvent::Response { .. }));
        assert!(stored.is_response());
        assert_eq!(stored.id(), Some("3/1"));
        let again = stored.to_event();
        assert_eq!(again.event_id, sent.event_id);
        assert_eq!(text(&again), text(&sent));
    }

    #[test]
    fn a_result_that_is_nested_too_deeply_is_kept_as_it_is() {
        let deep = (0..200).fold(Json::Null, |value, _| vec![value].into());
        let sent = response(deep);
        let mut stored = StoredEvent::Event(sent.clone());
        stored.compact();
        assert_eq!(text(&stored.to_event()), text(&sent));
    }
}
