//! Agents over HTTP without a session: each is known by its process, over any connection, and two
//! that describe themselves alike stay apart.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use super::{ASK, RIGHT};
use crate::support::http::Http;
use crate::support::person::Person;
use crate::support::sandbox::{Running, Sandbox};

/// An agent in a process of its own. On command it makes its call again over a new connection, or
/// leaves it; it prints the replies.
struct Agent(Running);

const PROGRAM: &str = r#"
while read -r what; do
    case $what in
        call) exec 3<>"/dev/tcp/127.0.0.1/$PORT"; printf %s "$CALL" >&3 ;;
        hear) cat <&3; echo; exec 3>&- ;;
        leave) exec 3>&- ;;
    esac
done"#;

impl Agent {
    fn start(sandbox: &Sandbox, request: &str, port: u16) -> Self {
        // A program of another name: a shell may run commands for the agent above it.
        let program = sandbox.home().join("agent");
        if !program.exists() {
            fs::copy("/bin/bash", &program).expect("bash can be copied");
        }
        let mut command = sandbox.command(&program);
        command.args(["-c", PROGRAM]).stdin(Stdio::piped());
        command.env("PORT", port.to_string()).env("CALL", request);
        Self(sandbox.start("an agent", command))
    }

    /// An agent that makes this call.
    fn start_caller(sandbox: &Sandbox, http: &Http) -> Self {
        Self::start(sandbox, &http.call_as_text(1, "ask_user", ASK), http.port)
    }

    fn command(&mut self, what: &str) {
        let input = self.0.child.stdin.as_mut().expect("its input is piped");
        writeln!(input, "{what}").expect("the process reads its input");
    }

    /// The line of its reply that contains this.
    fn receive(&mut self, what: &str) -> String {
        self.command("hear");
        let holds = |line: &str| line.contains(what).then(|| line.to_owned());
        self.0.out.find(what, holds)
    }

    fn kill(mut self) {
        self.0.child.kill().expect("the process runs");
        self.0.child.wait().expect("a child process");
    }
}

const SHOP: &str = "directory=/srv/shop";

fn shop_endpoint(sandbox: &Sandbox) -> Http {
    Http::of_hub(sandbox).with_query(SHOP)
}

#[test]
fn an_abandoned_ask_is_not_given_to_a_running_twin() {
    let sandbox = Sandbox::new();
    keep_from_a_running_twin(&sandbox, &shop_endpoint(&sandbox));
}

#[test]
fn a_running_twin_at_an_apps_server_is_not_given_it_either() {
    let sandbox = Sandbox::new();
    let (_server, http) = Http::of_server(&sandbox);
    keep_from_a_running_twin(&sandbox, &http.with_query(SHOP));
}

fn keep_from_a_running_twin(sandbox: &Sandbox, http: &Http) {
    let mut person = Person::new(sandbox);
    let (mut one, mut twin) = (
        Agent::start_caller(sandbox, http),
        Agent::start_caller(sandbox, http),
    );
    one.command("call");
    let first = person.next_ask();
    one.command("leave");
    person.wait_for("it left", |record| record.get("waiters").is_none());
    person.answer(&first, &["--set", "right"]);

    twin.command("call");
    let second = person.next_ask();
    assert_ne!(first, second, "the twin's question is its own");
    let mut fetched = http.call(2, "ask_user_result", "{}");
    assert!(
        !fetched.tool_text().contains(RIGHT),
        "nor is it anybody's else"
    );
    person.answer(&second, &["--set", "left"]);
    let told = twin.receive(r#""values":["#);
    assert!(told.contains("left") && !told.contains(RIGHT), "{told}");

    one.command("call");
    let told = one.receive(RIGHT);
    assert!(told.contains(r#""late":true"#), "{told}");
}

#[test]
fn an_abandoned_ask_goes_to_the_successor_of_an_ended_process() {
    let sandbox = Sandbox::new();
    give_to_the_successor(&sandbox, &shop_endpoint(&sandbox));
}

#[test]
fn an_abandoned_ask_at_an_apps_server_goes_to_the_successor() {
    let sandbox = Sandbox::new();
    let (_server, http) = Http::of_server(&sandbox);
    give_to_the_successor(&sandbox, &http.with_query(SHOP));
}

fn give_to_the_successor(sandbox: &Sandbox, http: &Http) {
    let mut person = Person::new(sandbox);
    let mut one = Agent::start_caller(sandbox, http);
    one.command("call");
    let id = person.next_ask();
    one.kill();
    person.wait_for("it left", |record| record.get("waiters").is_none());
    person.answer(&id, &["--set", "right"]);

    let mut next = Agent::start_caller(sandbox, http);
    next.command("call");
    let told = next.receive(RIGHT);
    assert!(told.contains(r#""late":true"#), "{told}");
}

#[test]
fn differently_named_agents_behind_one_gateway_are_separate() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let named = |name: &str| {
        Http::of_hub(&sandbox).with_query(&format!("directory=/srv/shop&agent={name}"))
    };
    let call = named("one").call(1, "ask_user", ASK);
    let first = person.next_ask();
    drop(call);
    person.wait_for("it left", |record| record.get("waiters").is_none());
    person.answer(&first, &["--set", "right"]);

    let _call = named("other").call(1, "ask_user", ASK);
    assert_ne!(person.next_ask(), first);
    let mut again = named("one").call(1, "ask_user", ASK);
    assert!(again.tool_text().contains(RIGHT), "one's own");
}

#[test]
fn equal_calls_through_one_gateway_are_separate_asks() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let http = shop_endpoint(&sandbox);
    let _one = http.call(1, "ask_user", ASK);
    let first = person.next_ask();
    let _other = http.call(2, "ask_user", ASK);
    assert_ne!(person.next_ask(), first, "it could be another agent's");
}

#[test]
fn the_process_identifies_a_caller_of_the_api() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let http = Http {
        path: "/v1/asks?directory=/srv/shop".to_owned(),
        ..Http::of_hub(&sandbox)
    };
    let one = http.send("POST", &[], ASK);
    assert_eq!(one.status, 201);
    let first = person.next_ask();
    person.answer(&first, &["--set", "right"]);
    let request = http.request("POST", &[("connection", "close")], ASK);
    let mut twin = Agent::start(&sandbox, &request, http.port);
    twin.command("call");
    twin.receive("\"state\":\"waiting\"");
    assert_ne!(person.next_ask(), first);
}
