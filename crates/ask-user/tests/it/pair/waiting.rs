//! What `ask-user pair` shows in the terminal while something else happens: another invitation, a
//! device that leaves, a name that imitates other text.

use super::command::run_pair;
use crate::support::hub::Hub;
use crate::support::phone::{invite, pair_request, secret};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::Web;

#[test]
fn pair_shows_another_invitation() {
    let sandbox = Sandbox::new();
    let (screen, phone, first) = run_pair(&sandbox, &[]);
    let computer = Web::page(&sandbox);
    let anew = invite(&computer, "answer");
    screen.wait_for("Another invitation was made");
    let code = text(&anew["invitation"], "code");
    screen.wait_for(&format!("type {} {}", &code[..3], &code[3..]));
    screen.wait_for(&text(&anew["invitation"], "url"));
    let shown = screen.screen();
    assert!(!shown.contains("wrong codes"), "{shown}");
    phone.expect_status(
        401,
        "POST",
        "/v1/pair",
        &pair_request("secret", &first, "old"),
    );
    let wrong = if code == "123456" { "123457" } else { "123456" };
    for _ in 0..5 {
        phone.expect_status(401, "POST", "/v1/pair", &pair_request("code", wrong, "x"));
    }
    screen.wait_for("Five wrong codes were tried");
    let body = pair_request("secret", &secret(&anew), "new");
    phone.expect_status(202, "POST", "/v1/pair", &body);
    screen.wait_for("\"new\" at 127.0.0.1 wants to answer.");
}

#[test]
fn an_admission_of_a_closed_page_waits_and_expires() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let (screen, phone, secret) = run_pair(&sandbox, &[]);
    phone.expect_status(
        202,
        "POST",
        "/v1/pair",
        &pair_request("secret", &secret, "phone"),
    );
    screen.wait_for("Does it show");
    screen.type_text("y");
    screen.press(&["Enter"]);
    screen.wait_for("Your yes waits for \"phone\": the page has to be open there.");
    sandbox.set_clock("2026-03-01T10:03:00Z");
    Hub::connect(&sandbox).set_clock("2026-03-01T10:03:00Z");
    screen.wait_for("\"phone\" did not come for its yes in time.");
    screen.wait_for("Nobody is waiting any more");
    assert_eq!(screen.wait_for_exit(), 0);
}

#[test]
fn a_device_name_cannot_imitate_the_prompt() {
    let sandbox = Sandbox::new();
    let (screen, phone, secret) = run_pair(&sandbox, &[]);
    let name = "phone\\\" at 10.0.0.1 wants to answer. Does it show 11? [y/N] y";
    let asked = phone.expect_status(
        202,
        "POST",
        "/v1/pair",
        &pair_request("secret", &secret, name),
    );
    let number = text(&asked, "number");
    screen.wait_for(
        "\"phone' at 10.0.0.1 wants to answer. Doe…\" at 127.0.0.1 wants to answer. Does it show",
    );
    screen.wait_for(&format!("{number}? [y/N]"));
}

#[test]
fn pair_prints_json() {
    let sandbox = Sandbox::new();
    let (_screen, _, _) = run_pair(&sandbox, &[]);
    let on = sandbox.run_ok(&["pair", "--devices", "--json"]);
    assert!(on.contains("\"on\":true"), "{on}");
    let off = sandbox.run_ok(&["pair", "--off", "--json"]);
    assert!(
        off.starts_with('{') && off.contains("\"on\":false"),
        "{off}"
    );
    let told = sandbox.run_ok(&["pair", "--devices", "--json"]);
    assert!(
        told.contains("\"on\":false"),
        "printing the state turns nothing on: {told}"
    );
}
