//! MCP Apps, the extension `io.modelcontextprotocol/ui`: what a chat client learns about the card
//! that it can show to its person, and the tools that only this card may call. Their replies are
//! those of the HTTP API, so that the card is the page's own.
//!
//! The shell knows who may call the tools. Here are only the messages.

mod parse;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::{Map, json};

use crate::Word;
use ask_core::Json;
use ask_core::record::Record;
use ask_core::sanitize::SafeText;
use ask_core::time::Time;
use ask_protocol::api::{ProblemDocument, RecordView};
use ask_protocol::{Reply, to_json};

pub use parse::{CardCommand, Which, read};

/// The name of the extension, as clients declare it.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// The only media type that it knows so far.
pub const MEDIA: &str = "text/html;profile=mcp-app";

/// The beginning of the card's addresses. Nobody can guess the rest.
pub const ADDRESS: &str = "ui://ask/card/";

/// The surface of the card's answers.
pub const SURFACE: &str = ask_core::record::CARD;

/// What a call of a tool of the card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardAction {
    /// Reports the status of an ask.
    State,
    /// Stores a draft of the answers.
    Draft,
    /// Answers the ask.
    Submit,
    /// Declines the ask.
    Decline,
    /// Asks back about the ask.
    AskBack,
    /// Extends the deadline of the ask.
    Extend,
    /// Records that the agent has read the outcome as its person's message.
    Acknowledge,
}

/// A tool of the card.
pub struct CardTool {
    /// Its name, by which the card calls it.
    pub name: &'static str,
    /// A title for people.
    pub title: &'static str,
    /// What it does.
    pub does: CardAction,
}

/// All tools of the card.
pub const TOOLS: &[CardTool] = &[
    tool(
        "ask_ui_state",
        "Read the question shown in the card",
        CardAction::State,
    ),
    tool("ask_ui_draft", "Keep what is filled in", CardAction::Draft),
    tool(
        "ask_ui_submit",
        "Send the user's answer",
        CardAction::Submit,
    ),
    tool(
        "ask_ui_decline",
        "Decline for the user",
        CardAction::Decline,
    ),
    tool(
        "ask_ui_ask_back",
        "Ask back for the user",
        CardAction::AskBack,
    ),
    tool(
        "ask_ui_extend",
        "Take more time for the user",
        CardAction::Extend,
    ),
    tool(
        "ask_ui_told",
        "Note that the answer was passed on",
        CardAction::Acknowledge,
    ),
];

const fn tool(name: &'static str, title: &'static str, does: CardAction) -> CardTool {
    CardTool { name, title, does }
}

/// The description of these tools, for a model that sees one of them nevertheless.
pub const DESCRIPTION: &str = "For the card that the user answers in, which alone has the key. \
     Not for agents: an answer that the user did not give is a forgery.";

/// The tool with this name.
pub fn find(name: &str) -> Option<&'static CardTool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// The input schema of a tool.
pub fn schema(does: CardAction) -> Map<String, Json> {
    let text = json!({"type": "string"});
    let object = json!({"type": "object"});
    let own: &[(&str, Json)] = &match does {
        CardAction::State => vec![
            ("askId", text.clone()),
            ("call", json!({"type": ["string", "number"]})),
            ("arguments", object),
            ("stamp", text),
            ("seen", json!({"type": "boolean"})),
        ],
        CardAction::Draft => vec![
            ("askId", text),
            ("draft", object),
            ("builtOn", json!({"type": "integer"})),
        ],
        CardAction::Submit => vec![
            ("askId", text.clone()),
            ("draft", object),
            ("leaveGaps", json!({"type": "boolean"})),
            ("attempt", text),
        ],
        CardAction::Decline => vec![("askId", text.clone()), ("reason", text)],
        CardAction::AskBack => vec![("askId", text.clone()), ("text", text)],
        CardAction::Extend => vec![("askId", text.clone()), ("until", text)],
        CardAction::Acknowledge => vec![("askId", text)],
    };
    let mut properties = Map::new();
    properties.insert("key".into(), json!({"type": "string"}));
    properties.extend(own.iter().map(|(key, of)| ((*key).to_owned(), of.clone())));
    let needed = match does {
        CardAction::State => json!(["key"]),
        CardAction::Draft | CardAction::Submit => json!(["key", "askId", "draft"]),
        CardAction::Decline | CardAction::Acknowledge => json!(["key", "askId"]),
        CardAction::AskBack => json!(["key", "askId", "text"]),
        CardAction::Extend => json!(["key", "askId", "until"]),
    };
    let mut out = Map::new();
    out.insert("type".into(), "object".into());
    out.insert("properties".into(), properties.into());
    out.insert("required".into(), needed);
    out
}

/// Whether a client's declaration of the extension includes the card.
pub fn takes(declared: &Map<String, Json>) -> bool {
    let kinds = declared.get("mimeTypes").and_then(Json::as_array);
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind.as_str() == Some(MEDIA)))
}

/// The metadata of a tool that asks: where its card is. The card itself must not call it.
pub fn shows(address: &str) -> Json {
    json!({"resourceUri": address, "visibility": ["model"]})
}

/// The metadata of a tool that only the card may call.
pub fn hidden() -> Json {
    json!({"visibility": ["app"]})
}

/// The metadata of the card: it loads nothing from elsewhere, and looks best within a border.
pub fn resource() -> Json {
    json!({"prefersBorder": true})
}

/// The status of an ask, for the card.
pub struct AskStatus<'a> {
    /// The ask, if there is one to show.
    pub record: Option<&'a Record>,
    /// Whether it certainly belongs to the card's own call.
    pub sure: bool,
    /// The stamp that the card has.
    pub stamp: Option<&'a str>,
    /// The URL of the ask on the hub's page.
    pub page: Option<&'a str>,
    /// What the agent should read as its person's message, because none of its calls waits.
    pub tell: Option<&'a str>,
    /// What time it is.
    pub now: Time,
}

/// Writes the status of an ask, unless the card's stamp shows that it already has it.
pub fn serialize_status(of: &AskStatus<'_>) -> Json {
    let mut out = json!({"now": of.now.to_string()});
    let Some(record) = of.record else {
        return out;
    };
    let ask = to_json(&RecordView::whole(record, crate::reply_text(record)));
    let mut hasher = DefaultHasher::new();
    (ask.to_string(), of.sure, of.page, of.tell).hash(&mut hasher);
    let stamp = format!("{:016x}", hasher.finish());
    if of.stamp != Some(stamp.as_str()) {
        out["ask"] = ask;
        out["sure"] = of.sure.into();
        out["page"] = of.page.into();
        out["tell"] = of.tell.into();
    }
    out["stamp"] = stamp.into();
    out
}

/// A reply to the card.
pub fn done(value: &Json) -> Reply {
    Reply::text(json!({"done": value}).to_string())
}

/// The reply that says why the card's command was not carried out.
pub fn failed(trouble: &ProblemDocument<'_>) -> Reply {
    Reply::text(json!({"problem": trouble}).to_string())
}

/// What an agent reads as its person's message when none of its calls waits: how the ask ended, in
/// the words of its dialect.
pub fn message(record: &Record) -> Option<String> {
    let reply = crate::find(&record.dialect)?.write(Word::Closed(record));
    let headline = SafeText::line(record.ask.headline());
    let short: String = headline.as_str().chars().take(80).collect();
    let said = format!(
        "My response to your question \"{short}\" (ask {}), given in its card:\n\n{}",
        record.id, reply.text
    );
    let parts = [Some(said), reply.names_files(), reply.mention, reply.doubt];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}

/// What an agent reads if its call returns at once, because its client shows the card only then.
pub const AFTERWARDS: &str = "The user sees the question in this chat and answers it there. End \
     your turn now: what they say comes as their next message. Don't ask again, don't wait with \
     another tool, and don't decide in their place.";

#[cfg(test)]
mod tests {
    use ask_core::lifecycle::{self, Settlement};
    use ask_core::{Ask, AskId, Asker, Origin, Outcome, State};

    use super::*;

    #[test]
    fn the_message_says_that_an_agent_may_have_answered() {
        let id = AskId::native([1; 16]);
        let mut record = lifecycle::open(id, "native", Ask::default(), Asker::default(), Time(0));
        let mut close = |below_agent: Option<&str>| {
            let settlement = Settlement {
                outcome: Outcome::Declined { reason: None },
                surface: "elsewhere".to_owned(),
                device: None,
                origin: Some(Box::new(Origin {
                    pid: 7,
                    below_agent: below_agent.map(str::to_owned),
                    ..Origin::default()
                })),
                at: Time(1),
                attempt: 1,
                awaited: false,
            };
            record.state = State::Closed {
                settlement,
                delivered_at: None,
            };
            message(&record).expect("the dialect is known")
        };
        let doubt = "This came from a program that was started below an agent";
        assert!(!close(None).contains(doubt));
        let said = close(Some("claude-code"));
        assert!(
            said.contains(doubt) && said.contains("below claude-code"),
            "{said}"
        );
    }
}
