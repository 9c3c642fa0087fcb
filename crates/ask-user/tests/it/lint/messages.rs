//! Text that people read on a surface is a message of `locales/`, not a string in the code.

use super::{report, tree};

/// Paths that the rule applies to.
const SURFACES: &[&str] = &[
    "crates/ask-tui/src/tui",
    "crates/ask-tui/src/plain",
    "crates/ask-tui/src/ui",
    "crates/ask-hub/src/surface/labels",
    "crates/ask-hub/src/surface/grouping",
    "crates/ask-config/src/keys",
    "crates/ask-config/src/text",
];

/// Files that may still hold sentences. The list may only grow shorter.
const MAY: &[&str] = &[
    "crates/ask-tui/src/tui/update/hub_events.rs",
    "crates/ask-tui/src/tui/update/submit.rs",
    "crates/ask-tui/src/tui/view/inbox.rs",
    "crates/ask-tui/src/tui/view/banner.rs",
];

/// Strings that nobody reads on a surface: log messages, settings that an editor would obey, and
/// names in code.
const UNREAD: &[&str] = &["Local Variables", "no overlay for", "no history for"];

#[test]
fn surfaces_use_messages() {
    let sources = tree::sources();
    let mut problems = Vec::new();
    for file in &sources {
        let surface = SURFACES
            .iter()
            .any(|surface| file.path.starts_with(surface));
        if !surface || file.is_test(&sources) || MAY.contains(&file.path.as_str()) {
            continue;
        }
        for literal in literals(&file.shipped()) {
            let known = UNREAD.iter().any(|unread| literal.contains(unread));
            if is_sentence(&literal) && !known {
                problems.push(format!("{}: {literal:?}", file.path));
            }
        }
    }
    report(
        "What a person reads is a message: give it an id in crates/ask-config/locales/en/, and say it with \
         `words.say(\"id\")` or `words.with(\"id\", …)`:",
        problems,
    );
}

/// The string literals of code without comments; those in attributes are left out.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(['"', '\'', '#']) {
        let (before, here) = rest.split_at(start);
        rest = &here[1..];
        if here.starts_with("#[") || here.starts_with("#![") {
            rest = here.find(']').map_or("", |end| &here[end + 1..]);
        } else if here.starts_with('\'') {
            // A character or a lifetime.
            rest = match here.char_indices().skip(1).find(|(_, sign)| *sign == '\'') {
                Some((end, _)) if end <= 6 => &here[end + 1..],
                _ => rest,
            };
        } else if here.starts_with('"') {
            let mut escaped = false;
            let end = rest.char_indices().find(|(_, sign)| {
                let ends = *sign == '"' && !escaped;
                escaped = *sign == '\\' && !escaped;
                ends
            });
            let Some((end, _)) = end else { break };
            // An id or an argument's key has no space. The text of a failure goes to standard
            // error.
            let failure = before.ends_with("expect(") || before.ends_with("context(");
            if !failure {
                found.push(rest[..end].to_owned());
            }
            rest = &rest[end + 1..];
        }
    }
    found
}

/// Whether a literal has at least two words outside its placeholders.
fn is_sentence(literal: &str) -> bool {
    let mut depth = 0;
    let plain: String = literal
        .chars()
        .map(|sign| {
            depth += i32::from(sign == '{') - i32::from(sign == '}');
            if depth > 0 || sign == '}' { '0' } else { sign }
        })
        .collect();
    let is_word = |word: &&str| {
        let letters = word.trim_matches(|sign: char| sign.is_ascii_punctuation());
        letters.len() > 1
            && letters
                .chars()
                .all(|sign| sign.is_alphabetic() || sign == '\'')
    };
    plain.split(' ').filter(is_word).count() > 1
}

#[test]
fn sentences_are_distinguished_from_other_strings() {
    for (literal, sentence) in [
        ("Nothing was sent.", true),
        ("asked {ago} ago, {name}", true),
        ("card-not-answered", false),
        ("{first} {second}", false),
        ("  ✓ ", false),
        ("1-9", false),
    ] {
        assert_eq!(is_sentence(literal), sentence, "{literal}");
    }
    let code =
        "#[doc = \"two words\"]\nlet a = 'x'; say(\"one \\\"two\\\"\"); b.expect(\"so it is\");";
    assert_eq!(literals(code), ["one \\\"two\\\""]);
}
