//! Limits on open asks and their length: an agent that asks without end leaves room for others, and
//! all together leave the person a readable list.

use std::net::TcpStream;

use crate::support::agent::Agent;
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, ended};
use crate::support::web::Web;

const ASK: &str = r#"{"question":"Which way?"}"#;

fn asks(agent: &mut Agent, what: &str) -> i64 {
    agent.call("ask_user", &format!(r#"{{"question":"{what}"}}"#))
}

#[test]
fn one_agent_has_so_many_asks_open_and_all_together_so_many() {
    let sandbox = Sandbox::new();
    sandbox.settings("[limits]\nopen_asks_per_agent = 2\nopen_asks = 3\n");
    let mut person = Person::at(&sandbox);
    let mut one = Agent::of(&sandbox, "native");
    asks(&mut one, "First?");
    let id = person.asked();
    asks(&mut one, "Second?");
    person.asked();
    let third = asks(&mut one, "Third?");
    let refused = one.refused(third);
    assert!(refused.contains("limits.open_asks_per_agent"), "{refused}");

    let mut other = Agent::of_another(&sandbox, "native");
    asks(&mut other, "Fourth?");
    person.asked();
    let fifth = asks(&mut other, "Fifth?");
    let refused = other.refused(fifth);
    assert!(refused.contains("limits.open_asks)"), "{refused}");

    // An identical call is no further ask, and an answered ask makes room.
    let again = asks(&mut one, "First?");
    person.sees("both calls wait", |record| record["waiters"] == 2);
    person.answers(&id, &["--set", "1=yes"]);
    let told = json(&one.told(again));
    assert_eq!(told["answered"], true, "{told}");
    let sixth = asks(&mut one, "Sixth?");
    let id = person.asked();
    person.answers(&id, &["--set", "1=yes"]);
    let told = json(&one.told(sixth));
    assert_eq!(told["answered"], true, "{told}");
}

#[test]
fn what_one_agent_has_open_is_so_long_and_what_all_have_together() {
    let sandbox = Sandbox::new();
    sandbox.settings("[limits]\nopen_megabytes_per_agent = 1\nopen_megabytes = 2\n");
    let mut person = Person::at(&sandbox);
    // Nearly the greatest length of a question: 17 of them are a megabyte.
    let long = |what: &str| format!("{what} {}", "x".repeat(60_000));
    let mut one = Agent::of(&sandbox, "native");
    asks(&mut one, &long("First"));
    let id = person.asked();
    for number in 2..=17 {
        asks(&mut one, &long(&number.to_string()));
        person.asked();
    }
    let next = asks(&mut one, &long("Next"));
    let refused = one.refused(next);
    assert!(
        refused.contains("more than 1 MB") && refused.contains("open_megabytes_per_agent"),
        "{refused}"
    );
    // A short question still fits.
    asks(&mut one, "Short?");
    person.asked();

    let mut other = Agent::of_another(&sandbox, "native");
    for number in 1..=17 {
        asks(&mut other, &long(&number.to_string()));
        person.asked();
    }
    let mut last = Agent::of_another(&sandbox, "native");
    let next = asks(&mut last, &long("Next"));
    let refused = last.refused(next);
    assert!(refused.contains("limits.open_megabytes)"), "{refused}");

    person.answers(&id, &["--set", "1=yes"]);
    asks(&mut last, &long("Next"));
    person.asked();
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_has_one_share_however_many_commands_servers_and_sessions_it_has() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.settings("[limits]\nopen_asks_per_agent = 2\n");
    let mut person = Person::at(&sandbox);
    let in_a_shell = |what: &str| {
        let mut command = sandbox.command("sh");
        let script = format!(r#""$0" ask "{what}" --no-wait; exit"#);
        command.args(["-c", &script, BINARY]);
        let output = ended(command);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(in_a_shell("First?"), "");
    person.asked();
    let mut agent = Agent::of(&sandbox, "native");
    asks(&mut agent, "Second?");
    person.asked();
    let refused = in_a_shell("Third?");
    assert!(refused.contains("open_asks_per_agent"), "{refused}");
    let session = Http::of(&sandbox).session();
    let refused = session.call(1, "ask_user", ASK).text();
    assert!(refused.contains("open_asks_per_agent"), "{refused}");

    let mut other = Agent::of_another(&sandbox, "native");
    asks(&mut other, "Fourth?");
    person.asked();
}

#[test]
#[cfg(target_os = "linux")]
fn one_agent_over_http_leaves_others_a_quarter_of_a_minute_s_asks() {
    let sandbox = Sandbox::new();
    sandbox.settings("[http]\nasks_per_minute = 4\n");
    let mut person = Person::at(&sandbox);
    let http = Http::of(&sandbox);
    for number in 1..=3 {
        let session = http.session();
        let call = format!(r#"{{"question":"Number {number}?"}}"#);
        let _stands = session.call(1, "ask_user", &call);
        person.asked();
    }
    let refused = http.session().call(1, "ask_user", ASK).text();
    assert!(refused.contains("of one agent"), "{refused}");

    let request = http.call_as_text(1, "ask_user", ASK);
    let mut command = sandbox.command("bash");
    let script = r#"exec 3<>"/dev/tcp/127.0.0.1/$PORT"; printf %s "$CALL" >&3; cat <&3"#;
    command.args(["-c", script]).env("CALL", request);
    command.env("PORT", http.port.to_string());
    let _other = sandbox.start("another agent", command);
    person.asked();
}

/// A number of a process in `/proc/PID/status`.
#[cfg(target_os = "linux")]
fn number(pid: u32, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or_else(|| panic!("there is no {key} in {status}"))
}

#[test]
#[cfg(target_os = "linux")]
fn connections_that_say_nothing_cost_the_hub_few_threads_and_little_memory() {
    // This process holds the other ends.
    ask_config::fd_limit::raise();
    let sandbox = Sandbox::new();
    let port = Http::of(&sandbox).port;
    let pid = Hub::of(&sandbox).pid;
    let web = Web::of(&sandbox);
    assert_eq!(web.send("GET", "/healthz", "").status, 200);
    let before = number(pid, "VmRSS:");
    let connect = |_| TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
    let idle: Vec<TcpStream> = (0..2_000).map(connect).collect();
    // Connections are accepted in their order, so this reply comes after the last of them.
    assert_eq!(web.send("GET", "/healthz", "").status, 200);
    let threads = number(pid, "Threads:");
    assert!(threads < 30, "{threads} threads");
    let peak = number(pid, "VmHWM:");
    assert!(peak - before < 80_000, "{before} kB and then {peak} kB");
    drop(idle);
}
