//! The `gemini` dialect of Gemini CLI's `ask_user`: one to four typed questions, a reply keyed by
//! the question's number from 0.

use serde_json::Map;

use crate::lenient::{self, Doubles, MAX_LABEL, Type};
use crate::question_list;
use crate::reply::{self, Wording};
use crate::{Call, Dialect, Setting, Tool, ToolAction, Word};
use ask_core::ask::{Ask, Input, Question};
use ask_core::draft::Answered;
use ask_core::json::{Object, ProblemCollector};
use ask_core::{Json, Refusal};
use ask_protocol::Reply;

/// The `gemini` dialect.
///
/// Like the built-in tool: several picks and own words are joined by `, `; a confirmation is `Yes`
/// or `No`, whatever options it has; a dismissed dialog is a text and no error.
///
/// Decided here: without a `type`, a question with options is a choice and one without is a text;
/// options need no description; a written-out `
/// ` stays as it is, since it occurs in paths; a question without an answer is left out of
/// `answers`, as in the built-in, and named in `unanswered`; "none of these" is written in words; a
/// reason follows the built-in's sentence; notes are `notes` by number and `note`; an ask-back, an
/// expired ask and a withdrawn one are errors; an open ask has empty `answers` and `waiting`.
pub struct Gemini;

static TOOLS: [Tool; 1] = [Tool {
    name: "ask_user",
    title: "Ask the user",
    contract: include_str!("gemini.ask_user.tool.json"),
    example: include_str!("gemini.ask_user.call.json"),
    does: ToolAction::Ask,
}];

const MAX_QUESTIONS: usize = 4;
const CHOICES: std::ops::RangeInclusive<usize> = 2..=4;
const TYPES: &str = "choice, text, yesno";

const WORDING: Wording = Wording {
    these: "these questions",
    open: reply::open,
    answered: answers,
    declined,
    refused: reply::refusal_text,
};

impl Dialect for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing. Make questions \
         self-contained, put the recommended option first, marked \"(Recommended)\", and batch \
         related questions; an Other choice is added for you. Only what stands in answers, by the \
         question's number from 0, is an answer: unanswered, waiting and dismissed questions are \
         not consent. If the user wants to clarify, explain and ask again."
    }

    fn read(&self, _tool: &str, arguments: &Json, _setting: &Setting) -> Result<Call, Refusal> {
        let shape = "an object with question, header and type";
        question_list::read(arguments, |root, reader| Ask {
            questions: question_list::questions(root, MAX_QUESTIONS, shape, reader, question),
            ..Ask::default()
        })
    }

    fn write(&self, word: Word<'_>) -> Reply {
        WORDING.write(word)
    }
}

fn question(object: &Object<'_>, at: usize, reader: &mut ProblemCollector) -> Question {
    let question = question_list::question(object, at, reader, input);
    Question {
        placeholder: lenient::visible(object.text(&["placeholder"], MAX_LABEL, reader)),
        ..question
    }
}

fn input(object: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    let kind = lenient::question_type(object, TYPES, reader);
    match kind {
        Some(Type::Text) => return Input::Text,
        Some(Type::Confirm) => return Input::Confirm,
        None if object.get("options").is_none() => return Input::Text,
        Some(Type::One | Type::Many) | None => {}
    }
    let choices = lenient::limited_choices(object, "options", CHOICES, Doubles::Number, reader);
    let many = object.flag(&["multiSelect"], reader).unwrap_or(false);
    lenient::pick_input(choices, many || kind == Some(Type::Many))
}

fn answers(ask: &Ask, answered: &Answered) -> Reply {
    let mut answers = Map::new();
    let mut unanswered: Vec<Json> = Vec::new();
    let mut notes = Map::new();
    for (at, (question, answer)) in ask.questions.iter().zip(answered.answers()).enumerate() {
        let number = at.to_string();
        if let Some(note) = &answer.note {
            notes.insert(number.clone(), note.as_str().into());
        }
        if answer.is_given() {
            answers.insert(number, reply::said(question, answer).into());
        } else {
            unanswered.push(number.into());
        }
    }
    let mut out = Map::new();
    out.insert("answers".into(), Json::Object(answers));
    if !unanswered.is_empty() {
        out.insert("unanswered".into(), unanswered.into());
    }
    reply::with_notes(&mut out, notes, answered);
    Reply::json(Json::Object(out))
}

fn declined(reason: Option<&str>) -> Reply {
    let words = "User dismissed ask_user dialog without answering.";
    Reply::text(reply::with_reason(words, reason))
}
