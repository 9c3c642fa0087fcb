//! `ask-user pair` in a terminal: its link, and the person's decision on each device that asks.

use rustix::process::Signal;

use crate::support::phone::{ADDRESS, shows};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;
use crate::support::text;
use crate::support::web::{Web, cookie};

/// The text on the screen between these words and the next space.
fn after(screen: &Screen, words: &str) -> String {
    let shown = screen.screen();
    let (_, rest) = shown.split_once(words).expect("the text is on the screen");
    rest.split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Runs `ask-user pair` in a terminal. Returns its screen, a client at the address for devices, and
/// the secret of the link.
pub(super) fn inviting(sandbox: &Sandbox, more: &[&str]) -> (Screen, Web, String) {
    let screen = Screen::open(sandbox, &[&["pair", "--address", ADDRESS], more].concat());
    screen.resize(100, 60);
    screen.see("Waiting for a device");
    let link = format!("http://{}", after(&screen, "  http://"));
    let (base, secret) = link.split_once("/pair#").expect("a link");
    let phone = Web::of(sandbox).at_address(base.trim_start_matches("http://"));
    (screen, phone, secret.to_owned())
}

#[test]
fn the_person_says_yes_to_the_number_that_the_phone_shows() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Which?"]);
    let (screen, phone, secret) = inviting(&sandbox, &[]);
    screen.see("NOT ENCRYPTED");
    let shown = screen.screen();
    assert!(
        shown.contains('█') && shown.contains("and type "),
        "{shown}"
    );
    let body = shows("secret", &secret, "iPhone, Safari");
    let asked = phone.says(202, "POST", "/v1/pair", &body);
    let number = text(&asked, "number");
    screen.see(&format!(
        "\"iPhone, Safari\" at 127.0.0.1 wants to answer. Does it show {number}? [y/N]"
    ));
    let listed = sandbox.done(&["pair", "--devices"]);
    assert!(
        listed.contains("\n\"iPhone, Safari\" at 127.0.0.1 waits for your yes until ")
            && !listed.contains("none is invited"),
        "{listed}"
    );
    screen.types("y");
    screen.press(&["Enter"]);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let mut allowed = phone.send("GET", &asking, "");
    let said = allowed.text();
    assert!(said.contains("allowed"), "{said}");
    screen.see("\"iPhone, Safari\" may answer until");
    assert_eq!(screen.ended(), 0);
    let phone = phone.with_cookie(&cookie(&allowed));
    phone.posts(&format!("/v1/asks/{id}/decline"), "{}");

    let listed = sandbox.done(&["pair", "--devices"]);
    assert!(
        listed.contains("iPhone, Safari  may answer, last seen ")
            && listed.contains("none is invited"),
        "{listed}"
    );
    let doctor = sandbox.run(&["doctor"]);
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(said.contains("1 let in, at http://127.0.0.2"), "{said}");
    sandbox.done(&["pair", "--revoke", "iPhone, Safari"]);
    phone.says(401, "GET", "/v1/asks", "");
    let gone = sandbox.run(&["pair", "--revoke", "iPhone, Safari"]);
    assert_eq!(gone.status.code(), Some(1));
    sandbox.done(&["pair", "--off"]);
    let json = sandbox.done(&["pair", "--devices", "--json"]);
    assert!(json.contains("\"on\":false"), "{json}");
}

#[test]
fn anything_but_yes_is_no_and_leaving_leaves_it_on() {
    let sandbox = Sandbox::new();
    let (screen, phone, secret) = inviting(&sandbox, &["--see", "--for", "1h"]);
    let asked = phone.says(
        202,
        "POST",
        "/v1/pair",
        &shows("secret", &secret, "somebody"),
    );
    screen.see("wants to see what waits. Does it show");
    screen.press(&["Enter"]);
    screen.see("\"somebody\" was refused.");
    screen.see("Nobody is waiting any more");
    assert_eq!(screen.ended(), 0);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    assert_eq!(phone.gets(&asking)["state"], "refused");

    let (screen, phone, _) = inviting(&sandbox, &[]);
    screen.kill(Signal::INT);
    screen.see("Devices that you let in may still come.");
    assert_eq!(screen.ended(), 0);
    phone.says(400, "POST", "/v1/pair", "{}");
}

#[test]
fn where_nobody_can_type_the_link_is_printed_and_that_is_all() {
    let sandbox = Sandbox::new();
    let printed = sandbox.done(&["pair", "--address", ADDRESS, "--for", "always"]);
    assert!(printed.contains("until you turn it off"), "{printed}");
    assert!(printed.contains("/pair#"), "{printed}");
    assert!(
        !printed.contains('█') && !printed.contains('\u{1b}'),
        "{printed}"
    );
    // A further invitation doesn't change how long devices may connect.
    let again = sandbox.done(&["pair", "--address", ADDRESS]);
    assert!(again.contains("until you turn it off"), "{again}");
    let json = sandbox.done(&["pair", "--address", ADDRESS, "--json"]);
    assert!(
        json.contains("\"invitation\":{\"url\":\"http://127.0.0.2"),
        "{json}"
    );
    let wrong = sandbox.run(&["pair", "--address", "0.0.0.0"]);
    assert_eq!(wrong.status.code(), Some(1));
    let said = String::from_utf8_lossy(&wrong.stderr);
    assert!(said.contains("not an address of this machine"), "{said}");
    for (length, what) in [
        (
            "soon",
            "a number and its unit: 90s, 5m, 1h; or give `always`",
        ),
        ("5", "it has no unit: write 5s, 5m or 5h"),
    ] {
        let wrong = sandbox.run(&["pair", "--for", length]);
        assert_eq!(wrong.status.code(), Some(2), "{length}");
        let said = String::from_utf8_lossy(&wrong.stderr);
        assert!(said.contains(what), "{length}: {said}");
    }
}
