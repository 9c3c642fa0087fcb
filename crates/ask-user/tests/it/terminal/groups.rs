//! The groups of the list: waiting, snoozed, late, kept. A snoozed ask comes back at its time, and
//! Tab goes from group to group.

use ask_core::Time;

use super::{DATABASE, NAME, start_agent};
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

fn question_named(name: &str) -> String {
    format!(r#"{{"title":"{name}","questions":[{{"question":"Which one?"}}]}}"#)
}

#[test]
fn tab_moves_between_groups_and_snoozed_asks_return() {
    let sandbox = Sandbox::new();
    // The test's clock stops, and with it the time for taking an answer back.
    sandbox.write_settings("[surfaces]\nundo_seconds = 0\n");
    let mut person = Person::new(&sandbox);
    let (mut all, mut ids) = (Vec::new(), Vec::new());
    for name in ["Roof", "Door", "Gate", "Wall"] {
        all.push(start_agent(&sandbox, "native", &question_named(name)));
        ids.push(person.next_ask());
    }
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("4 waiting");
    // The agents of the last two asks leave, and then the person answers one of these.
    drop(all.pop());
    screen.wait_for("3 waiting · 1 late");
    drop(all.pop());
    screen.wait_for("2 waiting · 2 late");
    screen.wait_for("LATE  the agent stopped waiting");
    screen.press(&["Home", "Down", "Down"]);
    screen.wait_until_selected("Gate");
    screen.press(&["Enter"]);
    screen.wait_for("The agent stopped waiting; your answer will be kept.");
    screen.type_text("iron");
    screen.wait_until_bright("iron");
    screen.press(&["Enter"]);
    screen.wait_for("KEPT  answered; the agent hasn't fetched it yet");
    // One is snoozed for a quarter of an hour.
    screen.press(&["Home"]);
    screen.wait_for("› 1");
    screen.press(&["Down"]);
    screen.wait_for("› 2");
    screen.press(&["s"]);
    screen.wait_for("Snooze it; its agent notices nothing");
    screen.wait_for("2. 15 minutes (until ");
    let known = json(&sandbox.run_ok(&["show", &ids[1], "--json"]));
    let began = known["askedAt"].as_str().and_then(Time::parse);
    let began = began.expect("the record has a time");
    screen.press(&["2"]);
    screen.wait_for("1 waiting · 1 snoozed · 1 late");
    screen.wait_for("back ");
    let order = [
        "WAITING", "Roof", "SNOOZED", "Door", "LATE", "Wall", "KEPT", "Gate",
    ];
    let picture = screen.screen();
    let places: Vec<Option<usize>> = order.iter().map(|part| picture.find(part)).collect();
    assert!(
        places.is_sorted() && places[0].is_some(),
        "{places:?}:\n{picture}"
    );
    // Tab goes to the first ask of each group, wrapping around.
    screen.press(&["Home"]);
    for title in ["Door", "Wall", "Gate", "Roof", "Door"] {
        screen.press(&["Tab"]);
        screen.wait_until_selected(title);
    }
    screen.press(&["BTab"]);
    screen.wait_until_selected("Roof");
    // After fourteen minutes nothing has changed; after half an hour it is back.
    let minutes_later = |minutes: i64| {
        let then = Time(began.0 + minutes * 60_000).to_string();
        Hub::connect(&sandbox).set_clock(&then);
    };
    minutes_later(14);
    let shown = sandbox.run_ok(&["list", "--json"]);
    assert!(shown.contains("snoozedUntil"), "{shown}");
    screen.wait_for("SNOOZED");
    minutes_later(30);
    screen.wait_for("2 waiting · 1 late");
    screen.wait_until_gone("SNOOZED");
    screen.wait_until_selected("Roof");
    let shown = sandbox.run_ok(&["list", "--json"]);
    assert!(!shown.contains("snoozedUntil"), "{shown}");
    // It is answered like any other.
    screen.press(&["Down"]);
    screen.wait_until_selected("Door");
    screen.press(&["Enter"]);
    screen.wait_for(" ago · ");
    screen.type_text("oak");
    screen.wait_until_bright("oak");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    let (code, reply) = all.pop().expect("an agent waits").receive();
    assert_eq!(code, 0, "{reply}");
    assert!(reply.contains(r#""values":["oak"]"#), "{reply}");
}

#[test]
fn snoozing_an_open_ask_keeps_its_draft() {
    let sandbox = Sandbox::new();
    let (asking, screen) = super::ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("half a na");
    screen.wait_until_bright("half a na");
    screen.press(&["Escape"]);
    screen.wait_for("0/↑↓ type");
    screen.press(&["s"]);
    screen.wait_for("Until this agent asks again");
    screen.press(&["5"]);
    screen.wait_for("0 waiting · 1 snoozed");
    screen.wait_for("when asked");
    screen.press(&["s"]);
    screen.wait_for("1 waiting");
    screen.wait_until_gone("SNOOZED");
    screen.wait_for("draft 1/1");
    screen.press(&["1"]);
    screen.wait_until_bright("half a na");
    screen.type_text("me");
    screen.wait_until_bright("half a name");
    screen.press(&["Enter"]);
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"half a name","wasCustom":true}]}"#,
    );
}

#[test]
fn the_list_is_filtered_and_reset() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let calls = [
        question_named("Roof"),
        question_named("Door"),
        question_named("Dormer"),
    ];
    let asking: Vec<_> = calls
        .iter()
        .map(|call| {
            let asking = start_agent(&sandbox, "native", call);
            person.next_ask();
            asking
        })
        .collect();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("3 waiting");
    screen.press(&["/"]);
    screen.type_text("do");
    screen.wait_for("2 of 3");
    screen.wait_until_gone("Roof");
    screen.type_text("o");
    screen.wait_for("1 of 3");
    screen.wait_until_gone("Dormer");
    screen.press(&["Enter"]);
    screen.wait_until_selected("Door");
    screen.press(&["Escape"]);
    screen.wait_for("Roof");
    screen.wait_for("Dormer");
    drop(asking);
}

#[test]
fn keys_extend_the_deadline_and_mute() {
    let sandbox = Sandbox::with_clock("2026-03-02T09:00:00Z");
    let call = r#"{"question":"What name?","timeout":600000}"#;
    let mut person = Person::new(&sandbox);
    let asking = start_agent(&sandbox, "native", call);
    let other = start_agent(&sandbox, "pi", DATABASE);
    person.next_ask();
    person.next_ask();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("due in 10m");
    screen.press(&["+"]);
    screen.wait_for("due in 15m");
    screen.press(&["m"]);
    screen.wait_for("muted");
    screen.press(&["m"]);
    screen.wait_until_gone("muted");
    screen.wait_until_selected("What name?");
    screen.wait_for("web 127.0.0.1:");
    screen.press(&["w"]);
    screen.wait_for("/#k=");
    drop((asking, other));
}
