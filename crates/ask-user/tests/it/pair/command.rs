//! `ask-user pair` in a terminal: its link, and the person's decision on each device that asks.

use rustix::process::Signal;

use crate::support::phone::{ADDRESS, pair_request};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;
use crate::support::text;
use crate::support::web::{Web, cookie};

/// The text on the screen between these words and the next space.
fn word_after(screen: &Screen, words: &str) -> String {
    let shown = screen.screen();
    let (_, rest) = shown.split_once(words).expect("the text is on the screen");
    rest.split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Runs `ask-user pair` in a terminal. Returns its screen, a client at the address for devices, and
/// the secret of the link.
pub(super) fn run_pair(sandbox: &Sandbox, more: &[&str]) -> (Screen, Web, String) {
    let screen = Screen::open(sandbox, &[&["pair", "--address", ADDRESS], more].concat());
    screen.resize(100, 60);
    screen.wait_for("Waiting for a device");
    let link = format!("http://{}", word_after(&screen, "  http://"));
    let (base, secret) = link.split_once("/pair#").expect("a link");
    let phone = Web::anonymous(sandbox).at_address(base.trim_start_matches("http://"));
    (screen, phone, secret.to_owned())
}

#[test]
fn pair_admits_a_device_after_yes() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let (screen, phone, secret) = run_pair(&sandbox, &[]);
    screen.wait_for("NOT ENCRYPTED");
    let shown = screen.screen();
    assert!(
        shown.contains('█') && shown.contains("and type "),
        "{shown}"
    );
    let body = pair_request("secret", &secret, "iPhone, Safari");
    let asked = phone.expect_status(202, "POST", "/v1/pair", &body);
    let number = text(&asked, "number");
    screen.wait_for(&format!(
        "\"iPhone, Safari\" at 127.0.0.1 wants to answer. Does it show {number}? [y/N]"
    ));
    let listed = sandbox.run_ok(&["pair", "--devices"]);
    assert!(
        listed.contains("\n\"iPhone, Safari\" at 127.0.0.1 waits for your yes until ")
            && !listed.contains("none is invited"),
        "{listed}"
    );
    screen.type_text("y");
    screen.press(&["Enter"]);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let mut allowed = phone.send("GET", &asking, "");
    let said = allowed.text();
    assert!(said.contains("allowed"), "{said}");
    screen.wait_for("\"iPhone, Safari\" may answer until");
    assert_eq!(screen.wait_for_exit(), 0);
    let phone = phone.with_cookie(&cookie(&allowed));
    phone.post_json(&format!("/v1/asks/{id}/decline"), "{}");

    let listed = sandbox.run_ok(&["pair", "--devices"]);
    assert!(
        listed.contains("iPhone, Safari  may answer, last seen ")
            && listed.contains("none is invited"),
        "{listed}"
    );
    let doctor = sandbox.run(&["doctor"]);
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(said.contains("1 let in, at http://127.0.0.2"), "{said}");
    sandbox.run_ok(&["pair", "--revoke", "iPhone, Safari"]);
    phone.expect_status(401, "GET", "/v1/asks", "");
    let gone = sandbox.run(&["pair", "--revoke", "iPhone, Safari"]);
    assert_eq!(gone.status.code(), Some(1));
    sandbox.run_ok(&["pair", "--off"]);
    let json = sandbox.run_ok(&["pair", "--devices", "--json"]);
    assert!(json.contains("\"on\":false"), "{json}");
}

#[test]
fn pair_refuses_without_yes_and_stays_on_after_leaving() {
    let sandbox = Sandbox::new();
    let (screen, phone, secret) = run_pair(&sandbox, &["--see", "--for", "1h"]);
    let asked = phone.expect_status(
        202,
        "POST",
        "/v1/pair",
        &pair_request("secret", &secret, "somebody"),
    );
    screen.wait_for("wants to see what waits. Does it show");
    screen.press(&["Enter"]);
    screen.wait_for("\"somebody\" was refused.");
    screen.wait_for("Nobody is waiting any more");
    assert_eq!(screen.wait_for_exit(), 0);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    assert_eq!(phone.get_json(&asking)["state"], "refused");

    let (screen, phone, _) = run_pair(&sandbox, &[]);
    screen.signal(Signal::INT);
    screen.wait_for("Devices that you let in may still come.");
    assert_eq!(screen.wait_for_exit(), 0);
    phone.expect_status(400, "POST", "/v1/pair", "{}");
}

#[test]
fn pair_without_a_terminal_only_prints_the_link() {
    let sandbox = Sandbox::new();
    let printed = sandbox.run_ok(&["pair", "--address", ADDRESS, "--for", "always"]);
    assert!(printed.contains("until you turn it off"), "{printed}");
    assert!(printed.contains("/pair#"), "{printed}");
    assert!(
        !printed.contains('█') && !printed.contains('\u{1b}'),
        "{printed}"
    );
    // A further invitation doesn't change how long devices may connect.
    let again = sandbox.run_ok(&["pair", "--address", ADDRESS]);
    assert!(again.contains("until you turn it off"), "{again}");
    let json = sandbox.run_ok(&["pair", "--address", ADDRESS, "--json"]);
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
