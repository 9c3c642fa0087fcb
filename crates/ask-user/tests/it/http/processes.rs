//! Agents over HTTP without a session: each is known by its process, over any connection, and two
//! that describe themselves alike stay apart.

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
    fn of(sandbox: &Sandbox, request: &str, port: u16) -> Self {
        let mut command = sandbox.command("bash");
        command.args(["-c", PROGRAM]).stdin(Stdio::piped());
        command.env("PORT", port.to_string()).env("CALL", request);
        Self(sandbox.start("an agent", command))
    }

    /// An agent that makes this call.
    fn calling(sandbox: &Sandbox, http: &Http) -> Self {
        Self::of(sandbox, &http.call_as_text(1, "ask_user", ASK), http.port)
    }

    fn does(&mut self, what: &str) {
        let input = self.0.child.stdin.as_mut().expect("its input is piped");
        writeln!(input, "{what}").expect("the process reads its input");
    }

    /// The line of its reply that contains this.
    fn hears(&mut self, what: &str) -> String {
        self.does("hear");
        let holds = |line: &str| line.contains(what).then(|| line.to_owned());
        self.0.out.find(what, holds)
    }

    fn kill(mut self) {
        self.0.child.kill().expect("the process runs");
        self.0.child.wait().expect("a child process");
    }
}

fn shop(sandbox: &Sandbox) -> Http {
    Http::of(sandbox).with("directory=/srv/shop")
}

#[test]
fn what_one_gave_up_is_not_its_twin_s_while_it_runs() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let http = shop(&sandbox);
    let (mut one, mut twin) = (
        Agent::calling(&sandbox, &http),
        Agent::calling(&sandbox, &http),
    );
    one.does("call");
    let first = person.asked();
    one.does("leave");
    person.sees("it left", |record| record.get("waiters").is_none());
    person.answers(&first, &["--set", "right"]);

    twin.does("call");
    let second = person.asked();
    assert_ne!(first, second, "the twin's question is its own");
    let mut fetched = http.call(2, "ask_user_result", "{}");
    assert!(!fetched.told().contains(RIGHT), "nor is it anybody's else");
    person.answers(&second, &["--set", "left"]);
    let told = twin.hears(r#""values":["#);
    assert!(told.contains("left") && !told.contains(RIGHT), "{told}");

    one.does("call");
    let told = one.hears(RIGHT);
    assert!(told.contains(r#""late":true"#), "{told}");
}

#[test]
fn what_one_left_behind_is_its_successor_s_once_it_has_ended() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let http = shop(&sandbox);
    let mut one = Agent::calling(&sandbox, &http);
    one.does("call");
    let id = person.asked();
    one.kill();
    person.sees("it left", |record| record.get("waiters").is_none());
    person.answers(&id, &["--set", "right"]);

    let mut next = Agent::calling(&sandbox, &http);
    next.does("call");
    let told = next.hears(RIGHT);
    assert!(told.contains(r#""late":true"#), "{told}");
}

#[test]
fn agents_behind_one_gateway_that_say_different_names_are_two() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let named = |name: &str| Http::of(&sandbox).with(&format!("directory=/srv/shop&agent={name}"));
    let call = named("one").call(1, "ask_user", ASK);
    let first = person.asked();
    drop(call);
    person.sees("it left", |record| record.get("waiters").is_none());
    person.answers(&first, &["--set", "right"]);

    let _call = named("other").call(1, "ask_user", ASK);
    assert_ne!(person.asked(), first);
    let mut again = named("one").call(1, "ask_user", ASK);
    assert!(again.told().contains(RIGHT), "one's own");
}

#[test]
fn a_call_that_waits_is_not_joined_by_another_of_the_same_gateway() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let http = shop(&sandbox);
    let _one = http.call(1, "ask_user", ASK);
    let first = person.asked();
    let _other = http.call(2, "ask_user", ASK);
    assert_ne!(person.asked(), first, "it could be another agent's");
}

#[test]
fn who_asked_by_the_api_is_known_by_its_process_too() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let http = Http {
        path: "/v1/asks?directory=/srv/shop".to_owned(),
        ..Http::of(&sandbox)
    };
    let one = http.send("POST", &[], ASK);
    assert_eq!(one.status, 201);
    let first = person.asked();
    person.answers(&first, &["--set", "right"]);
    let request = http.request("POST", &[("connection", "close")], ASK);
    let mut twin = Agent::of(&sandbox, &request, http.port);
    twin.does("call");
    twin.hears("\"state\":\"waiting\"");
    assert_ne!(person.asked(), first);
}
