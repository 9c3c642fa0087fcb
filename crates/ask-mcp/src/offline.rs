//! Offline mode: what a process does when the person's hub can't be reached. It asks through a hub
//! within itself, in the client's own dialog or in a pending file. As soon as the person's hub can
//! be reached, it moves everything unfinished there.

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
use ask_hub::client::{Client, Link};
use ask_hub::fallback::{self, FallbackHub};
use ask_protocol::ipc::{Filter, Request, Verdict};
use tokio::sync::watch;
use tokio::time::Instant;

use self::file_surface::Files;

/// How often the pending files are checked, while there are any.
const LOOK: Duration = Duration::from_millis(500);

/// The first and the longest pause between attempts to reach the person's hub.
const FIRST_TRY: Duration = Duration::from_secs(2);
const LAST_TRY: Duration = Duration::from_secs(60);

/// The advice to an agent when no person can be asked.
pub const INSTEAD: &str = "Ask with a question tool of your own, if you have one; \
     else put the question into your reply and end your turn there.";

/// A process in offline mode.
pub struct OfflineMode {
    /// True until the person's hub is back.
    stands: watch::Sender<bool>,
    home: Home,
    why: String,
    /// The folder of the fallback hub's store.
    folder: PathBuf,
    files: Files,
}

impl OfflineMode {
    /// Starts offline mode. New asks use the returned link. The fallback hub also gets the asks
    /// that ended processes have left.
    ///
    /// # Errors
    /// `ASK_USER_ALONE` forbids it, or the fallback hub can't start.
    pub async fn begin(
        home: &Home,
        why: &anyhow::Error,
        take_up: Duration,
    ) -> anyhow::Result<(Link, Began)> {
        let must_not = std::env::var("ASK_USER_ALONE").is_ok_and(|value| value == "0");
        anyhow::ensure!(!must_not, "ASK_USER_ALONE=0 forbids working without a hub");
        let standin = FallbackHub::begin(take_up).context("no in-process hub could start")?;
        let link = standin.link()?;
        let alone = Arc::new(Self {
            stands: watch::Sender::new(true),
            home: home.clone(),
            why: format!("{why:#}"),
            folder: standin.folder().to_owned(),
            files: Files::default(),
        });
        let inner = standin.client()?;
        for left in orphans::claim(home) {
            if orphans::carry(left.record.clone(), &inner).await.is_ok() {
                alone.files.adopt(left);
            }
        }
        let began = Began {
            alone,
            standin,
            inner,
        };
        Ok((link, began))
    }

    /// Whether the person's hub is still unreachable.
    pub fn is_active(&self) -> bool {
        *self.stands.borrow()
    }

    /// Resolves when the person's hub is back.
    pub(crate) async fn until_back(&self) {
        let mut stands = self.stands.subscribe();
        // The sender is in `self`, so the channel can't close.
        let _ = stands.wait_for(|stands| !stands).await;
    }

    /// The reason for offline mode.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// Writes an ask into a pending file, because no other surface can show it.
    ///
    /// # Errors
    /// The settings don't accept answers from files, or the file can't be written.
    pub async fn offer(&self, hub: &Client, record: &Record) -> anyhow::Result<()> {
        let answers = Config::read(&self.home.config_file()).config.answers;
        anyhow::ensure!(
            answers.only_from == AnswersFrom::Anywhere
                && answers.below_agents != BelowAgents::Refuse,
            "a file could be filled in by the agent itself, which [answers] in config.toml doesn't take"
        );
        let name = self.files.offer(&self.home, record)?;
        tracing::warn!("{}", self.why);
        tracing::warn!(ask = %record.id, "A question waits in {name}: fill in the answers and save the file");
        // For the progress notification only, which names the surface.
        let _ = hub.shown(&record.id, &name).await;
        Ok(())
    }

    /// Withdraws an ask that can't be shown to anybody.
    pub async fn give_up(&self, hub: &Client, record: &Record) -> anyhow::Result<()> {
        hub.settle(&record.id, Verdict::Withdraw, "agent").await?;
        Ok(())
    }

    /// Ends offline mode with the process. Pending files without an answer are removed. Filled-in
    /// ones stay for the next process that asks the same.
    pub async fn end(&self, hub: &Client) {
        self.files.look(hub, !self.is_active()).await;
        self.files.remove_blank();
        if self.is_active() {
            // A note lets another process move the ask to a hub.
            for record in asked(hub).await.unwrap_or_default() {
                let file = self.files.path_of(&record.id);
                // After an error nothing else could keep the ask: this process is ending.
                let _ = orphans::note(&self.home, &record, file.as_deref());
            }
        }
        fallback::remove(&self.folder);
    }
}

/// A started offline mode, until the person's hub is back.
pub struct Began {
    /// The offline mode.
    pub alone: Arc<OfflineMode>,
    standin: FallbackHub,
    /// Our own connection to the fallback hub.
    inner: Client,
}

impl Began {
    /// Reads answers from the files, and returns to the person's hub when it can be reached.
    pub async fn serve(self, client: Client) {
        let Self {
            alone,
            standin: _standin,
            inner,
        } = self;
        let mut pause = FIRST_TRY;
        let mut next = Instant::now() + pause;
        while alone.is_active() || !alone.files.is_empty() {
            let look = Instant::now() + LOOK;
            let until = match (alone.is_active(), alone.files.is_empty()) {
                (true, true) => next,
                (true, false) => look.min(next),
                (false, _) => look,
            };
            tokio::time::sleep_until(until).await;
            alone.files.look(&client, !alone.is_active()).await;
            if alone.is_active() && Instant::now() >= next {
                if go_back(&alone, &inner, &client).await.is_ok() {
                    orphans::forget(&alone.home);
                    alone.stands.send_replace(false);
                }
                pause = (pause * 2).min(LAST_TRY);
                next = Instant::now() + pause;
            }
        }
    }
}

/// Moves all asks to the person's hub, and switches the process's connection to it.
async fn go_back(alone: &OfflineMode, inner: &Client, client: &Client) -> anyhow::Result<()> {
    let link = Link::in_time(&alone.home).await?;
    let theirs = Client::beginning(&alone.home, Link::in_time(&alone.home).await?);
    carry_all(inner, &theirs).await?;
    alone.files.keep_halves(&theirs).await;
    client.turn_to(link);
    // Answers that came in meanwhile.
    carry_all(inner, &theirs).await
}

async fn carry_all(inner: &Client, theirs: &Client) -> anyhow::Result<()> {
    for record in asked(inner).await? {
        orphans::carry(record, theirs).await?;
    }
    Ok(())
}

/// All asks of the fallback hub, in any status.
async fn asked(inner: &Client) -> anyhow::Result<Vec<Record>> {
    let filter = Filter {
        open: true,
        ..Filter::default()
    };
    let (mut records, _) = inner.list(Request::History { filter }).await?;
    records.reverse();
    Ok(records)
}
