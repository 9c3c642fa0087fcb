//! What the server does with a call: read it in its dialect, open it at the hub,
//! wait, and write what became of it. A call is only a waiter: when it leaves, the
//! ask stays.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use ask_core::dialect::wire::Request;
use ask_core::dialect::{Call, Json, Refusal, Reply, Setting, Wait, Word, json};
use ask_core::{AskId, Asker, Plain, Record, lifecycle};
use rmcp::ServiceExt;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    CustomRequest, CustomResult, ErrorCode, ErrorData, Implementation, JsonObject,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    MetaObject, PaginatedRequestParams, RequestId, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{OnceCell, mpsc};
use tokio::task::JoinSet;

use super::keepalive::{Beat, Keepalive};
use super::stdio::{Event, Stdio};
use super::{Offer, Offered, debug};
use crate::home::Home;
use crate::hub::client::Client;
use crate::{asker, clock};

/// Serves one client over the standard streams until it is gone.
pub async fn run(home: Home, offer: Offer) -> anyhow::Result<()> {
    let (events, mut happened) = mpsc::unbounded_channel();
    let server = Server {
        shared: Arc::new(Shared {
            home,
            offer,
            hub: OnceCell::new(),
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
    let gone = events.clone();
    tokio::spawn(async move {
        match server.serve(Stdio::open(events)).await {
            Ok(service) => drop(service.waiting().await),
            Err(error) => debug(|| format!("the conversation could not begin: {error}")),
        }
        // Without a conversation the process would be of no use, and nobody would know.
        let _ = gone.send(Event::Gone);
    });
    let mut deliveries = JoinSet::new();
    loop {
        let event = tokio::select! {
            event = happened.recv() => event,
            _ = terminate.recv() => None,
        };
        debug(|| format!("{event:?}"));
        match event {
            Some(Event::Replied(id)) => shared.delivered(&id, &mut deliveries),
            Some(Event::Gone) | None => break,
        }
    }
    // An agent may go as soon as it has its last reply; the hub shall still hear of that one.
    let _ = tokio::time::timeout(LAST_WORDS, deliveries.join_all()).await;
    Ok(())
}

/// How long the process stays for what it has to tell the hub when its agent is gone.
const LAST_WORDS: Duration = Duration::from_millis(80);

#[derive(Clone)]
struct Server {
    shared: Arc<Shared>,
}

struct Shared {
    home: Home,
    offer: Offer,
    hub: OnceCell<Client>,
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

/// Methods whose parameters a client can get wrong.
const KNOWN: [&str; 3] = ["initialize", "tools/call", "tools/list"];

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
        let tools = self.shared.offer.tools().iter().map(tool).collect();
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
        let cancelled = context.ct.clone();
        let id = context.id.clone();
        let Told { reply, delivers } = tokio::select! {
            biased;
            // Nobody reads the reply to a cancelled call. The ask stays.
            () = cancelled.cancelled() => Reply::text("").into(),
            result = self.shared.call(offered, arguments, context) => result,
        };
        if !delivers.is_empty() {
            self.shared.replies().insert(id, delivers);
        }
        Ok(CallToolResponse::Complete(tool_result(reply)))
    }

    /// Also what a request that is known comes to when its parameters can't be read.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = Plain::line(&request.method);
        Err(if KNOWN.contains(&request.method.as_str()) {
            let said = format!(
                "the parameters of {method} can't be read; a call is \
                 {{\"name\":\"ask_user\",\"arguments\":{{...}}}}"
            );
            ErrorData::invalid_params(said, None)
        } else {
            let said = format!("this server has no method {method}");
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, said, None)
        })
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

impl Shared {
    async fn call(
        &self,
        offered: &Offered,
        arguments: Json,
        context: RequestContext<RoleServer>,
    ) -> Told {
        let dialect = offered.dialect;
        let setting = Setting {
            limit_ms: std::env::var("CN_MCP_TIMEOUT")
                .ok()
                .and_then(|text| text.parse().ok()),
            random: clock::random(),
        };
        let call = match json::check_size(&arguments) {
            Ok(()) => dialect.read(offered.tool.name, &arguments, &setting),
            Err(problem) => Err(Refusal::from(problem)),
        };
        drop(arguments);
        let result = match call {
            Err(refusal) => return dialect.write(Word::Refused(&refusal)).into(),
            Ok(Call::Ask {
                ask,
                agent,
                detached,
            }) => {
                let who = asker_of(&context, agent);
                let id = dialect.id(clock::random());
                let record = lifecycle::open(id, dialect.name(), *ask, who, clock::now());
                self.ask(offered, record, detached, context).await
            }
            Ok(Call::Fetch { id, wait }) => self.fetch(offered, id, wait, context).await,
        };
        result.unwrap_or_else(|error| dialect.write(Word::Failed(&format!("{error:#}"))).into())
    }

    async fn ask(
        &self,
        offered: &Offered,
        record: Record,
        detached: bool,
        context: RequestContext<RoleServer>,
    ) -> anyhow::Result<Told> {
        if detached {
            let hub = self.hub().await.context(NOT_ASKED)?;
            let opened = hub.open(record.clone()).await;
            opened.context(NOT_ASKED)?;
            return Ok(offered.dialect.write(Word::Open(&record)).into());
        }
        let beat = self.begin(&context, &record).await;
        let request = context.id.clone();
        let hub = self.hub().await.context(NOT_ASKED)?;
        let asked = hub.ask(record).await;
        let mut waiting = asked.context(NOT_ASKED)?;
        debug(|| format!("request {request}: the ask is kept, now the person"));
        let record = waiting.outcome().await?;
        debug(|| format!("request {request}: {} {}", record.id, record.state_word()));
        drop(beat);
        Ok(closed(offered, &record))
    }

    async fn fetch(
        &self,
        offered: &Offered,
        id: Option<String>,
        wait: Wait,
        context: RequestContext<RoleServer>,
    ) -> anyhow::Result<Told> {
        let hub = self.hub().await?;
        let Some(id) = id else {
            let who = asker_of(&context, None);
            let request = Request::Undelivered {
                client: who.client,
                directory: who.directory,
            };
            let (records, _) = hub.list(request).await?;
            return Ok(fetched(offered, &records));
        };
        let record = match hub.get(&id).await {
            // An agent must not read what was asked in another wording by another agent.
            Ok(record) if record.dialect == offered.dialect.name() => record,
            Ok(_) | Err(_) => return Ok(offered.dialect.write(Word::NoSuchAsk(&id)).into()),
        };
        if record.is_waiting() && wait != Wait::No {
            let beat = self.begin(&context, &record).await;
            let mut waiting = hub.wait(record.id.as_str()).await?;
            let outcome = match wait {
                Wait::Ms(ms) => tokio::time::timeout(Duration::from_millis(ms), waiting.outcome())
                    .await
                    .ok(),
                Wait::No | Wait::Forever => Some(waiting.outcome().await),
            };
            drop(beat);
            if let Some(outcome) = outcome {
                return Ok(fetched(offered, &[outcome?]));
            }
        }
        Ok(fetched(offered, &[record]))
    }

    /// The hub, found or started by the first call that needs it.
    async fn hub(&self) -> anyhow::Result<&Client> {
        self.hub
            .get_or_try_init(|| Client::connect(&self.home))
            .await
    }

    async fn begin(&self, context: &RequestContext<RoleServer>, record: &Record) -> Option<Beat> {
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
    fn delivered(&self, id: &RequestId, deliveries: &mut JoinSet<()>) {
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

    fn replies(&self) -> std::sync::MutexGuard<'_, HashMap<RequestId, Vec<AskId>>> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed(offered: &Offered, record: &Record) -> Told {
    Told {
        reply: offered.dialect.write(Word::Closed(record)),
        delivers: vec![record.id.clone()],
    }
}

fn fetched(offered: &Offered, records: &[Record]) -> Told {
    Told {
        reply: offered.dialect.write(Word::Fetched(records)),
        delivers: records
            .iter()
            .filter(|record| !record.is_waiting())
            .map(|record| record.id.clone())
            .collect(),
    }
}

/// What an agent must know when opening its ask failed: silence is no answer.
const NOT_ASKED: &str = "the question could not be asked, and nobody has seen it";

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

fn tool(offered: &Offered) -> Tool {
    let contract = offered.contract();
    let description = contract
        .get("description")
        .and_then(Json::as_str)
        .unwrap_or_default()
        .to_owned();
    let schema: JsonObject = match contract.get("inputSchema") {
        Some(Json::Object(schema)) => schema.clone(),
        _ => JsonObject::new(),
    };
    let mut meta = JsonObject::new();
    meta.insert("anthropic/alwaysLoad".to_owned(), true.into());
    let annotations = ToolAnnotations::new()
        .read_only(true)
        .destructive(false)
        .idempotent(false)
        .open_world(false);
    Tool::new_with_raw(offered.name.clone(), Some(description.into()), schema)
        .with_title(offered.tool.title)
        .with_annotations(annotations)
        .with_meta(MetaObject(meta))
}

fn tool_result(reply: Reply) -> CallToolResult {
    let content = vec![ContentBlock::text(reply.text)];
    let mut result = if reply.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = reply.structured;
    if !reply.is_error {
        result.is_error = None;
    }
    if !reply.meta.is_empty() {
        let facts = reply
            .meta
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value));
        result.meta = Some(MetaObject(facts.collect()));
    }
    result
}
