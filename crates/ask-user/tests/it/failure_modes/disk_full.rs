//! Many connections at the hub's port: they take no room from agents or the person, and fill no
//! disk.

use std::net::TcpStream;

use ask_protocol::ipc::Request;

use crate::support::app::App;
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::lines::poll_until;
use crate::support::sandbox::{BINARY, Running, Sandbox};
use crate::support::web::{Web, kind};

/// The hard limit of file descriptors, to which the hub raises its soft limit of 40. Half of it is
/// for HTTP.
const HARD_LIMIT: usize = 128;

fn start_limited_hub(sandbox: &Sandbox) -> Running {
    let mut command = sandbox.command("sh");
    let script = format!("ulimit -Sn 40; ulimit -Hn {HARD_LIMIT}; exec \"$0\" hub --foreground");
    command.args(["-c", &script, BINARY]);
    let mut hub = sandbox.start("hub", command);
    hub.out
        .find("it listens", |line| line.contains("listens").then_some(()));
    hub
}

#[test]
fn too_many_connections_are_refused_and_agents_keep_their_share() {
    let sandbox = Sandbox::new();
    let _hub = start_limited_hub(&sandbox);
    let port = Http::of_hub(&sandbox).port;
    let web = Web::anonymous(&sandbox);
    let connect = |_| TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
    let crowd: Vec<TcpStream> = (0..HARD_LIMIT / 2).map(connect).collect();
    for _ in 0..3 {
        let mut refused = web.send("GET", "/healthz", "");
        assert_eq!(refused.status, 503);
        assert_eq!(refused.header("retry-after"), Some("5"));
        assert_eq!(kind(&json(&refused.text())), "overloaded");
    }
    let id = sandbox.ask(&["Still there?"]);
    assert!(sandbox.run_ok(&["show", &id]).contains("Still there?"));
    let log =
        std::fs::read_to_string(sandbox.home().join("hub.log")).expect("the hub writes a log");
    assert_eq!(
        log.matches("refused connections over HTTP").count(),
        1,
        "{log}"
    );
    drop(crowd);
    poll_until("there is room again", || {
        web.send("GET", "/healthz", "").status == 200
    });
}

#[test]
fn an_unsent_file_is_removed_while_the_hub_runs() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let page = Web::page(&sandbox);
    let kept = page.expect_status(201, "POST", "/v1/files?name=notes.txt", "never sent");
    let name = kept["sha256"].as_str().expect("a digest");
    let file = sandbox.home().join("attachments").join(&name[..2]);
    let file = file.join(format!("{name}.txt"));
    let long_ago = std::time::UNIX_EPOCH;
    let opened = std::fs::File::options().write(true).open(&file);
    let set = opened.and_then(|opened| opened.set_modified(long_ago));
    set.expect("the file is kept");
    let mut hub = Hub::connect(&sandbox);
    hub.set_clock("2026-03-01T16:00:00Z");
    poll_until("what nothing names is gone", || {
        hub.call(&Request::Status);
        !file.exists()
    });
}

#[test]
fn unattached_files_have_a_total_size_limit() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[limits]\nunattached_megabytes = 1\n");
    let page = Web::page(&sandbox);
    let large = |word: &str| format!("{word} {}", "x".repeat(600 * 1024));
    let kept = page.expect_status(201, "POST", "/v1/files?name=first.txt", &large("first"));
    let mut refused = page.send("POST", "/v1/files?name=second.txt", &large("second"));
    assert_eq!(refused.status, 429);
    assert_eq!(refused.header("retry-after"), Some("60"));
    let refused = json(&refused.text());
    assert_eq!(kind(&refused), "too-many");
    let said = refused["detail"].as_str().expect("words");
    assert!(said.contains("limits.unattached_megabytes"), "{said}");
    // Files that a draft refers to aren't counted any more.
    let id = sandbox.ask(&["Which?"]);
    let draft = format!(r#"{{"draft":{{"answers":[{{"attachments":[{kept}]}}]}}}}"#);
    let saved = page.send("PUT", &format!("/v1/asks/{id}/draft"), &draft);
    assert_eq!(saved.status, 200);
    page.expect_status(201, "POST", "/v1/files?name=second.txt", &large("second"));
}

/// The most event streams of a session, and the most apps at the bridge.
const MAX_CONNECTIONS: usize = 64;

#[test]
fn event_streams_per_session_are_limited() {
    let sandbox = Sandbox::new();
    let program = Web::with_token(&sandbox, "answer-token");
    let mut listening: Vec<_> = (0..MAX_CONNECTIONS)
        .map(|_| program.open_events())
        .collect();
    let mut refused = program.send("GET", "/v1/events", "");
    assert_eq!(refused.status, 429);
    assert_eq!(refused.header("retry-after"), Some("15"));
    assert_eq!(kind(&json(&refused.text())), "too-many");
    // Other sessions have their own limit.
    Web::page(&sandbox).open_events();
    listening.pop();
    poll_until("there is room again", || {
        program.send("GET", "/v1/events", "").status == 200
    });
}

#[test]
fn connected_apps_are_limited() {
    let sandbox = Sandbox::new();
    let port = Http::of_hub(&sandbox).port;
    let token = std::fs::read_to_string(sandbox.home().join("answer-token"));
    let token = token.expect("the hub's token");
    let connect = || App::connect(port, token.trim(), &[]);
    let mut apps: Vec<App> = (0..MAX_CONNECTIONS)
        .map(|_| connect().expect("the bridge has room"))
        .collect();
    assert_eq!(connect().err(), Some(503));
    apps.pop();
    poll_until("there is room again", || connect().is_ok());
}
