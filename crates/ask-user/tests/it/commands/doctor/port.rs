//! The checks of `ask-user doctor` on the hub's port, and what `ask-user web` says about it.

use std::net::TcpListener;

use super::{assert_contains, doctor, doctor_with_port, home, shell};
use crate::support::sandbox::{BINARY, run_to_end};

#[test]
fn doctor_checks_the_port_like_an_agent() {
    let sandbox = home();
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port();
    sandbox.write_settings(&format!("[http]\nport = {port}\n"));
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    assert_contains(
        &said,
        &[
            &format!(
                "warn  http        port {port} was taken when the hub began, so MCP is at http://127.0.0.1:"
            ),
            &format!("mend:     find who has it: lsof -nP -iTCP:{port} -sTCP:LISTEN\n"),
            "or set `port` under [http] in HOME/config.toml, or CN_MCP_PORT where that is set, to another\n",
            "and then, because a hub keeps the port that it has: ask-user hub --stop\n",
        ],
    );
    let link = sandbox.run(&["web", "--print"]);
    let (link, said) = (
        String::from_utf8_lossy(&link.stdout).into_owned(),
        String::from_utf8_lossy(&link.stderr).into_owned(),
    );
    let (other, _) = link
        .trim_start_matches("http://127.0.0.1:")
        .split_once('/')
        .expect("a link");
    assert_eq!(
        said,
        format!(
            "Port {port} was taken when the hub began, so the page is at port {other} for now: `ask-user doctor` says more.\n"
        )
    );
    sandbox.write_settings("[http]\nport = 0\n");
    let stale = format!(
        "warn  http        the hub was to take port {port} when it began, so MCP is at http://127.0.0.1:{other}/mcp"
    );
    assert_contains(
        &doctor_with_port(&sandbox, Some(other)).1,
        &["ok    http        MCP at "],
    );
    assert_contains(
        &doctor_with_port(&sandbox, Some("1")).1,
        &[&stale, "and port 1 is wanted now\n"],
    );
    sandbox.run_ok(&["hub", "--stop"]);
    let port = port.to_string();
    let (_, said) = doctor_with_port(&sandbox, Some(&port));
    assert_contains(
        &said,
        &[&format!(
            "warn  http        port {port} was taken when the hub began"
        )],
    );
    sandbox.write_settings("[http]\nenabled = false\n");
    assert_contains(&doctor(&sandbox).1, &["though `http.enabled` is false now"]);
    sandbox.run_ok(&["hub", "--stop"]);
    assert_contains(
        &doctor(&sandbox).1,
        &["ok    http        off: `http.enabled` is false\n"],
    );
}

#[test]
fn an_invalid_port_is_reported_and_the_default_is_used() {
    let sandbox = home();
    let mistake = "CN_MCP_PORT: must be a port, 0 to 65535, not \"70000\"";
    let (code, said) = doctor_with_port(&sandbox, Some("70000"));
    assert_eq!(code, 1, "{said}");
    assert_contains(
        &said,
        &[
            &format!("FAIL  settings    {mistake}\n"),
            "until that is mended, http.port holds, which is 0",
            "ok    http        MCP at http://127.0.0.1:",
        ],
    );
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("the log exists");
    assert_contains(&log, &[mistake]);
    sandbox.run_ok(&["hub", "--stop"]);
    let mut list = shell(&sandbox, BINARY);
    list.arg("list").env("CN_MCP_PORT", "70000");
    assert_contains(
        &String::from_utf8_lossy(&run_to_end(list).stderr),
        &[mistake],
    );
    // A variable without a value is ignored.
    sandbox.run_ok(&["hub", "--stop"]);
    assert_eq!(doctor_with_port(&sandbox, Some("")).0, 0);
}

#[test]
fn web_reports_the_setting_that_disables_http() {
    let sandbox = home();
    let page = || {
        let output = sandbox.run(&["web", "--print"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    sandbox.write_settings("[http]\nport = 0\ncolour = 'red'\nsize = 3\n");
    let file = sandbox.home().join("config.toml");
    let said = page();
    assert_contains(
        &said,
        &[
            "the hub doesn't listen for HTTP, so there is no page\n",
            &format!(
                "mend this in {}: http.colour: is not a setting\n  then: ask-user hub --stop\n",
                file.display()
            ),
        ],
    );
    assert!(!said.contains("enabled = true"), "{said}");
    sandbox.write_settings("[http]\nenabled = false\n");
    sandbox.run_ok(&["hub", "--stop"]);
    assert_contains(&page(), &["set `enabled = true` under [http] in "]);
}
