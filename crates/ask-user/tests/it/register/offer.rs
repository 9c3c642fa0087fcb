//! Which clients a command applies to, and what it says about them.

use ask_protocol::text_json;

use super::Person;
use crate::support::sandbox::BINARY;
use crate::support::screen::Screen;

#[test]
fn without_a_name_what_is_found_is_listed_and_nothing_changes() {
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
    let came = person.run(&["register"]);
    assert_eq!(came.code, 2, "{came:?}");
    assert_eq!(
        came.out,
        "Found here:\n  1. Codex (codex)\n  2. Gemini CLI (gemini-cli)\nNothing was changed. \
         `ask-user register --all` takes them all, `ask-user register codex` one; `--dry-run` \
         shows what would change.\n"
    );
    let came = person.run(&["register", "--json"]);
    assert_eq!(
        (came.code, came.out.as_str()),
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
    let came = person.run(&["register", "--all"]);
    assert_eq!(came.code, 0, "{came:?}");
    let files: Vec<String> = person.own_files().into_keys().collect();
    assert_eq!(files, ["~/.codex/config.toml", "~/.gemini/settings.json"]);
    let listed = person.run(&["register"]).out;
    assert!(
        listed.contains("1. Codex (codex): registered\n"),
        "{listed}"
    );
    let came = person.run(&["unregister", "--all"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(
        came.out
            .contains("Codex: taken out of ~/.codex/config.toml\n"),
        "{came:?}"
    );
    let came = person.run(&["unregister", "--all"]);
    assert_eq!(
        (came.code, came.out.as_str()),
        (0, "ask-user is registered nowhere here.\n")
    );
}

#[test]
fn who_is_named_is_registered_found_or_not() {
    let person = Person::new();
    let came = person.run(&["register", "qwen-code"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(
        came.out
            .contains("registered in ~/.qwen/settings.json (new)\n"),
        "{came:?}"
    );
    assert!(came.out.contains("no install of it was found"), "{came:?}");
    let came = person.run(&["register", "emacs"]);
    assert_eq!(came.code, 2, "{came:?}");
    assert!(
        came.err.contains("no client is called \"emacs\""),
        "{came:?}"
    );
    assert!(
        came.err
            .contains("  known are claude-code, claude-desktop, codex"),
        "{came:?}"
    );
    let came = person.run(&["register", "claud-code"]);
    assert!(
        came.err.contains("did you mean claude-code? Known are"),
        "{came:?}"
    );
}

#[test]
fn a_dry_run_shows_the_difference_and_changes_nothing() {
    let person = Person::new();
    person.write("~/.cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    let before = person.files();
    let came = person.run(&["register", "cursor", "junie", "--dry-run"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert_eq!(person.files(), before);
    insta::assert_snapshot!("dry-run", came.out);
}

#[test]
fn json_is_one_document() {
    let person = Person::new();
    person.write("~/.cursor/mcp.json", "{");
    let came = person.run(&["register", "cursor", "codex", "--json"]);
    assert_eq!((came.code, came.err.as_str()), (1, ""), "{came:?}");
    let said = text_json(&came.out).expect("one document");
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
    let came = person.run(&["unregister", "codex", "--json"]);
    assert!(came.out.contains("\"state\":\"removed\""), "{came:?}");
}

#[test]
fn a_person_can_add_a_client_and_change_another() {
    let person = Person::new();
    person.sandbox.settings(
        "[clients.mine]\nnames = ['mine']\nregister.file = '~/.mine.json'\nregister.format = 'json'\nregister.at = 'tools/servers'\nregister.stdio = '{\"run\":[\"CMD\",\"ARGS\"],\"command\":\"CMD\"}'\n[clients.cursor]\nregister.file = '~/elsewhere.json'\n",
    );
    let came = person.run(&["register", "mine", "cursor"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(
        person.read("~/.mine.json").contains("\"servers\": {"),
        "{came:?}"
    );
    assert!(person.read("~/elsewhere.json").contains("mcpServers"));
}

#[test]
fn honest_limits_are_said() {
    let person = Person::new();
    for (key, said) in [
        ("claude-desktop", "its calls can't wait longer than 57 s"),
        ("zed", "its calls can't wait longer than 9 min 30 s"),
    ] {
        let came = person.run(&["register", key]);
        assert!(came.out.contains(said), "{came:?}");
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
    screen.see("Register which? Numbers or names, Enter for all, q for none:");
    screen.types("emacs");
    screen.press(&["Enter"]);
    screen.see("\"emacs\" is none of them.");
    screen.types("junie");
    screen.press(&["Enter"]);
    screen.see("JetBrains Junie: registered in ~/.junie/mcp/mcp.json (new)");
    assert_eq!(screen.ended(), 0);
    assert!(
        !person.file("~/.cursor/mcp.json").exists(),
        "only the picked clients"
    );
    let screen = Screen::start(&person.sandbox, &environment, &[BINARY, "unregister"]);
    screen.see("1. JetBrains Junie (junie): registered");
    screen.press(&["Enter"]);
    screen.see("JetBrains Junie: taken out of ~/.junie/mcp/mcp.json (gone)");
    assert_eq!(screen.ended(), 0);
    let screen = Screen::start(&person.sandbox, &environment, &[BINARY, "register"]);
    screen.see("q for none:");
    screen.types("q");
    screen.press(&["Enter"]);
    screen.see("Nothing was changed.");
    assert_eq!(screen.ended(), 0);
}
