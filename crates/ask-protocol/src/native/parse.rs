//! Reads what the form's writers wrote: records, drafts, outcomes, settlements.

use crate::native::fields::Fields;
use crate::native::{Read, files, malformed, pick, read_in_client, read_snooze};
use ask_core::Json;
use ask_core::ask::{Ask, Choice, Input, Question};
use ask_core::caller::{Caller, Process};
use ask_core::draft::{Answer, Draft, Gaps};
use ask_core::id::AskId;
use ask_core::json::brief;
use ask_core::lifecycle::Settlement;
use ask_core::outcome::Outcome;
use ask_core::record::{Asker, Record, Saved, Shown, State};
use ask_core::time::Time;

/// Reads what [`crate::native::write_record`] wrote.
pub fn read_record(value: &Json) -> Read<Record> {
    let from = Fields::of(value, "record")?;
    let Some(id) = AskId::parse(&from.text("askId")?) else {
        return malformed("askId", "is not an id");
    };
    let ask = read_ask(value)?;
    let waiters = from.number("waiters").unwrap_or(0);
    Ok(Record {
        id,
        dialect: from.text("dialect")?,
        asker: parse_asker(from.get("asker").unwrap_or(&Json::Null)),
        asked_at: from.time("askedAt")?,
        deadline_at: from.optional_time("deadlineAt")?,
        state: read_state(&from, &ask)?,
        draft: from.get("draft").map(read_saved).transpose()?,
        shown: read_shown(&from)?,
        waiters: u32::try_from(waiters).unwrap_or(0),
        snoozed: (from.optional_text("snoozedUntil")).and_then(|text| read_snooze(&text)),
        asked_again: from.optional_time("askedAgainAt")?,
        in_client: (from.optional_text("inClient")).and_then(|word| read_in_client(&word)),
        ask,
    })
}

/// Reads what [`crate::native::write_draft`] wrote.
pub fn read_draft(value: &Json) -> Read<Draft> {
    let from = Fields::of(value, "draft")?;
    let Some(Json::Array(items)) = from.get("answers") else {
        return malformed("draft.answers", "must be an array");
    };
    let mut answers = Vec::with_capacity(items.len());
    for item in items {
        let from = Fields::of(item, "draft.answers")?;
        let picks = match from.get("picks") {
            None => Some(Vec::new()),
            Some(picks) => picks.as_array().and_then(|picks| {
                let number =
                    |pick: &Json| pick.as_u64().and_then(|pick| usize::try_from(pick).ok());
                picks.iter().map(number).collect()
            }),
        };
        let Some(picks) = picks else {
            return malformed(
                "draft.answers.picks",
                "must be numbers, from 0, in an array",
            );
        };
        answers.push(Answer {
            picks,
            own: from.text_if_any("own")?,
            note: from.text_if_any("note")?,
            none: from.flag_if_any("none")?.unwrap_or(false),
            attachments: files::read(&from)?,
        });
    }
    Ok(Draft {
        answers,
        note: from.text_if_any("note")?,
    })
}

/// Reads what [`crate::native::write_outcome`] wrote.
pub fn read_outcome(ask: &Ask, value: &Json) -> Read<Outcome> {
    let from = Fields::of(value, "outcome")?;
    if from.flag("answered") {
        let draft = read_answers(ask, value)?;
        return match draft.finish(ask, Gaps::Send) {
            Ok(answered) => Ok(Outcome::Answered(answered)),
            Err(unfinished) => malformed("outcome.answers", &unfinished.to_string()),
        };
    }
    if from.flag("cancelled") {
        return Ok(Outcome::Declined {
            reason: from.optional_text("reason"),
        });
    }
    if from.flag("timedOut") {
        return Ok(Outcome::Expired);
    }
    if from.flag("withdrawn") {
        return Ok(Outcome::Withdrawn);
    }
    match from.optional_text("clarify") {
        Some(words) => Ok(Outcome::Clarify { words }),
        None => malformed("outcome", "says neither how nor by whom it ended"),
    }
}

/// Reads native answers, by question id where given and else by position, into a draft.
pub fn read_answers(ask: &Ask, value: &Json) -> Read<Draft> {
    let from = Fields::of(value, "outcome")?;
    let Some(Json::Array(items)) = from.get("answers") else {
        return malformed("answers", "must be an array");
    };
    let mut answers = vec![Answer::default(); ask.questions.len()];
    let mut answered = vec![false; answers.len()];
    for (position, item) in items.iter().enumerate() {
        let path = format!("answers[{position}]");
        let from = Fields::of(item, &path)?;
        let at = match from.text_if_any("questionId")? {
            Some(id) => named(ask, &id, &path)?,
            None if position < ask.questions.len() => position,
            None => {
                let problem = format!("is one too many: {} were asked for", ask.questions.len());
                return malformed(&path, &problem);
            }
        };
        // Of two, nobody knows which one is meant.
        if std::mem::replace(&mut answered[at], true) {
            return malformed(&path, "answers a question that was answered before it");
        }
        answers[at] = read_answer(&ask.questions[at], &from, &path)?;
    }
    Ok(Draft {
        answers,
        note: from.text_if_any("note")?,
    })
}

fn named(ask: &Ask, id: &str, path: &str) -> Read<usize> {
    if let Some(at) = ask.questions.iter().position(|question| question.id == id) {
        return Ok(at);
    }
    let ids = ask.questions.iter().map(|question| brief(&question.id));
    let ids = ids.collect::<Vec<_>>().join(", ");
    let problem = format!(
        "\"{}\" is no question of this ask; there are {ids}",
        brief(id)
    );
    malformed(&format!("{path}.questionId"), &problem)
}

/// Reads what [`crate::native::write_settlement`] wrote.
pub fn read_settlement(ask: &Ask, value: &Json) -> Read<Settlement> {
    let from = Fields::of(value, "settlement")?;
    Ok(Settlement {
        outcome: read_outcome(ask, from.get("outcome").unwrap_or(&Json::Null))?,
        surface: from.text("surface")?,
        device: from.optional_text("device"),
        at: Time(from.get("at").and_then(Json::as_i64).unwrap_or(0)),
        attempt: from.number("attempt").unwrap_or(0),
        awaited: from.flag("awaited"),
    })
}

fn read_state(from: &Fields<'_>, ask: &Ask) -> Read<State> {
    if from.text("state")? == "waiting" {
        return Ok(State::Waiting);
    }
    Ok(State::Closed {
        settlement: Settlement {
            outcome: read_outcome(ask, from.get("outcome").unwrap_or(&Json::Null))?,
            surface: from.text("answeredBy")?,
            device: from.optional_text("answeredDevice"),
            at: from.time("answeredAt")?,
            attempt: from.number("attempt").unwrap_or(0),
            awaited: from.flag("awaited"),
        },
        delivered_at: from.optional_time("deliveredAt")?,
    })
}

fn read_saved(value: &Json) -> Read<Saved> {
    let fields = Fields::of(value, "draft")?;
    Ok(Saved {
        draft: read_draft(value)?,
        at: fields.time("savedAt")?,
        surface: fields.text("savedBy")?,
        revision: fields.number("revision").unwrap_or(0),
    })
}

fn read_shown(from: &Fields<'_>) -> Read<Option<Shown>> {
    let Some(surface) = from.optional_text("shownOn") else {
        return Ok(None);
    };
    Ok(Some(Shown {
        surface,
        at: from.time("shownAt")?,
    }))
}

/// What an answer may say.
const SAYS: [&str; 5] = ["values", "customText", "note", "attachments", "status"];

fn read_answer(question: &Question, from: &Fields<'_>, path: &str) -> Read<Answer> {
    // Whoever means to skip a question leaves it out, or says that it has no values.
    if SAYS.iter().all(|key| from.get(key).is_none()) {
        return malformed(
            path,
            "says nothing: give values, or customText for own words",
        );
    }
    let path = format!("{path}.values");
    let mut answer = Answer {
        own: from.text_if_any("customText")?,
        note: from.text_if_any("note")?,
        attachments: files::read(from)?,
        ..Answer::default()
    };
    let values = match from.get("values") {
        None => &[],
        Some(Json::Array(values)) => values.as_slice(),
        Some(single) => std::slice::from_ref(single),
    };
    let mut texts = Vec::new();
    for value in values {
        let Some(value) = value.as_str() else {
            return malformed(&path, "must be strings");
        };
        match pick(question, value) {
            Some(pick) => answer.picks.push(pick),
            None if question.input.is_empty() => texts.push(value),
            None => {
                let problem = format!("\"{}\" is no choice of this question", brief(value));
                return malformed(&path, &problem);
            }
        }
    }
    // A text has one answer: what was said in pieces, and in own words besides, is all of it.
    if !texts.is_empty() {
        texts.extend(answer.own.as_deref().filter(|own| !texts.contains(own)));
        answer.own = Some(texts.join(", "));
    }
    answer.none = question.input.is_many()
        && from.optional_text("status").as_deref() == Some("answered")
        && answer.picks.is_empty()
        && answer.own.is_none()
        && answer.attachments.is_empty();
    Ok(answer)
}

/// Reads the parts of an ask from what [`crate::native::write_record`] wrote.
fn read_ask(value: &Json) -> Read<Ask> {
    let from = Fields::of(value, "record")?;
    let Some(Json::Array(items)) = from.get("questions") else {
        return malformed("questions", "must be an array");
    };
    let mut questions = Vec::with_capacity(items.len());
    for item in items {
        questions.push(read_question(item)?);
    }
    Ok(Ask {
        title: from.optional_text("title"),
        context: from.optional_text("context"),
        questions,
        limit_ms: from.number("timeout"),
        metadata: from.get("metadata").map(Json::to_string),
    })
}

fn read_question(value: &Json) -> Read<Question> {
    let from = Fields::of(value, "questions")?;
    let choices = match from.get("options") {
        Some(Json::Array(items)) => items.iter().map(read_choice).collect::<Read<Vec<_>>>()?,
        _ => Vec::new(),
    };
    let input = match from.text("type")?.as_str() {
        "text" => Input::Text,
        "select" => Input::One(choices),
        "multi-select" => Input::Many(choices),
        "confirm" => Input::Confirm,
        _ => return malformed("type", "must be text, select, multi-select or confirm"),
    };
    Ok(Question {
        id: from.text("questionId")?,
        text: from.text("question")?,
        label: from.optional_text("header"),
        input,
        required: from.flag("required"),
        placeholder: from.optional_text("placeholder"),
        default: from.optional_text("default"),
    })
}

fn read_choice(value: &Json) -> Read<Choice> {
    let from = Fields::of(value, "options")?;
    Ok(Choice {
        label: from.text("label")?,
        description: from.optional_text("description"),
        preview: from.optional_text("preview"),
    })
}

pub(crate) fn parse_asker(value: &Json) -> Asker {
    let text = |key: &str| value.get(key).and_then(Json::as_str).map(str::to_owned);
    Asker {
        client: text("client"),
        version: text("clientVersion"),
        agent: text("agent"),
        session: text("session"),
        instance: text("instance"),
        project: text("project"),
        directory: text("directory"),
        branch: text("branch"),
        caller: value.get("caller").and_then(read_caller),
    }
}

/// Nothing where it is not what [`super::write_known_asker`] wrote: an ask without a caller is still an ask.
fn read_caller(value: &Json) -> Option<Caller> {
    let text = |key: &str| value.get(key).and_then(Json::as_str);
    Some(Caller {
        instance: text("instance")?.to_owned(),
        process: text("process").and_then(Process::parse),
        client: text("client").and_then(Process::parse),
        started_at: text("startedAt").and_then(Time::parse)?,
    })
}
