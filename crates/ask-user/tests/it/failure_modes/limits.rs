//! Limits on open asks and their length: an agent that asks without end leaves room for others, and
//! all together leave the person a readable list.

use std::net::TcpStream;

use crate::support::agent::{Agent, CLIENT_PROGRAM};
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::text;
use crate::support::web::Web;

const ASK: &str = r#"{"question":"Which way?"}"#;

fn ask(agent: &mut Agent, what: &str) -> i64 {
    agent.call("ask_user", &format!(r#"{{"question":"{what}"}}"#))
}

#[test]
fn open_asks_are_limited_per_agent_and_in_total() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[limits]\nopen_asks_per_agent = 2\nopen_asks = 3\n");
    let mut person = Person::new(&sandbox);
    let mut one = Agent::connect(&sandbox, "native");
    ask(&mut one, "First?");
    let id = person.next_ask();
    ask(&mut one, "Second?");
    person.next_ask();
    let third = ask(&mut one, "Third?");
    let refused = one.error_text(third);
    assert!(refused.contains("limits.open_asks_per_agent"), "{refused}");

    let mut other = Agent::of_another_client(&sandbox, "native");
    ask(&mut other, "Fourth?");
    person.next_ask();
    let fifth = ask(&mut other, "Fifth?");
    let refused = other.error_text(fifth);
    assert!(refused.contains("limits.open_asks)"), "{refused}");

    // An identical call is no further ask, and an answered ask makes room.
    let again = ask(&mut one, "First?");
    person.wait_for("both calls wait", |record| record["waiters"] == 2);
    person.answer(&id, &["--set", "1=yes"]);
    let told = json(&one.receive_reply(again));
    assert_eq!(told["answered"], true, "{told}");
    let sixth = ask(&mut one, "Sixth?");
    let id = person.next_ask();
    person.answer(&id, &["--set", "1=yes"]);
    let told = json(&one.receive_reply(sixth));
    assert_eq!(told["answered"], true, "{told}");
}

#[test]
fn the_size_of_open_asks_is_limited_per_agent_and_in_total() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[limits]\nopen_megabytes_per_agent = 1\nopen_megabytes = 2\n");
    let mut person = Person::new(&sandbox);
    // Nearly the greatest length of a question: 17 of them are a megabyte.
    let long = |what: &str| format!("{what} {}", "x".repeat(60_000));
    let mut one = Agent::connect(&sandbox, "native");
    ask(&mut one, &long("First"));
    let id = person.next_ask();
    for number in 2..=17 {
        ask(&mut one, &long(&number.to_string()));
        person.next_ask();
    }
    let next = ask(&mut one, &long("Next"));
    let refused = one.error_text(next);
    assert!(
        refused.contains("more than 1 MB") && refused.contains("open_megabytes_per_agent"),
        "{refused}"
    );
    // A short question still fits.
    ask(&mut one, "Short?");
    person.next_ask();

    let mut other = Agent::of_another_client(&sandbox, "native");
    for number in 1..=17 {
        ask(&mut other, &long(&number.to_string()));
        person.next_ask();
    }
    let mut last = Agent::of_another_client(&sandbox, "native");
    let next = ask(&mut last, &long("Next"));
    let refused = last.error_text(next);
    assert!(refused.contains("limits.open_megabytes)"), "{refused}");

    person.answer(&id, &["--set", "1=yes"]);
    ask(&mut last, &long("Next"));
    person.next_ask();
}

#[test]
fn closed_asks_count_for_a_day() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[limits]\nopen_megabytes_per_agent = 1\n");
    let mut person = Person::new(&sandbox);
    let long = |number: u8| format!("{number} {}", "x".repeat(60_000));
    let mut agent = Agent::connect(&sandbox, "native");
    for number in 1..=17 {
        let call = ask(&mut agent, &long(number));
        let id = person.next_ask();
        sandbox.run_ok(&["decline", &id]);
        agent.receive_reply(call);
    }
    let next = ask(&mut agent, &long(18));
    let refused = agent.error_text(next);
    assert!(
        refused.contains("within a day") && refused.contains("open_megabytes_per_agent"),
        "{refused}"
    );
    // A short question still fits.
    ask(&mut agent, "Short?");
    person.next_ask();
}

#[test]
#[cfg(target_os = "linux")]
fn all_connections_of_an_agent_share_one_limit() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[limits]\nopen_asks_per_agent = 2\n");
    let mut person = Person::new(&sandbox);
    let in_a_shell = |what: &str| {
        let mut command = sandbox.command("sh");
        let script = format!(r#""$0" ask "{what}" --no-wait; exit"#);
        command.args(["-c", &script, BINARY]);
        let output = run_to_end(command);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(in_a_shell("First?"), "");
    person.next_ask();
    let mut agent = Agent::connect(&sandbox, "native");
    ask(&mut agent, "Second?");
    person.next_ask();
    let refused = in_a_shell("Third?");
    assert!(refused.contains("open_asks_per_agent"), "{refused}");
    let session = Http::of_hub(&sandbox).session();
    let refused = session.call(1, "ask_user", ASK).text();
    assert!(refused.contains("open_asks_per_agent"), "{refused}");

    let mut other = Agent::of_another_client(&sandbox, "native");
    ask(&mut other, "Fourth?");
    person.next_ask();
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_over_http_cannot_use_the_whole_rate_limit() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    sandbox.write_settings("[http]\nasks_per_minute = 4\n");
    let mut person = Person::new(&sandbox);
    let http = Http::of_hub(&sandbox);
    for number in 1..=3 {
        let session = http.session();
        let call = format!(r#"{{"question":"Number {number}?"}}"#);
        let _stands = session.call(1, "ask_user", &call);
        person.next_ask();
    }
    let refused = http.session().call(1, "ask_user", ASK).text();
    assert!(refused.contains("of one agent"), "{refused}");

    let request = http.call_as_text(1, "ask_user", ASK);
    let request = request.replacen("\r\n\r\n", "\r\nconnection: close\r\n\r\n", 1);
    let script = r#"exec 3<>"/dev/tcp/127.0.0.1/$PORT"; printf %s "$CALL" >&3; cat <&3"#;
    let mut command = sandbox.command("bash");
    command.args(["-c", script]).env("CALL", &request);
    command.env("PORT", http.port.to_string());
    let reply = run_to_end(command);
    let refused = String::from_utf8_lossy(&reply.stdout).into_owned();
    assert!(refused.contains("of one agent"), "{refused}");

    let mut command = sandbox.command(CLIENT_PROGRAM[0]);
    command
        .args(&CLIENT_PROGRAM[1..])
        .args(["bash", "-c", script]);
    command
        .env("CALL", request)
        .env("PORT", http.port.to_string());
    let _other = sandbox.start("another agent", command);
    person.next_ask();
}

/// A number of a process in `/proc/PID/status`.
#[cfg(target_os = "linux")]
fn process_number(pid: u32, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or_else(|| panic!("there is no {key} in {status}"))
}

#[test]
#[cfg(target_os = "linux")]
fn a_hub_of_another_account_gets_no_question() {
    let sandbox = Sandbox::new();
    sandbox.run_ok(&["list"]);
    // There is no second account, so the hub's counts as one.
    let mut command = sandbox.command(BINARY);
    command.env("ASK_USER_TEST_HUB_ACCOUNT", "4294967295");
    command.args(["ask", "Which port?", "--no-wait"]);
    let output = run_to_end(command);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(6), "{said}");
    assert_eq!(sandbox.run_ok(&["list", "--json"]).trim(), "[]");
}

#[test]
#[cfg(target_os = "linux")]
fn idle_connections_use_few_threads_and_little_memory() {
    // This process holds the other ends.
    ask_config::limits::raise();
    let sandbox = Sandbox::new();
    let port = Http::of_hub(&sandbox).port;
    let pid = Hub::connect(&sandbox).pid;
    let web = Web::anonymous(&sandbox);
    assert_eq!(web.send("GET", "/healthz", "").status, 200);
    let before = process_number(pid, "VmRSS:");
    let flood = || {
        let connect = |_| TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
        let idle: Vec<TcpStream> = (0..2_000).map(connect).collect();
        // Connections are accepted in their order, so this reply comes after the last of them.
        assert_eq!(web.send("GET", "/healthz", "").status, 200);
        let threads = process_number(pid, "Threads:");
        assert!(threads < 30, "{threads} threads");
        drop(idle);
        process_number(pid, "VmHWM:")
    };
    let first = flood();
    // The kernel counts pages of each thread by itself, so a later number may be slightly lower.
    assert!(first < before + 20_000, "{before} kB and then {first} kB");
    // What the first ones used is free again.
    for _ in 0..4 {
        let later = flood();
        assert!(later < first + 4_000, "{first} kB and then {later} kB");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_large_asks_goes_back_when_they_are_removed() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[http]\nasks_per_minute = 10000\n");
    let program = Web::with_token(&sandbox, "answer-token");
    let pid = Hub::connect(&sandbox).pid;
    let words = "x".repeat(30_000);
    let round = || {
        for number in 0..60 {
            let body = format!(r#"{{"question":"{number}? {words}"}}"#);
            let asked = program.expect_status(201, "POST", "/v1/asks", &body);
            let withdraw = format!("/v1/asks/{}/withdraw", text(&asked, "askId"));
            program.expect_status(200, "POST", &withdraw, "{}");
        }
        sandbox.run_ok(&["forget", "--all", "--yes"]);
        process_number(pid, "VmRSS:")
    };
    let first = round();
    // Each round has texts of 2 MB, and each ask changes twice.
    let later = (0..4).map(|_| round()).skip(2).min();
    let later = later.expect("there are rounds");
    assert!(later < first + 8_000, "{first} kB and then {later} kB");
}
