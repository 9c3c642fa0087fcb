//! Which clients a command applies to, and what it says about them.

use ask_protocol::text_json;

use super::Person;
use crate::support::sandbox::BINARY;
use crate::support::screen::Screen;

#[test]
fn without_a_name_found_clients_are_listed() {
    let person = Person::new();
    let none = person.run(&["register"]);
    assert_eq!(none.code, 1, "{none:?}");
    assert!(
        none.out
            .contains("No agent client was found: there are neither settings")
            && none.out.contains("`ask-user register claude-code`"),
        "{none:?}"
    );
    person.write("~/.codex/config.toml", "");
    person.write("path/gemini", "");
    let output = person.run(&["register"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert_eq!(
        output.out,
        "Found here:\n  1. Codex (codex)\n  2. Gemini CLI (gemini-cli)\nNothing was changed. \
         `ask-user register --all` takes them all, `ask-user register codex` one; `--dry-run` \
         shows what would change.\n"
    );
    let output = person.run(&["register", "--json"]);
    assert_eq!(
        (output.code, output.out.as_str()),
        (
            0,
            "{\"clients\":[{\"key\":\"codex\",\"name\":\"Codex\",\"state\":\"found\"},\
             {\"key\":\"gemini-cli\",\"name\":\"Gemini CLI\",\"state\":\"found\"}]}\n"
        )
    );
    assert_eq!(person.files().len(), 1);
}

#[test]
fn all_are_those_that_are_found() {
    let person = Person::new();
    person.write("~/.codex/config.toml", "");
    person.write("path/gemini", "");
    let output = person.run(&["register", "--all"]);
    assert_eq!(output.code, 0, "{output:?}");
    let files: Vec<String> = person.own_files().into_keys().collect();
    assert_eq!(files, ["~/.codex/config.toml", "~/.gemini/settings.json"]);
    let listed = person.run(&["register"]).out;
    assert!(
        listed.contains("1. Codex (codex): registered\n"),
        "{listed}"
    );
    let output = person.run(&["unregister", "--all"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output
            .out
            .contains("Codex: taken out of ~/.codex/config.toml\n"),
        "{output:?}"
    );
    let output = person.run(&["unregister", "--all"]);
    assert_eq!(
        (output.code, output.out.as_str()),
        (0, "ask-user is registered nowhere here.\n")
    );
}

#[test]
fn a_named_client_is_registered_even_if_not_found() {
    let person = Person::new();
    let output = person.run(&["register", "qwen-code"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output
            .out
            .contains("registered in ~/.qwen/settings.json (new)\n"),
        "{output:?}"
    );
    assert!(
        output.out.contains("no install of it was found"),
        "{output:?}"
    );
    let output = person.run(&["register", "emacs"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(
        output.err.contains("no client is called \"emacs\""),
        "{output:?}"
    );
    assert!(
        output
            .err
            .contains("  known are claude-code, claude-desktop, codex"),
        "{output:?}"
    );
    let output = person.run(&["register", "claud-code"]);
    assert!(
        output.err.contains("did you mean claude-code? Known are"),
        "{output:?}"
    );
}

#[test]
fn a_dry_run_shows_the_difference_and_changes_nothing() {
    let person = Person::new();
    person.write("~/.cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    let before = person.files();
    let output = person.run(&["register", "cursor", "junie", "--dry-run"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(person.files(), before);
    insta::assert_snapshot!("dry-run", output.out);
}

#[test]
fn json_is_one_document() {
    let person = Person::new();
    person.write("~/.cursor/mcp.json", "{");
    let output = person.run(&["register", "cursor", "codex", "--json"]);
    assert_eq!((output.code, output.err.as_str()), (1, ""), "{output:?}");
    let said = text_json(&output.out).expect("one document");
    let clients = said["clients"].as_array().expect("an array");
    let [cursor, codex] = clients.as_slice() else {
        panic!("one row each: {said}");
    };
    assert_eq!(cursor["state"], "refused");
    assert_eq!(cursor["line"], 1);
    assert!(cursor["problem"].is_string(), "{cursor}");
    assert_eq!(
        (&codex["key"], &codex["state"]),
        (&"codex".into(), &"registered".into())
    );
    assert!(
        codex["file"]
            .as_str()
            .is_some_and(|file| file.ends_with("/.codex/config.toml"))
    );
    let output = person.run(&["unregister", "codex", "--json"]);
    assert!(output.out.contains("\"state\":\"removed\""), "{output:?}");
}

#[test]
fn a_person_can_add_a_client_and_change_another() {
    let person = Person::new();
    person.sandbox.write_settings(
        "[clients.mine]\nnames = ['mine']\nregister.file = '~/.mine.json'\nregister.format = 'json'\nregister.at = 'tools/servers'\nregister.stdio = '{\"run\":[\"CMD\",\"ARGS\"],\"command\":\"CMD\"}'\n[clients.cursor]\nregister.file = '~/elsewhere.json'\n",
    );
    let output = person.run(&["register", "mine", "cursor"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        person.read("~/.mine.json").contains("\"servers\": {"),
        "{output:?}"
    );
    assert!(person.read("~/elsewhere.json").contains("mcpServers"));
}

#[test]
fn the_time_limit_of_a_client_is_printed() {
    let person = Person::new();
    for (key, said) in [
        ("claude-desktop", "its calls can't wait longer than 57 s"),
        ("zed", "its calls can't wait longer than 9 min 30 s"),
    ] {
        let output = person.run(&["register", key]);
        assert!(output.out.contains(said), "{output:?}");
    }
    assert!(
        !person
            .run(&["register", "codex"])
            .out
            .contains("can't wait longer")
    );
}

#[test]
fn on_a_terminal_the_person_picks() {
    let person = Person::new();
    person.write("~/.cursor/other.json", "{}");
    person.write("~/.junie/other.json", "{}");
    let home = person.home().display().to_string();
    let settings = format!("{home}/.config");
    let environment = [("HOME", home.as_str()), ("XDG_CONFIG_HOME", &settings)];
    let screen = Screen::start(&person.sandbox, &environment, &[BINARY, "register"]);
    screen.wait_for("Register which? Numbers or names, Enter for all, q for none:");
    screen.type_text("emacs");
    screen.press(&["Enter"]);
    screen.wait_for("\"emacs\" is none of them.");
    screen.type_text("junie");
    screen.press(&["Enter"]);
    screen.wait_for("JetBrains Junie: registered in ~/.junie/mcp/mcp.json (new)");
    assert_eq!(screen.wait_for_exit(), 0);
    assert!(
        !person.file("~/.cursor/mcp.json").exists(),
        "only the picked clients"
    );
    let screen = Screen::start(&person.sandbox, &environment, &[BINARY, "unregister"]);
    screen.wait_for("1. JetBrains Junie (junie): registered");
    screen.press(&["Enter"]);
    screen.wait_for("JetBrains Junie: taken out of ~/.junie/mcp/mcp.json (gone)");
    assert_eq!(screen.wait_for_exit(), 0);
    let screen = Screen::start(&person.sandbox, &environment, &[BINARY, "register"]);
    screen.wait_for("q for none:");
    screen.type_text("q");
    screen.press(&["Enter"]);
    screen.wait_for("Nothing was changed.");
    assert_eq!(screen.wait_for_exit(), 0);
}
