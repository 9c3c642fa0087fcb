//! Links of Markdown files within the tree. `docs/check` checks those of the built book, too.

use std::collections::BTreeSet;

use super::report;
use super::tree::{files, root};

#[test]
fn every_link_leads_to_a_file_and_a_heading_of_the_tree() {
    let mut broken = Vec::new();
    for file in files() {
        if !file.path.ends_with(".md") {
            continue;
        }
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for target in targets(&file.text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
            let linked = match path {
                "" => root().join(&file.path),
                path => root().join(folder).join(path),
            };
            let has_heading = || {
                let text = std::fs::read_to_string(&linked).unwrap_or_default();
                heading.is_empty() || headings(&text).contains(heading)
            };
            if !linked.exists() || !has_heading() {
                broken.push(format!("{}: {target}", file.path));
            }
        }
    }
    report("correct these links, or what they lead to:", broken);
}

/// The targets of the links in a Markdown text, without those in code.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(text) {
        // Every other piece between backticks is code.
        for piece in line.split('`').step_by(2) {
            let links = piece.split("](").skip(1);
            let ends = links.filter_map(|link| link.split_once(')'));
            targets.extend(ends.map(|(target, _)| target.to_owned()));
        }
    }
    targets
}

/// The anchors of a Markdown text's headings, as GitHub and mdbook make them.
fn headings(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let titles = prose(text)
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim());
    for title in titles {
        let anchor: String = title
            .chars()
            .filter_map(|letter| match letter {
                ' ' => Some('-'),
                '-' | '_' => Some(letter),
                letter => letter
                    .is_alphanumeric()
                    .then(|| letter.to_ascii_lowercase()),
            })
            .collect();
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone())
            .chain(numbered)
            .find(|anchor| !anchors.contains(anchor));
        anchors.extend(free);
    }
    anchors
}

/// The lines that are not in a block of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

#[test]
fn links_and_headings_are_found() {
    let text =
        "# One `two` (three)!\n# One `two` (three)!\n[a](b.md#c) `[d](e)`\n```\n[f](g)\n```\n";
    assert_eq!(targets(text), ["b.md#c"]);
    let expected = ["one-two-three", "one-two-three-1"].map(str::to_owned);
    assert_eq!(headings(text), BTreeSet::from(expected));
}
