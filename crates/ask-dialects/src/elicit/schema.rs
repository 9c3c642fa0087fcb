//! Writes an ask as the parameters of an elicitation: a message and the schema of a form, with
//! texts for people.

use serde_json::{Map, json};

use crate::elicit::Edition;
use crate::elicit::field_names::{Keys, choices, keys};
use crate::elicit::labels::{QUESTION, TITLE, line, message, title, titles};
use ask_core::Json;
use ask_core::ask::{Ask, Choice, Input, Question};
use ask_core::draft::{Answer, Draft};
use ask_core::sanitize::SafeText;

/// The parameters of `elicitation/create`. The draft's answers are filled in, and the notice comes
/// before everything else.
pub fn request(ask: &Ask, draft: Option<&Draft>, edition: Edition, notice: Option<&str>) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let blank = Draft::blank(ask);
    let filled = draft.unwrap_or(&blank);
    let nothing = Answer::default();
    let alone = ask.questions.len() == 1;
    for (at, (question, keys)) in ask.questions.iter().zip(keys(ask)).enumerate() {
        let answer = filled.answers.get(at).unwrap_or(&nothing);
        if question.required && question.input == Input::Text {
            required.push(Json::from(keys.main.as_str()));
        }
        properties.extend(fields(question, keys, answer, edition, alone));
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
    alone: bool,
) -> Vec<(String, Json)> {
    let mut fields = match (&question.input, edition) {
        (Input::Text, _) => return vec![(keys.main, named(text(question, answer), question))],
        (Input::One(_) | Input::Confirm, _) => {
            vec![(keys.main, named(one(question, answer, edition), question))]
        }
        (Input::Many(_), Edition::Titled) => {
            vec![(keys.main, named(many(question, answer), question))]
        }
        (Input::Many(offered), Edition::Early) => {
            let short = line(question.short(), TITLE);
            let boxes = keys.boxes.into_iter().zip(offered).enumerate();
            let ticked = |at| answer.picks.contains(&at);
            boxes
                .map(|(at, (key, choice))| (key, tick_box(&short, choice, ticked(at))))
                .collect()
        }
    };
    let mut own = kind("string");
    let title = match alone {
        true => "Or in your own words".to_owned(),
        false => format!("{} (or in your own words)", line(question.short(), TITLE)),
    };
    own.insert("title".into(), title.into());
    fill_in(&mut own, answer);
    fields.push((keys.own, own.into()));
    fields
}

/// A field with the title of its question.
fn named(mut field: Map<String, Json>, question: &Question) -> Json {
    field.insert("title".into(), line(question.short(), TITLE).into());
    let text = question
        .label
        .as_ref()
        .map(|_| line(&question.text, QUESTION));
    let hint = question
        .placeholder
        .as_deref()
        .map(|hint| line(hint, TITLE));
    let hint = hint.filter(|hint| !hint.is_empty() && question.input.is_empty());
    let hint = hint.map(|hint| format!("For example: {hint}"));
    let parts: Vec<String> = text.into_iter().chain(hint).collect();
    if !parts.is_empty() {
        field.insert("description".into(), parts.join(" ").into());
    }
    field.into()
}

fn text(question: &Question, answer: &Answer) -> Map<String, Json> {
    let mut field = kind("string");
    if question.required {
        field.insert("minLength".into(), 1.into());
    }
    fill_in(&mut field, answer);
    field
}

/// Fills in own words that the answer already has.
fn fill_in(field: &mut Map<String, Json>, answer: &Answer) {
    if let Some(own) = answer.own.as_deref().filter(|own| !own.trim().is_empty()) {
        field.insert("default".into(), SafeText::block(own).as_str().into());
    }
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
    let title = title(choice, &SafeText::line(&choice.label).to_string());
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
