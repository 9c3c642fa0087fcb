//! The checks of `ask-user doctor` on the hub's port, and what `ask-user web` says about it.

use std::net::TcpListener;

use super::{doctor, doctor_with, home, says, shell};
use crate::support::sandbox::{BINARY, ended};

#[test]
fn the_port_is_looked_at_as_an_agent_meets_it() {
    let sandbox = home();
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port();
    sandbox.settings(&format!("[http]\nport = {port}\n"));
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    says(
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
    sandbox.settings("[http]\nport = 0\n");
    let stale = format!(
        "warn  http        the hub was to take port {port} when it began, so MCP is at http://127.0.0.1:{other}/mcp"
    );
    says(
        &doctor_with(&sandbox, Some(other)).1,
        &["ok    http        MCP at "],
    );
    says(
        &doctor_with(&sandbox, Some("1")).1,
        &[&stale, "and port 1 is wanted now\n"],
    );
    sandbox.done(&["hub", "--stop"]);
    let port = port.to_string();
    let (_, said) = doctor_with(&sandbox, Some(&port));
    says(
        &said,
        &[&format!(
            "warn  http        port {port} was taken when the hub began"
        )],
    );
    sandbox.settings("[http]\nenabled = false\n");
    says(&doctor(&sandbox).1, &["though `http.enabled` is false now"]);
    sandbox.done(&["hub", "--stop"]);
    says(
        &doctor(&sandbox).1,
        &["ok    http        off: `http.enabled` is false\n"],
    );
}

#[test]
fn a_port_that_is_none_is_named_and_keeps_nobody_out() {
    let sandbox = home();
    let mistake = "CN_MCP_PORT: must be a port, 0 to 65535, not \"70000\"";
    let (code, said) = doctor_with(&sandbox, Some("70000"));
    assert_eq!(code, 1, "{said}");
    says(
        &said,
        &[
            &format!("FAIL  settings    {mistake}\n"),
            "until that is mended, http.port holds, which is 0",
            "ok    http        MCP at http://127.0.0.1:",
        ],
    );
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("the log exists");
    says(&log, &[mistake]);
    sandbox.done(&["hub", "--stop"]);
    let mut list = shell(&sandbox, BINARY);
    list.arg("list").env("CN_MCP_PORT", "70000");
    says(&String::from_utf8_lossy(&ended(list).stderr), &[mistake]);
    // A variable without a value is ignored.
    sandbox.done(&["hub", "--stop"]);
    assert_eq!(doctor_with(&sandbox, Some("")).0, 0);
}

#[test]
fn a_mistake_that_closes_http_is_named_where_the_page_is_wanted() {
    let sandbox = home();
    let page = || {
        let output = sandbox.run(&["web", "--print"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    sandbox.settings("[http]\nport = 0\ncolour = 'red'\nsize = 3\n");
    let file = sandbox.home().join("config.toml");
    let said = page();
    says(
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
    sandbox.settings("[http]\nenabled = false\n");
    sandbox.done(&["hub", "--stop"]);
    says(&page(), &["set `enabled = true` under [http] in "]);
}
