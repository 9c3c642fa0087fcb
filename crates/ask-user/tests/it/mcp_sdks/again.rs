//! SDKs whose time limit ends before the person answers: the next call receives the answer.

use std::io::Write;
use std::process::Stdio;

use super::{Over, PEERS, Peer, part};
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox};

const CALL: &str =
    r#"{"questions":[{"id":"db","question":"Which database?","options":["SQLite","PostgreSQL"]}]}"#;
const VALUES: &str = r#""values":["PostgreSQL"]"#;

/// An SDK that times out without notifying the server.
const SILENT: &str = "python-v1";

impl Peer {
    /// Lets the SDK call the tool with a short time limit, and after a line of input again with a
    /// long one. The hub runs already, so that the first call reaches it in time.
    fn gives_up(&self, over: Over, sandbox: &Sandbox) -> Running {
        Hub::started(sandbox);
        let mut command = self.command(sandbox, "ask_user", CALL);
        if over == Over::Stdio {
            command.args([BINARY, "mcp"]);
        } else {
            let http = Http::of(sandbox);
            let url = format!("http://127.0.0.1:{}/mcp?directory=/shop", http.port);
            command.arg(url).env("TOKEN", http.token);
        }
        command.env("AGAIN", "1");
        command.env("SILENT", "1").env("PATIENCE_S", "8");
        command.stdin(Stdio::piped());
        let mut agent = sandbox.start(self.name, command);
        agent
            .out
            .find("its time ran out", |line| part(line, "gaveUp"));
        agent
    }
}

fn again(agent: &mut Running) {
    let input = agent.child.stdin.as_mut().expect("its input is piped");
    input.write_all(b"\n").expect("the process reads its input");
}

fn result(agent: &mut Running) -> String {
    let result = agent.out.find("its result", |line| part(line, "result"));
    assert_ne!(result["isError"], true, "{result}");
    result["content"][0]["text"].to_string().replace('\\', "")
}

const BOTH: [Over; 2] = [Over::Stdio, Over::Http];

/// Runs a test with every suitable SDK over both transports, all in parallel: most of the time they
/// wait for their time limit.
fn each(fits: impl Fn(&Peer) -> bool, story: impl Fn(&Peer, Over) + Copy + Send) {
    std::thread::scope(|scope| {
        for peer in PEERS.iter().filter(|peer| fits(peer)) {
            for over in BOTH {
                scope.spawn(move || story(peer, over));
            }
        }
    });
}

#[test]
fn an_answer_given_between_two_calls_is_what_the_second_is_told() {
    each(
        |peer| peer.name != SILENT,
        |peer, over| {
            let sandbox = Sandbox::new();
            let mut person = Person::at(&sandbox);
            let mut agent = peer.gives_up(over, &sandbox);
            let id = person.asked();
            person.sees("the call gone", |record| record.get("waiters").is_none());
            person.answers(&id, &["--set", "PostgreSQL"]);
            again(&mut agent);
            let told = result(&mut agent);
            assert!(told.contains(VALUES), "{} {over:?}: {told}", peer.name);
            assert!(
                told.contains(r#""late":true"#),
                "{} {over:?}: {told}",
                peer.name
            );
            person.sees("it delivered", |record| record["delivered"] == true);
        },
    );
}

#[test]
fn an_answer_given_after_the_second_call_is_told_to_it_and_there_is_one_card() {
    each(
        |_| true,
        |peer, over| {
            let sandbox = Sandbox::new();
            let mut person = Person::at(&sandbox);
            let mut agent = peer.gives_up(over, &sandbox);
            let id = person.asked();
            let calls = if peer.name == SILENT {
                2
            } else {
                person.sees("the call gone", |record| record.get("waiters").is_none());
                1
            };
            again(&mut agent);
            person.sees("the second call", |record| record["waiters"] == calls);
            person.answers(&id, &["--set", "PostgreSQL"]);
            let told = result(&mut agent);
            assert!(told.contains(VALUES), "{} {over:?}: {told}", peer.name);
            let all = json(&sandbox.done(&["list", "--all", "--json"]));
            assert_eq!(
                all.as_array().map(Vec::len),
                Some(1),
                "{} {over:?}: {all}",
                peer.name
            );
        },
    );
}

#[test]
fn after_a_silent_end_the_answer_is_offered_and_sent_by_the_person() {
    each(
        |peer| peer.name == SILENT,
        |peer, over| {
            let sandbox = Sandbox::new();
            let mut person = Person::at(&sandbox);
            let mut agent = peer.gives_up(over, &sandbox);
            let id = person.asked();
            // The server can't distinguish this call from one that still waits.
            person.answers(&id, &["--set", "PostgreSQL"]);
            person.sees("it counts as delivered", |record| {
                record["delivered"] == true
            });
            again(&mut agent);
            let next = person.asked();
            let shown = person.shows(&next);
            assert!(shown.get("draft").is_none(), "nothing is marked: {shown}");
            assert_eq!(shown["earlierAnswer"]["answers"][0]["picks"][0], 1);
            person.answers(&next, &["--set", "PostgreSQL"]);
            assert!(result(&mut agent).contains(VALUES));
        },
    );
}
