//! The project's own wire form of records, drafts and outcomes: the store's
//! columns, the hub's messages and `--json` are all of it. Reading what was
//! written gives the same value back.

use serde_json::{Map, json};

use super::{Json, Problem};
use crate::ask::{Ask, Choice, Input, Question};
use crate::draft::{Answer, Answered, Draft, Gaps};
use crate::id::AskId;
use crate::lifecycle::Settlement;
use crate::outcome::Outcome;
use crate::record::{Asker, Record, Saved, Shown, State};
use crate::time::Time;

/// Why a text is not what this module writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

type Read<T> = Result<T, Malformed>;

fn malformed<T>(path: &str, problem: &str) -> Read<T> {
    Err(Malformed(Problem::new(path, problem).to_string()))
}

/// Writes a record, everything in it.
pub fn write_record(record: &Record) -> Json {
    let mut out = Map::new();
    put(&mut out, "askId", record.id.as_str());
    put(&mut out, "state", record.state_word());
    if let State::Closed { delivered_at, .. } = &record.state {
        out.insert("delivered".into(), delivered_at.is_some().into());
    }
    write_ask_into(&mut out, &record.ask);
    out.insert("asker".into(), write_asker(&record.asker));
    put(&mut out, "dialect", &record.dialect);
    put(&mut out, "askedAt", &record.asked_at.to_string());
    if let Some(at) = record.deadline_at {
        put(&mut out, "deadlineAt", &at.to_string());
    }
    if let State::Closed {
        settlement,
        delivered_at,
    } = &record.state
    {
        out.insert("outcome".into(), write_outcome(record, &settlement.outcome));
        put(&mut out, "answeredBy", &settlement.surface);
        put(&mut out, "answeredAt", &settlement.at.to_string());
        out.insert("attempt".into(), settlement.attempt.into());
        if let Some(at) = delivered_at {
            put(&mut out, "deliveredAt", &at.to_string());
        }
    }
    if let Some(saved) = &record.draft {
        let mut draft = write_draft(&saved.draft);
        if let Some(fields) = draft.as_object_mut() {
            put(fields, "savedAt", &saved.at.to_string());
            put(fields, "savedBy", &saved.surface);
        }
        out.insert("draft".into(), draft);
    }
    if let Some(shown) = &record.shown {
        put(&mut out, "shownOn", &shown.surface);
        put(&mut out, "shownAt", &shown.at.to_string());
    }
    if record.waiters > 0 {
        out.insert("waiters".into(), record.waiters.into());
    }
    if let Some(metadata) = &record.ask.metadata {
        let value = serde_json::from_str(metadata).unwrap_or_else(|_| metadata.as_str().into());
        out.insert("metadata".into(), value);
    }
    Json::Object(out)
}

/// Reads what [`write_record`] wrote.
pub fn read_record(value: &Json) -> Read<Record> {
    let from = Fields::of(value, "record")?;
    let id = from.text("askId")?;
    let Some(id) = AskId::parse(&id) else {
        return malformed("askId", "is not an id");
    };
    let ask = read_ask(value)?;
    let state = match from.text("state")?.as_str() {
        "waiting" => State::Waiting,
        _ => State::Closed {
            settlement: Settlement {
                outcome: read_outcome(&ask, from.get("outcome").unwrap_or(&Json::Null))?,
                surface: from.text("answeredBy")?,
                at: from.time("answeredAt")?,
                attempt: from.number("attempt").unwrap_or(0),
            },
            delivered_at: from.optional_time("deliveredAt")?,
        },
    };
    let draft = match from.get("draft") {
        None => None,
        Some(value) => {
            let fields = Fields::of(value, "draft")?;
            Some(Saved {
                draft: read_draft(value)?,
                at: fields.time("savedAt")?,
                surface: fields.text("savedBy")?,
            })
        }
    };
    let shown = match from.optional_text("shownOn") {
        None => None,
        Some(surface) => Some(Shown {
            surface,
            at: from.time("shownAt")?,
        }),
    };
    Ok(Record {
        id,
        dialect: from.text("dialect")?,
        asker: read_asker(from.get("asker").unwrap_or(&Json::Null)),
        asked_at: from.time("askedAt")?,
        deadline_at: from.optional_time("deadlineAt")?,
        state,
        draft,
        shown,
        waiters: from
            .number("waiters")
            .and_then(|count| u32::try_from(count).ok())
            .unwrap_or(0),
        ask,
    })
}

fn write_ask_into(out: &mut Map<String, Json>, ask: &Ask) {
    put_some(out, "title", ask.title.as_deref());
    put_some(out, "context", ask.context.as_deref());
    let questions = ask.questions.iter().map(write_question).collect();
    out.insert("questions".into(), Json::Array(questions));
    if let Some(limit) = ask.limit_ms {
        out.insert("timeout".into(), limit.into());
    }
}

fn write_question(question: &Question) -> Json {
    let mut out = Map::new();
    put(&mut out, "questionId", &question.id);
    put(&mut out, "question", &question.text);
    put_some(&mut out, "header", question.label.as_deref());
    put(&mut out, "type", input_word(&question.input));
    if matches!(question.input, Input::One(_) | Input::Many(_)) {
        let choices = question.input.choices().iter().map(write_choice).collect();
        out.insert("options".into(), Json::Array(choices));
    }
    out.insert("required".into(), question.required.into());
    put_some(&mut out, "placeholder", question.placeholder.as_deref());
    put_some(&mut out, "default", question.default.as_deref());
    Json::Object(out)
}

/// The word for an input: `text`, `select`, `multi-select`, `confirm`.
pub fn input_word(input: &Input) -> &'static str {
    match input {
        Input::Text => "text",
        Input::One(_) => "select",
        Input::Many(_) => "multi-select",
        Input::Confirm => "confirm",
    }
}

fn write_choice(choice: &Choice) -> Json {
    let mut out = Map::new();
    put(&mut out, "label", &choice.label);
    put_some(&mut out, "description", choice.description.as_deref());
    put_some(&mut out, "preview", choice.preview.as_deref());
    Json::Object(out)
}

/// Reads the parts of an ask from what [`write_record`] wrote.
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

fn write_asker(asker: &Asker) -> Json {
    let mut out = Map::new();
    for (key, value) in [
        ("client", &asker.client),
        ("clientVersion", &asker.version),
        ("agent", &asker.agent),
        ("session", &asker.session),
        ("project", &asker.project),
        ("directory", &asker.directory),
        ("branch", &asker.branch),
    ] {
        put_some(&mut out, key, value.as_deref());
    }
    Json::Object(out)
}

fn read_asker(value: &Json) -> Asker {
    let text = |key: &str| value.get(key).and_then(Json::as_str).map(str::to_owned);
    Asker {
        client: text("client"),
        version: text("clientVersion"),
        agent: text("agent"),
        session: text("session"),
        project: text("project"),
        directory: text("directory"),
        branch: text("branch"),
    }
}

/// Writes a draft.
pub fn write_draft(draft: &Draft) -> Json {
    let mut out = Map::new();
    let answers = draft.answers.iter().map(write_answer).collect();
    out.insert("answers".into(), Json::Array(answers));
    put_some(&mut out, "note", draft.note.as_deref());
    Json::Object(out)
}

fn write_answer(answer: &Answer) -> Json {
    let mut out = Map::new();
    if !answer.picks.is_empty() {
        out.insert("picks".into(), json!(answer.picks));
    }
    put_some(&mut out, "own", answer.own.as_deref());
    put_some(&mut out, "note", answer.note.as_deref());
    if answer.none {
        out.insert("none".into(), true.into());
    }
    Json::Object(out)
}

/// Reads what [`write_draft`] wrote.
pub fn read_draft(value: &Json) -> Read<Draft> {
    let from = Fields::of(value, "draft")?;
    let Some(Json::Array(items)) = from.get("answers") else {
        return malformed("draft.answers", "must be an array");
    };
    let mut answers = Vec::with_capacity(items.len());
    for item in items {
        let from = Fields::of(item, "draft.answers")?;
        let picks = match from.get("picks") {
            Some(Json::Array(picks)) => picks
                .iter()
                .filter_map(|pick| pick.as_u64().and_then(|pick| usize::try_from(pick).ok()))
                .collect(),
            _ => Vec::new(),
        };
        answers.push(Answer {
            picks,
            own: from.optional_text("own"),
            note: from.optional_text("note"),
            none: from.flag("none"),
        });
    }
    Ok(Draft {
        answers,
        note: from.optional_text("note"),
    })
}

/// Writes an outcome as the reply of the native dialect: every question of the
/// ask appears in it, answered or not.
pub fn write_outcome(record: &Record, outcome: &Outcome) -> Json {
    let mut out = Map::new();
    let answered = matches!(outcome, Outcome::Answered(_));
    out.insert("answered".into(), answered.into());
    out.insert(
        "cancelled".into(),
        matches!(outcome, Outcome::Declined { .. }).into(),
    );
    out.insert(
        "timedOut".into(),
        matches!(outcome, Outcome::Expired).into(),
    );
    if matches!(outcome, Outcome::Withdrawn) {
        out.insert("withdrawn".into(), true.into());
    }
    put(&mut out, "askId", record.id.as_str());
    match outcome {
        Outcome::Declined { reason } => put_some(&mut out, "reason", reason.as_deref()),
        Outcome::Clarify { words } => put(&mut out, "clarify", words),
        Outcome::Answered(_) | Outcome::Expired | Outcome::Withdrawn => {}
    }
    let answers = match outcome {
        Outcome::Answered(answered) => write_answers(&record.ask, answered),
        Outcome::Declined { .. }
        | Outcome::Clarify { .. }
        | Outcome::Expired
        | Outcome::Withdrawn => unanswered(&record.ask),
    };
    out.insert("answers".into(), Json::Array(answers));
    if let Outcome::Answered(answered) = outcome {
        put_some(&mut out, "note", answered.note());
    }
    Json::Object(out)
}

fn write_answers(ask: &Ask, answered: &Answered) -> Vec<Json> {
    ask.questions
        .iter()
        .zip(answered.answers())
        .map(|(question, answer)| {
            let mut out = answer_head(question, status(question, answer));
            out.insert("values".into(), json!(values(question, answer)));
            match question.input {
                Input::Text => {}
                Input::One(_) | Input::Confirm | Input::Many(_) => {
                    put_some(&mut out, "customText", answer.own.as_deref());
                }
            }
            put_some(&mut out, "note", answer.note.as_deref());
            Json::Object(out)
        })
        .collect()
}

/// Every question of an ask that ended without answers.
pub fn unanswered(ask: &Ask) -> Vec<Json> {
    ask.questions
        .iter()
        .map(|question| {
            let mut out = answer_head(question, "unanswered");
            out.insert("values".into(), json!([]));
            Json::Object(out)
        })
        .collect()
}

fn answer_head(question: &Question, status: &str) -> Map<String, Json> {
    let mut out = Map::new();
    put(&mut out, "questionId", &question.id);
    put(&mut out, "question", &question.text);
    put(&mut out, "status", status);
    out
}

fn status(question: &Question, answer: &Answer) -> &'static str {
    match (answer.is_given(), question.required) {
        (true, _) => "answered",
        (false, false) => "skipped",
        (false, true) => "unanswered",
    }
}

/// What an answer says in `values`: the text of a text question, else the labels
/// that were picked, `yes` or `no` for a confirmation.
pub fn values(question: &Question, answer: &Answer) -> Vec<String> {
    match &question.input {
        Input::Text => answer.own.iter().cloned().collect(),
        Input::Confirm => answer
            .picks
            .iter()
            .filter_map(|&pick| question.input.label(pick))
            .map(str::to_lowercase)
            .collect(),
        Input::One(choices) | Input::Many(choices) => answer
            .picks
            .iter()
            .filter_map(|&pick| choices.get(pick))
            .map(|choice| choice.label.clone())
            .collect(),
    }
}

/// Reads what [`write_outcome`] wrote.
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
    for (position, item) in items.iter().enumerate() {
        let path = format!("answers[{position}]");
        let from = Fields::of(item, &path)?;
        let at = match from.optional_text("questionId") {
            Some(id) => ask.questions.iter().position(|question| question.id == id),
            None => (position < ask.questions.len()).then_some(position),
        };
        let Some(at) = at else {
            return malformed(&path, "names no question of this ask");
        };
        let question = &ask.questions[at];
        let mut answer = Answer {
            own: from.optional_text("customText"),
            note: from.optional_text("note"),
            ..Answer::default()
        };
        if let Some(Json::Array(values)) = from.get("values") {
            for value in values.iter().filter_map(Json::as_str) {
                match pick(question, value) {
                    Some(pick) => answer.picks.push(pick),
                    None if question.input.is_empty() => answer.own = Some(value.to_owned()),
                    None => {
                        let problem = format!("\"{value}\" is not a choice of question {}", at + 1);
                        return malformed(&format!("{path}.values"), &problem);
                    }
                }
            }
        }
        answer.none = question.input.is_many()
            && from.optional_text("status").as_deref() == Some("answered")
            && answer.picks.is_empty()
            && answer.own.is_none();
        answers[at] = answer;
    }
    Ok(Draft {
        answers,
        note: from.optional_text("note"),
    })
}

/// Finds a choice by its label; `yes` and `no` in any case for a confirmation.
pub fn pick(question: &Question, label: &str) -> Option<usize> {
    match &question.input {
        Input::Text => None,
        Input::Confirm => crate::ask::CONFIRM
            .iter()
            .position(|word| word.eq_ignore_ascii_case(label)),
        Input::One(choices) | Input::Many(choices) => {
            choices.iter().position(|choice| choice.label == label)
        }
    }
}

/// Writes a settlement for the store.
pub fn write_settlement(record: &Record, settlement: &Settlement) -> Json {
    json!({
        "outcome": write_outcome(record, &settlement.outcome),
        "surface": settlement.surface,
        "at": settlement.at.0,
        "attempt": settlement.attempt,
    })
}

/// Reads what [`write_settlement`] wrote.
pub fn read_settlement(ask: &Ask, value: &Json) -> Read<Settlement> {
    let from = Fields::of(value, "settlement")?;
    Ok(Settlement {
        outcome: read_outcome(ask, from.get("outcome").unwrap_or(&Json::Null))?,
        surface: from.text("surface")?,
        at: Time(from.get("at").and_then(Json::as_i64).unwrap_or(0)),
        attempt: from.number("attempt").unwrap_or(0),
    })
}

fn put(out: &mut Map<String, Json>, key: &str, value: &str) {
    out.insert(key.to_owned(), value.into());
}

fn put_some(out: &mut Map<String, Json>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        put(out, key, value);
    }
}

/// An object and where it stands, for messages.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Json>,
    path: &'a str,
}

impl<'a> Fields<'a> {
    pub(super) fn of(value: &'a Json, path: &'a str) -> Read<Self> {
        match value.as_object() {
            Some(map) => Ok(Self { map, path }),
            None => malformed(path, "must be an object"),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Json> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn optional_text(&self, key: &str) -> Option<String> {
        self.get(key).and_then(Json::as_str).map(str::to_owned)
    }

    pub(super) fn text(&self, key: &str) -> Read<String> {
        match self.optional_text(key) {
            Some(text) => Ok(text),
            None => malformed(&format!("{}.{key}", self.path), "must be a string"),
        }
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        self.get(key).and_then(Json::as_u64)
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Json::as_bool).unwrap_or(false)
    }

    pub(super) fn optional_time(&self, key: &str) -> Read<Option<Time>> {
        match self.get(key) {
            None => Ok(None),
            Some(value) => match value.as_str().and_then(Time::parse) {
                Some(time) => Ok(Some(time)),
                None => malformed(
                    &format!("{}.{key}", self.path),
                    "must be a time in RFC 3339",
                ),
            },
        }
    }

    pub(super) fn time(&self, key: &str) -> Read<Time> {
        match self.optional_time(key)? {
            Some(time) => Ok(time),
            None => malformed(
                &format!("{}.{key}", self.path),
                "must be a time in RFC 3339",
            ),
        }
    }
}
