//! Claude Code's hooks for AskUserQuestion. Before the tool runs, an answer is returned as its
//! input with `answers` filled in, which Claude Code treats like that of its own dialog. Any other
//! outcome is a denial with its reason. After the tool ran, the hook learns what the person
//! answered in that dialog, in case the first hook ran out of time.

use serde_json::{Map, json};

use crate::claude::{self, Claude};
use crate::hook::{Asked, Closed, Hook, HookEvent};
use crate::reply::whole_text;
use crate::{Call, Dialect, Setting, Word};
use ask_core::Json;
use ask_core::ask::{Ask, Question};
use ask_core::draft::Answered;
use ask_core::outcome::Outcome;
use ask_core::record::Record;
use ask_protocol::Reply;

/// The hook of Claude Code.
pub(super) struct ClaudeCode;

const BEFORE: &str = "PreToolUse";
const AFTER: &str = "PostToolUse";
const TOOL: &str = "AskUserQuestion";

impl Hook for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn dialect(&self) -> &'static str {
        "claude"
    }

    fn is_lines(&self) -> bool {
        false
    }

    fn read(&self, text: &str) -> Result<HookEvent, String> {
        let message = crate::hook::message(text)?;
        let after = match expect(&message, "hook_event_name", &[BEFORE, AFTER])? {
            // The question was answered even if the response is missing.
            AFTER => Some(message.get("tool_response").cloned().unwrap_or_default()),
            _ => None,
        };
        expect(&message, "tool_name", &[TOOL])?;
        let input = message.get("tool_input").ok_or("tool_input: is missing")?;
        let call = Claude.read(TOOL, input, &Setting::default());
        let ask = match call.map_err(|refusal| format!("tool_input: {refusal}"))? {
            Call::Ask { ask, .. } => *ask,
            Call::Fetch { .. } => return Err("tool_input: asks nothing".to_owned()),
        };
        let closed = after.map(|response| Closed::Answered(texts(&ask, &response)));
        let asked = Box::new(Asked {
            ask,
            session: crate::hook::text(&message, "session_id"),
            directory: crate::hook::text(&message, "cwd"),
            agent: crate::hook::text(&message, "agent_type"),
            message,
        });
        Ok(match closed {
            Some(closed) => HookEvent::Overtaken(asked, closed),
            None => HookEvent::Asked(asked),
        })
    }

    fn write(&self, asked: &Asked, record: &Record) -> Option<String> {
        let settlement = record.settlement()?;
        let decision = match &settlement.outcome {
            Outcome::Answered(answered) => allow(asked, record, answered),
            Outcome::Declined { .. } | Outcome::Clarify { .. } => json!({
                "hookEventName": BEFORE,
                "permissionDecision": "deny",
                "permissionDecisionReason": whole_text(&Claude.write(Word::Closed(record))),
            }),
            Outcome::Expired | Outcome::Withdrawn => return None,
        };
        Some(json!({ "hookSpecificOutput": decision }).to_string())
    }
}

/// Which of these words a property contains.
fn expect(message: &Json, key: &str, wanted: &[&'static str]) -> Result<&'static str, String> {
    let Some(word) = message.get(key).and_then(Json::as_str) else {
        return Err(format!("{key}: is missing"));
    };
    let known = wanted.iter().copied().find(|known| *known == word);
    known.ok_or_else(|| {
        let word = ask_core::json::brief(word);
        let wanted = wanted.join(" or ");
        format!("{key}: is \"{word}\", only {wanted} is taken over")
    })
}

/// What the person answered in Claude Code's own dialog.
fn texts(ask: &Ask, response: &Json) -> Vec<Vec<String>> {
    let text = |question: &Question| response.get("answers")?.get(&question.text)?.as_str();
    let questions = ask.questions.iter();
    questions
        .map(|question| text(question).map_or_else(Vec::new, |text| split_answer(question, text)))
        .collect()
}

/// Splits labels that were joined by commas. Labels may contain commas themselves.
fn split_answer(question: &Question, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = text;
    while question.input.is_many() && !left.is_empty() {
        let choices = question.input.choices().iter();
        let cuts = choices.filter_map(|choice| {
            let rest = left.strip_prefix(choice.label.as_str())?;
            let rest = rest.strip_prefix(", ").or(rest.is_empty().then_some(rest));
            Some((choice.label.clone(), rest?))
        });
        let Some((label, rest)) = cuts.max_by_key(|(label, _)| label.len()) else {
            break;
        };
        found.push(label);
        left = rest;
    }
    if !left.is_empty() {
        found.push(left.to_owned());
    }
    found
}

fn allow(asked: &Asked, record: &Record, answered: &Answered) -> Json {
    // Claude Code finds answers by the texts that it sent, even if ours were cut.
    let sent = asked.message.pointer("/tool_input/questions");
    let key = |at: usize, question: &Question| {
        let sent = sent.and_then(|sent| sent.get(at)?.get("question")?.as_str());
        sent.unwrap_or(&question.text).to_owned()
    };
    let mut answers = Map::new();
    let mut annotations = Map::new();
    let mut unanswered = Vec::new();
    let questions = asked.ask.questions.iter().zip(answered.answers());
    for (at, (question, answer)) in questions.enumerate() {
        if answer.is_given() {
            let said = crate::reply::said(question, answer);
            answers.insert(key(at, question), said.into());
        } else {
            unanswered.push(format!("\"{}\"", question.text));
        }
        let annotation = claude::annotation(question, answer);
        if !annotation.is_empty() {
            annotations.insert(key(at, question), Json::Object(annotation));
        }
    }
    let mut input = match &asked.message["tool_input"] {
        Json::Object(fields) => fields.clone(),
        // The questions came in another form, which the tool itself could not read.
        _ => Map::new(),
    };
    input.insert("answers".into(), Json::Object(answers));
    input.remove("annotations");
    if !annotations.is_empty() {
        input.insert("annotations".into(), Json::Object(annotations));
    }
    let mut decision = Map::new();
    decision.insert("hookEventName".into(), BEFORE.into());
    decision.insert("permissionDecision".into(), "allow".into());
    decision.insert("updatedInput".into(), Json::Object(input));
    let reply = Claude.write(Word::Closed(record));
    if let Some(besides) = extra_context(&unanswered, answered.note(), reply) {
        decision.insert("additionalContext".into(), besides.into());
    }
    Json::Object(decision)
}

/// What the tool's own result has no place for.
fn extra_context(unanswered: &[String], note: Option<&str>, reply: Reply) -> Option<String> {
    let left = (!unanswered.is_empty()).then(|| {
        let which = unanswered.join(", ");
        format!("The user left unanswered, and so has neither agreed nor refused: {which}.")
    });
    let note = note.map(|note| format!("The user's note on all of these questions: {note}"));
    let files = reply.names_files();
    let said = [left, note, files, reply.mention, reply.doubt];
    let said: Vec<String> = said.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_was_answered_is_not_asked_again_without_its_response() {
        let message = serde_json::json!({
            "hook_event_name": "PostToolUse",
            "tool_name": "AskUserQuestion",
            "tool_input": {"questions": [{
                "question": "Which?",
                "header": "One",
                "multiSelect": false,
                "options": [
                    {"label": "A", "description": "a"},
                    {"label": "B", "description": "b"},
                ],
            }]},
        });
        let event = ClaudeCode.read(&message.to_string()).unwrap();
        assert!(matches!(event, HookEvent::Overtaken(..)), "{event:?}");
    }
}
