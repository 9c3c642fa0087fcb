//! The `opencode` dialect of opencode's `question`: choice questions, a reply in one sentence.

use crate::lenient::{self, Doubles};
use crate::question_list;
use crate::reply::{self, Wording};
use crate::{Call, Dialect, Setting, Tool, ToolAction, Word};
use ask_core::ask::{Ask, Input, MAX_QUESTIONS};
use ask_core::draft::Answered;
use ask_core::json::{Object, ProblemCollector};
use ask_core::{Json, Refusal};
use ask_protocol::Reply;

/// The `opencode` dialect.
///
/// Like the built-in tool: any number of questions and of options, and without options the person's
/// own words; picks and own words are joined by `, `; a question without an answer is `Unanswered`;
/// nothing in the sentence is escaped.
///
/// Decided here: `header` and `options` may be missing; questions with the same text are not
/// numbered, because the sentence keeps their order; "none of these" is written in words; notes are
/// lines of their own after the sentence; an ask that ended without answers is an error, in the
/// built-in's words if the person declined; the reply for an open ask says so in words and names no
/// answers.
pub struct Opencode;

static TOOLS: [Tool; 1] = [Tool {
    name: "question",
    title: "Ask the user",
    contract: include_str!("opencode.question.tool.json"),
    example: include_str!("opencode.question.call.json"),
    does: ToolAction::Ask,
}];

const WORDING: Wording = Wording {
    these: "these questions",
    open: reply::still_open,
    answered: |ask, answered| Reply::text(answers(ask, answered)),
    declined,
    refused: reply::refusal_text,
};

impl Dialect for Opencode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing. Make questions \
         self-contained, put the recommended option first, marked \"(Recommended)\", and batch \
         related questions; own words are always possible. \"Unanswered\" is no answer: neither \
         it nor a dismissed or open question is consent. If the user wants to clarify, explain \
         and ask again."
    }

    fn read(&self, _tool: &str, arguments: &Json, _setting: &Setting) -> Result<Call, Refusal> {
        let shape = "an object with question, header and options";
        question_list::read(arguments, |root, reader| Ask {
            questions: question_list::questions(
                root,
                MAX_QUESTIONS,
                shape,
                reader,
                question_list::plain(input),
            ),
            ..Ask::default()
        })
    }

    fn write(&self, word: Word<'_>) -> Reply {
        WORDING.write(word)
    }
}

fn input(object: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    let choices = lenient::choices(object, &["options"], Doubles::Number, reader);
    let many = object.flag(&["multiple"], reader).unwrap_or(false);
    lenient::pick_input(choices, many)
}

fn answers(ask: &Ask, answered: &Answered) -> String {
    let mut pairs = Vec::new();
    let mut notes = String::new();
    for (question, answer) in ask.questions.iter().zip(answered.answers()) {
        let said = match answer.is_given() {
            true => reply::said(question, answer),
            false => "Unanswered".to_owned(),
        };
        pairs.push(format!("\"{}\"=\"{said}\"", question.text));
        if let Some(note) = &answer.note {
            notes.push_str(&format!("\nNote on \"{}\": {note}", question.text));
        }
    }
    if let Some(note) = answered.note() {
        notes.push_str(&format!("\nNote: {note}"));
    }
    format!(
        "User has answered your questions: {}. You can now continue with the user's answers in \
         mind.{notes}",
        pairs.join(", ")
    )
}

fn declined(reason: Option<&str>) -> Reply {
    let words = "The user dismissed this question";
    Reply::error(match reason {
        None => words.to_owned(),
        Some(_) => reply::with_reason(&format!("{words}."), reason),
    })
}
