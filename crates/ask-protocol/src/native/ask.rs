//! What is asked, and by whom.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::lenient;
use super::text::{Moment, ProcessId};
use ask_core::{Input, Process};

/// A question of an ask.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question<'a> {
    pub(crate) question_id: Cow<'a, str>,
    /// The text of the question, in Markdown.
    pub(crate) question: Cow<'a, str>,
    pub(crate) header: Option<Cow<'a, str>>,
    pub(crate) r#type: QuestionType,
    pub(crate) options: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    pub(crate) required: bool,
    pub(crate) placeholder: Option<Cow<'a, str>>,
    pub(crate) default: Option<Cow<'a, str>>,
}

/// How a question is answered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum QuestionType {
    Text,
    Select,
    MultiSelect,
    Confirm,
}

/// A choice of a question.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Choice<'a> {
    pub(crate) label: Cow<'a, str>,
    pub(crate) description: Option<Cow<'a, str>>,
    /// A preview of this choice, in Markdown.
    pub(crate) preview: Option<Cow<'a, str>>,
}

/// Who asks, as far as it is known.
#[skip_serializing_none]
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Asker<'a> {
    pub(crate) client: Option<Cow<'a, str>>,
    pub(crate) client_version: Option<Cow<'a, str>>,
    pub(crate) agent: Option<Cow<'a, str>>,
    pub(crate) session: Option<Cow<'a, str>>,
    /// The window of a desktop app that the agent works for.
    pub(crate) instance: Option<Cow<'a, str>>,
    pub(crate) project: Option<Cow<'a, str>>,
    pub(crate) directory: Option<Cow<'a, str>>,
    pub(crate) branch: Option<Cow<'a, str>>,
    /// The program that asks; missing if it is unknown.
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) caller: Option<Caller<'a>>,
}

/// The program that asks, as the machine identifies it.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Caller<'a> {
    pub(crate) instance: Cow<'a, str>,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) process: Option<ProcessId>,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) client: Option<ProcessId>,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) agent: Option<ProcessId>,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) senders: Option<Vec<ProcessId>>,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) above: Option<Vec<ProcessId>>,
    pub(crate) started_at: Moment,
}

impl<'a> From<&'a ask_core::Question> for Question<'a> {
    fn from(question: &'a ask_core::Question) -> Self {
        let (r#type, choices) = match &question.input {
            Input::Text => (QuestionType::Text, None),
            Input::One(choices) => (QuestionType::Select, Some(choices)),
            Input::Many(choices) => (QuestionType::MultiSelect, Some(choices)),
            Input::Confirm => (QuestionType::Confirm, None),
        };
        Self {
            question_id: (&question.id).into(),
            question: (&question.text).into(),
            header: question.label.as_deref().map(Cow::from),
            r#type,
            options: choices.map(|choices| choices.iter().map(Choice::from).collect()),
            required: question.required,
            placeholder: question.placeholder.as_deref().map(Cow::from),
            default: question.default.as_deref().map(Cow::from),
        }
    }
}

impl From<Question<'_>> for ask_core::Question {
    fn from(question: Question<'_>) -> Self {
        let choices = question.options.unwrap_or_default().into_iter();
        let choices = choices.map(ask_core::Choice::from).collect();
        Self {
            id: question.question_id.into_owned(),
            text: question.question.into_owned(),
            label: question.header.map(Cow::into_owned),
            input: match question.r#type {
                QuestionType::Text => Input::Text,
                QuestionType::Select => Input::One(choices),
                QuestionType::MultiSelect => Input::Many(choices),
                QuestionType::Confirm => Input::Confirm,
            },
            required: question.required,
            placeholder: question.placeholder.map(Cow::into_owned),
            default: question.default.map(Cow::into_owned),
        }
    }
}

impl<'a> From<&'a ask_core::Choice> for Choice<'a> {
    fn from(choice: &'a ask_core::Choice) -> Self {
        Self {
            label: (&choice.label).into(),
            description: choice.description.as_deref().map(Cow::from),
            preview: choice.preview.as_deref().map(Cow::from),
        }
    }
}

impl From<Choice<'_>> for ask_core::Choice {
    fn from(choice: Choice<'_>) -> Self {
        Self {
            label: choice.label.into_owned(),
            description: choice.description.map(Cow::into_owned),
            preview: choice.preview.map(Cow::into_owned),
        }
    }
}

impl<'a> From<&'a ask_core::Asker> for Asker<'a> {
    fn from(asker: &'a ask_core::Asker) -> Self {
        Self {
            client: asker.client.as_deref().map(Cow::from),
            client_version: asker.version.as_deref().map(Cow::from),
            agent: asker.agent.as_deref().map(Cow::from),
            session: asker.session.as_deref().map(Cow::from),
            instance: asker.instance.as_deref().map(Cow::from),
            project: asker.project.as_deref().map(Cow::from),
            directory: asker.directory.as_deref().map(Cow::from),
            branch: asker.branch.as_deref().map(Cow::from),
            caller: asker.caller.as_ref().map(|caller| Caller {
                instance: (&caller.instance).into(),
                process: caller.process.map(ProcessId),
                client: caller.client.map(ProcessId),
                agent: caller.agent.map(ProcessId),
                senders: process_ids(&caller.senders),
                above: process_ids(&caller.above),
                started_at: Moment(caller.started_at),
            }),
        }
    }
}

impl Asker<'_> {
    /// Without the program that asks, for readers that must not know which processes run here.
    pub(crate) fn without_caller(self) -> Self {
        Self {
            caller: None,
            ..self
        }
    }
}

impl From<Asker<'_>> for ask_core::Asker {
    fn from(asker: Asker<'_>) -> Self {
        Self {
            client: asker.client.map(Cow::into_owned),
            version: asker.client_version.map(Cow::into_owned),
            agent: asker.agent.map(Cow::into_owned),
            session: asker.session.map(Cow::into_owned),
            instance: asker.instance.map(Cow::into_owned),
            project: asker.project.map(Cow::into_owned),
            directory: asker.directory.map(Cow::into_owned),
            branch: asker.branch.map(Cow::into_owned),
            caller: asker.caller.map(|caller| ask_core::Caller {
                instance: caller.instance.into_owned(),
                process: caller.process.map(|process| process.0),
                client: caller.client.map(|process| process.0),
                agent: caller.agent.map(|process| process.0),
                senders: processes(caller.senders),
                above: processes(caller.above),
                started_at: caller.started_at.0,
            }),
        }
    }
}

/// A list of processes; missing if it is empty.
fn process_ids(processes: &[Process]) -> Option<Vec<ProcessId>> {
    let ids = || processes.iter().copied().map(ProcessId).collect();
    (!processes.is_empty()).then(ids)
}

fn processes(ids: Option<Vec<ProcessId>>) -> Vec<Process> {
    let ids = ids.unwrap_or_default().into_iter();
    ids.map(|id| id.0).collect()
}
