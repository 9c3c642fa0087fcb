//! The `claude` dialect of Claude Code's AskUserQuestion: one to four choice questions, a reply keyed
//! by the question's text.

use std::collections::HashSet;

use serde_json::{Map, json};

use super::json::{self, Object, Reader};
use super::liberal::{self, Doubles, MAX_NAME};
use super::{
    Call, Dialect, Does, Json, Problem, Refusal, Reply, Setting, Tool, Word, reply, strict,
};
use crate::ask::{Ask, Choice, Input, Question};
use crate::draft::{Answer, Answered};
use crate::outcome::Outcome;
use crate::record::Record;

/// The `claude` dialect.
///
/// Decided here: `header` may be missing and is not cut at 12 characters, since
/// surfaces clip chips; several picks and own words are joined by `, `; "none of
/// these" is said in words; what ended without answers is an error; an ask still
/// open has empty `answers`, every question in `unanswered`, and `waiting`.
pub struct Claude;

static TOOLS: [Tool; 1] = [Tool {
    name: "AskUserQuestion",
    title: "Ask the user",
    contract: include_str!("claude.AskUserQuestion.tool.json"),
    does: Does::Ask,
}];

const MAX_QUESTIONS: usize = 4;
const CHOICES: std::ops::RangeInclusive<usize> = 2..=4;
const DOUBLES: &str =
    "Question texts must be unique, option labels must be unique within each question";

/// Accepted besides the schema.
const ALSO: strict::Also = &[
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
        let root = liberal::root(arguments)?;
        let mut reader = Reader::default();
        let Some(object) = Object::of(&root, "") else {
            return Err(Problem::new("questions", "is missing").into());
        };
        let ask = Ask {
            questions: questions(&object, &mut reader),
            metadata: liberal::metadata(&object, &mut reader),
            ..Ask::default()
        };
        reader.verdict(Call::Ask {
            ask: Box::new(ask),
            agent: None,
            detached: false,
        })
    }

    fn write(&self, word: Word<'_>) -> Reply {
        match word {
            Word::Closed(record) | Word::Open(record) => about(record),
            Word::Fetched(records) => reply::fetched(records, about),
            Word::NoSuchAsk(id) => reply::no_such_ask(id),
            Word::Refused(refusal) => Reply::error(refused(refusal)),
            Word::Failed(words) => Reply::error(words),
        }
    }

    fn strict(&self, _tool: &str, arguments: &Json) -> Vec<Problem> {
        strict::unknown(TOOLS[0].contract, arguments, ALSO)
    }
}

fn questions(root: &Object<'_>, reader: &mut Reader) -> Vec<Question> {
    let items = match root.get("questions") {
        None => None,
        Some(value) => match liberal::list(value, "questions", reader) {
            None => return Vec::new(),
            items => items,
        },
    };
    let items = items.as_deref().unwrap_or_default();
    if !liberal::count_questions(items.len(), MAX_QUESTIONS, reader) {
        return Vec::new();
    }
    let mut questions: Vec<Question> = Vec::with_capacity(items.len());
    let mut seen = HashSet::new();
    for (at, item) in items.iter().enumerate() {
        let path = format!("questions[{at}]");
        let Some(object) = Object::of(item, &*path) else {
            reader.refuse(
                path,
                format!(
                    "must be an object with question, header and options, not {}",
                    json::kind(item)
                ),
            );
            continue;
        };
        let question = question(&object, at, reader);
        if !seen.insert(liberal::looks(&question.text)) && !question.text.is_empty() {
            reader.refuse(object.at("question"), DOUBLES);
        }
        questions.push(question);
    }
    questions
}

fn question(object: &Object<'_>, at: usize, reader: &mut Reader) -> Question {
    Question {
        id: liberal::counted(at, 0),
        text: liberal::question_text(object, &["question"], reader),
        label: liberal::visible(object.text(&["header"], MAX_NAME, reader)),
        input: input(object, reader),
        required: true,
        placeholder: None,
        default: None,
    }
}

fn input(object: &Object<'_>, reader: &mut Reader) -> Input {
    let choices = choices(object, reader);
    let many = object.flag(&["multiSelect"], reader).unwrap_or(false);
    liberal::pick_input(choices, many)
}

fn choices(object: &Object<'_>, reader: &mut Reader) -> Vec<Choice> {
    let path = object.at("options");
    let Some(value) = object.get("options") else {
        reader.refuse(
            path,
            "is missing: offer 2 to 4 choices such as {\"label\":\"PostgreSQL\"}",
        );
        return Vec::new();
    };
    let count = liberal::choice_count(value);
    if let Some(count) = count.filter(|count| !CHOICES.contains(count)) {
        reader.refuse(
            path,
            format!("must be 2 to 4 choices, not {count}: own words are always possible besides"),
        );
        return Vec::new();
    }
    liberal::choices(object, &["options"], Doubles::Refuse, reader)
}

/// The specification's sentence about doubles says it all at once, so it stands alone.
fn refused(refusal: &Refusal) -> String {
    let repeats = |problem: &Problem| {
        problem.problem == DOUBLES || problem.problem.starts_with("repeats the label")
    };
    if refusal.problems.iter().all(repeats) {
        return DOUBLES.to_owned();
    }
    refusal.to_string()
}

fn about(record: &Record) -> Reply {
    let Some(settlement) = record.settlement() else {
        return reply::about(record, open(record));
    };
    let reply = match &settlement.outcome {
        Outcome::Answered(answered) => Reply::json(answers(&record.ask, answered)),
        Outcome::Declined { reason: None } => {
            Reply::error("The user declined to answer these questions.")
        }
        Outcome::Declined {
            reason: Some(reason),
        } => Reply::error(format!(
            "The user declined to answer these questions. Reason: {reason}"
        )),
        Outcome::Clarify { words } => Reply::error(clarify(&record.ask, words)),
        Outcome::Expired => Reply::error(
            "Nobody answered these questions in time. The user has neither agreed nor refused.",
        ),
        Outcome::Withdrawn => {
            Reply::error("These questions were withdrawn before the user answered them.")
        }
    };
    reply::with_facts(record, reply)
}

fn clarify(ask: &Ask, words: &str) -> String {
    let mut text = format!(
        "The user wants to clarify these questions before answering:\n{words}\n\nThe questions:"
    );
    for question in &ask.questions {
        text.push_str("\n- ");
        text.push_str(&question.text);
    }
    text
}

fn answers(ask: &Ask, answered: &Answered) -> Json {
    let mut answers = Map::new();
    let mut unanswered = Vec::new();
    let mut annotations = Map::new();
    for (question, answer) in ask.questions.iter().zip(answered.answers()) {
        let key = question.text.clone();
        if answer.is_given() {
            answers.insert(key.clone(), said(question, answer).into());
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
    if let Some(note) = answered.note() {
        out.insert("note".into(), note.into());
    }
    Json::Object(out)
}

pub(super) fn said(question: &Question, answer: &Answer) -> String {
    if answer.none {
        return "(none of these)".to_owned();
    }
    let picked = answer
        .picks
        .iter()
        .filter_map(|&pick| question.input.label(pick));
    let parts: Vec<&str> = picked.chain(answer.own.as_deref()).collect();
    parts.join(", ")
}

pub(super) fn annotation(question: &Question, answer: &Answer) -> Map<String, Json> {
    let mut out = Map::new();
    if let Some(note) = &answer.note {
        out.insert("notes".into(), note.as_str().into());
    }
    let picked = match (&question.input, answer.picks.as_slice()) {
        (Input::One(choices), [pick]) => choices.get(*pick),
        (Input::One(_) | Input::Many(_) | Input::Text | Input::Confirm, _) => None,
    };
    if let Some(preview) = picked.and_then(|choice| choice.preview.as_deref()) {
        out.insert("preview".into(), preview.into());
    }
    out
}

fn open(record: &Record) -> Json {
    let unanswered: Vec<&str> = record
        .ask
        .questions
        .iter()
        .map(|question| question.text.as_str())
        .collect();
    json!({
        "answers": {},
        "unanswered": unanswered,
        "waiting": true,
        "askId": record.id.as_str(),
        "howToAnswer": reply::STILL_OPEN,
    })
}
