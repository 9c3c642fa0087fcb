//! The card of MCP Apps in chat clients: which conversations have one, which ask a card belongs to,
//! and what rmcp is told of both. docs/decisions/0014-the-card-in-chat-clients-is-off-until-named.md explains why an agent can't use
//! the card to answer its own ask. What the card's calls do is in [`actions`].

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

/// For how many calls the card's ask is remembered. Cards of older calls can't be answered.
const MOST: usize = 256;

/// The card of one conversation.
pub struct App {
    /// The resource address of the card. It is unguessable, and no list contains it.
    address: String,
    /// The key that the card sends with every call.
    key: String,
    called: Mutex<Vec<Called>>,
}

/// A call of an asking tool, with the ask that it opened.
struct Called {
    call: String,
    arguments: Json,
    ask: Option<AskId>,
}

impl Default for App {
    fn default() -> Self {
        Self {
            address: format!("{}{}", mcp_app::ADDRESS, hex(&clock::random())),
            key: hex(&clock::random()),
            called: Mutex::default(),
        }
    }
}

impl App {
    /// Records a call of an asking tool.
    pub fn called(&self, call: &RequestId, arguments: &Json) {
        let mut called = self.lock_called();
        if called.len() >= MOST {
            // Calls without an ask have no card, so they are forgotten first. Otherwise an agent
            // that keeps polling would take the card of an open ask from the person.
            let asked_nothing = called.iter().position(|called| called.ask.is_none());
            called.remove(asked_nothing.unwrap_or(0));
        }
        called.push(Called {
            call: call.to_string(),
            arguments: arguments.clone(),
            ask: None,
        });
    }

    /// Records the ask that a call opened.
    pub fn asks(&self, call: &RequestId, id: &AskId) {
        let call = call.to_string();
        let mut all = self.lock_called();
        if let Some(called) = all.iter_mut().rfind(|called| called.call == call) {
            called.ask = Some(id.clone());
        }
    }

    /// The ask of a card, and whether it is certain.
    fn meant(&self, which: &Which) -> Option<(AskId, bool)> {
        let all = self.lock_called();
        let asked = || all.iter().rev().filter(|called| called.ask.is_some());
        let (found, sure) = match which {
            Which::Ask(id) => (asked().find(|called| called.is(id)), true),
            Which::Call { call, arguments } => {
                let same_call = |called: &&Called| call.as_ref() == Some(&called.call);
                let same_words = |called: &&Called| arguments.as_ref() == Some(&called.arguments);
                let sure = asked().find(same_call).or_else(|| asked().find(same_words));
                // A client that sends neither id nor arguments has one card: that of the newest
                // ask.
                match (sure, arguments) {
                    (Some(found), _) => (Some(found), true),
                    (None, None) => (asked().next(), false),
                    (None, Some(_)) => (None, false),
                }
            }
        };
        Some((found?.ask.clone()?, sure))
    }

    /// Whether the ask was opened in this conversation.
    fn has(&self, id: &str) -> bool {
        self.lock_called().iter().any(|called| called.is(id))
    }

    fn opens_for(&self, key: &str) -> bool {
        same(key, &self.key)
    }

    fn lock_called(&self) -> MutexGuard<'_, Vec<Called>> {
        self.called.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Called {
    fn is(&self, id: &str) -> bool {
        self.ask.as_ref().is_some_and(|ask| ask.as_str() == id)
    }
}

impl Conversation {
    /// How cards work in this conversation; `None` if the client doesn't declare MCP Apps, or is
    /// neither known nor configured to handle them.
    pub fn apps(&self, context: &RequestContext<RoleServer>) -> Option<Apps> {
        // Over HTTP a conversation may end with its request, so no card could belong to it.
        if !self.is_here() {
            return None;
        }
        let declared = context.client_capabilities()?.extensions?;
        if !mcp_app::takes(declared.get(mcp_app::EXTENSION)?) {
            return None;
        }
        self.known(context)?.apps
    }

    /// The conversation's card, if it has one.
    pub fn card(&self, context: &RequestContext<RoleServer>) -> Option<&App> {
        self.apps(context)?;
        Some(self.app.get_or_init(App::default))
    }

    /// The listed tools. With a card: the address of the card in their metadata, and the card's own
    /// tools.
    pub fn listed(&self, context: &RequestContext<RoleServer>) -> Vec<Tool> {
        let tools = self.offer.tools().iter();
        let Some(app) = self.card(context) else {
            return tools.map(convert::tool).collect();
        };
        let shown = tools.map(|offered| with_card(offered, app));
        shown.chain(mcp_app::TOOLS.iter().map(own)).collect()
    }

    /// The result of a call of one of the card's tools; `None` for any other tool.
    pub async fn card_calls(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let tool = mcp_app::find(&request.name)?;
        let app = self.card(context)?;
        let arguments = Json::Object(request.arguments.clone().unwrap_or_default());
        let reply = actions::call(self, app, self.apps(context)?, tool, &arguments).await;
        Some(convert::tool_result(reply))
    }

    /// Adds the `resources` capability for clients with a card.
    pub fn able(
        &self,
        mut able: ServerCapabilities,
        context: &RequestContext<RoleServer>,
    ) -> ServerCapabilities {
        if self.apps(context).is_some() {
            able.resources = Some(Default::default());
        }
        able
    }

    /// The card's HTML, for a reader who knows its address. `None` without a card.
    pub fn read_card(
        &self,
        address: &str,
        context: &RequestContext<RoleServer>,
    ) -> Option<Result<ReadResourceResult, ErrorData>> {
        let app = self.card(context)?;
        if !same(address, &app.address) {
            let said = "there is no such resource; the card's address comes with the tools' _meta";
            let unknown = ErrorData::new(ErrorCode::RESOURCE_NOT_FOUND, said, None);
            return Some(Err(unknown));
        }
        let language = Words::of_person(self.shared.context.config().language).language();
        let text = (self.shared.card)(&app.key, language);
        let contents = ResourceContents::text(text, address)
            .with_mime_type(mcp_app::MEDIA)
            .with_meta(meta([("ui", mcp_app::resource())]));
        Some(Ok(ReadResourceResult::new(vec![contents])))
    }
}

fn with_card(offered: &Offered, app: &App) -> Tool {
    let mut tool = convert::tool(offered);
    if offered.tool.does == ToolAction::Ask {
        let mut known = tool.meta.take().unwrap_or_default();
        known
            .0
            .insert("ui".to_owned(), mcp_app::shows(&app.address));
        tool.meta = Some(known);
    }
    tool
}

/// A tool that only the card may call.
fn own(tool: &mcp_app::CardTool) -> Tool {
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
    .with_meta(meta([("ui", mcp_app::hidden())]))
}

fn meta<const N: usize>(facts: [(&str, Json); N]) -> MetaObject {
    let facts = facts.into_iter().map(|(key, of)| (key.to_owned(), of));
    MetaObject(facts.collect::<JsonObject>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_keeps_asking_how_it_stands_takes_no_card_away() {
        let app = App::default();
        let id = AskId::parse("a_open").unwrap();
        app.called(&RequestId::Number(0), &Json::Null);
        app.asks(&RequestId::Number(0), &id);
        for number in 1..2 * MOST as i64 {
            app.called(&RequestId::Number(number), &Json::Null);
        }
        assert!(app.has(id.as_str()));
        for number in 0..MOST as i64 {
            app.called(&RequestId::Number(number), &Json::Null);
            app.asks(
                &RequestId::Number(number),
                &AskId::parse("a_later").unwrap(),
            );
        }
        assert!(!app.has(id.as_str()), "there is an end to it");
        assert_eq!(app.lock_called().len(), MOST);
    }
}
