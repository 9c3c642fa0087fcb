//! The popup of files that `@` opens at the beginning of a word.

use ask_config::keys::{Action, Move};
use ask_core::Record;
use ask_hub::surface::file_finder::quoted;

use super::{Effect, typing};
use crate::tui::model::{Model, Over, Screen};

/// The popup.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Where the `@` stands in the field.
    start: usize,
    /// What follows it.
    letters: String,
    /// The files that fit, the best first.
    pub found: Vec<String>,
    /// What is known besides.
    pub told: Told,
    /// The one that is marked.
    pub row: usize,
    /// Closed by the person: it stays closed for this `@`.
    closed: bool,
}

/// What is known of the files besides the best.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// How many fit.
    pub total: usize,
    /// Whether no more come.
    pub ended: bool,
    /// How many files were looked at, where there are more.
    pub cut: Option<usize>,
}

impl Paths {
    /// Whether it is seen, and takes keys. Where nothing fits, too: else the next Enter would send
    /// what is half typed.
    pub fn is_open(&self) -> bool {
        !self.closed
    }

    /// Whether it is known that no file fits.
    pub fn is_vain(&self) -> bool {
        self.found.is_empty() && self.told.ended
    }
}

/// What a key does while the popup is open. False where it is a key like any other.
pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) -> bool {
    let Some(paths) = &mut model.paths else {
        return false;
    };
    let last = paths.found.len().saturating_sub(1);
    if paths.is_vain() && matches!(action, Action::Move(_)) {
        return false;
    } else if action == Action::Move(Move::Up) {
        paths.row = paths.row.checked_sub(1).unwrap_or(last);
    } else if action == Action::Move(Move::Down) {
        paths.row = if paths.row >= last { 0 } else { paths.row + 1 };
    } else if action == Action::Escape || (action == Action::Enter && paths.is_vain()) {
        paths.closed = true;
    } else if action == Action::Enter {
        insert(model, effects);
    } else {
        return false;
    }
    true
}

/// The mouse marks a file; nothing is inserted by it.
pub fn point(model: &mut Model, at: usize) {
    if let Some(paths) = model.paths.as_mut().filter(|paths| at < paths.found.len()) {
        paths.row = at;
    }
}

/// After a key: the popup opens, goes with what is typed, and closes.
pub fn follow(model: &mut Model, typed: bool, effects: &mut Vec<Effect>) {
    let mention = model.field().and_then(|field| {
        let (start, letters) = field.mention()?;
        Some((start, letters.to_owned()))
    });
    let Some((start, letters)) = mention else {
        model.paths = None;
        return;
    };
    let before = model.paths.take();
    let same = before.as_ref().is_some_and(|paths| paths.start == start);
    if (same || typed)
        && let Some(directory) = record(model).and_then(|record| record.asker.directory.clone())
    {
        let mut paths = before.filter(|_| same).unwrap_or(Paths {
            start,
            ..Paths::default()
        });
        if (!same || paths.letters != letters) && !paths.closed {
            // What fitted before stays in sight until it is known what fits now.
            paths.told.ended = false;
            paths.row = 0;
            let letters = letters.clone();
            effects.push(Effect::FindPaths { directory, letters });
        }
        paths.letters = letters;
        model.paths = Some(paths);
    }
}

/// Files were found.
pub fn found(model: &mut Model, letters: &str, found: Vec<String>, told: Told) {
    let paths = model.paths.as_mut();
    if let Some(paths) = paths.filter(|paths| paths.letters == letters) {
        let marked = paths.found.get(paths.row).filter(|_| paths.row > 0);
        let moved = marked.and_then(|marked| found.iter().position(|path| path == marked));
        paths.row = moved.unwrap_or(0);
        (paths.found, paths.told) = (found, told);
    }
}

fn insert(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(paths) = &model.paths else { return };
    // While nothing was found yet, the key was early: it must not send what is half typed.
    let Some(path) = paths.found.get(paths.row).map(|path| quoted(path)) else {
        return;
    };
    let start = paths.start;
    model.paths = None;
    if let Some(field) = model.field() {
        let end = field.caret();
        field.replace(start..end, &path);
    }
    typing::changed(model);
    follow(model, false, effects);
}

/// The ask that is written about.
fn record(model: &Model) -> Option<&Record> {
    match (&model.over, &model.screen) {
        (Some(Over::Reason { id, .. } | Over::AskBack { id, .. }), _) => model.record(id),
        (_, Screen::Card(card)) => Some(&card.record),
        (_, Screen::Inbox | Screen::Notice(_) | Screen::History(_)) => None,
    }
}
