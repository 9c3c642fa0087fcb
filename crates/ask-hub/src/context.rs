//! What all parts of a process share that call the hub: the connection to it, the person's
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

/// Shared state of all parts of a process that call the hub.
pub struct Context {
    home: Home,
    /// Where this process is the hub: takes one end of an in-process connection.
    within: Option<mpsc::UnboundedSender<Theirs>>,
    hub: OnceCell<Client>,
    config: OnceLock<Config>,
    limits: OnceLock<Limits>,
    /// Agents that poll for the outcome of their asks.
    pub expected: PollingAgents,
}

impl Context {
    /// A context for a process that is a client of the hub.
    pub fn new(home: Home) -> Self {
        Self::with_transport(home, None)
    }

    /// A context for the hub's own process, where `connect` takes one end of each connection.
    pub fn in_process(home: Home, connect: mpsc::UnboundedSender<Theirs>) -> Self {
        Self::with_transport(home, Some(connect))
    }

    fn with_transport(home: Home, within: Option<mpsc::UnboundedSender<Theirs>>) -> Self {
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

    /// The shared connection to the hub. The first call finds or starts the hub.
    pub async fn hub(&self) -> anyhow::Result<&Client> {
        self.hub_by(|| self.another()).await
    }

    /// The shared connection to the hub. The first call connects with `connect`.
    pub async fn hub_by<F>(&self, connect: impl FnOnce() -> F) -> anyhow::Result<&Client>
    where
        F: Future<Output = anyhow::Result<Client>>,
    {
        self.hub.get_or_try_init(connect).await
    }

    /// A separate connection, for viewers.
    pub async fn another(&self) -> anyhow::Result<Client> {
        match &self.within {
            Some(connect) => {
                let (ours, theirs) = in_process::pair();
                connect.send(theirs)?;
                Ok(Client::in_process(ours))
            }
            None => Client::connect(&self.home).await,
        }
    }

    /// The shared connection, if a call has made it already.
    pub fn known_hub(&self) -> Option<&Client> {
        self.hub.get()
    }

    /// A connection to the hub, if one runs.
    pub async fn hub_if_any(&self) -> anyhow::Result<Option<Client>> {
        match self.hub.get() {
            Some(hub) => Ok(Some(hub.clone())),
            None if self.is_hub() => Ok(Some(self.hub().await?.clone())),
            None => Client::find(&self.home).await,
        }
    }

    /// The paths of the person's files.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The person's settings, as they were when they were first needed.
    pub fn config(&self) -> &Config {
        self.config
            .get_or_init(|| Config::read(&self.home.config_file()).config)
    }

    /// The path of the settings file.
    pub fn config_file(&self) -> PathBuf {
        self.home.config_file()
    }

    /// The limits on requests over HTTP.
    pub fn limits(&self) -> &Limits {
        let most = || Limits::new(self.config().http.asks_per_minute);
        self.limits.get_or_init(most)
    }

    /// Has a running hub count a failed call in its metrics.
    pub fn note_failed(self: &Arc<Self>, why: CallFailure) {
        let context = Arc::clone(self);
        tokio::spawn(async move {
            if let Ok(Some(hub)) = context.hub_if_any().await {
                // A lost count of a failed call is no reason to fail anything else.
                let _ = hub.call(Request::Failed { why }).await;
            }
        });
    }
}
