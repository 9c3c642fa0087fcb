//! What all parts of one process share that call the hub: the connection to it, the person's
//! settings, and the limits. The process may be the hub itself.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use ask_config::config::Config;
use ask_config::home::Home;
use ask_protocol::ipc::{CallFailure, Request};
use tokio::sync::{OnceCell, mpsc};

use crate::client::Client;
use crate::http::limits::Limits;
use crate::in_process::{self, Theirs};
use crate::polling::PollingAgents;

/// What all parts of one process share.
pub struct Context {
    home: Home,
    /// Where this process is the hub: takes one end of a connection.
    within: Option<mpsc::UnboundedSender<Theirs>>,
    hub: OnceCell<Client>,
    config: OnceLock<Config>,
    limits: OnceLock<Limits>,
    /// Agents that come back for their asks.
    pub expected: PollingAgents,
}

impl Context {
    /// For a process that nobody has called yet.
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
            config: OnceLock::new(),
            limits: OnceLock::new(),
            expected: PollingAgents::default(),
        }
    }

    /// Whether this process is the hub.
    pub fn is_hub(&self) -> bool {
        self.within.is_some()
    }

    /// The hub, found or started by the first call that needs it.
    pub async fn hub(&self) -> anyhow::Result<&Client> {
        self.hub_by(|| self.another()).await
    }

    /// The hub; the first call that needs it connects by `connect`.
    pub async fn hub_by<F>(&self, connect: impl FnOnce() -> F) -> anyhow::Result<&Client>
    where
        F: Future<Output = anyhow::Result<Client>>,
    {
        self.hub.get_or_try_init(connect).await
    }

    /// A connection of its own, for what looks on.
    pub async fn another(&self) -> anyhow::Result<Client> {
        match &self.within {
            Some(connect) => {
                let (ours, theirs) = in_process::pair();
                connect.send(theirs)?;
                Ok(Client::within(ours))
            }
            None => Client::connect(&self.home).await,
        }
    }

    /// The hub, where a call has needed it already.
    pub fn known_hub(&self) -> Option<&Client> {
        self.hub.get()
    }

    /// The hub, where one runs.
    pub async fn hub_if_any(&self) -> anyhow::Result<Option<Client>> {
        match self.hub.get() {
            Some(hub) => Ok(Some(hub.clone())),
            None if self.is_hub() => Ok(Some(self.hub().await?.clone())),
            None => Client::find(&self.home).await,
        }
    }

    /// Where the person's files are.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The person's settings, as they were when the first call needed them.
    pub fn config(&self) -> &Config {
        self.config
            .get_or_init(|| Config::read(&self.home.config_file()).config)
    }

    /// Where the person changes them.
    pub fn config_file(&self) -> PathBuf {
        self.home.config_file()
    }

    /// How much those who come over HTTP may ask for.
    pub fn limits(&self) -> &Limits {
        let most = || Limits::new(self.config().http.asks_per_minute);
        self.limits.get_or_init(most)
    }

    /// Has the hub count a call that came to nothing, where one runs.
    pub fn note_failed(self: &Arc<Self>, why: CallFailure) {
        let context = Arc::clone(self);
        tokio::spawn(async move {
            if let Ok(Some(hub)) = context.hub_if_any().await {
                let _ = hub.call(Request::Failed { why }).await;
            }
        });
    }
}
