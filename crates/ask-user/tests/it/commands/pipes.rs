//! Commands in pipelines, without a terminal, and without a hub.

use super::FixedHome;
use crate::support::hub::Hub;
use crate::support::sandbox::BINARY;

#[test]
fn a_closed_pipe_is_no_failure() {
    let fixed = FixedHome::new();
    let long = "many words ".repeat(3_000);
    for seed in 0..6 {
        fixed.ask(seed, &[&format!("Number {seed}?"), "--context", &long]);
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
        let mut command = fixed.sandbox.command("sh");
        command.args(["-c", &script, BINARY]);
        let output = crate::support::sandbox::run_to_end(command);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said, "code 0\n", "{arguments}");
    }
}

#[test]
fn an_outcome_that_nobody_reads_is_no_success() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["Go on?", "--confirm"]);
    fixed.stdout_of(&["answer", &id, "yes"]);
    // A pipe whose reader has gone.
    let script = "mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; \"$0\" wait $1 >&4; echo code $? >&2";
    let mut command = fixed.sandbox.command("sh");
    command.current_dir(fixed.sandbox.home());
    command.args(["-c", script, BINARY, &id]);
    let output = crate::support::sandbox::run_to_end(command);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.ends_with("code 1\n"), "{said}");
    assert!(said.contains("nobody reads the output"), "{said}");
    let record = fixed.json(&["show", &id, "--json"]);
    assert_eq!(record["delivered"], false, "{record}");
    assert_eq!(fixed.stdout_of(&["wait", &id]), "yes\n");
}

#[test]
fn without_a_terminal_the_inbox_says_what_to_use() {
    let fixed = FixedHome::new();
    let said = fixed.stderr_of(2, &["inbox"]);
    assert!(
        said.contains("needs a terminal") && said.contains("--plain"),
        "{said}"
    );
    let bare = fixed.stdout_of(&[]);
    assert!(
        bare.contains("ask-user inbox") && bare.contains("ask-user mcp"),
        "{bare}"
    );
}

#[test]
fn hub_status_without_a_hub_is_code_6() {
    let fixed = FixedHome::new();
    let output = fixed.run(&["hub", "--status"]);
    assert_eq!(output.code, 6, "{}", output.err);
    assert!(output.out.contains("No hub runs"), "{}", output.out);
    assert_eq!(fixed.stdout_of(&["hub", "--stop"]), "No hub runs.\n");
    let started = fixed.stdout_of(&["hub"]);
    assert!(
        started.contains("The hub runs") && started.contains("HOME"),
        "{started}"
    );
    let again = fixed.stdout_of(&["hub"]);
    assert_eq!(again, started, "the same hub");
    let taken = fixed.stderr_of(1, &["hub", "--foreground"]);
    assert!(
        taken.contains("runs already") && taken.contains("--stop"),
        "{taken}"
    );
    assert_eq!(
        fixed.stdout_of(&["hub", "--stop"]),
        "The hub has ended; the next ask, or a call that waits, starts another.\n"
    );
}

#[test]
fn the_hub_keeps_nothing_open_of_the_command_that_started_it() {
    let fixed = FixedHome::new();
    let script = "exec 7>lock 12>>log && flock 7 && \"$0\" hub --start";
    let mut command = fixed.sandbox.command("bash");
    command
        .args(["-c", script, BINARY])
        .current_dir(fixed.sandbox.home());
    let output = crate::support::sandbox::run_to_end(command);
    assert!(output.status.success(), "{output:?}");

    let pid = Hub::connect(&fixed.sandbox).pid;
    let open: Vec<_> = std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .filter(|path| path.ends_with("lock") || path.ends_with("log"))
        .filter(|path| path.parent() == Some(fixed.sandbox.home()))
        .collect();
    assert_eq!(open, Vec::<std::path::PathBuf>::new());
    let lock = std::fs::File::open(fixed.sandbox.home().join("lock")).unwrap();
    lock.try_lock().unwrap();
}
