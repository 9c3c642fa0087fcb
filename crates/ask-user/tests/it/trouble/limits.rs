//! How many asks may be open: one agent that asks without end leaves room for the others, and all of
//! them leave their person a list that can be read.

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
