//! The project's own wire form of records, drafts and outcomes: the store's
//! columns, the hub's messages and `--json` are all of it. Reading what was
//! written gives the same value back.

mod fields;
mod files;
mod parse;

use serde_json::{Map, json};

use ask_core::ask::{Ask, Choice, Input, Question};
use ask_core::caller::Caller;
use ask_core::draft::{Answer, Answered, Draft};
use ask_core::lifecycle::Settlement;
use ask_core::outcome::Outcome;
use ask_core::record::{Asker, InClient, Record, Saved, Snooze, State};
use ask_core::time::Time;
use ask_core::{Json, Problem};

pub(crate) use fields::Fields;
pub(crate) use parse::parse_asker;
pub use parse::{read_answers, read_draft, read_outcome, read_record, read_settlement};

/// The tool that takes an ask in this form: name, description and input schema as published. Agents
/// call it, and the HTTP API takes the same.
pub const CALL_CONTRACT: &str = include_str!("native.ask_user.tool.json");

/// Why a text is not what this module writes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// Its place stands before its words, where it has one; a path has no space.
impl From<Malformed> for Problem {
    fn from(Malformed(text): Malformed) -> Self {
        match text.split_once(": ") {
            Some((path, problem)) if !path.contains(' ') => Self::new(path, problem),
            Some(_) | None => Self::new("", text),
        }
    }
}

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
    out.insert("asker".into(), write_known_asker(&record.asker));
    put(&mut out, "dialect", &record.dialect);
    put(&mut out, "askedAt", &record.asked_at.to_string());
    if let Some(at) = record.deadline_at {
        put(&mut out, "deadlineAt", &at.to_string());
    }
    write_state_into(&mut out, record);
    if let Some(saved) = &record.draft {
        out.insert("draft".into(), write_saved(saved));
    }
    if let Some(shown) = &record.shown {
        put(&mut out, "shownOn", &shown.surface);
        put(&mut out, "shownAt", &shown.at.to_string());
    }
    if record.waiters > 0 {
        out.insert("waiters".into(), record.waiters.into());
    }
    if let Some(snooze) = record.snoozed {
        put(&mut out, "snoozedUntil", &write_snooze(snooze));
    }
    if let Some(at) = record.asked_again {
        put(&mut out, "askedAgainAt", &at.to_string());
    }
    if let Some(in_client) = record.in_client {
        put(&mut out, "inClient", in_client_word(in_client));
    }
    if let Some(metadata) = &record.ask.metadata {
        let value = serde_json::from_str(metadata).unwrap_or_else(|_| metadata.as_str().into());
        out.insert("metadata".into(), value);
    }
    Json::Object(out)
}

fn write_state_into(out: &mut Map<String, Json>, record: &Record) {
    let State::Closed {
        settlement,
        delivered_at,
    } = &record.state
    else {
        return;
    };
    let outcome = write_outcome(record, &settlement.outcome);
    out.insert("outcome".into(), outcome);
    put(out, "answeredBy", &settlement.surface);
    put_some(out, "answeredDevice", settlement.device.as_deref());
    put(out, "answeredAt", &settlement.at.to_string());
    out.insert("attempt".into(), settlement.attempt.into());
    if settlement.awaited {
        out.insert("awaited".into(), true.into());
    }
    if let Some(at) = delivered_at {
        put(out, "deliveredAt", &at.to_string());
    }
}

/// What stands for the moment of a snooze that ends with none.
const ASKED_AGAIN: &str = "asked-again";

/// Writes until when an ask is put aside: a time, or `asked-again`.
pub fn write_snooze(snooze: Snooze) -> String {
    match snooze {
        Snooze::Until(at) => at.to_string(),
        Snooze::AskedAgain => ASKED_AGAIN.to_owned(),
    }
}

/// Reads what [`write_snooze`] wrote.
pub fn read_snooze(text: &str) -> Option<Snooze> {
    match text {
        ASKED_AGAIN => Some(Snooze::AskedAgain),
        time => Time::parse(time).map(Snooze::Until),
    }
}

/// The word for how a client asks as well: `dialog`, `handed`.
pub fn in_client_word(in_client: InClient) -> &'static str {
    match in_client {
        InClient::Dialog => "dialog",
        InClient::Handed => "handed",
    }
}

/// Reads what [`in_client_word`] wrote.
pub fn read_in_client(word: &str) -> Option<InClient> {
    [InClient::Dialog, InClient::Handed]
        .into_iter()
        .find(|known| in_client_word(*known) == word)
}

fn write_saved(saved: &Saved) -> Json {
    let mut draft = write_draft(&saved.draft);
    if let Some(fields) = draft.as_object_mut() {
        put(fields, "savedAt", &saved.at.to_string());
        put(fields, "savedBy", &saved.surface);
        fields.insert("revision".into(), saved.revision.into());
    }
    draft
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

pub(crate) fn write_question(question: &Question) -> Json {
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

pub(crate) fn write_asker(asker: &Asker) -> Json {
    let mut out = Map::new();
    for (key, value) in [
        ("client", &asker.client),
        ("clientVersion", &asker.version),
        ("agent", &asker.agent),
        ("session", &asker.session),
        ("instance", &asker.instance),
        ("project", &asker.project),
        ("directory", &asker.directory),
        ("branch", &asker.branch),
    ] {
        put_some(&mut out, key, value.as_deref());
    }
    Json::Object(out)
}

/// Writes who asks, and which program that is: for the store, the hub and the person's own commands.
pub(crate) fn write_known_asker(asker: &Asker) -> Json {
    let mut out = write_asker(asker);
    if let (Some(fields), Some(caller)) = (out.as_object_mut(), &asker.caller) {
        fields.insert("caller".into(), write_caller(caller));
    }
    out
}

fn write_caller(caller: &Caller) -> Json {
    let mut out = Map::new();
    put(&mut out, "instance", &caller.instance);
    for (key, process) in [("process", caller.process), ("client", caller.client)] {
        if let Some(process) = process {
            put(&mut out, key, &process.to_string());
        }
    }
    put(&mut out, "startedAt", &caller.started_at.to_string());
    Json::Object(out)
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
    files::write_into(&mut out, answer);
    Json::Object(out)
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
            files::write_into(&mut out, answer);
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

/// Finds a choice by its label; `yes` and `no` in any case for a confirmation.
pub fn pick(question: &Question, label: &str) -> Option<usize> {
    match &question.input {
        Input::Text => None,
        Input::Confirm => ask_core::ask::CONFIRM
            .iter()
            .position(|word| word.eq_ignore_ascii_case(label)),
        Input::One(choices) | Input::Many(choices) => {
            choices.iter().position(|choice| choice.label == label)
        }
    }
}

/// Writes a settlement for the store.
pub fn write_settlement(record: &Record, settlement: &Settlement) -> Json {
    let mut out = json!({
        "outcome": write_outcome(record, &settlement.outcome),
        "surface": settlement.surface,
        "at": settlement.at.0,
        "attempt": settlement.attempt,
    });
    if let Some(device) = &settlement.device {
        out["device"] = device.as_str().into();
    }
    if settlement.awaited {
        out["awaited"] = true.into();
    }
    out
}

fn put(out: &mut Map<String, Json>, key: &str, value: &str) {
    out.insert(key.to_owned(), value.into());
}

pub(crate) fn put_some(out: &mut Map<String, Json>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        put(out, key, value);
    }
}
