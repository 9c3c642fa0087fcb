//! The texts of a form: safe to show, and short enough for a dialog.

use ask_core::ask::{Ask, Choice, Question};
use ask_core::sanitize::SafeText;

/// How many characters of the context, a question, a title and a choice a dialog can hold.
const CONTEXT: usize = 2_000;
pub(super) const QUESTION: usize = 1_000;
pub(super) const TITLE: usize = 80;
const CHOICE: usize = 240;

/// The message above the form.
pub(super) fn message(ask: &Ask, notice: Option<&str>) -> String {
    let mut parts: Vec<String> = notice
        .map(|notice| line(notice, QUESTION))
        .into_iter()
        .collect();
    parts.extend(ask.title.as_deref().map(|title| line(title, QUESTION)));
    let context = ask
        .context
        .as_deref()
        .map(SafeText::block)
        .unwrap_or_default();
    parts.push(cut(context.as_str().trim(), CONTEXT));
    match ask.questions.as_slice() {
        [question] => parts.push(block(&question.text, QUESTION)),
        several => {
            let lines = several.iter().enumerate();
            let lines =
                lines.map(|(at, one)| format!("{}. {}", at + 1, block(&one.text, QUESTION)));
            parts.push(lines.collect::<Vec<_>>().join("\n"));
        }
    }
    let previews = ask
        .questions
        .iter()
        .flat_map(|question| question.input.choices());
    let is_cut = context.as_str().trim().chars().count() > CONTEXT;
    if is_cut || previews.into_iter().any(|choice| choice.preview.is_some()) {
        parts.push("There is more to see than fits here: `ask-user inbox` shows all of it.".into());
    }
    parts.retain(|part| !part.trim().is_empty());
    parts.join("\n\n")
}

/// The titles of choices with these names.
pub(super) fn titles(question: &Question, names: &[String]) -> Vec<String> {
    let offered = question.input.choices();
    let title = |(at, name): (usize, &String)| match offered.get(at) {
        Some(choice) => title(choice, name),
        None => name.clone(),
    };
    names.iter().enumerate().map(title).collect()
}

/// The title of a choice: its name and its description.
pub(super) fn title(choice: &Choice, name: &str) -> String {
    let description = choice.description.as_deref().unwrap_or_default();
    match SafeText::line(description).as_str().trim() {
        "" => cut(name, CHOICE),
        description => cut(&format!("{name} — {description}"), CHOICE),
    }
}

/// A text for one line, cut to this many characters.
pub(super) fn line(text: &str, limit: usize) -> String {
    cut(SafeText::line(text).as_str().trim(), limit)
}

fn block(text: &str, limit: usize) -> String {
    cut(SafeText::block(text).as_str().trim(), limit)
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}
