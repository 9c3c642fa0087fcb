//! The person's actions in the card while the call waits.

use super::{CALL, Chat, LAST_INITIALIZE, ONE, WHILE_WAITING};
use crate::support::agent::Era;
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

#[test]
fn an_answer_in_the_card_reaches_the_call_that_waits() {
    for era in [LAST_INITIALIZE, Era::Discover] {
        let sandbox = Sandbox::new();
        let mut chat = Chat::open_in_era(&sandbox, WHILE_WAITING, era);
        let (call, ask) = chat.ask(CALL);
        assert_eq!(ask["inClient"], "dialog", "others see where it is: {ask}");
        let shown = &ask["shown"]["questions"][0]["text"]["blocks"][0]["lines"][0];
        assert_eq!(shown[1]["strong"], true, "Markdown comes as a tree: {ask}");
        let id = text(&ask, "askId");
        let gap = format!(r#"{{"askId":"{id}","draft":{{"answers":[{{"picks":[1]}},{{}}]}}}}"#);
        let problem = chat.call_card("ask_ui_submit", &gap).expect_err("a gap");
        assert_eq!(problem["status"], 422, "{problem}");
        assert_eq!(problem["problems"][0]["question"], 2, "{problem}");
        let full = format!(
            r#"{{"askId":"{id}","attempt":"a","draft":{{"answers":[{{"picks":[1],"note":"it lasts"}},{{"own":"orders"}}]}}}}"#
        );
        let done = chat
            .call_card("ask_ui_submit", &full)
            .expect("it is accepted");
        assert_eq!(done["record"]["answeredBy"], "app", "{done}");
        assert!(done.get("tell").is_none(), "the call delivers it: {done}");
        let told = json(&chat.agent.receive_reply(call));
        assert_eq!(told["answers"][0]["values"][0], "PostgreSQL", "{told}");
        assert_eq!(told["answers"][1]["values"][0], "orders", "{told}");
        // The same attempt may be repeated; another one is too late.
        let again = chat
            .call_card("ask_ui_submit", &full)
            .expect("the repeated attempt is accepted");
        assert_eq!(again["record"]["askId"], id.as_str(), "{again}");
        let late = full.replace(r#""attempt":"a""#, r#""attempt":"b""#);
        let problem = chat
            .call_card("ask_ui_submit", &late)
            .expect_err("too late");
        assert_eq!(problem["status"], 409, "{problem}");
        assert_eq!(problem["record"]["state"], "answered", "{problem}");
    }
}

#[test]
fn declining_and_clarifying_reach_the_call() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, WHILE_WAITING);
    let (call, ask) = chat.ask(ONE);
    let id = text(&ask, "askId");
    chat.call_card(
        "ask_ui_decline",
        &format!(r#"{{"askId":"{id}","reason":"not now"}}"#),
    )
    .expect("it is accepted");
    let told = chat.agent.receive_reply(call);
    assert!(told.contains("not now"), "{told}");
    let (call, ask) = chat.ask(CALL);
    let id = text(&ask, "askId");
    let empty = format!(r#"{{"askId":"{id}","text":" "}}"#);
    chat.call_card("ask_ui_ask_back", &empty)
        .expect_err("nothing");
    let words = format!(r#"{{"askId":"{id}","text":"Which orders?"}}"#);
    chat.call_card("ask_ui_ask_back", &words)
        .expect("it is accepted");
    let told = chat.agent.receive_reply(call);
    assert!(told.contains("Which orders?"), "{told}");
}

#[test]
fn drafts_are_shared_and_conflicts_name_the_first_surface() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, WHILE_WAITING);
    let (call, ask) = chat.ask(CALL);
    let id = text(&ask, "askId");
    let draft = |built_on: u64, name: &str| {
        format!(
            r#"{{"askId":"{id}","builtOn":{built_on},"draft":{{"answers":[{{"picks":[0]}},{{"own":"{name}"}}]}}}}"#
        )
    };
    let kept = chat
        .call_card("ask_ui_draft", &draft(0, "one"))
        .expect("the draft is accepted");
    assert_eq!(kept["revision"], 1, "{kept}");
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(record["draft"]["savedBy"], "app", "{record}");
    let old = chat
        .call_card("ask_ui_draft", &draft(0, "two"))
        .expect_err("built on what was");
    assert_eq!(old["status"], 409, "{old}");
    assert_eq!(old["record"]["draft"]["answers"][1]["own"], "one", "{old}");

    let which = format!(r#"{{"askId":"{id}","seen":true}}"#);
    let first = chat
        .call_card("ask_ui_state", &which)
        .expect("the card reads its ask");
    let stamp = text(&first, "stamp");
    let second = chat
        .call_card(
            "ask_ui_state",
            &format!(r#"{{"askId":"{id}","stamp":"{stamp}"}}"#),
        )
        .expect("the card reads its ask");
    assert_eq!(second["ask"].is_null(), second["stamp"] == stamp.as_str());

    sandbox.run_ok(&["answer", &id, "--set", "db=SQLite", "--set", "name=shell"]);
    let told = json(&chat.agent.receive_reply(call));
    assert_eq!(told["answers"][1]["values"][0], "shell", "{told}");
    let late = chat.call_card("ask_ui_submit", &draft(1, "late"));
    let problem = late.expect_err("too late");
    assert_eq!(problem["status"], 409, "{problem}");
    assert_eq!(problem["record"]["answeredBy"], "cli", "{problem}");
    let longer = format!(r#"{{"askId":"{id}","until":"2099-01-01T00:00:00Z"}}"#);
    let problem = chat
        .call_card("ask_ui_extend", &longer)
        .expect_err("too late");
    assert_eq!(problem["status"], 409, "the hub is there: {problem}");
}

#[test]
fn a_hub_killed_between_draft_and_answer_loses_nothing() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, WHILE_WAITING);
    let mut person = Person::new(&sandbox);
    let (call, ask) = chat.ask(CALL);
    let id = text(&ask, "askId");
    let draft = format!(
        r#"{{"askId":"{id}","builtOn":0,"draft":{{"answers":[{{"picks":[0]}},{{"own":"typed"}}]}}}}"#
    );
    chat.call_card("ask_ui_draft", &draft)
        .expect("the draft is accepted");
    person.wait_for("the draft", |record| record["draft"]["revision"] == 1);
    Hub::connect(&sandbox).kill();
    let which = format!(r#"{{"askId":"{id}"}}"#);
    let state = chat
        .call_card("ask_ui_state", &which)
        .expect("the next hub knows the ask");
    let kept = &state["ask"]["draft"]["answers"][1]["own"];
    assert_eq!(*kept, "typed", "{state}");
    chat.call_card("ask_ui_submit", &draft)
        .expect("it is accepted");
    let told = json(&chat.agent.receive_reply(call));
    assert_eq!(told["answers"][1]["values"][0], "typed", "{told}");
    let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
    assert_eq!(all.as_array().map(Vec::len), Some(1), "{all}");
}

#[test]
fn each_card_finds_the_ask_of_its_own_call() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, WHILE_WAITING);
    let none = chat
        .call_card("ask_ui_state", "{}")
        .expect("the card reads its ask");
    assert!(none.get("ask").is_none(), "{none}");
    let (_, first) = chat.ask(ONE);
    let (_, second) = chat.ask(CALL);
    let newest = chat
        .call_card("ask_ui_state", "{}")
        .expect("the card reads its ask");
    assert_eq!(newest["ask"]["askId"], second["askId"], "{newest}");
    assert_eq!(newest["sure"], false, "{newest}");
    // A client that numbers its calls differently names the call by its arguments.
    let which = format!(r#"{{"call":"theirs-7","arguments":{ONE}}}"#);
    let found = chat
        .call_card("ask_ui_state", &which)
        .expect("the card reads its ask");
    assert_eq!(found["ask"]["askId"], first["askId"], "{found}");
    assert_eq!(found["sure"], true, "{found}");
    let which = r#"{"call":"theirs-8","arguments":{"question":"Another?"}}"#;
    let none = chat
        .call_card("ask_ui_state", which)
        .expect("the card reads its ask");
    assert!(none.get("ask").is_none(), "{none}");
}

#[test]
fn a_cancelled_call_leaves_its_card_usable() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, WHILE_WAITING);
    let mut person = Person::new(&sandbox);
    let (call, ask) = chat.ask(ONE);
    let id = text(&ask, "askId");
    chat.agent.cancel(call);
    person.wait_for("no call waits", |record| record.get("waiters").is_none());
    let answer = format!(r#"{{"askId":"{id}","draft":{{"answers":[{{"picks":[1]}}]}}}}"#);
    chat.call_card("ask_ui_submit", &answer)
        .expect("it is accepted");
    let again = chat.agent.call("ask_user", ONE);
    let told = json(&chat.agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"][0], "B", "{told}");
    assert_eq!(told["late"], true, "{told}");
}
