//! Entries that depend on each other: nothing that relies on our entry is written without it, and
//! what others wrote is neither overwritten nor emptied.

use std::os::unix::fs::symlink;
use std::process::Command;

use super::Person;
use crate::support::sandbox::BINARY;

#[test]
fn nothing_is_written_without_our_entry() {
    let taken = "{\"mcpServers\":{\"ask\":{\"command\":\"x\"},\"ask-user\":{\"command\":\"y\"}}}";
    for (key, file, text, said) in [
        (
            "claude-code",
            "~/.claude.json",
            "{\"mcpServers\": []}",
            "`mcpServers` is not an object",
        ),
        (
            "claude-code",
            "~/.claude.json",
            taken,
            "have the names that ours could have",
        ),
        ("copilot-cli", "~/.copilot/mcp-config.json", "{", "line 1"),
        (
            "gemini-cli",
            "~/.gemini/settings.json",
            taken,
            "have the names",
        ),
    ] {
        let person = Person::new();
        person.write(file, text);
        let before = person.files();
        for dry in [true, false] {
            let mut arguments = vec!["register", key, "--takeover"];
            arguments.extend(dry.then_some("--dry-run"));
            let output = person.run(&arguments);
            assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
            assert!(output.err.contains(said), "{output:?}");
            assert!(output.err.contains("Nothing else of "), "{output:?}");
            assert_eq!(person.files(), before);
        }
    }
}

#[test]
fn a_taken_server_name_is_reported() {
    let person = Person::new();
    person.write(
        "~/.cursor/mcp.json",
        "{\"mcpServers\":{\"ask\":{\"command\":\"x\"}}}",
    );
    let output = person.run(&["register", "cursor"]);
    assert!(
        output.out.contains(
            "\n  `ask` is the name of another server there, so ours is called `ask-user`\n"
        ),
        "{output:?}"
    );
}

#[test]
fn a_takeover_is_reported() {
    let person = Person::new();
    let own = "{ \"askUser\": true }\n";
    person.write("~/.copilot/settings.json", own);
    let output = person.run(&["register", "copilot-cli", "--takeover"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.out.starts_with(
            "Copilot CLI: its own question tool is not taken over, as you have set that otherwise: askUser is true in ~/.copilot/settings.json\n"
        ),
        "{output:?}"
    );
    assert_eq!(person.read("~/.copilot/settings.json"), own);
    let output = person.run(&["register", "claude-code", "--takeover", "--project"]);
    assert!(
        output
            .out
            .contains("not in a project's: leave --project out"),
        "{output:?}"
    );
    let output = person.run(&["register", "qwen-code", "--takeover", "--project"]);
    assert!(output.out.contains("taking over: "), "{output:?}");
}

#[test]
fn files_of_others_in_folders_are_left_alone() {
    for (key, file) in [
        ("opencode", "~/.config/opencode/plugin/ask-user.js"),
        ("gemini-cli", "~/.gemini/policies/ask-user.toml"),
        ("pi", "~/.pi/agent/extensions/ask-user/index.ts"),
    ] {
        let person = Person::new();
        person.write(file, "mine\n");
        let before = person.files();
        let output = person.run(&["register", key, "--takeover"]);
        assert_eq!(output.code, 1, "{output:?}");
        assert!(
            output
                .err
                .contains("was not written by `ask-user register`"),
            "{output:?}"
        );
        assert_eq!(person.files(), before);
        assert_eq!(person.run(&["unregister", key]).code, 0);
        assert_eq!(person.files(), before);
    }
}

#[test]
fn a_folder_is_ours_only_by_the_file_that_we_wrote() {
    let folder = "~/.pi/agent/extensions/ask-user";
    for names_program in ["{}", r#"{"bin": 1}"#, "bin"] {
        let person = Person::new();
        person.write(&format!("{folder}/index.ts"), "mine\n");
        person.write(&format!("{folder}/ask-user.json"), names_program);
        let before = person.files();
        assert_eq!(person.run(&["register", "pi"]).code, 1);
        assert_eq!(person.run(&["unregister", "pi"]).code, 0);
        assert_eq!(person.files(), before);
    }
    let person = Person::new();
    person.write(&format!("{folder}/index.ts"), "mine\n");
    person.write("elsewhere.json", r#"{"bin": "ask-user"}"#);
    let link = person.file(&format!("{folder}/ask-user.json"));
    symlink(person.file("elsewhere.json"), &link).expect("a new link");
    assert_eq!(person.run(&["register", "pi"]).code, 1);
    assert_eq!(person.run(&["unregister", "pi"]).code, 0);
    assert_eq!(person.read(&format!("{folder}/index.ts")), "mine\n");
}

#[test]
fn a_linked_extension_is_its_developers() {
    let person = Person::new();
    person.write("src/pi/index.ts", "// ask-user for pi\n");
    person.write("src/pi/ask-user.json", "{}");
    person.write("~/.pi/agent/extensions/mine.ts", "");
    let link = person.file("~/.pi/agent/extensions/ask-user");
    symlink(person.file("src/pi"), &link).expect("a new link");
    let output = person.run(&["register", "pi"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains("it is a link"), "{output:?}");
    assert_eq!(person.run(&["unregister", "pi"]).code, 0);
    assert_eq!(person.read("src/pi/index.ts"), "// ask-user for pi\n");
    assert_eq!(person.read("src/pi/ask-user.json"), "{}");
    assert!(link.is_symlink());
}

#[test]
fn a_home_that_is_no_longer_set_leaves_the_entry() {
    for key in [
        "codex",
        "vibe",
        "goose",
        "opencode",
        "cursor",
        "claude-code",
    ] {
        let person = Person::new();
        person.run(&["register", key]);
        let mut command = person.command(&["register", key]);
        command.env_remove("ASK_USER_HOME");
        let output = person.output_of(command);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(
            output.out.contains("ASK_USER_HOME is not set here"),
            "{output:?}"
        );
        for (path, text) in person.files() {
            assert!(!text.contains("ASK_USER_HOME"), "{path}: {text}");
        }
        let mut command = person.command(&["register", key]);
        command.env_remove("ASK_USER_HOME");
        assert!(person.output_of(command).out.contains("already registered"));
        assert_eq!(person.run(&["unregister", key]).code, 0);
        assert!(person.files().is_empty(), "{key}: {:?}", person.files());
    }
}

#[test]
fn concurrent_registrations_succeed() {
    let person = Person::new();
    person.write("~/.claude.json", "{ \"theme\": 1 }\n");
    let before = person.files();
    std::thread::scope(|scope| {
        let run = || person.run(&["register", "claude-code", "--takeover"]);
        let all: Vec<_> = (0..6).map(|_| scope.spawn(run)).collect();
        for one in all {
            let output = one.join().expect("the thread doesn't panic");
            assert_eq!(output.code, 0, "{output:?}");
        }
    });
    assert_eq!(person.run(&["unregister", "claude-code"]).code, 0);
    assert_eq!(person.files(), before);
}

#[test]
fn a_pipe_is_not_waited_for() {
    let person = Person::new();
    person.write("~/.cursor/other", "");
    let pipe = person.file("~/.cursor/mcp.json");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|made| made.success()));
    let output = person.run(&["register", "cursor"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains("it is not a file"), "{output:?}");
}

#[test]
fn extensions_of_goose_may_be_null() {
    for text in [
        "extensions:\n",
        "extensions: null\nx: 1\n",
        "extensions: ~\n",
    ] {
        let person = Person::new();
        person.write("~/.config/goose/config.yaml", text);
        let output = person.run(&["register", "goose"]);
        assert_eq!(output.code, 0, "{output:?}");
        assert_eq!(person.run(&["unregister", "goose"]).code, 0);
        assert_eq!(person.read("~/.config/goose/config.yaml"), text);
    }
}

#[test]
fn the_path_that_we_are_started_by_is_kept() {
    let person = Person::new();
    let link = person.file("moved/ask-user");
    std::fs::create_dir_all(person.file("moved")).expect("a writable home");
    symlink(BINARY, &link).expect("a new link");
    let mut command = Command::new(&link);
    command
        .env_clear()
        .env("HOME", person.home())
        .env("ASK_USER_HOME", person.sandbox.home())
        .args(["register", "cursor"]);
    assert_eq!(person.output_of(command).code, 0);
    assert!(
        person.own_files()["~/.cursor/mcp.json"].contains("\"command\": \"/HERE/moved/ask-user\"")
    );
}
