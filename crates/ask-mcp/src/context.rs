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

use super::keepalive::{CallProgress, Keepalive};
use super::offline::{OfflineMode, OfflineTask, orphans};
use super::outcome::{Limit, WaitLimit};

/// How many calls may open their asks at a time: enough to keep the hub's disk busy.
const MAX_OPENING_CALLS: usize = 64;

/// The cursor before the first request for changes. It is larger than any cursor, so the hub
/// returns the current one.
const NO_CURSOR: u64 = u64::MAX >> 1;

/// How long the hub may be unreachable before the process goes offline.
const OFFLINE_AFTER: Duration = Duration::from_secs(20);

/// Renders the HTML of the card with this key, in this language. The page's build contains it, and
/// this crate doesn't depend on the page.
pub type RenderCard = fn(key: &str, language: Language) -> String;

/// State that all calls of a process share.
pub struct Shared {
    /// The connection to the hub, settings and limits.
    pub(crate) context: Arc<Context>,
    /// Renders the card for chat clients that support MCP Apps.
    pub(crate) card: RenderCard,
    /// The latest offline period, which may be over.
    offline: Mutex<Option<Arc<OfflineMode>>>,
    /// Limits how many calls open their asks at a time.
    pub(crate) opening_permits: Semaphore,
    /// Sends the progress notifications of waiting calls.
    pub(crate) keepalive: Keepalive,
    call_count: AtomicU64,
    /// Outcomes that were written to their agents and that the hub has not acknowledged yet.
    written: Mutex<Vec<Delivery>>,
    /// The cursor of the last request for changes.
    cursor: AtomicU64,
}

impl Shared {
    /// The state of a process with this connection and this card.
    pub fn with_context(context: Arc<Context>, card: RenderCard) -> Self {
        Self {
            context,
            card,
            offline: Mutex::default(),
            written: Mutex::default(),
            opening_permits: Semaphore::new(MAX_OPENING_CALLS),
            keepalive: Keepalive::default(),
            call_count: AtomicU64::new(0),
            cursor: AtomicU64::new(NO_CURSOR),
        }
    }

    /// The progress texts of the asks that changed since this was called before. One request serves
    /// all waiting calls.
    pub(crate) async fn progress_changes(&self) -> Vec<(AskId, String)> {
        let Some(hub) = self.context.existing_hub() else {
            return Vec::new();
        };
        let after = self.cursor.load(Ordering::Relaxed);
        let Ok(changes) = hub.changes(after).await else {
            return Vec::new();
        };
        self.cursor.store(changes.cursor, Ordering::Relaxed);
        let progress_of = |record: &Record| (record.id.clone(), progress_text(record));
        changes.records.iter().map(progress_of).collect()
    }

    /// Requests the current cursor, so that later changes of our asks are reported.
    pub(crate) async fn start_watching(&self) {
        if self.cursor.load(Ordering::Relaxed) == NO_CURSOR {
            self.progress_changes().await;
        }
    }

    /// The hub. The first call finds or starts it. If that fails, a hub within this process takes
    /// its place.
    pub(crate) async fn hub(self: &Arc<Self>) -> anyhow::Result<&Client> {
        self.context.hub_with(|| Box::pin(self.connect())).await
    }

    /// When a call returns without an outcome, and with which reply. `None` if it never does.
    pub(crate) fn wait_limit(
        &self,
        hub: &Client,
        limit: Option<Limit>,
        reply: impl FnOnce() -> Reply,
    ) -> Option<Box<WaitLimit>> {
        let patience = self.context.config().patience;
        (limit.is_some() || patience.is_some()).then(|| {
            Box::new(WaitLimit {
                limit,
                pauses_in_dialog: false,
                patience: patience.map(|every| (every, hub.clone())),
                reply: reply(),
            })
        })
    }

    async fn connect(self: &Arc<Self>) -> anyhow::Result<Client> {
        if self.context.is_hub() {
            return self.context.connect().await;
        }
        let home = self.context.home();
        let client = match Client::connect_with_retry(home).await {
            Ok(client) => {
                orphans::move_all(home, &client).await;
                client
            }
            Err(unreachable) => {
                let task =
                    OfflineMode::start(home, &unreachable, self.context.config().take_up).await;
                let (link, task) =
                    task.map_err(|error| unreachable.context(format!("{error:#}")))?;
                let client = Client::with_link(home, link);
                self.enter_offline(task, &client);
                client
            }
        };
        tokio::spawn(Arc::clone(self).watch_connection(client.clone()));
        Ok(client)
    }

    /// Goes offline when the hub has been unreachable for too long.
    async fn watch_connection(self: Arc<Self>, client: Client) {
        let mut link = client.watch_connected();
        while link.wait_for(|is_up| !is_up).await.is_ok() {
            let reconnected = link.wait_for(|is_up| *is_up);
            if tokio::time::timeout(OFFLINE_AFTER, reconnected)
                .await
                .is_ok()
                || self.offline_mode().is_some()
            {
                continue;
            }
            let error = anyhow::anyhow!(
                "the hub has been unreachable for {} s",
                OFFLINE_AFTER.as_secs()
            );
            // If offline mode can't start, this waits for the hub.
            let _ = self.go_offline(&client, &error).await;
            // The client is connected again, to the fallback hub or to the person's hub. If the
            // watch has ended, the loop ends, too.
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
        let (link, task) = OfflineMode::start(self.context.home(), why, take_up).await?;
        self.enter_offline(task, client);
        client.switch_to(link);
        Ok(())
    }

    fn enter_offline(&self, task: OfflineTask, client: &Client) {
        let mut offline = self.offline.lock().unwrap_or_else(PoisonError::into_inner);
        *offline = Some(Arc::clone(&task.offline));
        tokio::spawn(task.serve(client.clone()));
    }

    /// Acknowledges outcomes that were written to their agent. All acknowledgements are sent at
    /// once, so that a kill in between loses as few as possible. They are repeated until the hub
    /// has stored them. If the process ends before, the outcomes are delivered again.
    pub(crate) fn acknowledge(
        self: &Arc<Self>,
        deliveries: Vec<Delivery>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let acknowledgements = self.context.existing_hub().map(|hub| {
            self.written().extend(deliveries.iter().cloned());
            let acknowledge_one = |one: Delivery| {
                let sent_during = self.last_offline_mode();
                let acknowledged = hub.acknowledge_until_stored(one.clone());
                Arc::clone(self).acknowledge_one(hub.clone(), sent_during, acknowledged, one)
            };
            deliveries
                .into_iter()
                .map(acknowledge_one)
                .collect::<Vec<_>>()
        });
        async move {
            let mut pending: JoinSet<()> = acknowledgements.into_iter().flatten().collect();
            while pending.join_next().await.is_some() {}
        }
    }

    async fn acknowledge_one(
        self: Arc<Self>,
        hub: Client,
        mut sent_during: Option<Arc<OfflineMode>>,
        acknowledged: impl Future<Output = anyhow::Result<bool>>,
        delivery: Delivery,
    ) {
        let mut acknowledged = acknowledged.await;
        // The fallback hub doesn't know the asks of the person's hub. An acknowledgement that the
        // fallback hub may have received is sent again when the person's hub is back.
        while !matches!(acknowledged, Ok(true))
            && let Some(offline) = self.offline_since(sent_during.as_ref())
        {
            offline.until_hub_returns().await;
            sent_during = self.last_offline_mode();
            acknowledged = hub.acknowledge_until_stored(delivery.clone()).await;
        }
        let mut written = self.written();
        if let Some(at) = written.iter().position(|one| *one == delivery) {
            written.swap_remove(at);
        }
    }

    /// Whether an outcome was written to its agent but not acknowledged by the hub: another hub may
    /// offer it again.
    pub(crate) fn is_written(&self, record: &Record) -> bool {
        self.written().contains(&Delivery::from(record))
    }

    fn written(&self) -> MutexGuard<'_, Vec<Delivery>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The offline mode, while it lasts.
    pub(crate) fn offline_mode(&self) -> Option<Arc<OfflineMode>> {
        self.last_offline_mode()
            .filter(|offline| offline.is_active())
    }

    /// The latest offline period, which may be over.
    fn last_offline_mode(&self) -> Option<Arc<OfflineMode>> {
        let offline = self.offline.lock().unwrap_or_else(PoisonError::into_inner);
        offline.clone()
    }

    /// The latest offline period, if it is not over or is a later one than `before`.
    fn offline_since(&self, before: Option<&Arc<OfflineMode>>) -> Option<Arc<OfflineMode>> {
        let is_known =
            |last: &Arc<OfflineMode>| before.is_some_and(|before| Arc::ptr_eq(before, last));
        let last = self.last_offline_mode();
        last.filter(|last| last.is_active() || !is_known(last))
    }

    /// Ends offline mode when the process ends.
    pub(crate) async fn close(&self) {
        if let (Some(offline), Some(hub)) = (self.last_offline_mode(), self.context.existing_hub())
        {
            offline.end(hub).await;
        }
    }

    /// Sends progress notifications for as long as the process lives.
    pub(crate) fn spawn_keepalive(self: &Arc<Self>) {
        let watched = Arc::clone(self);
        tokio::spawn(self.keepalive.clone().run(move || {
            let shared = Arc::clone(&watched);
            async move { shared.progress_changes().await }
        }));
    }

    /// Starts progress notifications for a call.
    pub(crate) async fn start_progress(
        &self,
        peer: Peer<RoleServer>,
        token: ProgressToken,
        record: &Record,
    ) -> CallProgress {
        let number = self.call_count.fetch_add(1, Ordering::Relaxed);
        let ask = record.id.clone();
        self.keepalive
            .add_call(number, ask, peer, token, progress_text(record))
            .await
    }
}

/// The text of a progress notification: the ask, the person's progress, and where to answer.
pub(crate) fn progress_text(record: &Record) -> String {
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
