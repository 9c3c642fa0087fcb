//! The MCP server: its capabilities, and the requests of one client. rmcp implements the protocol;
//! the course of a tool call is in `call`.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ask_config::home::Home;
use ask_core::{Json, SafeText};
use ask_hub::context::Context;
use ask_hub::http::request_log::RequestId;
use axum::http::request::Parts;
use rmcp::ServiceExt;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CancelTaskParams,
    CancelledNotificationParam, CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData,
    GetTaskParams, GetTaskResult, Implementation, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tracing::{Instrument as _, Span, debug, field, info_span};

use super::call::{Conversation, Place};
use super::context::{Card, Shared};
use super::elicitation::multi_round::Round;
use super::stdio::{Event, Stdio};
use super::{Offer, tool_call};

/// Serves one client over the standard streams until it disconnects.
pub async fn run(home: Home, offer: Offer, card: Card) -> anyhow::Result<()> {
    let shared = Arc::new(Shared::with_context(Arc::new(Context::new(home)), card));
    // Ctrl+C in a terminal signals the whole process group. The agent decides when this process
    // ends, so the signal is caught and ignored.
    let _ignored = signal(SignalKind::interrupt())?;
    shared.keep_alive();
    converse(&shared, Arc::new(offer)).await?;
    Ok(())
}

/// Serves the client on the standard streams until it disconnects or the process is terminated.
/// Returns whether a client began a conversation.
pub async fn converse(shared: &Arc<Shared>, offer: Arc<Offer>) -> anyhow::Result<bool> {
    let (events, mut happened) = mpsc::unbounded_channel();
    let place = Place::Here;
    let conversation = Arc::new(Conversation::new(Arc::clone(shared), offer, place));
    let server = Server::new(Arc::clone(&conversation));
    let mut terminate = signal(SignalKind::terminate())?;
    let gone = events.clone();
    let begun = Arc::new(AtomicBool::new(false));
    let begins = Arc::clone(&begun);
    let stdio = Stdio::open(events, Arc::clone(&conversation));
    tokio::spawn(async move {
        match server.serve(stdio).await {
            Ok(service) => {
                begins.store(true, Ordering::Relaxed);
                drop(service.waiting().await);
            }
            Err(error) => debug!("could not begin the conversation: {error}"),
        }
        // Without a conversation the process has no use, so it ends.
        // The receiver is gone only if the loop below has ended already.
        let _ = gone.send(Event::Gone);
    });
    let mut deliveries = JoinSet::new();
    loop {
        let event = tokio::select! {
            event = happened.recv() => event,
            _ = terminate.recv() => None,
        };
        match event {
            Some(Event::Written(asks)) => {
                for ask in &asks {
                    debug!(ask = %ask.id, "the outcome was written to the agent");
                }
                while deliveries.try_join_next().is_some() {}
                deliveries.spawn(conversation.delivered(asks));
            }
            Some(Event::Gone) | None => {
                debug!("the client disconnected");
                break;
            }
        }
    }
    // An agent may exit as soon as it has its last response. The hub still has to record that
    // delivery.
    let last_words = async {
        loop {
            while let Ok(event) = happened.try_recv() {
                if let Event::Written(asks) = event {
                    deliveries.spawn(conversation.delivered(asks));
                }
            }
            if deliveries.join_next().await.is_none() {
                break;
            }
        }
    };
    let mut last_words = pin!(last_words);
    let are_said = timeout(SOON, &mut last_words).await.is_ok();
    // Offline asks are handed over in any case: whoever waits for this process's end may not wait
    // for long.
    // At the time limit the process ends anyway; a note of each offline ask is stored.
    let _ = timeout(LAST_WORDS, shared.close()).await;
    if !are_said {
        // At the time limit the process ends anyway, and the outcomes are delivered again.
        let _ = timeout(LAST_WORDS, last_words).await;
    }
    Ok(begun.load(Ordering::Relaxed))
}

/// The log span of a call: its request id, the id of the HTTP request if there is one, and the
/// ask's id once it is known.
fn span(context: &RequestContext<RoleServer>) -> Span {
    let parts = context.extensions.get::<Parts>();
    let http = parts.and_then(|parts| RequestId::from_extensions(&parts.extensions));
    let http = http.map(field::display);
    info_span!("call", request = %context.id, http, ask = field::Empty)
}

/// How long the process stays after its agent is gone to acknowledge deliveries. Most often this
/// takes no time, but it allows for a new hub after the loss of one.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// How long the acknowledgements take when the hub is up.
const SOON: Duration = Duration::from_secs(1);

/// The handler of one client.
#[derive(Clone)]
pub struct Server {
    conversation: Arc<Conversation>,
}

/// For how long clients may cache the list of tools, which never changes while the server runs.
const LIST_LIVES_MS: u64 = 60 * 60 * 1_000;

/// Methods whose malformed parameters get an explanation.
const KNOWN: [&str; 3] = ["initialize", "tools/call", "tools/list"];

/// The same for tasks, where the server offers them.
const TASKS: [&str; 3] = ["tasks/get", "tasks/update", "tasks/cancel"];

/// Whether a request belongs to a revision without sessions (since 2026-07-28).
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| !version.has_initialize())
}

/// Marks the card as private and uncacheable: each conversation has its own.
fn hinted(card: ReadResourceResult) -> ReadResourceResult {
    card.with_ttl_ms(0).with_cache_scope(CacheScope::Private)
}

impl Server {
    /// A handler for one conversation.
    pub fn new(conversation: Arc<Conversation>) -> Self {
        Self { conversation }
    }

    async fn called(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(offered) = self.conversation.offer.find(&request.name) else {
            let result = Box::pin(self.conversation.card_calls(&request, &context));
            if let Some(result) = result.await {
                return Ok(CallToolResponse::Complete(result));
            }
            let names: Vec<&str> = self
                .conversation
                .offer
                .tools()
                .iter()
                .map(|offered| offered.name.as_str())
                .collect();
            let said = format!(
                "there is no tool named \"{}\"; there is {}",
                SafeText::line(&request.name),
                names.join(", ")
            );
            return Err(ErrorData::invalid_params(said, None));
        };
        let round = Round::take_from(&mut request);
        let arguments = Json::Object(request.arguments.unwrap_or_default());
        let conversation = &self.conversation;
        Ok(tool_call::call(conversation, offered, arguments, round, context).await)
    }

    async fn task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let conversation = &self.conversation;
        let stands = conversation.task_stands(&request.task_id, &context).await;
        if !conversation.is_here() {
            tool_call::arrives(conversation, &context, conversation.written(&context.id));
        }
        stands
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools();
        let capabilities = match self.conversation.shared.context.config().tasks {
            true => capabilities.enable_tasks(),
            false => capabilities,
        };
        ServerConfig::new(capabilities.build())
            .with_server_info(
                Implementation::new("ask-user", env!("CARGO_PKG_VERSION")).with_title("ask-user"),
            )
            .with_instructions(self.conversation.offer.instructions())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut said = self.negotiate_initialize(&request)?;
        said.capabilities = self.conversation.able(said.capabilities, &context);
        Ok(said)
    }

    async fn discover(
        &self,
        context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = ServerHandler::supported_protocol_versions(self).into_owned();
        let mut said = DiscoverResult::from_server_info(versions, ServerHandler::get_info(self));
        said.capabilities = self.conversation.able(said.capabilities, &context);
        Ok(said)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(self.conversation.listed(&context));
        // The list contains the card's address, which only this client may know.
        let scope = match self.conversation.apps(&context) {
            Some(_) => CacheScope::Private,
            None => CacheScope::Public,
        };
        // Older revisions don't have these cache hints.
        Ok(if is_modern(&context) {
            list.with_ttl_ms(LIST_LIVES_MS).with_cache_scope(scope)
        } else {
            list
        })
    }

    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> {
        let span = span(&context);
        // rmcp reserves memory for the largest of all handlers' futures with each request, so this
        // one is boxed.
        Box::pin(self.called(request, context).instrument(span))
    }

    fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<GetTaskResult, ErrorData>> {
        Box::pin(self.task(request, context))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let conversation = &self.conversation;
        conversation.task_is_known(&request.task_id, &context).await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let conversation = &self.conversation;
        conversation
            .task_cancelled(&request.task_id, &context)
            .await
    }

    async fn on_cancelled(
        &self,
        notification: CancelledNotificationParam,
        _context: NotificationContext<RoleServer>,
    ) {
        if let Some(id) = notification.request_id {
            self.conversation.cancelled(&id).await;
        }
    }

    /// Also called for known methods with malformed parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = SafeText::line(&request.method);
        // Revision 2026-07-28 has no `initialize`.
        let gone = request.method == "initialize" && is_modern(&context);
        let tasks = is_modern(&context) && self.conversation.shared.context.config().tasks;
        Err(if tasks && TASKS.contains(&request.method.as_str()) {
            let said = format!(
                "the parameters of {method} can't be read; a task is {{\"taskId\":\"...\"}}"
            );
            ErrorData::invalid_params(said, None)
        } else if KNOWN.contains(&request.method.as_str()) && !gone {
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

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.conversation.read_card(&request.uri, &context);
        let unknown = ErrorData::method_not_found::<rmcp::model::ReadResourceRequestMethod>;
        let result = read.unwrap_or_else(|| Err(unknown()))?;
        Ok(match is_modern(&context) {
            true => hinted(result),
            false => result,
        }
        .into())
    }

    /// The card is only named in the tools' metadata, so a model that lists resources finds none.
    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        if self.conversation.apps(&context).is_some() {
            let none = ListResourcesResult::with_all_items(Vec::new());
            return Ok(match is_modern(&context) {
                true => none.with_ttl_ms(0).with_cache_scope(CacheScope::Private),
                false => none,
            });
        }
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
