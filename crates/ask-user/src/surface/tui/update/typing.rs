//! Keys and pastes in a field, whichever field it is.

use crate::surface::paper::words;
use crate::surface::tui::geometry::field_columns;
use crate::surface::tui::keys::{Edit, Move};
use crate::surface::tui::model::{Model, SAVE_MS};

/// Moves within the field that is typed in. False when there is no way to go there.
pub fn step(model: &mut Model, to: Move) -> bool {
    let columns = field_columns(model.context(), model.size.0);
    let page = isize::from(i16::try_from(model.size.1 / 2).unwrap_or(i16::MAX)).max(1);
    let Some(field) = model.field() else {
        return false;
    };
    match to {
        Move::Up => return field.vertical(-1, columns),
        Move::Down => return field.vertical(1, columns),
        Move::PageUp => return field.vertical(-page, columns),
        Move::PageDown => return field.vertical(page, columns),
        Move::First => field.line_start(),
        Move::Last => field.line_end(),
    }
    true
}

/// Changes the text of the field that is typed in.
pub fn edit(model: &mut Model, edit: Edit) {
    let Some(field) = model.field() else { return };
    match edit {
        Edit::CaretLeft => field.left(),
        Edit::CaretRight => field.right(),
        Edit::WordLeft => field.word_left(),
        Edit::WordRight => field.word_right(),
        Edit::Insert(typed) => field.insert(typed.encode_utf8(&mut [0; 4])),
        Edit::NewLine => field.insert("\n"),
        Edit::Erase => field.erase(),
        Edit::EraseNext => field.erase_next(),
        Edit::EraseWord => field.erase_word(),
    }
    if model.over.is_none() {
        answered(model);
    }
}

/// A paste goes into the field, or into Other: it never answers or sends, not even while the guard holds.
pub fn paste(model: &mut Model, text: &str) {
    if let Some(field) = model.field() {
        field.insert(text);
        if model.over.is_none() {
            answered(model);
        }
        return;
    }
    if model.over.is_some() || model.is_too_small() {
        return;
    }
    let Some(card) = model.card_mut().filter(|card| !card.sending) else {
        return;
    };
    let tab = card.tab;
    if let (Some(question), Some(spot)) =
        (card.record.ask.questions.get(tab), card.spots.get_mut(tab))
    {
        spot.row = question.input.len();
        spot.typing = true;
        card.form.entries[tab].field.insert(text);
        answered(model);
    }
}

/// What a change of an answer's field brings: the words count, and are kept soon.
fn answered(model: &mut Model) {
    let save_at = model.now.plus_ms(SAVE_MS);
    if let Some(card) = model.card_mut() {
        if let Some(entry) = card.entry()
            && !entry.field.is_blank()
        {
            entry.speak();
        }
        if card.entry().is_some_and(|entry| entry.field.is_full()) {
            card.remark = Some(words::FULL.to_owned());
        }
        if card.form.draft() != card.kept {
            card.save_at = Some(save_at);
        }
    }
}
