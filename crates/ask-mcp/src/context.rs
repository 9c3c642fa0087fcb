//! State that all conversations of a process share: the connection to the hub, the progress timer,
//! and the limit on concurrent calls.

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
use super::offline::{Began, OfflineMode, orphans};
use super::outcome::{End, Limit};

/// How many calls may be in progress: enough to keep the hub's disk busy.
const TURNS: usize = 64;

/// The cursor before the first look at the changes. It is larger than any cursor, so the hub
/// returns the current one.
const BEGINNING: u64 = u64::MAX >> 1;

/// How long a lost hub may be away before the process goes offline.
const GONE_FOR: Duration = Duration::from_secs(20);

/// Renders the HTML of the card with this key, in this language. The page's build contains it, and
/// this crate doesn't depend on the page.
pub type Card = fn(key: &str, language: Language) -> String;

/// State that all calls of a process share.
pub struct Shared {
    /// The connection to the hub, settings and limits.
    pub context: Arc<Context>,
    /// Renders the card for chat clients that support MCP Apps.
    pub card: Card,
    /// The latest offline period.
    alone: Mutex<Option<Arc<OfflineMode>>>,
    /// Limits how many calls may use the hub at once.
    pub turns: Semaphore,
    /// Sends progress notifications.
    pub keepalive: Keepalive,
    calls: AtomicU64,
    /// Outcomes that were written to their agents and that the hub has not acknowledged yet.
    written: Mutex<Vec<Delivery>>,
    /// The hub's change number at the last look for progress.
    seen: AtomicU64,
}

impl Shared {
    /// The state of a process with this connection and this card.
    pub fn with_context(context: Arc<Context>, card: Card) -> Self {
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

    /// The progress of each ask that has changed since the last call. One request serves all
    /// waiting calls.
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

    /// Makes the hub report changes of our asks from now on.
    pub async fn listen(&self) {
        if self.seen.load(Ordering::Relaxed) == BEGINNING {
            self.news().await;
        }
    }

    /// The hub. The first call finds or starts it. If that fails, a hub within this process takes
    /// its place.
    pub async fn hub(self: &Arc<Self>) -> anyhow::Result<&Client> {
        self.context.hub_by(|| Box::pin(self.connect())).await
    }

    /// When a call returns without an outcome, and with which reply. `None` if it never does.
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
        let client = match Client::connect_with_retry(home).await {
            Ok(client) => {
                orphans::carry_all(home, &client).await;
                client
            }
            Err(unreachable) => {
                let began =
                    OfflineMode::begin(home, &unreachable, self.context.config().take_up).await;
                let (link, began) =
                    began.map_err(|error| unreachable.context(format!("{error:#}")))?;
                let client = Client::beginning(home, link);
                self.enter_offline(began, &client);
                client
            }
        };
        tokio::spawn(Arc::clone(self).notice_a_loss(client.clone()));
        Ok(client)
    }

    /// Goes offline when the hub has been away for too long.
    async fn notice_a_loss(self: Arc<Self>, client: Client) {
        let mut link = client.link();
        while link.wait_for(|is_up| !is_up).await.is_ok() {
            let back = link.wait_for(|is_up| *is_up);
            if tokio::time::timeout(GONE_FOR, back).await.is_ok() || self.offline_mode().is_some() {
                continue;
            }
            let gone = anyhow::anyhow!("the hub has been gone for {} s", GONE_FOR.as_secs());
            // If offline mode can't start either, keep waiting for the hub.
            let _ = self.go_offline(&client, &gone).await;
            // The connection is up again, to the fallback hub or the real one. If the watch ended,
            // the loop ends too.
            let _ = link.wait_for(|is_up| *is_up).await;
        }
    }

    /// Goes offline because the hub can't store anything or is lost.
    ///
    /// # Errors
    /// This process is the hub, or offline mode can't start.
    pub(crate) async fn go_offline(
        &self,
        client: &Client,
        why: &anyhow::Error,
    ) -> anyhow::Result<()> {
        // The hub's own process has no other hub to fall back to.
        anyhow::ensure!(!self.context.is_hub(), "{why:#}");
        let take_up = self.context.config().take_up;
        let (link, began) = OfflineMode::begin(self.context.home(), why, take_up).await?;
        self.enter_offline(began, client);
        client.turn_to(link);
        Ok(())
    }

    fn enter_offline(&self, began: Began, client: &Client) {
        let mut alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        *alone = Some(Arc::clone(&began.alone));
        tokio::spawn(began.serve(client.clone()));
    }

    /// Acknowledges outcomes that were written to their agent. All acknowledgements are sent at
    /// once, so that a kill in between loses as few as possible. They are repeated until the hub
    /// has stored them or the process ends; then the outcomes are delivered again.
    pub fn delivered(
        self: &Arc<Self>,
        told: Vec<Delivery>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let notes = self.context.known_hub().map(|hub| {
            self.written().extend(told.iter().cloned());
            let note = |one: Delivery| {
                let sent_in = self.last_offline_mode();
                let noted = hub.notes(one.clone());
                Arc::clone(self).note(hub.clone(), sent_in, noted, one)
            };
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
        mut sent_in: Option<Arc<OfflineMode>>,
        noted: impl Future<Output = anyhow::Result<bool>>,
        told: Delivery,
    ) {
        let mut noted = noted.await;
        // The fallback hub doesn't know asks of the real hub. Whatever it may have received is sent
        // again once the real hub is back.
        while !matches!(noted, Ok(true))
            && let Some(alone) = self.offline_since(sent_in.as_ref())
        {
            alone.until_back().await;
            sent_in = self.last_offline_mode();
            noted = hub.notes(told.clone()).await;
        }
        let mut written = self.written();
        if let Some(at) = written.iter().position(|one| *one == told) {
            written.swap_remove(at);
        }
    }

    /// Whether an outcome was written to its agent but not acknowledged by the hub: another hub may
    /// offer it again.
    pub fn is_written(&self, record: &Record) -> bool {
        self.written().contains(&Delivery::from(record))
    }

    fn written(&self) -> MutexGuard<'_, Vec<Delivery>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The offline mode, while it lasts.
    pub fn offline_mode(&self) -> Option<Arc<OfflineMode>> {
        self.last_offline_mode().filter(|alone| alone.is_active())
    }

    /// The latest offline period, which may be over.
    fn last_offline_mode(&self) -> Option<Arc<OfflineMode>> {
        let alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        alone.clone()
    }

    /// The latest offline period, if it is not over or began after this one.
    fn offline_since(&self, before: Option<&Arc<OfflineMode>>) -> Option<Arc<OfflineMode>> {
        let is_known =
            |last: &Arc<OfflineMode>| before.is_some_and(|before| Arc::ptr_eq(before, last));
        let last = self.last_offline_mode();
        last.filter(|last| last.is_active() || !is_known(last))
    }

    /// Ends offline mode when the process ends.
    pub async fn close(&self) {
        if let (Some(alone), Some(hub)) = (self.last_offline_mode(), self.context.known_hub()) {
            alone.end(hub).await;
        }
    }

    /// Sends progress notifications for as long as the process lives.
    pub(crate) fn keep_alive(self: &Arc<Self>) {
        let watched = Arc::clone(self);
        tokio::spawn(self.keepalive.clone().run(move || {
            let shared = Arc::clone(&watched);
            async move { shared.news().await }
        }));
    }

    /// Begins progress notifications for a call.
    pub(crate) async fn start_progress(
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

/// The text of a progress notification: the ask, how far the person is, and where to answer.
pub fn waits(record: &Record) -> String {
    let headline = record.ask.name();
    let short: String = headline.as_str().chars().take(80).collect();
    let count = record.ask.questions.len();
    let begun = record.draft.as_ref();
    let begun = begun.filter(|_| record.filled_in_below().is_none());
    let given = begun.map_or(0, |saved| saved.draft.given());
    let how_far = match &record.shown {
        Some(shown) if given > 0 => format!("{given} of {count} answered in {}", shown.surface),
        Some(shown) => format!("open in {}", shown.surface),
        None => "answer with `ask-user inbox`".to_owned(),
    };
    format!("Waiting for the user: {short} ({how_far})")
}
