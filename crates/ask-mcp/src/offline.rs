//! What a process does whose person's hub can't be had: it asks all the same, over a
//! hub within itself, in the client's own dialog or in a pending file, and goes back to
//! the person's hub, with everything that is not done yet, as soon as that can be had.

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

/// How often the pending files are looked at, while there are any.
const LOOK: Duration = Duration::from_millis(500);

/// The first pause before the person's hub is tried again, and the longest.
const FIRST_TRY: Duration = Duration::from_secs(2);
const LAST_TRY: Duration = Duration::from_secs(60);

/// What an agent is told when nobody can be asked in any of these ways.
pub const INSTEAD: &str = "Ask with a question tool of your own, if you have one; \
     else put the question into your reply and end your turn there.";

/// A process without its person's hub.
pub struct Alone {
    /// Until the person's hub is back.
    stands: watch::Sender<bool>,
    home: Home,
    why: String,
    /// Where the stand-in keeps what it must.
    folder: PathBuf,
    files: Files,
}

impl Alone {
    /// Begins to do without: what asks from here on asks over this link.
    /// What earlier processes have left behind is there, too.
    pub async fn begin(
        home: &Home,
        why: &anyhow::Error,
        take_up: Duration,
    ) -> anyhow::Result<(Link, Began)> {
        let must_not = std::env::var("ASK_USER_ALONE").is_ok_and(|value| value == "0");
        anyhow::ensure!(!must_not, "nor may this process do without it");
        let standin = FallbackHub::begin(take_up).context("nor can one be had in this process")?;
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

    /// Whether the person's hub is still out of reach.
    pub fn stands(&self) -> bool {
        *self.stands.borrow()
    }

    /// Resolves once the person's hub is back.
    pub(crate) async fn until_back(&self) {
        let mut stands = self.stands.subscribe();
        // It can't end before that: we hold it.
        let _ = stands.wait_for(|stands| !stands).await;
    }

    /// Why it is.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// Puts an ask into a pending file, because there is no other surface that could show it.
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
        // Progress tells the person where it is shown.
        let _ = hub.shown(&record.id, &name).await;
        Ok(())
    }

    /// Takes an ask back that nobody can be shown.
    pub async fn give_up(&self, hub: &Client, record: &Record) -> anyhow::Result<()> {
        hub.settle(&record.id, Verdict::Withdraw, "agent").await?;
        Ok(())
    }

    /// The process ends, and the stand-in with it. Files in which nobody has written anything are of
    /// no use any more; what was filled in stays for whoever asks the same again.
    pub async fn end(&self, hub: &Client) {
        self.files.look(hub, !self.stands()).await;
        self.files.remove_blank();
        if self.stands() {
            // Another process takes it to a hub.
            for record in asked(hub).await.unwrap_or_default() {
                let file = self.files.of(&record.id);
                let _ = orphans::note(&self.home, &record, file.as_deref());
            }
        }
        fallback::remove(&self.folder);
    }
}

/// What lives until the person's hub is back.
pub struct Began {
    /// How the process does without its hub.
    pub alone: Arc<Alone>,
    standin: FallbackHub,
    /// A connection of our own to it.
    inner: Client,
}

impl Began {
    /// Takes answers from the files, and goes back to the person's hub when it can be had.
    pub async fn serve(self, client: Client) {
        let Self {
            alone,
            standin: _standin,
            inner,
        } = self;
        let mut pause = FIRST_TRY;
        let mut next = Instant::now() + pause;
        while alone.stands() || !alone.files.is_empty() {
            let look = Instant::now() + LOOK;
            let until = match (alone.stands(), alone.files.is_empty()) {
                (true, true) => next,
                (true, false) => look.min(next),
                (false, _) => look,
            };
            tokio::time::sleep_until(until).await;
            alone.files.look(&client, !alone.stands()).await;
            if alone.stands() && Instant::now() >= next {
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

/// Takes everything that was asked meanwhile to the person's hub, and the process with it.
async fn go_back(alone: &Alone, inner: &Client, client: &Client) -> anyhow::Result<()> {
    let link = Link::in_time(&alone.home).await?;
    let theirs = Client::beginning(&alone.home, Link::in_time(&alone.home).await?);
    carry_all(inner, &theirs).await?;
    alone.files.keep_halves(&theirs).await;
    client.turn_to(link);
    // What was answered while we left.
    carry_all(inner, &theirs).await
}

async fn carry_all(inner: &Client, theirs: &Client) -> anyhow::Result<()> {
    for record in asked(inner).await? {
        orphans::carry(record, theirs).await?;
    }
    Ok(())
}

/// Everything that was asked over the stand-in, however it stands.
async fn asked(inner: &Client) -> anyhow::Result<Vec<Record>> {
    let filter = Filter {
        open: true,
        ..Filter::default()
    };
    let (mut records, _) = inner.list(Request::History { filter }).await?;
    records.reverse();
    Ok(records)
}
