//! The calls of a card: what the person did, for asks of the same conversation.

use ask_clients::labels::Apps;
use ask_config::clock;
use ask_core::record::InClient;
use ask_core::{Json, Outcome, Record};
use ask_dialects::mcp_app::{self, AskStatus, CardCommand, SURFACE, Which};
use ask_hub::client::{Client, Delivery};
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::ops;
use ask_protocol::api::{RecordView, Revision, Settled};
use ask_protocol::ipc::{Request, Verdict};
use ask_protocol::{Reply, to_json};
use sha2::{Digest as _, Sha256};
use tracing::debug;

use super::App;
use crate::call::Conversation;

/// The result for an agent that calls a card's tool itself.
const NOT_YOURS: &str = "This tool is for the card that the user answers in, and nothing was done. \
     Only the user answers: wait for them.";

/// Carries out a call, if it carries the card's key.
pub(super) async fn call(
    conversation: &Conversation,
    app: &App,
    apps: Apps,
    tool: &mcp_app::CardTool,
    arguments: &Json,
) -> Reply {
    let wish = match mcp_app::read(tool.does, arguments) {
        Ok((key, wish)) if app.opens_for(&key) => wish,
        Ok(_) | Err(_) => {
            debug!("refused a call of {} without the card's key", tool.name);
            return Reply::error(NOT_YOURS);
        }
    };
    let done = match conversation.shared.hub().await {
        Ok(hub) => Desk { hub, app, apps }.grant(wish).await,
        Err(error) => Err(error.into()),
    };
    match done {
        Ok(value) => mcp_app::done(&value),
        Err(problem) => mcp_app::failed(&problem.trouble(tool.name)),
    }
}

struct Desk<'a> {
    hub: &'a Client,
    app: &'a App,
    apps: Apps,
}

impl Desk<'_> {
    async fn grant(&self, wish: CardCommand) -> Result<Json, Problem> {
        match wish {
            CardCommand::State { which, stamp, seen } => self.state(&which, stamp, seen).await,
            CardCommand::Draft {
                id,
                draft,
                built_on,
            } => {
                let id = self.own(&id).await?.id;
                let revision =
                    ops::keep(self.hub, id, draft, SURFACE, Some(built_on), None).await?;
                Ok(to_json(&Revision { revision }))
            }
            CardCommand::Submit {
                id,
                answers,
                attempt,
            } => {
                let record = self.own(&id).await?;
                let verdict = ops::answer(&record, &answers)?;
                self.settle(&record, verdict, attempt.as_deref()).await
            }
            CardCommand::Decline { id, reason } => {
                let record = self.own(&id).await?;
                self.settle(&record, ops::decline(reason), None).await
            }
            CardCommand::AskBack { id, words } => {
                let record = self.own(&id).await?;
                self.settle(&record, ops::clarify(words)?, None).await
            }
            CardCommand::Extend { id, until } => {
                let id = self.own(&id).await?.id.as_str().to_owned();
                let record = ops::change(self.hub, Request::Extend { id, until }).await?;
                let reply = ask_dialects::reply_text(&record);
                Ok(to_json(&RecordView::whole(&record, reply)))
            }
            CardCommand::Acknowledge { id } => {
                let record = self.own(&id).await?;
                if message(self.apps, &record).is_some() {
                    self.hub.delivered(Delivery::from(&record)).await?;
                }
                Ok(Json::Null)
            }
        }
    }

    /// An ask of this conversation. Asks of other conversations are reported as missing.
    async fn own(&self, id: &str) -> Result<Record, Problem> {
        let found = match self.app.has(id) {
            true => self.hub.named(id).await?,
            false => None,
        };
        let nothing = || {
            Problem::new(
                ProblemKind::NotFound,
                "nothing was asked under that id here",
            )
        };
        found.ok_or_else(nothing)
    }

    async fn state(
        &self,
        which: &Which,
        stamp: Option<String>,
        seen: bool,
    ) -> Result<Json, Problem> {
        let meant = self.app.meant(which);
        let mut record = match &meant {
            Some((id, _)) => self.hub.named(id.as_str()).await?,
            None => None,
        };
        let mut page = None;
        if let Some(record) = &mut record {
            if seen && record.is_answerable() {
                self.hub.shown(&record.id, SURFACE).await?;
            }
            if record.is_open() && record.in_client.is_none() {
                record.in_client = Some(InClient::Dialog);
                self.hub.in_client(&record.id, record.in_client).await?;
            }
            let port = self.hub.status().await.ok().and_then(|status| status.port);
            page = port.map(|port| format!("http://127.0.0.1:{port}/a/{}", record.id));
        }
        let told = record
            .as_ref()
            .and_then(|record| message(self.apps, record));
        Ok(mcp_app::serialize_status(&AskStatus {
            record: record.as_ref(),
            sure: meant.is_some_and(|(_, sure)| sure),
            stamp: stamp.as_deref(),
            page: page.as_deref(),
            tell: told.as_deref(),
            now: clock::now(),
        }))
    }

    async fn settle(
        &self,
        record: &Record,
        verdict: Verdict,
        retry: Option<&str>,
    ) -> Result<Json, Problem> {
        let attempt = retry.map_or_else(clock::attempt, |retry| attempt(retry, record));
        let request = Request::Settle {
            id: record.id.clone(),
            verdict,
            surface: SURFACE.to_owned(),
            device: None,
            attempt,
            sender: None,
        };
        let record = ops::close(self.hub, request).await?;
        let view = RecordView::whole(&record, ask_dialects::reply_text(&record));
        let mut out = to_json(&Settled::from(view));
        if let Some(told) = message(self.apps, &record) {
            out["tell"] = told.into();
        }
        Ok(out)
    }
}

/// The number of a retried attempt, derived from the card's key for it and the ask.
fn attempt(retry: &str, record: &Record) -> u64 {
    let digest = Sha256::new()
        .chain_update(retry)
        .chain_update([0])
        .chain_update(record.id.as_str())
        .finalize();
    let mut number = [0; 8];
    number[..6].copy_from_slice(&digest[..6]);
    u64::from_le_bytes(number)
}

/// The message that the card passes on to the agent, where the asking call returned before the
/// answer.
fn message(apps: Apps, record: &Record) -> Option<String> {
    let by_person = record
        .settlement()
        .map(|settlement| &settlement.outcome)
        .is_some_and(Outcome::is_human);
    let passes = apps == Apps::After && by_person && !record.is_delivered();
    passes.then(|| mcp_app::message(record)).flatten()
}
