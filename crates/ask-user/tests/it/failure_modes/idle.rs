//! A hub that nobody needs ends by itself, and not earlier.

use std::io::Write;
use std::os::unix::net::UnixStream;

use ask_core::Time;
use ask_protocol::ipc::{self, Request};
use rustix::process::{Pid, Signal, WaitOptions, waitpid};

use crate::support::hub::{address, send_signal};
use crate::support::sandbox::{BINARY, Running, Sandbox};
use crate::support::web::Web;

/// How many bytes the hub reads from a connection at once.
const READ_AT_ONCE: usize = 8_192;

const NOON: &str = "2026-02-04T12:00:00Z";

/// A hub in the foreground with a fixed clock that ends after five idle minutes. The next hub uses
/// the machine's clock, so history keeps records of any age.
fn start_hub(sandbox: &Sandbox) -> Running {
    let config = "[hub]\nidle_minutes = 5\n[history]\nkeep_days = 0\n";
    std::fs::write(sandbox.home().join("config.toml"), config).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command
        .env("ASK_USER_NOW", NOON)
        .args(["hub", "--foreground"]);
    let mut hub = sandbox.start("hub", command);
    hub.out
        .find("it listens", |line| line.contains("listens").then_some(()));
    hub
}

/// Moves the clock while nobody is connected. The request fills the hub's read buffer exactly, so
/// that the hub doesn't wait for more and sees the request and the end of the connection at the
/// same moment.
fn advance_clock(sandbox: &Sandbox, hub: &Running, minutes: u64) {
    let pid = hub.child.id();
    send_signal(pid, Signal::STOP);
    let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let stopped = waitpid(number, WaitOptions::UNTRACED).expect("our child process");
    assert!(stopped.is_some_and(|(_, status)| status.stopped()));
    let noon = Time::parse(NOON).expect("a time");
    let clock = Request::Clock {
        now_ms: noon.plus_ms(minutes * 60_000).0,
    };
    let address = address(sandbox).expect("the hub has written its address");
    let mut stream =
        UnixStream::connect(address.socket).expect("the stopped hub accepts connections");
    let mut line = ipc::write_request(1, &clock);
    line.pop();
    line.resize(READ_AT_ONCE - 1, b' ');
    line.push(b'\n');
    stream
        .write_all(&line)
        .expect("the stopped hub accepts connections");
    drop(stream);
    send_signal(pid, Signal::CONT);
}

#[test]
fn an_idle_hub_ends() {
    let sandbox = Sandbox::new();
    let mut hub = start_hub(&sandbox);
    sandbox.run_ok(&["list"]);
    advance_clock(&sandbox, &hub, 6);
    hub.out.rest();
    let status = hub.child.wait().expect("our child process");
    assert!(status.success(), "{status}");
    assert!(address(&sandbox).is_none(), "its address file is gone");
    assert!(
        !sandbox.home().join("hub.sock").exists(),
        "its socket is gone"
    );
    assert_eq!(sandbox.run_ok(&["list"]), "Nothing waits for an answer.\n");
}

#[test]
fn a_hub_with_an_open_ask_stays() {
    let sandbox = Sandbox::new();
    let mut hub = start_hub(&sandbox);
    advance_clock(&sandbox, &hub, 4);
    let id = sandbox.ask(&["Wait for me?"]);
    advance_clock(&sandbox, &hub, 600);
    sandbox.run_ok(&["answer", id.trim(), "--set", "of course"]);
    assert_eq!(
        address(&sandbox).map(|address| address.pid),
        Some(hub.child.id()),
        "the same hub all the time"
    );
    advance_clock(&sandbox, &hub, 700);
    hub.out.rest();
    assert!(sandbox.run_ok(&["show", id.trim()]).contains("of course"));
}

#[test]
fn a_hub_with_a_signed_in_browser_stays() {
    let sandbox = Sandbox::new();
    let mut hub = start_hub(&sandbox);
    Web::page(&sandbox);
    advance_clock(&sandbox, &hub, 600);
    sandbox.run_ok(&["web", "--end", "all"]);
    assert_eq!(
        address(&sandbox).map(|address| address.pid),
        Some(hub.child.id()),
        "the same hub all the time"
    );
    advance_clock(&sandbox, &hub, 1200);
    hub.out.rest();
    let status = hub.child.wait().expect("our child process");
    assert!(status.success(), "{status}");
}
