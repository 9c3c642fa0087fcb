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
use crate::tools::{self, Tools, among};
use crate::{content, prompts, resources, rounds, talk, tasks};

/// For how long clients may cache lists.
const LIVES_MS: u64 = 60_000;
/// The key protects nothing but tests.
const KEY: &[u8] = b"a key that everybody may read here";

/// The server; every connection gets a clone.
#[derive(Clone)]
pub(crate) struct Fixture {
    listeners: Arc<Mutex<Vec<SubscriptionSink>>>,
    level: Arc<Mutex<LoggingLevel>>,
    watched: Arc<Mutex<Vec<String>>>,
    seal: RequestStateCodec,
    tasks: TaskManager,
}

impl Default for Fixture {
    fn default() -> Self {
        Self {
            listeners: Arc::default(),
            level: Arc::new(Mutex::new(LoggingLevel::Debug)),
            watched: Arc::default(),
            seal: RequestStateCodec::new_unchecked(KEY),
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
    async fn tell(&self, changed: Changed) {
        let listeners = locked(&self.listeners).clone();
        for listener in listeners {
            // A listener that didn't ask for this change, or is gone, is skipped.
            let _ = match changed {
                Changed::Tools => listener.notify_tool_list_changed().await,
                Changed::Prompts => listener.notify_prompt_list_changed().await,
            };
        }
    }
}

fn locked<T>(kept: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let offered = ServerCapabilities::builder()
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
        ServerConfig::new(offered).with_server_info(name)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Request,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(tools::all());
        Ok(list
            .with_ttl_ms(LIVES_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Request,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.as_ref();
        let level = *locked(&self.level);
        if among(TOOLS, name) {
            self.tell(match name {
                "test_trigger_tool_change" => Changed::Tools,
                _ => Changed::Prompts,
            })
            .await;
            Ok(text("Changed").into())
        } else if among(content::TOOLS, name) {
            let arguments = request.arguments.unwrap_or_default();
            Ok(content::call(name, &arguments).into())
        } else if among(talk::TOOLS, name) {
            Ok(talk::call(&request, &context, level).await.into())
        } else if among(rounds::TOOLS, name) {
            rounds::call(&self.seal, &request, &context.meta)
        } else if among(tasks::TOOLS, name) {
            tasks::call(&self.tasks, &request, &context).await
        } else {
            let said = format!("there is no tool named \"{name}\"");
            Err(ErrorData::invalid_params(said, None))
        }
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Request,
    ) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult::with_all_items(prompts::all());
        Ok(list
            .with_ttl_ms(LIVES_MS)
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
        let list = ListResourcesResult::with_all_items(resources::all());
        Ok(list
            .with_ttl_ms(LIVES_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Request,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list = ListResourceTemplatesResult::with_all_items(resources::templates());
        Ok(list
            .with_ttl_ms(LIVES_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: Request,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = resources::read(&request.uri)?;
        Ok(read
            .with_ttl_ms(LIVES_MS)
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
        *locked(&self.level) = request.level;
        Ok(())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: Request,
    ) -> Result<(), ErrorData> {
        locked(&self.watched).push(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: Request,
    ) -> Result<(), ErrorData> {
        locked(&self.watched).retain(|uri| *uri != request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        locked(&self.listeners).push(context.sink().clone());
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
