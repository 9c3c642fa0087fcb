//! What a tool call comes to: read in its dialect, opened at the hub, waited for,
//! and told. A call is only a waiter: when it leaves, the ask stays.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use ask_core::dialect::wire::Request;
use ask_core::dialect::{Call, Dialect, Json, Refusal, Setting, Wait, Word, json};
use ask_core::{AskId, Asker, Plain, Record, lifecycle};
use rmcp::model::{CallToolResult, RequestId};
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;

use super::keepalive::{Beat, Keepalive};
use super::told::{Begun, NOT_ASKED, Told, Waits, failed, fetched};
use super::{Offer, Offered, debug, shape};
use crate::home::Home;
use crate::hub::client::Client;
use crate::{asker, clock};

/// Enough to keep the hub's disk busy.
const TURNS: usize = 64;

/// Before the first look at the feed: no cursor is that large, so the hub says where it stands.
const BEGINNING: u64 = u64::MAX >> 1;

/// What all calls of one server share.
pub struct Shared {
    home: Home,
    pub offer: Offer,
    hub: OnceCell<Client>,
    /// How many calls may be on their way to the hub at once.
    pub turns: Semaphore,
    /// Calls whose person has yet to answer.
    waits: Mutex<HashMap<RequestId, Waits>>,
    /// Outcomes that are delivered once the reply to this request is written.
    replies: Mutex<HashMap<RequestId, Vec<AskId>>>,
    pub keepalive: Keepalive,
    calls: AtomicU64,
    /// Where the hub's feed stood when progress was last looked up.
    seen: AtomicU64,
}

impl Shared {
    /// For a server that nobody has called yet.
    pub fn new(home: Home, offer: Offer) -> Self {
        Self {
            home,
            offer,
            hub: OnceCell::new(),
            turns: Semaphore::new(TURNS),
            waits: Mutex::default(),
            replies: Mutex::default(),
            keepalive: Keepalive::default(),
            calls: AtomicU64::new(0),
            seen: AtomicU64::new(BEGINNING),
        }
    }

    /// How far the person is with each ask that has changed since the last time, for progress:
    /// one look for all calls, however many wait.
    pub async fn news(&self) -> Vec<(AskId, String)> {
        let Some(hub) = self.hub.get() else {
            return Vec::new();
        };
        let after = self.seen.load(Ordering::Relaxed);
        let Ok(changes) = hub.changes(after).await else {
            return Vec::new();
        };
        self.seen.store(changes.cursor, Ordering::Relaxed);
        let told = |record: &Record| (record.id.clone(), waits(record));
        changes.records.iter().map(told).collect()
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
                let who = asker_of(&context, agent);
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
            let hub = self.hub().await.context(NOT_ASKED)?;
            let opened = hub.open(record.clone()).await;
            opened.context(NOT_ASKED)?;
            return Ok(Begun::Told(dialect.write(Word::Open(&record)).into()));
        }
        let beat = self.beat(&context, &record).await;
        let hub = self.hub().await.context(NOT_ASKED)?;
        if beat.is_some() && self.seen.load(Ordering::Relaxed) == BEGINNING {
            // From here on the feed tells what becomes of our asks.
            self.news().await;
        }
        let waiting = hub.ask(record).await.context(NOT_ASKED)?;
        debug(|| format!("request {}: the ask is kept, now the person", context.id));
        Ok(Begun::Waits(Waits {
            dialect,
            waiting,
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
        let hub = self.hub().await?;
        let Some(id) = id else {
            let who = asker_of(&context, None);
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

    /// The hub, found or started by the first call that needs it.
    async fn hub(&self) -> anyhow::Result<&Client> {
        self.hub
            .get_or_try_init(|| Box::pin(Client::connect(&self.home)))
            .await
    }

    async fn beat(&self, context: &RequestContext<RoleServer>, record: &Record) -> Option<Beat> {
        let token = context.meta.get_progress_token()?;
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let message = waits(record);
        Some(
            self.keepalive
                .begin(
                    number,
                    record.id.clone(),
                    context.peer.clone(),
                    token,
                    message,
                )
                .await,
        )
    }

    /// The reply to a request was written: what it told is delivered.
    pub fn delivered(&self, id: &RequestId, deliveries: &mut JoinSet<()>) {
        while deliveries.try_join_next().is_some() {}
        let told = self.replies().remove(id).unwrap_or_default();
        for ask in told {
            if let Some(hub) = self.hub.get().cloned() {
                deliveries.spawn(async move {
                    // Where the hub can't be had, the outcome stays undelivered and is told again.
                    let _ = hub.delivered(&ask).await;
                });
            }
        }
    }

    fn replies(&self) -> MutexGuard<'_, HashMap<RequestId, Vec<AskId>>> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a progress notification says: what waits, how far the person is, and where to answer.
fn waits(record: &Record) -> String {
    let headline = Plain::line(record.ask.headline());
    let short: String = headline.as_str().chars().take(80).collect();
    let count = record.ask.questions.len();
    let given = record.draft.as_ref().map_or(0, |saved| saved.draft.given());
    let how_far = match &record.shown {
        Some(shown) if given > 0 => format!("{given} of {count} answered in {}", shown.surface),
        Some(shown) => format!("open in {}", shown.surface),
        None => "answer with `ask-user inbox`".to_owned(),
    };
    format!("Waiting for the user: {short} ({how_far})")
}

fn asker_of(context: &RequestContext<RoleServer>, agent: Option<String>) -> Asker {
    let here = asker::here();
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
