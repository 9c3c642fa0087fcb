//! Clients' settings, JSON with comments, TOML and YAML: nobody else's text changes, a second time changes
//! nothing, the way back leads to the same text, and what can't be edited safely is left alone.

use std::sync::LazyLock;

use ask_clients::registration::apply::{After, cleared, entered};
use ask_clients::registration::plan::File;
use ask_clients::registration::testing::{Format, files};

use super::assert_is_clear;

/// Words of settings.
pub const PIECES: &[&str] = &[
    "\"mcpServers\": {",
    "\"ask\": {\"command\": \"ask-user\", \"args\": [\"mcp\"]}",
    "// note\n",
    "/* note */",
    ",\n",
    "[mcp_servers.other]\n",
    "[[mcp_servers]]\n",
    "mcp_servers = { a = 1 }\n",
    "# note\n",
    "'''",
    "\"\"\"\n",
    "extensions:\n",
    "  other:\n    cmd: x\n",
    "- a\n",
    "|\n  text\n",
    "&a ",
    "*a",
    "!!str ",
    "---\n",
    "? ",
    "\u{feff}",
    "\t",
    "2026-01-01T00:00:00Z",
    "{}",
    "null",
    "~",
];

static FILES: LazyLock<Vec<File>> = LazyLock::new(files);

/// In an order that new clients don't change much: a corpus goes by it.
const FORMATS: [Format; 3] = [Format::Yaml, Format::Toml, Format::Json];

/// Reads the first byte as a client's file, and the others as what is in it.
pub fn run(bytes: &[u8]) {
    let Some((which, text)) = bytes.split_first() else {
        return;
    };
    let which = usize::from(*which);
    let format = FORMATS[which % FORMATS.len()];
    let files: Vec<&File> = FILES.iter().filter(|file| file.format == format).collect();
    let file = files[which / FORMATS.len() % files.len()];
    let text = String::from_utf8_lossy(text);
    let there = match entered(file, &text) {
        Ok(there) => there,
        Err(problem) => return assert_is_clear(&problem.what),
    };
    assert_eq!(entered(file, &there).as_ref(), Ok(&there), "a second time");
    let Ok(None) = cleared(file, &text, None) else {
        // It was in there before, and goes whoever wrote it.
        return;
    };
    assert_is_kept(&text, &there);
    let back = match cleared(file, &there, Some(&text)) {
        Ok(Some(After::Text(back))) => back,
        other => panic!("{other:?}\n{there}"),
    };
    assert_eq!(back, text, "\n{there}");
}

/// Every letter is still there, in its order, but for what is around values: an object on one line is divided
/// into several, and nothing, as a value, gives way to something.
fn assert_is_kept(before: &str, after: &str) {
    if ["null", "~"].iter().any(|word| before.contains(word)) {
        return;
    }
    let is_loose = |letter: &char| letter.is_whitespace() || "{}[],".contains(*letter);
    let mut letters = after.chars();
    let is_kept = before
        .chars()
        .filter(|letter| !is_loose(letter))
        .all(|letter| letters.any(|kept| kept == letter));
    assert!(is_kept, "{before}\n---\n{after}");
}
