//! Who is offered the card: clients that declare MCP Apps and are allowed it. Others see no
//! difference.

use ask_core::Json;

use super::{AFTER, BESIDE, CALL, Chat, ONE, SHOWS, TITLED, address};
use crate::support::agent::{Agent, Era};
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

/// Everything that a client receives about the offer, as it is on the stream.
fn offer(sandbox: &Sandbox, era: Era, capabilities: &str) -> Vec<Json> {
    let mut agent = Agent::start(sandbox, &[]);
    agent.able_to(capabilities);
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
fn without_the_extension_or_without_leave_nothing_is_different() {
    let none = Sandbox::new();
    let other = SHOWS.replace("text/html;profile=mcp-app", "text/html+skybridge");
    for era in [TITLED, Era::Discover] {
        let plain = offer(&none, era, "{}");
        // The client declares the extension, but isn't known to hide the tools from its model.
        assert_eq!(offer(&none, era, SHOWS), plain);
        let may = Sandbox::new();
        may.settings(BESIDE);
        assert_eq!(offer(&may, era, "{}"), plain, "it declares nothing");
        assert_eq!(offer(&may, era, &other), plain, "another kind of content");
        let another = Sandbox::new();
        another.settings(&BESIDE.replace("fake-agent", "somebody-else"));
        assert_eq!(offer(&another, era, SHOWS), plain, "another client may");
    }
}

#[test]
fn the_card_is_where_only_the_tool_says() {
    let sandbox = Sandbox::new();
    sandbox.settings(BESIDE);
    for era in [TITLED, Era::Discover] {
        let mut agent = Agent::start(&sandbox, &[]);
        agent.able_to(SHOWS);
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
fn each_conversation_has_a_card_of_its_own() {
    let sandbox = Sandbox::new();
    let one = Chat::open(&sandbox, BESIDE);
    let mut other = Chat::open(&sandbox, BESIDE);
    assert_ne!(one.key, other.key);
    let mut agent = one.agent;
    let address = address(&mut agent).expect("the client is offered a card");
    let read = format!(r#"{{"uri":"{address}"}}"#);
    let id = other.agent.request("resources/read", &read);
    other.agent.error(id);
}

#[test]
fn whoever_has_no_key_is_refused_whatever_they_call() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, BESIDE);
    let (call, ask) = chat.asks(ONE);
    let id = text(&ask, "askId");
    let answer = format!(r#"{{"askId":"{id}","draft":{{"answers":[{{"picks":[0]}}]}}}}"#);
    let other = Chat::open(&sandbox, BESIDE);
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
            let tried = chat.calls(tool, key, more);
            let said = chat.agent.refused(tried);
            assert!(said.contains("nothing was done"), "{tool}: {said}");
            assert!(!said.contains(&chat.key), "{tool}: {said}");
        }
    }
    // Without a key, as a model would call.
    let tried = chat.agent.call("ask_ui_submit", &answer);
    chat.agent.refused(tried);
    let record = json(&sandbox.done(&["show", &id, "--json"]));
    assert_eq!(record["state"], "waiting", "{record}");
    assert!(record.get("draft").is_none(), "{record}");
    chat.agent
        .nothing("a reply to the call", |message| message["id"] == call);
}

#[test]
fn a_card_can_do_nothing_with_asks_of_others() {
    let sandbox = Sandbox::new();
    let mut other = Chat::open(&sandbox, BESIDE);
    let (_, theirs) = other.asks(CALL);
    let mut chat = Chat::open(&sandbox, BESIDE);
    let left = sandbox.asks(&["--confirm", "Ship it?"]);
    for id in [text(&theirs, "askId"), left] {
        let answer = format!(r#"{{"askId":"{id}","draft":{{"answers":[{{"picks":[0]}}]}}}}"#);
        for (tool, more) in [
            ("ask_ui_draft", &answer),
            ("ask_ui_submit", &answer),
            ("ask_ui_decline", &format!(r#"{{"askId":"{id}"}}"#)),
            ("ask_ui_told", &format!(r#"{{"askId":"{id}"}}"#)),
        ] {
            let problem = chat.does(tool, more).expect_err("not its own");
            assert_eq!(problem["status"], 404, "{tool}: {problem}");
        }
        let standing = chat
            .does("ask_ui_state", &format!(r#"{{"askId":"{id}"}}"#))
            .expect("the card reads its ask");
        assert!(standing.get("ask").is_none(), "{standing}");
        let record = json(&sandbox.done(&["show", &id, "--json"]));
        assert_eq!(record["state"], "waiting", "{record}");
    }
}

#[test]
fn settings_say_what_a_client_may_and_are_minded() {
    let sandbox = Sandbox::new();
    sandbox.settings(AFTER);
    let said = sandbox.done(&["docs", "clients", "fake-agent"]);
    assert!(said.contains("our card: shown once the call"), "{said}");
    sandbox.settings(&BESIDE.replace("beside", "always"));
    let said = sandbox.run(&["doctor"]);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains(r#""beside" or "after""#), "{said}");
}
