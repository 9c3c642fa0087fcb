//! Keys that replace the text of a field: by what the person writes in their own editor, or by an
//! earlier answer.

use ask_config::keys::{Context, ReplaceText};
use ask_core::Record;

use super::card::start_typing;
use super::{Effect, keep_draft, previous_answers, typing};
use crate::editor::Edited;
use crate::tui::model::{Model, Overlay, Screen};
use crate::ui::editor_file::{self, EditorFile};

/// Replaces the text of the field, unless the card's answers are on their way.
pub(super) fn act(model: &mut Model, by: ReplaceText, effects: &mut Vec<Effect>) {
    if model.card().is_some_and(|card| card.sending) {
        return;
    }
    match by {
        ReplaceText::Editor => open_editor(model, effects),
        ReplaceText::Older => previous_answers::older(model, effects),
        ReplaceText::Newer => previous_answers::newer(model),
    }
}

/// Puts the editor's result into the field.
pub(super) fn edited(model: &mut Model, edited: Edited, effects: &mut Vec<Effect>) {
    let words = model.look.words;
    let remark = match edited {
        Edited::Words(text) => {
            typing::put(model, &text);
            keep_draft(model, effects);
            return;
        }
        Edited::Refused => words.say("text-editor-refused"),
        Edited::Missing(editor) => {
            let editor = ask_core::SafeText::line(&editor).to_string();
            words.format("text-editor-missing", &[("editor", editor.into())])
        }
        Edited::Failed(reason) => {
            let reason = ask_core::SafeText::line(&reason).to_string();
            words.format("text-editor-failed", &[("reason", reason.into())])
        }
    };
    match model.card_mut() {
        Some(card) => card.remark = Some(remark),
        None => model.news = Some(remark),
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
    keep_draft(model, effects);
    effects.push(Effect::Edit(editor_file));
}

/// The name of the editor's file, and the comment lines below its text.
fn editor_context(model: &Model) -> Option<(String, Vec<String>)> {
    let words = model.look.words;
    let (record, part, title) = match (&model.over, &model.screen) {
        (Some(Overlay::Reason { id, .. }), _) => {
            let title = words.say("text-editor-reason");
            (found(model, id)?, "reason".to_owned(), title)
        }
        (Some(Overlay::AskBack { id, .. }), _) => {
            let title = words.say("text-editor-ask-back");
            (found(model, id)?, "ask-back".to_owned(), title)
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
    let asked = asked.filter(|_| model.over.is_none());
    let lines = editor_file::header_lines(words, title, &record.ask, asked);
    Some((editor_file::name(&record.id, &part), lines))
}

fn found<'a>(model: &'a Model, id: &ask_core::AskId) -> Option<&'a Record> {
    let open = model.card().map(|card| &card.record);
    open.filter(|record| record.id == *id)
        .or_else(|| model.record(id))
}
