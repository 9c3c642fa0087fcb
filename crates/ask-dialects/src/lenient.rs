//! The rules of reading that all dialects share: what is accepted beyond a schema, how long values
//! may be, and how names are kept distinct.
//!
//! Limits: labels, ids and long texts are cut, except for a context, which may fill the whole call.
//! A question offers at most [`MAX_CHOICES`] choices, because nobody can look through more.

mod choices;

use std::borrow::Cow;
use std::collections::HashSet;

use ask_core::ask::{Choice, Input, MAX_QUESTIONS};
use ask_core::json::{self, Object, ProblemCollector};
use ask_core::sanitize::SafeText;
use ask_core::{Json, Problem, Refusal};

pub(crate) use choices::{
    Doubles, LABELS, SUGGESTIONS, choices, choices_or_suggestions, is_list, is_other,
    limited_choices, make_distinct,
};

/// The largest label, in bytes.
pub(crate) const MAX_LABEL: usize = 2_000;
/// The largest id, chip, title of a form and name of an agent, in bytes.
pub(crate) const MAX_NAME: usize = 200;
/// The largest question, description, preview and metadata, in bytes.
pub(crate) const MAX_TEXT: usize = 65_536;
/// The most choices of one question.
pub(crate) const MAX_CHOICES: usize = 200;

/// What the `type` of a question means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// An answer in own words.
    Text,
    /// One of the choices.
    One,
    /// Any number of choices.
    Many,
    /// Yes or no.
    Confirm,
}

/// The arguments of a call: an object, or a JSON string that contains one.
pub(crate) fn root(arguments: &Json) -> Result<Cow<'_, Json>, Refusal> {
    json::check_size(arguments)?;
    match arguments {
        Json::Object(_) => Ok(Cow::Borrowed(arguments)),
        Json::Null => Ok(Cow::Owned(Json::Object(serde_json::Map::new()))),
        Json::String(text) if !text.trim_start().starts_with(['{', '[']) => {
            Err(not_an_object(arguments))
        }
        Json::String(text) => match json::parse(text)? {
            object @ Json::Object(_) => Ok(Cow::Owned(object)),
            other => Err(not_an_object(&other)),
        },
        Json::Bool(_) | Json::Number(_) | Json::Array(_) => Err(not_an_object(arguments)),
    }
}

/// A list: an array, a JSON string that contains one, or a single item in place of it. `None` means
/// that the problem has been collected.
pub(crate) fn list<'a>(
    value: &'a Json,
    path: &str,
    reader: &mut ProblemCollector,
) -> Option<Cow<'a, [Json]>> {
    match value {
        Json::Array(items) => Some(Cow::Borrowed(items)),
        Json::String(text) if text.trim_start().starts_with(['[', '{']) => {
            match json::parse(text) {
                Ok(Json::Array(items)) => Some(Cow::Owned(items)),
                Ok(single) => Some(Cow::Owned(vec![single])),
                Err(problem) => {
                    reader.refuse(path, problem.problem);
                    None
                }
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Object(_) => {
            Some(Cow::Owned(vec![value.clone()]))
        }
    }
}

/// Whether the number of questions is allowed. If it isn't, the problem has been collected.
pub(crate) fn count_questions(count: usize, most: usize, reader: &mut ProblemCollector) -> bool {
    let most = most.min(MAX_QUESTIONS);
    if count == 0 {
        reader.refuse("questions", "must have at least 1 question, as in {\"questions\":[{\"question\":\"Which database?\"}]}");
    } else if count > most {
        reader.refuse("questions", format!("has {count} questions, at most {most} may be asked at once: ask the rest in another call"));
    } else {
        return true;
    }
    false
}

/// The text of a question under the first of these names.
pub(crate) fn question_text(
    question: &Object<'_>,
    names: &[&str],
    reader: &mut ProblemCollector,
) -> String {
    let noted = names.iter().any(|name| question.get(name).is_some());
    let text = question.text(names, MAX_TEXT, reader);
    if text.is_none() && noted {
        return String::new();
    }
    let text = text.unwrap_or_default();
    if !is_visible(&text) {
        reader.refuse(
            question.path_of(names[0]),
            "must be a text to show, such as \"Which database should we use?\"",
        );
    }
    text
}

/// The usual names of the types.
pub(crate) const TYPES: &str = "text, select, multi-select, confirm";

/// The `type` of a question, in any spelling that can mean only one of them. The problem with any
/// other spelling lists `names`.
pub(crate) fn question_type(
    question: &Object<'_>,
    names: &str,
    reader: &mut ProblemCollector,
) -> Option<Type> {
    let value = question.get("type")?;
    let word = json::words(value).unwrap_or_default().to_ascii_lowercase();
    let letters: String = word.chars().filter(char::is_ascii_alphabetic).collect();
    let found = match letters.as_str() {
        "text" | "string" | "input" => Type::Text,
        "select" | "choice" | "single" | "singleselect" | "radio" => Type::One,
        "multiselect" | "multichoice" | "multiple" | "checkbox" => Type::Many,
        "confirm" | "yesno" | "boolean" => Type::Confirm,
        _ => {
            reader.refuse(question.path_of("type"), format!("must be one of {names}"));
            return None;
        }
    };
    Some(found)
}

/// The input for these choices. Without any, it is the person's own words.
pub(crate) fn pick_input(choices: Vec<Choice>, many: bool) -> Input {
    match (choices.is_empty(), many) {
        (true, _) => Input::Text,
        (false, true) => Input::Many(choices),
        (false, false) => Input::One(choices),
    }
}

/// Gives every question a unique id: the given one, with a number if it is a duplicate, or one that
/// `make` makes of the question's index and an attempt.
pub(crate) fn ids(given: Vec<Option<String>>, make: impl Fn(usize, u64) -> String) -> Vec<String> {
    let mut seen: HashSet<String> = HashSet::with_capacity(given.len());
    let taken: HashSet<String> = given.iter().flatten().cloned().collect();
    let mut made = Vec::with_capacity(given.len());
    for (at, id) in given.into_iter().enumerate() {
        let id = match id {
            Some(id) if !seen.contains(&id) => id,
            Some(id) => unused_id(|attempt| format!("{id}_{}", attempt + 2), &seen, &taken),
            None => unused_id(|attempt| make(at, attempt), &seen, &taken),
        };
        seen.insert(id.clone());
        made.push(id);
    }
    made
}

fn unused_id(
    make: impl Fn(u64) -> String,
    seen: &HashSet<String>,
    taken: &HashSet<String>,
) -> String {
    let mut attempt = 0;
    loop {
        let id = make(attempt);
        if !seen.contains(&id) && !taken.contains(&id) {
            return id;
        }
        attempt += 1;
    }
}

/// The ids of questions that came without one: `q1`, `q2`, …
pub(crate) fn default_id(at: usize, attempt: u64) -> String {
    match attempt {
        0 => format!("q{}", at + 1),
        more => format!("q{}_{more}", at + 1),
    }
}

/// An id as sent. A blank one counts as none.
pub(crate) fn given_id(
    question: &Object<'_>,
    names: &[&str],
    reader: &mut ProblemCollector,
) -> Option<String> {
    question
        .text(names, MAX_NAME, reader)
        .filter(|id| is_visible(id))
}

/// The agent's metadata, as compact JSON.
pub(crate) fn metadata(root: &Object<'_>, reader: &mut ProblemCollector) -> Option<String> {
    let metadata = root.get("metadata")?;
    if json::is_too_deep(metadata) {
        let levels = json::MAX_LEVELS;
        reader.refuse(
            "metadata",
            format!("is nested too deeply: at most {levels} levels are kept"),
        );
        return None;
    }
    let text = metadata.to_string();
    if text.len() > MAX_TEXT {
        reader.refuse(
            "metadata",
            format!(
                "has {} bytes, at most {MAX_TEXT} are kept: keep it yourself and send a reference",
                text.len()
            ),
        );
        return None;
    }
    Some(text)
}

/// A text. One without anything visible counts as absent.
pub(crate) fn visible(text: Option<String>) -> Option<String> {
    text.filter(|text| is_visible(text))
}

/// Whether anything of a text is left once it is made safe to show.
pub fn is_visible(text: &str) -> bool {
    // A graphic character is always kept, unless it is in an escape sequence.
    text.trim_start()
        .starts_with(|first: char| first.is_ascii_graphic())
        || !SafeText::line(text).as_str().trim().is_empty()
}

/// A text as it looks on screen, for comparisons.
pub(crate) fn as_shown(text: &str) -> String {
    SafeText::line(text).as_str().trim().to_owned()
}

fn not_an_object(value: &Json) -> Refusal {
    Problem::new(
        "",
        format!(
            "the arguments must be an object such as {{\"questions\":[…]}}, not {}",
            json::kind(value)
        ),
    )
    .into()
}
