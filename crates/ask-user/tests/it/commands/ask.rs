//! `ask` and `wait`: asking without MCP, and the exit code of each outcome.

use std::process::Stdio;

use super::FixedHome;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};

/// Asks in the background and runs a command on the ask; returns the exit code, the output and the
/// errors of `ask`.
fn outcome(arguments: &[&str], settle_with: &[&str]) -> (i32, String, String) {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut command = sandbox.command(BINARY);
    command.arg("ask").args(arguments);
    let mut asking = sandbox.start("ask", command);
    let id = person.next_ask();
    let mut command_line = vec![settle_with[0], &id];
    command_line.extend(&settle_with[1..]);
    sandbox.run_ok(&command_line);
    let (out, err) = (asking.out.rest(), asking.err.rest());
    person.wait_for("it is delivered", |record| record["delivered"] == true);
    let status = asking.child.wait().expect("our child process");
    (
        status.code().expect("no signal ended it"),
        out,
        err.replace(&id, "ID"),
    )
}

fn expected(code: i32, out: &str, err: &str) -> (i32, String, String) {
    (code, out.to_owned(), err.to_owned())
}

#[test]
fn invalid_arguments_are_refused_before_anything_is_asked() {
    let fixed = FixedHome::new();
    for text in ["", " ", "\u{1b}", "\u{202e}\u{200b}", "\u{3164}"] {
        let said = fixed.stderr_of(2, &["ask", text]);
        assert!(said.contains("say what to ask"), "{said}");
    }
    for label in ["", "  ", "  =first", "\u{200b}"] {
        let said = fixed.stderr_of(2, &["ask", "Which?", "--option", label]);
        assert!(said.contains("--option: a choice needs a label"), "{said}");
    }
    let said = fixed.stderr_of(2, &["ask", "Which?", "--options", ""]);
    assert!(said.contains("--options: a choice needs a label"), "{said}");
    assert_eq!(fixed.stdout_of(&["list"]), "Nothing waits for an answer.\n");
    let id = fixed.ask(1, &["Which?", "--title", "\u{200b}", "--context", ""]);
    let ask = fixed.json(&["show", &id, "--json"]);
    assert!(ask["title"].is_null() && ask["context"].is_null(), "{ask}");
    for length in ["9999999d", "200000000000h"] {
        let said = fixed.stderr_of(2, &["snooze", &id, "--for", length]);
        assert!(said.contains("calendar"), "{said}");
    }
    assert!(!fixed.stdout_of(&["list"]).contains("snoozed"));
}

#[test]
fn each_outcome_has_its_exit_code() {
    let choices = ["Which?", "--option", "A=first", "--option", "B"];
    assert_eq!(
        outcome(&choices, &["answer", "--set", "A"]),
        expected(0, "A", "")
    );
    let mut many = choices.to_vec();
    many.push("--multi");
    assert_eq!(
        outcome(&many, &["answer", "--set", "B,A", "--note", "both"]),
        expected(0, "A\nB", "note: both")
    );
    assert_eq!(
        outcome(&["Go on?", "--confirm"], &["answer", "--set", "yes"]),
        expected(0, "yes", "")
    );
    assert_eq!(
        outcome(&["Why?"], &["answer", "--set", "because"]),
        expected(0, "because", "")
    );
    assert_eq!(
        outcome(&choices, &["decline"]),
        expected(3, "", "Declined.")
    );
    assert_eq!(
        outcome(&choices, &["decline", "--reason", "no time"]),
        expected(3, "", "Declined: no time")
    );
    assert_eq!(
        outcome(&choices, &["clarify", "how so?"]),
        expected(7, "", "Asked back: how so?")
    );
}

#[test]
fn a_time_limit_that_passes_is_code_4() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut command = sandbox.command(BINARY);
    command.args(["ask", "Now?", "--timeout", "1m"]);
    let mut asking = sandbox.start("ask", command);
    let id = person.next_ask();
    let deadline = person.record(&id);
    let deadline = deadline["deadlineAt"].as_str().expect("a deadline");
    Hub::connect(&sandbox).set_clock(deadline);
    assert_eq!(asking.out.rest(), "");
    assert_eq!(asking.err.rest(), "Nobody answered within the time limit.");
    let status = asking.child.wait().expect("our child process");
    assert_eq!(status.code(), Some(4));
}

#[test]
fn asking_without_waiting_is_code_8_and_the_answer_is_waited_for_later() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["Later?"]);
    let waits = fixed.json(&["list", "--json"]);
    assert_eq!(waits[0]["askId"], *id);
    let mut command = fixed.sandbox.command(BINARY);
    command.args(["wait", &id[..6], "--json"]);
    let mut wait = fixed.sandbox.start("wait", command);
    fixed.stdout_of(&["answer", &id, "--set", "now"]);
    let reply = json(&wait.out.rest());
    assert_eq!(reply["answers"][0]["values"][0], "now", "{reply}");
    fixed.stdout_of(&["wait", "latest", "--result"]);
    let is_told = || fixed.json(&["show", &id, "--json"])["delivered"] == true;
    assert!(!is_told(), "the caller has the whole id");
    for _ in 0..2 {
        assert_eq!(fixed.stdout_of(&["wait", &id]), "now\n");
        assert!(is_told());
    }
    let said = fixed.run(&["ask", "Later?", "--no-wait", "--json"]);
    assert_eq!(said.code, 8);
    let said = json(&said.out);
    assert_eq!(said["waiting"], true, "{said}");
    let how = said["howToAnswer"]
        .as_str()
        .expect("the output says how to continue");
    assert!(how.ends_with(" --json --return-after 100s"), "{how}");
}

#[test]
fn calls_of_every_dialect_are_read_from_standard_input() {
    let cases = [
        (
            "native",
            r#"{"question":"Which way?","options":["left","right"]}"#,
            r#""values":["left"]"#,
        ),
        (
            "codenomad",
            r#"{"questions":[{"question":"Which way?","type":"select","options":["left","right"]}]}"#,
            r#""values":["left"]"#,
        ),
        (
            "auq",
            r#"{"questions":[{"prompt":"Which way?","title":"Way","multiSelect":false,"options":[{"label":"left"},{"label":"right"}]}]}"#,
            "1. Which way?\n→ left",
        ),
        (
            "claude",
            r#"{"questions":[{"question":"Which way?","header":"Way","multiSelect":false,"options":[{"label":"left","description":"l"},{"label":"right","description":"r"}]}]}"#,
            r#"{"answers":{"Which way?":"left"}}"#,
        ),
        (
            "pi",
            r#"{"questions":[{"question":"Which way?","options":[{"label":"left"},{"label":"right"}]}]}"#,
            r#""answer":"left","selectedOption":"left","wasCustom":false"#,
        ),
        (
            "gemini",
            r#"{"questions":[{"question":"Which way?","header":"Way","type":"choice","options":["left","right"]}]}"#,
            r#"{"answers":{"0":"left"}}"#,
        ),
        (
            "codex",
            r#"{"questions":[{"id":"way","question":"Which way?","header":"Way","options":["left","right"]}]}"#,
            r#"{"answers":{"way":{"answers":["left"]}}}"#,
        ),
        (
            "opencode",
            r#"{"questions":[{"question":"Which way?","header":"Way","options":["left","right"]}]}"#,
            r#""Which way?"="left""#,
        ),
        (
            "roo",
            r#"{"question":"Which way?","follow_up":"<suggest mode=\"code\">left</suggest><suggest>right</suggest>"}"#,
            "<user_message>\nleft\n</user_message>",
        ),
    ];
    for (dialect, call, reply) in cases {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut command = sandbox.command(BINARY);
        command.args(["ask", "--stdin", "--dialect", dialect]);
        let mut asking = sandbox.start("ask", {
            command.stdin(Stdio::piped());
            command
        });
        let mut input = asking.child.stdin.take().expect("its input is piped");
        std::io::Write::write_all(&mut input, call.as_bytes())
            .expect("the process reads its input");
        drop(input);
        let id = person.next_ask();
        person.answer(&id, &["--set", "left"]);
        let said = asking.out.rest();
        assert!(said.contains(reply), "{dialect}: {said}");
        let status = asking.child.wait().expect("our child process");
        assert_eq!(status.code(), Some(0), "{dialect}");
    }
}

#[test]
fn invalid_asks_are_refused() {
    let fixed = FixedHome::new();
    for arguments in [
        &["ask"][..],
        &["ask", "Both?", "--confirm", "--option", "A"],
        &["ask", "Many?", "--multi"],
        &["ask", "Which?", "--dialect", "claude"],
        &["ask", "--stdin", "--dialect", "latin"],
    ] {
        let said = fixed.stderr_of(2, arguments);
        assert!(!said.is_empty(), "{arguments:?}");
    }
    let refused = fixed.run(&["ask", "--stdin"]);
    assert_eq!(refused.code, 1, "an empty call is refused");
    assert!(refused.out.contains("not valid JSON"), "{}", refused.out);
}

#[test]
fn choices_are_given_singly_or_with_commas() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["Parts?", "--options", "Docs,Tests", "--multi"]);
    let parts = fixed.json(&["show", &id, "--json"]);
    let labels = &parts["questions"][0]["options"];
    assert_eq!(
        [&labels[0]["label"], &labels[1]["label"]],
        ["Docs", "Tests"]
    );
    let said = fixed.stderr_of(2, &["ask", "Which", "parts?"]);
    assert!(
        said.contains("in quotes: ask-user ask \"Which parts?\""),
        "{said}"
    );
    for (length, hint) in [
        ("5", "5s, 5m or 5h"),
        ("soon", "90s, 5m, 1h"),
        ("0s", "zero"),
    ] {
        let said = fixed.stderr_of(2, &["ask", "Now?", "--timeout", length]);
        assert!(said.contains(hint), "{said}");
    }
}

/// Two agents that run, each of which runs commands in a shell that stays. One of them is asked for. With
/// a second argument, a program of the agent runs the command.
const TWO_AGENTS: &str = r#"
import json, subprocess, sys
program = sys.argv[1]
AGENT = """
import subprocess, sys
for line in sys.stdin:
    ran = subprocess.run(["sh", "-c", line + chr(10) + "exit", sys.argv[1]], capture_output=True, text=True)
    print(ran.stdout.strip().replace(chr(10), " "), flush=True)
"""
def start():
    return subprocess.Popen([sys.executable, "-c", AGENT, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def run(agent, command):
    agent.stdin.write(command + chr(10))
    agent.stdin.flush()
    return agent.stdout.readline()
def waiting():
    return json.loads(subprocess.run([program, "list", "--json"], capture_output=True, text=True).stdout)
one, other = start(), start()
ask = '"$0" ask "Ship it?" --confirm --return-after 1s'
if len(sys.argv) > 2:
    ask = "python3 -c 'import subprocess, sys; subprocess.run(sys.argv[1:])' " + ask
run(one, ask)
asked = [ask["askId"] for ask in waiting() if ask["state"] == "waiting"]
subprocess.run([program, "answer", asked[0], "--set", "yes"])
results = [run(other, ask), run(one, ask)]
print(json.dumps(results))
"#;

#[test]
#[cfg(target_os = "linux")]
fn the_answer_for_an_agent_that_runs_goes_to_no_other_agents_shell() {
    keep_from_another_agent(&[]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_answer_for_a_program_of_an_agent_that_runs_goes_to_no_other_agents() {
    keep_from_another_agent(&["by a program"]);
}

#[cfg(target_os = "linux")]
fn keep_from_another_agent(by: &[&str]) {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command("python3");
    command.args(["-c", TWO_AGENTS, BINARY]).args(by);
    let output = run_to_end(command);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let problem = String::from_utf8_lossy(&output.stderr).into_owned();
    let results = said.lines().last().unwrap_or_else(|| panic!("{problem}"));
    let results = json(results);
    let has_answer = |at: usize| {
        results[at]
            .as_str()
            .is_some_and(|text| text.contains("yes"))
    };
    assert!(
        !has_answer(0),
        "the other agent got it: {results} {problem}"
    );
    assert!(
        has_answer(1),
        "the agent that asked didn't: {results} {problem}"
    );
}
