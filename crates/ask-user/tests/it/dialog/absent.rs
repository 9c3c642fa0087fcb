//! Cases without a dialog: not declared, not wanted, or without a person who could see it.

use ask_core::Json;

use super::{CALL, FORMS, LAST_INITIALIZE, NOON, ONE};
use crate::support::agent::Agent;
use crate::support::host::Host;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

fn is_dialog(message: &Json) -> bool {
    message["method"] == "elicitation/create"
}

#[test]
fn a_dialog_declined_at_once_is_no_refusal() {
    let error = r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no"}}"#;
    let result = |action: &str| {
        let result = format!(r#"{{"action":"{action}"}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{result}}}"#)
    };
    for reply in [result("decline"), result("cancel"), error.to_owned()] {
        let sandbox = Sandbox::with_clock(NOON);
        sandbox.write_settings("[dialogs]\nuse = \"always\"\n");
        let mut person = Person::new(&sandbox);
        let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
        let call = agent.call("ask_user", ONE);
        let id = person.next_ask();
        let dialog = agent.next_dialog();
        agent.send_message(&reply.replace("ID", &dialog["id"].to_string()));
        agent.assert_silent("a reply to the call", |message| message["id"] == call);
        person.answer(&id, &["--set", "A"]);
        let told = json(&agent.receive_reply(call));
        assert_eq!(told["answered"], true, "{reply}: {told}");

        // A client without a person isn't asked a second time.
        let call = agent.call("ask_user", CALL);
        let id = person.next_ask();
        agent.assert_silent("a second dialog", is_dialog);
        sandbox.run_ok(&["decline", &id]);
        agent.receive_reply(call);
        agent.assert_silent("a second dialog", is_dialog);
    }
}

#[test]
fn a_client_without_the_capability_gets_no_dialog() {
    for capabilities in ["{}", r#"{"elicitation":{"url":{}}}"#] {
        let sandbox = Sandbox::with_clock(NOON);
        sandbox.write_settings("[dialogs]\nuse = \"always\"\n");
        let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, capabilities);
        let mut person = Person::new(&sandbox);
        let call = agent.call("ask_user", ONE);
        let id = person.next_ask();
        agent.assert_silent("a dialog", is_dialog);
        person.answer(&id, &["--set", "A"]);
        agent.receive_reply(call);
        agent.assert_silent("a dialog", is_dialog);
    }
}

#[test]
fn the_dialog_setting_decides_whether_a_dialog_is_shown() {
    for (setting, open, shown) in [
        ("auto", true, false),
        ("never", true, false),
        ("always", true, true),
        // `watch` shows asks but takes no answers, so it doesn't count as a surface.
        ("auto", false, true),
    ] {
        let sandbox = Sandbox::with_clock(NOON);
        sandbox.write_settings(&format!("[dialogs]\nuse = \"{setting}\"\n"));
        let mut person = Person::new(&sandbox);
        let earlier = sandbox.ask(&["Is anybody there?"]);
        assert_eq!(person.next_ask(), earlier);
        let mut surface = open.then(|| Host::start(&sandbox, &["--surface"]));
        if let Some(surface) = &mut surface {
            assert_eq!(surface.next_shown(), earlier, "a surface is open");
        }
        let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
        let call = agent.call("ask_user", ONE);
        let id = person.next_ask();
        if shown {
            let dialog = agent.next_dialog();
            agent.respond(&dialog, r#"{"action":"accept","content":{"q1":"A"}}"#);
        } else {
            person.answer(&id, &["--set", "A"]);
        }
        let told = json(&agent.receive_reply(call));
        assert_eq!(told["answered"], true, "{setting}, {open}: {told}");
        agent.assert_silent("a dialog", is_dialog);
    }
}

#[test]
fn no_dialog_is_shown_if_its_answer_would_be_refused() {
    let sandbox = Sandbox::with_clock(NOON);
    sandbox.write_settings("[dialogs]\nuse = \"always\"\n[answers]\nonly_from = \"devices\"\n");
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let mut person = Person::new(&sandbox);
    agent.call("ask_user", ONE);
    person.next_ask();
    agent.assert_silent("a dialog", is_dialog);
}
