//! Up to the revision 2025-11-25: a request of the server's beside the call that
//! waits.

use ask_core::dialect::Json;

use super::{CALL, FORMS, LATER, NOON, ONE, latest};
use crate::support::agent::{Agent, Era};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

const TITLED: Era = Era::Initialize("2025-11-25");

fn is_dialog(message: &Json) -> bool {
    message["method"] == "elicitation/create"
}

/// That the dialog was taken away again.
fn withdrawn(agent: &mut Agent, dialog: &Json) {
    agent.hear("the dialog's withdrawal", |message| {
        message["method"] == "notifications/cancelled"
            && message["params"]["requestId"] == dialog["id"]
    });
}

#[test]
fn what_is_filled_in_is_the_answer() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", CALL);
    let dialog = agent.dialog();
    assert_eq!(dialog["params"]["mode"], "form");
    let fields = dialog["params"]["requestedSchema"]["properties"].as_object();
    let names: Vec<_> = fields.expect("a form has fields").keys().collect();
    let expected = ["db", "db_own_words", "parts", "parts_own_words", "name"];
    assert_eq!(names, expected);
    let content = r#"{"db":"PostgreSQL","parts":["Docs","Auth"],"parts_own_words":"a page"}"#;
    agent.replies(
        &dialog,
        &format!(r#"{{"action":"accept","content":{content}}}"#),
    );
    let told = json(&agent.told(call));
    assert_eq!(told["answered"], true, "{told}");
    assert_eq!(told["answers"][0]["values"], json(r#"["PostgreSQL"]"#));
    assert_eq!(told["answers"][1]["values"], json(r#"["Auth","Docs"]"#));
    assert_eq!(told["answers"][1]["customText"], "a page");
    assert_eq!(told["answers"][2]["status"], "skipped", "{told}");
    let record = latest(&sandbox);
    assert_eq!(record["answeredBy"], "dialog", "{record}");
}

#[test]
fn an_early_client_gets_a_form_it_knows() {
    let sandbox = Sandbox::at(NOON);
    // Forms are all there was, so an empty object declares them.
    let mut agent = Agent::able(
        &sandbox,
        Era::Initialize("2025-06-18"),
        r#"{"elicitation":{}}"#,
    );
    let call = agent.call("ask_user", CALL);
    let dialog = agent.dialog();
    assert!(dialog["params"].get("mode").is_none(), "{dialog}");
    let fields = &dialog["params"]["requestedSchema"]["properties"];
    assert_eq!(
        fields["db"]["enumNames"][1], "PostgreSQL — Battle-tested",
        "{fields}"
    );
    assert_eq!(fields["parts_2"]["type"], "boolean", "{fields}");
    let content = r#"{"db":"SQLite","parts_1":true,"parts_2":false,"parts_3":true,"name":"x"}"#;
    agent.replies(
        &dialog,
        &format!(r#"{{"action":"accept","content":{content}}}"#),
    );
    let told = json(&agent.told(call));
    assert_eq!(told["answers"][1]["values"], json(r#"["Auth","Tests"]"#));
}

#[test]
fn a_person_may_decline() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    sandbox.set_clock(LATER);
    agent.replies(&dialog, r#"{"action":"decline"}"#);
    let told = json(&agent.told(call));
    assert_eq!(told["cancelled"], true, "{told}");
    let record = latest(&sandbox);
    assert_eq!(record["state"], "declined", "{record}");
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

        // Whoever has no person there is not asked a second time.
        let call = agent.call("ask_user", CALL);
        let id = person.asked();
        agent.nothing("a second dialog", is_dialog);
        sandbox.done(&["decline", &id]);
        agent.told(call);
        agent.nothing("a second dialog", is_dialog);
    }
}

#[test]
fn a_dialog_put_away_is_no_answer() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    sandbox.set_clock(LATER);
    agent.replies(&dialog, r#"{"action":"cancel"}"#);
    agent.nothing("a reply to the call", |message| message["id"] == call);
    sandbox.done(&["answer", "latest", "--set", "B"]);
    let told = json(&agent.told(call));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");

    // The person is there, and gets the next question in a dialog again.
    agent.call("ask_user", CALL);
    agent.dialog();
}

#[test]
fn an_answer_elsewhere_takes_the_dialog_away() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    sandbox.done(&["answer", "latest", "--set", "A"]);
    withdrawn(&mut agent, &dialog);
    let told = json(&agent.told(call));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
    // A client may have replied before it heard.
    agent.replies(&dialog, r#"{"action":"accept","content":{"q1":"B"}}"#);
    agent.nothing("another reply", |message| message["id"] == call);
}

#[test]
fn a_call_taken_back_takes_its_dialog_along() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    agent.cancel(call);
    withdrawn(&mut agent, &dialog);
    assert_eq!(latest(&sandbox)["state"], "waiting");
}

#[test]
fn gaps_are_told_once_and_what_was_filled_in_stays() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", CALL);
    let dialog = agent.dialog();
    let content = r#"{"db":"PostgreSQL","name":"orders"}"#;
    let accept = format!(r#"{{"action":"accept","content":{content}}}"#);
    agent.replies(&dialog, &accept);
    let again = agent.dialog();
    let message = again["params"]["message"].as_str().expect("a message");
    assert!(
        message.starts_with("Not sent yet: required and not answered: question 2."),
        "{message}"
    );
    let fields = &again["params"]["requestedSchema"]["properties"];
    assert_eq!(fields["db"]["default"], "PostgreSQL", "{fields}");
    assert_eq!(fields["name"]["default"], "orders", "{fields}");
    let draft = latest(&sandbox);
    assert_eq!(draft["state"], "waiting", "{draft}");
    agent.replies(&again, &accept);
    let told = json(&agent.told(call));
    assert_eq!(told["answers"][0]["values"], json(r#"["PostgreSQL"]"#));
    assert_ne!(told["answers"][1]["status"], "answered", "{told}");
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
    for (setting, shown) in [("auto", false), ("never", false), ("always", true)] {
        let sandbox = Sandbox::at(NOON);
        sandbox.settings(&format!("[dialogs]\nuse = \"{setting}\"\n"));
        let mut person = Person::at(&sandbox);
        let earlier = sandbox.asks(&["Is anybody there?"]);
        assert_eq!(person.asked(), earlier, "a surface is open");
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
        assert_eq!(told["answered"], true, "{setting}: {told}");
        agent.nothing("a dialog", is_dialog);
    }
}
