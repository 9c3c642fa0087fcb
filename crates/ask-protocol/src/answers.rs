//! Parses answers that a person or a client wrote down: a list in the order of the questions, each
//! a label, a number, own words or a list of these.

use crate::native;
use ask_core::ask::{Ask, Input, Question};
use ask_core::draft::{Answer, Draft};
use ask_core::{Json, Problem, json};

/// Parses a list in the order of the questions, answers in the form of pi's replies, or native
/// ones.
///
/// A text is a choice if it is a label, or a label without its recommendation. Otherwise it is own
/// words, digits too. A JSON number is the number of a choice, counted from 1.
pub fn parse(ask: &Ask, value: &Json) -> Result<Draft, Problem> {
    let items = match value {
        Json::Array(items) => items,
        Json::Object(fields) => match fields.get("answers") {
            Some(Json::Array(items)) => items,
            Some(_) | None => return Err(Problem::new("answers", "must be an array")),
        },
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {
            return Err(Problem::new(
                "answers",
                format!(
                    "must be an array in the order of the questions, not {}",
                    json::kind(value)
                ),
            ));
        }
    };
    if items.iter().any(is_native) {
        return native(ask, value, items);
    }
    let questions = ask.questions.len();
    if items.len() > questions {
        let count = items.len();
        return Err(Problem::new(
            "answers",
            format!(
                "has {} for {}",
                plural(count, "answer"),
                plural(questions, "question")
            ),
        ));
    }
    let note = value.get("note").and_then(Json::as_str).map(str::to_owned);
    let mut answers = vec![Answer::default(); questions];
    for (at, (item, question)) in items.iter().zip(&ask.questions).enumerate() {
        answers[at] = answer(question, item, &format!("answers[{at}]"))?;
    }
    Ok(Draft { answers, note })
}

fn plural(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

fn is_native(item: &Json) -> bool {
    item.get("questionId").is_some()
        || item.get("values").is_some()
        || item.get("customText").is_some()
}

fn native(ask: &Ask, value: &Json, items: &[Json]) -> Result<Draft, Problem> {
    let wrapped;
    let value = if value.is_object() {
        value
    } else {
        wrapped = serde_json::json!({ "answers": items });
        &wrapped
    };
    Ok(native::read_answers(ask, value)?)
}

fn answer(question: &Question, item: &Json, path: &str) -> Result<Answer, Problem> {
    match item {
        Json::Null => Ok(Answer::default()),
        Json::Array(items) => several(question, items, path),
        Json::Object(fields) => pi_answer(question, fields, path),
        Json::Bool(_) | Json::Number(_) | Json::String(_) => {
            if let Some(pick) = pick_by_number(question, item, path)? {
                return Ok(Answer::picking([pick]));
            }
            let text = json::words(item).unwrap_or_default();
            let text = match item {
                Json::Bool(true) if question.input == Input::Confirm => "yes",
                Json::Bool(false) if question.input == Input::Confirm => "no",
                _ => &text,
            };
            Ok(entry(question, text))
        }
    }
}

/// The choice with a number, counted from 1. A number that no choice has, if there are choices, and
/// a boolean for a question that isn't yes or no, is a mistake and no own words.
fn pick_by_number(question: &Question, item: &Json, path: &str) -> Result<Option<usize>, Problem> {
    let choices = question.input.len();
    let is_wrong = match item {
        Json::Number(number) if choices > 0 => match number.as_u64() {
            Some(count) if (1..=choices as u64).contains(&count) => {
                return Ok(usize::try_from(count - 1).ok());
            }
            _ => true,
        },
        Json::Bool(_) => choices > 0 && question.input != Input::Confirm,
        _ => false,
    };
    match is_wrong {
        true => Err(Problem::new(
            path,
            format!("{item} is none of the {choices} choices"),
        )),
        false => Ok(None),
    }
}

/// The properties of an answer in pi's replies.
const PI_FIELDS: [&str; 4] = ["answer", "selectedOption", "wasCustom", "note"];

/// Parses an answer in the form of pi's replies.
fn pi_answer(
    question: &Question,
    fields: &serde_json::Map<String, Json>,
    path: &str,
) -> Result<Answer, Problem> {
    if !fields.is_empty() && PI_FIELDS.iter().all(|key| !fields.contains_key(*key)) {
        return Err(Problem::new(
            path,
            "says nothing: give answer, or questionId with values or customText",
        ));
    }
    let said = fields.get("answer").unwrap_or(&Json::Null);
    let custom = fields
        .get("wasCustom")
        .and_then(Json::as_bool)
        .unwrap_or(false);
    let mut answer = match said {
        Json::String(words) if custom => Answer::saying(words.as_str()),
        _ => answer(question, said, path)?,
    };
    let selected = fields.get("selectedOption").and_then(Json::as_str);
    if let Some(pick) = selected.and_then(|label| native::pick(question, label))
        && !answer.picks.contains(&pick)
    {
        answer.picks.push(pick);
    }
    answer.note = fields.get("note").and_then(Json::as_str).map(str::to_owned);
    Ok(answer)
}

fn several(question: &Question, items: &[Json], path: &str) -> Result<Answer, Problem> {
    let mut whole = Answer {
        none: items.is_empty() && question.input.is_many(),
        ..Answer::default()
    };
    let mut own: Vec<String> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if item.get("wasCustom") == Some(&Json::Bool(true))
            && let Some(words) = item.get("answer").and_then(Json::as_str)
        {
            own.extend(Answer::saying(words).own);
            continue;
        }
        let Some(text) = json::words(item) else {
            return Err(Problem::new(
                format!("{path}[{at}]"),
                format!("must be a string, not {}", json::kind(item)),
            ));
        };
        let part = match pick_by_number(question, item, &format!("{path}[{at}]"))? {
            Some(pick) => Answer::picking([pick]),
            None => entry(question, &text),
        };
        for pick in part.picks {
            if !whole.picks.contains(&pick) {
                whole.picks.push(pick);
            }
        }
        own.extend(part.own);
    }
    if whole.picks.len() > 1 && !question.input.is_many() {
        return Err(Problem::new(path, "takes one choice only"));
    }
    if !own.is_empty() {
        whole.own = Some(own.join(", "));
    }
    Ok(whole)
}

fn entry(question: &Question, text: &str) -> Answer {
    match find(question, text) {
        Some(pick) => Answer::picking([pick]),
        None if text.trim().is_empty() => Answer::default(),
        None => Answer::saying(text),
    }
}

fn find(question: &Question, text: &str) -> Option<usize> {
    let wanted = text.trim();
    native::pick(question, text)
        .or_else(|| native::pick(question, wanted))
        .or_else(|| {
            let choices = question.input.choices();
            choices
                .iter()
                .position(|choice| choice.recommended().0.trim().eq_ignore_ascii_case(wanted))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ask_core::Choice;

    #[test]
    fn own_words_in_a_list_pick_no_choice() {
        let question = Question {
            id: "q1".to_owned(),
            text: "Which?".to_owned(),
            label: None,
            input: Input::Many(vec![Choice::new("Logs"), Choice::new("Metrics")]),
            required: true,
            placeholder: None,
            default: None,
        };
        let ask = Ask {
            questions: vec![question],
            ..Ask::default()
        };
        let value = serde_json::json!([["Metrics", { "answer": "logs", "wasCustom": true }]]);
        let draft = parse(&ask, &value).expect("it is valid");
        assert_eq!(draft.answers[0].picks, [1]);
        assert_eq!(draft.answers[0].own.as_deref(), Some("logs"));
        let value = serde_json::json!([["Metrics", { "answer": "logs" }]]);
        assert!(parse(&ask, &value).is_err());
    }
}
