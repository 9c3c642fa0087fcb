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
const LIMIT: Duration = Duration::from_secs(10);
/// How many events wait for a slow program. Further ones are dropped.
const MANY: usize = 1_000;

/// An event to pass to the program.
struct News {
    event: Event,
    id: String,
    text: String,
}

/// The queue to the person's program.
pub(super) struct CommandNotifier {
    privacy: Privacy,
    /// `None` without a program.
    way: Option<mpsc::Sender<News>>,
}

impl CommandNotifier {
    /// Starts the task. It runs nothing yet.
    pub(super) fn new(settings: Notify) -> Self {
        let privacy = settings.privacy;
        let way = (!settings.command.is_empty()).then(|| {
            let (way, news) = mpsc::channel(MANY);
            tokio::task::spawn_local(run(settings.command, news));
            way
        });
        Self { privacy, way }
    }

    /// Whether a program is set.
    pub(super) fn has_program(&self) -> bool {
        self.way.is_some()
    }

    /// Queues an event for the program.
    pub(super) fn tell(&self, event: Event, record: &Record, muted: bool) {
        let Some(way) = &self.way else { return };
        let detail = match self.privacy {
            Privacy::Private => Detail::Little,
            Privacy::Normal | Privacy::Full => Detail::Everything,
        };
        let news = News {
            event,
            id: record.id.to_string(),
            text: webhook::write_event(event.word(), clock::now(), muted, record, detail),
        };
        if way.try_send(news).is_err() {
            tracing::warn!("notify.command is too slow: dropped an event");
        }
    }
}

async fn run(command: Vec<String>, mut news: mpsc::Receiver<News>) {
    while let Some(News { event, id, text }) = news.recv().await {
        let variables = [
            ("ASK_USER_EVENT", event.word().to_owned()),
            ("ASK_USER_ASK", id),
        ];
        let said = match command::run(&command, &variables, text + "\n", LIMIT).await {
            Ok(ran) => {
                let words = SafeText::line(&format!("{} {}", ran.out, ran.err)).to_string();
                match ran.code {
                    Some(0) if words.trim().is_empty() => continue,
                    Some(0) => words,
                    Some(code) => format!("exit code {code} {words}"),
                    None => format!("ended by a signal {words}"),
                }
            }
            Err(problem) => problem,
        };
        let said = said.trim();
        tracing::warn!("notify.command, {}: {said}", event.word());
    }
}
