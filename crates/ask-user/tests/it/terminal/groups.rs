//! The groups of the list: waiting, snoozed, late, kept. A snoozed ask comes back at its time, and
//! Tab goes from group to group.

use ask_core::Time;

use super::{DATABASE, NAME, asking};
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

fn named(name: &str) -> String {
    format!(r#"{{"title":"{name}","questions":[{{"question":"Which one?"}}]}}"#)
}

#[test]
fn four_groups_are_walked_by_tab_and_what_was_put_aside_comes_back_by_the_clock() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let (mut all, mut ids) = (Vec::new(), Vec::new());
    for name in ["Roof", "Door", "Gate", "Wall"] {
        all.push(asking(&sandbox, "native", &named(name)));
        ids.push(person.asked());
    }
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("4 waiting");
    // The agents of the last two asks leave, and then the person answers one of these.
    drop(all.pop());
    screen.see("3 waiting · 1 late");
    drop(all.pop());
    screen.see("2 waiting · 2 late");
    screen.see("LATE  the agent stopped waiting");
    screen.press(&["Home", "Down", "Down"]);
    screen.marked("Gate");
    screen.press(&["Enter"]);
    screen.see("The agent stopped waiting; your answer will be kept.");
    screen.types("iron");
    screen.bright("iron");
    screen.press(&["Enter"]);
    screen.see("KEPT  answered; the agent hasn't fetched it yet");
    // One is snoozed for a quarter of an hour.
    screen.press(&["Home"]);
    screen.see("› 1");
    screen.press(&["Down"]);
    screen.see("› 2");
    screen.press(&["s"]);
    screen.see("Snooze it; its agent notices nothing");
    screen.see("2. 15 minutes (until ");
    let known = json(&sandbox.done(&["show", &ids[1], "--json"]));
    let began = known["askedAt"].as_str().and_then(Time::parse);
    let began = began.expect("the record has a time");
    screen.press(&["2"]);
    screen.see("1 waiting · 1 snoozed · 1 late");
    screen.see("back ");
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
        screen.marked(title);
    }
    screen.press(&["BTab"]);
    screen.marked("Roof");
    // After fourteen minutes nothing has changed; after half an hour it is back.
    let minutes_later = |minutes: i64| {
        let then = Time(began.0 + minutes * 60_000).to_string();
        Hub::of(&sandbox).clock(&then);
    };
    minutes_later(14);
    let shown = sandbox.done(&["list", "--json"]);
    assert!(shown.contains("snoozedUntil"), "{shown}");
    screen.see("SNOOZED");
    minutes_later(30);
    screen.see("2 waiting · 1 late");
    screen.gone("SNOOZED");
    screen.marked("Roof");
    let shown = sandbox.done(&["list", "--json"]);
    assert!(!shown.contains("snoozedUntil"), "{shown}");
    // It is answered like any other.
    screen.press(&["Down"]);
    screen.marked("Door");
    screen.press(&["Enter"]);
    screen.see(" ago · ");
    screen.types("oak");
    screen.bright("oak");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    let (code, reply) = all.pop().expect("an agent waits").hears();
    assert_eq!(code, 0, "{reply}");
    assert!(reply.contains(r#""values":["oak"]"#), "{reply}");
}

#[test]
fn what_is_put_aside_from_its_card_keeps_what_was_typed_and_is_brought_back_by_a_key() {
    let sandbox = Sandbox::new();
    let (asking, screen) = super::opened(&sandbox, "pi", NAME);
    screen.types("half a na");
    screen.bright("half a na");
    screen.press(&["Escape"]);
    screen.see("0/↑↓ type");
    screen.press(&["s"]);
    screen.see("Until this agent asks again");
    screen.press(&["5"]);
    screen.see("0 waiting · 1 snoozed");
    screen.see("when asked");
    screen.press(&["s"]);
    screen.see("1 waiting");
    screen.gone("SNOOZED");
    screen.see("draft 1/1");
    screen.press(&["1"]);
    screen.bright("half a na");
    screen.types("me");
    screen.bright("half a name");
    screen.press(&["Enter"]);
    asking.told(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"half a name","wasCustom":true}]}"#,
    );
}

#[test]
fn the_list_is_filtered_and_shown_whole_again() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let calls = [named("Roof"), named("Door"), named("Dormer")];
    let asking: Vec<_> = calls
        .iter()
        .map(|call| {
            let asking = asking(&sandbox, "native", call);
            person.asked();
            asking
        })
        .collect();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("3 waiting");
    screen.press(&["/"]);
    screen.types("do");
    screen.see("2 of 3");
    screen.gone("Roof");
    screen.types("o");
    screen.see("1 of 3");
    screen.gone("Dormer");
    screen.press(&["Enter"]);
    screen.marked("Door");
    screen.press(&["Escape"]);
    screen.see("Roof");
    screen.see("Dormer");
    drop(asking);
}

#[test]
fn more_time_is_taken_by_a_key_and_notifications_are_muted() {
    let sandbox = Sandbox::at("2026-03-02T09:00:00Z");
    let call = r#"{"question":"What name?","timeout":600000}"#;
    let mut person = Person::at(&sandbox);
    let asking = asking(&sandbox, "native", call);
    let other = super::asking(&sandbox, "pi", DATABASE);
    person.asked();
    person.asked();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("due in 10m");
    screen.press(&["+"]);
    screen.see("due in 15m");
    screen.press(&["m"]);
    screen.see("muted");
    screen.press(&["m"]);
    screen.gone("muted");
    screen.marked("What name?");
    screen.see("web 127.0.0.1:");
    screen.press(&["w"]);
    screen.see("/#k=");
    drop((asking, other));
}
