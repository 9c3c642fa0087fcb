//! Where files are: moved by variables, linked, with other permissions, under other names.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::Person;
use crate::support::sandbox::BINARY;

#[test]
fn variables_move_files() {
    for (key, variable, file) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", "moved/.claude.json"),
        ("claude-code", "CLAUDE_CONFIG_DIR", "moved/settings.json"),
        ("codex", "CODEX_HOME", "moved/config.toml"),
        ("copilot-cli", "COPILOT_HOME", "moved/mcp-config.json"),
        (
            "opencode",
            "XDG_CONFIG_HOME",
            "moved/opencode/opencode.json",
        ),
        ("zed", "XDG_CONFIG_HOME", "moved/zed/settings.json"),
        ("goose", "XDG_CONFIG_HOME", "moved/goose/config.yaml"),
    ] {
        let person = Person::new();
        let mut command = person.command(&["register", key]);
        command.env(variable, person.file("moved"));
        let output = person.output_of(command);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(person.read(file).contains("ask"), "{key}: {output:?}");
        assert!(person.own_files().is_empty(), "nothing in the usual place");
    }
}

#[test]
fn a_link_stays_a_link_and_a_mode_a_mode() {
    let person = Person::new();
    person.write("shop/dotfiles/codex.toml", "model = \"small\"\n");
    let real = person.file("shop/dotfiles/codex.toml");
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).expect("its permissions");
    person.write("~/.codex/auth.json", "{}");
    let link = person.file("~/.codex/config.toml");
    symlink("../../shop/dotfiles/codex.toml", &link).expect("a new link");
    assert_eq!(person.run(&["register", "codex"]).code, 0);
    let is_link = || {
        link.symlink_metadata()
            .expect("an existing file")
            .is_symlink()
    };
    assert!(is_link());
    assert!(
        person
            .read("shop/dotfiles/codex.toml")
            .contains("[mcp_servers.ask]")
    );
    let mode = real
        .metadata()
        .expect("an existing file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(person.run(&["unregister", "codex"]).code, 0);
    assert!(is_link());
    assert_eq!(
        person.read("shop/dotfiles/codex.toml"),
        "model = \"small\"\n"
    );
}

#[test]
fn the_alternative_file_name_is_found() {
    let person = Person::new();
    person.write("~/.config/opencode/opencode.jsonc", "{\n  // mine\n}\n");
    assert_eq!(person.run(&["register", "opencode"]).code, 0);
    let files: Vec<String> = person.own_files().into_keys().collect();
    assert_eq!(files, ["~/.config/opencode/opencode.jsonc"]);
}

#[test]
fn the_backup_is_from_before_the_first_change() {
    let person = Person::new();
    person.write("~/.cursor/mcp.json", "{}\n");
    let output = person.run(&["register", "cursor"]);
    assert!(
        output
            .out
            .contains("as it was: ~/.cursor/mcp.json.ask-user-backup"),
        "{output:?}"
    );
    let there = person.read("~/.cursor/mcp.json");
    person.write(
        "~/.cursor/mcp.json",
        &there.replace("\"mcp\"", "\"mcp\", \"--old\""),
    );
    person.run(&["unregister", "cursor"]);
    person.write("~/.cursor/mcp.json", "{ \"mine\": 1 }\n");
    person.run(&["register", "cursor"]);
    assert_eq!(
        person.read("~/.cursor/mcp.json.ask-user-backup"),
        "{ \"mine\": 1 }\n",
        "each registration has a backup"
    );
    person.run(&["unregister", "cursor"]);
    assert_eq!(person.read("~/.cursor/mcp.json"), "{ \"mine\": 1 }\n");
    assert!(!person.file("~/.cursor/mcp.json.ask-user-backup").exists());
}

#[test]
fn later_changes_of_the_person_stay() {
    let person = Person::new();
    person.write("~/.codex/config.toml", "# mine\nmodel = \"small\"\n");
    person.run(&["register", "codex"]);
    let there = person.read("~/.codex/config.toml");
    person.write("~/.codex/config.toml", &there.replace("small", "large"));
    person.run(&["unregister", "codex"]);
    assert_eq!(
        person.read("~/.codex/config.toml"),
        "# mine\nmodel = \"large\"\n"
    );
}

#[test]
fn an_outdated_entry_is_replaced() {
    let person = Person::new();
    let old = "[mcp_servers.questions]\ncommand = \"/old/ask-user\"\nargs = [\"mcp\"]\n# a note\ntool_timeout_sec = 60\nenabled = true\n";
    person.write("~/.codex/config.toml", old);
    let output = person.run(&["register", "codex"]);
    assert_eq!(output.code, 0, "{output:?}");
    insta::assert_snapshot!("renewed-codex", person.own_files()["~/.codex/config.toml"]);
}

#[test]
fn settings_of_a_project_are_those_of_its_root() {
    let person = Person::new();
    let output = person.run(&["register", "claude-code", "--project"]);
    assert_eq!(output.code, 0, "{output:?}");
    let files: Vec<String> = person.own_files().into_keys().collect();
    assert_eq!(files, [".mcp.json"], "the git root, not the current folder");
    let output = person.run(&["register", "claude-desktop", "--project"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(
        output
            .err
            .contains("Claude Desktop has no settings of a project"),
        "{output:?}"
    );
}

#[test]
fn a_link_on_the_path_outlives_what_it_leads_to() {
    let person = Person::new();
    symlink(BINARY, person.file("path/ask-user")).expect("a new link");
    person.run(&["register", "cursor"]);
    let mine = person.own_files()["~/.cursor/mcp.json"].clone();
    assert!(
        mine.contains("\"command\": \"/HERE/path/ask-user\""),
        "{mine}"
    );
    person.run(&["register", "cursor", "--project"]);
    let shared = person.own_files()[".cursor/mcp.json"].clone();
    assert!(
        shared.contains("\"command\": \"ask-user\""),
        "others have it, too: {shared}"
    );
}
