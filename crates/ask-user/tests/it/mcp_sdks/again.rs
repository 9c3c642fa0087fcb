//! SDKs whose time limit ends before the person answers: the next call receives the answer.

use std::io::Write;
use std::process::Stdio;

use super::{PEERS, Peer, Transport, part};
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
    fn call_with_short_limit(&self, transport: Transport, sandbox: &Sandbox) -> Running {
        Hub::start(sandbox);
        let mut command = self.command(sandbox, "ask_user", CALL);
        if transport == Transport::Stdio {
            command.args([BINARY, "mcp"]);
        } else {
            let http = Http::of_hub(sandbox);
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

fn call_again(agent: &mut Running) {
    let input = agent.child.stdin.as_mut().expect("its input is piped");
    input.write_all(b"\n").expect("the process reads its input");
}

fn result(agent: &mut Running) -> String {
    let result = agent.out.find("its result", |line| part(line, "result"));
    assert_ne!(result["isError"], true, "{result}");
    result["content"][0]["text"].to_string().replace('\\', "")
}

const BOTH: [Transport; 2] = [Transport::Stdio, Transport::Http];

/// How many SDKs run at the same time. Each needs seconds of a processor to start.
const AT_ONCE: usize = 5;

/// Runs a test with every suitable SDK over both transports, some in parallel: most of the time they
/// wait for their time limit.
fn for_each_peer(fits: impl Fn(&Peer) -> bool, story: impl Fn(&Peer, Transport) + Copy + Send) {
    let peers = PEERS.iter().filter(|peer| fits(peer));
    let all: Vec<_> = peers
        .flat_map(|peer| BOTH.map(|transport| (peer, transport)))
        .collect();
    for some in all.chunks(AT_ONCE) {
        std::thread::scope(|scope| {
            for &(peer, transport) in some {
                scope.spawn(move || story(peer, transport));
            }
        });
    }
}

#[test]
fn the_second_call_returns_an_answer_given_in_between() {
    for_each_peer(
        |peer| peer.name != SILENT,
        |peer, transport| {
            let sandbox = Sandbox::new();
            let mut person = Person::new(&sandbox);
            let mut agent = peer.call_with_short_limit(transport, &sandbox);
            let id = person.next_ask();
            person.wait_for("the call gone", |record| record.get("waiters").is_none());
            person.answer(&id, &["--set", "PostgreSQL"]);
            call_again(&mut agent);
            let told = result(&mut agent);
            assert!(told.contains(VALUES), "{} {transport:?}: {told}", peer.name);
            assert!(
                told.contains(r#""late":true"#),
                "{} {transport:?}: {told}",
                peer.name
            );
            person.wait_for("it delivered", |record| record["delivered"] == true);
        },
    );
}

#[test]
fn the_second_call_waits_for_the_same_ask() {
    for_each_peer(
        |_| true,
        |peer, transport| {
            let sandbox = Sandbox::new();
            let mut person = Person::new(&sandbox);
            let mut agent = peer.call_with_short_limit(transport, &sandbox);
            let id = person.next_ask();
            let calls = if peer.name == SILENT {
                2
            } else {
                person.wait_for("the call gone", |record| record.get("waiters").is_none());
                1
            };
            call_again(&mut agent);
            person.wait_for("the second call", |record| record["waiters"] == calls);
            person.answer(&id, &["--set", "PostgreSQL"]);
            let told = result(&mut agent);
            assert!(told.contains(VALUES), "{} {transport:?}: {told}", peer.name);
            let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
            assert_eq!(
                all.as_array().map(Vec::len),
                Some(1),
                "{} {transport:?}: {all}",
                peer.name
            );
        },
    );
}

#[test]
fn after_a_silent_end_the_answer_is_offered_and_sent_by_the_person() {
    for_each_peer(
        |peer| peer.name == SILENT,
        |peer, transport| {
            let sandbox = Sandbox::new();
            let mut person = Person::new(&sandbox);
            let mut agent = peer.call_with_short_limit(transport, &sandbox);
            let id = person.next_ask();
            // The server can't distinguish this call from one that still waits.
            person.answer(&id, &["--set", "PostgreSQL"]);
            person.wait_for("it counts as delivered", |record| {
                record["delivered"] == true
            });
            call_again(&mut agent);
            let next = person.next_ask();
            let shown = person.record(&next);
            assert!(shown.get("draft").is_none(), "nothing is marked: {shown}");
            assert_eq!(shown["earlierAnswer"]["answers"][0]["picks"][0], 1);
            person.answer(&next, &["--set", "PostgreSQL"]);
            assert!(result(&mut agent).contains(VALUES));
        },
    );
}
