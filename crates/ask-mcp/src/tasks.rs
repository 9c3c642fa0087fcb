//! Calls as tasks, an extension of 2026-07-28: where a client declares it with the call
//! and the person's settings ask for it, the call ends with a task and its client asks
//! how it stands. The task is the ask: same id, and the store knows its state.
//!
//! Off by default, because clients move tasks to the background, where a model goes on
//! without the answer. A task that is cancelled is an ask that its agent withdraws.

use ask_core::{Outcome, Record, SafeText, lifecycle};
use ask_dialects::{Dialect, Word};
use ask_hub::client::{Client, Delivery, Waiting};
use ask_protocol::ipc::{self, Verdict};
use rmcp::model::{
    CreateTaskResult, DetailedTask, ErrorData, GetTaskResult, JsonObject, Task, TaskPayload,
    TaskStatus,
};
use rmcp::service::{RequestContext, RoleServer};

use super::call::Conversation;
use super::context::waits;
use super::outcome::ToolOutcome;

/// How often a client shall ask.
const POLL_MS: u64 = 5_000;

impl Conversation {
    /// Whether this call may end with a task.
    pub fn gives_tasks(&self, context: &RequestContext<RoleServer>) -> bool {
        let modern = context
            .protocol_version()
            .is_some_and(|version| !version.has_initialize());
        let declared = || context.client_capabilities();
        modern
            && self.shared.context.config().tasks
            && declared().is_some_and(|able| able.supports_tasks())
    }

    /// The task that a call ends with; the waiter's place is left to whoever asks for it.
    pub fn task(&self, record: &Record, waiting: Waiting) -> CreateTaskResult {
        self.shared.context.expected.leave(&record.id, waiting);
        CreateTaskResult::new(task(record))
    }

    /// How a task stands.
    pub async fn task_stands(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let (hub, dialect, mut record) = self.task_of(id, context).await?;
        if record.is_waiting() && self.shared.context.expected.is_due(&record.id) {
            let mut waiting = hub.wait(record.id.as_str()).await.map_err(failed)?;
            match waiting.id() {
                Some(id) => self.shared.context.expected.leave(&id.clone(), waiting),
                // It has ended this very moment.
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

    /// That there is such a task. None has ever asked its client for input.
    pub async fn task_is_known(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.task_of(id, context).await.map(drop)
    }

    /// Withdraws the ask behind a task, unless a person was faster.
    pub async fn task_cancelled(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (hub, _, record) = self.task_of(id, context).await?;
        let withdrawn = hub.settle(&record.id, Verdict::Withdraw, lifecycle::AGENT);
        withdrawn.await.map(drop).map_err(failed)
    }

    /// The ask of that id, if this client asked it, here, and in words that it is offered.
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

/// An ask as a task that works.
fn task(record: &Record) -> Task {
    let changed_at = record.settlement().map_or(record.asked_at, |end| end.at);
    let (created, changed) = (record.asked_at.to_string(), changed_at.to_string());
    let task = Task::new(record.id.as_str(), TaskStatus::Working, created, changed);
    match record.is_waiting() {
        true => task
            .with_status_message(waits(record))
            .with_poll_interval_ms(POLL_MS),
        false => task,
    }
}

fn failed(error: anyhow::Error) -> ErrorData {
    ErrorData::internal_error(format!("{error:#}"), None)
}
