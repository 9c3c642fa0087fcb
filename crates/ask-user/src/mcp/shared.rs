//! What all conversations of one process share: the way to the hub, the progress
//! timer, and how many calls may be on their way at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use ask_config::config::Config;
use ask_config::home::Home;
use ask_core::dialect::Reply;
use ask_core::dialect::wire::{Request, Why};
use ask_core::{AskId, Record};
use rmcp::RoleServer;
use rmcp::model::ProgressToken;
use rmcp::service::Peer;
use tokio::sync::{OnceCell, Semaphore, mpsc};

use super::alone::{Alone, Began, left};
use super::keepalive::{Beat, Keepalive};
use super::tasks::expected::Expected;
use super::told::{End, Limit};
use crate::hub::client::{Client, Delivery};
use crate::hub::within::{self, Theirs};
use crate::web::limits::Limits;

/// Enough to keep the hub's disk busy.
const TURNS: usize = 64;

/// Before the first look at the feed: no cursor is that large, so the hub says where it stands.
const BEGINNING: u64 = u64::MAX >> 1;

/// How long a hub that was there may be gone before the process does without.
const GONE_FOR: Duration = Duration::from_secs(20);

/// What all calls of one process share.
pub struct Shared {
    home: Home,
    /// Where this process is the hub: takes one end of a connection.
    within: Option<mpsc::UnboundedSender<Theirs>>,
    hub: OnceCell<Client>,
    /// The last time that the person's hub could not be had.
    alone: Mutex<Option<Arc<Alone>>>,
    config: OnceLock<Config>,
    limits: OnceLock<Limits>,
    /// How many calls may be on their way to the hub at once.
    pub turns: Semaphore,
    pub keepalive: Keepalive,
    pub tasks: Expected,
    calls: AtomicU64,
    /// Where the hub's feed stood when progress was last looked up.
    seen: AtomicU64,
}

impl Shared {
    /// For a server that nobody has called yet.
    pub fn new(home: Home) -> Self {
        Self::by(home, None)
    }

    /// For the hub's own process, where connections are made by handing it one end.
    pub fn within(home: Home, connect: mpsc::UnboundedSender<Theirs>) -> Self {
        Self::by(home, Some(connect))
    }

    fn by(home: Home, within: Option<mpsc::UnboundedSender<Theirs>>) -> Self {
        Self {
            home,
            within,
            hub: OnceCell::new(),
            alone: Mutex::default(),
            config: OnceLock::new(),
            limits: OnceLock::new(),
            turns: Semaphore::new(TURNS),
            keepalive: Keepalive::default(),
            tasks: Expected::default(),
            calls: AtomicU64::new(0),
            seen: AtomicU64::new(BEGINNING),
        }
    }

    /// How far the person is with each ask that has changed since the last time, for progress:
    /// one look for all calls, however many wait.
    pub async fn news(&self) -> Vec<(AskId, String)> {
        let Some(hub) = self.hub.get() else {
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
        self.hub.get_or_try_init(|| Box::pin(self.connect())).await
    }

    /// A connection of its own, for what looks on.
    pub async fn another(&self) -> anyhow::Result<Client> {
        match &self.within {
            Some(connect) => within(connect),
            None => Client::connect(&self.home).await,
        }
    }

    /// Where the person's files are.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The hub, where one runs.
    pub async fn hub_if_any(self: &Arc<Self>) -> anyhow::Result<Option<Client>> {
        match self.hub.get() {
            Some(hub) => Ok(Some(hub.clone())),
            None if self.within.is_some() => Ok(Some(self.hub().await?.clone())),
            None => Client::find(&self.home).await,
        }
    }

    /// The person's settings, as they were when the first call needed them.
    pub fn config(&self) -> &Config {
        self.config
            .get_or_init(|| Config::read(&self.home.config_file()).config)
    }

    /// How much those who come over HTTP may ask for.
    pub fn limits(&self) -> &Limits {
        let most = || Limits::new(self.config().http.asks_per_minute);
        self.limits.get_or_init(most)
    }

    /// Has the hub count a call that came to nothing, where one runs.
    pub fn note_failed(self: &Arc<Self>, why: Why) {
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            if let Ok(Some(hub)) = shared.hub_if_any().await {
                let _ = hub.call(Request::Failed { why }).await;
            }
        });
    }

    /// Where the person changes them.
    pub fn config_file(&self) -> PathBuf {
        self.home.config_file()
    }

    /// When a call ends without an outcome, where it does, and what it says then.
    pub fn end(
        &self,
        hub: &Client,
        limit: Option<Limit>,
        says: impl FnOnce() -> Reply,
    ) -> Option<Box<End>> {
        let patience = self.config().patience;
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
        if let Some(connect) = &self.within {
            return within(connect);
        }
        let client = match Client::insist(&self.home).await {
            Ok(client) => {
                left::carry_all(&self.home, &client).await;
                client
            }
            Err(unreachable) => {
                let began = Alone::begin(&self.home, &unreachable, self.config().take_up).await;
                let (link, began) = began.map_err(|error| unreachable.context(error))?;
                let client = Client::beginning(&self.home, link);
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
    pub async fn do_without(&self, client: &Client, why: &anyhow::Error) -> anyhow::Result<()> {
        // The hub's own process can't do without itself.
        anyhow::ensure!(self.within.is_none(), "{why:#}");
        let take_up = self.config().take_up;
        let (link, began) = Alone::begin(&self.home, why, take_up).await?;
        self.be_alone(began, client);
        client.turn_to(link);
        Ok(())
    }

    fn be_alone(&self, began: Began, client: &Client) {
        let mut alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        *alone = Some(Arc::clone(&began.alone));
        tokio::spawn(began.attend(client.clone()));
    }

    /// An outcome was written to its agent. Where the hub can't be had, it stays undelivered and is
    /// told again.
    pub async fn delivered(&self, told: Delivery) {
        let Some(hub) = self.hub.get() else { return };
        // What stands in for the hub doesn't know what was asked there before. The hub hears of it
        // once it is back.
        while let (Err(_) | Ok(false), Some(alone)) = (hub.notes(told.clone()).await, self.alone())
        {
            alone.until_back().await;
        }
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
        if let (Some(alone), Some(hub)) = (alone, self.hub.get()) {
            alone.end(hub).await;
        }
    }

    /// Has progress sent for as long as the process lives.
    pub fn keep_alive(self: &Arc<Self>) {
        let watched = Arc::clone(self);
        tokio::spawn(self.keepalive.clone().run(move || {
            let shared = Arc::clone(&watched);
            async move { shared.news().await }
        }));
    }

    /// The hub, where a call has needed it already.
    pub fn known_hub(&self) -> Option<Client> {
        self.hub.get().cloned()
    }

    /// Begins to send progress for a call.
    pub async fn beat(
        &self,
        peer: Peer<RoleServer>,
        token: ProgressToken,
        record: &Record,
    ) -> Beat {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let ask = record.id.clone();
        self.keepalive
            .begin(number, ask, peer, token, waits(record))
            .await
    }
}

/// A client of the hub in this very process.
fn within(connect: &mpsc::UnboundedSender<Theirs>) -> anyhow::Result<Client> {
    let (ours, theirs) = within::pair();
    connect.send(theirs)?;
    Ok(Client::within(ours))
}

/// What a progress notification says: what waits, how far the person is, and where to answer.
pub fn waits(record: &Record) -> String {
    let headline = record.ask.name();
    let short: String = headline.as_str().chars().take(80).collect();
    let count = record.ask.questions.len();
    let begun = record.draft.as_ref().filter(|_| record.repeats().is_none());
    let given = begun.map_or(0, |saved| saved.draft.given());
    let how_far = match &record.shown {
        Some(shown) if given > 0 => format!("{given} of {count} answered in {}", shown.surface),
        Some(shown) => format!("open in {}", shown.surface),
        None => "answer with `ask-user inbox`".to_owned(),
    };
    format!("Waiting for the user: {short} ({how_far})")
}
