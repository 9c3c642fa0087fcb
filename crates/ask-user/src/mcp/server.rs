//! What the server does with a call: read it in its dialect, open it at the hub,
//! wait, and write what became of it. A call is only a waiter: when it leaves, the
//! ask stays.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use ask_core::dialect::wire::Request;
use ask_core::dialect::{Call, Dialect, Json, Refusal, Reply, Setting, Wait, Word, json};
use ask_core::{AskId, Asker, Plain, Record, lifecycle};
use rmcp::ServiceExt;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ClientNotification,
    ClientRequest, ErrorData, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, RequestId, ServerCapabilities,
    ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, Service};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{OnceCell, mpsc};

use super::keepalive::{Beat, Keepalive};
use super::stdio::{Event, Stdio};
use super::{Offer, Offered, debug, shape};
use crate::home::Home;
use crate::hub::client::{Client, Waiting};
use crate::{asker, clock};

/// Serves one client over the standard streams until it is gone.
pub async fn run(home: Home, offer: Offer) -> anyhow::Result<()> {
    let (events, mut happened) = mpsc::unbounded_channel();
    let server = Server {
        shared: Arc::new(Shared {
            home,
            offer,
            hub: OnceCell::new(),
            waits: Mutex::default(),
            replies: Mutex::default(),
            keepalive: Keepalive::default(),
            calls: AtomicU64::new(0),
        }),
    };
    let shared = Arc::clone(&server.shared);
    // Ctrl+C in a terminal reaches the whole group; the agent decides when we end, not the key.
    let _ignored = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let standing = Arc::clone(&shared);
    let keepalive = shared.keepalive.clone();
    tokio::spawn(keepalive.run(move |ask| {
        let shared = Arc::clone(&standing);
        async move {
            let record = shared.hub.get()?.get(ask.as_str()).await.ok()?;
            Some(waits(&record))
        }
    }));
    tokio::spawn(async move {
        if let Ok(service) = Patient(server).serve(Stdio::open(events)).await {
            let _ = service.waiting().await;
        }
    });
    loop {
        let event = tokio::select! {
            event = happened.recv() => event,
            _ = terminate.recv() => None,
        };
        debug(|| format!("{event:?}"));
        match event {
            Some(Event::Replied(id)) => shared.delivered(&id),
            Some(Event::Gone) | None => return Ok(()),
        }
    }
}

#[derive(Clone)]
struct Server {
    shared: Arc<Shared>,
}

struct Shared {
    home: Home,
    offer: Offer,
    hub: OnceCell<Client>,
    /// Calls whose person has yet to answer.
    waits: Mutex<HashMap<RequestId, Waits>>,
    /// Outcomes that are delivered once the reply to this request is written.
    replies: Mutex<HashMap<RequestId, Vec<AskId>>>,
    keepalive: Keepalive,
    calls: AtomicU64,
}

/// What a call comes to.
struct Told {
    reply: Reply,
    delivers: Vec<AskId>,
}

impl From<Reply> for Told {
    fn from(reply: Reply) -> Self {
        Self {
            reply,
            delivers: Vec::new(),
        }
    }
}

/// A tool list stays the same for as long as the server runs.
const LIST_LIVES_MS: u64 = 60 * 60 * 1_000;

/// The server as rmcp meets it. rmcp's own handling of a request takes kilobytes,
/// which a call would hold for as long as its person thinks; so that handling is
/// done with once the ask is kept, and only the wait remains.
struct Patient(Server);

impl Service<RoleServer> for Patient {
    fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ServerResult, ErrorData>> + Send + '_ {
        let shared = &self.0.shared;
        let (id, cancelled) = (context.id.clone(), context.ct.clone());
        let opening = Box::pin(Service::handle_request(&self.0, request, context));
        async move {
            let kind = match opening.await? {
                ServerResult::CallToolResult(result) if shared.waits().contains_key(&id) => {
                    result.result_type
                }
                done => return Ok(done),
            };
            let Some(call) = shared.waits().remove(&id) else {
                return Ok(ServerResult::CallToolResult(shape::empty()));
            };
            let told = tokio::select! {
                biased;
                // Nobody reads the reply to a cancelled call. The ask stays.
                () = cancelled.cancelled() => Reply::text("").into(),
                told = call.told() => told,
            };
            let mut result = shared.tell(id, told);
            result.result_type = kind;
            Ok(ServerResult::CallToolResult(result))
        }
    }

    fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send + '_ {
        Service::handle_notification(&self.0, notification, context)
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&self.0)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("ask-user", env!("CARGO_PKG_VERSION")).with_title("ask-user"),
            )
            .with_instructions(self.shared.offer.instructions())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.shared.offer.tools().iter().map(shape::tool).collect();
        let list = ListToolsResult::with_all_items(tools);
        // Older revisions know no such hints.
        let modern = context
            .protocol_version()
            .is_some_and(|version| !version.has_initialize());
        Ok(if modern {
            list.with_ttl_ms(LIST_LIVES_MS)
                .with_cache_scope(CacheScope::Public)
        } else {
            list
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(offered) = self.shared.offer.find(&request.name) else {
            let names: Vec<&str> = self
                .shared
                .offer
                .tools()
                .iter()
                .map(|offered| offered.name.as_str())
                .collect();
            let said = format!(
                "there is no tool named \"{}\"; there is {}",
                Plain::line(&request.name),
                names.join(", ")
            );
            return Err(ErrorData::invalid_params(said, None));
        };
        debug(|| format!("request {}: a call of {}", context.id, request.name));
        let arguments = Json::Object(request.arguments.unwrap_or_default());
        let id = context.id.clone();
        let told = match self.shared.begin(offered, &arguments, context).await {
            Begun::Told(told) => told,
            Begun::Waits(call) => {
                self.shared.waits().insert(id, call);
                return Ok(shape::unread());
            }
        };
        Ok(CallToolResponse::Complete(self.shared.tell(id, told)))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<
            rmcp::model::ListPromptsRequestMethod,
        >())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<
            rmcp::model::ListResourcesRequestMethod,
        >())
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<
            rmcp::model::ListResourceTemplatesRequestMethod,
        >())
    }
}

/// A call as far as it got without a person.
enum Begun {
    /// There is a reply already.
    Told(Told),
    /// A person has to answer first.
    Waits(Waits),
}

/// A call that waits.
struct Waits {
    dialect: &'static dyn Dialect,
    waiting: Waiting,
    /// A fetch that gives up after a while, with what it says then.
    limit: Option<(Duration, Reply)>,
    is_fetch: bool,
    _beat: Option<Beat>,
}

impl Waits {
    async fn told(mut self) -> Told {
        let outcome = match self.limit {
            None => self.waiting.outcome().await,
            Some((limit, reply)) => {
                match tokio::time::timeout(limit, self.waiting.outcome()).await {
                    Ok(outcome) => outcome,
                    Err(_) => return reply.into(),
                }
            }
        };
        match outcome {
            Ok(record) => {
                debug(|| format!("{} {}", record.id, record.state_word()));
                if self.is_fetch {
                    fetched(self.dialect, &[record])
                } else {
                    closed(self.dialect, &record)
                }
            }
            Err(error) => failed(self.dialect, &error),
        }
    }
}

impl Shared {
    async fn begin(
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
            self.hub().await?.open(record.clone()).await?;
            return Ok(Begun::Told(dialect.write(Word::Open(&record)).into()));
        }
        let beat = self.beat(&context, &record).await;
        let waiting = self.hub().await?.ask(record).await?;
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
        let record = match hub.get(&id).await {
            // An agent must not read what was asked in another wording by another agent.
            Ok(record) if record.dialect == dialect.name() => record,
            Ok(_) | Err(_) => return Ok(Begun::Told(dialect.write(Word::NoSuchAsk(&id)).into())),
        };
        let so_far = fetched(dialect, std::slice::from_ref(&record));
        let limit = match wait {
            Wait::No => return Ok(Begun::Told(so_far)),
            _ if !record.is_waiting() => return Ok(Begun::Told(so_far)),
            Wait::Ms(ms) => Some((Duration::from_millis(ms), so_far.reply)),
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
    fn tell(&self, id: RequestId, told: Told) -> CallToolResult {
        if !told.delivers.is_empty() {
            self.replies().insert(id, told.delivers);
        }
        shape::tool_result(told.reply)
    }

    fn waits(&self) -> MutexGuard<'_, HashMap<RequestId, Waits>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The hub, found or started by the first call that needs it.
    async fn hub(&self) -> anyhow::Result<&Client> {
        self.hub
            .get_or_try_init(|| Box::pin(Client::connect(&self.home)))
            .await
            .context("the question could not be asked, and nobody has seen it")
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
    fn delivered(&self, id: &RequestId) {
        let told = self.replies().remove(id).unwrap_or_default();
        for ask in told {
            if let Some(hub) = self.hub.get().cloned() {
                tokio::spawn(async move { hub.delivered(&ask).await });
            }
        }
    }

    fn replies(&self) -> MutexGuard<'_, HashMap<RequestId, Vec<AskId>>> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed(dialect: &dyn Dialect, record: &Record) -> Told {
    Told {
        reply: dialect.write(Word::Closed(record)),
        delivers: vec![record.id.clone()],
    }
}

fn fetched(dialect: &dyn Dialect, records: &[Record]) -> Told {
    Told {
        reply: dialect.write(Word::Fetched(records)),
        delivers: records
            .iter()
            .filter(|record| !record.is_waiting())
            .map(|record| record.id.clone())
            .collect(),
    }
}

fn failed(dialect: &dyn Dialect, error: &anyhow::Error) -> Told {
    dialect.write(Word::Failed(&format!("{error:#}"))).into()
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
