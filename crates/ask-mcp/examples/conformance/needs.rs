//! What a round of a call can need, and what was answered.
#![expect(
    deprecated,
    reason = "the suite asks for sampling and roots, which 2026-07-28 deprecates"
)]

use rmcp::model::{
    CreateMessageRequest, CreateMessageRequestParams, ElicitRequest, ElicitRequestParams,
    InputRequest, InputRequiredResult, InputResponses, JsonObject, ListRootsRequest,
    SamplingMessage,
};
use serde_json::{Value, json};

/// What a round needs: each request under its key.
pub type Needs = Vec<(&'static str, InputRequest)>;
/// A form with one field, which must be filled in.
pub fn form(message: &str, field: &str, kind: &str) -> InputRequest {
    let schema =
        json!({"type": "object", "properties": {field: {"type": kind}}, "required": [field]});
    let requested_schema = serde_json::from_value(schema).expect("a field of a simple kind");
    InputRequest::Elicitation(ElicitRequest::new(
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message.to_owned(),
            requested_schema,
        },
    ))
}

/// A prompt for the client's model.
pub fn sampling(prompt: &str) -> InputRequest {
    let messages = vec![SamplingMessage::user_text(prompt)];
    let asked = CreateMessageRequestParams::new(messages, 100);
    InputRequest::CreateMessage(CreateMessageRequest::new(asked))
}

/// The result of a round that needs something.
pub fn need(needs: Needs, state: Option<String>) -> InputRequiredResult {
    let keyed = needs.into_iter().map(|(key, need)| (key.to_owned(), need));
    InputRequiredResult::new(Some(keyed.collect()), state)
}

/// What the client answered under a key. Anything but an object is no answer.
pub fn answer<'a>(given: Option<&'a InputResponses>, key: &str) -> Option<&'a JsonObject> {
    given?.get(key)?.as_object()
}

/// A field of a form that was filled in.
pub fn field(answer: &JsonObject, name: &str) -> String {
    let content = answer.get("content").and_then(|content| content.get(name));
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "nobody".to_owned(),
    }
}

/// The client's roots.
pub fn roots() -> InputRequest {
    InputRequest::ListRoots(ListRootsRequest::default())
}
