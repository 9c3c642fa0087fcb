//! What may enter the tree: dependencies with a reason, pure crates, no unsafe code, and nothing
//! that is true on a single machine only.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use super::{report, tree};

/// The manifests of all crates.
pub(super) fn manifests() -> Vec<String> {
    let is_one = |path: &str| path.starts_with("crates/") && path.ends_with("/Cargo.toml");
    let all = tree::files().into_iter().map(|file| file.path);
    all.filter(|path| is_one(path) && path.matches('/').count() == 2)
        .collect()
}

/// The groups of dependencies that several crates use, and that only tests use.
const SEVERAL: &str = "Several crates";
const TESTS: &str = "For tests and benches";

#[test]
fn every_direct_dependency_has_a_reason() {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut tests = BTreeSet::new();
    for path in manifests() {
        let (name, manifest) = (
            path.split('/').nth(1).unwrap_or_default(),
            tree::read(&path),
        );
        for table in ["[dependencies]", ".dependencies]"] {
            for dependency in dependencies(&manifest, table) {
                used.entry(dependency).or_default().insert(name.to_owned());
            }
        }
        tests.extend(dependencies(&manifest, "[dev-dependencies]"));
    }
    let of_tests = tests.into_iter().filter(|name| !used.contains_key(name));
    let mut wanted: BTreeSet<(String, String)> =
        of_tests.map(|name| (TESTS.to_owned(), name)).collect();
    for (name, crates) in used {
        let group = match crates.len() {
            1 => crates.into_iter().next().unwrap_or_default(),
            _ => SEVERAL.to_owned(),
        };
        wanted.insert((group, name));
    }
    wanted.retain(|(_, name)| !name.starts_with("ask-"));
    let explained = explained(&tree::read("CONTRIBUTING.md"));
    let mut problems = Vec::new();
    for (group, name) in wanted.difference(&explained) {
        problems.push(format!(
            "{name}: has no line below {group}: add - `{name}`: why, and why not our own"
        ));
    }
    for (group, name) in explained.difference(&wanted) {
        problems.push(format!(
            "{name}: has a line below {group} that isn't its place"
        ));
    }
    report(
        "CONTRIBUTING.md, in its part on dependencies, has one line for each direct one, below its crate:",
        problems,
    );
}

/// The names in `` - `name`: reason `` lines below a heading about dependencies, each with its
/// group.
fn explained(guide: &str) -> BTreeSet<(String, String)> {
    let mut inside = false;
    let mut group = "";
    let mut names = BTreeSet::new();
    for line in guide.lines() {
        if line.starts_with('#') {
            inside = line.to_lowercase().contains("dependenc");
        }
        let row = line.strip_prefix("- `").filter(|_| inside);
        if let Some((name, _)) = row.and_then(|row| row.split_once("`:")) {
            names.insert((group.to_owned(), name.to_owned()));
        } else if let Some(begun) = line.strip_suffix(':') {
            group = begun.trim_matches('`');
        }
    }
    names
}

/// The keys of a manifest's dependency tables whose header ends with `header`.
pub(super) fn dependencies(manifest: &str, header: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim_end().ends_with(header);
        } else if let Some(end) = line
            .find(['.', ' ', '='])
            .filter(|_| inside && !line.starts_with('#'))
        {
            names.push(line[..end].to_owned());
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn pure_crates_depend_on_nothing_impure() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo)
        .args([
            "tree",
            "-p",
            "ask-core",
            "-p",
            "ask-dialects",
            "-p",
            "ask-engine",
            "-p",
            "ask-protocol",
            "-e",
            "normal",
            "--offline",
            "--locked",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])
        .current_dir(tree::root())
        .output()
        .expect("cargo runs: it runs this test");
    let (tree, complaint) = (
        String::from_utf8_lossy(&listed.stdout),
        String::from_utf8_lossy(&listed.stderr),
    );
    assert!(
        listed.status.success(),
        "cargo tree must list what the pure crates pull:\n{complaint}"
    );
    let banned = [
        "tokio",
        "rusqlite",
        "rmcp",
        "axum",
        "hyper",
        "mio",
        "ratatui",
        "crossterm",
        "rustix",
        "getrandom",
    ];
    let pulled = tree.lines().filter_map(|line| line.split(' ').next());
    let problems: Vec<String> = pulled
        .filter(|name| banned.contains(name))
        .map(str::to_owned)
        .collect();
    report(
        "these crates are pure: move what needs these into the shell (`cargo tree -p CRATE -i NAME` says who pulls):",
        problems,
    );
}

#[test]
fn no_crate_may_be_unsafe() {
    let mut problems = Vec::new();
    let workspace = tree::read("Cargo.toml");
    if !workspace.contains("[workspace.lints.rust]\nunsafe_code = \"forbid\"") {
        problems.push(
            "Cargo.toml: [workspace.lints.rust] begins with unsafe_code = \"forbid\"".to_owned(),
        );
    }
    let exempt = manifests()
        .into_iter()
        .filter(|path| !tree::read(path).contains("[lints]\nworkspace = true\n"));
    problems.extend(exempt.map(|path| format!("{path}: [lints] holds only workspace = true")));
    report(
        "Every crate forbids unsafe code and takes its lints from the workspace:",
        problems,
    );
}

#[test]
fn the_tree_has_no_machine_specific_paths() {
    let words = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("registry.npm", "js"),
        concat!("python", "hosted"),
        concat!("pypi.org/", "simple"),
        concat!("index.crates", ".io"),
        concat!("\"resolved\": \"ht", "tp"),
    ];
    let mut problems = Vec::new();
    for file in tree::files() {
        for (at, line) in file.text.lines().enumerate() {
            let found = words.iter().filter(|word| line.contains(*word));
            problems.extend(found.map(|word| format!("{}:{}: {word}", file.path, at + 1)));
        }
    }
    report(
        "Write paths that hold on every machine, and lock files without hosts \
         (npm install --omit-lockfile-registry-resolved, pip-compile --no-emit-index-url):",
        problems,
    );
}
