//! Keys and pastes in any field.

use ask_config::keys::{Context, Edit, Move};

use super::{Effect, attach, notes, previous_answers, sync};
use crate::tui::geometry::field_columns;
use crate::tui::model::{Model, Overlay, SAVE_MS};

/// Moves the caret in the field. False if it can't move there.
pub(super) fn move_caret(model: &mut Model, to: Move) -> bool {
    let columns = field_columns(model.context_below_popup(), model.size.0);
    let page = isize::from(i16::try_from(model.size.1 / 2).unwrap_or(i16::MAX)).max(1);
    let Some(field) = model.field() else {
        return false;
    };
    match to {
        Move::Up => return field.move_rows(-1, columns),
        Move::Down => return field.move_rows(1, columns),
        Move::PageUp => return field.move_rows(-page, columns),
        Move::PageDown => return field.move_rows(page, columns),
        Move::First => field.move_to_line_start(),
        Move::Last => field.move_to_line_end(),
    }
    true
}

/// Edits the text of the field.
pub(super) fn edit(model: &mut Model, edit: Edit) {
    restore_own_text(model);
    let Some(field) = model.field() else { return };
    match edit {
        Edit::CaretLeft => field.move_left(),
        Edit::CaretRight => field.move_right(),
        Edit::WordLeft => field.move_word_left(),
        Edit::WordRight => field.move_word_right(),
        Edit::Insert(typed) => field.insert(typed.encode_utf8(&mut [0; 4])),
        Edit::NewLine => field.insert("\n"),
        Edit::Erase => field.erase(),
        Edit::EraseNext => field.erase_next(),
        Edit::EraseWord => field.erase_word(),
        Edit::EraseNextWord => field.erase_next_word(),
        Edit::EraseLineEnd => field.erase_line_end(),
        Edit::Undo => _ = field.undo(),
        Edit::Redo => _ = field.redo(),
    }
    after_edit(model);
}

fn restore_own_text(model: &mut Model) {
    let now = model.now;
    if model.overlay.is_none()
        && let Some(card) = model.card_mut()
    {
        sync::restore_own_text(card, now);
    }
}

/// Replaces the text of the field.
pub(super) fn put(model: &mut Model, text: &str) {
    let Some(field) = model.field() else { return };
    field.put(text);
    after_edit(model);
}

/// Inserts a line break of a paste that was detected by its speed. It never sends, because the
/// person didn't press a key. In a field of one line it means Enter, because a fast typist may end
/// a path that way.
pub(super) fn insert_pasted_newline(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(Overlay::Attach { field, .. }) = &model.overlay {
        let field = field.clone();
        attach::enter(model, &field, effects);
    } else if model.field().is_some() {
        edit(model, Edit::NewLine);
    }
}

/// Walks through earlier answers when the caret leaves the first or last row of a text question,
/// unless something is typed.
pub(super) fn walk_earlier_answers(model: &mut Model, to: Move, effects: &mut Vec<Effect>) {
    let empty = model.field().is_some_and(|field| field.text().is_empty());
    let walking = previous_answers::is_walking(model);
    match to {
        Move::Up if empty || walking => previous_answers::older(model, effects),
        Move::Down if walking => previous_answers::newer(model),
        Move::Up | Move::Down | Move::First | Move::Last | Move::PageUp | Move::PageDown => {}
    }
}

/// Inserts a paste into the field, or into the field for own text. It never answers or sends, not
/// even while the guard holds.
pub(super) fn paste(model: &mut Model, text: &str) {
    if !attach::offer_pasted_image(model, text) {
        insert_paste(model, text);
    }
}

/// Inserts a paste that isn't attached as a file.
pub(super) fn insert_paste(model: &mut Model, text: &str) {
    let one_line = matches!(model.overlay, Some(Overlay::Attach { .. }));
    restore_own_text(model);
    if let Some(field) = model.field() {
        if one_line {
            field.insert(&text.trim().replace(['\r', '\n'], " "))
        } else {
            field.insert(text);
        }
        after_edit(model);
        return;
    }
    if model.overlay.is_some() || model.is_too_small() {
        return;
    }
    let Some(card) = model.card_mut().filter(|card| !card.sending) else {
        return;
    };
    let tab = card.tab;
    if let (Some(question), Some(focus)) = (
        card.record.ask.questions.get(tab),
        card.focuses.get_mut(tab),
    ) {
        focus.row = question.input.len();
        focus.typing = true;
        card.form.entries[tab].field.insert(text);
        update_card(model);
    }
}

/// Updates the card after its field has changed. Fields of overlays have no card.
pub(super) fn after_edit(model: &mut Model) {
    if model.overlay.is_none() {
        update_card(model);
    }
}

/// Makes the field's text the answer, and schedules saving the draft.
fn update_card(model: &mut Model) {
    let now = model.now;
    let words = model.display.words;
    if let Some(card) = model.card_mut() {
        if card.context() == Context::Filter {
            return notes::apply_filter(card);
        }
        let own = !card.typing_note;
        if let Some(entry) = card.entry()
            && own
            && !entry.field.is_blank()
        {
            entry.use_own_text();
        }
        if card.field().is_some_and(|field| field.is_full()) {
            card.message = Some(words.say("shared-field-full"));
        }
        // Whether the draft differs from the saved one is checked at that time instead of with
        // every letter.
        card.save_at = Some(now.plus_ms(SAVE_MS));
        card.conflict.record_typing(card.tab, now);
    }
}
