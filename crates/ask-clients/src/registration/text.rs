//! Edits a text so that comments, order, indentation and all other values stay. The result is
//! parsed again and must have exactly the wanted values; otherwise nothing is changed.

mod json;
mod toml;
mod yaml;

use ask_core::Json;

use super::change::Change;
use super::diff::kept;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, with or without comments.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

/// Why a file can't be read or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub what: String,
    /// Line and column, from 1.
    pub place: Option<(usize, usize)>,
}

/// The line and the column, from 1, of a byte offset in a text.
pub fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let last_line = before.rsplit('\n').next().unwrap_or_default();
    (
        before.matches('\n').count() + 1,
        last_line.chars().count() + 1,
    )
}

impl Problem {
    /// A problem without a place in the text.
    pub fn plain(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: None,
        }
    }

    fn at_position(what: impl Into<String>, line: usize, column: usize) -> Self {
        Self {
            what: what.into(),
            place: Some((line, column)),
        }
    }
}

impl Format {
    /// The format that a client's row names.
    pub fn named(name: Option<&str>) -> Self {
        match name {
            Some("toml") => Self::Toml,
            Some("yaml") => Self::Yaml,
            _ => Self::Json,
        }
    }
}

/// The values of a text. An empty text is an empty object.
pub(crate) fn read(format: Format, text: &str) -> Result<Json, Problem> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text.trim().is_empty() {
        return Ok(Json::Object(Default::default()));
    }
    match format {
        Format::Json => json::read(text),
        Format::Toml => toml::read(text),
        Format::Yaml => yaml::read(text),
    }
}

/// The text with these changes.
///
/// # Errors
/// The text can't be parsed, or can't be edited without changing anything else.
pub(crate) fn edit(format: Format, text: &str, changes: &[Change]) -> Result<String, Problem> {
    if changes.is_empty() {
        return Ok(text.to_owned());
    }
    let mut wanted = read(format, text)?;
    for change in changes {
        change.apply(&mut wanted);
    }
    let bare = text.strip_prefix(BOM).unwrap_or(text);
    if bare.starts_with(BOM) {
        return Err(unsafe_here());
    }
    let lines = bare.replace("\r\n", "\n");
    let edited = match format {
        Format::Json => json::edit(&lines, changes)?,
        Format::Toml => toml::edit(&lines, changes)?,
        Format::Yaml => yaml::edit(&lines, changes)?,
    };
    let edited = match bare.contains("\r\n") {
        true => with_endings(bare, &lines, &edited),
        false => edited,
    };
    let edited = format!("{}{edited}", &text[..text.len() - bare.len()]);
    match read(format, &edited) {
        Ok(result) if result == wanted => Ok(edited),
        _ => Err(unsafe_here()),
    }
}

fn unsafe_here() -> Problem {
    Problem::plain("it is written in a way that can't be edited safely")
}

/// The number of comments in a text.
pub(crate) fn comments(format: Format, text: &str) -> usize {
    let mut found = 0;
    let mut quote = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some('"'), '\\') => {
                letters.next();
            }
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some('"'),
            (None, '\'') if format == Format::Toml => quote = Some('\''),
            (None, '/') if format == Format::Json && letters.peek() == Some(&'*') => {
                found += 1;
                let mut last = letters.next();
                while last.is_some() && !(last == Some('*') && letters.peek() == Some(&'/')) {
                    last = letters.next();
                }
                letters.next();
            }
            (None, letter) if letter == if format == Format::Json { '/' } else { '#' } => {
                found += 1;
                letters.by_ref().find(|letter| *letter == '\n');
            }
            (None, _) => {}
        }
    }
    found
}

const BOM: char = '\u{feff}';

/// Restores the original line endings of unchanged lines. New lines get the ending of the first.
fn with_endings(before: &str, lines: &str, edited: &str) -> String {
    let original: Vec<&str> = before.split_inclusive('\n').collect();
    let usual = match original.first() {
        Some(line) if line.ends_with("\r\n") => "\r\n",
        _ => "\n",
    };
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    let edited: Vec<&str> = edited.split_inclusive('\n').collect();
    let kept = kept(&lines, &edited);
    let mut kept = kept.into_iter().peekable();
    let mut text = String::new();
    for (index, line) in edited.iter().enumerate() {
        let stays = kept.next_if(|(_, now)| *now == index);
        match (stays, line.strip_suffix('\n')) {
            (Some((before, _)), _) => text.push_str(original[before]),
            (None, Some(line)) => {
                text.push_str(line);
                text.push_str(usual);
            }
            (None, None) => text.push_str(line),
        }
    }
    text
}
