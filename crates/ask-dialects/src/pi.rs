//! The `pi` dialect of pi's `ask_user`: one type of question, no time limit, a reply that repeats
//! the questions; and the pending file of its print mode.

mod pending;

use serde_json::{Map, json};

use crate::lenient::{self, Doubles};
use crate::{Call, Dialect, Setting, Tool, ToolAction, Word, question_list, reply};
use ask_core::ask::{Ask, Input, MAX_QUESTIONS, Question};
use ask_core::draft::Answer;
use ask_core::json::{Object, ProblemCollector};
use ask_core::lifecycle::Settlement;
use ask_core::outcome::Outcome;
use ask_core::record::Record;
use ask_core::{Json, Refusal};
use ask_protocol::Reply;

pub use pending::{
    check_pending, is_blank_pending, is_pending_for, pending_id, pending_instructions,
    read_pending, show_pending, write_pending,
};

/// The `pi` dialect.
///
/// Decided here: text and structured value are the same compact reply, because some clients show
/// only one of them; the extension finds the specification's `details` in the meta key
/// `ask-user/details`. An unanswered question has `answer: null`, "none of these" an empty list.
/// For a pick with own words, the answer is the words, and the pick is named as well. What the
/// specification has no word for is an added key: `reason`, `clarify`, `note`, `timedOut`,
/// `withdrawn`, `waiting`.
pub struct Pi;

static TOOLS: [Tool; 1] = [Tool {
    name: "ask_user",
    title: "Ask User",
    contract: include_str!("pi.ask_user.tool.json"),
    example: include_str!("pi.ask_user.call.json"),
    does: ToolAction::Ask,
}];

/// The surface of answers from a pending file.
const PENDING_SURFACE: &str = "pending";
/// The surface of answers over JSON lines.
const RPC_SURFACE: &str = "rpc";

impl Dialect for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn tools(&self) -> &'static [Tool] {
        &TOOLS
    }

    fn instructions(&self) -> &'static str {
        "Ask the user when a decision is theirs or a fact is missing. Make questions \
         self-contained, put the recommended option first, marked \"(Recommended)\", and batch \
         related questions. Only answered: true holds answers, and an answer of null is none: \
         cancelled, waiting and pendingFile are not consent. clarify: explain, then ask again."
    }

    fn read(&self, _tool: &str, arguments: &Json, _setting: &Setting) -> Result<Call, Refusal> {
        let shape = "an object with a question";
        question_list::read(arguments, |root, reader| Ask {
            questions: question_list::questions(
                root,
                MAX_QUESTIONS,
                shape,
                reader,
                question_list::plain(input),
            ),
            metadata: lenient::metadata(root, reader),
            ..Ask::default()
        })
    }

    fn write(&self, word: Word<'_>) -> Reply {
        reply::write(word, record_reply, reply::refusal_text)
    }
}

/// The reply of print mode after the questions were written to a file.
pub fn pending_reply(path: &str) -> Reply {
    Reply::json(json!({"answered": false, "answers": [], "pendingFile": path}))
}

/// The reply if the client that should show the questions is gone.
pub fn lost_reply() -> Reply {
    Reply::json(json!({"answered": false, "answers": [], "connectionLost": true}))
}

/// The questions in this dialect's form, for clients that show them themselves.
fn write_questions(ask: &Ask) -> Json {
    ask.questions.iter().map(write_question).collect()
}

fn input(object: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    let names = ["options"];
    let (choices, _) = lenient::choices_or_suggestions(object, &names, Doubles::Number, reader);
    let many = object.flag(&["multiSelect"], reader).unwrap_or(false);
    lenient::pick_input(choices, many)
}

fn record_reply(record: &Record) -> Reply {
    let Some(settlement) = record.settlement() else {
        return reply::with_record(record, open(record));
    };
    let outcome = &settlement.outcome;
    let answers = answers(record, outcome);
    let mut out = Map::new();
    out.insert(
        "answered".into(),
        matches!(outcome, Outcome::Answered(_)).into(),
    );
    out.insert("answers".into(), answers.clone());
    match outcome {
        Outcome::Answered(answered) => reply::put(&mut out, "note", answered.note()),
        Outcome::Declined { reason } => {
            out.insert("cancelled".into(), true.into());
            reply::put(&mut out, "reason", reason.as_deref());
        }
        Outcome::Clarify { words } => reply::put(&mut out, "clarify", Some(words)),
        Outcome::Expired => {
            out.insert("timedOut".into(), true.into());
        }
        Outcome::Withdrawn => {
            out.insert("withdrawn".into(), true.into());
        }
    }
    let mut reply = reply::with_record(record, Json::Object(out));
    reply
        .meta
        .push(("ask-user/details", details(record, settlement, answers)));
    reply
}

fn answers(record: &Record, outcome: &Outcome) -> Json {
    match outcome {
        Outcome::Answered(answered) => record
            .ask
            .questions
            .iter()
            .zip(answered.answers())
            .map(answer)
            .collect(),
        Outcome::Declined { .. }
        | Outcome::Clarify { .. }
        | Outcome::Expired
        | Outcome::Withdrawn => json!([]),
    }
}

fn answer((question, answer): (&Question, &Answer)) -> Json {
    let labels: Vec<&str> = answer
        .picks
        .iter()
        .filter_map(|&pick| question.input.label(pick))
        .collect();
    let own = answer.own.as_deref();
    let mut out = Map::new();
    out.insert("question".into(), question.text.as_str().into());
    let said = match (&question.input, answer.is_given()) {
        (_, false) => Json::Null,
        (Input::Many(_), true) => labels.iter().copied().chain(own).collect(),
        (Input::Text | Input::One(_) | Input::Confirm, true) => {
            own.or(labels.first().copied()).into()
        }
    };
    out.insert("answer".into(), said);
    if !question.input.is_many() {
        reply::put(&mut out, "selectedOption", labels.first().copied());
    }
    out.insert("wasCustom".into(), own.is_some().into());
    reply::put(&mut out, "note", answer.note.as_deref());
    Json::Object(out)
}

fn details(record: &Record, settlement: &Settlement, answers: Json) -> Json {
    let mode = match settlement.surface.as_str() {
        PENDING_SURFACE => "print",
        RPC_SURFACE => "rpc",
        _ => "interactive",
    };
    let mut out = Map::new();
    out.insert("questions".into(), write_questions(&record.ask));
    out.insert("answers".into(), answers);
    out.insert("answeredAt".into(), settlement.at.0.into());
    out.insert("mode".into(), mode.into());
    let metadata = record.ask.metadata.as_deref();
    if let Some(metadata) = metadata.and_then(|text| serde_json::from_str(text).ok()) {
        out.insert("metadata".into(), metadata);
    }
    Json::Object(out)
}

fn write_question(question: &Question) -> Json {
    let mut out = Map::new();
    out.insert("question".into(), question.text.as_str().into());
    reply::put(&mut out, "header", question.label.as_deref());
    if !question.input.is_empty() {
        let options = (0..question.input.len()).map(|pick| write_option(&question.input, pick));
        out.insert("options".into(), options.collect());
    }
    if question.input.is_many() {
        out.insert("multiSelect".into(), true.into());
    }
    Json::Object(out)
}

fn write_option(input: &Input, pick: usize) -> Json {
    let mut out = Map::new();
    reply::put(&mut out, "label", input.label(pick));
    let description = input
        .choices()
        .get(pick)
        .and_then(|choice| choice.description.as_deref());
    reply::put(&mut out, "description", description);
    Json::Object(out)
}

fn open(record: &Record) -> Json {
    json!({
        "answered": false,
        "answers": [],
        "waiting": true,
        "askId": record.id.as_str(),
        "howToAnswer": reply::STILL_OPEN,
    })
}
