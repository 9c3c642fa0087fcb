//! Tools that can run as tasks: the client polls for the result.

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, CreateTaskResult, ErrorData,
    JsonObject,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskExit, TaskManager, TaskOptions};
use serde_json::Value;

use crate::input_requests::{field, form, input_required, response};
use crate::jobs::{Job, greeting};
use crate::tools::Tools;

/// The tools of [`call`].
pub(crate) const TOOLS: Tools = &[
    ("greet", "Greets at once, never as a task"),
    ("slow_compute", "Takes as many seconds as it is told to"),
    ("failing_job", "Fails as a tool does; only as a task"),
    ("protocol_error_job", "Fails as a protocol does"),
    (
        "confirm_delete",
        "Needs a yes while it is under way; only as a task",
    ),
    (
        "multi_input",
        "Needs two values while it is under way; only as a task",
    ),
    (
        "test_tool_with_task",
        "Needs a name first, and greets as a task",
    ),
];

/// Tools that only run as tasks.
const TASK_ONLY: [&str; 4] = [
    "failing_job",
    "confirm_delete",
    "multi_input",
    "test_tool_with_task",
];

/// The tool's result, or the task that will have it.
pub(crate) async fn call(
    tasks: &TaskManager,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let name = request.name.as_ref();
    let supports_tasks = context.client_capabilities();
    let supports_tasks = supports_tasks.is_some_and(|able| able.supports_tasks());
    if !supports_tasks && TASK_ONLY.contains(&name) {
        let required = ClientCapabilities::builder().enable_tasks().build();
        return Err(ErrorData::missing_required_client_capability(required));
    }
    let arguments = request.arguments.clone().unwrap_or_default();
    let job = match name {
        "slow_compute" => Job::Compute(seconds(&arguments)?),
        "failing_job" => Job::Fail,
        "protocol_error_job" => Job::ProtocolError,
        "confirm_delete" => Job::Confirm(string_argument(&arguments, "filename")),
        "multi_input" => Job::TwoValues,
        "test_tool_with_task" => match response(request.input_responses.as_ref(), "user_name") {
            Some(answer) => Job::Greet(field(answer, "name")),
            None => {
                let needed = form("What is your name?", "name", "string");
                return Ok(input_required(vec![("user_name", needed)], None).into());
            }
        },
        _ => return Ok(greeting(&string_argument(&arguments, "name")).into()),
    };
    if supports_tasks {
        let options = TaskOptions::default();
        let task = tasks.spawn(options, |context| Box::pin(job.run(Some(context))));
        return Ok(CreateTaskResult::new(task).into());
    }
    match job.run(None).await {
        Ok(result) => Ok(result.into()),
        Err(TaskExit::Error(error)) => Err(error),
        Err(TaskExit::Cancelled) => Err(ErrorData::internal_error("it was cancelled", None)),
    }
}

fn string_argument(arguments: &JsonObject, name: &str) -> String {
    let value = arguments.get(name).and_then(Value::as_str);
    value.unwrap_or("nobody").to_owned()
}

fn seconds(arguments: &JsonObject) -> Result<Duration, ErrorData> {
    let value = arguments.get("seconds").and_then(Value::as_f64);
    let time = value.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| ErrorData::invalid_params("seconds must be a number, at least 0", None))
}
