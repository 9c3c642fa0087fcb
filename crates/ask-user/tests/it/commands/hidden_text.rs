//! Control characters and invisible characters never reach a terminal or a program raw.

use ask_core::SafeText;

use super::Still;
use crate::support::host::Host;
use crate::support::json;
use crate::support::sandbox::BINARY;

/// The same text as JSON, and as the characters it stands for.
const EVIL: &str = r"\u009b31mA\u009d0;x\u0007 \u202eB\u2066 \u007f\u2028\udb40\udc41C\u001b[m";
const MEANT: &str = "\u{9b}31mA\u{9d}0;x\u{7} \u{202e}B\u{2066} \u{7f}\u{2028}\u{e0041}C\u{1b}[m";

fn is_clean(said: &str) {
    let raw: Vec<char> = said.chars().filter(|&one| SafeText::hides(one)).collect();
    assert!(raw.iter().all(|&one| one == '\n'), "{raw:?} in {said:?}");
}

#[test]
fn json_says_it_with_escapes_and_means_the_same() {
    let still = Still::new();
    let events = still.sandbox.home().join("events");
    still.sandbox.settings(&format!(
        "[notify]\ncommand = [\"sh\", \"-c\", \"cat >> {}\"]\n",
        events.display()
    ));
    let call = format!(
        r#"{{"title":"{EVIL}","context":"{EVIL}","question":"{EVIL}","options":["{EVIL}","B"]}}"#
    );
    let id = still.asks_call(1, &call);
    let mut surface = Host::silent(&still.sandbox, &["rpc", "--surface"], &[]);
    for of_type in ["ask_user_hello", "ask_user_request"] {
        let line = surface
            .process
            .out
            .next()
            .expect("the process writes a line");
        is_clean(&line);
        assert_eq!(json(&line)["type"], of_type);
    }
    let lists = ["list --json".to_owned(), format!("show {id} --json")];
    for command in &lists {
        let said = still.prints(&command.split(' ').collect::<Vec<_>>());
        is_clean(&said);
        let said = json(&said);
        let record = said.get(0).unwrap_or(&said);
        assert_eq!(record["title"], MEANT, "{command}");
        assert_eq!(record["questions"][0]["options"][0]["label"], MEANT);
    }
    still.prints(&["answer", &id, "--set", "1", "--note", MEANT]);
    for command in ["history --json", "stats --json", "export --format json"] {
        is_clean(&still.prints(&command.split(' ').collect::<Vec<_>>()));
    }
    let replied = still.prints(&["wait", &id, "--json"]);
    is_clean(&replied);
    assert_eq!(json(&replied)["answers"][0]["values"][0], MEANT);
    let came = still.seeded(1, &["wait", &id]);
    is_clean(&came.out);
    is_clean(&came.err);
    assert_eq!(came.out, "A B C\n");
    drop(surface);
    still.prints(&["hub", "--stop"]);
    let told = std::fs::read_to_string(&events).expect("the program was run");
    is_clean(&told);
    assert!(told.contains(r"\u202e"), "{told}");
}

#[test]
fn an_ask_that_waits_prints_the_answer_into_a_pipe_without_them() {
    let still = Still::new();
    for as_json in [false, true] {
        let mut command = still.sandbox.command(BINARY);
        command.args(["ask", "Which?", "--option", MEANT, "--option", "B"]);
        command.args(as_json.then_some("--json"));
        let mut asks = still.sandbox.start("ask", command);
        let id = loop {
            let listed = still.json(&["list", "--json"]);
            if let Some(id) = listed[0]["askId"].as_str() {
                break id.to_owned();
            }
        };
        still.prints(&["answer", &id, "--set", "1", "--note", MEANT]);
        let said = asks.out.rest();
        is_clean(&said);
        match as_json {
            true => assert_eq!(json(&said)["answers"][0]["values"][0], MEANT),
            false => assert!(said.contains("A B C"), "{said:?}"),
        }
        is_clean(&asks.err.rest());
        assert!(asks.child.wait().expect("a child process").success());
    }
}
