//! What a client's response to a dialog means for the ask.

use ask_core::{Ask, Draft, Gaps, Unfinished};
use ask_dialects::elicit::{self, Edition};
use ask_protocol::ipc::Verdict;
use rmcp::model::{ElicitResult, ElicitationAction};

/// Clients without a person decline automatically, within this time. No person is that fast.
const AT_ONCE_MS: u64 = 1_000;

/// The meaning of a response to a dialog.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ElicitReply {
    /// The person closes the ask.
    Closes(Verdict),
    /// Something is missing or malformed: the dialog is shown again with a notice.
    Again {
        /// What could be parsed.
        draft: Option<Draft>,
        /// What is wrong.
        notice: String,
    },
    /// The person dismissed the dialog. That is no answer: the ask stays open.
    Dismissed,
    /// No person saw the dialog; the text is the reason for the log.
    Absent(&'static str),
}

/// Interprets a response that came `after_ms` after the dialog was sent. `gaps` says whether
/// unanswered questions are accepted: only after the person was told of them.
pub(crate) fn interpret(
    ask: &Ask,
    edition: Edition,
    reply: &ElicitResult,
    after_ms: u64,
    gaps: Gaps,
) -> ElicitReply {
    let at_once = after_ms < AT_ONCE_MS;
    match reply.action {
        ElicitationAction::Accept => {}
        ElicitationAction::Decline if at_once => return ElicitReply::Absent("declined at once"),
        ElicitationAction::Decline => {
            return ElicitReply::Closes(Verdict::Decline { reason: None });
        }
        ElicitationAction::Cancel if at_once => return ElicitReply::Absent("cancelled at once"),
        ElicitationAction::Cancel => return ElicitReply::Dismissed,
        _ => return ElicitReply::Absent("it replied with an unknown action"),
    }
    let draft = match elicit::read(ask, edition, reply.content.as_ref()) {
        Ok(draft) => draft,
        Err(problem) => {
            return ElicitReply::Again {
                draft: None,
                notice: format!("What came back could not be read: {problem}."),
            };
        }
    };
    if at_once && draft.given() == 0 {
        return ElicitReply::Absent("accepted at once, with nothing filled in");
    }
    match draft.clone().finish(ask, gaps) {
        Ok(_) => ElicitReply::Closes(Verdict::Answer { draft, gaps }),
        Err(unfinished) => ElicitReply::Again {
            draft: Some(draft),
            notice: match unfinished {
                Unfinished::Empty => "Not sent yet: nothing is answered.".to_owned(),
                gap => format!("Not sent yet: {gap}. Send it again to leave that open."),
            },
        },
    }
}

#[cfg(test)]
mod tests;
