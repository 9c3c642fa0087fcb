//! How many asks may be open, and how long: one agent that asks without end leaves room for the others,
//! and all of them leave their person a list that can be read.

use crate::support::agent::Agent;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

fn asks(agent: &mut Agent, what: &str) -> i64 {
    agent.call("ask_user", &format!(r#"{{"question":"{what}"}}"#))
}

#[test]
fn one_agent_has_so_many_asks_open_and_all_together_so_many() {
    let sandbox = Sandbox::new();
    sandbox.settings("[limits]\nopen_asks_per_agent = 2\nopen_asks = 3\n");
    let mut person = Person::at(&sandbox);
    let mut one = Agent::of(&sandbox, "native");
    asks(&mut one, "First?");
    let id = person.asked();
    asks(&mut one, "Second?");
    person.asked();
    let third = asks(&mut one, "Third?");
    let refused = one.refused(third);
    assert!(refused.contains("limits.open_asks_per_agent"), "{refused}");

    let mut other = Agent::of(&sandbox, "native");
    asks(&mut other, "Fourth?");
    person.asked();
    let fifth = asks(&mut other, "Fifth?");
    let refused = other.refused(fifth);
    assert!(refused.contains("limits.open_asks)"), "{refused}");

    // The same again is no other ask, and what is answered makes room.
    let again = asks(&mut one, "First?");
    person.answers(&id, &["--set", "1=yes"]);
    let told = json(&one.told(again));
    assert_eq!(told["answered"], true, "{told}");
    let sixth = asks(&mut one, "Sixth?");
    let id = person.asked();
    person.answers(&id, &["--set", "1=yes"]);
    let told = json(&one.told(sixth));
    assert_eq!(told["answered"], true, "{told}");
}

#[test]
fn what_one_agent_has_open_is_so_long_and_what_all_have_together() {
    let sandbox = Sandbox::new();
    sandbox.settings("[limits]\nopen_megabytes_per_agent = 1\nopen_megabytes = 2\n");
    let mut person = Person::at(&sandbox);
    // As long as a question may be, nearly: 17 of them are the megabyte.
    let long = |what: &str| format!("{what} {}", "x".repeat(60_000));
    let mut one = Agent::of(&sandbox, "native");
    asks(&mut one, &long("First"));
    let id = person.asked();
    for number in 2..=17 {
        asks(&mut one, &long(&number.to_string()));
        person.asked();
    }
    let next = asks(&mut one, &long("Next"));
    let refused = one.refused(next);
    assert!(
        refused.contains("more than 1 MB") && refused.contains("open_megabytes_per_agent"),
        "{refused}"
    );
    // A short one has room.
    asks(&mut one, "Short?");
    person.asked();

    let mut other = Agent::of(&sandbox, "native");
    for number in 1..=17 {
        asks(&mut other, &long(&number.to_string()));
        person.asked();
    }
    let mut last = Agent::of(&sandbox, "native");
    let next = asks(&mut last, &long("Next"));
    let refused = last.refused(next);
    assert!(refused.contains("limits.open_megabytes)"), "{refused}");

    person.answers(&id, &["--set", "1=yes"]);
    asks(&mut last, &long("Next"));
    person.asked();
}
