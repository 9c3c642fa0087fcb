//! The person's own program (`notify.command`), run for every event: one run at a time, in the
//! order of the events, without delaying the hub.

use std::time::Duration;

use ask_config::clock;
use ask_config::config::{Notify, Privacy};
use ask_core::{Record, SafeText};
use ask_protocol::webhook::{self, Detail};
use tokio::sync::mpsc;

use super::command;
use super::policy::Event;

/// The time limit of a run.
const RUN_LIMIT: Duration = Duration::from_secs(10);
/// How many events wait for a slow program. Further ones are dropped.
const MAX_QUEUED: usize = 1_000;

/// An event to pass to the program.
struct QueuedEvent {
    event: Event,
    id: String,
    text: String,
}

/// The queue to the person's program.
pub(super) struct CommandNotifier {
    privacy: Privacy,
    /// `None` without a program.
    queue: Option<mpsc::Sender<QueuedEvent>>,
}

impl CommandNotifier {
    /// Starts the task that runs the program.
    pub(super) fn new(settings: Notify) -> Self {
        let privacy = settings.privacy;
        let queue = (!settings.command.is_empty()).then(|| {
            let (queue, events) = mpsc::channel(MAX_QUEUED);
            tokio::task::spawn_local(run(settings.command, events));
            queue
        });
        Self { privacy, queue }
    }

    /// Whether a program is set.
    pub(super) fn has_program(&self) -> bool {
        self.queue.is_some()
    }

    /// Queues an event for the program.
    pub(super) fn notify(&self, event: Event, record: &Record, muted: bool) {
        let Some(queue) = &self.queue else { return };
        let detail = match self.privacy {
            Privacy::Private => Detail::Little,
            Privacy::Normal | Privacy::Full => Detail::Everything,
        };
        let queued = QueuedEvent {
            event,
            id: record.id.to_string(),
            text: webhook::write_event(event.word(), clock::now(), muted, record, detail),
        };
        if queue.try_send(queued).is_err() {
            tracing::warn!("notify.command is too slow: an event was dropped");
        }
    }
}

async fn run(command: Vec<String>, mut events: mpsc::Receiver<QueuedEvent>) {
    while let Some(QueuedEvent { event, id, text }) = events.recv().await {
        let variables = [
            ("ASK_USER_EVENT", event.word().to_owned()),
            ("ASK_USER_ASK", id),
        ];
        let report = match command::run(&command, &variables, text + "\n", RUN_LIMIT).await {
            Ok(output) => {
                let text = SafeText::line(&format!("{} {}", output.out, output.err)).to_string();
                match output.code {
                    Some(0) if text.trim().is_empty() => continue,
                    Some(0) => text,
                    Some(code) => format!("exit code {code} {text}"),
                    None => format!("ended by a signal {text}"),
                }
            }
            Err(problem) => problem,
        };
        let report = report.trim();
        tracing::warn!("notify.command, {}: {report}", event.word());
    }
}
