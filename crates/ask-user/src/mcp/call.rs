//! What a tool call comes to: read in its dialect, opened at the hub, waited for,
//! and told. A call is only a waiter: when it leaves, the ask stays.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use ask_core::dialect::wire::Request;
use ask_core::dialect::{Call, Dialect, Json, Refusal, Setting, Wait, Word, json};
use ask_core::{AskId, Asker, Record, lifecycle};
use rmcp::model::{CallToolResult, RequestId};
use rmcp::service::{RequestContext, RoleServer};

use super::keepalive::Beat;
use super::shared::Shared;
use super::told::{Begun, NOT_ASKED, Told, Waits, failed, fetched};
use super::{Offer, Offered, debug, shape};
use crate::{asker, clock};

/// One client's conversation: the tools it was offered, and its calls.
pub struct Conversation {
    pub shared: Arc<Shared>,
    pub offer: Arc<Offer>,
    place: Place,
    /// Calls whose person has yet to answer.
    waits: Mutex<HashMap<RequestId, Waits>>,
    /// Outcomes that are delivered once the reply to this request is written.
    replies: Mutex<HashMap<RequestId, Vec<AskId>>>,
}

/// Where the client is, which it can't say over the protocol.
pub enum Place {
    /// It started this process, so it is where the process is.
    Here,
}

impl Conversation {
    /// One that nobody has called in yet.
    pub fn new(shared: Arc<Shared>, offer: Arc<Offer>, place: Place) -> Self {
        Self {
            shared,
            offer,
            place,
            waits: Mutex::default(),
            replies: Mutex::default(),
        }
    }

    /// Reads a call and opens its ask, or finds what it asks for.
    pub async fn begin(
        &self,
        offered: &Offered,
        arguments: &Json,
        context: RequestContext<RoleServer>,
    ) -> Begun {
        let dialect = offered.dialect;
        let setting = Setting {
            limit_ms: std::env::var("CN_MCP_TIMEOUT")
                .ok()
                .and_then(|text| text.parse().ok()),
            random: clock::random(),
        };
        let call = match json::check_size(arguments) {
            Ok(()) => dialect.read(offered.tool.name, arguments, &setting),
            Err(problem) => Err(Refusal::from(problem)),
        };
        let begun = match call {
            Err(refusal) => return Begun::Told(dialect.write(Word::Refused(&refusal)).into()),
            Ok(Call::Ask {
                ask,
                agent,
                detached,
            }) => {
                let who = self.asker(&context, agent);
                let id = dialect.id(clock::random());
                let record = lifecycle::open(id, dialect.name(), *ask, who, clock::now());
                self.ask(dialect, record, detached, context).await
            }
            Ok(Call::Fetch { id, wait }) => self.fetch(dialect, id, wait, context).await,
        };
        begun.unwrap_or_else(|error| Begun::Told(failed(dialect, &error)))
    }

    async fn ask(
        &self,
        dialect: &'static dyn Dialect,
        record: Record,
        detached: bool,
        context: RequestContext<RoleServer>,
    ) -> anyhow::Result<Begun> {
        if detached {
            let hub = self.shared.hub().await.context(NOT_ASKED)?;
            let opened = hub.open(record.clone()).await;
            opened.context(NOT_ASKED)?;
            return Ok(Begun::Told(dialect.write(Word::Open(&record)).into()));
        }
        let beat = self.beat(&context, &record).await;
        let hub = self.shared.hub().await.context(NOT_ASKED)?;
        if beat.is_some() {
            self.shared.listen().await;
        }
        let asked_at = record.asked_at;
        let waiting = hub.ask(record, true).await.context(NOT_ASKED)?;
        debug(|| format!("request {}: the ask is kept, now the person", context.id));
        Ok(Begun::Waits(Waits {
            dialect,
            waiting,
            asked_at,
            limit: None,
            is_fetch: false,
            _beat: beat,
        }))
    }

    async fn fetch(
        &self,
        dialect: &'static dyn Dialect,
        id: Option<String>,
        wait: Wait,
        context: RequestContext<RoleServer>,
    ) -> anyhow::Result<Begun> {
        let hub = self.shared.hub().await?;
        let Some(id) = id else {
            let who = self.asker(&context, None);
            let request = Request::Undelivered {
                client: who.client,
                directory: who.directory,
            };
            let (records, _) = hub.list(request).await?;
            return Ok(Begun::Told(fetched(dialect, &records)));
        };
        // An agent must not read what was asked in another wording by another agent.
        let found = hub.look(&id).await?;
        let Some(record) = found.filter(|record| record.dialect == dialect.name()) else {
            return Ok(Begun::Told(dialect.write(Word::NoSuchAsk(&id)).into()));
        };
        let so_far = fetched(dialect, std::slice::from_ref(&record));
        let limit = match wait {
            Wait::No => return Ok(Begun::Told(so_far)),
            _ if !record.is_waiting() => return Ok(Begun::Told(so_far)),
            Wait::Ms(ms) => Some(Box::new((Duration::from_millis(ms), so_far.reply))),
            Wait::Forever => None,
        };
        let beat = self.beat(&context, &record).await;
        let waiting = hub.wait(record.id.as_str()).await?;
        Ok(Begun::Waits(Waits {
            dialect,
            waiting,
            asked_at: record.asked_at,
            limit,
            is_fetch: true,
            _beat: beat,
        }))
    }

    /// A reply in the shape of the protocol, noted for when it is written.
    pub fn tell(&self, id: RequestId, told: Told) -> CallToolResult {
        if !told.delivers.is_empty() {
            self.replies().insert(id, told.delivers);
        }
        shape::tool_result(told.reply)
    }

    pub fn waits(&self) -> MutexGuard<'_, HashMap<RequestId, Waits>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn beat(&self, context: &RequestContext<RoleServer>, record: &Record) -> Option<Beat> {
        let token = context.meta.get_progress_token()?;
        let peer = context.peer.clone();
        Some(self.shared.beat(peer, token, record).await)
    }

    /// The reply to a request was written: what it told is delivered once this is done.
    pub fn delivered(&self, id: &RequestId) -> impl Future<Output = ()> + Send + use<> {
        let told = self.replies().remove(id).unwrap_or_default();
        let hub = self.shared.known_hub();
        async move {
            for ask in told {
                if let Some(hub) = &hub {
                    // Where the hub can't be had, the outcome stays undelivered and is told again.
                    let _ = hub.delivered(&ask).await;
                }
            }
        }
    }

    fn asker(&self, context: &RequestContext<RoleServer>, agent: Option<String>) -> Asker {
        let here = match &self.place {
            Place::Here => asker::here(),
        };
        let client = context.client_info();
        let session = ["sessionId", "threadId"].iter().find_map(|key| {
            context
                .meta
                .get(*key)
                .and_then(Json::as_str)
                .map(str::to_owned)
        });
        Asker {
            client: client.as_ref().map(|client| client.name.clone()),
            version: client.map(|client| client.version),
            agent: agent.or(here.agent),
            session: session.or(here.session),
            ..here
        }
    }

    fn replies(&self) -> MutexGuard<'_, HashMap<RequestId, Vec<AskId>>> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
