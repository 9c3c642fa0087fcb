//! Snoozing: the agent notices nothing, the ask comes back at its time, and all surfaces show it.
//! And more time for an ask with a deadline.

use ask_core::{Answer, AskId, Draft};
use ask_protocol::ipc::{Request, Response};

use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::Sandbox;

const NOON: &str = "2026-02-04T12:00:00Z";
const LATER: &str = "2026-02-04T12:16:00Z";

fn snoozed_until(sandbox: &Sandbox, id: &str) -> Option<String> {
    let record = json(&sandbox.done(&["show", id, "--json"]));
    let until = record.get("snoozedUntil")?.as_str()?;
    Some(until.to_owned())
}

#[test]
fn put_aside_it_comes_back_by_itself_and_rings() {
    let sandbox = Sandbox::at(NOON);
    let id = sandbox.asks(&["Which icon set?"]);
    let said = sandbox.done(&["snooze", &id, "--for", "15m", "--json"]);
    assert_eq!(json(&said)["snoozedUntil"], "2026-02-04T12:15:00Z");
    let listed = sandbox.done(&["list"]);
    assert!(listed.contains("snoozed until "), "{listed}");
    let status = json(&sandbox.done(&["status", "--json"]));
    assert_eq!(
        (&status["waiting"], &status["snoozed"]),
        (&1.into(), &1.into())
    );

    let mut hub = Hub::of(&sandbox);
    hub.subscribe();
    hub.clock(LATER);
    hub.change();
    assert_eq!(snoozed_until(&sandbox, &id), None, "it is back");
}

#[test]
fn a_killed_hub_forgets_nothing_and_its_heir_brings_back_what_was_due() {
    let sandbox = Sandbox::at(NOON);
    let (soon, late, again) = (
        sandbox.asks(&["Soon?"]),
        sandbox.asks(&["Late?"]),
        sandbox.asks(&["Again?"]),
    );
    sandbox.done(&["snooze", &soon]);
    sandbox.done(&["snooze", &late, "--for", "2d"]);
    sandbox.done(&["snooze", &again, "--until", "asked-again"]);
    Hub::of(&sandbox).kill();
    sandbox.set_clock(LATER);
    assert_eq!(
        snoozed_until(&sandbox, &soon),
        None,
        "its time has come meanwhile"
    );
    assert_eq!(
        snoozed_until(&sandbox, &late).as_deref(),
        Some("2026-02-06T12:00:00Z")
    );
    assert_eq!(
        snoozed_until(&sandbox, &again).as_deref(),
        Some("asked-again")
    );
    let said = sandbox.done(&["snooze", &late, "--off"]);
    assert_eq!(said, format!("{late} waits again.\n"));
    assert_eq!(snoozed_until(&sandbox, &late), None);
}

#[test]
fn until_asked_again_means_so_and_the_agent_notices_nothing() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let arguments = r#"{"question":"Which icon set?"}"#;
    let first = agent.call("ask_user", arguments);
    let id = opened(&sandbox);
    sandbox.done(&["snooze", &id, "--until", "asked-again"]);
    sandbox.done(&["answer", &id, "--set", "Lucide"]);
    let told = json(&agent.told(first));
    assert_eq!(
        told["answers"][0]["values"][0], "Lucide",
        "a snoozed ask can be answered"
    );

    let arguments = r#"{"question":"And which font?"}"#;
    agent.call("ask_user", arguments);
    let id = opened(&sandbox);
    sandbox.done(&["snooze", &id, "--until", "asked-again"]);
    let second = agent.call("ask_user", arguments);
    await_change(&sandbox, |record| record.get("askedAgainAt").is_some());
    assert_eq!(
        snoozed_until(&sandbox, &id),
        None,
        "asking again ends the snooze"
    );
    sandbox.done(&["answer", &id, "--set", "Inter"]);
    let told = json(&agent.told(second));
    assert_eq!(told["answers"][0]["values"][0], "Inter");
}

#[test]
fn more_time_goes_as_far_as_the_agent_can_expect() {
    let sandbox = Sandbox::at(NOON);
    sandbox.done(&["list"]);
    let mut agent = Agent::of(&sandbox, "codenomad");
    let call = agent.call(
        "ask_user",
        r#"{"questions":[{"id":"a","type":"text","question":"Name?"}],"timeout":60000}"#,
    );
    let id = opened(&sandbox);
    let deadline =
        |sandbox: &Sandbox| json(&sandbox.done(&["show", &id, "--json"]))["deadlineAt"].clone();
    assert_eq!(deadline(&sandbox), "2026-02-04T12:01:00Z");
    assert_eq!(sandbox.done(&["extend", &id]), format!("{id}: 6m left.\n"));
    assert_eq!(deadline(&sandbox), "2026-02-04T12:06:00Z");
    // Its original deadline has passed, and it still waits.
    Hub::of(&sandbox).clock("2026-02-04T12:05:00Z");
    assert_eq!(deadline(&sandbox), "2026-02-04T12:06:00Z");
    sandbox.done(&["extend", &id, "500m"]);
    assert_eq!(
        deadline(&sandbox),
        "2026-02-04T12:30:00Z",
        "half an hour in all"
    );
    let said = sandbox.done(&["extend", &id]);
    assert_eq!(said, format!("{id} gets no more time: 30m left.\n"));
    Hub::of(&sandbox).clock("2026-02-04T12:30:00Z");
    assert_eq!(json(&agent.told(call))["timedOut"], true);
}

#[test]
fn a_draft_that_another_was_saved_after_is_not_overwritten_unseen() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Which region?"]);
    let id = AskId::parse(&id).expect("an id");
    let mut hub = Hub::of(&sandbox);
    let keep = |words: &str, built_on| Request::SaveDraft {
        id: id.clone(),
        draft: Draft {
            answers: vec![Answer::saying(words)],
            note: None,
        },
        surface: "terminal".to_owned(),
        built_on,
        sender: None,
    };
    assert_eq!(
        hub.call(&keep("Frankfurt", Some(0))),
        Response::Done { count: 1 }
    );
    let Response::Record(record) = hub.call(&keep("Paris", Some(0))) else {
        panic!("a late draft is refused with the stored one");
    };
    let saved = record.draft.clone().expect("a draft");
    assert_eq!(saved.revision, 1);
    assert_eq!(saved.draft.answers[0].own.as_deref(), Some("Frankfurt"));
    assert_eq!(
        hub.call(&keep("Paris", Some(1))),
        Response::Done { count: 1 }
    );
    assert_eq!(
        hub.call(&keep("Rome", None)),
        Response::Done { count: 1 },
        "a draft without a revision overwrites"
    );
}

#[test]
fn what_cannot_be_put_aside_is_said() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Which region?"]);
    let fails = |arguments: &[&str], code: i32| {
        let output = sandbox.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {output:?}"
        );
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = fails(&["snooze", &id, "--for", "15"], 2);
    assert!(said.contains("write 15s, 15m or 15h"), "{said}");
    let said = fails(&["snooze", &id, "--for", "9999999d"], 2);
    assert!(said.contains("--until asked-again"), "{said}");
    let said = fails(&["snooze", &id, "--until", "soon"], 2);
    assert!(said.contains("asked-again"), "{said}");
    let said = fails(&["extend", &id], 1);
    assert!(said.contains("has no deadline"), "{said}");
    let said = fails(&["snooze", &id, "--until", "2020-01-01T00:00:00Z"], 1);
    assert!(said.contains("is in the past"), "{said}");
    sandbox.done(&["decline", &id]);
    let said = fails(&["snooze", &id], 1);
    assert!(said.contains("is no longer open: declined"), "{said}");
}

/// The id of the newest ask, once there is one.
fn opened(sandbox: &Sandbox) -> String {
    let id = await_change(sandbox, |record| record["state"] == "waiting");
    id["askId"].as_str().expect("an id").to_owned()
}

/// The newest open record that fits, once there is one.
fn await_change(sandbox: &Sandbox, wanted: impl Fn(&ask_core::Json) -> bool) -> ask_core::Json {
    let mut hub = Hub::started(sandbox);
    hub.subscribe();
    loop {
        let listed = json(&sandbox.done(&["list", "--json"]));
        let records = listed.as_array().cloned().unwrap_or_default();
        let found = records.into_iter().rev().find(|record| wanted(record));
        if let Some(found) = found {
            return found;
        }
        hub.change();
    }
}
