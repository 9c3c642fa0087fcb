//! The popup of files that `@` opens at the beginning of a word.

use ask_config::keys::{Action, Move};
use ask_core::Record;
use ask_hub::surface::file_finder::quote_path;

use super::{Effect, typing};
use crate::tui::model::{Model, Overlay, Screen};

/// The state of the popup.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    /// The position of the `@` in the field, in bytes.
    start: usize,
    /// The letters behind it.
    letters: String,
    /// The matching paths, the best first.
    pub found: Vec<String>,
    /// The progress of the search.
    pub progress: SearchProgress,
    pub row: usize,
    /// Whether the person has closed the popup. It stays closed for this `@`.
    closed: bool,
}

/// The progress of the search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchProgress {
    /// How many paths match.
    pub total: usize,
    /// Whether the search is finished.
    pub ended: bool,
    /// How many files were searched, if the search stopped at its limit.
    pub cut: Option<usize>,
}

impl Paths {
    /// Whether the popup is visible and takes keys. It stays open without a match, so that the next
    /// Enter doesn't send a half-typed answer.
    pub(crate) fn is_open(&self) -> bool {
        !self.closed
    }

    /// Whether the search is finished and nothing matches.
    pub(crate) fn has_no_match(&self) -> bool {
        self.found.is_empty() && self.progress.ended
    }
}

/// Handles a key while the popup is open. False if the key has its ordinary meaning.
pub(super) fn handle_action(model: &mut Model, action: Action, effects: &mut Vec<Effect>) -> bool {
    let Some(paths) = &mut model.paths else {
        return false;
    };
    let last = paths.found.len().saturating_sub(1);
    if paths.has_no_match() && matches!(action, Action::Move(_)) {
        return false;
    } else if action == Action::Move(Move::Up) {
        paths.row = paths.row.checked_sub(1).unwrap_or(last);
    } else if action == Action::Move(Move::Down) {
        paths.row = if paths.row >= last { 0 } else { paths.row + 1 };
    } else if action == Action::Escape || (action == Action::Enter && paths.has_no_match()) {
        paths.closed = true;
    } else if action == Action::Enter {
        insert(model, effects);
    } else {
        return false;
    }
    true
}

/// Marks a clicked file. A click inserts nothing.
pub(super) fn mark_file(model: &mut Model, at: usize) {
    if let Some(paths) = model.paths.as_mut().filter(|paths| at < paths.found.len()) {
        paths.row = at;
    }
}

/// Opens, updates or closes the popup after a key.
pub(super) fn update_popup(model: &mut Model, typed: bool, effects: &mut Vec<Effect>) {
    let mention = model.field().and_then(|field| {
        let (start, letters) = field.mention()?;
        Some((start, letters.to_owned()))
    });
    let Some((start, letters)) = mention else {
        model.paths = None;
        return;
    };
    let before = model.paths.take();
    let is_same = before.as_ref().is_some_and(|paths| paths.start == start);
    if (is_same || typed)
        && let Some(directory) = record(model).and_then(|record| record.asker.directory.clone())
    {
        let mut paths = before.filter(|_| is_same).unwrap_or(Paths {
            start,
            ..Paths::default()
        });
        if (!is_same || paths.letters != letters) && !paths.closed {
            // The previous matches stay visible until the new ones are known.
            paths.progress.ended = false;
            paths.row = 0;
            let letters = letters.clone();
            effects.push(Effect::FindPaths { directory, letters });
        }
        paths.letters = letters;
        model.paths = Some(paths);
    }
}

/// Handles the files that were found.
pub(super) fn on_found(
    model: &mut Model,
    letters: &str,
    found: Vec<String>,
    progress: SearchProgress,
) {
    let paths = model.paths.as_mut();
    if let Some(paths) = paths.filter(|paths| paths.letters == letters) {
        let marked = paths.found.get(paths.row).filter(|_| paths.row > 0);
        let moved = marked.and_then(|marked| found.iter().position(|path| path == marked));
        paths.row = moved.unwrap_or(0);
        (paths.found, paths.progress) = (found, progress);
    }
}

fn insert(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(paths) = &model.paths else { return };
    // Nothing has been found yet, so Enter came too early. It must not send the half-typed answer.
    let Some(path) = paths.found.get(paths.row).map(|path| quote_path(path)) else {
        return;
    };
    let start = paths.start;
    model.paths = None;
    if let Some(field) = model.field() {
        let end = field.caret();
        field.replace(start..end, &path);
    }
    typing::after_edit(model);
    update_popup(model, false, effects);
}

/// The record that the person writes about.
fn record(model: &Model) -> Option<&Record> {
    match (&model.overlay, &model.screen) {
        (Some(Overlay::Reason { id, .. } | Overlay::AskBack { id, .. }), _) => model.record(id),
        (_, Screen::Card(card)) => Some(&card.record),
        (_, Screen::Inbox | Screen::Notice(_) | Screen::History(_)) => None,
    }
}
