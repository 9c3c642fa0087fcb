//! The choices of a question: the forms in which they are accepted, how many there may be, and how
//! labels are kept distinct.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::RangeInclusive;

use crate::lenient::{MAX_CHOICES, MAX_LABEL, MAX_TEXT, as_shown, is_visible, list};
use ask_core::Json;
use ask_core::ask::Choice;
use ask_core::json::{self, Object, ProblemCollector};

/// What happens to choices with the same label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubles {
    /// They are refused: the reply couldn't tell them apart.
    Refuse,
    /// All but the first get a number.
    Number,
}

/// The property with suggested answers.
pub(crate) const SUGGESTIONS: &str = "suggestions";

/// The names under which a choice's label is accepted.
pub(crate) const LABELS: [&str; 5] = ["label", "value", "text", "name", "title"];

/// The choices of a question that must have some, in a number within this range.
pub(crate) fn limited_choices(
    question: &Object<'_>,
    name: &str,
    few: RangeInclusive<usize>,
    doubles: Doubles,
    reader: &mut ProblemCollector,
) -> Vec<Choice> {
    let path = question.path_of(name);
    let (least, most) = (few.start(), few.end());
    let Some(value) = question.get(name) else {
        let example = r#"{"label":"PostgreSQL"}"#;
        let problem = format!("is missing: offer {least} to {most} choices such as {example}");
        reader.refuse(path, problem);
        return Vec::new();
    };
    match choice_count(value).filter(|count| !few.contains(count)) {
        None => choices(question, &[name], doubles, reader),
        Some(count) => {
            reader.refuse(path, format!("must be {least} to {most} choices, not {count}: own words are always possible besides"));
            Vec::new()
        }
    }
}

/// How many choices a value contains, if it can contain any.
fn choice_count(value: &Json) -> Option<usize> {
    if !is_list(value) {
        return None;
    }
    list(value, "", &mut ProblemCollector::default()).map(|items| items.len())
}

/// Whether a value can contain choices at all.
pub(crate) fn is_list(value: &Json) -> bool {
    match value {
        Json::Array(_) | Json::Object(_) => true,
        Json::String(text) => text.trim_start().starts_with(['[', '{']),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

/// The choices of a question; none if it has no such property.
pub(crate) fn choices(
    question: &Object<'_>,
    names: &[&str],
    doubles: Doubles,
    reader: &mut ProblemCollector,
) -> Vec<Choice> {
    let Some((key, value)) = question.first(names) else {
        return Vec::new();
    };
    let path = question.path_of(key);
    if !is_list(value) {
        let kind = json::kind(value);
        reader.refuse(
            path,
            format!(
                "must be an array of choices such as [{{\"label\":\"PostgreSQL\"}}], not {kind}"
            ),
        );
        return Vec::new();
    }
    let Some(items) = list(value, &path, reader) else {
        return Vec::new();
    };
    if items.len() > MAX_CHOICES {
        let count = items.len();
        reader.refuse(path, format!("has {count} choices, at most {MAX_CHOICES} can be shown: offer the likely ones, own words are always possible"));
        return Vec::new();
    }
    let mut found = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let path = format!("{path}[{at}]");
        if let Some(choice) = choice(item, &path, reader).filter(|choice| !is_other(choice)) {
            found.push((path, choice));
        }
    }
    make_distinct(found, doubles, reader)
}

/// The choices of a question, or if it has none, the answers that it suggests. The flag says that
/// they are suggested. Suggestions are choices, too, because own words are always possible, but the
/// question may have the type of a text.
pub(crate) fn choices_or_suggestions(
    question: &Object<'_>,
    names: &[&str],
    doubles: Doubles,
    reader: &mut ProblemCollector,
) -> (Vec<Choice>, bool) {
    let has_choices = question
        .first(names)
        .is_some_and(|(_, value)| !value.as_array().is_some_and(Vec::is_empty));
    if has_choices {
        return (choices(question, names, doubles, reader), false);
    }
    let suggested = choices(question, &[SUGGESTIONS], doubles, reader);
    let are_suggested = !suggested.is_empty();
    (suggested, are_suggested)
}

fn choice(item: &Json, path: &str, reader: &mut ProblemCollector) -> Option<Choice> {
    if let Some(text) = json::words(item) {
        if !is_visible(&text) {
            reader.refuse(path, "must be a label to show");
        }
        return Some(Choice::new(json::cut(&text, MAX_LABEL)));
    }
    let Some(object) = Object::from_json(item, path) else {
        reader.refuse(
            path,
            format!(
                "must be a label or {{\"label\":…,\"description\":…}}, not {}",
                json::kind(item)
            ),
        );
        return None;
    };
    if object.first(&LABELS).is_none() {
        reader.refuse(
            object.path_of("label"),
            "is missing: every choice needs a label to show",
        );
        return None;
    }
    let label = object.text(&LABELS, MAX_LABEL, reader)?;
    if !is_visible(&label) {
        reader.refuse(object.path_of("label"), "must be a label to show");
    }
    Some(Choice {
        label,
        description: object.text(&["description"], MAX_TEXT, reader),
        preview: object.text(&["preview"], MAX_TEXT, reader),
    })
}

/// Makes labels distinct, also those that only look the same when they are shown.
pub(crate) fn make_distinct(
    found: Vec<(String, Choice)>,
    doubles: Doubles,
    reader: &mut ProblemCollector,
) -> Vec<Choice> {
    let mut seen = HashMap::with_capacity(found.len());
    let mut kept = Vec::with_capacity(found.len());
    for (path, mut choice) in found {
        let shown = as_shown(&choice.label);
        match (seen.contains_key(&shown), doubles) {
            (false, _) => {
                seen.insert(shown, 2);
            }
            (true, Doubles::Refuse) => {
                let label = json::brief(&choice.label);
                reader.refuse(path, format!("repeats the label \"{label}\""));
            }
            (true, Doubles::Number) => choice.label = numbered(&choice.label, &shown, &mut seen),
        }
        kept.push(choice);
    }
    kept
}

/// Adds the next free number to a label. The next number of each label is remembered, so that many
/// equal labels don't count from the start every time.
fn numbered(label: &str, shown: &str, seen: &mut HashMap<String, usize>) -> String {
    let base = json::cut(label, MAX_LABEL - 8);
    let mut number = seen.get(shown).copied().unwrap_or(2);
    let label = loop {
        let label = format!("{base} ({number})");
        number += 1;
        let look = as_shown(&label);
        if let Entry::Vacant(free) = seen.entry(look) {
            free.insert(2);
            break label;
        }
    };
    seen.insert(shown.to_owned(), number);
    label
}

/// Whether it is "Other", a choice that we add to every question.
pub(crate) fn is_other(choice: &Choice) -> bool {
    choice.description.is_none()
        && choice.preview.is_none()
        && choice.label.trim().eq_ignore_ascii_case("other")
}
