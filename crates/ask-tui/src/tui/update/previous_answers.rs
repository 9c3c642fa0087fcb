//! Earlier own answers, walked through in a field. They are read when they are
//! first wanted; what was typed before comes back at the end of the way.

use ask_config::keys::{Action, Aside, Context};
use ask_core::{AskId, Record};
use ask_hub::surface::previous_answers;

use super::{Effect, typing};
use crate::tui::model::{Model, Screen};

/// Where somebody is among their earlier answers.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// The answers, the latest first; none before they were read.
    answers: Option<Vec<String>>,
    /// Steps that were taken before they were read.
    wanted: usize,
    /// The question they are walked through for,
    tab: usize,
    /// how many steps back,
    at: usize,
    /// and what was typed there before.
    current: String,
}

impl Earlier {
    /// The answer that stands in the field.
    fn shown(&self) -> Option<&str> {
        let answers = self.answers.as_ref()?;
        answers.get(self.at.checked_sub(1)?).map(String::as_str)
    }
}

/// To the answer before.
pub fn older(model: &mut Model, effects: &mut Vec<Effect>) {
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
            let none = model.look.words.say("text-recall-none");
            if let Some(card) = model.card_mut() {
                card.remark = Some(none);
            }
        }
        Some(answers) => {
            earlier.at = (earlier.at + 1).min(answers.len());
            show(model);
        }
    }
}

/// Back towards what was typed.
pub fn newer(model: &mut Model) {
    begin(model);
    let Some(card) = model.card_mut() else { return };
    let earlier = &mut card.earlier;
    if let Some(at) = earlier.at.checked_sub(1) {
        earlier.at = at;
        show(model);
    }
}

/// Whether an earlier answer stands in the field as it was given.
pub fn is_walking(model: &mut Model) -> bool {
    begin(model);
    model.card().is_some_and(|card| card.earlier.at > 0)
}

/// Own words in the history are chosen to be given again: they come first from now on, however long
/// ago and wherever they were given.
pub fn choose(model: &mut Model) {
    let words = model.look.words;
    let key = key(model);
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let own = history
        .focused()
        .map(previous_answers::own_words)
        .unwrap_or_default();
    let own: Vec<String> = own.into_iter().map(str::to_owned).collect();
    history.remark = Some(match own.is_empty() {
        true => words.say("history-again-none"),
        false => words.with("history-again", &[("key", key.into())]),
    });
    model.again.retain(|known| !own.contains(known));
    model.again.splice(0..0, own);
}

/// That words which were not sent can be had again, and how.
pub fn kept(model: &Model) -> String {
    if model.is_one_shot() {
        return model.look.words.say("card-words-printed");
    }
    let told = [("key", key(model).into())];
    model.look.words.with("card-words-kept", &told)
}

/// The key that walks through earlier answers.
fn key(model: &Model) -> String {
    let older = Action::Aside(Aside::Older);
    let look = &model.look;
    let keys = look.keys.names(look.words, Context::Answering, older);
    keys.into_iter().next().unwrap_or_default()
}

/// What the hub keeps of closed asks, the latest first.
pub fn recalled(model: &mut Model, id: &AskId, records: &[Record], effects: &mut Vec<Effect>) {
    let chosen = model.again.clone();
    let Some(card) = model.card_mut().filter(|card| card.record.id == *id) else {
        return;
    };
    let mut answers = chosen;
    for answer in previous_answers::answers(records, card.record.asker.project.as_deref()) {
        if !answers.contains(&answer) {
            answers.push(answer);
        }
    }
    card.earlier.answers = Some(answers);
    let typing = card.spot().typing && card.tab == card.earlier.tab;
    let wanted = std::mem::take(&mut card.earlier.wanted);
    if typing && model.over.is_none() {
        for _ in 0..wanted {
            older(model, effects);
        }
    }
}

/// What stands in the field is where the way begins, unless it is a stop on the way.
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
