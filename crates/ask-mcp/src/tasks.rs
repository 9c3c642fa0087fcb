//! Calls as tasks (the tasks extension of MCP revision 2026-07-28): if the client declares it with
//! the call and the settings enable it, the call returns a task and the client polls it. The task
//! is the ask: it has the same id, and its status comes from the store.
//
// Tasks are off by default, because clients move them to the background, where a model continues
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
use super::context::waits;
use super::outcome::ToolOutcome;

/// The suggested interval of polls.
const POLL_MS: u64 = 5_000;

impl Conversation {
    /// Whether this call may return a task.
    pub fn gives_tasks(&self, context: &RequestContext<RoleServer>) -> bool {
        let modern = context
            .protocol_version()
            .is_some_and(|version| !version.has_initialize());
        let declared = || context.client_capabilities();
        modern
            && self.shared.context.config().tasks
            && declared().is_some_and(|able| able.supports_tasks())
    }

    /// The task that a call returns. The call stops waiting, and the hub expects polls.
    pub fn task(&self, record: &Record, waiting: Waiter) -> CreateTaskResult {
        self.shared.context.expected.leave(&record.id, waiting);
        CreateTaskResult::new(task(record))
    }

    /// The status of a task.
    pub async fn task_stands(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let (hub, dialect, mut record) = self.task_of(id, context).await?;
        if record.is_open() && self.shared.context.expected.is_due(&record.id) {
            let mut waiting = hub.wait(record.id.as_str()).await.map_err(failed)?;
            match waiting.id() {
                Some(id) => self.shared.context.expected.leave(&id.clone(), waiting),
                // The ask was closed at this moment.
                None => record = waiting.outcome().await.map_err(failed)?.record,
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
            task(&record),
            payload,
        )))
    }

    async fn task_result(
        &self,
        dialect: &dyn Dialect,
        record: &Record,
        context: &RequestContext<RoleServer>,
    ) -> Result<JsonObject, ErrorData> {
        let mut told = ToolOutcome {
            delivers: vec![Delivery::from(record)],
            ..dialect.write(Word::Closed(record)).into()
        };
        self.illustrate(&mut told).await;
        let result = self.tell(context.id.clone(), told);
        let line = ipc::line(&result).map_err(|error| failed(error.into()))?;
        ipc::unline(&line).map_err(|error| failed(error.into()))
    }

    /// Checks that a task exists. No task ever requests input, so there is nothing to update.
    pub async fn task_is_known(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.task_of(id, context).await.map(drop)
    }

    /// Withdraws the ask of a task, unless a person answered first.
    pub async fn task_cancelled(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (hub, _, record) = self.task_of(id, context).await?;
        let withdrawn = hub.settle(&record.id, Verdict::Withdraw, lifecycle::AGENT);
        withdrawn.await.map(drop).map_err(failed)
    }

    /// The ask of a task, if this client opened it in this directory and in a dialect that is
    /// offered.
    async fn task_of(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(&Client, &'static dyn Dialect, Record), ErrorData> {
        let hub = self.shared.hub().await.map_err(failed)?;
        let found = hub.named(id).await.map_err(failed)?;
        let who = self.asker(context, None);
        let own = found.filter(|record| {
            record.asker.client == who.client && record.asker.directory == who.directory
        });
        let known = own.and_then(|record| {
            let mut offered = self.offer.tools().iter();
            let offered = offered.find(|offered| offered.dialect.name() == record.dialect)?;
            Some((hub, offered.dialect, record))
        });
        known.ok_or_else(|| {
            let said = format!("there is no task {}", SafeText::line(id));
            ErrorData::invalid_params(said, None)
        })
    }
}

/// An open ask as a working task.
fn task(record: &Record) -> Task {
    let changed_at = record.settlement().map_or(record.asked_at, |end| end.at);
    let (created, changed) = (record.asked_at.to_string(), changed_at.to_string());
    let task = Task::new(record.id.as_str(), TaskStatus::Working, created, changed);
    match record.is_open() {
        true => task
            .with_status_message(waits(record))
            .with_poll_interval_ms(POLL_MS),
        false => task,
    }
}

fn failed(error: anyhow::Error) -> ErrorData {
    ErrorData::internal_error(format!("{error:#}"), None)
}
