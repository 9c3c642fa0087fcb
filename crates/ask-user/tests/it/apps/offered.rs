//! Who is offered the card: clients that declare MCP Apps and are allowed it. Others see no
//! difference.

use ask_core::Json;

use super::{AFTER_RETURN, CALL, Chat, LAST_INITIALIZE, MCP_APPS, ONE, WHILE_WAITING, address};
use crate::support::agent::{Agent, Era};
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

/// Everything that a client receives about the offer, as it is on the stream.
fn offer(sandbox: &Sandbox, era: Era, capabilities: &str) -> Vec<Json> {
    let mut agent = Agent::start(sandbox, &[]);
    agent.set_capabilities(capabilities);
    let mut heard = vec![agent.open(era)];
    let id = agent.request("tools/list", "{}");
    heard.push(agent.result(id));
    for (method, params) in [
        ("resources/list", "{}"),
        ("resources/read", r#"{"uri":"ui://ask/card/0"}"#),
        (
            "tools/call",
            r#"{"name":"ask_ui_state","arguments":{"key":""}}"#,
        ),
    ] {
        let id = agent.request(method, params);
        heard.push(agent.error(id));
    }
    heard
}

#[test]
fn no_card_is_offered_without_the_extension_or_the_setting() {
    let none = Sandbox::new();
    let other = MCP_APPS.replace("text/html;profile=mcp-app", "text/html+skybridge");
    for era in [LAST_INITIALIZE, Era::Discover] {
        let plain = offer(&none, era, "{}");
        // The client declares the extension, but isn't known to hide the tools from its model.
        assert_eq!(offer(&none, era, MCP_APPS), plain);
        let may = Sandbox::new();
        may.write_settings(WHILE_WAITING);
        assert_eq!(offer(&may, era, "{}"), plain, "it declares nothing");
        assert_eq!(offer(&may, era, &other), plain, "another kind of content");
        let another = Sandbox::new();
        another.write_settings(&WHILE_WAITING.replace("fake-agent", "somebody-else"));
        assert_eq!(offer(&another, era, MCP_APPS), plain, "another client may");
    }
}

#[test]
fn the_card_has_a_secret_address_that_only_the_tool_names() {
    let sandbox = Sandbox::new();
    sandbox.write_settings(WHILE_WAITING);
    for era in [LAST_INITIALIZE, Era::Discover] {
        let mut agent = Agent::start(&sandbox, &[]);
        agent.set_capabilities(MCP_APPS);
        let opened = agent.open(era);
        assert!(opened["capabilities"]["resources"].is_object(), "{opened}");
        let id = agent.request("tools/list", "{}");
        let listed = agent.result(id);
        if era == Era::Discover {
            assert_eq!(listed["cacheScope"], "private", "{listed}");
        }
        let tools = listed["tools"].as_array().expect("an array");
        let names: Vec<&str> = tools
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        let wanted = [
            "ask_user",
            "ask_user_result",
            "ask_ui_state",
            "ask_ui_draft",
            "ask_ui_submit",
            "ask_ui_decline",
            "ask_ui_ask_back",
            "ask_ui_extend",
            "ask_ui_told",
        ];
        assert_eq!(names, wanted);
        let ui = &tools[0]["_meta"]["ui"];
        assert_eq!(ui["visibility"], json(r#"["model"]"#), "{ui}");
        assert!(tools[1]["_meta"].get("ui").is_none(), "{}", tools[1]);
        for tool in &tools[2..] {
            assert_eq!(
                tool["_meta"]["ui"],
                json(r#"{"visibility":["app"]}"#),
                "{tool}"
            );
            let reads = tool["name"] == "ask_ui_state";
            assert_eq!(tool["annotations"]["readOnlyHint"], reads, "{tool}");
            let told = text(tool, "description");
            assert!(told.contains("Not for agents"), "{tool}");
            assert_eq!(tool["inputSchema"]["required"][0], "key", "{tool}");
        }
        let address = text(ui, "resourceUri");
        assert!(address.starts_with("ui://ask/card/"), "{address}");
        assert!(
            address.len() > 45,
            "the address can't be guessed: {address}"
        );

        let id = agent.request("resources/list", "{}");
        assert_eq!(agent.result(id)["resources"], json("[]"));
        for wrong in ["ui://ask/card", "ui://ask/card/", &format!("{address}0")] {
            let id = agent.request("resources/read", &format!(r#"{{"uri":"{wrong}"}}"#));
            let error = agent.error(id);
            assert!(!error.to_string().contains(&address), "{error}");
        }
        let id = agent.request("resources/read", &format!(r#"{{"uri":"{address}"}}"#));
        let read = agent.result(id);
        let card = &read["contents"][0];
        assert_eq!(card["mimeType"], "text/html;profile=mcp-app");
        assert_eq!(card["uri"], address.as_str());
        assert_eq!(card["_meta"]["ui"], json(r#"{"prefersBorder":true}"#));
        let file = text(card, "text");
        assert!(file.starts_with("<!doctype html>"), "{file}");
        assert!(!file.contains("http://") || !file.contains("src=\"http"));
    }
}

#[test]
fn each_session_has_its_own_card() {
    let sandbox = Sandbox::new();
    let one = Chat::open(&sandbox, WHILE_WAITING);
    let mut other = Chat::open(&sandbox, WHILE_WAITING);
    assert_ne!(one.key, other.key);
    let mut agent = one.agent;
    let address = address(&mut agent).expect("the client is offered a card");
    let read = format!(r#"{{"uri":"{address}"}}"#);
    let id = other.agent.request("resources/read", &read);
    other.agent.error(id);
}

#[test]
fn card_tools_refuse_calls_without_the_key() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, WHILE_WAITING);
    let (call, ask) = chat.ask(ONE);
    let id = text(&ask, "askId");
    let answer = format!(r#"{{"askId":"{id}","draft":{{"answers":[{{"picks":[0]}}]}}}}"#);
    let other = Chat::open(&sandbox, WHILE_WAITING);
    let nearly = format!("{}0", &chat.key[1..]);
    for key in ["", "0", &nearly, &other.key] {
        for (tool, more) in [
            ("ask_ui_state", "{}"),
            ("ask_ui_state", &format!(r#"{{"askId":"{id}"}}"#)),
            ("ask_ui_draft", &answer),
            ("ask_ui_submit", &answer),
            ("ask_ui_decline", &format!(r#"{{"askId":"{id}"}}"#)),
            (
                "ask_ui_ask_back",
                &format!(r#"{{"askId":"{id}","text":"?"}}"#),
            ),
            ("ask_ui_told", &format!(r#"{{"askId":"{id}"}}"#)),
        ] {
            let tried = chat.call_with_key(tool, key, more);
            let said = chat.agent.error_text(tried);
            assert!(said.contains("nothing was done"), "{tool}: {said}");
            assert!(!said.contains(&chat.key), "{tool}: {said}");
        }
    }
    // Without a key, as a model would call.
    let tried = chat.agent.call("ask_ui_submit", &answer);
    chat.agent.error_text(tried);
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(record["state"], "waiting", "{record}");
    assert!(record.get("draft").is_none(), "{record}");
    chat.agent
        .assert_silent("a reply to the call", |message| message["id"] == call);
}

#[test]
fn a_card_cannot_access_other_asks() {
    let sandbox = Sandbox::new();
    let mut other = Chat::open(&sandbox, WHILE_WAITING);
    let (_, theirs) = other.ask(CALL);
    let mut chat = Chat::open(&sandbox, WHILE_WAITING);
    let left = sandbox.ask(&["--confirm", "Ship it?"]);
    for id in [text(&theirs, "askId"), left] {
        let answer = format!(r#"{{"askId":"{id}","draft":{{"answers":[{{"picks":[0]}}]}}}}"#);
        for (tool, more) in [
            ("ask_ui_draft", &answer),
            ("ask_ui_submit", &answer),
            ("ask_ui_decline", &format!(r#"{{"askId":"{id}"}}"#)),
            ("ask_ui_told", &format!(r#"{{"askId":"{id}"}}"#)),
        ] {
            let problem = chat.call_card(tool, more).expect_err("not its own");
            assert_eq!(problem["status"], 404, "{tool}: {problem}");
        }
        let state = chat
            .call_card("ask_ui_state", &format!(r#"{{"askId":"{id}"}}"#))
            .expect("the card reads its ask");
        assert!(state.get("ask").is_none(), "{state}");
        let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
        assert_eq!(record["state"], "waiting", "{record}");
    }
}

#[test]
fn the_apps_setting_of_a_client_is_validated() {
    let sandbox = Sandbox::new();
    sandbox.write_settings(AFTER_RETURN);
    let said = sandbox.run_ok(&["docs", "clients", "fake-agent"]);
    assert!(said.contains("our card: shown once the call"), "{said}");
    sandbox.write_settings(&WHILE_WAITING.replace("beside", "always"));
    let said = sandbox.run(&["doctor"]);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains(r#""beside" or "after""#), "{said}");
}
