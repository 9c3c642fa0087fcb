//! Why a request failed, in the form of RFC 9457.

use std::borrow::Cow;

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::records::RecordView;
use ask_core::{Ask, Problem, Refusal, Unfinished};

/// Why a request failed (RFC 9457).
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub struct ProblemDocument<'a> {
    /// `urn:ask-user:problem:`, followed by the kind of problem.
    pub r#type: String,
    /// The kind of problem, for people.
    pub title: &'a str,
    /// The HTTP status of the response.
    pub status: u16,
    /// What happened, and what to do.
    pub detail: &'a str,
    /// The id of the request, as in X-Request-Id and in the log.
    pub instance: Option<&'a str>,
    /// The ask that the request was about, as it is now.
    pub record: Option<RecordView<'a>>,
    /// What is wrong with the answers.
    pub problems: Option<&'a [Wrong]>,
    /// After a wrong code: how many more tries there are.
    pub tries_left: Option<u32>,
    /// After a wrong code: whether the computer shows a new code after the last try.
    pub another_code: Option<bool>,
}

impl<'a> ProblemDocument<'a> {
    /// A problem of this kind. `instance` is the id of the request, or empty if it has none.
    pub fn new(
        kind: &str,
        status: u16,
        title: &'a str,
        detail: &'a str,
        instance: &'a str,
    ) -> Self {
        Self {
            r#type: type_of(kind),
            title,
            status,
            detail,
            instance: Some(instance).filter(|instance| !instance.is_empty()),
            record: None,
            problems: None,
            tries_left: None,
            another_code: None,
        }
    }
}

/// The `type` of a kind of problem.
pub(super) fn type_of(kind: &str) -> String {
    format!("urn:ask-user:problem:{kind}")
}

/// One thing that is wrong.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wrong {
    /// The number of the question, counted from 1.
    question: Option<usize>,
    question_id: Option<String>,
    path: Option<String>,
    text: Cow<'static, str>,
}

/// The problems of a call, each with its path.
pub fn of_refusal(refusal: &Refusal) -> Vec<Wrong> {
    let problems = refusal.problems.iter();
    let one = |problem: &Problem| Wrong {
        question: None,
        question_id: None,
        path: Some(problem.path.clone()),
        text: problem.problem.clone().into(),
    };
    problems.map(one).collect()
}

/// The problems of answers, question by question.
pub fn of_unfinished(ask: &Ask, unfinished: &Unfinished) -> Vec<Wrong> {
    let about = |at: usize, text: Cow<'static, str>| Wrong {
        question: Some(at + 1),
        question_id: ask.questions.get(at).map(|question| question.id.clone()),
        path: None,
        text,
    };
    let missing = |at| about(at, "this question needs an answer".into());
    match unfinished {
        Unfinished::Missing(places) => places.iter().copied().map(missing).collect(),
        Unfinished::Empty => {
            let questions = ask.questions.iter().enumerate();
            let needed = questions.filter(|(_, question)| question.required);
            needed.map(|(at, _)| missing(at)).collect()
        }
        Unfinished::TooMany { .. } => vec![Wrong {
            question: None,
            ..about(usize::MAX - 1, unfinished.to_string().into())
        }],
        Unfinished::NoSuchChoice { question: at, .. }
        | Unfinished::OneOnly(at)
        | Unfinished::Torn(at)
        | Unfinished::TooManyFiles(at) => vec![about(*at, unfinished.to_string().into())],
    }
}
