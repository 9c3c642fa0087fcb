//! The checks of `ask-user doctor` on the settings of agents' clients.

use super::{apply_fix, assert_contains, doctor, findings, findings_of, home, shell};
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};

/// The settings of Codex in a home where it is installed and registered.
fn with_codex(sandbox: &Sandbox) -> std::path::PathBuf {
    let folder = sandbox.home().join(".codex");
    std::fs::create_dir(&folder).expect("a writable home");
    let (code, said) = doctor(sandbox);
    assert_eq!(code, 0, "{said}");
    assert_contains(
        &said,
        &[
            "warn  client      Codex is installed but can't ask here\n",
            "        mend:     ask-user register codex\n",
        ],
    );
    apply_fix(sandbox, "client");
    let (_, said) = doctor(sandbox);
    assert_contains(
        &said,
        &["ok    client      Codex asks here, by ~/.codex/config.toml\n"],
    );
    folder.join("config.toml")
}

#[test]
fn an_extension_passes_its_own_arguments() {
    let sandbox = home();
    std::fs::create_dir_all(sandbox.home().join(".pi/agent")).expect("a writable home");
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    apply_fix(&sandbox, "client");
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    assert_contains(&said, &["ok    client      pi asks here, by "]);
}

#[test]
fn a_client_with_a_missing_program_is_reported_and_fixed() {
    let sandbox = home();
    let file = with_codex(&sandbox);
    let written = std::fs::read_to_string(&file).expect("a written file");
    let wrong = |from: &str, to: &str| {
        assert!(written.contains(from), "{from}: {written}");
        std::fs::write(&file, written.replace(from, to)).expect("a writable file");
        doctor(&sandbox)
    };
    let (code, said) = wrong(BINARY, "/nowhere/ask-user");
    assert_eq!(code, 1, "{said}");
    let missing = "FAIL  client      Codex starts /nowhere/ask-user, which is not there\n";
    assert_contains(
        &said,
        &[missing, "        mend:     ask-user register codex\n"],
    );
    apply_fix(&sandbox, "client");
    let (code, said) = wrong("tool_timeout_sec = 86400", "tool_timeout_sec = 60");
    assert_eq!(code, 0, "{said}");
    let limit = "this is not as it should be: mcp_servers.ask.tool_timeout_sec\n";
    assert_contains(
        &said,
        &["warn  client      Codex: in ~/.codex/config.toml ", limit],
    );
    apply_fix(&sandbox, "client");
    let found = findings(&sandbox);
    assert_eq!(findings_of(&found, "client")[0]["client"], "codex");
}

#[test]
fn a_client_may_start_the_program_through_a_link() {
    let sandbox = home();
    let file = with_codex(&sandbox);
    let written = std::fs::read_to_string(&file).expect("a written file");
    let link = sandbox.home().join("ask-user");
    std::os::unix::fs::symlink(BINARY, &link).expect("a writable home");
    let link = link.display().to_string();
    std::fs::write(&file, written.replace(BINARY, &link)).expect("a writable file");
    let (_, said) = doctor(&sandbox);
    assert_contains(
        &said,
        &["ok    client      Codex asks here, by ~/.codex/config.toml\n"],
    );
}

#[test]
fn a_client_with_a_wrong_command_is_reported_and_fixed() {
    let sandbox = home();
    let file = with_codex(&sandbox);
    let written = std::fs::read_to_string(&file).expect("a written file");
    for (args, why) in [
        (
            r#"["mcp", "--dialect", "nosuch"]"#,
            "`ask-user mcp --dialect nosuch`, which can't serve it: there is no dialect named \"nosuch\"\n",
        ),
        (
            r#"["mcp", "--nosuch"]"#,
            "`ask-user mcp --nosuch`, which can't serve it: there is no option --nosuch\n",
        ),
        (
            r#"["inbox"]"#,
            "`ask-user inbox`, which can't serve it: only `ask-user mcp` is a server\n",
        ),
    ] {
        assert!(written.contains(r#"["mcp"]"#), "{written}");
        std::fs::write(&file, written.replace(r#"["mcp"]"#, args)).expect("a writable file");
        let (code, said) = doctor(&sandbox);
        assert_eq!(code, 1, "{said}");
        assert_contains(&said, &[&format!("FAIL  client      Codex starts {why}")]);
        apply_fix(&sandbox, "client");
    }
}

#[test]
fn a_client_of_another_hub_or_with_a_broken_file_is_reported() {
    let sandbox = home();
    let file = with_codex(&sandbox);
    let written = std::fs::read_to_string(&file).expect("a written file");
    let home = format!("ASK_USER_HOME = \"{}\"", sandbox.home().display());
    assert!(written.contains(&home), "{written}");
    let elsewhere = written.replace(&home, "ASK_USER_HOME = \"/elsewhere\"");
    std::fs::write(&file, elsewhere).expect("a writable file");
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    let asks = "Codex asks the hub in /elsewhere, not the one in HOME\n";
    assert_contains(
        &said,
        &[asks, "mend:     ASK_USER_HOME=/elsewhere ask-user inbox\n"],
    );
    std::fs::write(&file, "[mcp_servers\n").expect("a writable file");
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 1, "{said}");
    let broken = "FAIL  client      Codex: ~/.codex/config.toml, line 1, column ";
    assert_contains(
        &said,
        &[
            broken,
            "HOME/.codex/config.toml\n",
            "and then: ask-user register codex\n",
        ],
    );
}

#[test]
fn a_projects_entry_without_the_program_on_path_is_reported() {
    let sandbox = home();
    let project = sandbox.home().join("shop");
    std::fs::create_dir_all(project.join(".git")).expect("a writable home");
    let in_project = |arguments: &[&str]| {
        let mut command = shell(&sandbox, BINARY);
        command.current_dir(&project).args(arguments);
        let output = run_to_end(command);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code().expect("no signal ended it"), said)
    };
    assert_eq!(in_project(&["register", "codex", "--project"]).0, 0);
    let (code, said) = in_project(&["doctor"]);
    assert_eq!(code, 0, "{said}");
    assert_contains(
        &said,
        &["ok    client      Codex asks here, by ~/shop/.codex/config.toml\n"],
    );
    let mut command = shell(&sandbox, BINARY);
    command
        .env("PATH", "/usr/bin:/bin")
        .current_dir(&project)
        .arg("doctor");
    let output = run_to_end(command);
    let said = String::from_utf8_lossy(&output.stdout);
    let missing = "FAIL  client      Codex starts ask-user, which is not there\n";
    assert_contains(
        &said,
        &[
            missing,
            "        mend:     ask-user register codex --project\n",
        ],
    );
}
