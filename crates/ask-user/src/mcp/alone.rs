//! What a process does whose person's hub can't be had: it asks all the same, over a
//! hub within itself, in the client's own dialog or in a pending file, and goes back to
//! the person's hub, with everything that is not done yet, as soon as that can be had.

pub mod files;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use ask_core::dialect::wire::Verdict;
use ask_core::{Gaps, Outcome, Record, State};
use tokio::time::Instant;

use self::files::Files;
use crate::home::Home;
use crate::hub::client::{Client, Link};
use crate::hub::standin::{self, StandIn};

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
    stands: AtomicBool,
    why: String,
    /// Where the stand-in keeps what it must.
    folder: PathBuf,
    files: Files,
    /// How old a file may be whose answers are still meant for the same question.
    take_up: Duration,
}

impl Alone {
    /// Begins to do without: what asks from here on asks over this link.
    pub fn begin(why: &anyhow::Error, take_up: Duration) -> anyhow::Result<(Link, Began)> {
        let standin = StandIn::begin(take_up).context("nor can one be had in this process")?;
        let link = standin.link()?;
        let alone = Arc::new(Self {
            stands: AtomicBool::new(true),
            why: format!("{why:#}"),
            folder: standin.folder().to_owned(),
            files: Files::default(),
            take_up,
        });
        Ok((link, Began { alone, standin }))
    }

    /// Whether the person's hub is still out of reach.
    pub fn stands(&self) -> bool {
        self.stands.load(Ordering::Relaxed)
    }

    /// Why it is.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// Puts an ask into a pending file, because there is no other surface that could show it.
    pub async fn offer(&self, hub: &Client, record: &Record) -> anyhow::Result<()> {
        let name = self.files.offer(record, self.take_up)?;
        let _ = writeln!(
            std::io::stderr(),
            "ask-user: {}\n  A question waits in {name}: fill in the answers and save the file.",
            self.why
        );
        // Progress tells the person where it is shown.
        let _ = hub.shown(&record.id, &name).await;
        Ok(())
    }

    /// The process ends, and the stand-in with it. Files in which nobody has written anything are of
    /// no use any more; what was filled in stays for whoever asks the same again.
    pub async fn end(&self, hub: &Client) {
        self.files.look(hub, !self.stands()).await;
        self.files.remove_blank();
        standin::remove(&self.folder);
    }
}

/// What lives until the person's hub is back.
pub struct Began {
    pub alone: Arc<Alone>,
    standin: StandIn,
}

impl Began {
    /// Takes answers from the files, and goes back to the person's hub when it can be had.
    pub async fn attend(self, home: Home, client: Client) {
        let Self { alone, standin } = self;
        let Ok(inner) = standin.client() else { return };
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
                if go_back(&home, &inner, &client).await.is_ok() {
                    alone.stands.store(false, Ordering::Relaxed);
                }
                pause = (pause * 2).min(LAST_TRY);
                next = Instant::now() + pause;
            }
        }
    }
}

/// Takes what isn't done yet to the person's hub, and the process with it.
async fn go_back(home: &Home, inner: &Client, client: &Client) -> anyhow::Result<()> {
    let link = Link::in_time(home).await?;
    let theirs = Client::beginning(home, Link::in_time(home).await?);
    carry_all(inner, &theirs).await?;
    client.turn_to(link);
    // What was answered while we left.
    carry_all(inner, &theirs).await
}

async fn carry_all(inner: &Client, theirs: &Client) -> anyhow::Result<()> {
    for record in inner.waiting().await?.records {
        carry(record, theirs).await?;
    }
    Ok(())
}

/// Opens an ask at the person's hub, closed as it was here. Opening and closing may be repeated.
async fn carry(record: Record, theirs: &Client) -> anyhow::Result<()> {
    let closed = record.settlement().cloned();
    let open = Record {
        state: State::Waiting,
        ..record
    };
    let id = open.id.clone();
    theirs.open(open).await?;
    if let Some(settlement) = closed
        && let Some(verdict) = verdict(settlement.outcome)
    {
        theirs.settle(&id, verdict, &settlement.surface).await?;
    }
    Ok(())
}

/// What a person said, to be said again.
fn verdict(outcome: Outcome) -> Option<Verdict> {
    Some(match outcome {
        Outcome::Answered(answered) => Verdict::Answer {
            draft: answered.draft(),
            gaps: Gaps::Send,
        },
        Outcome::Declined { reason } => Verdict::Decline { reason },
        Outcome::Clarify { words } => Verdict::Clarify { words },
        Outcome::Expired | Outcome::Withdrawn => return None,
    })
}
