//! A question read out: its text, its choices, and what was answered so far.

use ask_config::i18n::Words;
use ask_core::{Choice, Input, Question, Record};
use ask_hub::surface::labels;

use super::{block, line, on_one_line, spoken};
use crate::ui::form::{Entry, Form};
use crate::ui::text_field::Field;

/// How many choices are read out at once; the rest follows on request.
pub(crate) const CHOICES: usize = 20;

/// A question with its choices and its current answer. Empty if `at` is out of range.
pub(crate) fn read_out(said: Words, record: &Record, at: usize, entry: &Entry) -> Vec<String> {
    let Some(question) = record.ask.questions.get(at) else {
        return Vec::new();
    };
    let mut lines = vec![String::new()];
    let all = record.ask.questions.len();
    if all > 1 {
        lines.push(heading(said, question, at, all));
    }
    lines.push(spoken(said, &question.text));
    match &question.input {
        Input::Text => {
            if let Some(example) = &question.placeholder {
                lines.push(said.format("line-example", &[("text", line(example).into())]));
            }
        }
        Input::Confirm => {
            let labels =
                (0..question.input.len()).filter_map(|at| labels::label(said, &question.input, at));
            lines.extend(labels.enumerate().map(|(at, label)| {
                let facts = [("number", (at + 1).into()), ("label", label.into())];
                said.format("line-option", &facts)
            }));
        }
        Input::One(choices) | Input::Many(choices) => {
            lines.extend(some_choices(said, choices, 0));
        }
    }
    if !question.input.is_empty() {
        lines.push(said.say("line-option-own"));
    }
    if entry.is_given() {
        let answer = answered(said, question, entry);
        lines.push(said.format("line-so-far", &[("answer", answer.into())]));
    }
    lines.extend(note(said, &entry.note));
    lines
}

/// The question's note so far; `None` if it is blank.
pub(crate) fn note(said: Words, note: &Field) -> Option<String> {
    let facts = [("note", block(note.text()).into())];
    (!note.is_blank()).then(|| said.format("line-note-so-far", &facts))
}

/// The note on all answers so far; `None` if it is blank.
pub(crate) fn note_on_all(said: Words, note: &Field) -> Option<String> {
    let facts = [("note", block(note.text()).into())];
    (!note.is_blank()).then(|| said.format("line-note-all-so-far", &facts))
}

/// Up to [`CHOICES`] choices beginning with index `from`, and how to hear the rest.
pub(crate) fn some_choices(said: Words, choices: &[Choice], from: usize) -> Vec<String> {
    let mut lines: Vec<String> = choices
        .iter()
        .enumerate()
        .skip(from)
        .take(CHOICES)
        .map(|(at, choice)| option(said, at, choice))
        .collect();
    let more = choices.len().saturating_sub(from + CHOICES);
    if more > 0 {
        lines.push(said.format("line-options-more", &[("count", more.into())]));
    } else if lines.is_empty() {
        lines.push(said.say("line-options-no-more"));
    }
    lines
}

/// The choices whose text contains a word, ignoring case, under their usual numbers.
pub(crate) fn found(said: Words, choices: &[Choice], word: &str) -> Vec<String> {
    let wanted = word.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let with_word: Vec<String> = choices
        .iter()
        .enumerate()
        .filter(|(_, choice)| has(&choice.label) || choice.description.as_deref().is_some_and(has))
        .map(|(at, choice)| option(said, at, choice))
        .collect();
    let word = line(word);
    if with_word.is_empty() {
        return vec![said.format("line-found-none", &[("word", word.into())])];
    }
    let facts = [("count", with_word.len().into()), ("word", word.into())];
    let mut lines = vec![said.format("line-found", &facts)];
    lines.extend(with_word);
    lines
}

/// The prompt below a question, by its kind of input.
pub(crate) fn prompt(said: Words, question: &Question, has_several: bool) -> String {
    match (&question.input, has_several) {
        (input, _) if input.is_empty() => said.say("line-prompt-text"),
        (Input::Confirm, false) => said.say("line-prompt-confirm"),
        (Input::Confirm, true) => said.say("line-prompt-confirm-several"),
        (Input::Many(_), false) => said.say("line-prompt-many"),
        (Input::Many(_), true) => said.say("line-prompt-many-several"),
        (Input::Text | Input::One(_), false) => said.say("line-prompt-one"),
        (Input::Text | Input::One(_), true) => said.say("line-prompt-one-several"),
    }
}

/// Says that a line isn't an answer, and what an answer would be.
pub(crate) fn unclear(said: Words, input: &Input) -> String {
    let count = [("count", input.len().into())];
    match input {
        Input::Text => said.say("line-unclear-text"),
        Input::Confirm => said.say("line-unclear-confirm"),
        Input::One(_) => said.format("line-unclear-one", &count),
        Input::Many(_) => said.format("line-unclear-many", &count),
    }
}

/// All answers before they are sent. For a single question, its answer alone.
pub(crate) fn review(said: Words, record: &Record, form: &Form) -> Vec<String> {
    if let ([question], [entry]) = (&record.ask.questions[..], &form.entries[..]) {
        let facts = [("answer", with_note(said, question, entry).into())];
        let mut lines = vec![said.format("line-said", &facts)];
        lines.extend(note_on_all(said, &form.note));
        return lines;
    }
    let mut lines = vec![String::new(), said.say("line-review")];
    lines.extend(filled_in(said, record, form));
    let missing = form.missing(&record.ask);
    if !missing.is_empty() {
        let names = missing
            .iter()
            .map(|&at| on_one_line(said, record.ask.questions[at].short()));
        let facts = [
            ("count", missing.len().into()),
            ("names", names.collect::<Vec<_>>().join(", ").into()),
        ];
        lines.push(said.format("line-missing", &facts));
    }
    lines
}

/// The answers so far, one line for each question.
pub(crate) fn filled_in(said: Words, record: &Record, form: &Form) -> Vec<String> {
    let questions = record.ask.questions.iter().zip(&form.entries).enumerate();
    let mut lines: Vec<String> = questions
        .map(|(at, (question, entry))| row(said, at, question, with_note(said, question, entry)))
        .collect();
    if !form.note.is_blank() {
        let note = form.note.text();
        lines.push(said.format("line-review-note", &[("note", block(note).into())]));
    }
    lines
}

fn with_note(said: Words, question: &Question, entry: &Entry) -> String {
    let answer = match (entry.is_given(), question.required) {
        (true, _) => answered(said, question, entry),
        (false, true) => said.say("line-unanswered"),
        (false, false) => said.say("line-unanswered-optional"),
    };
    if entry.note.is_blank() {
        return answer;
    }
    let note = block(entry.note.text());
    let facts = [("answer", answer.into()), ("note", note.into())];
    said.format("line-noted", &facts)
}

/// A question and its answer on one line.
pub(crate) fn row(said: Words, at: usize, question: &Question, answer: String) -> String {
    let facts = [
        ("number", (at + 1).into()),
        ("question", on_one_line(said, question.short()).into()),
        ("answer", answer.into()),
    ];
    said.format("line-review-row", &facts)
}

/// An answer on one line, its parts separated by semicolons.
pub(crate) fn answered(said: Words, question: &Question, entry: &Entry) -> String {
    block(&labels::answer(said, question, &entry.answer()).join("; "))
}

fn heading(said: Words, question: &Question, at: usize, all: usize) -> String {
    let label = question.label.as_deref().map(line);
    let facts = [
        ("number", (at + 1).into()),
        ("count", all.into()),
        ("label", label.clone().unwrap_or_default().into()),
    ];
    match (label.is_some(), question.required) {
        (false, true) => said.format("line-question", &facts),
        (true, true) => said.format("line-question-label", &facts),
        (false, false) => said.format("line-question-optional", &facts),
        (true, false) => said.format("line-question-label-optional", &facts),
    }
}

fn option(said: Words, at: usize, choice: &Choice) -> String {
    let (label, recommended) = choice.recommended();
    let facts = [("number", (at + 1).into()), ("label", line(label).into())];
    let mut option = if recommended {
        said.format("line-option-recommended", &facts)
    } else {
        said.format("line-option", &facts)
    };
    if let Some(description) = &choice.description {
        let description = spoken(said, description);
        let open_ended =
            description.ends_with(|last: char| last.is_alphanumeric() || ")]}\"'»”".contains(last));
        let facts = [
            ("option", option.into()),
            ("description", description.into()),
        ];
        // A speech synthesizer pauses at a full stop, so the label ends like a sentence unless it
        // already does.
        option = if open_ended {
            said.format("line-option-described", &facts)
        } else {
            said.format("line-option-described-whole", &facts)
        };
    }
    if choice.preview.is_some() {
        let facts = [("option", option.into()), ("number", (at + 1).into())];
        option = said.format("line-option-preview", &facts);
    }
    option
}
