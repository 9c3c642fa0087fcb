//! The `claude` dialect of Claude Code's AskUserQuestion: one to four choice questions, a reply
//! keyed by the question's text.

use std::collections::HashSet;

use serde_json::{Map, json};

use crate::lenient::{self, Doubles};
use crate::question_list;
use crate::reply::{self, Wording};
use crate::{Call, Dialect, Setting, Tool, ToolAction, Word, strict};
use ask_core::ask::{Ask, Input, Question};
use ask_core::draft::{Answer, Answered};
use ask_core::json::{Object, ProblemCollector};
use ask_core::record::Record;
use ask_core::{Json, Problem, Refusal};
use ask_protocol::Reply;

/// The `claude` dialect.
///
/// Decided here: `header` may be missing and is not cut at 12 characters, since surfaces clip
/// chips; several picks and own words are joined by `, `; "none of these" is written in words; an
/// ask that ended without answers is an error; an open ask has empty `answers`, every question in
/// `unanswered`, and `waiting`.
pub struct Claude;

static TOOLS: [Tool; 1] = [Tool {
    name: "AskUserQuestion",
    title: "Ask the user",
    contract: include_str!("claude.AskUserQuestion.tool.json"),
    example: include_str!("claude.AskUserQuestion.call.json"),
    does: ToolAction::Ask,
}];

const MAX_QUESTIONS: usize = 4;
const CHOICES: std::ops::RangeInclusive<usize> = 2..=4;
const DOUBLES: &str =
    "Question texts must be unique, option labels must be unique within each question";

const WORDING: Wording = Wording {
    these: "these questions",
    open,
    answered: answers,
    declined,
    refused,
};

/// Properties that are accepted beyond the schema.
const EXTRA_PROPERTIES: strict::ExtraProperties = &[
    ("", &["answers", "annotations", "metadata"]),
    ("questions[].options[]", &["preview"]),
];

impl Dialect for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing. Make questions \
         self-contained, put the recommended option first, marked \"(Recommended)\", and batch \
         related questions; an Other choice is added for you. Only what stands in answers is an \
         answer: unanswered, waiting and declined questions are not consent. If the user wants to \
         clarify, explain and ask again."
    }

    fn read(&self, _tool: &str, arguments: &Json, _setting: &Setting) -> Result<Call, Refusal> {
        question_list::read(arguments, |root, reader| Ask {
            questions: questions(root, reader),
            metadata: lenient::metadata(root, reader),
            ..Ask::default()
        })
    }

    fn write(&self, word: Word<'_>) -> Reply {
        WORDING.write(word)
    }

    fn extra_properties(&self) -> strict::ExtraProperties {
        EXTRA_PROPERTIES
    }
}

fn questions(root: &Object<'_>, reader: &mut ProblemCollector) -> Vec<Question> {
    let shape = "an object with question, header and options";
    let mut seen = HashSet::new();
    question_list::questions(root, MAX_QUESTIONS, shape, reader, |object, at, reader| {
        let question = question_list::question(object, at, reader, input);
        if !seen.insert(lenient::as_shown(&question.text)) && !question.text.is_empty() {
            reader.refuse(object.path_of("question"), DOUBLES);
        }
        question
    })
}

fn input(object: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    let choices = lenient::limited_choices(object, "options", CHOICES, Doubles::Refuse, reader);
    let many = object.flag(&["multiSelect"], reader).unwrap_or(false);
    lenient::pick_input(choices, many)
}

/// If all problems are duplicates, the specification's sentence about duplicates replaces them.
fn refused(refusal: &Refusal) -> String {
    let repeats = |problem: &Problem| {
        problem.problem == DOUBLES || problem.problem.starts_with("repeats the label")
    };
    if refusal.problems.iter().all(repeats) {
        return DOUBLES.to_owned();
    }
    refusal.to_string()
}

fn declined(reason: Option<&str>) -> Reply {
    let words = "The user declined to answer these questions.";
    Reply::error(reply::with_reason(words, reason))
}

fn answers(ask: &Ask, answered: &Answered) -> Reply {
    let mut answers = Map::new();
    let mut unanswered = Vec::new();
    let mut annotations = Map::new();
    for (question, answer) in ask.questions.iter().zip(answered.answers()) {
        let key = question.text.clone();
        if answer.is_given() {
            answers.insert(key.clone(), reply::said(question, answer).into());
        } else {
            unanswered.push(Json::from(key.as_str()));
        }
        let annotation = annotation(question, answer);
        if !annotation.is_empty() {
            annotations.insert(key, Json::Object(annotation));
        }
    }
    let mut out = Map::new();
    out.insert("answers".into(), Json::Object(answers));
    if !unanswered.is_empty() {
        out.insert("unanswered".into(), unanswered.into());
    }
    if !annotations.is_empty() {
        out.insert("annotations".into(), Json::Object(annotations));
    }
    reply::put(&mut out, "note", answered.note());
    Reply::json(Json::Object(out))
}

pub(crate) fn annotation(question: &Question, answer: &Answer) -> Map<String, Json> {
    let mut out = Map::new();
    reply::put(&mut out, "notes", answer.note.as_deref());
    let picked = match (&question.input, answer.picks.as_slice()) {
        (Input::One(choices), [pick]) => choices.get(*pick),
        (Input::One(_) | Input::Many(_) | Input::Text | Input::Confirm, _) => None,
    };
    if let Some(preview) = picked.and_then(|choice| choice.preview.as_deref()) {
        out.insert("preview".into(), preview.into());
    }
    out
}

fn open(record: &Record) -> Reply {
    let unanswered: Vec<&str> = record
        .ask
        .questions
        .iter()
        .map(|question| question.text.as_str())
        .collect();
    Reply::json(json!({
        "answers": {},
        "unanswered": unanswered,
        "waiting": true,
        "askId": record.id.as_str(),
        "howToAnswer": reply::STILL_OPEN,
    }))
}
