//! Writes an ask as the parameters of an elicitation: a message and the schema of
//! a form, in the words that people read.

use serde_json::{Map, json};

use super::super::Json;
use super::Edition;
use super::keys::{Keys, choices, keys};
use super::words::{QUESTION, TITLE, line, message, title, titles};
use crate::ask::{Ask, Choice, Input, Question};
use crate::draft::{Answer, Draft};
use crate::plain::Plain;

/// The parameters of `elicitation/create`. What is in the draft is filled in, and the notice is
/// said before everything else.
pub fn request(ask: &Ask, draft: Option<&Draft>, edition: Edition, notice: Option<&str>) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let blank = Draft::blank(ask);
    let filled = draft.unwrap_or(&blank);
    let nothing = Answer::default();
    for (at, (question, keys)) in ask.questions.iter().zip(keys(ask)).enumerate() {
        let answer = filled.answers.get(at).unwrap_or(&nothing);
        if question.required && question.input == Input::Text {
            required.push(Json::from(keys.main.as_str()));
        }
        properties.extend(fields(question, keys, answer, edition));
    }
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    let mut request = Map::new();
    if edition == Edition::Titled {
        request.insert("mode".into(), "form".into());
    }
    request.insert("message".into(), message(ask, notice).into());
    request.insert("requestedSchema".into(), schema.into());
    request.into()
}

/// The fields of one question, in their order.
fn fields(
    question: &Question,
    keys: Keys,
    answer: &Answer,
    edition: Edition,
) -> Vec<(String, Json)> {
    let short = line(question.short(), TITLE);
    let named = |field: &mut Map<String, Json>| {
        field.insert("title".into(), short.clone().into());
        if question.label.is_some() {
            let text = line(&question.text, QUESTION);
            field.insert("description".into(), text.into());
        }
    };
    let own = answer.own.as_deref().filter(|own| !own.trim().is_empty());
    let mut fields = match (&question.input, edition) {
        (Input::Text, _) => {
            let mut field = kind("string");
            named(&mut field);
            let hint = question
                .placeholder
                .as_deref()
                .map(|hint| line(hint, TITLE));
            if let Some(hint) = hint.filter(|hint| !hint.is_empty()) {
                let before = field.get("description").and_then(Json::as_str);
                let text = before.map_or_else(String::new, |before| format!("{before} "));
                field.insert(
                    "description".into(),
                    format!("{text}For example: {hint}").into(),
                );
            }
            if question.required {
                field.insert("minLength".into(), 1.into());
            }
            if let Some(own) = own {
                field.insert("default".into(), Plain::block(own).as_str().into());
            }
            return vec![(keys.main, field.into())];
        }
        (Input::One(_) | Input::Confirm, _) => {
            let mut field = one(question, answer, edition);
            named(&mut field);
            vec![(keys.main, field.into())]
        }
        (Input::Many(_), Edition::Titled) => {
            let mut field = many(question, answer);
            named(&mut field);
            vec![(keys.main, field.into())]
        }
        (Input::Many(offered), Edition::Early) => {
            let boxes = keys.boxes.into_iter().zip(offered).enumerate();
            boxes
                .map(|(at, (key, choice))| {
                    (key, tick_box(&short, choice, answer.picks.contains(&at)))
                })
                .collect()
        }
    };
    let mut field = kind("string");
    field.insert(
        "title".into(),
        format!("{short} (or in your own words)").into(),
    );
    if let Some(own) = own {
        field.insert("default".into(), Plain::block(own).as_str().into());
    }
    fields.push((keys.own, field.into()));
    fields
}

fn one(question: &Question, answer: &Answer, edition: Edition) -> Map<String, Json> {
    let mut field = kind("string");
    let names = choices(&question.input);
    let chosen = answer
        .picks
        .first()
        .and_then(|&pick| names.get(pick))
        .cloned();
    match edition {
        Edition::Titled => {
            field.insert("oneOf".into(), titled(question, &names));
        }
        Edition::Early => {
            let titles = titles(question, &names);
            field.insert("enum".into(), names.into());
            field.insert("enumNames".into(), titles.into());
        }
    }
    if let Some(chosen) = chosen {
        field.insert("default".into(), chosen.into());
    }
    field
}

fn many(question: &Question, answer: &Answer) -> Map<String, Json> {
    let mut field = kind("array");
    let names = choices(&question.input);
    field.insert("items".into(), json!({"anyOf": titled(question, &names)}));
    let picks = answer.picks.iter();
    let chosen: Vec<String> = picks.filter_map(|&pick| names.get(pick).cloned()).collect();
    if !chosen.is_empty() {
        field.insert("default".into(), chosen.into());
    }
    field
}

fn tick_box(question: &str, choice: &Choice, ticked: bool) -> Json {
    let title = title(choice, &Plain::line(&choice.label).to_string());
    let mut field = kind("boolean");
    field.insert("title".into(), title.into());
    field.insert("description".into(), question.into());
    field.insert("default".into(), ticked.into());
    field.into()
}

fn titled(question: &Question, names: &[String]) -> Json {
    let titles = titles(question, names);
    let choice = |(name, title): (&String, String)| json!({"const": name, "title": title});
    names.iter().zip(titles).map(choice).collect()
}

fn kind(kind: &str) -> Map<String, Json> {
    let mut field = Map::new();
    field.insert("type".into(), kind.into());
    field
}
