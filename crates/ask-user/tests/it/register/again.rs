//! Repeated registration: after the program has moved, with a takeover, and after `unregister`; and
//! `unregister` after each.

use super::{CommandOutput, Person};
use crate::support::sandbox::{BINARY, run_to_end};

impl Person {
    /// A command that copies the binary.
    fn copy_command(&self, there: &std::path::Path) -> std::process::Command {
        let mut command = self.sandbox.command("cp");
        command.arg(BINARY).arg(there);
        command
    }

    /// The result of the binary at another path.
    fn run_copy(&self, arguments: &[&str]) -> CommandOutput {
        let program = self.file("moved/ask-user");
        if !program.exists() {
            std::fs::create_dir_all(self.file("moved")).expect("a writable home");
            let linked = std::fs::hard_link(BINARY, &program);
            // Another process copies it: a process that a parallel test starts from here would
            // inherit the open file, and a file that is open for writing can't be executed
            // (ETXTBSY).
            let copies = || run_to_end(self.copy_command(&program)).status.success();
            assert!(linked.is_ok() || copies(), "it can be copied");
        }
        let mut command = std::process::Command::new(program);
        command
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", self.sandbox.home().join("path"))
            .env("ASK_USER_HOME", self.sandbox.home())
            .current_dir(self.sandbox.home().join("shop/src"))
            .stdin(std::process::Stdio::null())
            .args(arguments);
        let output = run_to_end(command);
        CommandOutput {
            code: output.status.code().expect("no signal ended it"),
            out: self.normalize(&String::from_utf8_lossy(&output.stdout)),
            err: self.normalize(&String::from_utf8_lossy(&output.stderr)),
        }
    }
}

#[test]
fn an_upgrade_and_a_takeover_are_removed_without_a_trace() {
    let keys = [
        "claude-code",
        "codex",
        "copilot-cli",
        "cursor",
        "goose",
        "opencode",
        "vibe",
    ];
    for key in keys {
        for existing in [false, true] {
            for (first, second) in [(false, false), (false, true), (true, true), (true, false)] {
                let person = Person::new();
                if existing {
                    person.write("~/.claude.json", "{ \"theme\": 1 }");
                    person.write("~/.codex/config.toml", "model = 'x'\n");
                    person.write("~/.copilot/settings.json", "{}\n");
                }
                let before = person.files();
                let arguments = |takeover| match takeover {
                    true => vec!["register", key, "--takeover"],
                    false => vec!["register", key],
                };
                assert_eq!(person.run(&arguments(first)).code, 0, "{key}");
                let output = person.run_copy(&arguments(second));
                assert_eq!(output.code, 0, "{key}: {output:?}");
                let there = person.files();
                for (path, text) in &there {
                    assert!(!text.contains("/PROGRAM"), "{path} is out of date:\n{text}");
                    if let Some(path) = path.strip_suffix(".ask-user-backup") {
                        assert_eq!(before.get(path), Some(text), "kept as it was");
                    }
                }
                let output = person.run_copy(&["unregister", key]);
                assert_eq!(output.code, 0, "{key}: {output:?}");
                assert_eq!(person.files(), before, "{key}: no backup is left either");
            }
        }
    }
}

#[test]
fn each_registration_has_its_own_backup() {
    let person = Person::new();
    person.write("~/.cursor/mcp.json", "{ \"a\": 1 }\n");
    person.run(&["register", "cursor"]);
    let there = person.read("~/.cursor/mcp.json");
    person.write("~/.cursor/mcp.json", &there.replace("1", "2"));
    person.run(&["unregister", "cursor"]);
    let second = "{\n  // mine\n  \"b\": {} }\n";
    person.write("~/.cursor/mcp.json", second);
    let output = person.run(&["register", "cursor"]);
    assert!(output.out.contains("as it was"), "{output:?}");
    assert_eq!(person.read("~/.cursor/mcp.json.ask-user-backup"), second);
    person.run(&["unregister", "cursor"]);
    assert_eq!(person.read("~/.cursor/mcp.json"), second);
    assert_eq!(
        person.read("~/.cursor/mcp.json.ask-user-backup.1"),
        "{ \"a\": 1 }\n"
    );
    assert_eq!(person.files().len(), 2);
}

#[test]
fn a_replaced_entry_is_restored() {
    for (key, file, text) in [
        (
            "codex",
            "~/.codex/config.toml",
            "[mcp_servers.ask]\ncommand = \"/old/ask-user\"\nargs = [\"mcp\"]\ntool_timeout_sec = 60\n",
        ),
        (
            "vibe",
            "~/.vibe/config.toml",
            "[[mcp_servers]]\nname = \"ask\"\ntransport = \"stdio\"\ncommand = \"/old/ask-user\"\nargs = [\"mcp\"]\ntool_timeout_sec = 60\n",
        ),
        (
            "goose",
            "~/.config/goose/config.yaml",
            "extensions:\n  mine:\n    cmd: /old/ask-user\n    args: [mcp]\n",
        ),
        (
            "cursor",
            "~/.cursor/mcp.json",
            "{\"mcpServers\":{\"mine\":{\"command\":\"/old/ask-user\",\"args\":[\"mcp\"]}}}",
        ),
    ] {
        let person = Person::new();
        person.write(file, text);
        assert_eq!(person.run(&["register", key]).code, 0);
        assert_eq!(person.run_copy(&["register", key]).code, 0);
        assert!(!person.read(file).contains("/old/"), "{key}");
        let there = person.read(file);
        let output = person.run(&["unregister", key]);
        assert_eq!(output.code, 0, "{output:?}");
        assert_eq!(person.read(file), text, "{key}");
        // A change elsewhere in the file stays as well.
        person.run(&["register", key]);
        let other = match key {
            "cursor" => there.replacen('{', "{\"x\": 1, ", 1),
            "goose" => format!("x: 1\n{there}"),
            _ => format!("x = 1\n{there}"),
        };
        person.write(file, &other);
        assert_eq!(person.run(&["unregister", key]).code, 0);
        let left = person.read(file);
        assert!(
            left.contains("/old/") && left.contains('x'),
            "{key}: {left}"
        );
        assert!(!left.contains("/PROGRAM"), "{key}: {left}");
    }
}

#[test]
fn a_file_with_a_comment_of_its_person_stays() {
    for (key, file, mark) in [
        ("codex", "~/.codex/config.toml", "# mine"),
        ("vibe", "~/.vibe/config.toml", "# mine"),
        ("goose", "~/.config/goose/config.yaml", "# mine"),
        ("zed", "~/.config/zed/settings.json", "// mine"),
    ] {
        let person = Person::new();
        person.run(&["register", key]);
        let there = person.read(file);
        person.write(file, &format!("{mark}\n{there}"));
        let output = person.run(&["unregister", key]);
        assert_eq!(output.code, 0, "{output:?}");
        let left = person.read(file);
        assert!(
            left.contains(mark) && !left.contains("ask"),
            "{key}: {left}"
        );
    }
}

#[test]
fn a_comment_among_ours_stays() {
    for (key, file, ours, mark) in [
        (
            "cursor",
            "~/.cursor/mcp.json",
            "    \"ask\": {",
            "    // mine",
        ),
        ("goose", "~/.config/goose/config.yaml", "  ask:", "  # mine"),
        (
            "codex",
            "~/.codex/config.toml",
            "[mcp_servers.ask]",
            "# mine",
        ),
    ] {
        for before in [None, Some("")] {
            let person = Person::new();
            if let Some(before) = before {
                person.write(file, before);
            }
            person.run(&["register", key]);
            let there = person.read(file);
            assert!(there.contains(ours), "{there}");
            person.write(file, &there.replace(ours, &format!("{mark}\n{ours}")));
            let output = person.run(&["unregister", key]);
            assert_eq!(output.code, 0, "{output:?}");
            let left = person.read(file);
            assert!(left.contains(mark), "{key}: {left}");
            assert!(!left.contains("ask-user"), "{key}: {left}");
        }
    }
}

#[test]
fn a_comment_at_the_end_stays_where_it_was() {
    let person = Person::new();
    let text = "[mcp_servers.other]\ncommand = \"other\"\n# args = [\"slow\"]\n";
    person.write("~/.codex/config.toml", text);
    assert_eq!(person.run(&["register", "codex"]).code, 0);
    let there = person.read("~/.codex/config.toml");
    assert!(there.starts_with(text), "{there}");
    person.write("~/.codex/config.toml", &format!("x = 1\n{there}"));
    assert_eq!(person.run(&["unregister", "codex"]).code, 0);
    assert_eq!(
        person.read("~/.codex/config.toml"),
        format!("x = 1\n{text}")
    );
}

#[test]
fn an_outdated_takeover_is_detected() {
    for key in ["claude-code", "opencode"] {
        let person = Person::new();
        person.run(&["register", key, "--takeover"]);
        let fine = person.run(&["register"]).out;
        assert!(fine.contains(": registered\n"), "{fine}");
        for path in [
            "~/.claude/settings.json",
            "~/.config/opencode/plugin/ask-user.js",
        ] {
            if person.file(path).exists() {
                let there = person.read(path);
                person.write(path, &there.replace(BINARY, "/old/ask-user"));
            }
        }
        let stale = person.run(&["register"]).out;
        assert!(stale.contains("not as it would be today"), "{stale}");
        person.run(&["register", key]);
        let fine = person.run(&["register"]).out;
        assert!(fine.contains(": registered\n"), "{fine}");
    }
}
