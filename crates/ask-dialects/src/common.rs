//! What most dialects do alike: read a call that is a list of questions, and tell what became
//! of one ask. The words stay with their dialects, but for those that none of them has.

use serde_json::{Map, json};

use crate::lenient::{self, MAX_NAME};
use crate::{Call, Word, reply};
use ask_core::ask::{Ask, Input, Question};
use ask_core::draft::{Answer, Answered};
use ask_core::json::{self, Object, ProblemCollector};
use ask_core::outcome::Outcome;
use ask_core::record::Record;
use ask_core::{Json, Problem, Refusal};
use ask_protocol::Reply;

/// Reads a call that asks and waits; `ask` reads its arguments.
pub(crate) fn read(
    arguments: &Json,
    ask: impl FnOnce(&Object<'_>, &mut ProblemCollector) -> Ask,
) -> Result<Call, Refusal> {
    let root = lenient::root(arguments)?;
    let mut reader = ProblemCollector::default();
    let Some(object) = Object::from_json(&root, "") else {
        return Err(Problem::new("", "must be an object").into());
    };
    let ask = ask(&object, &mut reader);
    reader.verdict(Call::Ask {
        ask: Box::new(ask),
        agent: None,
        detached: false,
    })
}

/// The questions of a call, each as `one` reads it; `shape` says what each must be.
pub(crate) fn questions(
    root: &Object<'_>,
    most: usize,
    shape: &str,
    reader: &mut ProblemCollector,
    mut one: impl FnMut(&Object<'_>, usize, &mut ProblemCollector) -> Question,
) -> Vec<Question> {
    let items = match root.get("questions") {
        None => None,
        Some(value) => match lenient::list(value, "questions", reader) {
            None => return Vec::new(),
            items => items,
        },
    };
    let items = items.as_deref().unwrap_or_default();
    if !lenient::count_questions(items.len(), most, reader) {
        return Vec::new();
    }
    let mut questions = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let path = format!("questions[{at}]");
        match Object::from_json(item, &*path) {
            Some(object) => questions.push(one(&object, at, reader)),
            None => reader.refuse(path, format!("must be {shape}, not {}", json::kind(item))),
        }
    }
    questions
}

/// How a dialect reads what a question takes.
pub(crate) type ReadInput = fn(&Object<'_>, &mut ProblemCollector) -> Input;

/// A question as most dialects have it: a text, a header, and what it takes.
pub(crate) fn question(
    object: &Object<'_>,
    at: usize,
    reader: &mut ProblemCollector,
    input: ReadInput,
) -> Question {
    Question {
        id: lenient::counted(at, 0),
        text: lenient::question_text(object, &["question"], reader),
        label: lenient::visible(object.text(&["header"], MAX_NAME, reader)),
        input: input(object, reader),
        required: true,
        placeholder: None,
        default: None,
    }
}

/// Such questions and nothing else.
pub(crate) fn plain(
    input: ReadInput,
) -> impl FnMut(&Object<'_>, usize, &mut ProblemCollector) -> Question {
    move |object, at, reader| question(object, at, reader, input)
}

/// Adds a text to a reply, if there is one.
pub(crate) fn put(out: &mut Map<String, Json>, key: &str, text: Option<&str>) {
    if let Some(text) = text {
        out.insert(key.to_owned(), text.into());
    }
}

/// Writes what there is to tell, where one ask is told of in the same way whether it has ended or
/// not, and whoever wants to know.
pub(crate) fn write(
    word: Word<'_>,
    about: impl Fn(&Record) -> Reply,
    refused: fn(&Refusal) -> String,
) -> Reply {
    match word {
        Word::Closed(record) | Word::Open(record) => about(record),
        Word::Fetched(records) => reply::fetched(records, about),
        Word::NoSuchAsk(id) => reply::no_such_ask(id),
        Word::Refused(refusal) => Reply::error(refused(refusal)),
        Word::Failed(words) => Reply::error(words),
    }
}

/// What a dialect says that has words for answers, and not for everything else.
pub(crate) struct Says {
    /// What it asks: "these questions".
    pub these: &'static str,
    /// The ask is still open.
    pub open: fn(&Record) -> Reply,
    /// The person answered.
    pub answered: fn(&Ask, &Answered) -> Reply,
    /// The person won't, and perhaps why.
    pub declined: fn(Option<&str>) -> Reply,
    /// The call can't become an ask.
    pub refused: fn(&Refusal) -> String,
}

impl Says {
    /// Writes what there is to tell.
    pub fn write(&self, word: Word<'_>) -> Reply {
        let about = |record: &Record| {
            let reply = match record.settlement() {
                None => (self.open)(record),
                Some(settlement) => self.ended(&record.ask, &settlement.outcome),
            };
            reply.for_record(record)
        };
        write(word, about, self.refused)
    }

    fn ended(&self, ask: &Ask, outcome: &Outcome) -> Reply {
        let these = self.these;
        match outcome {
            Outcome::Answered(answered) => (self.answered)(ask, answered),
            Outcome::Declined { reason } => (self.declined)(reason.as_deref()),
            Outcome::Clarify { words } => Reply::error(clarify(these, ask, words)),
            Outcome::Expired => Reply::error(format!(
                "Nobody answered {these} in time. The user has neither agreed nor refused."
            )),
            Outcome::Withdrawn => {
                Reply::error(format!("Withdrawn before the user answered {these}."))
            }
        }
    }
}

fn clarify(these: &str, ask: &Ask, words: &str) -> String {
    let mut text = format!("The user wants to clarify {these} before answering:\n{words}");
    text.push_str(match ask.questions.len() {
        1 => "\n\nThe question:",
        _ => "\n\nThe questions:",
    });
    for question in &ask.questions {
        text.push_str("\n- ");
        text.push_str(&question.text);
    }
    text
}

/// A refusal where the dialect has no words for one.
pub(crate) fn cant_ask(refusal: &Refusal) -> String {
    format!("Can't ask this: {refusal}")
}

/// That somebody won't, and why.
pub(crate) fn because(words: &str, reason: Option<&str>) -> String {
    match reason {
        None => words.to_owned(),
        Some(reason) => format!("{words} Reason: {reason}"),
    }
}

/// An open ask in a dialect whose answers are an object, and which has no word for it.
pub(crate) fn open(record: &Record) -> Reply {
    Reply::json(json!({
        "answers": {},
        "waiting": true,
        "askId": record.id.as_str(),
        "howToAnswer": reply::STILL_OPEN,
    }))
}

/// An open ask in a dialect whose replies are text.
pub(crate) fn still_open(_record: &Record) -> Reply {
    Reply::text(reply::STILL_OPEN)
}

/// Adds what was noted: by question, and for the whole form.
pub(crate) fn with_notes(out: &mut Map<String, Json>, notes: Map<String, Json>, all: &Answered) {
    if !notes.is_empty() {
        out.insert("notes".into(), Json::Object(notes));
    }
    put(out, "note", all.note());
}

/// An answer as one text: what was picked and what was said, with commas between.
pub(crate) fn said(question: &Question, answer: &Answer) -> String {
    if answer.none {
        return "(none of these)".to_owned();
    }
    let parts: Vec<&str> = picked(&question.input, answer)
        .chain(answer.own.as_deref())
        .collect();
    parts.join(", ")
}

/// The labels of what was picked.
pub(crate) fn picked<'a>(input: &'a Input, answer: &'a Answer) -> impl Iterator<Item = &'a str> {
    answer.picks.iter().filter_map(|&pick| input.label(pick))
}
