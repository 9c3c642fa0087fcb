//! Partly filled forms, and the files that belong to answers.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::text::{Moment, Sha256};
use super::{Read, needed, some_of};
use ask_core::Media;
use ask_core::attachment::safe_name;
use ask_core::record::{self, Saved};

/// A form that the person has started to fill in.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Draft<'a> {
    pub(crate) answers: Vec<Answer<'a>>,
    /// A note to the agent about the whole ask.
    pub(crate) note: Option<Cow<'a, str>>,
    /// When the draft was saved.
    pub(crate) saved_at: Option<Moment>,
    /// The surface that saved the draft.
    pub(crate) saved_by: Option<Cow<'a, str>>,
    /// The revision of the draft, for `builtOn`.
    pub(crate) revision: Option<u64>,
}

/// What the person answered when the same was asked shortly before. It is only offered: nothing of
/// it is in the draft until the person takes it.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierAnswer<'a> {
    pub(crate) answers: Vec<Answer<'a>>,
    /// The note to the agent about the whole ask.
    pub(crate) note: Option<Cow<'a, str>>,
    /// When it was answered.
    pub(crate) answered_at: Moment,
}

/// The answer to a question so far.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Answer<'a> {
    /// The indices of the picked choices, counted from 0.
    pub(crate) picks: Option<Vec<usize>>,
    /// The person's own words.
    pub(crate) own: Option<Cow<'a, str>>,
    /// The person's note about this question.
    pub(crate) note: Option<Cow<'a, str>>,
    /// The person chose "none of these"; only if several choices may be picked.
    pub(crate) none: Option<bool>,
    pub(crate) attachments: Option<Vec<File<'a>>>,
}

/// A file that belongs to an answer.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct File<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) media_type: Cow<'a, str>,
    #[serde(default)]
    #[schema(required)]
    pub(crate) bytes: u64,
    pub(crate) sha256: Sha256,
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    /// The path of a copy of the file, for the agent.
    pub(crate) path: Option<Cow<'a, str>>,
}

impl<'a> From<&'a ask_core::Draft> for Draft<'a> {
    fn from(draft: &'a ask_core::Draft) -> Self {
        Self {
            answers: draft.answers.iter().map(Answer::from).collect(),
            note: draft.note.as_deref().map(Cow::from),
            saved_at: None,
            saved_by: None,
            revision: None,
        }
    }
}

impl<'a> Draft<'a> {
    /// A saved draft as programs get it that show the ask: what is filled in, and who saved it.
    pub(crate) fn for_surface(saved: &'a Saved) -> Self {
        Self {
            saved_by: Some((&saved.surface).into()),
            ..Self::from(&saved.draft)
        }
    }
}

impl<'a> From<&'a Saved> for Draft<'a> {
    fn from(saved: &'a Saved) -> Self {
        Self {
            saved_at: Some(Moment(saved.at)),
            saved_by: Some((&saved.surface).into()),
            revision: Some(saved.revision),
            ..Self::from(&saved.draft)
        }
    }
}

impl From<Draft<'_>> for ask_core::Draft {
    fn from(draft: Draft<'_>) -> Self {
        let answers = draft.answers.into_iter();
        Self {
            answers: answers.map(ask_core::draft::Answer::from).collect(),
            note: draft.note.map(Cow::into_owned),
        }
    }
}

impl TryFrom<Draft<'_>> for Saved {
    type Error = super::Malformed;

    fn try_from(mut draft: Draft<'_>) -> Read<Self> {
        Ok(Self {
            at: needed(draft.saved_at, "draft.savedAt")?.0,
            surface: needed(draft.saved_by.take(), "draft.savedBy")?.into_owned(),
            revision: draft.revision.unwrap_or(0),
            draft: draft.into(),
        })
    }
}

impl<'a> From<&'a record::EarlierAnswer> for EarlierAnswer<'a> {
    fn from(earlier: &'a record::EarlierAnswer) -> Self {
        let Draft { answers, note, .. } = Draft::from(&earlier.draft);
        Self {
            answers,
            note,
            answered_at: Moment(earlier.at),
        }
    }
}

impl From<EarlierAnswer<'_>> for record::EarlierAnswer {
    fn from(earlier: EarlierAnswer<'_>) -> Self {
        let answers = earlier.answers.into_iter();
        Self {
            draft: ask_core::Draft {
                answers: answers.map(ask_core::draft::Answer::from).collect(),
                note: earlier.note.map(Cow::into_owned),
            },
            at: earlier.answered_at.0,
        }
    }
}

impl<'a> From<&'a ask_core::draft::Answer> for Answer<'a> {
    fn from(answer: &'a ask_core::draft::Answer) -> Self {
        Self {
            picks: (!answer.picks.is_empty()).then(|| answer.picks.clone()),
            own: answer.own.as_deref().map(Cow::from),
            note: answer.note.as_deref().map(Cow::from),
            none: answer.none.then_some(true),
            attachments: some_of(&answer.attachments),
        }
    }
}

impl From<Answer<'_>> for ask_core::draft::Answer {
    fn from(answer: Answer<'_>) -> Self {
        Self {
            picks: answer.picks.unwrap_or_default(),
            own: answer.own.map(Cow::into_owned),
            note: answer.note.map(Cow::into_owned),
            none: answer.none.unwrap_or(false),
            attachments: attachments(answer.attachments),
        }
    }
}

/// The files of an answer, if it has any.
pub(super) fn attachments(files: Option<Vec<File<'_>>>) -> Vec<ask_core::Attachment> {
    let files = files.unwrap_or_default().into_iter();
    files.map(ask_core::Attachment::from).collect()
}

impl<'a> From<&'a ask_core::Attachment> for File<'a> {
    fn from(file: &'a ask_core::Attachment) -> Self {
        let (width, height) = file.pixels.unzip();
        Self {
            name: (&file.name).into(),
            media_type: file.media.word().into(),
            bytes: file.bytes,
            sha256: Sha256(file.digest),
            width,
            height,
            path: file.path.as_deref().map(Cow::from),
        }
    }
}

impl From<File<'_>> for ask_core::Attachment {
    fn from(file: File<'_>) -> Self {
        Self {
            name: safe_name(&file.name),
            media: Media::named(&file.media_type),
            bytes: file.bytes,
            pixels: file.width.zip(file.height),
            digest: file.sha256.0,
            path: file.path.map(Cow::into_owned),
        }
    }
}
