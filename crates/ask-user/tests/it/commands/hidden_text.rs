//! Control characters and invisible characters never reach a terminal or a program raw.

use ask_core::SafeText;

use super::FixedHome;
use crate::support::host::Host;
use crate::support::json;
use crate::support::sandbox::BINARY;

/// The same text as JSON, and as the characters it stands for.
const EVIL: &str = r"\u009b31mA\u009d0;x\u0007 \u202eB\u2066 \u007f\u2028\udb40\udc41C\u001b[m";
const MEANT: &str = "\u{9b}31mA\u{9d}0;x\u{7} \u{202e}B\u{2066} \u{7f}\u{2028}\u{e0041}C\u{1b}[m";

fn assert_is_clean(said: &str) {
    let raw: Vec<char> = said.chars().filter(|&one| SafeText::hides(one)).collect();
    assert!(raw.iter().all(|&one| one == '\n'), "{raw:?} in {said:?}");
}

#[test]
fn json_escapes_hidden_characters() {
    let fixed = FixedHome::new();
    let events = fixed.sandbox.home().join("events");
    fixed.sandbox.write_settings(&format!(
        "[notify]\ncommand = [\"sh\", \"-c\", \"cat >> {}\"]\n",
        events.display()
    ));
    let call = format!(
        r#"{{"title":"{EVIL}","context":"{EVIL}","question":"{EVIL}","options":["{EVIL}","B"]}}"#
    );
    let id = fixed.ask_call(1, &call);
    let mut surface = Host::start_command(&fixed.sandbox, &["rpc", "--surface"], &[]);
    for of_type in ["ask_user_hello", "ask_user_request"] {
        let line = surface
            .process
            .out
            .next()
            .expect("the process writes a line");
        assert_is_clean(&line);
        assert_eq!(json(&line)["type"], of_type);
    }
    let lists = ["list --json".to_owned(), format!("show {id} --json")];
    for command in &lists {
        let said = fixed.stdout_of(&command.split(' ').collect::<Vec<_>>());
        assert_is_clean(&said);
        let said = json(&said);
        let record = said.get(0).unwrap_or(&said);
        assert_eq!(record["title"], MEANT, "{command}");
        assert_eq!(record["questions"][0]["options"][0]["label"], MEANT);
    }
    fixed.stdout_of(&["answer", &id, "--set", "1", "--note", MEANT]);
    for command in ["history --json", "stats --json", "export --format json"] {
        assert_is_clean(&fixed.stdout_of(&command.split(' ').collect::<Vec<_>>()));
    }
    let replied = fixed.stdout_of(&["wait", &id, "--json"]);
    assert_is_clean(&replied);
    assert_eq!(json(&replied)["answers"][0]["values"][0], MEANT);
    let output = fixed.run_with_seed(1, &["wait", &id]);
    assert_is_clean(&output.out);
    assert_is_clean(&output.err);
    assert_eq!(output.out, "A B C\n");
    drop(surface);
    fixed.stdout_of(&["hub", "--stop"]);
    let told = std::fs::read_to_string(&events).expect("the program was run");
    assert_is_clean(&told);
    assert!(told.contains(r"\u202e"), "{told}");
}

#[test]
fn answers_in_a_pipe_have_no_hidden_characters() {
    let fixed = FixedHome::new();
    for as_json in [false, true] {
        let mut command = fixed.sandbox.command(BINARY);
        command.args(["ask", "Which?", "--option", MEANT, "--option", "B"]);
        command.args(as_json.then_some("--json"));
        let mut asks = fixed.sandbox.start("ask", command);
        let id = loop {
            let listed = fixed.json(&["list", "--json"]);
            if let Some(id) = listed[0]["askId"].as_str() {
                break id.to_owned();
            }
        };
        fixed.stdout_of(&["answer", &id, "--set", "1", "--note", MEANT]);
        let said = asks.out.rest();
        assert_is_clean(&said);
        match as_json {
            true => assert_eq!(json(&said)["answers"][0]["values"][0], MEANT),
            false => assert!(said.contains("A B C"), "{said:?}"),
        }
        let said = asks.err.rest();
        assert_is_clean(&said);
        assert_eq!(said.contains("were left out"), !as_json, "{said}");
        assert!(asks.child.wait().expect("a child process").success());
    }
}
