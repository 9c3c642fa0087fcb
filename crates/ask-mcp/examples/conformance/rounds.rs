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
use crate::needs::{Needs, answer, field, form, need, roots, sampling};
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

type Answered = Result<CallToolResponse, ErrorData>;

fn name() -> InputRequest {
    form("What is your name?", "name", "string")
}

/// The result of this round.
pub(crate) fn call(
    seal: &RequestStateCodec,
    request: &CallToolRequestParams,
    meta: &RequestMetaObject,
) -> Answered {
    let given = request.input_responses.as_ref();
    let state = match request.request_state.as_deref() {
        Some(sealed) => Some(opened(seal, sealed)?),
        None => None,
    };
    let tool = request.name.as_ref();
    match tool.trim_start_matches("test_input_required_result_") {
        "elicitation" => Ok(one(given, "user_name", name(), |answer| {
            format!("Hello, {}!", field(answer, "name"))
        })),
        "sampling" => {
            let asked = sampling("What is the capital of France?");
            Ok(one(given, "capital_question", asked, |answer| {
                format!("The model says {}", field(answer, "text"))
            }))
        }
        "list_roots" => Ok(one(given, "client_roots", roots(), |answer| {
            format!("Roots: {}", Value::Object(answer.clone()))
        })),
        "request_state" | "tampered_state" => confirmed(seal, given, state),
        "multiple_inputs" => everything(seal, given, state),
        "multi_round" => next(seal, given, state),
        "capabilities" => Ok(whatever(given, meta)),
        "test_missing_capability" => with_a_model(meta),
        _ => {
            let asked = form("Provide a value", "value", "string");
            Ok(one(given, "value", asked, |answer| field(answer, "value")))
        }
    }
}

/// A tool that needs one input.
fn one(
    given: Option<&InputResponses>,
    key: &'static str,
    asked: InputRequest,
    done: impl FnOnce(&JsonObject) -> String,
) -> CallToolResponse {
    match answer(given, key) {
        Some(answer) => text(done(answer)).into(),
        None => need(vec![(key, asked)], None).into(),
    }
}

fn confirmed(
    seal: &RequestStateCodec,
    given: Option<&InputResponses>,
    state: Option<Value>,
) -> Answered {
    if state.is_some() && answer(given, "confirm").is_some() {
        return Ok(text("state-ok").into());
    }
    let asked = vec![("confirm", form("Please confirm", "ok", "boolean"))];
    let state = sealed(seal, &json!("asked"))?;
    Ok(need(asked, Some(state)).into())
}

fn everything(
    seal: &RequestStateCodec,
    given: Option<&InputResponses>,
    state: Option<Value>,
) -> Answered {
    let asked = vec![
        ("user_name", name()),
        ("greeting", sampling("Generate a greeting")),
        ("client_roots", roots()),
    ];
    let answered = asked.iter().all(|(key, _)| answer(given, key).is_some());
    if state.is_some() && answered {
        return Ok(text("All three are here").into());
    }
    let state = sealed(seal, &json!("asked"))?;
    Ok(need(asked, Some(state)).into())
}

/// A tool of three steps. The state is the step that was requested last.
fn next(
    seal: &RequestStateCodec,
    given: Option<&InputResponses>,
    state: Option<Value>,
) -> Answered {
    let steps = [
        ("step1", "Step 1: What is your name?", "name"),
        ("step2", "Step 2: What is your favorite color?", "color"),
    ];
    let asked = state.and_then(|state| state.as_u64()).unwrap_or_default();
    let asked = usize::try_from(asked).unwrap_or_default();
    let answered = steps
        .get(asked)
        .is_some_and(|(key, ..)| answer(given, key).is_some());
    let now = asked + usize::from(answered);
    let Some((key, message, field)) = steps.get(now) else {
        return Ok(text("Every step is done").into());
    };
    let state = sealed(seal, &json!(now))?;
    Ok(need(vec![(*key, form(message, field, "string"))], Some(state)).into())
}

/// Requests only what the client declared that it can provide.
fn whatever(given: Option<&InputResponses>, meta: &RequestMetaObject) -> CallToolResponse {
    let able = meta.client_capabilities().unwrap_or_default();
    let mut needs = Needs::new();
    if able.elicitation.is_some() {
        needs.push(("user_name", name()));
    }
    if able.sampling.is_some() {
        needs.push(("greeting", sampling("Generate a greeting")));
    }
    if able.roots.is_some() {
        needs.push(("client_roots", roots()));
    }
    needs.retain(|(key, _)| answer(given, key).is_none());
    if needs.is_empty() {
        text("Nothing more is needed").into()
    } else {
        need(needs, None).into()
    }
}

fn with_a_model(meta: &RequestMetaObject) -> Answered {
    let able = meta.client_capabilities().unwrap_or_default();
    if able.sampling.is_some() {
        return Ok(text("The client has a model").into());
    }
    let required = ClientCapabilities::builder().enable_sampling().build();
    Err(ErrorData::missing_required_client_capability(required))
}

fn sealed(seal: &RequestStateCodec, state: &Value) -> Result<String, ErrorData> {
    let sealed = seal.seal_json(state);
    sealed.map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn opened(seal: &RequestStateCodec, sealed: &str) -> Result<Value, ErrorData> {
    let said = "this state is not what this server gave away";
    let opened = seal.open_json(sealed);
    opened.map_err(|_| ErrorData::invalid_params(said, None))
}
