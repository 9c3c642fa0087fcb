//! The MCP server: its capabilities, and the requests of one client. rmcp implements the protocol;
//! `call` has the steps of a tool call.

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

use super::call::{ClientTransport, Conversation};
use super::context::{RenderCard, Shared};
use super::elicitation::multi_round::Round;
use super::stdio::{Event, Stdio};
use super::{Offer, tool_call};

/// Serves one client over the standard streams until it disconnects.
pub async fn run(home: Home, offer: Offer, card: RenderCard) -> anyhow::Result<()> {
    home.read_clock();
    let shared = Arc::new(Shared::with_context(Arc::new(Context::new(home)), card));
    // Ctrl+C in a terminal signals the whole process group. The signal is caught and ignored,
    // because the agent decides when this process ends.
    let _ignored = signal(SignalKind::interrupt())?;
    shared.spawn_keepalive();
    serve_stdio(&shared, Arc::new(offer)).await?;
    Ok(())
}

/// Serves the client on the standard streams until it disconnects or the process is terminated.
/// Returns whether a client began a conversation.
pub(crate) async fn serve_stdio(shared: &Arc<Shared>, offer: Arc<Offer>) -> anyhow::Result<bool> {
    let (events, mut event_receiver) = mpsc::unbounded_channel();
    let transport = ClientTransport::Stdio;
    let conversation = Arc::new(Conversation::new(Arc::clone(shared), offer, transport));
    let server = Server::new(Arc::clone(&conversation));
    let mut terminate = signal(SignalKind::terminate())?;
    let end_sender = events.clone();
    let has_begun = Arc::new(AtomicBool::new(false));
    let begun_setter = Arc::clone(&has_begun);
    let stdio = Stdio::open(events, Arc::clone(&conversation));
    tokio::spawn(async move {
        match server.serve(stdio).await {
            Ok(service) => {
                begun_setter.store(true, Ordering::Relaxed);
                drop(service.waiting().await);
            }
            Err(error) => debug!("could not begin the conversation: {error}"),
        }
        // Without a conversation, the process has nothing to do and ends. The send fails only if
        // the loop below has ended already.
        let _ = end_sender.send(Event::Gone);
    });
    let mut deliveries = JoinSet::new();
    loop {
        let event = tokio::select! {
            event = event_receiver.recv() => event,
            _ = terminate.recv() => None,
        };
        match event {
            Some(Event::Written(asks)) => {
                for ask in &asks {
                    debug!(ask = %ask.id, "the outcome was written to the agent");
                }
                while deliveries.try_join_next().is_some() {}
                deliveries.spawn(conversation.acknowledge(asks));
            }
            Some(Event::Gone) | None => {
                debug!("the client disconnected");
                break;
            }
        }
    }
    // An agent may exit as soon as it has its last response. The hub still has to record that
    // delivery.
    let acknowledge_all = async {
        loop {
            while let Ok(event) = event_receiver.try_recv() {
                if let Event::Written(asks) = event {
                    deliveries.spawn(conversation.acknowledge(asks));
                }
            }
            if deliveries.join_next().await.is_none() {
                break;
            }
        }
    };
    let mut acknowledge_all = pin!(acknowledge_all);
    let are_acknowledged = timeout(SHORT_LIMIT, &mut acknowledge_all).await.is_ok();
    // Offline mode is ended before the remaining acknowledgements, because the agent may kill this
    // process soon. The process ends at the time limit; offline asks have notes until then.
    let _ = timeout(ACKNOWLEDGE_LIMIT, shared.close()).await;
    if !are_acknowledged {
        // The process ends at the time limit, and the other outcomes are delivered again.
        let _ = timeout(ACKNOWLEDGE_LIMIT, acknowledge_all).await;
    }
    Ok(has_begun.load(Ordering::Relaxed))
}

/// The log span of a call: its request id, the id of the HTTP request if there is one, and the
/// ask's id once it is known.
fn span(context: &RequestContext<RoleServer>) -> Span {
    let parts = context.extensions.get::<Parts>();
    let http = parts.and_then(|parts| RequestId::from_extensions(&parts.extensions));
    let http = http.map(field::display);
    info_span!("call", request = %context.id, http, ask = field::Empty)
}

/// How long the process stays after its agent has ended, to acknowledge deliveries. It needs this
/// time only if the hub was lost and another one starts.
const ACKNOWLEDGE_LIMIT: Duration = Duration::from_secs(10);

/// How long acknowledgements may take while the hub runs.
const SHORT_LIMIT: Duration = Duration::from_secs(1);

/// The handler of one client.
#[derive(Clone)]
pub(crate) struct Server {
    conversation: Arc<Conversation>,
}

/// For how long clients may cache the list of tools, which never changes while the server runs.
const LIST_TTL_MS: u64 = 60 * 60 * 1_000;

/// The methods for whose malformed parameters the error explains the right ones.
const KNOWN_METHODS: [&str; 3] = ["initialize", "tools/call", "tools/list"];

/// The same for tasks, where the server offers them.
const TASK_METHODS: [&str; 3] = ["tasks/get", "tasks/update", "tasks/cancel"];

/// Whether a request belongs to a revision without sessions (since 2026-07-28).
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| !version.has_initialize())
}

/// Marks the card as private and uncacheable, because each conversation has its own.
fn as_private(card: ReadResourceResult) -> ReadResourceResult {
    card.with_ttl_ms(0).with_cache_scope(CacheScope::Private)
}

impl Server {
    /// A handler for one conversation.
    pub(crate) fn new(conversation: Arc<Conversation>) -> Self {
        Self { conversation }
    }

    async fn handle_call(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(offered) = self.conversation.offer.find(&request.name) else {
            let result = Box::pin(self.conversation.call_card_tool(&request, &context));
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
            let message = format!(
                "there is no tool named \"{}\"; there is {}",
                SafeText::line(&request.name),
                names.join(", ")
            );
            return Err(ErrorData::invalid_params(message, None));
        };
        let round = Round::take_from(&mut request);
        let arguments = Json::Object(request.arguments.unwrap_or_default());
        let conversation = &self.conversation;
        Ok(tool_call::call(conversation, offered, arguments, round, context).await)
    }

    async fn get_task_status(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let conversation = &self.conversation;
        let status = conversation.task_status(&request.task_id, &context).await;
        if !conversation.is_stdio() {
            tool_call::acknowledge_on_receipt(
                conversation,
                &context,
                conversation.take_written(&context.id),
            );
        }
        status
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools();
        let capabilities = if self.conversation.shared.context.config().tasks {
            capabilities.enable_tasks()
        } else {
            capabilities
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
        let mut result = self.negotiate_initialize(&request)?;
        let capabilities = result.capabilities;
        result.capabilities = self
            .conversation
            .with_card_capability(capabilities, &context);
        Ok(result)
    }

    async fn discover(
        &self,
        context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = ServerHandler::supported_protocol_versions(self).into_owned();
        let mut result = DiscoverResult::from_server_info(versions, ServerHandler::get_info(self));
        let capabilities = result.capabilities;
        result.capabilities = self
            .conversation
            .with_card_capability(capabilities, &context);
        Ok(result)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(self.conversation.list_tools(&context));
        // The list contains the card's address, which only this client may know.
        let scope = match self.conversation.apps_mode(&context) {
            Some(_) => CacheScope::Private,
            None => CacheScope::Public,
        };
        // Older revisions don't have these cache hints.
        Ok(if is_modern(&context) {
            list.with_ttl_ms(LIST_TTL_MS).with_cache_scope(scope)
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
        Box::pin(self.handle_call(request, context).instrument(span))
    }

    fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<GetTaskResult, ErrorData>> {
        Box::pin(self.get_task_status(request, context))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let conversation = &self.conversation;
        conversation.check_task(&request.task_id, &context).await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let conversation = &self.conversation;
        conversation.cancel_task(&request.task_id, &context).await
    }

    async fn on_cancelled(
        &self,
        notification: CancelledNotificationParam,
        _context: NotificationContext<RoleServer>,
    ) {
        if let Some(id) = notification.request_id {
            self.conversation.return_undelivered(&id).await;
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
        let is_removed = request.method == "initialize" && is_modern(&context);
        let tasks = is_modern(&context) && self.conversation.shared.context.config().tasks;
        Err(
            if tasks && TASK_METHODS.contains(&request.method.as_str()) {
                let message = format!(
                    "the parameters of {method} can't be read; a task is {{\"taskId\":\"...\"}}"
                );
                ErrorData::invalid_params(message, None)
            } else if KNOWN_METHODS.contains(&request.method.as_str()) && !is_removed {
                let message = format!(
                    "the parameters of {method} can't be read; a call is \
                 {{\"name\":\"ask_user\",\"arguments\":{{...}}}}"
                );
                ErrorData::invalid_params(message, None)
            } else {
                let message = format!("this server has no method {method}");
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
            },
        )
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
            true => as_private(result),
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
        if self.conversation.apps_mode(&context).is_some() {
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
