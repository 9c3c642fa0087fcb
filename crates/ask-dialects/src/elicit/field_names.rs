//! The names of a form's fields and of their choices. The code that writes a form and the code that
//! reads it share them.

use std::collections::HashSet;

use ask_core::ask::{Ask, CONFIRM, Input, Question};
use ask_core::sanitize::SafeText;

/// The longest id that can be the name of a field.
const MAX_KEY: usize = 40;

/// The names of a question's fields.
pub(super) struct Keys {
    /// The name of the question's own field.
    pub main: String,
    /// The name of the field for own words.
    pub own: String,
    /// The names of the tick boxes, for several picks that can't be one field.
    pub boxes: Vec<String>,
}

/// The names of all fields, in the order of the questions. They are the questions' ids if all of
/// these can be names.
pub(super) fn keys(ask: &Ask) -> Vec<Keys> {
    let by_id: Vec<Keys> = ask
        .questions
        .iter()
        .map(|question| named(&question.id, question))
        .collect();
    if ask.questions.iter().all(|question| is_name(&question.id)) && all_differ(&by_id) {
        return by_id;
    }
    let numbered = ask.questions.iter().enumerate();
    numbered
        .map(|(at, question)| named(&format!("q{}", at + 1), question))
        .collect()
}

fn named(main: &str, question: &Question) -> Keys {
    Keys {
        main: main.to_owned(),
        own: format!("{main}_own_words"),
        boxes: (1..=question.input.len())
            .map(|number| format!("{main}_{number}"))
            .collect(),
    }
}

fn is_name(id: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    id.len() <= MAX_KEY
        && id.starts_with(|first: char| first.is_ascii_alphabetic())
        && id.bytes().all(part)
}

fn all_differ(keys: &[Keys]) -> bool {
    let mut seen = HashSet::new();
    keys.iter()
        .flat_map(|keys| [&keys.main, &keys.own].into_iter().chain(&keys.boxes))
        .all(|key| seen.insert(key))
}

/// The names of a question's choices: their labels, safe to show and made distinct.
pub(super) fn choices(input: &Input) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(input.len());
    let labels: Vec<&str> = match input {
        Input::Text => Vec::new(),
        Input::Confirm => CONFIRM.to_vec(),
        Input::One(choices) | Input::Many(choices) => {
            choices.iter().map(|choice| choice.label.as_str()).collect()
        }
    };
    let mut taken = HashSet::new();
    for (at, label) in labels.into_iter().enumerate() {
        let mut name = SafeText::line(label).to_string();
        while name.trim().is_empty() || taken.contains(&name) {
            name = format!("{}. {name}", at + 1);
        }
        taken.insert(name.clone());
        names.push(name);
    }
    names
}
