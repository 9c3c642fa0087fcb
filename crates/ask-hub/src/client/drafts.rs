//! What a client sends for a person besides closing asks: drafts, snooze, more time, mute.

use std::sync::Arc;

use ask_core::devices::{Pairing, PairingCommand};
use ask_core::record::{InClient, Snooze};
use ask_core::{AskId, Draft, Record, Time};
use ask_protocol::ipc::{Request, Response};

use super::{Client, unexpected};

impl Client {
    /// Saves a draft that was built on revision `built_on` of it. If another revision was saved
    /// since, nothing is saved and the current record is returned.
    pub async fn keep_draft(
        &self,
        id: &AskId,
        draft: &Draft,
        surface: &str,
        built_on: u64,
    ) -> anyhow::Result<Option<Record>> {
        let request = Request::SaveDraft {
            id: id.clone(),
            draft: draft.clone(),
            surface: surface.to_owned(),
            built_on: Some(built_on),
            sender: self.sender.clone(),
        };
        match self.call(request).await? {
            Response::Done { .. } => Ok(None),
            Response::Record(record) => Ok(Some(Arc::unwrap_or_clone(record))),
            other => Err(unexpected(&other)),
        }
    }

    /// Snoozes an open ask, or ends its snooze with `None`.
    pub async fn snooze(&self, id: &str, snooze: Option<Snooze>) -> anyhow::Result<Record> {
        let id = id.to_owned();
        self.record_of(Request::Snooze { id, snooze }).await
    }

    /// Extends the deadline of an open ask, at most to the latest moment that its agent accepts.
    pub async fn extend(&self, id: &str, until: Time) -> anyhow::Result<Record> {
        let id = id.to_owned();
        self.record_of(Request::Extend { id, until }).await
    }

    /// Reports that the agent's client shows the question itself, or with `None` that it no longer
    /// does.
    pub async fn in_client(&self, id: &AskId, how: Option<InClient>) -> anyhow::Result<()> {
        let id = id.clone();
        self.call(Request::InClient { id, how }).await?;
        Ok(())
    }

    /// A short-lived, single-use key that opens the hub's page, and the port of the page.
    pub async fn page_key(&self) -> anyhow::Result<(String, Option<u16>)> {
        match self.call(Request::PageKey).await? {
            Response::PageKey { key, port } => Ok((key, port)),
            other => Err(unexpected(&other)),
        }
    }

    /// Runs a pairing command and returns the resulting state.
    pub async fn pairing(&self, wish: PairingCommand) -> anyhow::Result<Pairing> {
        let request = Request::Pairing {
            command: wish,
            sender: None,
        };
        match self.call(request).await? {
            Response::Pairing(pairing) => Ok(*pairing),
            other => Err(unexpected(&other)),
        }
    }

    /// Mutes or unmutes notifications.
    pub async fn mute(&self, on: bool) -> anyhow::Result<()> {
        self.call(Request::Mute { on }).await?;
        Ok(())
    }
}
