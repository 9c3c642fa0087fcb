//! The sentences that read out a question: its text, its choices, and its answer so far.

use ask_config::i18n::Words;
use ask_core::{Choice, Input, Question, Record};
use ask_hub::surface::labels;

use super::{on_one_line, safe_block, safe_line, speech};
use crate::ui::form::{Entry, Form};
use crate::ui::text_field::Field;

/// How many choices are read out at once; the rest follows on request.
pub(crate) const CHOICES: usize = 20;

/// A question with its choices and its answer so far. Empty if `at` is out of range.
pub(crate) fn question_lines(
    words: Words,
    record: &Record,
    at: usize,
    entry: &Entry,
) -> Vec<String> {
    let Some(question) = record.ask.questions.get(at) else {
        return Vec::new();
    };
    let mut lines = vec![String::new()];
    let all = record.ask.questions.len();
    if all > 1 {
        lines.push(heading(words, question, at, all));
    }
    lines.push(speech(words, &question.text));
    match &question.input {
        Input::Text => {
            if let Some(example) = &question.placeholder {
                lines.push(words.format("line-example", &[("text", safe_line(example).into())]));
            }
        }
        Input::Confirm => {
            let labels = (0..question.input.len())
                .filter_map(|at| labels::label(words, &question.input, at));
            lines.extend(labels.enumerate().map(|(at, label)| {
                let facts = [("number", (at + 1).into()), ("label", label.into())];
                words.format("line-option", &facts)
            }));
        }
        Input::One(choices) | Input::Many(choices) => {
            lines.extend(choice_lines(words, choices, 0));
        }
    }
    if !question.input.is_empty() {
        lines.push(words.say("line-option-own"));
    }
    if entry.is_given() {
        let answer = answer_text(words, question, entry);
        lines.push(words.format("line-so-far", &[("answer", answer.into())]));
    }
    lines.extend(note_line(words, &entry.note));
    lines
}

/// The question's note so far; `None` if it is blank.
pub(crate) fn note_line(words: Words, note: &Field) -> Option<String> {
    let facts = [("note", safe_block(note.text()).into())];
    (!note.is_blank()).then(|| words.format("line-note-so-far", &facts))
}

/// The note on all answers so far; `None` if it is blank.
pub(crate) fn note_on_all_line(words: Words, note: &Field) -> Option<String> {
    let facts = [("note", safe_block(note.text()).into())];
    (!note.is_blank()).then(|| words.format("line-note-all-so-far", &facts))
}

/// Up to [`CHOICES`] choices beginning with index `from`, and how to request the rest.
pub(crate) fn choice_lines(words: Words, choices: &[Choice], from: usize) -> Vec<String> {
    let mut lines: Vec<String> = choices
        .iter()
        .enumerate()
        .skip(from)
        .take(CHOICES)
        .map(|(at, choice)| choice_line(words, at, choice))
        .collect();
    let more = choices.len().saturating_sub(from + CHOICES);
    if more > 0 {
        lines.push(words.format("line-options-more", &[("count", more.into())]));
    } else if lines.is_empty() {
        lines.push(words.say("line-options-no-more"));
    }
    lines
}

/// The choices whose text contains a word, ignoring case, under their usual numbers.
pub(crate) fn matching_choices(words: Words, choices: &[Choice], word: &str) -> Vec<String> {
    let wanted = word.to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    let matching: Vec<String> = choices
        .iter()
        .enumerate()
        .filter(|(_, choice)| has(&choice.label) || choice.description.as_deref().is_some_and(has))
        .map(|(at, choice)| choice_line(words, at, choice))
        .collect();
    let word = safe_line(word);
    if matching.is_empty() {
        return vec![words.format("line-found-none", &[("word", word.into())])];
    }
    let facts = [("count", matching.len().into()), ("word", word.into())];
    let mut lines = vec![words.format("line-found", &facts)];
    lines.extend(matching);
    lines
}

/// The prompt below a question, by its kind of input.
pub(crate) fn prompt(words: Words, question: &Question, has_several: bool) -> String {
    match (&question.input, has_several) {
        (input, _) if input.is_empty() => words.say("line-prompt-text"),
        (Input::Confirm, false) => words.say("line-prompt-confirm"),
        (Input::Confirm, true) => words.say("line-prompt-confirm-several"),
        (Input::Many(_), false) => words.say("line-prompt-many"),
        (Input::Many(_), true) => words.say("line-prompt-many-several"),
        (Input::Text | Input::One(_), false) => words.say("line-prompt-one"),
        (Input::Text | Input::One(_), true) => words.say("line-prompt-one-several"),
    }
}

/// The message that a line isn't an answer, and what an answer would be.
pub(crate) fn unclear_message(words: Words, input: &Input) -> String {
    let count = [("count", input.len().into())];
    match input {
        Input::Text => words.say("line-unclear-text"),
        Input::Confirm => words.say("line-unclear-confirm"),
        Input::One(_) => words.format("line-unclear-one", &count),
        Input::Many(_) => words.format("line-unclear-many", &count),
    }
}

/// All answers before they are sent. For a single question, its answer alone.
pub(crate) fn review(words: Words, record: &Record, form: &Form) -> Vec<String> {
    if let ([question], [entry]) = (&record.ask.questions[..], &form.entries[..]) {
        let facts = [("answer", answer_with_note(words, question, entry).into())];
        let mut lines = vec![words.format("line-said", &facts)];
        lines.extend(note_on_all_line(words, &form.note));
        return lines;
    }
    let mut lines = vec![String::new(), words.say("line-review")];
    lines.extend(answer_lines(words, record, form));
    let missing = form.missing(&record.ask);
    if !missing.is_empty() {
        let names = missing
            .iter()
            .map(|&at| on_one_line(words, record.ask.questions[at].short()));
        let facts = [
            ("count", missing.len().into()),
            ("names", names.collect::<Vec<_>>().join(", ").into()),
        ];
        lines.push(words.format("line-missing", &facts));
    }
    lines
}

/// The answers so far, one line for each question.
pub(crate) fn answer_lines(words: Words, record: &Record, form: &Form) -> Vec<String> {
    let questions = record.ask.questions.iter().zip(&form.entries).enumerate();
    let mut lines: Vec<String> = questions
        .map(|(at, (question, entry))| {
            answer_row(
                words,
                at,
                question,
                answer_with_note(words, question, entry),
            )
        })
        .collect();
    if !form.note.is_blank() {
        let note = form.note.text();
        lines.push(words.format("line-review-note", &[("note", safe_block(note).into())]));
    }
    lines
}

fn answer_with_note(words: Words, question: &Question, entry: &Entry) -> String {
    let answer = match (entry.is_given(), question.required) {
        (true, _) => answer_text(words, question, entry),
        (false, true) => words.say("line-unanswered"),
        (false, false) => words.say("line-unanswered-optional"),
    };
    if entry.note.is_blank() {
        return answer;
    }
    let note = safe_block(entry.note.text());
    let facts = [("answer", answer.into()), ("note", note.into())];
    words.format("line-noted", &facts)
}

/// A question and its answer on one line.
pub(crate) fn answer_row(words: Words, at: usize, question: &Question, answer: String) -> String {
    let facts = [
        ("number", (at + 1).into()),
        ("question", on_one_line(words, question.short()).into()),
        ("answer", answer.into()),
    ];
    words.format("line-review-row", &facts)
}

/// An answer on one line, its parts separated by semicolons.
pub(crate) fn answer_text(words: Words, question: &Question, entry: &Entry) -> String {
    safe_block(&labels::answer(words, question, &entry.answer()).join("; "))
}

fn heading(words: Words, question: &Question, at: usize, all: usize) -> String {
    let label = question.label.as_deref().map(safe_line);
    let facts = [
        ("number", (at + 1).into()),
        ("count", all.into()),
        ("label", label.clone().unwrap_or_default().into()),
    ];
    match (label.is_some(), question.required) {
        (false, true) => words.format("line-question", &facts),
        (true, true) => words.format("line-question-label", &facts),
        (false, false) => words.format("line-question-optional", &facts),
        (true, false) => words.format("line-question-label-optional", &facts),
    }
}

fn choice_line(words: Words, at: usize, choice: &Choice) -> String {
    let (label, recommended) = choice.recommended();
    let facts = [
        ("number", (at + 1).into()),
        ("label", safe_line(label).into()),
    ];
    let mut option = if recommended {
        words.format("line-option-recommended", &facts)
    } else {
        words.format("line-option", &facts)
    };
    if let Some(description) = &choice.description {
        let description = speech(words, description);
        let lacks_full_stop =
            description.ends_with(|last: char| last.is_alphanumeric() || ")]}\"'»”".contains(last));
        let facts = [
            ("option", option.into()),
            ("description", description.into()),
        ];
        // A speech synthesizer pauses at a full stop, so the label ends like a sentence unless it
        // already does.
        option = if lacks_full_stop {
            words.format("line-option-described", &facts)
        } else {
            words.format("line-option-described-whole", &facts)
        };
    }
    if choice.preview.is_some() {
        let facts = [("option", option.into()), ("number", (at + 1).into())];
        option = words.format("line-option-preview", &facts);
    }
    option
}
