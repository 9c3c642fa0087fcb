//! Commands in pipelines, without a terminal, and without a hub.

use super::Still;
use crate::support::sandbox::BINARY;

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let still = Still::new();
    let long = "many words ".repeat(3_000);
    for seed in 0..6 {
        still.asks(seed, &[&format!("Number {seed}?"), "--context", &long]);
    }
    for arguments in [
        "list",
        "list --json",
        "show latest",
        "docs dialects",
        "schema --dialect claude",
        "completions bash",
        "man",
        "--help",
        "watch --json",
    ] {
        let script = format!("{{ \"$0\" {arguments}; echo code $? >&2; }} | head -c 10");
        let mut command = still.sandbox.command("sh");
        command.args(["-c", &script, BINARY]);
        let output = crate::support::sandbox::ended(command);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said, "code 0\n", "{arguments}");
    }
}

#[test]
fn without_a_terminal_the_inbox_says_what_to_use() {
    let still = Still::new();
    let said = still.fails(2, &["inbox"]);
    assert!(
        said.contains("needs a terminal") && said.contains("--plain"),
        "{said}"
    );
    let bare = still.prints(&[]);
    assert!(
        bare.contains("ask-user inbox") && bare.contains("ask-user mcp"),
        "{bare}"
    );
}

#[test]
fn without_a_hub_looking_at_it_is_code_6() {
    let still = Still::new();
    let came = still.run(&["hub", "--status"]);
    assert_eq!(came.code, 6, "{}", came.err);
    assert!(came.out.contains("No hub runs"), "{}", came.out);
    assert_eq!(still.prints(&["hub", "--stop"]), "No hub runs.\n");
    let started = still.prints(&["hub"]);
    assert!(
        started.contains("The hub runs") && started.contains("HOME"),
        "{started}"
    );
    let again = still.prints(&["hub"]);
    assert_eq!(again, started, "the same hub");
    let taken = still.fails(1, &["hub", "--foreground"]);
    assert!(
        taken.contains("runs already") && taken.contains("--stop"),
        "{taken}"
    );
    assert_eq!(
        still.prints(&["hub", "--stop"]),
        "The hub has ended; the next ask, or a call that waits, starts another.\n"
    );
}
