//! How an ask ended, in the form of the native dialect's reply.

use std::borrow::Cow;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::draft::{File, attachments};
use super::{Malformed, Read, malformed, pick, some_of, values};
use ask_core::draft::Answer;
use ask_core::json::brief;
use ask_core::{Ask, Draft, Gaps, Input, Json, Question};

/// The native reply: every question of the ask appears in it, answered or not.
#[skip_serializing_none]
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome<'a> {
    #[serde(default)]
    #[schema(required)]
    pub(crate) answered: bool,
    /// Whether the person declined.
    #[serde(default)]
    pub(crate) cancelled: bool,
    #[serde(default)]
    pub(crate) timed_out: bool,
    pub(crate) withdrawn: Option<bool>,
    #[serde(default)]
    #[schema(required)]
    pub(crate) ask_id: Cow<'a, str>,
    /// Why the person declined.
    pub(crate) reason: Option<Cow<'a, str>>,
    /// The person's question to the agent.
    pub(crate) clarify: Option<Cow<'a, str>>,
    /// One answer for each question, in the order of the questions.
    #[serde(default)]
    pub(crate) answers: Vec<NativeAnswer<'a>>,
    /// The person's note about the whole ask.
    pub(crate) note: Option<Cow<'a, str>>,
}

/// A native answer.
#[skip_serializing_none]
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NativeAnswer<'a> {
    /// The id of the question; without it, the answer is for the question at its position.
    pub(crate) question_id: Option<Cow<'a, str>>,
    /// The text of the question, in replies. Ignored in requests.
    pub(crate) question: Option<Cow<'a, str>>,
    /// In replies: `answered`, `skipped` or `unanswered`. `answered` without values is "none of these".
    pub(crate) status: Option<Cow<'a, str>>,
    /// The labels of the picked choices, or texts.
    #[serde(default, deserialize_with = "one_or_many")]
    pub(crate) values: Option<Vec<Cow<'a, str>>>,
    /// The person's own words.
    pub(crate) custom_text: Option<Cow<'a, str>>,
    /// The person's note about this question.
    pub(crate) note: Option<Cow<'a, str>>,
    pub(crate) attachments: Option<Vec<File<'a>>>,
}

fn one_or_many<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<Cow<'static, str>>>, D::Error> {
    let text = |value| match value {
        Json::String(text) => Ok(Cow::Owned(text)),
        _ => Err(D::Error::custom("must be strings")),
    };
    match Json::deserialize(deserializer)? {
        Json::Null => Ok(None),
        Json::Array(items) => items
            .into_iter()
            .map(text)
            .collect::<Result<_, _>>()
            .map(Some),
        single => Ok(Some(vec![text(single)?])),
    }
}

impl<'a> Outcome<'a> {
    /// How the ask of a record ended, once it has.
    pub fn of_record(record: &'a ask_core::Record) -> Option<Self> {
        let settlement = record.settlement()?;
        Some(Self::from_record(record, &settlement.outcome))
    }

    /// How an ask ended.
    pub fn from_record(record: &'a ask_core::Record, outcome: &'a ask_core::Outcome) -> Self {
        use ask_core::Outcome::{Answered, Clarify, Declined, Expired, Withdrawn};
        let nothing = Self {
            ask_id: record.id.as_str().into(),
            answers: unanswered(&record.ask),
            ..Self::default()
        };
        match outcome {
            Answered(answered) => Self {
                answered: true,
                answers: (record.ask.questions.iter())
                    .zip(answered.answers())
                    .map(|(question, answer)| NativeAnswer::from_answer(question, answer))
                    .collect(),
                note: answered.note().map(Cow::from),
                ..nothing
            },
            Declined { reason } => Self {
                cancelled: true,
                reason: reason.as_deref().map(Cow::from),
                ..nothing
            },
            Clarify { words } => Self {
                clarify: Some(words.into()),
                ..nothing
            },
            Expired => Self {
                timed_out: true,
                ..nothing
            },
            Withdrawn => Self {
                withdrawn: Some(true),
                ..nothing
            },
        }
    }

    /// The outcome of this ask that it describes.
    pub(crate) fn read(self, ask: &Ask) -> Read<ask_core::Outcome> {
        use ask_core::Outcome::{Answered, Clarify, Declined, Expired, Withdrawn};
        if self.answered {
            let draft = draft_of(ask, self.answers, self.note)?;
            return match draft.finish(ask, Gaps::Send) {
                Ok(answered) => Ok(Answered(answered)),
                Err(unfinished) => malformed("outcome.answers", &unfinished.to_string()),
            };
        }
        match self.clarify {
            _ if self.cancelled => Ok(Declined {
                reason: self.reason.map(Cow::into_owned),
            }),
            _ if self.timed_out => Ok(Expired),
            _ if self.withdrawn == Some(true) => Ok(Withdrawn),
            Some(words) => Ok(Clarify {
                words: words.into_owned(),
            }),
            None => malformed("outcome", "says neither how nor by whom it ended"),
        }
    }
}

/// The answers of an ask that ended without any.
pub fn unanswered(ask: &Ask) -> Vec<NativeAnswer<'_>> {
    let questions = ask.questions.iter();
    questions
        .map(|question| NativeAnswer {
            values: Some(Vec::new()),
            ..NativeAnswer::for_question(question, "unanswered")
        })
        .collect()
}

impl<'a> NativeAnswer<'a> {
    fn for_question(question: &'a Question, status: &'static str) -> Self {
        Self {
            question_id: Some((&question.id).into()),
            question: Some((&question.text).into()),
            status: Some(status.into()),
            ..Self::default()
        }
    }

    fn from_answer(question: &'a Question, answer: &'a Answer) -> Self {
        let status = match (answer.is_given(), question.required) {
            (true, _) => "answered",
            (false, false) => "skipped",
            (false, true) => "unanswered",
        };
        // The own words of a text question are its value.
        let own = answer
            .own
            .as_deref()
            .filter(|_| question.input != Input::Text);
        Self {
            values: Some(values(question, answer)),
            custom_text: own.map(Cow::from),
            note: answer.note.as_deref().map(Cow::from),
            attachments: some_of(&answer.attachments),
            ..Self::for_question(question, status)
        }
    }

    /// Whether nothing is given. A client that means to skip a question leaves it out, or sends
    /// empty values.
    fn is_empty(&self) -> bool {
        self.values.is_none()
            && self.custom_text.is_none()
            && self.note.is_none()
            && self.attachments.is_none()
            && self.status.is_none()
    }

    fn read(self, question: &Question, path: &str) -> Read<Answer> {
        if self.is_empty() {
            return malformed(
                path,
                "says nothing: give values, or customText for own words",
            );
        }
        let mut answer = Answer {
            own: self.custom_text.map(Cow::into_owned),
            note: self.note.map(Cow::into_owned),
            attachments: attachments(self.attachments),
            ..Answer::default()
        };
        let mut texts = Vec::new();
        for value in self.values.unwrap_or_default() {
            match pick(question, &value) {
                Some(pick) => answer.picks.push(pick),
                None if question.input.is_empty() => texts.push(value),
                None => {
                    let problem = format!("\"{}\" is no choice of this question", brief(&value));
                    return malformed(&format!("{path}.values"), &problem);
                }
            }
        }
        // A text question has one answer: all its values, and own words besides.
        if !texts.is_empty() {
            let own = answer.own.take().map(Cow::from);
            texts.extend(own.filter(|own| !texts.contains(own)));
            answer.own = Some(texts.join(", "));
        }
        answer.none = question.input.is_many()
            && self.status.as_deref() == Some("answered")
            && answer.picks.is_empty()
            && answer.own.is_none()
            && answer.attachments.is_empty();
        Ok(answer)
    }
}

/// Reads native answers into a draft: by question id if they have one, otherwise by position.
pub(crate) fn read_answers(ask: &Ask, value: &Json) -> Read<Draft> {
    #[derive(Deserialize)]
    struct Answers<'a> {
        answers: Vec<NativeAnswer<'a>>,
        note: Option<Cow<'a, str>>,
    }
    let Answers { answers, note } = super::from_json(value, "")?;
    draft_of(ask, answers, note)
}

fn draft_of(ask: &Ask, given: Vec<NativeAnswer<'_>>, note: Option<Cow<'_, str>>) -> Read<Draft> {
    let mut answers = vec![Answer::default(); ask.questions.len()];
    let mut answered = vec![false; answers.len()];
    for (position, given) in given.into_iter().enumerate() {
        let path = format!("answers[{position}]");
        let at = match &given.question_id {
            Some(id) => named(ask, id, &path)?,
            None if position < ask.questions.len() => position,
            None => {
                let problem = format!("is one too many: {} were asked for", ask.questions.len());
                return malformed(&path, &problem);
            }
        };
        // If a question has two answers, nobody knows which one is meant.
        if std::mem::replace(&mut answered[at], true) {
            return malformed(&path, "answers a question that was answered before it");
        }
        answers[at] = given.read(&ask.questions[at], &path)?;
    }
    Ok(Draft {
        answers,
        note: note.map(Cow::into_owned),
    })
}

fn named(ask: &Ask, id: &str, path: &str) -> Result<usize, Malformed> {
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
