//! Copies a question, the answers or an unsent draft. The text is safe; the terminal puts it into
//! the clipboard.

use super::Effect;
use crate::tui::model::{Model, Screen};
use crate::ui::clipboard_text;

/// The limit of a copied text in bytes. Terminals refuse longer OSC 52 sequences.
const MOST_BYTES: usize = 50_000;

/// Copies the question of the current tab as Markdown; on the review, all questions.
pub(super) fn question(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card() else { return };
    let only = card.question().map(|_| card.tab);
    let text = clipboard_text::question(&card.record.ask, only);
    copy(model, text, effects);
}

/// Copies the answers so far as text.
pub(super) fn answers(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card() else { return };
    let text = clipboard_text::answers(model.display.words, &card.record.ask, &card.form.draft());
    copy(model, text, effects);
}

/// Copies what was filled in here before the ask was closed elsewhere.
pub(super) fn draft(model: &mut Model, effects: &mut Vec<Effect>) {
    let Screen::Notice(notice) = &model.screen else {
        return;
    };
    if notice.has_unsent_text() {
        let draft = notice.draft.as_ref();
        let form = draft.map(|draft| (&notice.record.ask, draft));
        let text = clipboard_text::form_and_texts(model.display.words, form, &notice.other_texts);
        copy(model, text, effects);
    }
}

/// Copies a text and confirms it, or says that it is too long.
pub(super) fn copy(model: &mut Model, text: String, effects: &mut Vec<Effect>) {
    let fits = text.len() <= MOST_BYTES;
    let message = if fits {
        model.display.words.say("card-copied")
    } else {
        model.display.words.say("card-too-long-to-copy")
    };
    if fits {
        effects.push(Effect::Copy { text });
    }
    match &mut model.screen {
        Screen::Card(card) => card.message = Some(message),
        Screen::Notice(notice) => notice.message = Some(message),
        Screen::Inbox => model.message = Some(message),
        Screen::History(history) => history.message = Some(message),
    }
}
