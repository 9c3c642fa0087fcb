//! The card in chat clients that support MCP Apps: which clients are offered it, who may call its
//! tools, and what follows from the person's actions.

mod after;
mod answers;
mod offered;

use ask_core::Json;

use crate::support::agent::{Agent, Era};
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

/// The capability that a client with MCP Apps declares.
const MCP_APPS: &str =
    r#"{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}"#;

/// The last protocol revision that opens with `initialize`.
const LAST_INITIALIZE: Era = Era::Initialize("2025-11-25");

/// Settings for a client that may show the card while its call waits.
const WHILE_WAITING: &str = "[clients.chat]\nnames = [\"fake-agent\"]\napps = \"beside\"\n";

/// Settings for a client that may show the card after the call has returned.
const AFTER_RETURN: &str = "[clients.chat]\nnames = [\"fake-agent\"]\napps = \"after\"\n";

/// A call with two questions.
const CALL: &str = r#"{"title":"Set-up","questions":[
    {"id":"db","question":"Which **database**?","options":["SQLite","PostgreSQL"]},
    {"id":"name","question":"What name?","type":"text"}]}"#;

/// A call with one question.
const ONE: &str = r#"{"question":"A or B?","options":["A","B"]}"#;

/// A client with its card: the agent, and the key that only the card's HTML contains.
struct Chat {
    agent: Agent,
    key: String,
}

impl Chat {
    /// A client with these settings.
    fn open(sandbox: &Sandbox, settings: &str) -> Self {
        Self::open_in_era(sandbox, settings, LAST_INITIALIZE)
    }

    fn open_in_era(sandbox: &Sandbox, settings: &str, era: Era) -> Self {
        sandbox.write_settings(settings);
        let mut agent = Agent::with_capabilities(sandbox, era, MCP_APPS);
        let address = address(&mut agent).expect("the tool says where its card is");
        let id = agent.request("resources/read", &format!(r#"{{"uri":"{address}"}}"#));
        let read = agent.result(id);
        let file = text(&read["contents"][0], "text");
        let (_, key) = file
            .split_once(r#"name="ask-key" content=""#)
            .expect("the card has a key");
        let (key, _) = key.split_once('"').expect("a closing mark");
        let key = key.to_owned();
        assert!(key.len() >= 32, "the key can't be guessed: {key}");
        Self { agent, key }
    }

    /// Calls a tool of the card with its key. Returns the result, or the problem.
    fn call_card(&mut self, tool: &str, more: &str) -> Result<Json, Json> {
        let key = self.key.clone();
        let call = self.call_with_key(tool, &key, more);
        let said = json(&self.agent.receive_reply(call));
        match (said.get("done"), said.get("problem")) {
            (Some(done), None) => Ok(done.clone()),
            (None, Some(problem)) => Err(problem.clone()),
            _ => panic!("one of both: {said}"),
        }
    }

    /// Calls a tool of the card with any key. Returns the request's id.
    fn call_with_key(&mut self, tool: &str, key: &str, more: &str) -> i64 {
        let more = more
            .strip_prefix('{')
            .and_then(|more| more.strip_suffix('}'));
        let more = more.expect("an object");
        let comma = if more.is_empty() { "" } else { "," };
        let arguments = format!(r#"{{"key":"{key}"{comma}{more}}}"#);
        self.agent.call(tool, &arguments)
    }

    /// Asks, and waits until the card can show it. Returns the call's id and the ask as the card
    /// receives it.
    fn ask(&mut self, call: &str) -> (i64, Json) {
        let number = self.agent.call("ask_user", call);
        loop {
            let which = format!(r#"{{"call":{number}}}"#);
            let state = self
                .call_card("ask_ui_state", &which)
                .expect("the card reads its ask");
            if state["sure"] == true {
                return (number, state["ask"].clone());
            }
        }
    }
}

/// The address of a client's card, if it is offered one.
fn address(agent: &mut Agent) -> Option<String> {
    let id = agent.request("tools/list", "{}");
    let listed = agent.result(id);
    let address = &listed["tools"][0]["_meta"]["ui"]["resourceUri"];
    address.as_str().map(str::to_owned)
}
