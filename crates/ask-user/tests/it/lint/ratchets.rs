//! Habits that the tree is getting rid of, counted. A count may fall and never rise: whoever lowers one
//! lowers its number here.

use std::collections::BTreeMap;

use super::{report, tree};

/// Names of functions that say nothing without their types: prepositions, pronouns, adverbs.
const VAGUE: &[&str] = &[
    "about", "above", "after", "again", "ahead", "all", "alone", "apart", "aside", "at", "away",
    "before", "behind", "below", "beside", "besides", "between", "beyond", "by", "for_", "here",
    "in_", "inside", "none", "of", "off", "on", "once", "other", "others", "out", "over", "there",
    "those", "through", "to", "under", "up", "what", "which", "who", "whose", "with", "within",
];

/// Phrases of a private language in comments and documents. The right ones are in
/// docs/explanation/code-map.md.
const PHRASES: &[&str] = &[
    "is told",
    "are told",
    "is said",
    "no more",
    "what is over",
    "is none",
    "stands",
    "put aside",
    "comes to nothing",
    "nobody is",
];

#[test]
fn habits_become_rarer() {
    let sources = tree::sources();
    let shipped: Vec<&tree::File> = sources
        .iter()
        .filter(|file| !file.is_test(&sources))
        .collect();
    let counts = [
        (
            "names of types that occur again in their crate: name the second one more exactly",
            repeated_types(&shipped),
            12,
        ),
        (
            "functions named by a preposition, pronoun or adverb: name them by a verb or a noun",
            vague_functions(&shipped),
            1,
        ),
        (
            "documentation of fewer than four words: say what the name doesn't, or leave it out",
            short_documentation(&shipped),
            177,
        ),
        (
            "results dropped by `let _ =` without a comment: say why nobody needs them",
            dropped_results(&shipped),
            10,
        ),
        (
            "phrases of a private language: say who does what",
            phrases(),
            44,
        ),
    ];
    let mut problems = Vec::new();
    for (habit, places, limit) in counts {
        if places.len() != limit {
            let last: Vec<&str> = places.iter().rev().take(5).map(String::as_str).collect();
            problems.push(format!(
                "{} {habit}; the number here is {limit} (such as {})",
                places.len(),
                last.join(", ")
            ));
        }
    }
    report(
        "Lower each number whose count fell, and fix what made a count rise:",
        problems,
    );
}

fn repeated_types(files: &[&tree::File]) -> Vec<String> {
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut places = Vec::new();
    for file in files {
        let of = file.path.split('/').nth(1).unwrap_or_default();
        for (at, line) in file.shipped().lines().enumerate() {
            let Some(name) = declared(line, &["struct ", "enum ", "trait "]) else {
                continue;
            };
            let count = seen.entry((of.to_owned(), name.to_owned())).or_default();
            *count += 1;
            if *count > 1 {
                places.push(format!("{}:{}: {name}", file.path, at + 1));
            }
        }
    }
    places
}

fn vague_functions(files: &[&tree::File]) -> Vec<String> {
    let mut places = Vec::new();
    for file in files {
        for (at, line) in file.shipped().lines().enumerate() {
            if let Some(name) = declared(line, &["fn "])
                && VAGUE.contains(&name)
            {
                places.push(format!("{}:{}: {name}", file.path, at + 1));
            }
        }
    }
    places
}

/// The name that a line declares by one of these words.
fn declared<'a>(line: &'a str, words: &[&str]) -> Option<&'a str> {
    let mut code = line.trim_start();
    for word in ["pub(crate) ", "pub(super) ", "pub ", "const ", "async "] {
        code = code.strip_prefix(word).unwrap_or(code);
    }
    let name = words.iter().find_map(|word| code.strip_prefix(word))?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(&name[..end.unwrap_or(name.len())])
}

fn short_documentation(files: &[&tree::File]) -> Vec<String> {
    let mut places = Vec::new();
    for file in files {
        let mut words = 0;
        for (at, line) in file.text.lines().enumerate() {
            match line.trim_start().strip_prefix("///") {
                Some(text) => words += text.split_whitespace().count(),
                None if (1..4).contains(&words) => {
                    places.push(format!("{}:{at}", file.path));
                    words = 0;
                }
                None => words = 0,
            }
        }
    }
    places
}

fn dropped_results(files: &[&tree::File]) -> Vec<String> {
    let mut places = Vec::new();
    for file in files {
        let mut before = "";
        for (at, line) in file.text.lines().enumerate() {
            let explained = before.trim_start().starts_with("//") || line.contains(" // ");
            if line.trim_start().starts_with("let _ = ") && !explained {
                places.push(format!("{}:{}", file.path, at + 1));
            }
            before = line;
        }
    }
    places
}

fn phrases() -> Vec<String> {
    let mut places = Vec::new();
    for file in tree::files() {
        // Advisories are vendored as they are.
        let is_text = file.path.ends_with(".md") && !file.path.starts_with("packaging/supply/");
        let is_code = [".rs", ".ts", ".tsx", ".mjs"]
            .iter()
            .any(|end| file.path.ends_with(end));
        for (at, line) in file.text.lines().enumerate() {
            let comment = is_code
                && ["//", "*", "/*"]
                    .iter()
                    .any(|mark| line.trim_start().starts_with(mark));
            if !is_text && !comment {
                continue;
            }
            for phrase in PHRASES {
                if line.contains(phrase) {
                    places.push(format!("{}:{}: {phrase}", file.path, at + 1));
                }
            }
        }
    }
    places
}
