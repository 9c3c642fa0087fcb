//! The jobs of the tools that can run as tasks.

use std::time::Duration;

use rmcp::model::{CallToolResult, ContentBlock, ErrorData};
use rmcp::task_manager::{TaskContext, TaskExit};

use crate::content::text;
use crate::needs::form;

/// A job.
pub(crate) enum Job {
    Compute(Duration),
    Fail,
    Break,
    Confirm(String),
    Both,
    Greet(String),
}

impl Job {
    /// Runs the job. Without a task it can't elicit anything and can't be cancelled.
    pub(crate) async fn run(self, task: Option<TaskContext>) -> Result<CallToolResult, TaskExit> {
        let said = match self {
            Self::Compute(time) => return compute(time, task).await,
            Self::Greet(name) => return Ok(greeting(&name)),
            Self::Fail => {
                let said = vec![ContentBlock::text("This job always fails")];
                return Ok(CallToolResult::error(said));
            }
            Self::Break => "this job always breaks",
            Self::Confirm(file) => match task {
                Some(task) => return confirm(&task, &file).await,
                None => "nobody can be asked",
            },
            Self::Both => match task {
                Some(task) => return both(&task).await,
                None => "nobody can be asked",
            },
        };
        Err(ErrorData::internal_error(said, None).into())
    }
}

async fn compute(time: Duration, task: Option<TaskContext>) -> Result<CallToolResult, TaskExit> {
    let cancelled = async {
        match task {
            Some(task) => task.cancelled().await,
            None => std::future::pending().await,
        }
    };
    match tokio::time::timeout(time, cancelled).await {
        Ok(()) => Err(TaskExit::Cancelled),
        Err(_) => Ok(text(format!("Computed for {} s", time.as_secs_f64()))),
    }
}

async fn confirm(task: &TaskContext, file: &str) -> Result<CallToolResult, TaskExit> {
    let asked = form(&format!("Delete {file}?"), "confirm", "boolean");
    let said = task.request_input("confirm", asked).await?;
    Ok(text(format!("Delete {file}: {said}")))
}

async fn both(task: &TaskContext) -> Result<CallToolResult, TaskExit> {
    let value = |which: &str| form(&format!("Provide value {which}"), "value", "string");
    let (first, second) = tokio::try_join!(
        task.request_input("first", value("one")),
        task.request_input("second", value("two")),
    )?;
    Ok(text(format!("{first} and {second}")))
}

/// The shortest job.
pub(crate) fn greeting(name: &str) -> CallToolResult {
    text(format!("Hello, {name}!"))
}
