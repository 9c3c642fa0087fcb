//! Parses calls of the `auq` dialect as its validator does, with the same sentences.
//!
//! Its paths have dots. Unknown properties are refused here, because its specification's validator
//! forbids them. Another name of a label is known if it replaces the label.

use crate::lenient::{self, Doubles, LABELS, MAX_LABEL, MAX_NAME, MAX_TEXT};
use crate::{Call, Wait};
use ask_core::ask::{Ask, Choice, Question};
use ask_core::json::{self, Object, ProblemCollector};
use ask_core::{Json, Refusal};

const MAX_QUESTIONS: usize = 5;
const CHOICES: std::ops::RangeInclusive<usize> = 2..=5;
const NO_TITLE: &str =
    "Question title is required. Provide a short summary like 'Language' or 'Framework'.";
const EMPTY: &str = "Too small: expected string to have >=1 characters";

/// The properties of `get_answered_questions`, by which its refusals are recognized.
const FETCH_PROPERTIES: [&str; 2] = ["session_id", "blocking"];

/// Whether a refusal is one of `get_answered_questions`.
pub(super) fn is_fetch_refusal(refusal: &Refusal) -> bool {
    refusal
        .problems
        .iter()
        .all(|problem| FETCH_PROPERTIES.contains(&problem.path.as_str()))
}

/// Parses a call of `get_answered_questions`.
pub(super) fn fetch(root: &Json) -> Result<Call, Refusal> {
    let mut reader = ProblemCollector::default();
    let id = match root.get("session_id") {
        Some(Json::String(id)) if !lenient::is_visible(id) => {
            reader.refuse("session_id", EMPTY);
            String::new()
        }
        Some(Json::String(id)) => json::cut(id.trim(), MAX_NAME),
        other => {
            reader.refuse("session_id", expected("string", other));
            String::new()
        }
    };
    let wait = match flag(root.get("blocking"), false, "blocking", &mut reader) {
        true => Wait::Forever,
        false => Wait::No,
    };
    if let Some(object) = Object::from_json(root, "")
        && let Some(names) = unrecognized(&object, &FETCH_PROPERTIES)
    {
        reader.refuse("session_id", names);
    }
    reader.verdict(Call::Fetch { id: Some(id), wait })
}

/// Parses a call of `ask_user_questions`.
pub(super) fn ask(root: &Json) -> Result<Call, Refusal> {
    let mut reader = ProblemCollector::default();
    let questions = questions(root.get("questions"), &mut reader);
    let detached = flag(root.get("nonBlocking"), false, "nonBlocking", &mut reader);
    if let Some(object) = Object::from_json(root, "") {
        refuse_unknown(&object, &["questions", "nonBlocking"], &mut reader);
    }
    let ask = Ask {
        questions,
        ..Ask::default()
    };
    reader.verdict(Call::Ask {
        ask: Box::new(ask),
        agent: None,
        detached,
    })
}

fn questions(value: Option<&Json>, reader: &mut ProblemCollector) -> Vec<Question> {
    let Some(items) = listed(value, "questions", reader) else {
        return Vec::new();
    };
    if !check_count(items.len(), 1..=MAX_QUESTIONS, "questions", reader) {
        return Vec::new();
    }
    let mut questions = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let path = format!("questions.{at}");
        match Object::from_json(item, &*path) {
            Some(object) => questions.push(question(&object, at, reader)),
            None => reader.refuse(path, expected("object", Some(item))),
        }
    }
    questions
}

fn question(object: &Object<'_>, at: usize, reader: &mut ProblemCollector) -> Question {
    let text = string(object, "prompt", MAX_TEXT, reader);
    let label = title(object, reader);
    let choices = choices(object, reader);
    let many = match object.get("multiSelect") {
        None => {
            reader.refuse(object.path_of("multiSelect"), expected("boolean", None));
            false
        }
        many => flag(many, false, &object.path_of("multiSelect"), reader),
    };
    refuse_unknown(
        object,
        &["prompt", "title", "options", "multiSelect"],
        reader,
    );
    Question {
        id: lenient::default_id(at, 0),
        text,
        label,
        input: lenient::pick_input(choices, many),
        required: true,
        placeholder: None,
        default: None,
    }
}

fn title(object: &Object<'_>, reader: &mut ProblemCollector) -> Option<String> {
    match object.get("title") {
        Some(Json::String(title)) if lenient::is_visible(title) => Some(json::cut(title, MAX_NAME)),
        Some(Json::String(_)) | None => {
            reader.refuse(object.path_of("title"), NO_TITLE);
            None
        }
        other => {
            reader.refuse(object.path_of("title"), expected("string", other));
            None
        }
    }
}

fn choices(object: &Object<'_>, reader: &mut ProblemCollector) -> Vec<Choice> {
    let path = object.path_of("options");
    let Some(items) = listed(object.get("options"), &path, reader) else {
        return Vec::new();
    };
    if !check_count(items.len(), CHOICES, &path, reader) {
        return Vec::new();
    }
    let mut found = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let path = format!("{path}.{at}");
        let choice = match item {
            Json::String(label) if lenient::is_visible(label) => {
                Some(Choice::new(json::cut(label, MAX_LABEL)))
            }
            _ => choice(item, &path, reader),
        };
        if let Some(choice) = choice {
            found.push((path, choice));
        }
    }
    found.retain(|(_, choice)| !lenient::is_other(choice));
    lenient::make_distinct(found, Doubles::Number, reader)
}

fn choice(item: &Json, path: &str, reader: &mut ProblemCollector) -> Option<Choice> {
    let Some(object) = Object::from_json(item, path) else {
        let problem = match item {
            Json::String(_) => EMPTY.to_owned(),
            _ => expected("object", Some(item)),
        };
        reader.refuse(path, problem);
        return None;
    };
    let name = object.first(&LABELS).map_or("label", |(name, _)| name);
    let label = string(&object, name, MAX_LABEL, reader);
    let description = match object.get("description") {
        None => None,
        Some(Json::String(text)) => lenient::visible(Some(json::cut(text, MAX_TEXT))),
        other => {
            reader.refuse(object.path_of("description"), expected("string", other));
            None
        }
    };
    refuse_unknown(&object, &[name, "description"], reader);
    Some(Choice {
        label,
        description,
        preview: None,
    })
}

fn string(object: &Object<'_>, key: &str, limit: usize, reader: &mut ProblemCollector) -> String {
    match object.get(key) {
        Some(Json::String(text)) if lenient::is_visible(text) => return json::cut(text, limit),
        Some(Json::String(_)) => reader.refuse(object.path_of(key), EMPTY),
        other => reader.refuse(object.path_of(key), expected("string", other)),
    }
    String::new()
}

fn listed<'a>(
    value: Option<&'a Json>,
    path: &str,
    reader: &mut ProblemCollector,
) -> Option<std::borrow::Cow<'a, [Json]>> {
    let array = |text: &String| text.trim_start().starts_with(['[', '{']);
    match value {
        Some(Json::String(text)) if !array(text) => {
            reader.refuse(path, expected("array", value));
            None
        }
        Some(value @ (Json::Array(_) | Json::Object(_) | Json::String(_))) => {
            lenient::list(value, path, reader)
        }
        other => {
            reader.refuse(path, expected("array", other));
            None
        }
    }
}

fn check_count(
    count: usize,
    range: std::ops::RangeInclusive<usize>,
    path: &str,
    reader: &mut ProblemCollector,
) -> bool {
    let (least, most) = (range.start(), range.end());
    if count < *least {
        reader.refuse(
            path,
            format!("Too small: expected array to have >={least} items"),
        );
    } else if count > *most {
        reader.refuse(
            path,
            format!("Too big: expected array to have <={most} items"),
        );
    }
    range.contains(&count)
}

fn flag(value: Option<&Json>, default: bool, path: &str, reader: &mut ProblemCollector) -> bool {
    match value {
        None => default,
        Some(Json::Bool(flag)) => *flag,
        other => {
            reader.refuse(path, expected("boolean", other));
            default
        }
    }
}

fn refuse_unknown(object: &Object<'_>, known: &[&str], reader: &mut ProblemCollector) {
    if let Some(names) = unrecognized(object, known) {
        reader.refuse(object.path.clone(), names);
    }
}

fn unrecognized(object: &Object<'_>, known: &[&str]) -> Option<String> {
    let names: Vec<String> = object
        .fields
        .keys()
        .filter(|key| !known.contains(&key.as_str()))
        .take(10)
        .map(|key| format!("\"{}\"", json::brief(key)))
        .collect();
    match names.len() {
        0 => None,
        1 => Some(format!("Unrecognized key: {}", names[0])),
        _ => Some(format!("Unrecognized keys: {}", names.join(", "))),
    }
}

fn expected(wanted: &str, received: Option<&Json>) -> String {
    let received = match received {
        None => "undefined",
        Some(Json::Null) => "null",
        Some(Json::Bool(_)) => "boolean",
        Some(Json::Number(_)) => "number",
        Some(Json::String(_)) => "string",
        Some(Json::Array(_)) => "array",
        Some(Json::Object(_)) => "object",
    };
    format!("Invalid input: expected {wanted}, received {received}")
}
