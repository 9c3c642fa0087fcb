//! How an ask ended, and who ended it.

use crate::draft::Answered;

/// The end of an ask. There is no default outcome: silence is never an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The person answered.
    Answered(Answered),
    /// The person won't answer.
    Declined {
        /// Why, in the person's words.
        reason: Option<String>,
    },
    /// The person asks back before answering.
    Clarify {
        /// What the person wants to know.
        words: String,
    },
    /// The agent's time limit passed.
    Expired,
    /// The agent took the ask back.
    Withdrawn,
}

impl Outcome {
    /// How many bytes its texts have together.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Answered(answered) => answered.bytes(),
            Self::Declined { reason } => reason.as_ref().map_or(0, String::len),
            Self::Clarify { words } => words.len(),
            Self::Expired | Self::Withdrawn => 0,
        }
    }

    /// The word for it in records: `answered`, `declined`, `clarify`, `expired`, `withdrawn`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Answered(_) => "answered",
            Self::Declined { .. } => "declined",
            Self::Clarify { .. } => "clarify",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Whether a person decided it.
    pub fn is_human(&self) -> bool {
        match self {
            Self::Answered(_) | Self::Declined { .. } | Self::Clarify { .. } => true,
            Self::Expired | Self::Withdrawn => false,
        }
    }
}
