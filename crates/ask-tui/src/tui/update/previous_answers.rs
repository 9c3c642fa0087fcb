//! Walks through earlier answers in a field. They are read when they are first wanted. At the end
//! of the walk the typed text returns.

use ask_config::keys::{Action, Context, ReplaceText};
use ask_core::{AskId, Record};
use ask_hub::surface::previous_answers;

use super::{Effect, typing};
use crate::tui::model::{Model, Screen};

/// The position among the earlier answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnswerWalk {
    /// The answers, the newest first; `None` until they have been read.
    answers: Option<Vec<String>>,
    /// Steps that were requested before they were read.
    wanted: usize,
    /// The tab of the question that they are walked through for.
    tab: usize,
    /// How many steps back the field is; 0 is the typed text.
    at: usize,
    /// The text that was typed.
    current: String,
}

impl AnswerWalk {
    /// The answer in the field.
    fn shown(&self) -> Option<&str> {
        let answers = self.answers.as_ref()?;
        answers.get(self.at.checked_sub(1)?).map(String::as_str)
    }
}

/// Steps to the previous answer, towards older ones.
pub(super) fn older(model: &mut Model, effects: &mut Vec<Effect>) {
    begin(model);
    let Some(card) = model.card_mut() else { return };
    let id = card.record.id.clone();
    let earlier = &mut card.earlier;
    match &earlier.answers {
        None => {
            earlier.wanted += 1;
            if earlier.wanted == 1 {
                effects.push(Effect::Recall { id });
            }
        }
        Some(answers) if answers.is_empty() => {
            let none = model.display.words.say("text-recall-none");
            if let Some(card) = model.card_mut() {
                card.message = Some(none);
            }
        }
        Some(answers) => {
            earlier.at = (earlier.at + 1).min(answers.len());
            show(model);
        }
    }
}

/// Steps to the next answer, towards the typed text.
pub(super) fn newer(model: &mut Model) {
    begin(model);
    let Some(card) = model.card_mut() else { return };
    let earlier = &mut card.earlier;
    if let Some(at) = earlier.at.checked_sub(1) {
        earlier.at = at;
        show(model);
    }
}

/// Whether the field holds an unchanged earlier answer.
pub(super) fn is_walking(model: &mut Model) -> bool {
    begin(model);
    model.card().is_some_and(|card| card.earlier.at > 0)
}

/// Offers own text from history as the first earlier answer, however old it is and wherever it was
/// given.
pub(super) fn choose(model: &mut Model) {
    let words = model.display.words;
    let key = key(model);
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let own = history
        .focused()
        .map(previous_answers::own_words)
        .unwrap_or_default();
    let own: Vec<String> = own.into_iter().map(str::to_owned).collect();
    history.message = Some(match own.is_empty() {
        true => words.say("history-again-none"),
        false => words.format("history-again", &[("key", key.into())]),
    });
    model.again.retain(|known| !own.contains(known));
    model.again.splice(0..0, own);
}

/// The message that unsent text can be had again, and how.
pub(crate) fn reuse_hint(model: &Model) -> String {
    if model.is_one_shot() {
        return model.display.words.say("card-words-printed");
    }
    let told = [("key", key(model).into())];
    model.display.words.format("card-words-kept", &told)
}

/// The name of the key that walks through earlier answers.
fn key(model: &Model) -> String {
    let older = Action::ReplaceText(ReplaceText::Older);
    let display = &model.display;
    let keys = display.keys.names(display.words, Context::Answering, older);
    keys.into_iter().next().unwrap_or_default()
}

/// Handles the closed asks that the hub keeps, the newest first.
pub(super) fn recalled(
    model: &mut Model,
    id: &AskId,
    records: &[Record],
    effects: &mut Vec<Effect>,
) {
    let chosen = model.again.clone();
    let Some(card) = model.card_mut().filter(|card| card.record.id == *id) else {
        return;
    };
    let mut answers = chosen;
    for answer in previous_answers::own_answers(records, card.record.asker.project.as_deref()) {
        if !answers.contains(&answer) {
            answers.push(answer);
        }
    }
    card.earlier.answers = Some(answers);
    let typing = card.focus().typing && card.tab == card.earlier.tab;
    let wanted = std::mem::take(&mut card.earlier.wanted);
    if typing && model.overlay.is_none() {
        for _ in 0..wanted {
            older(model, effects);
        }
    }
}

/// Starts the walk from the text in the field, unless that is an answer of the walk.
fn begin(model: &mut Model) {
    let Some(card) = model.card_mut() else { return };
    let tab = card.tab;
    let typed = card.entry().map(|entry| entry.field.text().to_owned());
    let typed = typed.unwrap_or_default();
    let earlier = &mut card.earlier;
    if earlier.at == 0 || earlier.tab != tab || earlier.shown() != Some(&typed) {
        earlier.tab = tab;
        earlier.at = 0;
        earlier.current = typed;
    }
}

fn show(model: &mut Model) {
    let Some(card) = model.card() else { return };
    let text = card.earlier.shown().unwrap_or(&card.earlier.current);
    let text = text.to_owned();
    typing::put(model, &text);
}
