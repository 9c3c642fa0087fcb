//! Homes that can't be used as they are, and invalid settings.

use std::os::unix::fs::PermissionsExt;

use crate::support::agent::{Agent, Era, REVISIONS};
use crate::support::hub::address;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};

/// The error of a command that fails with this exit code.
fn stderr_of(sandbox: &Sandbox, home: &str, arguments: &[&str], code: i32) -> String {
    let mut command = sandbox.command(BINARY);
    command.env("ASK_USER_HOME", home).args(arguments);
    let output = crate::support::sandbox::run_to_end(command);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    assert!(said.starts_with("ask-user: "), "says who speaks: {said}");
    said
}

#[test]
fn a_home_that_is_no_folder_is_reported_with_a_fix() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join("file");
    std::fs::write(&file, "a regular file").expect("a writable home");
    for home in [file.join("home"), file.clone()] {
        let home = home.to_str().expect("UTF-8");
        for arguments in [&["list"][..], &["ask", "Really?"], &["answer", "latest"]] {
            let said = stderr_of(&sandbox, home, arguments, 6);
            assert!(said.contains(home), "where: {said}");
            assert!(said.contains("cannot write"), "what: {said}");
            assert!(said.contains("set ASK_USER_HOME"), "what to do: {said}");
        }
    }
    let kept = std::fs::read_to_string(&file).expect("an existing file");
    assert_eq!(kept, "a regular file");
}

#[test]
fn settings_that_are_no_file_are_reported_without_blocking() {
    let sandbox = Sandbox::new();
    let home = sandbox.home().join("odd");
    let settings = home.join("config.toml");
    std::fs::create_dir(&home).expect("a writable home");
    let list = || {
        let mut command = sandbox.command(BINARY);
        command.env("ASK_USER_HOME", &home).arg("list");
        let output = crate::support::sandbox::run_to_end(command);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let fifo = std::process::Command::new("mkfifo").arg(&settings).status();
    assert!(fifo.expect("mkfifo runs").success());
    let said = list();
    assert!(said.contains("config.toml is no file"), "{said}");
    std::fs::remove_file(&settings).expect("an existing file");
    std::fs::create_dir(&settings).expect("a writable home");
    let said = list();
    assert!(said.contains("config.toml is no file"), "{said}");
    std::fs::remove_dir(&settings).expect("an existing folder");
    // Settings linked to `/dev/null` count as an empty file.
    std::os::unix::fs::symlink("/dev/null", &settings).expect("a writable home");
    assert_eq!(list(), "");
}

#[test]
fn a_read_only_home_is_reported() {
    let sandbox = Sandbox::new();
    let home = sandbox.home().join("locked");
    std::fs::create_dir(&home).expect("a writable home");
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(&home, mode(0o500)).expect("its permissions");
    // Root may write to every folder, so the check needs another user.
    if std::fs::write(home.join("try"), "").is_err() {
        let said = stderr_of(&sandbox, home.to_str().expect("UTF-8"), &["list"], 6);
        assert!(said.contains("locked"), "where: {said}");
        assert!(said.contains("Permission denied"), "what: {said}");
    }
    std::fs::set_permissions(&home, mode(0o700)).expect("its permissions");
}

#[test]
fn a_home_with_a_very_long_path_works() {
    let sandbox = Sandbox::new();
    let long = sandbox.home().join("x".repeat(120)).join("y".repeat(40));
    let run = |arguments: &[&str]| {
        let mut command = sandbox.command(BINARY);
        command.env("ASK_USER_HOME", &long).args(arguments);
        let output = crate::support::sandbox::run_to_end(command);
        assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let id = run(&["ask", "Far away?", "--no-wait"]);
    assert!(run(&["list"]).contains("Far away?"));
    run(&["answer", id.trim(), "--set", "near"]);
    assert!(run(&["hub", "--status"]).contains("The hub runs"));
    assert!(run(&["hub", "--stop"]).contains("has ended"));
}

#[test]
fn files_are_private_to_their_owner() {
    let sandbox = Sandbox::new();
    std::fs::remove_dir(sandbox.home()).expect("an empty folder");
    let mut command = sandbox.command(BINARY);
    command.current_dir("/").arg("list");
    assert!(
        command
            .output()
            .expect("the process starts")
            .status
            .success()
    );
    let mode = |path: &std::path::Path| {
        let about = std::fs::metadata(path).expect("an existing file");
        about.permissions().mode() & 0o777
    };
    assert_eq!(mode(sandbox.home()), 0o700, "the folder");
    for entry in std::fs::read_dir(sandbox.home())
        .expect("an existing folder")
        .flatten()
    {
        assert_eq!(mode(&entry.path()), 0o600, "{}", entry.path().display());
    }
}

#[test]
fn a_home_that_others_can_change_is_refused_with_a_fix() {
    let sandbox = Sandbox::new();
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(sandbox.home(), mode(0o777)).expect("its permissions");
    let home = sandbox.home().to_str().expect("UTF-8");
    let said = stderr_of(&sandbox, home, &["list"], 6);
    assert!(said.contains(home) && said.contains("chmod go-w"), "{said}");
    std::fs::set_permissions(sandbox.home(), mode(0o755)).expect("its permissions");
    sandbox.run_ok(&["list"]);
}

#[test]
fn files_of_a_foreground_hub_are_private_to_their_owner() {
    let sandbox = Sandbox::new();
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(sandbox.home(), mode(0o755)).expect("its permissions");
    let log = sandbox.home().join("hub.log");
    std::fs::write(&log, "from before\n").expect("a writable home");
    std::fs::set_permissions(&log, mode(0o644)).expect("its permissions");
    let mut command = sandbox.command("sh");
    command.args(["-c", "umask 022; exec \"$0\" hub --foreground", BINARY]);
    let mut hub = sandbox.start("hub", command);
    assert!(hub.out.next().expect("a line").contains("listens"));
    sandbox.ask(&["Private?"]);
    for entry in std::fs::read_dir(sandbox.home())
        .expect("an existing folder")
        .flatten()
    {
        let about = entry.metadata().expect("an existing file");
        assert_eq!(
            about.permissions().mode() & 0o077,
            0,
            "{}",
            entry.path().display()
        );
    }
    sandbox.run_ok(&["hub", "--stop"]);
    hub.child.wait().expect("our child process");
}

#[test]
#[cfg(target_os = "linux")]
fn every_process_has_a_private_umask() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command("sh");
    command.args(["-c", "umask 022; exec \"$0\" mcp", BINARY]);
    command.stdin(std::process::Stdio::piped());
    let mut agent = Agent::from_command(&sandbox, command);
    agent.open(Era::Initialize(REVISIONS[3]));
    let status = std::fs::read_to_string(format!("/proc/{}/status", agent.server.child.id()));
    let status = status.expect("the process runs");
    assert!(status.contains("Umask:\t0077"), "{status}");
}

#[test]
fn an_invalid_setting_is_reported_and_stops_no_agent() {
    for (text, words) in [
        ("[hub]\nidle = 3\n", "hub.idle: is not a setting"),
        ("colour = 'red'\n", "colour: is not a setting"),
        (
            "[hub]\nidle_minutes = 'long'\n",
            "hub.idle_minutes: must be",
        ),
        ("[hub\n", "config.toml"),
    ] {
        let sandbox = Sandbox::new();
        let config = sandbox.home().join("config.toml");
        std::fs::write(&config, text).expect("a writable home");
        let mut agent = Agent::connect(&sandbox, "native");
        let call = agent.call("ask_user", r#"{"question":"Anybody?"}"#);
        let id = Person::new(&sandbox).next_ask();
        let log = std::fs::read_to_string(sandbox.home().join("hub.log"));
        assert!(log.expect("the hub's log").contains(words), "{text}");
        for command in [&["list"][..], &["status"], &["hub"], &[]] {
            let output = sandbox.run(command);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{command:?}: {said}");
            assert!(said.contains(words), "{text}: {said}");
            assert!(said.contains("config.toml"), "where: {said}");
            assert_eq!(said.matches("ask-user: in ").count(), 1, "once: {said}");
        }
        sandbox.run(&["answer", &id, "--set", "me"]);
        assert!(agent.receive_reply(call).contains("me"), "{text}");
        std::fs::write(&config, "[hub]\nidle_minutes = 3\n").expect("a writable home");
        assert!(sandbox.run(&["list"]).stderr.is_empty(), "mended");
    }
}

#[test]
fn a_deleted_hub_address_is_written_again() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", r#"{"question":"Anybody?"}"#);
    let id = person.next_ask();
    let before = address(&sandbox).expect("a hub runs").pid;
    std::fs::remove_file(sandbox.home().join("hub.json")).expect("an existing file");
    person.answer(&id, &["--set", "everybody"]);
    assert!(agent.receive_reply(call).contains("everybody"));
    let now = address(&sandbox)
        .expect("the hub writes its address again")
        .pid;
    assert_eq!(now, before, "the same hub");
}
