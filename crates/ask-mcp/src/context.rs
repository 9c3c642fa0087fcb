//! What all conversations of one process share: the way to the hub, the progress
//! timer, and how many calls may be on their way at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ask_config::i18n::Language;
use ask_core::{AskId, Record};
use ask_hub::client::{Client, Delivery};
use ask_hub::context::Context;
use ask_protocol::Reply;
use rmcp::RoleServer;
use rmcp::model::ProgressToken;
use rmcp::service::Peer;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::keepalive::{Keepalive, ProgressTicker};
use super::offline::{Alone, Began, orphans};
use super::outcome::{End, Limit};

/// Enough to keep the hub's disk busy.
const TURNS: usize = 64;

/// Before the first look at the feed: no cursor is that large, so the hub says where it stands.
const BEGINNING: u64 = u64::MAX >> 1;

/// How long a hub that was there may be gone before the process does without.
const GONE_FOR: Duration = Duration::from_secs(20);

/// Makes the HTML of the card for chat clients that show apps: with this key, in this language. The page
/// builds it, and this module doesn't know the page.
pub type Card = fn(key: &str, language: Language) -> String;

/// What all calls of one process share.
pub struct Shared {
    /// The way to the hub, settings and limits.
    pub context: Arc<Context>,
    /// The card for chat clients that show apps.
    pub card: Card,
    /// The last time that the person's hub could not be had.
    alone: Mutex<Option<Arc<Alone>>>,
    /// How many calls may be on their way to the hub at once.
    pub turns: Semaphore,
    /// What sends progress.
    pub keepalive: Keepalive,
    calls: AtomicU64,
    /// Outcomes that were written to their agents, until the hub has noted it.
    written: Mutex<Vec<Delivery>>,
    /// Where the hub's feed stood when progress was last looked up.
    seen: AtomicU64,
}

impl Shared {
    /// For a process with this way to the hub, and this card for chat clients.
    pub fn over(context: Arc<Context>, card: Card) -> Self {
        Self {
            context,
            card,
            alone: Mutex::default(),
            written: Mutex::default(),
            turns: Semaphore::new(TURNS),
            keepalive: Keepalive::default(),
            calls: AtomicU64::new(0),
            seen: AtomicU64::new(BEGINNING),
        }
    }

    /// How far the person is with each ask that has changed since the last time, for progress:
    /// one look for all calls, however many wait.
    pub async fn news(&self) -> Vec<(AskId, String)> {
        let Some(hub) = self.context.known_hub() else {
            return Vec::new();
        };
        let after = self.seen.load(Ordering::Relaxed);
        let Ok(changes) = hub.changes(after).await else {
            return Vec::new();
        };
        self.seen.store(changes.cursor, Ordering::Relaxed);
        let told = |record: &Record| (record.id.clone(), waits(record));
        changes.records.iter().map(told).collect()
    }

    /// Has the feed tell, from here on, what becomes of our asks.
    pub async fn listen(&self) {
        if self.seen.load(Ordering::Relaxed) == BEGINNING {
            self.news().await;
        }
    }

    /// The hub, found or started by the first call that needs it. Where that can't be done, one
    /// within this process stands in for it.
    pub async fn hub(self: &Arc<Self>) -> anyhow::Result<&Client> {
        self.context.hub_by(|| Box::pin(self.connect())).await
    }

    /// When a call ends without an outcome, where it does, and what it says then.
    pub fn end(
        &self,
        hub: &Client,
        limit: Option<Limit>,
        says: impl FnOnce() -> Reply,
    ) -> Option<Box<End>> {
        let patience = self.context.config().patience;
        (limit.is_some() || patience.is_some()).then(|| {
            Box::new(End {
                limit,
                pauses: false,
                patience: patience.map(|every| (every, hub.clone())),
                says: says(),
            })
        })
    }

    async fn connect(self: &Arc<Self>) -> anyhow::Result<Client> {
        if self.context.is_hub() {
            return self.context.another().await;
        }
        let home = self.context.home();
        let client = match Client::insist(home).await {
            Ok(client) => {
                orphans::carry_all(home, &client).await;
                client
            }
            Err(unreachable) => {
                let began = Alone::begin(home, &unreachable, self.context.config().take_up).await;
                let (link, began) = began.map_err(|error| unreachable.context(error))?;
                let client = Client::beginning(home, link);
                self.be_alone(began, &client);
                client
            }
        };
        tokio::spawn(Arc::clone(self).notice_a_loss(client.clone()));
        Ok(client)
    }

    /// Does without the hub when it has been gone for too long.
    async fn notice_a_loss(self: Arc<Self>, client: Client) {
        let mut link = client.link();
        while link.wait_for(|is_up| !is_up).await.is_ok() {
            let back = link.wait_for(|is_up| *is_up);
            if tokio::time::timeout(GONE_FOR, back).await.is_ok() || self.alone().is_some() {
                continue;
            }
            let gone = anyhow::anyhow!("the hub has been gone for {} s", GONE_FOR.as_secs());
            // Where none can be had, the hub is waited for as before.
            let _ = self.do_without(&client, &gone).await;
            // What is up again is the stand-in, or there is none to be had.
            let _ = link.wait_for(|is_up| *is_up).await;
        }
    }

    /// Does without a hub that is there and can't keep anything, or that is not there any more.
    pub(crate) async fn do_without(
        &self,
        client: &Client,
        why: &anyhow::Error,
    ) -> anyhow::Result<()> {
        // The hub's own process can't do without itself.
        anyhow::ensure!(!self.context.is_hub(), "{why:#}");
        let take_up = self.context.config().take_up;
        let (link, began) = Alone::begin(self.context.home(), why, take_up).await?;
        self.be_alone(began, client);
        client.turn_to(link);
        Ok(())
    }

    fn be_alone(&self, began: Began, client: &Client) {
        let mut alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        *alone = Some(Arc::clone(&began.alone));
        tokio::spawn(began.serve(client.clone()));
    }

    /// Outcomes were written to their agent. All are said at once: a program that is killed meanwhile
    /// leaves as little unsaid as can be. Where the hub can't be had, they stay undelivered and are told
    /// again.
    pub fn delivered(
        self: &Arc<Self>,
        told: Vec<Delivery>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let notes = self.context.known_hub().map(|hub| {
            self.written().extend(told.iter().cloned());
            let note =
                |one: Delivery| Arc::clone(self).note(hub.clone(), hub.notes(one.clone()), one);
            told.into_iter().map(note).collect::<Vec<_>>()
        });
        async move {
            let mut saying: JoinSet<()> = notes.into_iter().flatten().collect();
            while saying.join_next().await.is_some() {}
        }
    }

    async fn note(
        self: Arc<Self>,
        hub: Client,
        noted: impl Future<Output = anyhow::Result<bool>>,
        told: Delivery,
    ) {
        let mut noted = noted.await;
        // What stands in for the hub doesn't know what was asked there before. The hub hears of it
        // once it is back.
        while let (Err(_) | Ok(false), Some(alone)) = (noted, self.alone()) {
            alone.until_back().await;
            noted = hub.notes(told.clone()).await;
        }
        let mut written = self.written();
        if let Some(at) = written.iter().position(|one| *one == told) {
            written.swap_remove(at);
        }
    }

    /// Whether an outcome was written to its agent, and the hub doesn't know that yet: another hub
    /// may offer it once more.
    pub fn is_written(&self, record: &Record) -> bool {
        self.written().contains(&Delivery::from(record))
    }

    fn written(&self) -> MutexGuard<'_, Vec<Delivery>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the process does without the hub, while it must.
    pub fn alone(&self) -> Option<Arc<Alone>> {
        let alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        alone.clone().filter(|alone| alone.stands())
    }

    /// The process ends.
    pub async fn close(&self) {
        let lock = self.alone.lock();
        let alone = lock.unwrap_or_else(PoisonError::into_inner).clone();
        if let (Some(alone), Some(hub)) = (alone, self.context.known_hub()) {
            alone.end(hub).await;
        }
    }

    /// Has progress sent for as long as the process lives.
    pub(crate) fn keep_alive(self: &Arc<Self>) {
        let watched = Arc::clone(self);
        tokio::spawn(self.keepalive.clone().run(move || {
            let shared = Arc::clone(&watched);
            async move { shared.news().await }
        }));
    }

    /// Begins to send progress for a call.
    pub(crate) async fn beat(
        &self,
        peer: Peer<RoleServer>,
        token: ProgressToken,
        record: &Record,
    ) -> ProgressTicker {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let ask = record.id.clone();
        self.keepalive
            .begin(number, ask, peer, token, waits(record))
            .await
    }
}

/// What a progress notification says: what waits, how far the person is, and where to answer.
pub fn waits(record: &Record) -> String {
    let headline = record.ask.name();
    let short: String = headline.as_str().chars().take(80).collect();
    let count = record.ask.questions.len();
    let is_persons = record.repeats().is_none() && record.filled_in_below().is_none();
    let begun = record.draft.as_ref().filter(|_| is_persons);
    let given = begun.map_or(0, |saved| saved.draft.given());
    let how_far = match &record.shown {
        Some(shown) if given > 0 => format!("{given} of {count} answered in {}", shown.surface),
        Some(shown) => format!("open in {}", shown.surface),
        None => "answer with `ask-user inbox`".to_owned(),
    };
    format!("Waiting for the user: {short} ({how_far})")
}
