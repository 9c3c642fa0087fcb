//! How an ask is closed, as messages contain it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Verdict;
use crate::native::{Draft, Malformed};
use ask_core::Gaps;

#[skip_serializing_none]
#[derive(Default, Serialize, Deserialize)]
pub(super) struct VerdictForm<'a> {
    answer: Option<Draft<'a>>,
    gaps: Option<bool>,
    decline: Option<bool>,
    reason: Option<Cow<'a, str>>,
    clarify: Option<Cow<'a, str>>,
    withdraw: Option<bool>,
}

impl<'a> From<&'a Verdict> for VerdictForm<'a> {
    fn from(verdict: &'a Verdict) -> Self {
        let nothing = Self::default();
        match verdict {
            Verdict::Answer { draft, gaps } => Self {
                answer: Some(draft.into()),
                gaps: Some(*gaps == Gaps::Send),
                ..nothing
            },
            Verdict::Decline { reason } => Self {
                decline: Some(true),
                reason: reason.as_deref().map(Cow::from),
                ..nothing
            },
            Verdict::Clarify { words } => Self {
                clarify: Some(words.into()),
                ..nothing
            },
            Verdict::Withdraw => Self {
                withdraw: Some(true),
                ..nothing
            },
        }
    }
}

impl TryFrom<VerdictForm<'_>> for Verdict {
    type Error = Malformed;

    fn try_from(form: VerdictForm<'_>) -> Result<Self, Malformed> {
        match (form.answer, form.clarify) {
            (Some(draft), _) => Ok(Self::Answer {
                draft: draft.into(),
                gaps: match form.gaps {
                    Some(true) => Gaps::Send,
                    Some(false) | None => Gaps::Refuse,
                },
            }),
            (None, Some(words)) => Ok(Self::Clarify {
                words: words.into_owned(),
            }),
            _ if form.decline == Some(true) => Ok(Self::Decline {
                reason: form.reason.map(Cow::into_owned),
            }),
            _ if form.withdraw == Some(true) => Ok(Self::Withdraw),
            _ => Err(Malformed(
                "must be answer, decline, clarify or withdraw".to_owned(),
            )),
        }
    }
}

crate::native::forms! { Verdict: VerdictForm; }
