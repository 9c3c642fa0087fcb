//! Reads the content of a client's form. Content that fits the form becomes a draft that can be
//! finished. Otherwise the problem names the field that is wrong.

use crate::elicit::Edition;
use crate::elicit::field_names::{Keys, choices, keys};
use ask_core::ask::{Ask, Input, Question};
use ask_core::draft::{Answer, Draft};
use ask_core::{Json, Problem, json};

/// The draft of a form's content. No content means that the form was sent empty.
pub fn read(ask: &Ask, edition: Edition, content: Option<&Json>) -> Result<Draft, Problem> {
    let empty = Json::Object(serde_json::Map::new());
    let content = content
        .filter(|content| !content.is_null())
        .unwrap_or(&empty);
    let Some(form) = json::Object::from_json(content, "") else {
        let problem = format!("must be an object, not {}", json::kind(content));
        return Err(Problem::new("content", problem));
    };
    let named = ask.questions.iter().zip(keys(ask));
    let answers = named.map(|(question, keys)| answer(&form, question, &keys, edition));
    Ok(Draft {
        answers: answers.collect::<Result<_, _>>()?,
        note: None,
    })
}

fn answer(
    form: &json::Object<'_>,
    question: &Question,
    keys: &Keys,
    edition: Edition,
) -> Result<Answer, Problem> {
    let picks = match (&question.input, edition) {
        (Input::Text, _) => return Ok(own_words(form, &keys.main)?.unwrap_or_default()),
        (Input::One(_) | Input::Confirm, _) => one(form, question, &keys.main)?,
        (Input::Many(_), Edition::Titled) => many(form, question, &keys.main)?,
        (Input::Many(_), Edition::Early) => ticked(form, &keys.boxes)?,
    };
    let own = own_words(form, &keys.own)?.unwrap_or_default().own;
    Ok(Answer {
        picks,
        own,
        ..Answer::default()
    })
}

fn own_words(form: &json::Object<'_>, key: &str) -> Result<Option<Answer>, Problem> {
    let Some(value) = form.get(key) else {
        return Ok(None);
    };
    let wrong = || Problem::new(key, format!("must be a string, not {}", json::kind(value)));
    let words = json::words(value).ok_or_else(wrong)?;
    // A text that is cut would be another answer than the person's.
    if words.len() > json::MAX_CALL_BYTES {
        let (size, most) = (words.len(), json::MAX_CALL_BYTES);
        let problem = format!("has {size} bytes, at most {most} can be sent: shorten it");
        return Err(Problem::new(key, problem));
    }
    Ok((!words.trim().is_empty()).then(|| Answer::saying(words)))
}

fn one(form: &json::Object<'_>, question: &Question, key: &str) -> Result<Vec<usize>, Problem> {
    match form.get(key) {
        None => Ok(Vec::new()),
        // Some clients send an untouched field as an empty text.
        Some(Json::String(text)) if text.is_empty() => Ok(Vec::new()),
        Some(value) => Ok(vec![pick(question, key, value)?]),
    }
}

fn many(form: &json::Object<'_>, question: &Question, key: &str) -> Result<Vec<usize>, Problem> {
    match form.get(key) {
        Some(Json::Array(values)) => {
            let picked = values.iter().map(|value| pick(question, key, value));
            let mut picked = picked.collect::<Result<Vec<_>, _>>()?;
            picked.sort_unstable();
            picked.dedup();
            Ok(picked)
        }
        _ => one(form, question, key),
    }
}

fn ticked(form: &json::Object<'_>, boxes: &[String]) -> Result<Vec<usize>, Problem> {
    let mut picked = Vec::new();
    for (at, key) in boxes.iter().enumerate() {
        match form.get(key) {
            None | Some(Json::Bool(false)) => {}
            Some(Json::Bool(true)) => picked.push(at),
            Some(other) => {
                let problem = format!("must be a boolean, not {}", json::kind(other));
                return Err(Problem::new(key, problem));
            }
        }
    }
    Ok(picked)
}

fn pick(question: &Question, key: &str, value: &Json) -> Result<usize, Problem> {
    let Some(text) = value.as_str() else {
        let problem = format!("must name a choice, not be {}", json::kind(value));
        return Err(Problem::new(key, problem));
    };
    let named = choices(&question.input)
        .iter()
        .position(|name| name == text);
    named.ok_or_else(|| {
        let problem = format!("there is no choice \"{}\"", json::brief(text));
        Problem::new(key, problem)
    })
}
