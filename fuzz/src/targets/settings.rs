//! Clients' settings files, in JSON with comments, TOML and YAML: adding our entry changes no other text, adding
//! it again changes nothing, removing it restores the file, and a file that can't be edited safely isn't
//! changed.

use std::sync::LazyLock;

use ask_clients::registration::apply::{After, cleared, entered};
use ask_clients::registration::plan::File;
use ask_clients::registration::testing::{Format, files};

use super::assert_is_clear;

/// Fragments of settings files.
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

/// The first byte of an input selects by this order, so changing it changes what the corpus means.
const FORMATS: [Format; 3] = [Format::Yaml, Format::Toml, Format::Json];

/// Reads the first byte as the choice of a client's file, and the others as its text.
pub fn run(bytes: &[u8]) {
    let Some((which, text)) = bytes.split_first() else {
        return;
    };
    let which = usize::from(*which);
    let format = FORMATS[which % FORMATS.len()];
    let files: Vec<&File> = FILES.iter().filter(|file| file.format == format).collect();
    let file = files[which / FORMATS.len() % files.len()];
    let text = String::from_utf8_lossy(text);
    let with_entry = match entered(file, &text) {
        Ok(text) => text,
        Err(problem) => return assert_is_clear(&problem.what),
    };
    assert_eq!(
        entered(file, &with_entry).as_ref(),
        Ok(&with_entry),
        "adding it again"
    );
    let Ok(None) = cleared(file, &text, None) else {
        // The input already had the entry; removing it doesn't restore the input.
        return;
    };
    assert_is_kept(format, &text, &with_entry);
    let restored = match cleared(file, &with_entry, Some(&text)) {
        Ok(Some(After::Text(text))) => text,
        other => panic!("{other:?}\n{with_entry}"),
    };
    assert_eq!(restored, text, "\n{with_entry}");
}

/// Asserts that every character is still there, in order, except whitespace and punctuation around values: an
/// object on one line is divided into several. A text with a null is exempt, because our entry replaces it. In
/// TOML the order may change: dotted keys of one table are written together.
fn assert_is_kept(format: Format, before: &str, after: &str) {
    if ["null", "~"].iter().any(|word| before.contains(word)) {
        return;
    }
    let is_loose = |letter: &char| letter.is_whitespace() || "{}[],".contains(*letter);
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().filter(|letter| !is_loose(letter)).collect();
        if format == Format::Toml {
            letters.sort_unstable();
        }
        letters
    };
    let mut after_letters = letters(after).into_iter();
    let mut before_letters = letters(before).into_iter();
    let is_kept = before_letters.all(|letter| after_letters.any(|kept| kept == letter));
    assert!(is_kept, "{before}\n---\n{after}");
}
