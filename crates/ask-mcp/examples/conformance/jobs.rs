//! The jobs of the tools that can run as tasks.

use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, ErrorData};
use rmcp::task_manager::{TaskContext, TaskExit};

use crate::content::text;
use crate::input_requests::form;

pub(crate) enum Job {
    Compute(Duration),
    Fail,
    ProtocolError,
    Confirm(String),
    TwoValues,
    Greet(String),
}

impl Job {
    /// Runs the job. Without a task it can't elicit anything and can't be cancelled.
    pub(crate) async fn run(self, task: Option<TaskContext>) -> Result<CallToolResult, TaskExit> {
        let problem = match self {
            Self::Compute(duration) => return compute(duration, task).await,
            Self::Greet(name) => return Ok(greeting(&name)),
            Self::Fail => {
                let content = vec![ContentBlock::text("This job always fails")];
                return Ok(CallToolResult::error(content));
            }
            Self::ProtocolError => "this job always breaks",
            Self::Confirm(file) => match task {
                Some(task) => return confirm(&task, &file).await,
                None => "nobody can be asked",
            },
            Self::TwoValues => match task {
                Some(task) => return request_two_values(&task).await,
                None => "nobody can be asked",
            },
        };
        Err(ErrorData::internal_error(problem, None).into())
    }
}

async fn compute(
    duration: Duration,
    task: Option<TaskContext>,
) -> Result<CallToolResult, TaskExit> {
    let cancelled = async {
        match task {
            Some(task) => task.cancelled().await,
            None => std::future::pending().await,
        }
    };
    match tokio::time::timeout(duration, cancelled).await {
        Ok(()) => Err(TaskExit::Cancelled),
        Err(_) => Ok(text(format!("Computed for {} s", duration.as_secs_f64()))),
    }
}

async fn confirm(task: &TaskContext, file: &str) -> Result<CallToolResult, TaskExit> {
    let request = form(&format!("Delete {file}?"), "confirm", "boolean");
    let answer = task.request_input("confirm", request).await?;
    Ok(text(format!("Delete {file}: {answer}")))
}

async fn request_two_values(task: &TaskContext) -> Result<CallToolResult, TaskExit> {
    let value = |which: &str| form(&format!("Provide value {which}"), "value", "string");
    let (first, second) = tokio::try_join!(
        task.request_input("first", value("one")),
        task.request_input("second", value("two")),
    )?;
    Ok(text(format!("{first} and {second}")))
}

pub(crate) fn greeting(name: &str) -> CallToolResult {
    text(format!("Hello, {name}!"))
}
