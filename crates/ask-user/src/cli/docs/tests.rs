//! Checks that the program parses every command line in the documents.

use std::path::{Path, PathBuf};

use clap::Parser;

use crate::cli::Cli;

#[test]
fn commands_in_documents_parse() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    collect(&root.join("docs"), &mut pages);
    let mut problems = Vec::new();
    let mut parsed = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("the page is there");
        for command in scripts(&text).iter().flat_map(|script| commands(script)) {
            let Some(start) = command.iter().position(|word| !word.contains('=')) else {
                continue;
            };
            let command = &command[start..];
            if command[0] != "ask-user" {
                continue;
            }
            parsed += 1;
            // clap reports help and the version as errors, too.
            if let Err(error) = Cli::try_parse_from(command)
                && error.use_stderr()
            {
                problems.push(format!(
                    "{}: {}\n{error}",
                    page.display(),
                    command.join(" ")
                ));
            }
        }
    }
    assert!(
        problems.is_empty(),
        "mend these commands:\n{}",
        problems.join("\n")
    );
    assert!(
        parsed > 50,
        "only {parsed} commands were found in the documents"
    );
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|end| end == "md") {
            pages.push(path);
        }
    }
}

/// The code blocks of a page that are shell scripts, and the lines after a `$ ` prompt in other blocks.
fn scripts(page: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else {
            continue;
        };
        let body = lines.by_ref().take_while(|line| line.trim_start() != "```");
        if info.split(',').next() == Some("sh") {
            scripts.push(body.map(|line| format!("{line}\n")).collect());
        } else {
            let typed = body.filter_map(|line| line.strip_prefix("$ "));
            scripts.extend(typed.map(str::to_owned));
        }
    }
    scripts
}

/// Splits a script into simple commands, and each into its words. Operators and redirections are left
/// out.
fn commands(script: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = script.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(character),
            (_, '\\') => match characters.next() {
                Some('\n') | None => {}
                Some(escaped) => word.get_or_insert_default().push(escaped),
            },
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => {
                while characters.next_if(|next| *next != '\n').is_some() {}
            }
            (None, ' ' | '\t') => end_word(&mut word, &mut commands),
            (None, '\n' | ';' | '|' | '&' | '<' | '>' | '(' | ')') => {
                end_word(&mut word, &mut commands);
                commands.push(Vec::new());
            }
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    end_word(&mut word, &mut commands);
    commands
}

/// Ends a word, and adds it to the last command.
fn end_word(word: &mut Option<String>, commands: &mut [Vec<String>]) {
    if let (Some(word), Some(command)) = (word.take(), commands.last_mut()) {
        command.push(word);
    }
}

#[test]
fn scripts_are_split_as_by_a_shell() {
    let script = "ask-user ask \"Which one?\" \\\n  --option 'A=it''s' # a remark\nx=1 ask-user list | head >out";
    let read = commands(script);
    let read: Vec<String> = read.iter().map(|words| words.join("·")).collect();
    assert_eq!(
        read,
        [
            "ask-user·ask·Which one?·--option·A=its",
            "x=1·ask-user·list",
            "head",
            "out"
        ]
    );
}
