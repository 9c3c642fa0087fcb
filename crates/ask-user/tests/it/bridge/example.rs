//! Runs the example of a desktop app: it receives asks, reads lines, and continues where it was
//! when the hub is killed.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::rpc::clients::compiled;
use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::{BINARY, Running, Sandbox};

const CALL: &str = r#"{"questions":[{"question":"Which database?","type":"select","options":["PostgreSQL","SQLite"]},
    {"question":"Which parts?","type":"multi-select","options":["Auth","Docs","Tests"]}]}"#;

fn start_example(sandbox: &Sandbox, arguments: &[&str]) -> Running {
    let mut command = sandbox.command("node");
    let binary = Path::new(BINARY)
        .parent()
        .expect("the binary is in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", binary.display()));
    command.args(["--experimental-websocket", "--no-warnings"]);
    command.arg(compiled("bridge", "bridge")).args(arguments);
    command.env("HOME", sandbox.home()).stdin(Stdio::piped());
    sandbox.start("bridge example", command)
}

/// The id of the ask that it shows next, after reading its lines up to this one.
fn wait_for_ask(app: &mut Running, line: &str) -> String {
    let id = app.out.find("it shows the ask", |line| {
        let (id, _) = line.strip_prefix("asked \"")?.split_once('"')?;
        Some(id.to_owned())
    });
    app.out.find("it shows the question", |shown| {
        (shown == line).then_some(())
    });
    id
}

#[test]
fn the_example_continues_after_the_hub_is_killed() {
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.ask(&["Closed meanwhile?"]);
    let mut app = start_example(&sandbox, &[]);
    let mut input = app.child.stdin.take().expect("its input is piped");
    assert_eq!(wait_for_ask(&mut app, "\"Closed meanwhile?\""), elsewhere);
    Hub::connect(&sandbox).kill();
    app.err.find("it notices", |line| {
        line.contains("connecting again").then_some(())
    });
    sandbox.run_ok(&["answer", &elsewhere, "--set", "here"]);
    let closed = app.out.find("it hears of that", |line| {
        line.starts_with('{').then(|| json(line))
    });
    assert_eq!(closed["requestId"], elsewhere, "{closed}");
    assert_eq!(closed["by"], "cli", "{closed}");

    let mut agent = Agent::connect(&sandbox, "codenomad");
    let call = agent.call("ask_user", CALL);
    let id = wait_for_ask(&mut app, "  2 \"SQLite\"");
    input
        .write_all(b"2\n")
        .expect("the process reads its input");
    app.out
        .find("it goes on", |line| (line == "  3 \"Tests\"").then_some(()));
    // The hub is killed in the middle of the form.
    Hub::connect(&sandbox).kill();
    input
        .write_all(b"1,Tests,by hand\n")
        .expect("the process reads its input");
    let told = json(&agent.receive_reply(call));
    let several = &told["answers"][1];
    assert_eq!(several["values"], json(r#"["Auth","Tests"]"#));
    assert_eq!(several["customText"], "by hand");
    let closed = app.out.find("it hears of that", |line| {
        line.starts_with('{').then(|| json(line))
    });
    assert_eq!(closed["requestId"], id, "{closed}");
    assert_eq!(closed["by"], "bridge", "{closed}");
    // The agent ends after it has acknowledged the answer.
    agent.end();
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(record["delivered"], true, "{record}");
    drop(input);
    assert!(app.child.wait().expect("our child process").success());
}

#[test]
fn the_example_shows_one_window_and_asks_again_for_missing_answers() {
    let sandbox = Sandbox::new();
    let mut app = start_example(&sandbox, &["--instance", "w1"]);
    let mut input = app.child.stdin.take().expect("its input is piped");
    sandbox.ask(&["Somebody else's?"]);
    let mut agent = Agent::with_variable(&sandbox, "codenomad", ("ASK_USER_INSTANCE", "w1"));
    let call = agent.call(
        "ask_user",
        r#"{"questions":[{"question":"Sure?","type":"confirm"}]}"#,
    );
    let id = wait_for_ask(&mut app, "  2 \"no\"");
    input.write_all(b"\n").expect("the process reads its input");
    app.out.find("the answer is delivered", |line| {
        line.contains(r#""code":"unfinished""#).then_some(())
    });
    assert_eq!(wait_for_ask(&mut app, "  2 \"no\""), id);
    input
        .write_all(b"/cancel\n")
        .expect("the process reads its input");
    assert_eq!(json(&agent.receive_reply(call))["cancelled"], true);
}

#[test]
fn the_example_finds_its_registered_server() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(BINARY);
    command.args([
        "mcp",
        "--dialect",
        "codenomad",
        "--tool-name",
        "cn_ask_user",
    ]);
    command.args(["--port", "0", "--register"]);
    command.env("HOME", sandbox.home()).stdin(Stdio::piped());
    let mut server = sandbox.start("mcp", command);
    server.err.find("it is entered", |line| {
        line.contains("entered in").then_some(())
    });
    let mut app = start_example(&sandbox, &["--registered"]);
    let mut agent = Agent::connect(&sandbox, "codenomad");
    agent.call("ask_user", r#"{"questions":[{"question":"Here?"}]}"#);
    let id = wait_for_ask(&mut app, "\"Here?\"");
    let listed = sandbox.run_ok(&["list", "--json"]);
    assert_eq!(json(&listed)[0]["askId"], id.as_str(), "{listed}");
}
