//! The note and the attachments below a list, and the filter above it.

use ask_config::i18n::Words;
use ask_config::keys::{Action, Context, brief};
use ask_config::text::{width, wrap};
use ask_core::SafeText;
use ask_hub::surface::labels::attached;

use super::frames::FieldView;
use crate::tui::geometry::{INDENT, field_columns};
use crate::tui::model::{Card, Model};
use crate::tui::row::ScreenRow;
use crate::tui::style::Role;

/// The most rows of a note that is being typed.
const NOTE_ROWS: usize = 5;
/// The most rows of attached files.
const FILES: usize = 3;

/// How many rows the note needs: one, or those of its field while it is typed.
pub(super) fn preferred_rows(model: &Model, card: &Card, columns: usize) -> usize {
    if card.typing_note {
        // The text is left out: only the height is needed.
        field(model, card, "", columns)
            .preferred_rows()
            .min(NOTE_ROWS + 2)
    } else {
        1 + card.attachments().len().min(FILES)
    }
}

/// The whole note for all answers.
pub(super) fn whole_for_all(model: &Model, card: &Card, columns: usize) -> Vec<ScreenRow> {
    let line = SafeText::line(&line_for_all(model, card));
    let rows = wrap(&line, columns.saturating_sub(2).max(1)).into_iter();
    rows.map(|row| ScreenRow::indented(1).safe_text(row, Role::Dim))
        .collect()
}

fn line_for_all(model: &Model, card: &Card) -> String {
    let (words, key) = (model.display.words, note_key(model, card));
    if card.note().is_blank() {
        return words.format("card-no-note-for-all", &[("key", key.into())]);
    }
    let note = SafeText::line(card.note().text()).to_string();
    let arguments = [("note", note.into()), ("key", key.into())];
    words.format("card-note-for-all", &arguments)
}

/// The key that begins a note.
fn note_key(model: &Model, card: &Card) -> String {
    let mut rows = model.display.keys.rows(card.context());
    let row = rows.find(|row| row.binding.action == Action::Note);
    row.map_or_else(String::new, |row| {
        brief(model.display.words, row, None, false)
    })
}

/// The note of the current tab in at most this many rows.
pub(super) fn screen_rows(
    model: &Model,
    card: &Card,
    columns: usize,
    most: usize,
) -> Vec<ScreenRow> {
    if most == 0 {
        return Vec::new();
    }
    let words = model.display.words;
    if card.typing_note {
        let title = if card.is_on_review() {
            words.say("card-your-note-for-all")
        } else {
            words.say("card-your-note")
        };
        return field(model, card, &title, columns).screen_rows(most);
    }
    if card.is_on_review() {
        let line = line_for_all(model, card);
        return vec![ScreenRow::indented(1).clipped(line, Role::Dim, columns)];
    }
    let key = note_key(model, card);
    let note = SafeText::line(card.note().text()).to_string();
    let line = match (card.note().is_blank(), key.is_empty()) {
        (true, true) => words.say("card-no-note"),
        (true, false) => words.format("card-no-note-key", &[("key", key.into())]),
        (false, true) => words.format("card-note", &[("note", note.into())]),
        (false, false) => {
            let arguments = [("note", note.into()), ("key", key.into())];
            words.format("card-note-key", &arguments)
        }
    };
    let mut screen_rows = files(words, card, columns, most.saturating_sub(1).max(1));
    if screen_rows.len() < most {
        screen_rows.push(ScreenRow::indented(1).clipped(line, Role::Dim, columns));
    }
    screen_rows
}

/// The attached files, one in each row; the last row counts those that don't fit.
fn files(words: Words, card: &Card, columns: usize, most: usize) -> Vec<ScreenRow> {
    let files = card.attachments();
    let most = most.min(FILES);
    let hidden = files.len().saturating_sub(most);
    let shown = if hidden > 0 { most - 1 } else { files.len() };
    let row = |line: String| ScreenRow::indented(1).clipped(line, Role::Text, columns);
    let last = files.len().checked_sub(1);
    let mut screen_rows: Vec<ScreenRow> = files
        .iter()
        .enumerate()
        // The last file is always shown, because Backspace removes it.
        .skip(files.len() - shown)
        .map(|(at, file)| {
            let line = attached(words, file);
            let key = ("key", words.say("keys-backspace").into());
            row(if last == Some(at) {
                words.format("text-attached-removes", &[("file", line.into()), key])
            } else {
                line
            })
        })
        .collect();
    if hidden > 0 && most > 0 {
        let more = [("count", (files.len() - shown).into())];
        screen_rows.insert(0, row(words.format("text-attached-more", &more)));
    }
    screen_rows
}

fn field<'a>(model: &Model, card: &'a Card, title: &'a str, columns: usize) -> FieldView<'a> {
    let width = u16::try_from(columns).unwrap_or(u16::MAX);
    FieldView {
        words: model.display.words,
        field: card.note(),
        title: title.to_owned(),
        placeholder: None,
        typing: true,
        indent: INDENT,
        columns: field_columns(Context::Note, width),
    }
}

/// The row of the filter, while it is on.
pub(super) fn filter(model: &Model, card: &Card, columns: usize) -> Option<ScreenRow> {
    let filter = card.filter().filter(|filter| filter.is_on())?;
    let words = model.display.words;
    let offered = card.question().map_or(0, |question| question.input.len());
    let shown = card.shown().len();
    let label = words.say("card-filter");
    let arguments = [("shown", shown.into()), ("offered", offered.into())];
    let count = words.format("card-filter-count", &arguments);
    let start = ScreenRow::indented(1).text(label, Role::Strong).gap(1);
    let indent = start.width();
    let room = columns.saturating_sub(indent + width(&count) + 3).max(1);
    let view = FieldView {
        words,
        field: &filter.field,
        title: String::new(),
        placeholder: None,
        typing: filter.typing,
        indent: 0,
        columns: room,
    };
    let row = view.lines(1, 0).pop()?;
    let screen_row = start.append(row).filled(indent + room).gap(1);
    Some(screen_row.clipped(count, Role::Dim, columns))
}
