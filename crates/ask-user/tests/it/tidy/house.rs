//! What comes into the tree: dependencies with their reasons, the core's purity,
//! no unsafe code, and nothing that is true on one machine only.

use std::process::Command;

use super::{report, tree};

const MANIFESTS: [&str; 2] = ["crates/ask-core/Cargo.toml", "crates/ask-user/Cargo.toml"];

#[test]
fn every_direct_dependency_has_its_reason() {
    let guide = tree::read("CONTRIBUTING.md");
    let explained = explained(&guide);
    let mut used: Vec<String> = MANIFESTS
        .iter()
        .flat_map(|path| dependencies(&tree::read(path)))
        .collect();
    used.sort();
    used.dedup();
    let mut problems = Vec::new();
    for name in used.iter().filter(|name| !explained.contains(name)) {
        problems.push(format!(
            "{name}: is used without a line: add - `{name}`: why, and why not our own"
        ));
    }
    for name in explained.iter().filter(|name| !used.contains(name)) {
        problems.push(format!("{name}: has a line but isn't used: take it out"));
    }
    report(
        "CONTRIBUTING.md, in its part on dependencies, has one line for each direct one:",
        problems,
    );
}

/// The names in `` - `name`: reason `` lines below a heading that speaks of dependencies.
fn explained(guide: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in guide.lines() {
        if line.starts_with('#') {
            inside = line.to_lowercase().contains("dependenc");
        }
        let row = line.strip_prefix("- `").filter(|_| inside);
        if let Some((name, _)) = row.and_then(|row| row.split_once("`:")) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The keys of all dependency tables of a manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            inside = table.trim_end().ends_with("dependencies]");
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
fn the_core_pulls_nothing_that_touches_the_world() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo)
        .args([
            "tree",
            "-p",
            "ask-core",
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
        "cargo tree must list what ask-core pulls:\n{complaint}"
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
        "ask-core is pure: move what needs these into ask-user (`cargo tree -p ask-core -i NAME` says who pulls):",
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
    let exempt = MANIFESTS
        .iter()
        .filter(|path| !tree::read(path).contains("[lints]\nworkspace = true\n"));
    problems.extend(exempt.map(|path| format!("{path}: [lints] holds only workspace = true")));
    report(
        "Every crate forbids unsafe code and takes its lints from the workspace:",
        problems,
    );
}

#[test]
fn the_tree_knows_no_single_machine() {
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
