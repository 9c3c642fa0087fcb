//! Asks in the client's own dialog, where the client said that it has one: one more
//! surface, whose answers go the way of all answers. What a form looks like is in
//! `ask_dialects::elicit`.
//!
//! A client that declared elicitation by URL and nothing else is shown nothing.

pub mod multi_round;
pub mod request;
pub mod response;
pub mod state_token;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ask_config::config;
use ask_core::record::InClient;
use ask_core::{AskId, Time};
use ask_dialects::elicit::Edition;
use ask_hub::client::{Client, Waiting};
use rmcp::model::{CallToolResponse, ProtocolVersion};
use rmcp::service::{RequestContext, RoleServer};
use tracing::debug;

use self::request::{DialogContext, Shown};
use super::context::Shared;

/// What dialogs sign with, as other surfaces do with their names.
pub const SURFACE: &str = ask_protocol::reply::DIALOG;

/// What one conversation knows of its client's dialogs.
#[derive(Clone, Default)]
pub struct Dialogs {
    /// The client declared dialogs, but there are none: it runs without a person.
    absent: Arc<AtomicBool>,
    /// The asks that were opened in this conversation, the latest last: another agent's is nothing
    /// that this client's dialog may answer.
    own: Arc<Mutex<VecDeque<AskId>>>,
}

/// So many asks of one conversation are known to be its own.
const MOST: usize = 256;

/// How a client can be shown a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogMode {
    /// By a request of ours, while the call waits.
    Request(Edition),
    /// By a reply that asks for input; the client then calls again.
    Round,
}

/// What has become of a call's dialog.
pub enum Opened {
    /// There is none.
    No,
    /// It stands for as long as this is kept.
    Request(Shown),
    /// It stands once this reply is written.
    Round(Box<CallToolResponse>),
}

impl Dialogs {
    /// Puts an ask that was just opened into a dialog, if the client has one and the settings
    /// want it. Where that fails, the other surfaces still have the ask.
    pub async fn open(
        &self,
        shared: &Shared,
        hub: &Client,
        waiting: &Waiting,
        asked_at: Time,
        context: &RequestContext<RoleServer>,
    ) -> Opened {
        let opened = self.try_open(shared, hub, waiting, asked_at, context).await;
        opened.unwrap_or_else(|error| {
            debug!("no dialog: {error:#}");
            Opened::No
        })
    }

    async fn try_open(
        &self,
        shared: &Shared,
        hub: &Client,
        waiting: &Waiting,
        asked_at: Time,
        context: &RequestContext<RoleServer>,
    ) -> anyhow::Result<Opened> {
        // Without an id the outcome is there already.
        let (Some(way), Some(id)) = (self.way(context), waiting.id()) else {
            return Ok(Opened::No);
        };
        if !self.own().contains(id) {
            debug!("no dialog: the ask was opened by somebody else");
            return Ok(Opened::No);
        }
        if !wanted(shared.context.config().dialogs, hub).await {
            return Ok(Opened::No);
        }
        let record = hub.get(id.as_str()).await?;
        if !record.is_waiting() {
            return Ok(Opened::No);
        }
        debug!("goes into a dialog");
        match way {
            DialogMode::Request(edition) => Ok(Opened::Request(request::show(DialogContext {
                peer: context.peer.clone(),
                call: context.id.clone(),
                hub: hub.clone(),
                dialogs: self.clone(),
                record,
                edition,
                alone: shared.alone(),
                is_cancelled: {
                    let call = context.ct.clone();
                    Box::new(move || call.is_cancelled())
                },
            }))),
            DialogMode::Round => {
                let reply = multi_round::first(shared.context.home(), &record, asked_at)?;
                // The other surfaces can do without knowing.
                let _ = hub.in_client(&record.id, Some(InClient::Handed)).await;
                Ok(Opened::Round(Box::new(reply)))
            }
        }
    }

    /// How the client can be shown a dialog with this call, if it declared that it can.
    fn way(&self, context: &RequestContext<RoleServer>) -> Option<DialogMode> {
        if self.absent.load(Ordering::Relaxed) {
            return None;
        }
        let declared = context.client_capabilities()?.elicitation?;
        // Nothing said of either mode means forms: the other one came later.
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

    /// An ask was opened in this conversation.
    pub fn opened(&self, id: &AskId) {
        let mut own = self.own();
        if own.len() >= MOST {
            own.pop_front();
        }
        own.push_back(id.clone());
    }

    fn own(&self) -> MutexGuard<'_, VecDeque<AskId>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The client turned out to have no dialog; it is not tried again.
    pub fn miss(&self, why: &str) {
        debug!("no dialog there: {why}");
        self.absent.store(true, Ordering::Relaxed);
    }
}

async fn wanted(setting: config::Dialogs, hub: &Client) -> bool {
    match setting {
        config::Dialogs::Never => false,
        config::Dialogs::Always => true,
        config::Dialogs::Auto => hub.status().await.is_ok_and(|status| status.surfaces == 0),
    }
}
