//! The requests of a person besides closing an ask: drafts, snoozing, extending, muting, pairing.

use std::sync::Arc;

use ask_core::devices::{Pairing, PairingCommand};
use ask_core::record::{InClient, Snooze};
use ask_core::{AskId, Draft, Record, Time};
use ask_protocol::ipc::{Request, Response};

use super::{Client, unexpected_response};

/// The result of an attempt to save a draft.
#[derive(Debug)]
pub enum DraftResult {
    /// The hub has stored it.
    Saved,
    /// Nothing is saved, because another revision was saved since. The record has that one.
    Outdated(Box<Record>),
    /// Nothing is saved, because the ask can't be answered any more.
    Closed,
}

impl DraftResult {
    /// # Errors
    /// The draft is not kept, and why.
    pub fn require_kept(self) -> anyhow::Result<()> {
        match self {
            Self::Saved => Ok(()),
            Self::Outdated(_) => anyhow::bail!("somebody else has filled it in meanwhile"),
            Self::Closed => anyhow::bail!("the question was closed before"),
        }
    }
}

impl Client {
    /// Saves a draft that was built on its revision `built_on`.
    pub fn save_draft_over(
        &self,
        id: &AskId,
        draft: &Draft,
        surface: &str,
        built_on: u64,
    ) -> impl Future<Output = anyhow::Result<DraftResult>> + use<> {
        self.send_draft(id, draft, surface, Some(built_on))
    }

    /// Saves a draft over whatever draft is stored.
    pub fn save_draft(
        &self,
        id: &AskId,
        draft: &Draft,
        surface: &str,
    ) -> impl Future<Output = anyhow::Result<DraftResult>> + use<> {
        self.send_draft(id, draft, surface, None)
    }

    fn send_draft(
        &self,
        id: &AskId,
        draft: &Draft,
        surface: &str,
        built_on: Option<u64>,
    ) -> impl Future<Output = anyhow::Result<DraftResult>> + use<> {
        let saved = self.call(Request::SaveDraft {
            id: id.clone(),
            draft: draft.clone(),
            surface: surface.to_owned(),
            built_on,
            sender: self.sender.clone(),
        });
        async move {
            match saved.await? {
                // A hub of 0.1.0 replies so if the ask is closed.
                Response::Done { count: 0 } => Ok(DraftResult::Closed),
                Response::Done { .. } => Ok(DraftResult::Saved),
                Response::Record(record) if !record.is_answerable() => Ok(DraftResult::Closed),
                Response::Record(record) => {
                    let record = Arc::unwrap_or_clone(record);
                    Ok(DraftResult::Outdated(Box::new(record)))
                }
                other => Err(unexpected_response(&other)),
            }
        }
    }

    /// Snoozes an open ask, or ends its snooze with `None`.
    pub async fn snooze(&self, id: &str, snooze: Option<Snooze>) -> anyhow::Result<Record> {
        let id = id.to_owned();
        self.request_record(Request::Snooze { id, snooze }).await
    }

    /// Extends the deadline of an open ask, at most to the latest moment that its agent accepts.
    pub async fn extend(&self, id: &str, until: Time) -> anyhow::Result<Record> {
        let id = id.to_owned();
        self.request_record(Request::Extend { id, until }).await
    }

    /// Reports that the agent's client shows the question itself, or with `None` that it no longer
    /// does.
    pub async fn in_client(&self, id: &AskId, how: Option<InClient>) -> anyhow::Result<()> {
        let id = id.clone();
        self.call(Request::InClient { id, how }).await?;
        Ok(())
    }

    /// A short-lived, single-use key that opens the hub's page, and the port of the page. With
    /// `public` the key is valid at `http.public_url` alone, otherwise at this machine's own
    /// address alone.
    pub async fn page_key(&self, public: bool) -> anyhow::Result<(String, Option<u16>)> {
        match self.call(Request::PageKey { public }).await? {
            Response::PageKey { key, port } => Ok((key, port)),
            other => Err(unexpected_response(&other)),
        }
    }

    /// Runs a pairing command and returns the resulting state.
    pub async fn pairing(&self, command: PairingCommand) -> anyhow::Result<Pairing> {
        let request = Request::Pairing {
            command,
            sender: None,
        };
        match self.call(request).await? {
            Response::Pairing(pairing) => Ok(*pairing),
            other => Err(unexpected_response(&other)),
        }
    }

    /// Mutes or unmutes notifications.
    pub async fn mute(&self, on: bool) -> anyhow::Result<()> {
        self.call(Request::Mute { on }).await?;
        Ok(())
    }
}
