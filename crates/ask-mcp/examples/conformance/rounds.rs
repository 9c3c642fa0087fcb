//! Tools that take several rounds: each returns the input that it needs and is called again with
//! it. The state between rounds travels with the client, sealed.
#![expect(
    deprecated,
    reason = "the suite tests sampling and roots, which revision 2026-07-28 deprecates"
)]

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ErrorData, InputRequest,
    InputResponses, JsonObject, RequestMetaObject, RequestStateCodec,
};
use serde_json::{Value, json};

use crate::content::text;
use crate::input_requests::{
    InputRequests, field, form, input_required, response, roots, sampling,
};
use crate::tools::Tools;

/// The tools of [`call`].
pub(crate) const TOOLS: Tools = &[
    (
        "test_input_required_result_elicitation",
        "Needs a name from the person",
    ),
    (
        "test_input_required_result_sampling",
        "Needs an answer from the model",
    ),
    (
        "test_input_required_result_list_roots",
        "Needs the client's roots",
    ),
    (
        "test_input_required_result_request_state",
        "Needs a yes, and its own state back",
    ),
    (
        "test_input_required_result_tampered_state",
        "Needs a yes, and its own state back untouched",
    ),
    (
        "test_input_required_result_multiple_inputs",
        "Needs a name, a greeting and the roots at once",
    ),
    (
        "test_input_required_result_multi_round",
        "Needs a name, then a colour",
    ),
    (
        "test_input_required_result_capabilities",
        "Needs whatever the client can give",
    ),
    (
        "test_streaming_elicitation",
        "Needs a value from the person",
    ),
    (
        "test_missing_capability",
        "Refuses clients that have no model",
    ),
];

type CallResult = Result<CallToolResponse, ErrorData>;

fn name() -> InputRequest {
    form("What is your name?", "name", "string")
}

/// The result of this round.
pub(crate) fn call(
    codec: &RequestStateCodec,
    request: &CallToolRequestParams,
    meta: &RequestMetaObject,
) -> CallResult {
    let responses = request.input_responses.as_ref();
    let state = match request.request_state.as_deref() {
        Some(sealed) => Some(open_state(codec, sealed)?),
        None => None,
    };
    let tool = request.name.as_ref();
    match tool.trim_start_matches("test_input_required_result_") {
        "elicitation" => Ok(single_input(responses, "user_name", name(), |answer| {
            format!("Hello, {}!", field(answer, "name"))
        })),
        "sampling" => {
            let needed = sampling("What is the capital of France?");
            Ok(single_input(
                responses,
                "capital_question",
                needed,
                |answer| format!("The model says {}", field(answer, "text")),
            ))
        }
        "list_roots" => Ok(single_input(responses, "client_roots", roots(), |answer| {
            format!("Roots: {}", Value::Object(answer.clone()))
        })),
        "request_state" | "tampered_state" => confirm(codec, responses, state),
        "multiple_inputs" => request_all_inputs(codec, responses, state),
        "multi_round" => next_step(codec, responses, state),
        "capabilities" => Ok(request_supported_inputs(responses, meta)),
        "test_missing_capability" => require_sampling(meta),
        _ => {
            let needed = form("Provide a value", "value", "string");
            Ok(single_input(responses, "value", needed, |answer| {
                field(answer, "value")
            }))
        }
    }
}

/// A tool that needs one input.
fn single_input(
    responses: Option<&InputResponses>,
    key: &'static str,
    needed: InputRequest,
    done: impl FnOnce(&JsonObject) -> String,
) -> CallToolResponse {
    match response(responses, key) {
        Some(answer) => text(done(answer)).into(),
        None => input_required(vec![(key, needed)], None).into(),
    }
}

fn confirm(
    codec: &RequestStateCodec,
    responses: Option<&InputResponses>,
    state: Option<Value>,
) -> CallResult {
    if state.is_some() && response(responses, "confirm").is_some() {
        return Ok(text("state-ok").into());
    }
    let needed = vec![("confirm", form("Please confirm", "ok", "boolean"))];
    let state = seal_state(codec, &json!("asked"))?;
    Ok(input_required(needed, Some(state)).into())
}

fn request_all_inputs(
    codec: &RequestStateCodec,
    responses: Option<&InputResponses>,
    state: Option<Value>,
) -> CallResult {
    let needed = vec![
        ("user_name", name()),
        ("greeting", sampling("Generate a greeting")),
        ("client_roots", roots()),
    ];
    let answered = needed
        .iter()
        .all(|(key, _)| response(responses, key).is_some());
    if state.is_some() && answered {
        return Ok(text("All three are here").into());
    }
    let state = seal_state(codec, &json!("asked"))?;
    Ok(input_required(needed, Some(state)).into())
}

/// A tool of three steps. The state is the step that was requested last.
fn next_step(
    codec: &RequestStateCodec,
    responses: Option<&InputResponses>,
    state: Option<Value>,
) -> CallResult {
    let steps = [
        ("step1", "Step 1: What is your name?", "name"),
        ("step2", "Step 2: What is your favorite color?", "color"),
    ];
    let requested = state.and_then(|state| state.as_u64()).unwrap_or_default();
    let requested = usize::try_from(requested).unwrap_or_default();
    let answered = steps
        .get(requested)
        .is_some_and(|(key, ..)| response(responses, key).is_some());
    let now = requested + usize::from(answered);
    let Some((key, message, field)) = steps.get(now) else {
        return Ok(text("Every step is done").into());
    };
    let state = seal_state(codec, &json!(now))?;
    Ok(input_required(vec![(*key, form(message, field, "string"))], Some(state)).into())
}

/// Requests only what the client declared that it can provide.
fn request_supported_inputs(
    responses: Option<&InputResponses>,
    meta: &RequestMetaObject,
) -> CallToolResponse {
    let capabilities = meta.client_capabilities().unwrap_or_default();
    let mut input_requests = InputRequests::new();
    if capabilities.elicitation.is_some() {
        input_requests.push(("user_name", name()));
    }
    if capabilities.sampling.is_some() {
        input_requests.push(("greeting", sampling("Generate a greeting")));
    }
    if capabilities.roots.is_some() {
        input_requests.push(("client_roots", roots()));
    }
    input_requests.retain(|(key, _)| response(responses, key).is_none());
    if input_requests.is_empty() {
        text("Nothing more is needed").into()
    } else {
        input_required(input_requests, None).into()
    }
}

fn require_sampling(meta: &RequestMetaObject) -> CallResult {
    let capabilities = meta.client_capabilities().unwrap_or_default();
    if capabilities.sampling.is_some() {
        return Ok(text("The client has a model").into());
    }
    let required = ClientCapabilities::builder().enable_sampling().build();
    Err(ErrorData::missing_required_client_capability(required))
}

fn seal_state(codec: &RequestStateCodec, state: &Value) -> Result<String, ErrorData> {
    let sealed = codec.seal_json(state);
    sealed.map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn open_state(codec: &RequestStateCodec, sealed: &str) -> Result<Value, ErrorData> {
    let message = "this server has not issued this state";
    let opened = codec.open_json(sealed);
    opened.map_err(|_| ErrorData::invalid_params(message, None))
}
