//! Keys that replace the text of a field: by what the person writes in their own editor, or by an
//! earlier answer.

use ask_config::keys::{Context, ReplaceText};
use ask_core::Record;

use super::card::start_typing;
use super::{Effect, previous_answers, save_draft, typing};
use crate::editor::EditResult;
use crate::tui::model::{Model, Overlay, Screen};
use crate::ui::editor_file::{self, EditorFile};

/// Replaces the text of the field, unless the card's answers are on their way.
pub(super) fn handle_action(model: &mut Model, source: ReplaceText, effects: &mut Vec<Effect>) {
    if model.card().is_some_and(|card| card.sending) {
        return;
    }
    match source {
        ReplaceText::Editor => open_editor(model, effects),
        ReplaceText::Older => previous_answers::older(model, effects),
        ReplaceText::Newer => previous_answers::newer(model),
    }
}

/// Puts the editor's result into the field.
pub(super) fn on_edited(model: &mut Model, edited: EditResult, effects: &mut Vec<Effect>) {
    let words = model.display.words;
    let message = match edited {
        EditResult::Text(text) => {
            typing::put(model, &text);
            save_draft(model, effects);
            return;
        }
        EditResult::Discarded => words.say("text-editor-refused"),
        EditResult::Missing(editor) => {
            let editor = ask_core::SafeText::line(&editor).to_string();
            words.format("text-editor-missing", &[("editor", editor.into())])
        }
        EditResult::Failed(reason) => {
            let reason = ask_core::SafeText::line(&reason).to_string();
            words.format("text-editor-failed", &[("reason", reason.into())])
        }
    };
    match model.card_mut() {
        Some(card) => card.message = Some(message),
        None => model.message = Some(message),
    }
}

fn open_editor(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.field().is_none()
        && let Some(card) = model.card_mut()
    {
        start_typing(card);
    }
    let Some(about) = editor_context(model) else {
        return;
    };
    let Some(field) = model.field() else { return };
    let (name, lines) = about;
    let editor_file = EditorFile::new(name, field.text(), &lines);
    // The draft is saved first, because the program may be killed while the editor runs.
    save_draft(model, effects);
    effects.push(Effect::Edit(editor_file));
}

/// The name of the editor's file, and the comment lines below its text.
fn editor_context(model: &Model) -> Option<(String, Vec<String>)> {
    let words = model.display.words;
    let (record, part, title) = match (&model.overlay, &model.screen) {
        (Some(Overlay::Reason { id, .. }), _) => {
            let title = words.say("text-editor-reason");
            (find_record(model, id)?, "reason".to_owned(), title)
        }
        (Some(Overlay::AskBack { id, .. }), _) => {
            let title = words.say("text-editor-ask-back");
            (find_record(model, id)?, "ask-back".to_owned(), title)
        }
        (None, Screen::Card(card)) if card.context() == Context::Note => {
            let part = format!("{}-note", card.tab + 1);
            (&card.record, part, words.say("text-editor-note"))
        }
        (None, Screen::Card(card)) => {
            let part = (card.tab + 1).to_string();
            (&card.record, part, words.say("text-editor-answer"))
        }
        (Some(_), _) | (None, Screen::Inbox | Screen::Notice(_) | Screen::History(_)) => {
            return None;
        }
    };
    let asked = model.card().and_then(|card| card.question());
    let asked = asked.filter(|_| model.overlay.is_none());
    let lines = editor_file::header_lines(words, title, &record.ask, asked);
    Some((editor_file::file_name(&record.id, &part), lines))
}

fn find_record<'a>(model: &'a Model, id: &ask_core::AskId) -> Option<&'a Record> {
    let open = model.card().map(|card| &card.record);
    open.filter(|record| record.id == *id)
        .or_else(|| model.record(id))
}
