//! The input requests of a call's round, and the client's responses to them.
#![expect(
    deprecated,
    reason = "the suite tests sampling and roots, which revision 2026-07-28 deprecates"
)]

use rmcp::model::{
    CreateMessageRequest, CreateMessageRequestParams, ElicitRequest, ElicitRequestParams,
    InputRequest, InputRequiredResult, InputResponses, JsonObject, ListRootsRequest,
    SamplingMessage,
};
use serde_json::{Value, json};

/// The input requests of a round, by key.
pub(crate) type InputRequests = Vec<(&'static str, InputRequest)>;
/// A form with one required field.
pub(crate) fn form(message: &str, field: &str, kind: &str) -> InputRequest {
    let schema =
        json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    let requested_schema =
        serde_json::from_value(schema).expect("a field of a simple type is a valid schema");
    InputRequest::Elicitation(ElicitRequest::new(
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message.to_owned(),
            requested_schema,
        },
    ))
}

/// A prompt for the client's model.
pub(crate) fn sampling(prompt: &str) -> InputRequest {
    let messages = vec![SamplingMessage::user_text(prompt)];
    let params = CreateMessageRequestParams::new(messages, 100);
    InputRequest::CreateMessage(CreateMessageRequest::new(params))
}

/// A result that requests further input.
pub(crate) fn input_required(
    input_requests: InputRequests,
    state: Option<String>,
) -> InputRequiredResult {
    let by_key = input_requests
        .into_iter()
        .map(|(key, request)| (key.to_owned(), request));
    InputRequiredResult::new(Some(by_key.collect()), state)
}

/// The client's response under a key; `None` if it isn't an object.
pub(crate) fn response<'a>(
    responses: Option<&'a InputResponses>,
    key: &str,
) -> Option<&'a JsonObject> {
    responses?.get(key)?.as_object()
}

/// The value of a form's field, as text.
pub(crate) fn field(response: &JsonObject, name: &str) -> String {
    let content = response
        .get("content")
        .and_then(|content| content.get(name));
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "nobody".to_owned(),
    }
}

/// A request for the client's roots.
pub(crate) fn roots() -> InputRequest {
    InputRequest::ListRoots(ListRootsRequest::default())
}
