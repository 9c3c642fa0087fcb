//! opencode's events about its `question` tool, one per line as its plugins receive them, and the
//! bodies of the requests that settle a question there.

use serde_json::{Map, json};

use crate::hook::{Asked, Closed, Hook, HookEvent};
use crate::{Call, Dialect, Setting, Word, opencode, reply};
use ask_core::Json;
use ask_core::ask::{Ask, Question};
use ask_core::draft::{Answer, Answered};
use ask_core::outcome::Outcome;
use ask_core::record::Record;

/// The plugin of opencode.
pub(super) struct Opencode;

impl Hook for Opencode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn dialect(&self) -> &'static str {
        "opencode"
    }

    fn is_lines(&self) -> bool {
        true
    }

    fn read(&self, text: &str) -> Result<HookEvent, String> {
        let message = crate::hook::message(text)?;
        let said = message
            .get("properties")
            .ok_or("properties: are missing")?
            .clone();
        let event = crate::hook::text(&message, "type").ok_or("type: is missing")?;
        // Newer sessions send the same events under other names.
        match event.replace(".v2.", ".").as_str() {
            "question.asked" => asked(&message, &said),
            "question.replied" => Ok(HookEvent::Closed(Closed::Answered(texts(&said)))),
            "question.rejected" => Ok(HookEvent::Closed(Closed::Dismissed)),
            _ => Err(format!(
                "type: \"{}\" is no event of the question tool",
                ask_core::json::brief(&event)
            )),
        }
    }

    fn write(&self, asked: &Asked, record: &Record) -> Option<String> {
        let settlement = record.settlement()?;
        let doubt = opencode::Opencode.write(Word::Closed(record)).doubt;
        let mut lists = match &settlement.outcome {
            Outcome::Answered(answered) => lists(&asked.ask, answered),
            Outcome::Declined { reason: None } if doubt.is_none() => {
                return Some(json!({ "reject": true }).to_string());
            }
            // A rejection can't have words, so they go where the person's own words go.
            Outcome::Declined { reason: None } => words(&asked.ask, "(declined to answer)"),
            Outcome::Declined {
                reason: Some(reason),
            } => words(&asked.ask, &format!("(declined to answer: {reason})")),
            Outcome::Clarify { words: text } => words(
                &asked.ask,
                &format!("(no answer yet; wants to clarify first: {text})"),
            ),
            Outcome::Expired | Outcome::Withdrawn => return None,
        };
        add_text(&mut lists, doubt.map(|doubt| format!("({doubt})")));
        let reply = json!({ "answers": lists });
        Some(reply.to_string())
    }
}

fn asked(message: &Json, said: &Json) -> Result<HookEvent, String> {
    let mut call = Map::new();
    call.insert("questions".into(), said["questions"].clone());
    let read = opencode::Opencode.read("question", &Json::Object(call), &Setting::default());
    let ask = match read.map_err(|refusal| format!("properties: {refusal}"))? {
        Call::Ask { ask, .. } => *ask,
        Call::Fetch { .. } => return Err("properties: ask nothing".to_owned()),
    };
    Ok(HookEvent::Asked(Box::new(Asked {
        ask,
        session: crate::hook::text(said, "sessionID"),
        directory: crate::hook::text(message, "directory"),
        agent: None,
        message: Json::Null,
    })))
}

/// What the person answered in opencode's own dialog.
fn texts(said: &Json) -> Vec<Vec<String>> {
    let strings = |list: &Json| {
        let items = list.as_array().into_iter().flatten();
        items
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect()
    };
    let lists = said["answers"].as_array().into_iter().flatten();
    lists.map(strings).collect()
}

fn lists(ask: &Ask, answered: &Answered) -> Vec<Vec<String>> {
    let mut lists: Vec<Vec<String>> = ask
        .questions
        .iter()
        .zip(answered.answers())
        .map(|(question, answer)| list(question, answer))
        .collect();
    let note = answered.note();
    add_text(
        &mut lists,
        note.map(|note| format!("(note on all of this: {note})")),
    );
    lists
}

/// Adds a text about all questions to the first that has an answer.
fn add_text(lists: &mut [Vec<String>], text: Option<String>) {
    if let Some(text) = text
        && let Some(first) = lists.iter_mut().find(|list| !list.is_empty())
    {
        first.push(text);
    }
}

fn list(question: &Question, answer: &Answer) -> Vec<String> {
    let none = answer.none.then(|| "(none of these)".to_owned());
    let label = |&pick: &usize| question.input.label(pick).map(str::to_owned);
    let picked = answer.picks.iter().filter_map(label);
    let note = answer.note.as_ref().map(|note| format!("(note: {note})"));
    let own = answer.own.clone();
    let files = answer.attachments.iter().map(reply::file_at);
    let said = none.into_iter().chain(picked).chain(own);
    said.chain(files).chain(note).collect()
}

fn words(ask: &Ask, text: &str) -> Vec<Vec<String>> {
    let list = |at| match at {
        0 => vec![text.to_owned()],
        _ => Vec::new(),
    };
    (0..ask.questions.len()).map(list).collect()
}

#[cfg(test)]
mod tests {
    use ask_core::Gaps;
    use ask_core::draft::Draft;

    use super::*;

    #[test]
    fn notes_are_sent_with_none_of_these() {
        let message = json!({
            "type": "question.asked",
            "properties": {"questions": [{
                "question": "Which?",
                "header": "One",
                "multiple": true,
                "options": [
                    {"label": "A", "description": "a"},
                    {"label": "B", "description": "b"},
                ],
            }]},
        });
        let Ok(HookEvent::Asked(asked)) = Opencode.read(&message.to_string()) else {
            panic!("{message}");
        };
        let ask = asked.ask;
        let sent = |answer, note: &str| {
            let draft = Draft {
                answers: vec![answer],
                note: Some(note.to_owned()),
            };
            lists(&ask, &draft.finish(&ask, Gaps::Send).unwrap())
        };
        let none = Answer {
            none: true,
            note: Some("neither".into()),
            ..Answer::default()
        };
        let expected = [
            "(none of these)",
            "(note: neither)",
            "(note on all of this: ask later)",
        ];
        assert_eq!(sent(none, "ask later"), [expected.to_vec()]);
    }
}
