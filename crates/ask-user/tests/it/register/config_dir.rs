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
        let came = person.came(command);
        assert_eq!(came.code, 0, "{came:?}");
        assert!(person.read(file).contains("ask"), "{key}: {came:?}");
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
fn a_file_under_its_other_name_is_the_file() {
    let person = Person::new();
    person.write("~/.config/opencode/opencode.jsonc", "{\n  // mine\n}\n");
    assert_eq!(person.run(&["register", "opencode"]).code, 0);
    let files: Vec<String> = person.own_files().into_keys().collect();
    assert_eq!(files, ["~/.config/opencode/opencode.jsonc"]);
}

#[test]
fn a_backup_is_of_the_first_change() {
    let person = Person::new();
    person.write("~/.cursor/mcp.json", "{}\n");
    let came = person.run(&["register", "cursor"]);
    assert!(
        came.out
            .contains("as it was: ~/.cursor/mcp.json.ask-user-backup"),
        "{came:?}"
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
fn what_the_person_changed_since_stays() {
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
fn an_entry_that_is_out_of_date_is_renewed_and_not_doubled() {
    let person = Person::new();
    let old = "[mcp_servers.questions]\ncommand = \"/old/ask-user\"\nargs = [\"mcp\"]\n# a note\ntool_timeout_sec = 60\nenabled = true\n";
    person.write("~/.codex/config.toml", old);
    let came = person.run(&["register", "codex"]);
    assert_eq!(came.code, 0, "{came:?}");
    insta::assert_snapshot!("renewed-codex", person.own_files()["~/.codex/config.toml"]);
}

#[test]
fn settings_of_a_project_are_those_of_its_root() {
    let person = Person::new();
    let came = person.run(&["register", "claude-code", "--project"]);
    assert_eq!(came.code, 0, "{came:?}");
    let files: Vec<String> = person.own_files().into_keys().collect();
    assert_eq!(files, [".mcp.json"], "the git root, not the current folder");
    let came = person.run(&["register", "claude-desktop", "--project"]);
    assert_eq!(came.code, 2, "{came:?}");
    assert!(
        came.err
            .contains("Claude Desktop has no settings of a project"),
        "{came:?}"
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
