//! What code may mention where: boundaries between modules, and rules for every file.

use super::{report, tree};

/// Paths that may read and write JSON.
const JSON: &[&str] = &[
    "crates/ask-core/src/json",
    // Re-exports the type.
    "crates/ask-core/src/lib.rs",
    "crates/ask-core/src/testing/",
    "crates/ask-dialects/src/",
    "crates/ask-protocol/src/",
];

/// The most lines of nine functions in ten.
const FUNCTION_LINES: usize = 35;
/// The most calls of `unwrap` and `expect` in a thousand lines of shipped code.
const UNWRAPS: usize = 2;

#[test]
fn json_is_read_and_written_in_few_places() {
    let mut problems = Vec::new();
    let sources = tree::sources();
    for file in &sources {
        let may = JSON.iter().any(|place| file.path.starts_with(place));
        if !may && !file.is_test(&sources) {
            problems.extend(file.mentions(&["serde_json"]));
        }
    }
    report(
        "JSON is read and written in ask-dialects (agents' contracts) and ask-protocol (our own forms): pass \
         `ask_core::Json` through, or move the reading there:",
        problems,
    );
}

/// Words by which a dialect would show that it knows surfaces.
const SURFACES: &[&str] = &[
    "ask_tui::",
    "ratatui",
    "crossterm",
    "\"tui\"",
    "\"line\"",
    "\"web\"",
    "\"cli\"",
    "\"rpc\"",
    "\"inbox\"",
];

/// The sources of the surfaces.
const SHOWN_BY: &[&str] = &[
    "crates/ask-tui/src",
    "crates/ask-hub/src/surface",
    "crates/ask-config/src/keys",
    "crates/ask-web/src/bridge.rs",
    "crates/ask-web/src/embed",
];

/// Exceptions: pi's reply names the surface of the answer (`mode`).
const MAY_NAME_SURFACES: &[&str] = &["crates/ask-dialects/src/pi.rs"];

/// Exceptions: fixtures whose clients have the names of their dialects.
const MAY_NAME_DIALECTS: &[&str] = &["crates/ask-tui/src/fixtures.rs"];

#[test]
fn surfaces_and_dialects_do_not_know_each_other() {
    let sources = tree::sources();
    let dialects = dialects(&sources);
    let mut problems = Vec::new();
    for file in &sources {
        let may = MAY_NAME_DIALECTS.contains(&file.path.as_str());
        if SHOWN_BY.iter().any(|path| file.path.starts_with(path)) && !may {
            problems.extend(file.mentions(&dialects));
        }
        let may = MAY_NAME_SURFACES.contains(&file.path.as_str());
        let words = ["crates/ask-dialects/src", "crates/ask-protocol/src"];
        if words.iter().any(|home| file.path.starts_with(home)) && !may {
            problems.extend(file.mentions(SURFACES));
        }
    }
    report(
        "A surface shows an `Ask` and makes a `Draft`, whoever asked; a dialect words an `Outcome`, wherever it was \
         given. What differs belongs in the domain (ask.rs, outcome.rs):",
        problems,
    );
}

/// The names of dialects in code: the string, and the module.
fn dialects(sources: &[tree::File]) -> Vec<String> {
    let row = |line: &str| -> Option<String> {
        let (module, _) = line.trim().strip_prefix('&')?.split_once("::")?;
        Some(module.to_owned())
    };
    let table = sources
        .iter()
        .find(|file| file.path == "crates/ask-dialects/src/lib.rs");
    let table = table.map(tree::File::code).unwrap_or_default();
    let rows: Vec<String> = table
        .lines()
        .skip_while(|line| !line.contains("DIALECTS"))
        .map_while(|line| (!line.starts_with("];")).then(|| row(line).unwrap_or_default()))
        .filter(|name| !name.is_empty())
        .collect();
    assert!(
        rows.len() >= 5,
        "ask-dialects has a table of DIALECTS, one `&module::Name` a line: {rows:?}"
    );
    rows.iter()
        .flat_map(|name| [format!("\"{name}\""), format!("ask_dialects::{name}")])
        .collect()
}

#[test]
fn every_file_has_a_module_doc() {
    let silent = |file: &tree::File| !file.text.starts_with("//!");
    let problems = tree::rust()
        .iter()
        .filter(|file| silent(file))
        .map(|file| file.path.clone())
        .collect();
    report(
        "Open each file with `//!`, one to five lines: what it answers, what it leaves to others:",
        problems,
    );
}

#[test]
fn functions_are_small() {
    let mut sizes = Vec::new();
    for file in tree::rust() {
        let lines: Vec<&str> = file.text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(indent) = begins_function(line) else {
                continue;
            };
            let end = lines[at..]
                .iter()
                .position(|line| line.strip_prefix(indent).is_some_and(|rest| rest == "}"));
            sizes.push((
                end.map_or(1, |end| end + 1),
                format!("{}:{}", file.path, at + 1),
            ));
        }
    }
    sizes.sort();
    let problems = above("nine of ten functions", share(&sizes, 90), FUNCTION_LINES);
    report(
        "Give a part of a long function a name of its own:",
        problems,
    );
}

/// The indent of a line that begins a function with a body of several lines.
fn begins_function(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let first = code.split("fn ").next()?;
    let begins = code.len() > first.len()
        && first
            .split_whitespace()
            .all(|word| word.starts_with("pub") || ["const", "async"].contains(&word));
    let open = !code.ends_with(';') && !code.ends_with('}');
    (begins && open).then(|| &line[..line.len() - code.len()])
}

/// The entry at this percentile.
fn share(sizes: &[(usize, String)], percent: usize) -> Option<&(usize, String)> {
    sizes.get((sizes.len() * percent).div_ceil(100).saturating_sub(1))
}

fn above(who: &str, size: Option<&(usize, String)>, limit: usize) -> Vec<String> {
    let over = size.filter(|(lines, _)| *lines > limit);
    over.map(|(lines, place)| format!("{who} have at most {lines} lines ({place}), wanted {limit}"))
        .into_iter()
        .collect()
}

#[test]
fn shipped_code_hardly_unwraps() {
    let (mut lines, mut found) = (0, Vec::new());
    let sources = tree::sources();
    for file in sources.iter().filter(|file| !file.is_test(&sources)) {
        for (at, line) in file.shipped().lines().enumerate() {
            lines += usize::from(!line.trim().is_empty());
            let quits = [".unwrap()", ".expect(\"", ".unwrap_err()"]
                .iter()
                .any(|call| line.contains(call));
            if quits || line.trim_end().ends_with(".expect(") {
                found.push(format!("{}:{}", file.path, at + 1));
            }
        }
    }
    if found.len() * 1000 <= UNWRAPS * lines {
        found.clear();
    }
    report(
        "Return an error, or make the state impossible; keep `expect` for an invariant it can state:",
        found,
    );
}

#[test]
fn no_sleeps_ignored_tests_or_todos() {
    let words = [
        concat!("thread::", "sleep"),
        concat!("time::", "sleep"),
        concat!("park_", "timeout"),
        concat!("#[", "ignore"),
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        // As a call and as an argument; tests that replace the page's timers name it without a
        // parenthesis.
        concat!("set", "Timeout("),
        concat!("(set", "Timeout"),
        concat!("asyncio.", "sleep"),
        concat!("anyio.", "sleep"),
        concat!("time.", "sleep"),
    ];
    let mut problems = Vec::new();
    for file in tree::files() {
        let code = [".rs", ".mjs", ".py", ".ts"]
            .iter()
            .any(|end| file.path.ends_with(end));
        if code && !file.path.contains("web/dist/") {
            let whole = tree::File {
                text: file.text.replace("//", "  "),
                path: file.path,
            };
            let found = whole.mentions(&words);
            // Code in a browser has no other clock.
            let browser = whole.path.contains("web/src/");
            let timer = |found: &String| browser && found.contains(concat!("set", "Timeout"));
            problems.extend(found.into_iter().filter(|found| !timer(found)));
        }
    }
    report(
        "Wait for a named event with an upper bound in place of a sleep; make a test pass or take it out; \
         do it now or file it as an issue:",
        problems,
    );
}
