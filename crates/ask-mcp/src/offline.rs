//! Offline mode, for an agent's process that can't reach the person's hub. It asks through a hub
//! within the process, in the client's own dialog or in a pending file. As soon as the person's hub
//! can be reached, all asks are moved there.

mod file_notes;
mod file_surface;
pub mod orphans;
pub mod pending_file;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use ask_config::config::{AnswersFrom, BelowAgents, Config};
use ask_config::home::Home;
use ask_core::Record;
use ask_hub::client::{Client, Link, Push, split_changes};
use ask_hub::fallback::{self, FallbackHub};
use ask_protocol::ipc::{Filter, Request, Verdict};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use self::file_surface::PendingFiles;

/// How often the pending files are checked, while there are any.
const FILE_CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// The first and the longest pause between attempts to reach the person's hub.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// How long the person's hub may take to greet. On a busy machine it may not run for seconds.
const GREETING_LIMIT: Duration = Duration::from_secs(20);
/// The same while an answer waits in a file.
const SHORT_LIMIT: Duration = Duration::from_secs(1);

/// The advice to an agent when no person can be asked.
pub const FALLBACK_ADVICE: &str = "Ask with a question tool of your own, if you have one; \
     else put the question into your reply and end your turn there.";

/// A process in offline mode.
pub(crate) struct OfflineMode {
    /// True until the person's hub can be reached.
    active: watch::Sender<bool>,
    home: Home,
    why: String,
    /// The folder of the fallback hub's store.
    folder: PathBuf,
    files: PendingFiles,
}

/// Checks the settings as they are now: the person may have changed them since this process started.
///
/// # Errors
/// They don't accept answers from files.
fn require_files_accepted(home: &Home) -> anyhow::Result<()> {
    let answers = Config::read(&home.config_file()).config.answers;
    let accepted =
        answers.only_from == AnswersFrom::Anywhere && answers.below_agents != BelowAgents::Refuse;
    anyhow::ensure!(
        accepted,
        "the agent itself could fill in a file, and [answers] in config.toml doesn't accept such answers"
    );
    Ok(())
}

impl OfflineMode {
    /// Starts offline mode. New asks use the returned link. The fallback hub also gets the asks
    /// that ended processes have left.
    ///
    /// # Errors
    /// `ASK_USER_ALONE` forbids it, or the fallback hub can't start.
    pub(crate) async fn start(
        home: &Home,
        why: &anyhow::Error,
        take_up: Duration,
    ) -> anyhow::Result<(Link, OfflineTask)> {
        let is_forbidden = std::env::var("ASK_USER_ALONE").is_ok_and(|value| value == "0");
        anyhow::ensure!(
            !is_forbidden,
            "ASK_USER_ALONE=0 forbids working without a hub"
        );
        let fallback_hub =
            FallbackHub::start(take_up).context("the fallback hub could not start")?;
        let link = fallback_hub.link()?;
        let offline = Arc::new(Self {
            active: watch::Sender::new(true),
            home: home.clone(),
            why: format!("{why:#}"),
            folder: fallback_hub.folder().to_owned(),
            files: PendingFiles::default(),
        });
        let fallback_client = fallback_hub.client()?;
        for orphan in orphans::claim_all(home) {
            if orphans::move_to_hub(orphan.record.clone(), &fallback_client)
                .await
                .is_ok()
            {
                offline.files.adopt(orphan);
            }
        }
        let task = OfflineTask {
            offline,
            fallback_hub,
            fallback_client,
        };
        Ok((link, task))
    }

    /// Whether the person's hub has not been reached since.
    pub(crate) fn is_active(&self) -> bool {
        *self.active.borrow()
    }

    /// Resolves when the person's hub has been reached.
    pub(crate) async fn until_hub_returns(&self) {
        let mut active = self.active.subscribe();
        // The sender is in `self`, so the channel can't close.
        let _ = active.wait_for(|active| !active).await;
    }

    /// The reason for offline mode.
    pub(crate) fn why(&self) -> &str {
        &self.why
    }

    /// Writes an ask into a pending file, because no other surface can show it.
    ///
    /// # Errors
    /// The settings don't accept answers from files, or the file can't be written.
    pub(crate) async fn offer_in_file(&self, hub: &Client, record: &Record) -> anyhow::Result<()> {
        require_files_accepted(&self.home)?;
        let name = self.files.offer(&self.home, record)?;
        tracing::warn!("{}", self.why);
        tracing::warn!(ask = %record.id, "A question waits in {name}: fill in the answers and save the file");
        // It only matters for progress notifications, which name the surface.
        let _ = hub.shown(&record.id, &name).await;
        Ok(())
    }

    /// Withdraws an ask that nobody can see.
    pub(crate) async fn give_up(&self, hub: &Client, record: &Record) -> anyhow::Result<()> {
        hub.settle(&record.id, Verdict::Withdraw, "agent").await?;
        Ok(())
    }

    /// Notes each change until it is aborted, so that it reaches a hub if this process is killed: the
    /// answer of a dialog, or that an answer was delivered.
    async fn write_notes(self: Arc<Self>, hub: Client) {
        let changes = hub.subscribe_viewer();
        loop {
            let (records, gone) = match changes.next().await {
                Push::All(_) => (all_asks(&hub).await.unwrap_or_default(), Vec::new()),
                Push::Changed(changes) => split_changes(&changes),
            };
            for record in records {
                let file = self.files.path_of(&record.id);
                // Without the note, the ask is lost only if this process is killed, too.
                if let Err(problem) = orphans::write_note(&self.home, &record, file.as_deref()) {
                    tracing::warn!(ask = %record.id, "{problem:#}");
                }
            }
            for id in gone {
                orphans::remove_note(&self.home, &id);
            }
        }
    }

    /// Ends offline mode because the process ends. Pending files without an answer are removed.
    /// Files with one stay for the next process that asks the same.
    pub(crate) async fn end(&self, hub: &Client) {
        self.files.check(&self.home, hub, !self.is_active()).await;
        self.files.remove_blank();
        if self.is_active() {
            // A note lets another process move the ask to a hub.
            for record in all_asks(hub).await.unwrap_or_default() {
                let file = self.files.path_of(&record.id);
                // After an error, nothing else can keep the ask, because this process is ending.
                let _ = orphans::write_note(&self.home, &record, file.as_deref());
            }
        }
        fallback::remove(&self.folder);
    }
}

/// The task of offline mode: it serves until the person's hub has been reached.
pub(crate) struct OfflineTask {
    /// The mode that this task serves.
    pub offline: Arc<OfflineMode>,
    fallback_hub: FallbackHub,
    /// Our own connection to the fallback hub.
    fallback_client: Client,
}

impl OfflineTask {
    /// Reads answers from the files, and returns to the person's hub when it can be reached.
    pub(crate) async fn serve(self, client: Client) {
        let Self {
            offline,
            fallback_hub: _fallback_hub,
            fallback_client,
        } = self;
        let mut pause = FIRST_PAUSE;
        let mut next_try = Instant::now() + pause;
        // In a task of its own, because the way back to the person's hub may take long.
        let mut notes = Some(tokio::spawn(
            Arc::clone(&offline).write_notes(fallback_client.clone()),
        ));
        while offline.is_active() || !offline.files.is_empty() {
            let next_check = Instant::now() + FILE_CHECK_INTERVAL;
            // Without a file as well: a call may write one in between.
            let until = match offline.is_active() {
                true => next_check.min(next_try),
                false => next_check,
            };
            tokio::time::sleep_until(until).await;
            let is_due = Instant::now() >= next_try;
            // A hub that goes on after it hung may have an outcome already: the first one counts.
            let has_answer = offline.files.have_answer();
            if offline.is_active() && (is_due || has_answer) {
                let limit = if has_answer {
                    SHORT_LIMIT
                } else {
                    GREETING_LIMIT
                };
                let returned = return_to_hub(&offline, &fallback_client, &client, limit).await;
                if returned.is_ok() {
                    // No note is written after they are removed.
                    end(notes.take()).await;
                    orphans::forget_own(&offline.home);
                    offline.active.send_replace(false);
                }
                if is_due {
                    pause = (pause * 2).min(MAX_PAUSE);
                    next_try = Instant::now() + pause;
                }
            }
            let is_stored = !offline.is_active();
            offline.files.check(&offline.home, &client, is_stored).await;
        }
    }
}

/// Aborts a task, and waits for its end.
async fn end(task: Option<JoinHandle<()>>) {
    if let Some(task) = task {
        task.abort();
        // An aborted task ends with an error.
        let _ = task.await;
    }
}

/// Moves all asks to the person's hub, and switches the process's connection to it.
async fn return_to_hub(
    offline: &OfflineMode,
    fallback_client: &Client,
    client: &Client,
    limit: Duration,
) -> anyhow::Result<()> {
    let open = || tokio::time::timeout(limit, Link::open(&offline.home));
    let link = open().await??;
    let person_hub = Client::with_link(&offline.home, open().await??);
    move_all(fallback_client, &person_hub).await?;
    offline.files.save_drafts(&person_hub).await;
    client.switch_to(link);
    // Moves answers that were given meanwhile.
    move_all(fallback_client, &person_hub).await
}

async fn move_all(fallback_client: &Client, person_hub: &Client) -> anyhow::Result<()> {
    for record in all_asks(fallback_client).await? {
        orphans::move_to_hub(record, person_hub).await?;
    }
    Ok(())
}

/// All asks of the fallback hub, in any status.
async fn all_asks(fallback_client: &Client) -> anyhow::Result<Vec<Record>> {
    let filter = Filter {
        open: true,
        ..Filter::default()
    };
    let (mut records, _) = fallback_client.list(Request::History { filter }).await?;
    records.reverse();
    Ok(records)
}
