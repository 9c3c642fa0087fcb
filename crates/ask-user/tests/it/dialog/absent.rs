//! Cases without a dialog: not declared, not wanted, or without a person who could see it.

use ask_core::Json;

use super::{CALL, FORMS, NOON, ONE, TITLED};
use crate::support::agent::Agent;
use crate::support::host::Host;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

fn is_dialog(message: &Json) -> bool {
    message["method"] == "elicitation/create"
}

#[test]
fn what_is_refused_at_once_is_refused_by_nobody() {
    let error = r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no"}}"#;
    let result = |action: &str| {
        let result = format!(r#"{{"action":"{action}"}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{result}}}"#)
    };
    for reply in [result("decline"), result("cancel"), error.to_owned()] {
        let sandbox = Sandbox::at(NOON);
        sandbox.settings("[dialogs]\nuse = \"always\"\n");
        let mut person = Person::at(&sandbox);
        let mut agent = Agent::able(&sandbox, TITLED, FORMS);
        let call = agent.call("ask_user", ONE);
        let id = person.asked();
        let dialog = agent.dialog();
        agent.say(&reply.replace("ID", &dialog["id"].to_string()));
        agent.nothing("a reply to the call", |message| message["id"] == call);
        person.answers(&id, &["--set", "A"]);
        let told = json(&agent.told(call));
        assert_eq!(told["answered"], true, "{reply}: {told}");

        // A client without a person isn't asked a second time.
        let call = agent.call("ask_user", CALL);
        let id = person.asked();
        agent.nothing("a second dialog", is_dialog);
        sandbox.done(&["decline", &id]);
        agent.told(call);
        agent.nothing("a second dialog", is_dialog);
    }
}

#[test]
fn nobody_is_shown_a_dialog_who_did_not_declare_one() {
    for capabilities in ["{}", r#"{"elicitation":{"url":{}}}"#] {
        let sandbox = Sandbox::at(NOON);
        sandbox.settings("[dialogs]\nuse = \"always\"\n");
        let mut agent = Agent::able(&sandbox, TITLED, capabilities);
        let mut person = Person::at(&sandbox);
        let call = agent.call("ask_user", ONE);
        let id = person.asked();
        agent.nothing("a dialog", is_dialog);
        person.answers(&id, &["--set", "A"]);
        agent.told(call);
        agent.nothing("a dialog", is_dialog);
    }
}

#[test]
fn the_settings_decide_and_by_default_an_open_surface_does() {
    for (setting, open, shown) in [
        ("auto", true, false),
        ("never", true, false),
        ("always", true, true),
        // `watch` shows asks but takes no answers, so it doesn't count as a surface.
        ("auto", false, true),
    ] {
        let sandbox = Sandbox::at(NOON);
        sandbox.settings(&format!("[dialogs]\nuse = \"{setting}\"\n"));
        let mut person = Person::at(&sandbox);
        let earlier = sandbox.asks(&["Is anybody there?"]);
        assert_eq!(person.asked(), earlier);
        let mut surface = open.then(|| Host::start(&sandbox, &["--surface"]));
        if let Some(surface) = &mut surface {
            assert_eq!(surface.shows(), earlier, "a surface is open");
        }
        let mut agent = Agent::able(&sandbox, TITLED, FORMS);
        let call = agent.call("ask_user", ONE);
        let id = person.asked();
        if shown {
            let dialog = agent.dialog();
            agent.replies(&dialog, r#"{"action":"accept","content":{"q1":"A"}}"#);
        } else {
            person.answers(&id, &["--set", "A"]);
        }
        let told = json(&agent.told(call));
        assert_eq!(told["answered"], true, "{setting}, {open}: {told}");
        agent.nothing("a dialog", is_dialog);
    }
}

#[test]
fn no_dialog_is_shown_whose_answer_would_not_be_taken() {
    let sandbox = Sandbox::at(NOON);
    sandbox.settings("[dialogs]\nuse = \"always\"\n[answers]\nonly_from = \"devices\"\n");
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let mut person = Person::at(&sandbox);
    agent.call("ask_user", ONE);
    person.asked();
    agent.nothing("a dialog", is_dialog);
}
