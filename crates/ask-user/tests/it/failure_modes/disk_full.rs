//! Many connections at the hub's port: they take no room from agents or the person, and fill no
//! disk.

use std::net::TcpStream;

use ask_protocol::ipc::Request;

use crate::support::app::App;
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::lines::until;
use crate::support::sandbox::{BINARY, Running, Sandbox};
use crate::support::web::{Web, kind};

/// The hard limit of file descriptors, to which the hub raises its soft limit of 40. Half of it is
/// for HTTP.
const GRANTED: usize = 128;

fn limited(sandbox: &Sandbox) -> Running {
    let mut command = sandbox.command("sh");
    let script = format!("ulimit -Sn 40; ulimit -Hn {GRANTED}; exec \"$0\" hub --foreground");
    command.args(["-c", &script, BINARY]);
    let mut hub = sandbox.start("hub", command);
    hub.out
        .find("it listens", |line| line.contains("listens").then_some(()));
    hub
}

#[test]
fn whoever_finds_no_room_is_told_so_and_agents_have_theirs() {
    let sandbox = Sandbox::new();
    let _hub = limited(&sandbox);
    let port = Http::of(&sandbox).port;
    let web = Web::of(&sandbox);
    let connect = |_| TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
    let crowd: Vec<TcpStream> = (0..GRANTED / 2).map(connect).collect();
    for _ in 0..3 {
        let mut refused = web.send("GET", "/healthz", "");
        assert_eq!(refused.status, 503);
        assert_eq!(refused.header("retry-after"), Some("5"));
        assert_eq!(kind(&json(&refused.text())), "overloaded");
    }
    let id = sandbox.asks(&["Still there?"]);
    assert!(sandbox.done(&["show", &id]).contains("Still there?"));
    let log =
        std::fs::read_to_string(sandbox.home().join("hub.log")).expect("the hub writes a log");
    assert_eq!(log.matches("there are too many").count(), 1, "{log}");
    drop(crowd);
    until("there is room again", || {
        web.send("GET", "/healthz", "").status == 200
    });
}

#[test]
fn a_file_that_was_never_sent_goes_while_the_hub_runs() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let page = Web::page(&sandbox);
    let kept = page.says(201, "POST", "/v1/files?name=notes.txt", "never sent");
    let name = kept["sha256"].as_str().expect("a digest");
    let file = sandbox.home().join("attachments").join(&name[..2]);
    let file = file.join(format!("{name}.txt"));
    let long_ago = std::time::UNIX_EPOCH;
    let opened = std::fs::File::options().write(true).open(&file);
    let set = opened.and_then(|opened| opened.set_modified(long_ago));
    set.expect("the file is kept");
    let mut hub = Hub::of(&sandbox);
    hub.clock("2026-03-01T16:00:00Z");
    until("what nothing names is gone", || {
        hub.call(&Request::Status);
        !file.exists()
    });
}

#[test]
fn files_that_belong_to_no_answer_have_so_much_room_together() {
    let sandbox = Sandbox::new();
    sandbox.settings("[limits]\nunattached_megabytes = 1\n");
    let page = Web::page(&sandbox);
    let large = |word: &str| format!("{word} {}", "x".repeat(600 * 1024));
    let kept = page.says(201, "POST", "/v1/files?name=first.txt", &large("first"));
    let mut refused = page.send("POST", "/v1/files?name=second.txt", &large("second"));
    assert_eq!(refused.status, 429);
    assert_eq!(refused.header("retry-after"), Some("60"));
    let refused = json(&refused.text());
    assert_eq!(kind(&refused), "too-many");
    let said = refused["detail"].as_str().expect("words");
    assert!(said.contains("limits.unattached_megabytes"), "{said}");
    // Files that a draft refers to aren't counted any more.
    let id = sandbox.asks(&["Which?"]);
    let draft = format!(r#"{{"draft":{{"answers":[{{"attachments":[{kept}]}}]}}}}"#);
    let saved = page.send("PUT", &format!("/v1/asks/{id}/draft"), &draft);
    assert_eq!(saved.status, 200);
    page.says(201, "POST", "/v1/files?name=second.txt", &large("second"));
}

/// The most event streams of a session, and the most apps at the bridge.
const MOST: usize = 64;

#[test]
fn one_session_listens_so_many_times_and_no_more() {
    let sandbox = Sandbox::new();
    let program = Web::program(&sandbox, "answer-token");
    let mut listening: Vec<_> = (0..MOST).map(|_| program.listens()).collect();
    let mut refused = program.send("GET", "/v1/events", "");
    assert_eq!(refused.status, 429);
    assert_eq!(refused.header("retry-after"), Some("15"));
    assert_eq!(kind(&json(&refused.text())), "too-many");
    // Other sessions have their own limit.
    Web::page(&sandbox).listens();
    listening.pop();
    until("there is room again", || {
        program.send("GET", "/v1/events", "").status == 200
    });
}

#[test]
fn so_many_apps_are_connected_to_the_bridge_and_no_more() {
    let sandbox = Sandbox::new();
    let port = Http::of(&sandbox).port;
    let token = std::fs::read_to_string(sandbox.home().join("answer-token"));
    let token = token.expect("the hub's token");
    let connect = || App::connect(port, token.trim(), &[]);
    let mut apps: Vec<App> = (0..MOST)
        .map(|_| connect().expect("the bridge has room"))
        .collect();
    assert_eq!(connect().err(), Some(503));
    apps.pop();
    until("there is room again", || connect().is_ok());
}
