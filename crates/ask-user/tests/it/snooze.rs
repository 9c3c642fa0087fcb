//! Snoozing: the agent notices nothing, the ask comes back at its time, and all surfaces show it.
//! And more time for an ask with a deadline.

use ask_core::{Answer, AskId, Draft};
use ask_protocol::ipc::{Request, Response};

use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};

const NOON: &str = "2026-02-04T12:00:00Z";
const LATER: &str = "2026-02-04T12:16:00Z";

fn snoozed_until(sandbox: &Sandbox, id: &str) -> Option<String> {
    let record = json(&sandbox.run_ok(&["show", id, "--json"]));
    let until = record.get("snoozedUntil")?.as_str()?;
    Some(until.to_owned())
}

#[test]
fn a_snoozed_ask_returns_and_notifies() {
    let sandbox = Sandbox::with_clock(NOON);
    let id = sandbox.ask(&["Which icon set?"]);
    let said = sandbox.run_ok(&["snooze", &id, "--for", "15m", "--json"]);
    assert_eq!(json(&said)["snoozedUntil"], "2026-02-04T12:15:00Z");
    let listed = sandbox.run_ok(&["list"]);
    assert!(listed.contains("snoozed until "), "{listed}");
    let status = json(&sandbox.run_ok(&["status", "--json"]));
    assert_eq!(
        (&status["waiting"], &status["snoozed"]),
        (&1.into(), &1.into())
    );

    let mut hub = Hub::connect(&sandbox);
    hub.subscribe();
    hub.set_clock(LATER);
    hub.next_change();
    assert_eq!(snoozed_until(&sandbox, &id), None, "it is back");
}

#[test]
fn a_time_of_day_is_of_the_zone_that_tz_names() {
    let sandbox = Sandbox::with_clock(NOON);
    // The zone of Tokyo, nine hours east, as tzfile(5) describes it.
    let counts = [0_u32, 0, 0, 0, 1, 4].map(u32::to_be_bytes).concat();
    let block = [
        b"TZif2".as_slice(),
        &[0; 15],
        &counts,
        &32_400_i32.to_be_bytes(),
        b"\0\0JST\0",
    ]
    .concat();
    let zone = [block.as_slice(), &block, b"\nJST-9\n"].concat();
    std::fs::write(sandbox.home().join("Tokyo"), zone).expect("a file");
    let id = sandbox.ask(&["Which icon set?"]);
    let snooze = |zone: &str| {
        let mut command = sandbox.command(BINARY);
        command.args(["snooze", &id, "--until", "tomorrow 02:30"]);
        command.env("TZ", zone).env("TZDIR", sandbox.home());
        let output = run_to_end(command);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(snooze("Tokyo"), "");
    let until = snoozed_until(&sandbox, &id);
    assert_eq!(until.as_deref(), Some("2026-02-04T17:30:00Z"));
    let said = snooze("Atlantis");
    assert!(said.contains("TZ: \"Atlantis\" is no time zone"), "{said}");
}

#[test]
fn snoozes_survive_a_killed_hub() {
    let sandbox = Sandbox::with_clock(NOON);
    let (soon, late, again) = (
        sandbox.ask(&["Soon?"]),
        sandbox.ask(&["Late?"]),
        sandbox.ask(&["Again?"]),
    );
    sandbox.run_ok(&["snooze", &soon]);
    sandbox.run_ok(&["snooze", &late, "--for", "2d"]);
    sandbox.run_ok(&["snooze", &again, "--until", "asked-again"]);
    Hub::connect(&sandbox).kill();
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
    let said = sandbox.run_ok(&["snooze", &late, "--off"]);
    assert_eq!(said, format!("{late} waits again.\n"));
    assert_eq!(snoozed_until(&sandbox, &late), None);
}

#[test]
fn a_snooze_until_asked_again_ends_when_asked_again() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let arguments = r#"{"question":"Which icon set?"}"#;
    let first = agent.call("ask_user", arguments);
    let id = wait_for_ask(&sandbox);
    sandbox.run_ok(&["snooze", &id, "--until", "asked-again"]);
    sandbox.run_ok(&["answer", &id, "--set", "Lucide"]);
    let told = json(&agent.receive_reply(first));
    assert_eq!(
        told["answers"][0]["values"][0], "Lucide",
        "a snoozed ask can be answered"
    );

    let arguments = r#"{"question":"And which font?"}"#;
    agent.call("ask_user", arguments);
    let id = wait_for_ask(&sandbox);
    sandbox.run_ok(&["snooze", &id, "--until", "asked-again"]);
    let second = agent.call("ask_user", arguments);
    wait_for_record(&sandbox, |record| record.get("askedAgainAt").is_some());
    assert_eq!(
        snoozed_until(&sandbox, &id),
        None,
        "asking again ends the snooze"
    );
    sandbox.run_ok(&["answer", &id, "--set", "Inter"]);
    let told = json(&agent.receive_reply(second));
    assert_eq!(told["answers"][0]["values"][0], "Inter");
}

#[test]
fn a_deadline_is_extended_up_to_the_agents_limit() {
    let sandbox = Sandbox::with_clock(NOON);
    sandbox.run_ok(&["list"]);
    let mut agent = Agent::connect(&sandbox, "codenomad");
    let call = agent.call(
        "ask_user",
        r#"{"questions":[{"id":"a","type":"text","question":"Name?"}],"timeout":60000}"#,
    );
    let id = wait_for_ask(&sandbox);
    let deadline =
        |sandbox: &Sandbox| json(&sandbox.run_ok(&["show", &id, "--json"]))["deadlineAt"].clone();
    assert_eq!(deadline(&sandbox), "2026-02-04T12:01:00Z");
    assert_eq!(
        sandbox.run_ok(&["extend", &id]),
        format!("{id}: 6m left.\n")
    );
    assert_eq!(deadline(&sandbox), "2026-02-04T12:06:00Z");
    // Its original deadline has passed, and it still waits.
    Hub::connect(&sandbox).set_clock("2026-02-04T12:05:00Z");
    assert_eq!(deadline(&sandbox), "2026-02-04T12:06:00Z");
    sandbox.run_ok(&["extend", &id, "500m"]);
    assert_eq!(
        deadline(&sandbox),
        "2026-02-04T12:30:00Z",
        "half an hour in all"
    );
    let said = sandbox.run_ok(&["extend", &id]);
    assert_eq!(said, format!("{id} gets no more time: 30m left.\n"));
    Hub::connect(&sandbox).set_clock("2026-02-04T12:30:00Z");
    assert_eq!(json(&agent.receive_reply(call))["timedOut"], true);
}

#[test]
fn a_stale_draft_is_refused() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which region?"]);
    let id = AskId::parse(&id).expect("an id");
    let mut hub = Hub::connect(&sandbox);
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
fn invalid_snoozes_are_refused() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which region?"]);
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
    sandbox.run_ok(&["decline", &id]);
    let said = fails(&["snooze", &id], 1);
    assert!(said.contains("is no longer open: declined"), "{said}");
}

/// The id of the newest ask, once there is one.
fn wait_for_ask(sandbox: &Sandbox) -> String {
    let id = wait_for_record(sandbox, |record| record["state"] == "waiting");
    id["askId"].as_str().expect("an id").to_owned()
}

/// The newest open record that fits, once there is one.
fn wait_for_record(sandbox: &Sandbox, wanted: impl Fn(&ask_core::Json) -> bool) -> ask_core::Json {
    let mut hub = Hub::start(sandbox);
    hub.subscribe();
    loop {
        let listed = json(&sandbox.run_ok(&["list", "--json"]));
        let records = listed.as_array().cloned().unwrap_or_default();
        let found = records.into_iter().rev().find(|record| wanted(record));
        if let Some(found) = found {
            return found;
        }
        hub.next_change();
    }
}
