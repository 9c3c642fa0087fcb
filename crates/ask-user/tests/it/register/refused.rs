//! Settings that can't be edited are left alone, and the message doesn't pass anything of them to
//! the terminal raw.

use std::os::unix::fs::PermissionsExt;

use super::Person;

#[test]
fn unsupported_settings_are_refused_with_lines_to_paste() {
    for (key, file, text, said) in [
        (
            "cursor",
            "~/.cursor/mcp.json",
            "{\"mcpServers\": []}",
            "`mcpServers` is not an object",
        ),
        (
            "cursor",
            "~/.cursor/mcp.json",
            "[]",
            "no object with fields",
        ),
        (
            "codex",
            "~/.codex/config.toml",
            "mcp_servers = 1\n",
            "`mcp_servers` is not an object",
        ),
        (
            "goose",
            "~/.config/goose/config.yaml",
            "extensions: {dev: {enabled: true}}\n",
            "can't be edited safely",
        ),
        (
            "goose",
            "~/.config/goose/config.yaml",
            "a: 1\n---\nb: 2\n",
            "it holds several documents",
        ),
    ] {
        let person = Person::new();
        person.write(file, text);
        let output = person.run(&["register", key]);
        assert_eq!(
            (output.code, person.read(file).as_str()),
            (1, text),
            "{output:?}"
        );
        assert!(output.err.contains(said), "{output:?}");
        assert!(output.err.contains("add this by hand:\n"), "{output:?}");
        assert!(output.err.contains("/PROGRAM"), "{output:?}");
    }
}

#[test]
fn foreign_file_content_is_escaped() {
    let person = Person::new();
    let text = "{ \"mcpServers\": { \"\\u001b[31mred\": {} }, \"\u{1b}]0;title\u{7}\": \u{202e}1 }";
    person.write("~/.cursor/mcp.json", text);
    let output = person.run(&["register", "cursor"]);
    assert_eq!(output.code, 1, "{output:?}");
    person.write(
        "~/.junie/mcp/mcp.json",
        "{\n  \"\u{1b}[31m\u{202e}\": 1\n}\n",
    );
    let diff = person.run(&["register", "junie", "--dry-run"]);
    assert_eq!(diff.code, 0, "{diff:?}");
    for said in [output.out, output.err, diff.out, diff.err] {
        let hostile = |letter: char| letter != '\n' && letter.is_control() || letter == '\u{202e}';
        assert!(!said.contains(hostile), "{said:?}");
    }
}

#[test]
fn an_unreadable_settings_file_is_refused() {
    let person = Person::new();
    std::fs::create_dir_all(person.file("~/.cursor/mcp.json")).expect("a writable folder");
    std::fs::create_dir_all(person.file("~/.codex")).expect("a writable folder");
    std::fs::write(person.file("~/.codex/config.toml"), [0xff, 0xfe]).expect("a writable file");
    let output = person.run(&["register", "cursor", "codex"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.err.contains("~/.cursor/mcp.json: "), "{output:?}");
    assert!(
        output.err.contains("~/.codex/config.toml: it is not UTF-8"),
        "{output:?}"
    );
    let locked = person.file("~/.junie");
    std::fs::create_dir_all(&locked).expect("a writable folder");
    std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o500)).expect("its permissions");
    // Root may write to every folder, so the check needs another user.
    if std::fs::write(locked.join("try"), "").is_err() {
        assert_eq!(person.run(&["register", "junie"]).code, 1);
    }
    std::fs::set_permissions(&locked, PermissionsExt::from_mode(0o700)).expect("its permissions");
}

#[test]
fn a_foreign_entry_is_not_removed() {
    let person = Person::new();
    let own = "{\"env\":{\"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS\":\"0\"}}";
    person.write("~/.claude/settings.json", own);
    person.write("~/.cursor/mcp.json", "{ broken");
    person.write("~/.codex/config.toml", "[broken # ask-user");
    let output = person.run(&["unregister", "--all"]);
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
    assert!(
        output.err.contains("~/.codex/config.toml, line 1"),
        "{output:?}"
    );
    assert!(!output.err.contains("cursor"), "{output:?}");
    assert_eq!(person.read("~/.claude/settings.json"), own);
    let output = person.run(&["unregister", "claude-code"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.out.contains("was not registered in"), "{output:?}");
}
