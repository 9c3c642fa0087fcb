//! The map is true: ARCHITECTURE.md names every module and none that isn't there.

use std::collections::BTreeSet;

use super::{report, tree};

const MAP: &str = "ARCHITECTURE.md";

#[test]
fn the_code_map_names_every_module_and_none_extra() {
    let sources: BTreeSet<String> = tree::sources().into_iter().map(|file| file.path).collect();
    let mut unmapped = sources.clone();
    let mut problems = Vec::new();
    for row in rows(&tree::read(MAP)) {
        let covered: Vec<&String> = match row.strip_suffix('…') {
            Some(folder) => sources
                .iter()
                .filter(|path| path.starts_with(folder))
                .collect(),
            None => sources.iter().filter(|path| **path == row).collect(),
        };
        if covered.is_empty() {
            problems.push(format!(
                "{row}: is in the map but not in the tree: take the row out"
            ));
        }
        for path in covered {
            if !unmapped.remove(path) {
                problems.push(format!("{path}: has two rows: keep one"));
            }
        }
    }
    let missing = |path| format!("{path}: has no row: say in one line what it answers");
    problems.extend(unmapped.into_iter().map(missing));
    report(
        "ARCHITECTURE.md must show the tree as it is (its format is told in tests/it/tidy.rs):",
        problems,
    );
}

/// The paths of the map, from the root.
fn rows(map: &str) -> Vec<String> {
    let mut folder = String::new();
    let mut rows = Vec::new();
    for line in map.lines() {
        if line.starts_with('#') {
            folder = heading(line).unwrap_or_default();
            continue;
        }
        let mut rest = line
            .trim_start()
            .trim_start_matches(['-', '*', '|'])
            .trim_start();
        while let Some((path, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`'))
        {
            if path.starts_with("crates/") {
                rows.push(path.to_owned());
            } else if !folder.is_empty() {
                rows.push(format!("{folder}{path}"));
            }
            rest = after.trim_start_matches([' ', ',']);
        }
    }
    rows.retain(|row| row.ends_with(".rs") || row.ends_with('…'));
    rows
}

/// The folder that a heading ends in.
fn heading(line: &str) -> Option<String> {
    let (_, folder) = line.trim_end().strip_suffix('`')?.rsplit_once('`')?;
    let folder = folder.trim_end_matches('/');
    folder.starts_with("crates/").then(|| format!("{folder}/"))
}

#[test]
fn rows_are_read_from_lists_below_a_folder() {
    let map = "# X\n- `a.rs` no folder yet\n### Core: `crates/c/src/`\n- `a.rs`, `b.rs` both\n| `d/…` | all\n\
               text `not.rs` a row\n## Else\n- `z.rs`\n- `crates/u/src/main.rs`\n";
    let wanted = [
        "crates/c/src/a.rs",
        "crates/c/src/b.rs",
        "crates/c/src/d/…",
        "crates/u/src/main.rs",
    ];
    assert_eq!(rows(map), wanted);
}
