//! The state that all parts of a process share if they use the hub: the connection to it, the
//! person's settings, and the limits. The process may be the hub itself.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use ask_config::config::Config;
use ask_config::home::Home;
use ask_protocol::ipc::{CallFailure, Request};
use tokio::sync::{OnceCell, mpsc};

use crate::client::Client;
use crate::http::limits::Limits;
use crate::in_process::{self, ServerEnd};
use crate::polling::PollingAgents;

/// Shared state of all parts of a process that call the hub.
pub struct Context {
    home: Home,
    /// If this process is the hub: passes it its end of a new in-process connection.
    to_hub: Option<mpsc::UnboundedSender<ServerEnd>>,
    hub: OnceCell<Client>,
    config: OnceLock<Config>,
    limits: OnceLock<Limits>,
    /// Agents that poll for the outcome of their asks.
    pub polling_agents: PollingAgents,
}

impl Context {
    /// A context for a process that is a client of the hub.
    pub fn new(home: Home) -> Self {
        Self::with_transport(home, None)
    }

    /// A context for the hub's own process. `connect` passes the hub its end of each connection.
    pub fn in_process(home: Home, connect: mpsc::UnboundedSender<ServerEnd>) -> Self {
        Self::with_transport(home, Some(connect))
    }

    fn with_transport(home: Home, to_hub: Option<mpsc::UnboundedSender<ServerEnd>>) -> Self {
        Self {
            home,
            to_hub,
            hub: OnceCell::new(),
            config: OnceLock::new(),
            limits: OnceLock::new(),
            polling_agents: PollingAgents::default(),
        }
    }

    /// Whether this process is the hub.
    pub fn is_hub(&self) -> bool {
        self.to_hub.is_some()
    }

    /// The shared connection to the hub. The first call finds or starts the hub.
    pub async fn hub(&self) -> anyhow::Result<&Client> {
        self.hub_with(|| self.connect()).await
    }

    /// The shared connection to the hub. The first call connects with `connect`.
    pub async fn hub_with<F>(&self, connect: impl FnOnce() -> F) -> anyhow::Result<&Client>
    where
        F: Future<Output = anyhow::Result<Client>>,
    {
        self.hub.get_or_try_init(connect).await
    }

    /// Opens a separate connection, for example for a viewer.
    pub async fn connect(&self) -> anyhow::Result<Client> {
        match &self.to_hub {
            Some(connect) => {
                let (client_end, server_end) = in_process::connection_pair();
                connect.send(server_end)?;
                Ok(Client::in_process(client_end))
            }
            None => Client::connect(&self.home).await,
        }
    }

    /// The shared connection, if it is open already.
    pub fn existing_hub(&self) -> Option<&Client> {
        self.hub.get()
    }

    /// A connection to the hub, if one runs.
    pub async fn hub_if_running(&self) -> anyhow::Result<Option<Client>> {
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

    /// The person's settings, read when they are first needed.
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
        let new_limits = || Limits::new(self.config().http.asks_per_minute);
        self.limits.get_or_init(new_limits)
    }

    /// Has a running hub count a failed call in its metrics.
    pub fn count_failed_call(self: &Arc<Self>, why: CallFailure) {
        let context = Arc::clone(self);
        tokio::spawn(async move {
            if let Ok(Some(hub)) = context.hub_if_running().await {
                // If the count is lost, nothing else has to fail.
                let _ = hub.call(Request::Failed { why }).await;
            }
        });
    }
}
