//! What `ask-user pair` shows in the terminal while something else happens: another invitation, a
//! device that leaves, a name that imitates other text.

use super::command::inviting;
use crate::support::hub::Hub;
use crate::support::phone::{invited, secret, shows};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::Web;

#[test]
fn another_invitation_is_said_and_shown_whole() {
    let sandbox = Sandbox::new();
    let (screen, phone, first) = inviting(&sandbox, &[]);
    let computer = Web::page(&sandbox);
    let anew = invited(&computer, "answer");
    screen.see("Another invitation was made");
    let code = text(&anew["invitation"], "code");
    screen.see(&format!("type {} {}", &code[..3], &code[3..]));
    screen.see(&text(&anew["invitation"], "url"));
    let shown = screen.screen();
    assert!(!shown.contains("wrong codes"), "{shown}");
    phone.says(401, "POST", "/v1/pair", &shows("secret", &first, "old"));
    let wrong = if code == "123456" { "123457" } else { "123456" };
    for _ in 0..5 {
        phone.says(401, "POST", "/v1/pair", &shows("code", wrong, "x"));
    }
    screen.see("Five wrong codes were tried");
    let body = shows("secret", &secret(&anew), "new");
    phone.says(202, "POST", "/v1/pair", &body);
    screen.see("\"new\" at 127.0.0.1 wants to answer.");
}

#[test]
fn a_yes_to_a_device_that_went_away_waits_and_then_ends() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let (screen, phone, secret) = inviting(&sandbox, &[]);
    phone.says(202, "POST", "/v1/pair", &shows("secret", &secret, "phone"));
    screen.see("Does it show");
    screen.types("y");
    screen.press(&["Enter"]);
    screen.see("Your yes waits for \"phone\": the page has to be open there.");
    sandbox.set_clock("2026-03-01T10:03:00Z");
    Hub::of(&sandbox).clock("2026-03-01T10:03:00Z");
    screen.see("\"phone\" did not come for its yes in time.");
    screen.see("Nobody is waiting any more");
    assert_eq!(screen.ended(), 0);
}

#[test]
fn a_name_stays_a_name_in_the_question() {
    let sandbox = Sandbox::new();
    let (screen, phone, secret) = inviting(&sandbox, &[]);
    let name = "phone\\\" at 10.0.0.1 wants to answer. Does it show 11? [y/N] y";
    let asked = phone.says(202, "POST", "/v1/pair", &shows("secret", &secret, name));
    let number = text(&asked, "number");
    screen.see(
        "\"phone' at 10.0.0.1 wants to answer. Doe…\" at 127.0.0.1 wants to answer. Does it show",
    );
    screen.see(&format!("{number}? [y/N]"));
}

#[test]
fn programs_are_told_in_json_what_was_done() {
    let sandbox = Sandbox::new();
    let (_screen, _, _) = inviting(&sandbox, &[]);
    let on = sandbox.done(&["pair", "--devices", "--json"]);
    assert!(on.contains("\"on\":true"), "{on}");
    let off = sandbox.done(&["pair", "--off", "--json"]);
    assert!(
        off.starts_with('{') && off.contains("\"on\":false"),
        "{off}"
    );
    let told = sandbox.done(&["pair", "--devices", "--json"]);
    assert!(
        told.contains("\"on\":false"),
        "printing the state turns nothing on: {told}"
    );
}
