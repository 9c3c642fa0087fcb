//! Asks and answers as safe text for the clipboard.

use ask_config::i18n::Words;
use ask_core::{Answer, Ask, Draft, Question, SafeText};
use ask_hub::surface::labels;

/// The questions of an ask as Markdown: the one at index `only`, or all.
pub(crate) fn question(ask: &Ask, only: Option<usize>) -> String {
    let mut blocks = Vec::new();
    if let Some(title) = ask.title.as_deref() {
        blocks.push(format!("# {}", SafeText::line(title)));
    }
    if let Some(context) = ask.context.as_deref() {
        blocks.push(SafeText::block(context.trim()).to_string());
    }
    for (at, question) in ask.questions.iter().enumerate() {
        if only.is_none_or(|only| only == at) {
            blocks.extend(question_blocks(question));
        }
    }
    blocks.join("\n\n") + "\n"
}

fn question_blocks(question: &Question) -> Vec<String> {
    let mut blocks = Vec::new();
    if let Some(label) = question.label.as_deref() {
        blocks.push(format!("## {}", SafeText::line(label)));
    }
    blocks.push(SafeText::block(question.text.trim()).to_string());
    let choices = question.input.choices().iter().enumerate();
    let rows: Vec<String> = choices
        .map(|(at, choice)| {
            let label = SafeText::line(&choice.label);
            let about = choice.description.as_deref().map(SafeText::line);
            let about = about.map_or_else(String::new, |about| format!(": {about}"));
            format!("{}. {label}{about}", at + 1)
        })
        .collect();
    if !rows.is_empty() {
        blocks.push(rows.join("\n"));
    }
    blocks
}

/// A form as text: a paragraph for each answer, including missing ones, and all notes.
pub(crate) fn answers(words: Words, ask: &Ask, draft: &Draft) -> String {
    let mut lines = Vec::new();
    for (at, question) in ask.questions.iter().enumerate() {
        let answer = draft.answers.get(at).cloned().unwrap_or_default();
        let name = question.name();
        lines.push(format!("{name}: {}", answer_text(words, question, &answer)));
        if let Some(note) = answer.note.as_deref() {
            lines.push(note_line(words, note));
        }
    }
    if let Some(note) = draft.note.as_deref() {
        lines.push(note_line(words, note));
    }
    lines.join("\n") + "\n"
}

/// What was typed and not sent: a heading that says so, the form, and other texts.
pub(crate) fn unsent(words: Words, form: Option<(&Ask, &Draft)>, other_texts: &[String]) -> String {
    let heading = words.say("shared-not-sent") + "\n" + &words.say("line-unsent") + "\n";
    heading + &form_and_texts(words, form, other_texts)
}

/// A form as text, and other texts that were typed.
pub(crate) fn form_and_texts(
    words: Words,
    form: Option<(&Ask, &Draft)>,
    other_texts: &[String],
) -> String {
    let mut text = String::new();
    if let Some((ask, draft)) = form {
        text.push_str(&answers(words, ask, draft));
    }
    for other in other_texts {
        text.push_str(SafeText::block(other.trim_end()).as_str());
        text.push('\n');
    }
    text
}

fn answer_text(words: Words, question: &Question, answer: &Answer) -> String {
    let lines = labels::answer(words, question, answer);
    if lines.is_empty() {
        return words.say("card-not-answered");
    }
    SafeText::block(&lines.join("\n")).to_string()
}

fn note_line(words: Words, note: &str) -> String {
    let note = SafeText::block(note).to_string();
    words.format("card-note-beside", &[("note", note.into())])
}

#[cfg(test)]
mod tests {
    use ask_core::{Choice, Input};

    use ask_config::i18n::Language;

    use super::*;
    use crate::fixtures::{database, features, question as asked};

    #[test]
    fn a_question_is_markdown_without_escape_sequences() {
        let mut hostile = asked(
            "Name\u{1b}[2J",
            "Which\u{202e}?",
            Input::One(vec![Choice::new("a\u{1b}]0;x\u{7}b")]),
        );
        hostile.required = false;
        let ask = Ask {
            title: Some("Orders".into()),
            context: Some("About 40 a minute.".into()),
            questions: vec![database(), hostile],
            ..Ask::default()
        };
        let all = question(&ask, None);
        assert!(all.starts_with(
            "# Orders\n\nAbout 40 a minute.\n\n## Database\n\nWhich database should we use?\n\n\
             1. PostgreSQL (Recommended): Battle-tested relational DB\n2. SQLite: "
        ));
        assert!(!all.contains(['\u{1b}', '\u{202e}', '\u{7}']));
        assert!(!question(&ask, Some(1)).contains("Database"));
    }

    #[test]
    fn answers_are_lines_with_their_notes() {
        let ask = Ask {
            questions: vec![database(), features()],
            ..Ask::default()
        };
        let mut answer = Answer::picking([1]);
        answer.note = Some("for v1".into());
        let draft = Draft {
            answers: vec![answer, Answer::default()],
            note: Some("no hurry".into()),
        };
        let words = Words::for_language(Language::English);
        assert_eq!(
            answers(words, &ask, &draft),
            "Database: SQLite\nnote: for v1\nFeatures: not answered\nnote: no hurry\n"
        );
    }
}
