//! Tools that send messages to their client while they run: progress, log messages, and the
//! requests to the client of revisions before 2026-07-28.
#![expect(
    deprecated,
    reason = "the suite tests features of older revisions: sampling and logging"
)]

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientResult, ContentBlock, CreateMessageRequestParams,
    ElicitRequest, ElicitRequestParams, LoggingLevel, LoggingMessageNotificationParam,
    ProgressNotificationParam, SamplingMessage, ServerRequest,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use crate::content::text;
use crate::forms;
use crate::tools::Tools;

/// The tools of [`call`].
pub(crate) const TOOLS: Tools = &[
    ("test_tool_with_logging", "Says three things to the log"),
    (
        "test_logging_tool",
        "Says something to the log if the request wants a log",
    ),
    ("test_tool_with_progress", "Tells how far it is"),
    ("test_reconnection", "Takes long enough to lose its client"),
    ("test_sampling", "Has the client's model answer a prompt"),
    (
        "test_elicitation",
        "Asks the client's person for an address",
    ),
    (
        "test_elicitation_sep1034_defaults",
        "Asks with a default for every kind of field",
    ),
    (
        "test_elicitation_sep1330_enums",
        "Asks with every kind of choice",
    ),
];

/// The pause between two messages, so that they arrive separately.
const PAUSE: Duration = Duration::from_millis(50);

/// The tool's result, after its messages.
pub(crate) async fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    level: LoggingLevel,
) -> CallToolResult {
    let argument = |name: &str| {
        let given = request.arguments.as_ref().and_then(|all| all.get(name));
        given.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let result = match request.name.as_ref() {
        "test_tool_with_logging" => {
            log_three_messages(context, level).await;
            Ok("Logged three times".to_owned())
        }
        "test_logging_tool" => {
            if let Some(level) = context.meta.log_level() {
                log(context, level, "The request wants a log").await;
            }
            Ok("Logged if asked to".to_owned())
        }
        "test_tool_with_progress" => {
            progress(context).await;
            Ok("Went from 0 to 100".to_owned())
        }
        "test_sampling" => request_sampling(context, &argument("prompt")).await,
        "test_elicitation" => {
            request_elicitation(context, argument("message"), forms::address()).await
        }
        "test_elicitation_sep1034_defaults" => {
            request_elicitation(context, "Is this right?".to_owned(), forms::defaults()).await
        }
        "test_elicitation_sep1330_enums" => {
            request_elicitation(context, "Which ones?".to_owned(), forms::choices()).await
        }
        _ => {
            pause(1).await;
            Ok("Still here".to_owned())
        }
    };
    result.map_or_else(
        |problem| CallToolResult::error(vec![ContentBlock::text(problem)]),
        text,
    )
}

/// Waits for so many pauses.
async fn pause(pauses: usize) {
    let mut interval = tokio::time::interval(PAUSE);
    for _ in 0..=pauses {
        interval.tick().await;
    }
}

async fn log(context: &RequestContext<RoleServer>, level: LoggingLevel, message: &str) {
    let line =
        LoggingMessageNotificationParam::new(level, json!(message)).with_logger("conformance");
    // A client that is gone needs no log.
    let _ = context.peer.notify_logging_message(line).await;
}

async fn log_three_messages(context: &RequestContext<RoleServer>, least: LoggingLevel) {
    let level = LoggingLevel::Info;
    for message in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        if level as u8 >= least as u8 {
            log(context, level, message).await;
        }
        pause(1).await;
    }
}

async fn progress(context: &RequestContext<RoleServer>) {
    let token = context.meta.get_progress_token();
    for percent in [0.0, 50.0, 100.0] {
        if let Some(token) = token.clone() {
            let progress = ProgressNotificationParam::new(token, percent).with_total(100.0);
            // A client that is gone needs no progress.
            let _ = context.peer.notify_progress(progress).await;
        }
        pause(1).await;
    }
}

async fn request_sampling(
    context: &RequestContext<RoleServer>,
    prompt: &str,
) -> Result<String, String> {
    let messages = vec![SamplingMessage::user_text(prompt)];
    let params = CreateMessageRequestParams::new(messages, 100);
    let answer = context.peer.create_message(params).await;
    let message = answer.map_err(|error| error.to_string())?.message;
    let text = message
        .content
        .first()
        .and_then(|content| content.as_text());
    let text = text.ok_or("the model answered without a text")?;
    Ok(format!("LLM response: {}", text.text))
}

async fn request_elicitation(
    context: &RequestContext<RoleServer>,
    message: String,
    schema: Value,
) -> Result<String, String> {
    let requested_schema = serde_json::from_value(schema).map_err(|error| error.to_string())?;
    let params = ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema,
    });
    let params = ServerRequest::ElicitRequest(params);
    match context.peer.send_request(params).await {
        Ok(ClientResult::ElicitResult(result)) => {
            let content = result.content.unwrap_or_default();
            let action = json!(result.action);
            let action = action.as_str().unwrap_or_default();
            Ok(format!(
                "Elicitation completed: action={action}, content={content}"
            ))
        }
        Ok(_) => Err("the client answered something else".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
