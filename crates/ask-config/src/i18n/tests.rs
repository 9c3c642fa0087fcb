//! Checks the messages of every language.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::*;

#[test]
fn every_file_can_be_parsed() {
    for language in Language::ALL {
        for text in language.files() {
            if let Err((_, problems)) = FluentResource::try_new((*text).to_owned()) {
                panic!("{}: {problems:?}", language.code());
            }
        }
    }
}

#[test]
fn numbers_select_their_plural_form() {
    let words = Words::for_language(Language::English);
    let answers = |count: i32| words.format("card-discard-answers", &[("given", count.into())]);
    assert_eq!(answers(1), "Discard 1 answer?");
    assert_eq!(answers(3), "Discard 3 answers?");
}

/// The tables that name messages which other code formats.
const TABLES: &str = "src/keys/table";

/// The messages of a language, each with the names of its arguments.
fn messages_of(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let mut messages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in language.files().iter().flat_map(|file| file.lines()) {
        if line.starts_with('#') {
            continue;
        }
        if let Some((id, _)) = line
            .split_once(" =")
            .filter(|_| !line.starts_with([' ', '}']))
        {
            current = id.to_owned();
            let twice = messages.insert(current.clone(), BTreeSet::new());
            assert!(twice.is_none(), "{}: {id} is there twice", language.code());
        }
        let arguments = line.split('$').skip(1).map(|rest| {
            let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-');
            rest[..end.unwrap_or(rest.len())].to_owned()
        });
        messages
            .entry(current.clone())
            .or_default()
            .extend(arguments);
    }
    messages.remove("");
    messages
}

/// The source files that people run, each with its path.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let crates = crates.expect("beside other crates");
    let mut folders: Vec<_> = fs::read_dir(crates)
        .unwrap()
        .map(|each| each.unwrap().path().join("src"))
        .filter(|folder| folder.is_dir())
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(crates).unwrap().to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && !name.contains("tests") {
                found.push((name.replace('\\', "/"), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

/// The string literals that look like ids of messages, and whether the code certainly uses each as
/// one.
fn ids() -> BTreeSet<(String, bool)> {
    let mut ids = BTreeSet::new();
    for (path, text) in sources() {
        let mut before = "";
        for (at, piece) in text.split('"').enumerate() {
            let id = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
            let areas = [
                "shared-", "keys-", "inbox-", "card-", "text-", "line-", "notify-", "stats-",
                "history-", "export-", "page-",
            ];
            let is_id = areas.iter().any(|area| piece.starts_with(area)) && piece.chars().all(id);
            if at > 0 && is_id {
                let is_called = [".say(", ".format("]
                    .iter()
                    .any(|call| before.trim_end().ends_with(call));
                let is_in_table = path.contains(TABLES) && piece.starts_with("keys-");
                ids.insert((piece.to_owned(), is_called || is_in_table));
            }
            before = piece;
        }
    }
    ids
}

#[test]
fn every_message_that_is_used_exists() {
    let english = messages_of(Language::English);
    let missing: Vec<String> = ids()
        .into_iter()
        .filter(|(id, is_used)| *is_used && !english.contains_key(id))
        .map(|(id, _)| id)
        .collect();
    assert!(missing.is_empty(), "write them in locales/en/: {missing:?}");
}

#[test]
fn every_message_is_used() {
    let used: BTreeSet<String> = ids().into_iter().map(|(id, _)| id).collect();
    let english = messages_of(Language::English).into_keys();
    let unused: Vec<String> = english.filter(|id| !used.contains(id)).collect();
    assert!(unused.is_empty(), "no code uses these: {unused:?}");
}

#[test]
fn messages_have_the_ids_and_arguments_of_the_english_ones() {
    let english = messages_of(Language::English);
    for language in Language::ALL {
        let messages = messages_of(language);
        // English replaces messages that a language lacks, and `locales/missing` lists them.
        let problems: Vec<String> = messages
            .iter()
            .filter(|(id, arguments)| english.get(*id) != Some(arguments))
            .map(|(id, arguments)| format!("{id} with {arguments:?}"))
            .collect();
        assert!(problems.is_empty(), "{}: {problems:#?}", language.code());
    }
}

#[test]
fn every_surface_has_a_name_in_every_language() {
    for language in Language::ALL {
        let words = Words::for_language(language);
        for id in [
            "shared-closed-answered",
            "shared-closed-declined",
            "shared-closed-asked-back",
            "history-end-answered",
            "history-end-declined",
            "history-end-asked-back",
            "shared-surface",
        ] {
            for surface in [
                "api", "app", "bridge", "cli", "dialog", "pending", "plain", "rpc", "terminal",
                "web",
            ] {
                let said = |surface: &'static str| {
                    let facts = [("surface", surface), ("name", surface), ("at", "12:07")];
                    words.format(id, &facts.map(|(name, value)| (name, value.into())))
                };
                let code = language.code();
                let unnamed = said("elsewhere").replace("elsewhere", surface);
                let fits = said(surface) != unnamed || surface == said(surface).to_lowercase();
                assert!(fits, "{code} {id} {surface}: {}", said(surface));
            }
        }
    }
}
