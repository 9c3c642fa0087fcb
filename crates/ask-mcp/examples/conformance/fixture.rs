//! The server: its capabilities, and the module that serves each of them.
#![expect(
    deprecated,
    reason = "the suite tests features of older revisions: log levels and resource subscriptions"
)]

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams,
    CompleteResult, ErrorData, GetPromptRequestParams, GetPromptResponse, GetTaskParams,
    GetTaskResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, LoggingLevel, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, RequestStateCodec, ServerCapabilities,
    ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, RoleServer, SubscriptionContext, SubscriptionSink};
use rmcp::task_manager::TaskManager;

use crate::content::text;
use crate::tools::{self, Tools, has_tool};
use crate::{client_messages, content, prompts, resources, rounds, tasks};

/// For how long clients may cache lists.
const TTL_MS: u64 = 60_000;
/// The key protects nothing but tests.
const STATE_KEY: &[u8] = b"a key that everybody may read here";

/// The server; every connection gets a clone.
#[derive(Clone)]
pub(crate) struct Fixture {
    listeners: Arc<Mutex<Vec<SubscriptionSink>>>,
    log_level: Arc<Mutex<LoggingLevel>>,
    watched_uris: Arc<Mutex<Vec<String>>>,
    state_codec: RequestStateCodec,
    tasks: TaskManager,
}

impl Default for Fixture {
    fn default() -> Self {
        Self {
            listeners: Arc::default(),
            log_level: Arc::new(Mutex::new(LoggingLevel::Debug)),
            watched_uris: Arc::default(),
            state_codec: RequestStateCodec::new_unchecked(STATE_KEY),
            tasks: TaskManager::new(),
        }
    }
}

/// A change to notify listeners of.
#[derive(Clone, Copy)]
enum Changed {
    Tools,
    Prompts,
}

/// The tools of this module.
pub(crate) const TOOLS: Tools = &[
    ("test_trigger_tool_change", "Changes the list of tools"),
    ("test_trigger_prompt_change", "Changes the list of prompts"),
];

type Request = RequestContext<RoleServer>;

impl Fixture {
    async fn notify(&self, changed: Changed) {
        let listeners = lock(&self.listeners).clone();
        for listener in listeners {
            // A listener that didn't ask for this change, or is gone, is skipped.
            let _ = match changed {
                Changed::Tools => listener.notify_tool_list_changed().await,
                Changed::Prompts => listener.notify_prompt_list_changed().await,
            };
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_completions()
            .enable_logging()
            .enable_tasks()
            .build();
        let name = Implementation::new("conformance", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(name)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Request,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(tools::list());
        Ok(list
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Request,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.as_ref();
        let log_level = *lock(&self.log_level);
        if has_tool(TOOLS, name) {
            self.notify(match name {
                "test_trigger_tool_change" => Changed::Tools,
                _ => Changed::Prompts,
            })
            .await;
            Ok(text("Changed").into())
        } else if has_tool(content::TOOLS, name) {
            let arguments = request.arguments.unwrap_or_default();
            Ok(content::call(name, &arguments).into())
        } else if has_tool(client_messages::TOOLS, name) {
            Ok(client_messages::call(&request, &context, log_level)
                .await
                .into())
        } else if has_tool(rounds::TOOLS, name) {
            rounds::call(&self.state_codec, &request, &context.meta)
        } else if has_tool(tasks::TOOLS, name) {
            tasks::call(&self.tasks, &request, &context).await
        } else {
            let message = format!("there is no tool named \"{name}\"");
            Err(ErrorData::invalid_params(message, None))
        }
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Request,
    ) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult::with_all_items(prompts::list());
        Ok(list
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: Request,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request)
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Request,
    ) -> Result<ListResourcesResult, ErrorData> {
        let list = ListResourcesResult::with_all_items(resources::list());
        Ok(list
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Request,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = ListResourceTemplatesResult::with_all_items(resources::templates());
        Ok(list
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: Request,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = resources::read(&request.uri)?;
        Ok(read
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Public)
            .into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: Request,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::new(resources::completions(&request)))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _context: Request,
    ) -> Result<(), ErrorData> {
        *lock(&self.log_level) = request.level;
        Ok(())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: Request,
    ) -> Result<(), ErrorData> {
        lock(&self.watched_uris).push(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: Request,
    ) -> Result<(), ErrorData> {
        lock(&self.watched_uris).retain(|uri| *uri != request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        lock(&self.listeners).push(context.sink().clone());
        context.cancelled().await;
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _context: Request,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _context: Request,
    ) -> Result<(), ErrorData> {
        self.tasks
            .update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _context: Request,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}
