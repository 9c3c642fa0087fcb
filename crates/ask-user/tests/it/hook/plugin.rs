//! The plugin for opencode, run by Node in opencode's place.

use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, Stdio};

use ask_core::Json;

use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox};

/// A script that passes the events of standard input to the plugin, and prints the requests that it
/// makes.
const OPENCODE: &str = r#"
import { createInterface } from "node:readline";
import { AskUser } from "./ask-user.mjs";
const post = async (request) => console.log(JSON.stringify(request));
const plugin = await AskUser({ client: { _client: { post } }, directory: process.cwd() });
createInterface({ input: process.stdin })
  .on("line", (line) => plugin.event({ event: JSON.parse(line) }))
  .on("close", () => plugin.dispose());
"#;

/// A process that runs the plugin.
struct Opencode {
    running: Running,
    input: Option<ChildStdin>,
}

impl Opencode {
    fn start(sandbox: &Sandbox, program: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let plugin = root.join("extensions/opencode/ask-user.js");
        std::fs::copy(plugin, sandbox.home().join("ask-user.mjs")).expect("a writable home");
        std::fs::write(sandbox.home().join("opencode.mjs"), OPENCODE).expect("a writable home");
        let mut command = sandbox.command("node");
        command
            .arg("opencode.mjs")
            .env("ASK_USER_BIN", program)
            .stdin(Stdio::piped());
        let mut running = sandbox.start("opencode", command);
        let input = running.child.stdin.take();
        Self { running, input }
    }

    fn send_event(&mut self, event: &str, version: &str, more: &str) {
        let input = self.input.as_mut().expect("the plugin's input is open");
        let line = format!(
            r#"{{"type":"question.{version}{event}","properties":{{"sessionID":"ses_1",{more}}}}}"#
        );
        writeln!(input, "{line}").expect("the process reads its input");
    }

    fn ask(&mut self, id: &str, version: &str) {
        let more = format!(
            r#""id":"{id}","questions":[{{"question":"Way {id}?","header":"Way",
            "options":[{{"label":"left","description":""}},{{"label":"right","description":""}}]}}]"#
        )
        .replace('\n', "");
        self.send_event("asked", version, &more);
    }

    fn next_request(&mut self) -> Json {
        json(&self.running.out.next().expect("a request is made"))
    }
}

#[test]
fn several_questions_are_each_answered_in_opencode() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut opencode = Opencode::start(&sandbox, BINARY);
    opencode.ask("que_1", "");
    let first = person.next_ask();
    opencode.ask("que_2", "v2.");
    let second = person.next_ask();
    sandbox.run_ok(&["decline", &second]);
    let request = opencode.next_request();
    assert_eq!(
        request["url"],
        "/api/session/{sessionID}/question/{requestID}/reject"
    );
    assert_eq!(request["path"]["requestID"], "que_2");
    assert_eq!(request.get("body"), None);
    person.answer(&first, &["--set", "right"]);
    let request = opencode.next_request();
    assert_eq!(request["url"], "/question/{requestID}/reply");
    assert_eq!(request["path"]["requestID"], "que_1");
    assert_eq!(request["body"], json(r#"{"answers":[["right"]]}"#));
    let home = sandbox.home().canonicalize().expect("an existing file");
    assert_eq!(request["query"]["directory"], home.display().to_string());
}

#[test]
fn an_answer_given_in_opencode_first_closes_the_ask() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut opencode = Opencode::start(&sandbox, BINARY);
    opencode.ask("que_1", "");
    let id = person.next_ask();
    opencode.send_event(
        "replied",
        "",
        r#""requestID":"que_1","answers":[["straight on"]]"#,
    );
    let closed = person.wait_for("it is closed", |record| record["state"] == "answered");
    assert_eq!(closed["askId"], *id);
    assert_eq!(closed["answeredBy"], "opencode");
    assert_eq!(closed["outcome"]["answers"][0]["customText"], "straight on");
    opencode.input = None;
    assert_eq!(opencode.running.out.next(), None, "nothing is requested");
}

#[test]
fn without_ask_user_the_plugin_changes_nothing() {
    let sandbox = Sandbox::new();
    let mut opencode = Opencode::start(&sandbox, "/nowhere/ask-user");
    opencode.ask("que_1", "");
    opencode.send_event("rejected", "", r#""requestID":"que_1""#);
    opencode.input = None;
    assert_eq!(opencode.running.out.next(), None, "nothing is requested");
    let status = opencode.running.child.wait().expect("a child process");
    assert!(status.success(), "{status}");
}
