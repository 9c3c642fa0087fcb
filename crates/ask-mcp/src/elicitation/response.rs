//! Interprets a client's response to a dialog.

use ask_core::{Ask, Draft, Gaps, Unfinished};
use ask_dialects::elicit::{self, Edition};
use ask_protocol::ipc::Verdict;
use rmcp::model::{ElicitResult, ElicitationAction};

/// Clients without a person respond automatically, within this time. No person is that fast.
const AT_ONCE_MS: u64 = 1_000;

/// The meaning of a response to a dialog.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ElicitReply {
    /// The person closes the ask with this verdict.
    Verdict(Verdict),
    /// A required answer is missing, or one is malformed. The dialog is shown again with a notice.
    Incomplete {
        /// The answers that could be parsed.
        draft: Option<Draft>,
        /// What is missing or malformed.
        notice: String,
    },
    /// The person dismissed the dialog. That is no answer: the ask stays open.
    Dismissed,
    /// No person saw the dialog; the text is the reason for the log.
    NoPerson(&'static str),
}

/// Interprets a response that came `after_ms` after the dialog was sent. `gaps` says whether
/// unanswered questions are accepted, which they are only after a notice named them.
pub(crate) fn interpret(
    ask: &Ask,
    edition: Edition,
    reply: &ElicitResult,
    after_ms: u64,
    gaps: Gaps,
) -> ElicitReply {
    let is_automatic = after_ms < AT_ONCE_MS;
    match reply.action {
        ElicitationAction::Accept => {}
        ElicitationAction::Decline if is_automatic => {
            return ElicitReply::NoPerson("declined at once");
        }
        ElicitationAction::Decline => {
            return ElicitReply::Verdict(Verdict::Decline { reason: None });
        }
        ElicitationAction::Cancel if is_automatic => {
            return ElicitReply::NoPerson("cancelled at once");
        }
        ElicitationAction::Cancel => return ElicitReply::Dismissed,
        _ => return ElicitReply::NoPerson("it replied with an unknown action"),
    }
    let draft = match elicit::read(ask, edition, reply.content.as_ref()) {
        Ok(draft) => draft,
        Err(problem) => {
            return ElicitReply::Incomplete {
                draft: None,
                notice: format!("What came back could not be read: {problem}."),
            };
        }
    };
    if is_automatic && draft.given() == 0 {
        return ElicitReply::NoPerson("accepted at once, with nothing filled in");
    }
    match draft.clone().finish(ask, gaps) {
        Ok(_) => ElicitReply::Verdict(Verdict::Answer { draft, gaps }),
        Err(unfinished) => ElicitReply::Incomplete {
            draft: Some(draft),
            notice: match unfinished {
                Unfinished::Empty => "Not sent yet: nothing is answered.".to_owned(),
                unfinished => {
                    format!("Not sent yet: {unfinished}. Send it again to leave that open.")
                }
            },
        },
    }
}

#[cfg(test)]
mod tests;
