//! The card of MCP Apps in chat clients: which conversations have one, which ask a card belongs to,
//! and the tools and resources of MCP for both. [`actions`] handles the calls of a card.
//! docs/decisions/0014-the-card-in-chat-clients-is-off-until-named.md explains why an agent can't
//! use the card to answer its own ask.

mod actions;

use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_clients::labels::Apps;
use ask_config::clock;
use ask_config::i18n::Words;
use ask_core::secret::{hex, same};
use ask_core::{AskId, Json};
use ask_dialects::ToolAction;
use ask_dialects::mcp_app::{self, Which};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ErrorCode, ErrorData, JsonObject, MetaObject,
    ReadResourceResult, RequestId, ResourceContents, ServerCapabilities, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};

use super::call::Conversation;
use super::{Offered, convert};

/// How many calls of asking tools are remembered. Cards of older calls can't be answered.
const MAX_CALLS: usize = 256;

/// The card of one conversation.
pub(crate) struct App {
    /// The resource address of the card. It can't be guessed, and no list contains it.
    address: String,
    /// The key that the card sends with every call.
    key: String,
    calls: Mutex<Vec<AskCall>>,
}

/// A call of an asking tool, with the ask that it opened.
struct AskCall {
    call: String,
    arguments: Json,
    ask: Option<AskId>,
}

impl Default for App {
    fn default() -> Self {
        Self {
            address: format!("{}{}", mcp_app::ADDRESS, hex(&clock::random())),
            key: hex(&clock::random()),
            calls: Mutex::default(),
        }
    }
}

impl App {
    /// Records a call of an asking tool.
    pub(crate) fn record_call(&self, call: &RequestId, arguments: &Json) {
        let mut calls = self.lock_calls();
        if calls.len() >= MAX_CALLS {
            // Calls without an ask have no card, so they are removed first. Otherwise an agent that
            // keeps polling would disable the card of an open ask.
            let without_ask = calls.iter().position(|call| call.ask.is_none());
            calls.remove(without_ask.unwrap_or(0));
        }
        calls.push(AskCall {
            call: call.to_string(),
            arguments: arguments.clone(),
            ask: None,
        });
    }

    /// Records the ask that a call opened.
    pub(crate) fn record_ask(&self, call: &RequestId, id: &AskId) {
        let call = call.to_string();
        let mut calls = self.lock_calls();
        if let Some(known) = calls.iter_mut().rfind(|known| known.call == call) {
            known.ask = Some(id.clone());
        }
    }

    /// The ask of a card, and whether it is certain.
    fn find_ask(&self, selector: &Which) -> Option<(AskId, bool)> {
        let calls = self.lock_calls();
        let asked = || calls.iter().rev().filter(|call| call.ask.is_some());
        let (found, is_certain) = match selector {
            Which::Ask(id) => (asked().find(|call| call.has_id(id)), true),
            Which::Call { call, arguments } => {
                let same_call = |known: &&AskCall| call.as_ref() == Some(&known.call);
                let same_arguments =
                    |known: &&AskCall| arguments.as_ref() == Some(&known.arguments);
                let found = asked()
                    .find(same_call)
                    .or_else(|| asked().find(same_arguments));
                // A client that sends neither id nor arguments has one card: that of the newest
                // ask.
                match (found, arguments) {
                    (Some(found), _) => (Some(found), true),
                    (None, None) => (asked().next(), false),
                    (None, Some(_)) => (None, false),
                }
            }
        };
        Some((found?.ask.clone()?, is_certain))
    }

    /// Whether the ask was opened in this conversation.
    fn has_opened(&self, id: &str) -> bool {
        self.lock_calls().iter().any(|call| call.has_id(id))
    }

    fn is_key(&self, key: &str) -> bool {
        same(key, &self.key)
    }

    fn lock_calls(&self) -> MutexGuard<'_, Vec<AskCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AskCall {
    fn has_id(&self, id: &str) -> bool {
        self.ask.as_ref().is_some_and(|ask| ask.as_str() == id)
    }
}

impl Conversation {
    /// When the client shows cards. `None` if it doesn't declare MCP Apps, or if neither our table
    /// of clients nor the settings say that it handles them.
    pub(crate) fn apps_mode(&self, context: &RequestContext<RoleServer>) -> Option<Apps> {
        // Over HTTP a conversation may end with its request, so no card could belong to it.
        if !self.is_stdio() {
            return None;
        }
        let declared = context.client_capabilities()?.extensions?;
        if !mcp_app::takes(declared.get(mcp_app::EXTENSION)?) {
            return None;
        }
        self.known_client(context)?.apps
    }

    /// The conversation's card, if it has one.
    pub(crate) fn card(&self, context: &RequestContext<RoleServer>) -> Option<&App> {
        self.apps_mode(context)?;
        Some(self.app.get_or_init(App::default))
    }

    /// The tools for `tools/list`. With a card, their metadata has the address of the card, and the
    /// card's own tools are added.
    pub(crate) fn list_tools(&self, context: &RequestContext<RoleServer>) -> Vec<Tool> {
        let tools = self.offer.tools().iter();
        let Some(app) = self.card(context) else {
            return tools.map(convert::tool).collect();
        };
        let shown = tools.map(|offered| with_card(offered, app));
        shown.chain(mcp_app::TOOLS.iter().map(card_tool)).collect()
    }

    /// The result of a call of one of the card's tools; `None` for any other tool.
    pub(crate) async fn call_card_tool(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let tool = mcp_app::find(&request.name)?;
        let app = self.card(context)?;
        let arguments = Json::Object(request.arguments.clone().unwrap_or_default());
        let reply = actions::call(self, app, self.apps_mode(context)?, tool, &arguments).await;
        Some(convert::tool_result(reply))
    }

    /// Adds the `resources` capability for clients with a card.
    pub(crate) fn with_card_capability(
        &self,
        mut capabilities: ServerCapabilities,
        context: &RequestContext<RoleServer>,
    ) -> ServerCapabilities {
        if self.apps_mode(context).is_some() {
            capabilities.resources = Some(Default::default());
        }
        capabilities
    }

    /// The card's HTML, for a reader that knows its address. `None` without a card.
    pub(crate) fn read_card(
        &self,
        address: &str,
        context: &RequestContext<RoleServer>,
    ) -> Option<Result<ReadResourceResult, ErrorData>> {
        let app = self.card(context)?;
        if !same(address, &app.address) {
            let message =
                "there is no such resource; the card's address comes with the tools' _meta";
            let not_found = ErrorData::new(ErrorCode::RESOURCE_NOT_FOUND, message, None);
            return Some(Err(not_found));
        }
        let language = Words::of_person(self.shared.context.config().language).language();
        let text = (self.shared.card)(&app.key, language);
        let contents = ResourceContents::text(text, address)
            .with_mime_type(mcp_app::MEDIA)
            .with_meta(meta_object([("ui", mcp_app::resource())]));
        Some(Ok(ReadResourceResult::new(vec![contents])))
    }
}

fn with_card(offered: &Offered, app: &App) -> Tool {
    let mut tool = convert::tool(offered);
    if offered.tool.does == ToolAction::Ask {
        let mut meta = tool.meta.take().unwrap_or_default();
        meta.0.insert("ui".to_owned(), mcp_app::shows(&app.address));
        tool.meta = Some(meta);
    }
    tool
}

/// A tool that only the card may call.
fn card_tool(tool: &mcp_app::CardTool) -> Tool {
    let reads = tool.does == mcp_app::CardAction::State;
    let annotations = ToolAnnotations::new()
        .read_only(reads)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    Tool::new_with_raw(
        tool.name,
        Some(mcp_app::DESCRIPTION.into()),
        mcp_app::schema(tool.does),
    )
    .with_title(tool.title)
    .with_annotations(annotations)
    .with_meta(meta_object([("ui", mcp_app::hidden())]))
}

fn meta_object<const N: usize>(facts: [(&str, Json); N]) -> MetaObject {
    let facts = facts
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value));
    MetaObject(facts.collect::<JsonObject>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polling_calls_take_no_card_away() {
        let app = App::default();
        let id = AskId::parse("a_open").unwrap();
        app.record_call(&RequestId::Number(0), &Json::Null);
        app.record_ask(&RequestId::Number(0), &id);
        for number in 1..2 * MAX_CALLS as i64 {
            app.record_call(&RequestId::Number(number), &Json::Null);
        }
        assert!(app.has_opened(id.as_str()));
        for number in 0..MAX_CALLS as i64 {
            app.record_call(&RequestId::Number(number), &Json::Null);
            app.record_ask(
                &RequestId::Number(number),
                &AskId::parse("a_later").unwrap(),
            );
        }
        assert!(!app.has_opened(id.as_str()), "only so many are remembered");
        assert_eq!(app.lock_calls().len(), MAX_CALLS);
    }
}
