//! Parses calls that are a list of questions, as those of most dialects. Each dialect defines what
//! its questions take; `lenient` parses the values. The outcome of an ask is written in `reply`.

use ask_core::ask::{Ask, Input, Question};
use ask_core::json::{self, Object, ProblemCollector};
use ask_core::{Json, Problem, Refusal};

use crate::Call;
use crate::lenient::{self, MAX_NAME};

/// Parses a call that asks and waits. `ask` parses its arguments.
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

/// The questions of a call, each as `one` parses it. `shape` describes a question in a problem.
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

/// How a dialect parses the input of a question.
pub(crate) type ReadInput = fn(&Object<'_>, &mut ProblemCollector) -> Input;

/// Parses a question as most dialects have it: a text, a header, and its input.
pub(crate) fn question(
    object: &Object<'_>,
    at: usize,
    reader: &mut ProblemCollector,
    input: ReadInput,
) -> Question {
    Question {
        id: lenient::default_id(at, 0),
        text: lenient::question_text(object, &["question"], reader),
        label: lenient::visible(object.text(&["header"], MAX_NAME, reader)),
        input: input(object, reader),
        required: true,
        placeholder: None,
        default: None,
    }
}

/// Parses such questions and nothing else.
pub(crate) fn plain(
    input: ReadInput,
) -> impl FnMut(&Object<'_>, usize, &mut ProblemCollector) -> Question {
    move |object, at, reader| question(object, at, reader, input)
}
