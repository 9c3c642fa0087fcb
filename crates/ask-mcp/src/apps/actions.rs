//! Handles the calls of a card: the actions of the person, for asks of the same conversation.

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

/// The result for an agent that calls one of the card's tools itself.
const NOT_FOR_AGENTS: &str = "This tool is for the card that the user answers in, and nothing was done. \
     Only the user answers: wait for them.";

/// Carries out a call, if it carries the card's key.
pub(super) async fn call(
    conversation: &Conversation,
    app: &App,
    apps: Apps,
    tool: &mcp_app::CardTool,
    arguments: &Json,
) -> Reply {
    let command = match mcp_app::read(tool.does, arguments) {
        Ok((key, command)) if app.is_key(&key) => command,
        Ok(_) | Err(_) => {
            debug!("refused a call of {} without the card's key", tool.name);
            return Reply::error(NOT_FOR_AGENTS);
        }
    };
    let result = match conversation.shared.hub().await {
        Ok(hub) => CardHandler { hub, app, apps }.handle(command).await,
        Err(error) => Err(error.into()),
    };
    match result {
        Ok(value) => mcp_app::done(&value),
        Err(problem) => mcp_app::failed(&problem.to_document(tool.name)),
    }
}

struct CardHandler<'a> {
    hub: &'a Client,
    app: &'a App,
    apps: Apps,
}

impl CardHandler<'_> {
    async fn handle(&self, command: CardCommand) -> Result<Json, Problem> {
        match command {
            CardCommand::State { which, stamp, seen } => self.state(&which, stamp, seen).await,
            CardCommand::Draft {
                id,
                draft,
                built_on,
            } => {
                let id = self.find_own(&id).await?.id;
                let revision =
                    ops::save_draft(self.hub, id, draft, SURFACE, Some(built_on), None).await?;
                Ok(to_json(&Revision { revision }))
            }
            CardCommand::Submit {
                id,
                answers,
                attempt,
            } => {
                let record = self.find_own(&id).await?;
                let verdict = ops::answer_verdict(&record, &answers)?;
                self.settle(&record, verdict, attempt.as_deref()).await
            }
            CardCommand::Decline { id, reason } => {
                let record = self.find_own(&id).await?;
                self.settle(&record, ops::decline_verdict(reason), None)
                    .await
            }
            CardCommand::AskBack { id, words } => {
                let record = self.find_own(&id).await?;
                self.settle(&record, ops::clarify_verdict(words)?, None)
                    .await
            }
            CardCommand::Extend { id, until } => {
                let id = self.find_own(&id).await?.id.as_str().to_owned();
                let record = ops::change_ask(self.hub, Request::Extend { id, until }).await?;
                let reply = ask_dialects::reply_text(&record);
                Ok(to_json(&RecordView::whole(&record, reply)))
            }
            CardCommand::Acknowledge { id } => {
                let record = self.find_own(&id).await?;
                if agent_message(self.apps, &record).is_some() {
                    self.hub.delivered(Delivery::from(&record)).await?;
                }
                Ok(Json::Null)
            }
        }
    }

    /// An ask of this conversation. Asks of other conversations are reported as missing.
    async fn find_own(&self, id: &str) -> Result<Record, Problem> {
        let found = if self.app.has_opened(id) {
            self.hub.get_exact(id).await?
        } else {
            None
        };
        let not_found = || {
            Problem::new(
                ProblemKind::NotFound,
                "nothing was asked under that id here",
            )
        };
        found.ok_or_else(not_found)
    }

    async fn state(
        &self,
        which: &Which,
        stamp: Option<String>,
        seen: bool,
    ) -> Result<Json, Problem> {
        let found = self.app.find_ask(which);
        let mut record = match &found {
            Some((id, _)) => self.hub.get_exact(id.as_str()).await?,
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
        let tell = record
            .as_ref()
            .and_then(|record| agent_message(self.apps, record));
        Ok(mcp_app::serialize_status(&AskStatus {
            record: record.as_ref(),
            sure: found.is_some_and(|(_, is_certain)| is_certain),
            stamp: stamp.as_deref(),
            page: page.as_deref(),
            tell: tell.as_deref(),
            now: clock::now(),
        }))
    }

    async fn settle(
        &self,
        record: &Record,
        verdict: Verdict,
        key: Option<&str>,
    ) -> Result<Json, Problem> {
        let attempt = key.map_or_else(clock::attempt, |key| attempt(key, record));
        let request = Request::Settle {
            id: record.id.clone(),
            verdict,
            surface: SURFACE.to_owned(),
            device: None,
            attempt,
            hold: false,
            relayed: false,
            sender: None,
        };
        let record = ops::settle(self.hub, request).await?;
        let view = RecordView::whole(&record, ask_dialects::reply_text(&record));
        let mut out = to_json(&Settled::from(view));
        if let Some(tell) = agent_message(self.apps, &record) {
            out["tell"] = tell.into();
        }
        Ok(out)
    }
}

/// The number of an attempt, derived from the card's key for it and the ask. Retries have the same
/// key.
fn attempt(key: &str, record: &Record) -> u64 {
    let digest = Sha256::new()
        .chain_update(key)
        .chain_update([0])
        .chain_update(record.id.as_str())
        .finalize();
    let mut number = [0; 8];
    number[..6].copy_from_slice(&digest[..6]);
    u64::from_le_bytes(number)
}

/// The message that the card passes on to the agent, if the asking call returned before the answer.
fn agent_message(apps: Apps, record: &Record) -> Option<String> {
    let by_person = record
        .settlement()
        .map(|settlement| &settlement.outcome)
        .is_some_and(Outcome::is_human);
    let is_passed_on = apps == Apps::After && by_person && !record.is_delivered();
    is_passed_on.then(|| mcp_app::message(record)).flatten()
}
