//! Asks in the client's own dialog (MCP elicitation), where the client declares it: one more
//! surface, whose answers are handled like all others. The form is in `ask_dialects::elicit`.
//!
//! A client that only declares elicitation by URL gets no dialog.

pub(crate) mod multi_round;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod state_token;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ask_clients::strategy::Transport;
use ask_config::config;
use ask_core::record::InClient;
use ask_core::{AskId, Time};
use ask_dialects::elicit::Edition;
use ask_hub::client::{Client, Waiter};
use rmcp::model::{CallToolResponse, ProtocolVersion};
use rmcp::service::{RequestContext, RoleServer};
use tracing::debug;

use self::request::{DialogContext, OpenDialog};
use self::state_token::StateSealer;
use super::context::Shared;

/// The surface name of dialogs.
pub(crate) const SURFACE: &str = ask_protocol::reply::DIALOG;

/// The dialog state of one conversation.
#[derive(Clone)]
pub(crate) struct Dialogs {
    transport: Transport,
    /// Whether no dialog works, although the client declared them: an error, or no person uses it.
    absent: Arc<AtomicBool>,
    /// The asks that this conversation opened, the latest last. The client's dialog may only answer
    /// these.
    own_asks: Arc<Mutex<VecDeque<AskId>>>,
}

/// How many asks of a conversation are remembered.
const MAX_OWN_ASKS: usize = 256;

/// How to show a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DialogMode {
    /// By a server request, while the call waits.
    Request(Edition),
    /// By a result that requests input; the client then calls again.
    Round,
}

/// The state of a call's dialog.
pub(crate) enum Opened {
    No,
    /// It is open until this value is dropped.
    Request(OpenDialog),
    /// It opens once this response is written.
    Round(Box<CallToolResponse>),
}

impl Dialogs {
    /// The dialogs of a client that is connected in this way.
    pub(crate) fn new(transport: Transport) -> Self {
        Self {
            transport,
            absent: Arc::default(),
            own_asks: Arc::default(),
        }
    }

    /// Shows a newly opened ask in a dialog, if the client has one and the settings allow it. After
    /// a failure the other surfaces still have the ask.
    pub(crate) async fn open(
        &self,
        shared: &Shared,
        hub: &Client,
        waiting: &Waiter,
        asked_at: Time,
        context: &RequestContext<RoleServer>,
    ) -> Opened {
        let opened = self.try_open(shared, hub, waiting, asked_at, context).await;
        opened.unwrap_or_else(|error| {
            debug!("could not open a dialog: {error:#}");
            Opened::No
        })
    }

    async fn try_open(
        &self,
        shared: &Shared,
        hub: &Client,
        waiting: &Waiter,
        asked_at: Time,
        context: &RequestContext<RoleServer>,
    ) -> anyhow::Result<Opened> {
        // Without an id the outcome has arrived already.
        let (Some(mode), Some(id)) = (self.mode(context), waiting.id()) else {
            return Ok(Opened::No);
        };
        if !self.own_asks().contains(id) {
            debug!("no dialog: another conversation opened the ask");
            return Ok(Opened::No);
        }
        if !is_wanted(shared.context.config().dialogs, hub).await {
            return Ok(Opened::No);
        }
        let record = hub.get(id.as_str()).await?;
        if !record.is_open() {
            return Ok(Opened::No);
        }
        debug!("opening a dialog");
        match mode {
            DialogMode::Request(edition) => Ok(Opened::Request(request::open(DialogContext {
                peer: context.peer.clone(),
                call: context.id.clone(),
                hub: hub.clone(),
                dialogs: self.clone(),
                record,
                edition,
                offline: shared.offline_mode(),
                is_cancelled: {
                    let call = context.ct.clone();
                    Box::new(move || call.is_cancelled())
                },
            }))),
            DialogMode::Round => {
                let sealer = StateSealer::load(shared.context.home(), self.transport)?;
                let reply = multi_round::first_round(&sealer, &record, asked_at)?;
                // Other surfaces only show this fact.
                let _ = hub.in_client(&record.id, Some(InClient::Handed)).await;
                Ok(Opened::Round(Box::new(reply)))
            }
        }
    }

    /// How to show a dialog with this call; `None` if the client declares none.
    fn mode(&self, context: &RequestContext<RoleServer>) -> Option<DialogMode> {
        if self.absent.load(Ordering::Relaxed) {
            return None;
        }
        let declared = context.client_capabilities()?.elicitation?;
        // An empty declaration means forms: the URL mode was added in revision 2025-11-25.
        if declared.form.is_none() && declared.url.is_some() {
            return None;
        }
        let version = context.protocol_version()?;
        Some(if !version.has_initialize() {
            DialogMode::Round
        } else if version < ProtocolVersion::V_2025_11_25 {
            DialogMode::Request(Edition::Early)
        } else {
            DialogMode::Request(Edition::Titled)
        })
    }

    /// Records an ask that this conversation opened.
    pub(crate) fn record_ask(&self, id: &AskId) {
        let mut own_asks = self.own_asks();
        if own_asks.len() >= MAX_OWN_ASKS {
            own_asks.pop_front();
        }
        own_asks.push_back(id.clone());
    }

    fn own_asks(&self) -> MutexGuard<'_, VecDeque<AskId>> {
        self.own_asks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the client has no working dialog, so that none is opened again.
    pub(crate) fn mark_absent(&self, why: &str) {
        debug!("the client has no dialog: {why}");
        self.absent.store(true, Ordering::Relaxed);
    }
}

async fn is_wanted(setting: config::Dialogs, hub: &Client) -> bool {
    match setting {
        config::Dialogs::Never => false,
        config::Dialogs::Always => true,
        config::Dialogs::Auto => hub.status().await.is_ok_and(|status| status.surfaces == 0),
    }
}
