//! The `codex` dialect of Codex's `request_user_input`: one to three choice questions, a reply
//! keyed by question id.

use serde_json::{Map, json};

use crate::lenient::{self, Doubles};
use crate::question_list;
use crate::reply::{self, Wording};
use crate::{Call, Dialect, Setting, Tool, ToolAction, Word};
use ask_core::ask::{Ask, Input, MAX_QUESTIONS, Question};
use ask_core::draft::{Answer, Answered};
use ask_core::json::{Object, ProblemCollector};
use ask_core::{Json, Refusal};
use ask_protocol::Reply;

/// The `codex` dialect.
///
/// Like the built-in tool: every question needs options, in any number; more than three questions
/// are accepted although its description forbids them; a question without an answer has an empty
/// list; own words beside a pick follow it as `user_note: …`.
///
/// Decided here: own words alone are a `user_note: …`, too, without the built-in's "None of the
/// above", which nobody said; a missing id is default_id and a duplicate one is numbered; notes are
/// `notes` by id and `note`, because a remark alone is no answer; an ask that ended without answers
/// is an error, which begins with the built-in's sentence if the person declined; an open ask has
/// empty `answers` and `waiting`, and says that the agent may not decide, because Codex tells its
/// models to go on by themselves if a reply has no answers.
pub struct Codex;

static TOOLS: [Tool; 1] = [Tool {
    name: "request_user_input",
    title: "Ask the user",
    contract: include_str!("codex.request_user_input.tool.json"),
    example: include_str!("codex.request_user_input.call.json"),
    does: ToolAction::Ask,
}];

const NO_OPTIONS: &str = "must have choices: offer 2 or 3, such as {\"label\":\"PostgreSQL\"}; own \
                          words are always possible besides";

const WORDING: Wording = Wording {
    these: "these questions",
    open: reply::open,
    answered: answers,
    declined,
    refused: reply::refusal_text,
};

impl Dialect for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing. Make questions \
         self-contained, put the recommended option first, marked \"(Recommended)\", and batch \
         related questions; an Other choice is added for you. user_note: the user's own words. An \
         empty list is no answer; it, waiting and a cancelled request are not consent and not \
         yours to decide. If the user wants to clarify, explain and ask again."
    }

    fn read(&self, _tool: &str, arguments: &Json, _setting: &Setting) -> Result<Call, Refusal> {
        question_list::read(arguments, |root, reader| Ask {
            questions: questions(root, reader),
            ..Ask::default()
        })
    }

    fn write(&self, word: Word<'_>) -> Reply {
        WORDING.write(word)
    }
}

fn questions(root: &Object<'_>, reader: &mut ProblemCollector) -> Vec<Question> {
    let shape = "an object with id, header, question and options";
    let mut given = Vec::new();
    let questions =
        question_list::questions(root, MAX_QUESTIONS, shape, reader, |object, at, reader| {
            given.push(lenient::given_id(object, &["id"], reader));
            question_list::question(object, at, reader, input)
        });
    let ids = lenient::ids(given, lenient::default_id);
    let named = questions.into_iter().zip(ids);
    named
        .map(|(question, id)| Question { id, ..question })
        .collect()
}

fn input(object: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    let bare = match object.get("options") {
        None => true,
        Some(options) => options.as_array().is_some_and(Vec::is_empty),
    };
    if bare {
        reader.refuse(object.path_of("options"), NO_OPTIONS);
    }
    let choices = lenient::choices(object, &["options"], Doubles::Number, reader);
    lenient::pick_input(choices, false)
}

fn answers(ask: &Ask, answered: &Answered) -> Reply {
    let mut answers = Map::new();
    let mut notes = Map::new();
    for (question, answer) in ask.questions.iter().zip(answered.answers()) {
        let id = question.id.clone();
        if let Some(note) = &answer.note {
            notes.insert(id.clone(), note.as_str().into());
        }
        answers.insert(id, json!({"answers": said(question, answer)}));
    }
    let mut out = Map::new();
    out.insert("answers".into(), Json::Object(answers));
    reply::with_notes(&mut out, notes, answered);
    Reply::json(Json::Object(out))
}

fn said(question: &Question, answer: &Answer) -> Vec<String> {
    let picked = reply::picked(&question.input, answer).map(str::to_owned);
    let own = answer.own.as_deref().map(|own| match question.input {
        Input::Text => own.to_owned(),
        Input::One(_) | Input::Confirm | Input::Many(_) => format!("user_note: {own}"),
    });
    picked.chain(own).collect()
}

fn declined(reason: Option<&str>) -> Reply {
    let words = "request_user_input was cancelled before receiving a response: the user declined \
                 to answer.";
    Reply::error(reply::with_reason(words, reason))
}
