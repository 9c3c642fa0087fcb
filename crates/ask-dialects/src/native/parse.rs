//! Parses native calls: the union of the other dialects' properties, for one question at the root
//! as well as for many.

use crate::lenient::{self, Doubles, MAX_LABEL, MAX_NAME, MAX_TEXT};
use crate::native::LIMIT_MS;
use crate::{Call, Wait};
use ask_core::ask::{Ask, Choice, Input, Question};
use ask_core::json::{self, MAX_CALL_BYTES, Object, ProblemCollector};
use ask_core::{Json, Refusal};

/// How many questions one native call may ask.
const MAX_QUESTIONS: usize = 20;

const TEXTS: [&str; 3] = ["question", "prompt", "text"];
const CHOICES: [&str; 2] = ["options", "choices"];
const MANY: [&str; 3] = ["multiSelect", "multi_select", "multiple"];

/// Parses a call of `ask_user_result`.
pub(super) fn fetch(root: &Json) -> Result<Call, Refusal> {
    let mut reader = ProblemCollector::default();
    let Some(root) = Object::from_json(root, "") else {
        return reader.verdict(Call::Fetch {
            id: None,
            wait: Wait::No,
        });
    };
    let id = root.text(&["askId", "ask_id", "id"], MAX_NAME, &mut reader);
    let id = lenient::visible(id).map(|id| id.trim().to_owned());
    let wait = match root.number("wait", &mut reader) {
        None if id.is_some() => Wait::Forever,
        None => Wait::No,
        Some(ms) => match u64::try_from(ms) {
            Ok(0) | Err(_) => Wait::No,
            Ok(ms) => Wait::Ms(ms.min(LIMIT_MS.1)),
        },
    };
    reader.verdict(Call::Fetch { id, wait })
}

/// Parses a call of `ask_user`.
pub(super) fn ask(root: &Json) -> Result<Call, Refusal> {
    let mut reader = ProblemCollector::default();
    let Some(object) = Object::from_json(root, "") else {
        return Err(Refusal {
            problems: reader.problems(),
        });
    };
    let alone = object.get("questions").is_none() && object.first(&TEXTS).is_some();
    let questions = if alone {
        vec![question(&object, true, &mut reader)]
    } else {
        listed(&object, &mut reader)
    };
    let given = questions
        .iter()
        .map(|question| (!question.id.is_empty()).then(|| question.id.clone()));
    let ids = lenient::ids(given.collect(), lenient::default_id);
    let questions = questions
        .into_iter()
        .zip(ids)
        .map(|(question, id)| Question { id, ..question });
    let ask = Ask {
        title: lenient::visible(object.text(&["title"], MAX_NAME, &mut reader)),
        context: lenient::visible(object.text(&["context"], MAX_CALL_BYTES, &mut reader)),
        questions: questions.collect(),
        limit_ms: limit(&object, &mut reader),
        metadata: lenient::metadata(&object, &mut reader),
    };
    let agent = lenient::visible(object.text(&["agent"], MAX_NAME, &mut reader));
    reader.verdict(Call::Ask {
        ask: Box::new(ask),
        agent,
        detached: false,
    })
}

fn listed(root: &Object<'_>, reader: &mut ProblemCollector) -> Vec<Question> {
    let items = match root.get("questions") {
        None => None,
        Some(value) => match lenient::list(value, "questions", reader) {
            None => return Vec::new(),
            items => items,
        },
    };
    let items = items.as_deref().unwrap_or_default();
    if !lenient::count_questions(items.len(), MAX_QUESTIONS, reader) {
        return Vec::new();
    }
    let mut questions = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let path = format!("questions[{at}]");
        match (Object::from_json(item, &*path), item.as_str()) {
            (Some(object), _) => questions.push(question(&object, false, reader)),
            (None, Some(text)) if lenient::is_visible(text) => questions.push(plain_question(text)),
            (None, _) => reader.refuse(
                path,
                "must be a question such as {\"question\":\"Which database?\"}",
            ),
        }
    }
    questions
}

/// A question that is only its text.
fn plain_question(text: &str) -> Question {
    Question {
        id: String::new(),
        text: json::cut(text, MAX_TEXT),
        label: None,
        input: Input::Text,
        required: true,
        placeholder: None,
        default: None,
    }
}

/// Parses a question. At the root, `title` belongs to the form. In a list, it can only be a chip.
fn question(object: &Object<'_>, alone: bool, reader: &mut ProblemCollector) -> Question {
    let labels: &[&str] = if alone {
        &["header", "label"]
    } else {
        &["header", "label", "title"]
    };
    Question {
        id: lenient::given_id(object, &["id", "questionId"], reader).unwrap_or_default(),
        text: lenient::question_text(object, &TEXTS, reader),
        label: lenient::visible(object.text(labels, MAX_NAME, reader)),
        input: input(object, reader),
        required: object.flag(&["required"], reader).unwrap_or(true),
        placeholder: lenient::visible(object.text(&["placeholder"], MAX_LABEL, reader)),
        default: lenient::visible(object.text(&["default"], MAX_TEXT, reader)),
    }
}

fn input(object: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    let (choices, are_suggested) =
        lenient::choices_or_suggestions(object, &CHOICES, Doubles::Number, reader);
    let many = object.flag(&MANY, reader).unwrap_or(false);
    match lenient::question_type(object, lenient::TYPES, reader) {
        None => lenient::pick_input(choices, many),
        Some(lenient::Type::Text) if are_suggested => lenient::pick_input(choices, many),
        Some(lenient::Type::Text) => Input::Text,
        Some(lenient::Type::One) if choices.is_empty() => no_choices(object, reader),
        Some(lenient::Type::Many) if choices.is_empty() => no_choices(object, reader),
        Some(lenient::Type::One) => lenient::pick_input(choices, many),
        Some(lenient::Type::Many) => Input::Many(choices),
        Some(lenient::Type::Confirm) if says_more_than_yes_and_no(&choices) => Input::One(choices),
        Some(lenient::Type::Confirm) => Input::Confirm,
    }
}

fn no_choices(object: &Object<'_>, reader: &mut ProblemCollector) -> Input {
    if object
        .first(&CHOICES)
        .is_none_or(|(_, value)| value.as_array().is_some_and(Vec::is_empty))
    {
        let path = object.path_of("options");
        reader.refuse(path, "a select needs choices such as [{\"label\":\"PostgreSQL\"}]; without any, leave out \"type\"");
    }
    Input::Text
}

/// Whether a confirmation has choices whose words would get lost in it.
fn says_more_than_yes_and_no(choices: &[Choice]) -> bool {
    choices.len() > 1
        && choices.iter().any(|choice| {
            let word = choice.label.trim().to_lowercase();
            choice.description.is_some() || !matches!(word.as_str(), "yes" | "no")
        })
}

/// The time limit, clamped to its range: a limit of one second is a mistake, and so is a year.
fn limit(root: &Object<'_>, reader: &mut ProblemCollector) -> Option<u64> {
    let ms = root.number("timeout", reader)?;
    let (least, most) = LIMIT_MS;
    Some(u64::try_from(ms).unwrap_or(0).clamp(least, most))
}
