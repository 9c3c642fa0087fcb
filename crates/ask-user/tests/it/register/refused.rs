//! Settings that can't be edited are left alone, and the message doesn't pass anything of them to
//! the terminal raw.

use std::os::unix::fs::PermissionsExt;

use super::Person;

#[test]
fn what_has_no_place_for_us_is_refused_with_the_lines_to_paste() {
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
        let came = person.run(&["register", key]);
        assert_eq!(
            (came.code, person.read(file).as_str()),
            (1, text),
            "{came:?}"
        );
        assert!(came.err.contains(said), "{came:?}");
        assert!(came.err.contains("add this by hand:\n"), "{came:?}");
        assert!(came.err.contains("/PROGRAM"), "{came:?}");
    }
}

#[test]
fn nothing_of_a_foreign_file_reaches_the_terminal_as_it_came() {
    let person = Person::new();
    let text = "{ \"mcpServers\": { \"\\u001b[31mred\": {} }, \"\u{1b}]0;title\u{7}\": \u{202e}1 }";
    person.write("~/.cursor/mcp.json", text);
    let came = person.run(&["register", "cursor"]);
    assert_eq!(came.code, 1, "{came:?}");
    person.write(
        "~/.junie/mcp/mcp.json",
        "{\n  \"\u{1b}[31m\u{202e}\": 1\n}\n",
    );
    let diff = person.run(&["register", "junie", "--dry-run"]);
    assert_eq!(diff.code, 0, "{diff:?}");
    for said in [came.out, came.err, diff.out, diff.err] {
        let hostile = |letter: char| letter != '\n' && letter.is_control() || letter == '\u{202e}';
        assert!(!said.contains(hostile), "{said:?}");
    }
}

#[test]
fn a_file_that_may_not_be_read_or_is_none_is_refused() {
    let person = Person::new();
    std::fs::create_dir_all(person.file("~/.cursor/mcp.json")).expect("a writable folder");
    std::fs::create_dir_all(person.file("~/.codex")).expect("a writable folder");
    std::fs::write(person.file("~/.codex/config.toml"), [0xff, 0xfe]).expect("a writable file");
    let came = person.run(&["register", "cursor", "codex"]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(came.err.contains("~/.cursor/mcp.json: "), "{came:?}");
    assert!(
        came.err.contains("~/.codex/config.toml: it is not UTF-8"),
        "{came:?}"
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
fn what_was_never_ours_is_not_taken_out() {
    let person = Person::new();
    let own = "{\"env\":{\"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS\":\"0\"}}";
    person.write("~/.claude/settings.json", own);
    person.write("~/.cursor/mcp.json", "{ broken");
    person.write("~/.codex/config.toml", "[broken # ask-user");
    let came = person.run(&["unregister", "--all"]);
    assert_eq!((came.code, came.out.as_str()), (1, ""), "{came:?}");
    assert!(
        came.err.contains("~/.codex/config.toml, line 1"),
        "{came:?}"
    );
    assert!(!came.err.contains("cursor"), "{came:?}");
    assert_eq!(person.read("~/.claude/settings.json"), own);
    let came = person.run(&["unregister", "claude-code"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.out.contains("was not registered in"), "{came:?}");
}
