//! What a client says for a person besides closing asks: drafts, putting aside, more time, muting.

use std::sync::Arc;

use ask_core::devices::{Pairing, PairingCommand};
use ask_core::record::{InClient, Snooze};
use ask_core::{AskId, Draft, Record, Time};
use ask_protocol::ipc::{Request, Response};

use super::{Client, unexpected};

impl Client {
    /// Keeps a half-filled form that was built on a revision of it. Where another was saved since,
    /// nothing is kept, and the record is given as it stands.
    pub async fn keep_draft(
        &self,
        id: &AskId,
        draft: &Draft,
        surface: &str,
        built_on: u64,
    ) -> anyhow::Result<Option<Record>> {
        let request = Request::Keep {
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

    /// Puts an open ask aside, or back.
    pub async fn snooze(&self, id: &str, snooze: Option<Snooze>) -> anyhow::Result<Record> {
        let id = id.to_owned();
        self.record_of(Request::Snooze { id, snooze }).await
    }

    /// Takes more time for an open ask, as far as its agent can expect it.
    pub async fn extend(&self, id: &str, until: Time) -> anyhow::Result<Record> {
        let id = id.to_owned();
        self.record_of(Request::Extend { id, until }).await
    }

    /// Says that an agent's client asks the same itself, or no more.
    pub async fn in_client(&self, id: &AskId, how: Option<InClient>) -> anyhow::Result<()> {
        let id = id.clone();
        self.call(Request::InClient { id, how }).await?;
        Ok(())
    }

    /// What opens the hub's page, once and soon, and where that is.
    pub async fn page_key(&self) -> anyhow::Result<(String, Option<u16>)> {
        match self.call(Request::PageKey).await? {
            Response::PageKey { key, port } => Ok((key, port)),
            other => Err(unexpected(&other)),
        }
    }

    /// Does what the person wants of devices; how it stands then.
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

    /// Mutes notifications, or no more.
    pub async fn mute(&self, on: bool) -> anyhow::Result<()> {
        self.call(Request::Mute { on }).await?;
        Ok(())
    }
}
