//! The code map names every crate with its dependencies and every module folder, and nothing
//! that doesn't exist.

use std::collections::{BTreeMap, BTreeSet};

use super::{report, rules, tree};

const MAP: &str = "docs/explanation/code-map.md";

/// A crate in the map or in the tree.
#[derive(Debug, Default, PartialEq, Eq)]
struct Crate {
    /// The workspace's crates that it depends on, without `ask-`.
    uses: BTreeSet<String>,
    /// The folders of its modules.
    folders: BTreeSet<String>,
}

#[test]
fn the_map_names_every_crate_and_module_folder_and_none_extra() {
    let (mapped, there) = (crates_of(&tree::read(MAP)), crates_there());
    let mut problems = Vec::new();
    for (name, known) in &there {
        let Some(said) = mapped.get(name) else {
            problems.push(format!(
                "crates/{name}/: has no heading: say what it answers"
            ));
            continue;
        };
        if said.uses != known.uses {
            let uses: Vec<&str> = known.uses.iter().map(String::as_str).collect();
            problems.push(format!("crates/{name}/: depends on {}", uses.join(", ")));
        }
        let missing = known.folders.difference(&said.folders);
        problems.extend(missing.map(|folder| {
            format!("crates/{name}/src/{folder}/: has no row: say in one line what it answers")
        }));
        let extra = said.folders.difference(&known.folders);
        problems.extend(extra.map(|folder| {
            format!("crates/{name}/src/{folder}/: is in the map but not in the tree")
        }));
    }
    let gone = mapped.keys().filter(|name| !there.contains_key(*name));
    problems.extend(gone.map(|name| format!("crates/{name}/: is in the map but not in the tree")));
    report(
        "docs/explanation/code-map.md must show the tree as it is (its format is told in tests/it/lint.rs):",
        problems,
    );
}

/// Reads the crates of the tree.
fn crates_there() -> BTreeMap<String, Crate> {
    let mut there: BTreeMap<String, Crate> = BTreeMap::new();
    for path in rules::manifests() {
        let name = path.split('/').nth(1).unwrap_or_default();
        let used = rules::dependencies(&tree::read(&path), "[dependencies]");
        let uses = used.iter().filter_map(|used| used.strip_prefix("ask-"));
        there.entry(name.to_owned()).or_default().uses = uses.map(str::to_owned).collect();
    }
    for file in tree::sources() {
        let parts: Vec<&str> = file.path.split('/').collect();
        if let ["crates", name, "src", folder, _, ..] = parts[..]
            && let Some(found) = there.get_mut(name)
        {
            found.folders.insert(folder.to_owned());
        }
    }
    there
}

/// Parses the crates of the map.
fn crates_of(map: &str) -> BTreeMap<String, Crate> {
    let mut all: BTreeMap<String, Crate> = BTreeMap::new();
    let mut last = None;
    for line in map.lines() {
        if line.starts_with('#') {
            last = heading(line).map(|(name, uses)| {
                all.entry(name.clone()).or_default().uses = uses;
                name
            });
            continue;
        }
        let row = line
            .strip_prefix("- `")
            .and_then(|row| row.split_once("/`"));
        if let (Some((folder, _)), Some(name)) = (row, &last)
            && let Some(found) = all.get_mut(name)
        {
            found.folders.insert(folder.to_owned());
        }
    }
    all
}

/// Parses a heading: the crate's name and its dependencies.
fn heading(line: &str) -> Option<(String, BTreeSet<String>)> {
    let (name, uses) = line.strip_prefix("### `crates/")?.split_once("/` ←")?;
    let uses = uses.split(',').map(str::trim);
    let uses = uses.filter(|used| !used.is_empty()).map(str::to_owned);
    Some((name.to_owned(), uses.collect()))
}

#[test]
fn the_map_is_parsed_into_crates_and_folders() {
    let map = "# X\n- `no/` no crate yet\n### `crates/a/` ← b, c\ntext `not/` a row\n- `d/` one\n\
               ### `crates/b/` ←\n## Else\n- `z/`\n";
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let a = Crate {
        uses: set(&["b", "c"]),
        folders: set(&["d"]),
    };
    let wanted = [("a".to_owned(), a), ("b".to_owned(), Crate::default())];
    assert_eq!(crates_of(map), BTreeMap::from(wanted));
}
