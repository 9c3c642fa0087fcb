//! `ask-user doctor`: each test breaks something, reads the finding as the person does, and repairs
//! it as the finding says.

mod clients;
mod port;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use ask_core::Json;
use rustix::process::Signal;

use crate::support::agent::{Agent, Era};
use crate::support::hub::{Hub, address, send_signal};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};

/// A home with default permissions and any free port.
fn home() -> Sandbox {
    let sandbox = Sandbox::new().with_port_of_settings();
    chmod(sandbox.home(), 0o700);
    sandbox.write_settings("[http]\nport = 0\n");
    sandbox
}

fn chmod(path: &Path, mode: u32) {
    let mode = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, mode).expect("its permissions");
}

/// A command in a shell whose PATH holds the binary.
fn shell(sandbox: &Sandbox, program: &str) -> Command {
    let mut command = sandbox.command(program);
    let folder = Path::new(BINARY).parent().expect("a parent folder");
    command.env("PATH", format!("{}:/usr/bin:/bin", folder.display()));
    // The machine's own agents must not change the findings.
    for name in [
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
        "COPILOT_HOME",
        "XDG_CONFIG_HOME",
    ] {
        command.env_remove(name);
    }
    command.env("HOME", sandbox.home());
    command
}

/// The output of `doctor` and its exit code.
fn doctor(sandbox: &Sandbox) -> (i32, String) {
    doctor_with_port(sandbox, None)
}

/// The output and exit code in a shell that sets a port.
fn doctor_with_port(sandbox: &Sandbox, port: Option<&str>) -> (i32, String) {
    let mut command = shell(sandbox, BINARY);
    command
        .arg("doctor")
        .envs(port.map(|port| ("CN_MCP_PORT", port)));
    let output = run_to_end(command);
    assert!(output.stderr.is_empty(), "all in one place: {output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = said.replace(&sandbox.home().display().to_string(), "HOME");
    (output.status.code().expect("no signal ended it"), said)
}

/// The findings as JSON.
fn findings(sandbox: &Sandbox) -> Json {
    let mut command = shell(sandbox, BINARY);
    command.args(["doctor", "--json"]);
    json(&String::from_utf8_lossy(&run_to_end(command).stdout))
}

/// The findings of one check.
fn findings_of(findings: &Json, check: &str) -> Vec<Json> {
    let all = findings["checks"].as_array().expect("an array");
    let own = all.iter().filter(|finding| finding["check"] == check);
    own.cloned().collect()
}

#[track_caller]
fn assert_contains(said: &str, words: &[&str]) {
    for words in words {
        assert!(said.contains(words), "{words:?} is missing in:\n{said}");
    }
}

#[test]
fn a_healthy_home_passes_and_is_unchanged() {
    let sandbox = home();
    for again in ["it was started just now", "up for less than a minute"] {
        let (code, said) = doctor(&sandbox);
        assert_eq!(code, 0, "{said}");
        assert!(said.ends_with("\nAll is well.\n"), "{said}");
        assert!(!said.contains('\u{1b}'), "no colour where no terminal is");
        assert_contains(
            &said,
            &[
                "ok    program     ask-user ",
                "ok    path        a shell finds it as ",
                "ok    settings    HOME/config.toml sets http.port = 0",
                "ok    folder      HOME is yours alone",
                again,
                "ok    store       HOME/ask-user.db can be read",
                "ok    http        MCP at http://127.0.0.1:",
                "ok    round trip  a question reached the hub and its answer the agent in ",
                "ok    client      no client of agents was found",
                "ok    asks        Nothing waits for an answer.",
            ],
        );
    }
    assert_eq!(sandbox.run_ok(&["history", "--json"]).trim(), "[]");
    assert_eq!(sandbox.run_ok(&["list", "--all", "--json"]).trim(), "[]");
    let found = findings(&sandbox);
    assert_eq!(found["ok"], true, "{found}");
    let trip = &findings_of(&found, "round trip")[0];
    assert_eq!(trip["state"], "ok", "{trip}");
    assert!(trip["mend"].is_null(), "{trip}");
}

#[test]
fn files_that_others_can_read_are_reported_and_fixed() {
    let sandbox = home();
    assert_eq!(doctor(&sandbox).0, 0);
    for token in ["token", "answer-token"] {
        chmod(&sandbox.home().join(token), 0o644);
    }
    chmod(&sandbox.home().join("ask-user.db"), 0o660);
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 1, "{said}");
    assert_contains(
        &said,
        &[
            "FAIL  files       others on this machine may read or change HOME/token (0644), HOME/answer-token (0644), HOME/ask-user.db (0660)\n",
            "        mend:     chmod 600 HOME/token HOME/answer-token HOME/ask-user.db\n",
            "\n1 check failed.\n",
        ],
    );
    apply_fix(&sandbox, "files");
    chmod(sandbox.home(), 0o755);
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "names alone are no secret: {said}");
    assert_contains(
        &said,
        &["warn  folder      others on this machine may look into HOME (0755)"],
    );
    apply_fix(&sandbox, "folder");
    chmod(sandbox.home(), 0o777);
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 1, "{said}");
    assert_contains(
        &said,
        &["FAIL  folder      others on this machine may change what is in HOME (0777)"],
    );
    apply_fix(&sandbox, "folder");
}

/// Runs the repair that a finding names, and checks that the finding is gone.
#[track_caller]
fn apply_fix(sandbox: &Sandbox, check: &str) {
    let found = findings_of(&findings(sandbox), check);
    let mend = found[0]["mend"]
        .as_str()
        .expect("the finding names a repair");
    let mut command = shell(sandbox, "sh");
    command.args(["-c", mend.lines().next().expect("a command")]);
    let output = run_to_end(command);
    assert!(output.status.success(), "{mend}: {output:?}");
    let (code, said) = doctor(sandbox);
    assert_eq!(code, 0, "{said}");
    assert!(said.ends_with("\nAll is well.\n"), "{said}");
}

#[test]
fn a_killed_hub_is_reported_and_replaced() {
    let sandbox = home();
    let before = Hub::start(&sandbox);
    let pid = before.pid;
    before.kill();
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    let left = format!("warn  hub         hub process {pid} ended unexpectedly; ");
    assert_contains(
        &said,
        &[
            &left,
            "in its place",
            "nothing is lost",
            "\nAll is well, 1 warning.\n",
        ],
    );
    assert!(doctor(&sandbox).1.ends_with("\nAll is well.\n"));
}

#[test]
fn removed_hub_files_are_reported_and_recreated() {
    for removed in ["hub.sock", "hub.json"] {
        let sandbox = home();
        let pid = Hub::start(&sandbox).pid;
        std::fs::remove_file(sandbox.home().join(removed)).expect("the hub's file exists");
        let (code, said) = doctor(&sandbox);
        assert_eq!(code, 0, "{said}");
        let mended = format!("answers (process {pid})\n");
        assert_contains(
            &said,
            &[
                "warn  hub         the socket or hub.json was missing and was recreated; ",
                &mended,
            ],
        );
        assert!(doctor(&sandbox).1.ends_with("\nAll is well.\n"));
    }
}

#[test]
fn an_unresponsive_hub_is_reported_with_its_process() {
    let sandbox = home();
    let hub = Hub::start(&sandbox);
    send_signal(hub.pid, Signal::STOP);
    let (code, said) = doctor(&sandbox);
    send_signal(hub.pid, Signal::CONT);
    assert_eq!(code, 1, "{said}");
    let pid = hub.pid;
    assert_contains(
        &said,
        &[
            &format!(
                "FAIL  hub         the hub (process {pid}) accepts connections but doesn't respond\n"
            ),
            &format!("`kill -CONT {pid}` resumes it"),
            "FAIL  round trip  not tried, because there is no hub\n",
        ],
    );
}

#[test]
fn a_hub_of_another_version_is_reported() {
    let sandbox = home();
    let begin = |version: &str| {
        let mut command = shell(&sandbox, BINARY);
        command
            .env("ASK_USER_VERSION", version)
            .args(["hub", "--start"]);
        assert!(run_to_end(command).status.success());
    };
    begin("99.0.0");
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    assert_contains(
        &said,
        &[
            "warn  hub         99.0.0 answers (process ",
            "which is newer than this program",
            "mend:     install the newer ask-user in this place too",
        ],
    );
    sandbox.run_ok(&["hub", "--stop"]);
    begin("0.0.1");
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    assert_contains(
        &said,
        &[
            "ok    hub ",
            "it has taken the place of 0.0.1, which was older",
        ],
    );
}

#[test]
fn invalid_settings_are_reported_with_their_place() {
    let sandbox = home();
    sandbox.write_settings("[hub]\nidle_minutes = 'long'\ncolour = 'red'\n[http]\nport = 0\n");
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 1, "{said}");
    assert_contains(
        &said,
        &[
            "FAIL  settings    in HOME/config.toml: hub.idle_minutes: must be a whole number of minutes",
            "FAIL  settings    in HOME/config.toml: hub.colour: is not a setting",
            "mend:     the settings there are: hub.idle_minutes",
            "warn  history     while the settings have a mistake, nothing is removed by itself",
            "\n2 checks failed, 1 warning.\n",
        ],
    );
    sandbox.write_settings("[hub\n");
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 1, "{said}");
    assert_contains(
        &said,
        &["FAIL  settings    in HOME/config.toml: line 1, column 5: "],
    );
}

#[test]
fn a_wrong_token_is_reported() {
    let sandbox = home();
    assert_eq!(doctor(&sandbox).0, 0);
    let token = sandbox.home().join("token");
    for other in [
        "another-of-their-own\n",
        "short\n",
        "",
        "a line of words\nand more\n",
    ] {
        std::fs::write(&token, other).expect("a writable home");
        let (code, said) = doctor(&sandbox);
        assert_eq!(code, 1, "{said}");
        assert_contains(
            &said,
            &["FAIL  http ", "the token in HOME/token is not the hub's"],
        );
        apply_fix(&sandbox, "http");
        let now = std::fs::read_to_string(&token).expect("the token exists");
        assert_eq!(now == other, other.starts_with("another"), "{now}");
    }
    sandbox.run_ok(&["hub", "--stop"]);
    let answering = sandbox.home().join("answer-token");
    std::fs::write(&answering, "").expect("a writable home");
    assert_eq!(doctor(&sandbox).0, 0, "the next hub creates another token");
    let now = std::fs::read_to_string(&answering).expect("the token exists");
    assert_eq!(now.trim().len(), 64, "{now}");
}

#[test]
fn a_hub_with_other_settings_is_reported() {
    let sandbox = home();
    let command = |arguments: &[&str], settings: Option<&str>| {
        let mut command = shell(&sandbox, BINARY);
        command
            .env_remove("ASK_USER_HOME")
            .env_remove("XDG_STATE_HOME");
        let settings = settings.map(|name| sandbox.home().join(name));
        command
            .args(arguments)
            .envs(settings.map(|folder| ("XDG_CONFIG_HOME", folder)));
        String::from_utf8_lossy(&run_to_end(command).stdout).into_owned()
    };
    for settings in [".config", "of-an-agent"] {
        let folder = sandbox.home().join(settings).join("ask-user");
        std::fs::create_dir_all(&folder).expect("a writable home");
        let port = std::fs::write(folder.join("config.toml"), "[http]\nport = 0\n");
        port.expect("a writable home");
    }
    command(&["hub", "--json"], Some("of-an-agent"));
    let said = command(&["doctor"], None);
    assert_contains(
        &said,
        &[
            "warn  settings ",
            "the hub uses ",
            "/of-an-agent/ask-user/config.toml, not ",
        ],
    );
    command(&["hub", "--stop"], None);
    let said = command(&["doctor"], None);
    assert!(!said.contains("the hub uses "), "{said}");
    command(&["hub", "--stop"], None);
}

#[test]
fn settings_that_the_hub_has_not_read_are_reported() {
    let sandbox = home();
    let (_, said) = doctor(&sandbox);
    let words = "was changed after the hub had started";
    assert!(!said.contains(words), "{said}");
    sandbox.write_settings("[http]\nport = 0\n[answers]\nonly_from = \"devices\"\n");
    let (_, said) = doctor(&sandbox);
    assert_contains(&said, &["warn  settings ", words, "ask-user hub --stop"]);
    sandbox.run_ok(&["hub", "--stop"]);
    let (_, said) = doctor(&sandbox);
    assert!(!said.contains(words), "{said}");
}

#[test]
fn an_unusable_home_is_reported() {
    let sandbox = home();
    let file = sandbox.home().join("file");
    std::fs::write(&file, "a letter").expect("a writable home");
    for (place, words) in [
        (file.clone(), "HOME/file is not a folder"),
        (file.join("home"), "cannot write to HOME/file/home"),
    ] {
        let mut command = shell(&sandbox, BINARY);
        command.env("ASK_USER_HOME", &place).arg("doctor");
        let output = run_to_end(command);
        let said = String::from_utf8_lossy(&output.stdout);
        let said = said.replace(&sandbox.home().display().to_string(), "HOME");
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert_contains(
            &said,
            &[
                "FAIL  folder ",
                words,
                "set ASK_USER_HOME to ",
                "FAIL  hub ",
            ],
        );
    }
    assert_eq!(
        std::fs::read_to_string(&file).expect("an existing file"),
        "a letter"
    );
}

#[test]
fn a_damaged_store_is_reported() {
    let sandbox = home();
    std::fs::write(
        sandbox.home().join("ask-user.db"),
        "no database at all, but a letter",
    )
    .expect("a writable home");
    chmod(&sandbox.home().join("ask-user.db"), 0o600);
    doctor(&sandbox);
    sandbox.run_ok(&["hub", "--stop"]);
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    let once = "warn  store       a store was damaged and set aside as HOME/ask-user.db.damaged-";
    assert_contains(
        &said,
        &[
            once,
            "once you miss nothing of it: rm HOME/ask-user.db.damaged-",
        ],
    );
    assert_eq!(said.matches(once).count(), 1, "{said}");
}

#[test]
fn another_program_of_the_same_name_is_reported() {
    let sandbox = home();
    let other = sandbox.home().join("bin");
    std::fs::create_dir(&other).expect("a writable home");
    std::fs::write(other.join("ask-user"), "#!/bin/sh\necho ask-user 0.0.7\n")
        .expect("a writable file");
    let on_path = || {
        let mut command = shell(&sandbox, BINARY);
        command.env("PATH", format!("{}:/usr/bin:/bin", other.display()));
        command.arg("doctor");
        let output = run_to_end(command);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let said = on_path();
    assert_contains(
        &said,
        &[
            "warn  path        a shell doesn't find `ask-user`",
            "export PATH=",
        ],
    );
    chmod(&other.join("ask-user"), 0o700);
    let said = on_path();
    assert_contains(
        &said,
        &[
            "a shell finds another program: ",
            "(ask-user 0.0.7)",
            "ln -sf ",
        ],
    );
}

#[test]
fn a_program_that_a_checkout_names_is_reported_and_not_run() {
    let sandbox = home();
    let checkout = sandbox.home().join("shop");
    for folder in [".git", ".cursor"] {
        std::fs::create_dir_all(checkout.join(folder)).expect("a writable home");
    }
    let ran = sandbox.home().join("ran");
    let program = checkout.join("ask-user");
    let script = format!("#!/bin/sh\ntouch {}\n", ran.display());
    std::fs::write(&program, script).expect("a writable file");
    chmod(&program, 0o700);
    let entry =
        r#"{"mcpServers":{"ask-user":{"command":"/proc/self/cwd/ask-user","args":["mcp"]}}}"#;
    std::fs::write(checkout.join(".cursor/mcp.json"), entry).expect("a writable file");
    let mut command = shell(&sandbox, BINARY);
    command.env("PATH", format!("{}:/usr/bin:/bin", checkout.display()));
    command.arg("doctor").current_dir(&checkout);
    let output = run_to_end(command);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_contains(&said, &["starts another ask-user: /proc/self/cwd/ask-user"]);
    assert!(!ran.exists(), "{said}");
}

#[test]
fn a_server_of_a_checkout_with_our_name_is_reported() {
    let sandbox = home();
    let checkout = sandbox.home().join("shop");
    for folder in [".git", ".cursor"] {
        std::fs::create_dir_all(checkout.join(folder)).expect("a writable home");
    }
    for (entry, said) in [
        (r#"{"command":"./evil"}"#, "another server named \"ask\""),
        (r#"{"url":"http://x/"}"#, "another server named \"ask\""),
        (
            r#"{"command":"./evil","args":["ask-user","mcp"]}"#,
            "starts ./evil in this project",
        ),
    ] {
        let file = checkout.join(".cursor/mcp.json");
        let text = format!(r#"{{"mcpServers":{{"ask":{entry}}}}}"#);
        std::fs::write(file, text).expect("a writable file");
        let mut command = shell(&sandbox, BINARY);
        command.arg("doctor").current_dir(&checkout);
        let output = run_to_end(command);
        let all = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_contains(&all, &[said]);
    }
}

#[test]
fn doctor_leaves_other_asks_unchanged() {
    let sandbox = home();
    let id = sandbox.ask(&["Which?", "--option", "A"]);
    let mut person = Person::new(&sandbox);
    assert_eq!(person.next_ask(), id);
    let (code, said) = doctor(&sandbox);
    assert_eq!(code, 0, "{said}");
    assert_contains(
        &said,
        &["ok    asks        1 question waits for an answer."],
    );
    // Only the ask that doctor sends itself appeared for a moment, and is gone.
    let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
    assert_eq!(all.as_array().map(Vec::len), Some(1), "{all}");
    assert_eq!(all[0]["askId"], *id, "{all}");
    let left: Json = json(&sandbox.run_ok(&["history", "--json"]));
    assert_eq!(left.as_array().map(Vec::len), Some(0), "{left}");
    person.answer(&id, &["--set", "A"]);
    assert_contains(
        &doctor(&sandbox).1,
        &["1 answer is kept until its agent comes for it."],
    );
}

#[test]
fn asks_of_a_killed_doctor_are_removed() {
    let sandbox = home();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::start(&sandbox, &[]);
    agent.set_name("ask-user doctor");
    agent.open(Era::Initialize("2025-11-25"));
    agent.call("ask_user", r#"{"question":"A check?"}"#);
    let id = person.next_ask();
    drop(agent);
    person.wait_for("it is left", |record| {
        record["askId"] == *id && record.get("waiters").is_none()
    });
    assert_eq!(doctor(&sandbox).0, 0);
    assert_eq!(sandbox.run_ok(&["list", "--all", "--json"]).trim(), "[]");
    assert!(address(&sandbox).is_some(), "the hub stays");
}

#[test]
fn an_invalid_time_limit_in_the_environment_is_reported() {
    let sandbox = home();
    for (text, told) in [
        ("300", "so 10000 ms are taken"),
        ("-5", "so 10000 ms are taken"),
        ("abc", "\"abc\" is not a whole number of milliseconds"),
    ] {
        let mut command = shell(&sandbox, BINARY);
        command.arg("doctor").env("CN_MCP_TIMEOUT", text);
        let said = String::from_utf8_lossy(&run_to_end(command).stdout).into_owned();
        let line = said.lines().find(|line| line.contains("CN_MCP_TIMEOUT: "));
        let line = line.unwrap_or_else(|| panic!("a warning: {said}"));
        assert!(line.starts_with("warn") && line.contains(told), "{line}");
    }
    let mut command = shell(&sandbox, BINARY);
    command.arg("doctor").env("CN_MCP_TIMEOUT", "60000");
    let said = String::from_utf8_lossy(&run_to_end(command).stdout).into_owned();
    assert!(!said.contains("CN_MCP_TIMEOUT: "), "{said}");
}
