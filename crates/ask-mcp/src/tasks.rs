//! Calls as tasks (the tasks extension of MCP revision 2026-07-28). If the client declares the
//! extension and the settings enable it, a call returns a task, which the client polls. The task
//! has the id of the ask, and its status is that of the ask.
//
// Tasks are off by default, because clients run them in the background, and the model continues
// without the answer. Cancelling a task withdraws the ask.

use ask_core::{Outcome, Record, SafeText, lifecycle};
use ask_dialects::{Dialect, Word};
use ask_hub::client::{Client, Delivery, Waiter};
use ask_protocol::ipc::{self, Verdict};
use rmcp::model::{
    CreateTaskResult, DetailedTask, ErrorData, GetTaskResult, JsonObject, Task, TaskPayload,
    TaskStatus,
};
use rmcp::service::{RequestContext, RoleServer};

use super::call::Conversation;
use super::context::progress_text;
use super::outcome::ToolOutcome;

/// The suggested interval of polls.
const POLL_MS: u64 = 5_000;

impl Conversation {
    /// Whether this call may return a task.
    pub(crate) fn may_return_task(&self, context: &RequestContext<RoleServer>) -> bool {
        let is_modern = context
            .protocol_version()
            .is_some_and(|version| !version.has_initialize());
        let declared = || context.client_capabilities();
        is_modern
            && self.shared.context.config().tasks
            && declared().is_some_and(|able| able.supports_tasks())
    }

    /// The task that a call returns. The call stops waiting, and the hub expects the agent to poll.
    pub(crate) fn create_task(&self, record: &Record, waiting: Waiter) -> CreateTaskResult {
        self.shared
            .context
            .polling_agents
            .leave(&record.id, waiting);
        CreateTaskResult::new(to_task(record))
    }

    /// The status of a task.
    pub(crate) async fn task_status(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let (hub, dialect, mut record) = self.find_task(id, context).await?;
        if record.is_open() && self.shared.context.polling_agents.is_due(&record.id) {
            let mut waiting = hub.wait(record.id.as_str()).await.map_err(internal_error)?;
            match waiting.id() {
                Some(id) => self
                    .shared
                    .context
                    .polling_agents
                    .leave(&id.clone(), waiting),
                // The ask was closed at this moment.
                None => record = waiting.outcome().await.map_err(internal_error)?.record,
            }
        }
        let payload = match record.settlement().map(|settlement| &settlement.outcome) {
            None => TaskPayload::Working,
            Some(Outcome::Withdrawn) => TaskPayload::Cancelled,
            Some(_) => TaskPayload::Completed {
                result: self.task_result(dialect, &record, context).await?,
            },
        };
        Ok(GetTaskResult::new(DetailedTask::new(
            to_task(&record),
            payload,
        )))
    }

    async fn task_result(
        &self,
        dialect: &dyn Dialect,
        record: &Record,
        context: &RequestContext<RoleServer>,
    ) -> Result<JsonObject, ErrorData> {
        let mut outcome = ToolOutcome {
            delivers: vec![Delivery::from(record)],
            ..dialect.write(Word::Closed(record)).into()
        };
        self.add_images(&mut outcome).await;
        let result = self.to_result(context.id.clone(), outcome);
        let line = ipc::line(&result).map_err(|error| internal_error(error.into()))?;
        ipc::unline(&line).map_err(|error| internal_error(error.into()))
    }

    /// Checks that a task exists. No task ever requests input, so there is nothing to update.
    pub(crate) async fn check_task(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.find_task(id, context).await.map(drop)
    }

    /// Withdraws the ask of a task, unless a person answered first.
    pub(crate) async fn cancel_task(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (hub, _, record) = self.find_task(id, context).await?;
        let withdrawn = hub.settle(&record.id, Verdict::Withdraw, lifecycle::AGENT);
        withdrawn.await.map(drop).map_err(internal_error)
    }

    /// The ask of a task, if this client opened it in this directory, in a dialect that is offered.
    async fn find_task(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(&Client, &'static dyn Dialect, Record), ErrorData> {
        let hub = self.shared.hub().await.map_err(internal_error)?;
        let found = hub.get_exact(id).await.map_err(internal_error)?;
        let asker = self.asker(context, None);
        let own = found.filter(|record| {
            record.asker.client == asker.client && record.asker.directory == asker.directory
        });
        let found_task = own.and_then(|record| {
            let mut offered = self.offer.tools().iter();
            let offered = offered.find(|offered| offered.dialect.name() == record.dialect)?;
            Some((hub, offered.dialect, record))
        });
        found_task.ok_or_else(|| {
            let message = format!("there is no task {}", SafeText::line(id));
            ErrorData::invalid_params(message, None)
        })
    }
}

/// An open ask as a working task.
fn to_task(record: &Record) -> Task {
    let changed_at = record.settlement().map_or(record.asked_at, |end| end.at);
    let (created, changed) = (record.asked_at.to_string(), changed_at.to_string());
    let task = Task::new(record.id.as_str(), TaskStatus::Working, created, changed);
    if !record.is_open() {
        return task;
    }
    task.with_status_message(progress_text(record))
        .with_poll_interval_ms(POLL_MS)
}

fn internal_error(error: anyhow::Error) -> ErrorData {
    ErrorData::internal_error(format!("{error:#}"), None)
}
