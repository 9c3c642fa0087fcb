//! What a client's reply to a dialog means for the ask.

use ask_core::dialect::elicit::{self, Edition};
use ask_core::dialect::wire::Verdict;
use ask_core::{Ask, Draft, Gaps, Unfinished};
use rmcp::model::{ElicitResult, ElicitationAction};

/// Modes without a person refuse by themselves and within this time; no person is that fast.
const AT_ONCE_MS: u64 = 1_000;

/// What a reply to a dialog means.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// The person closes the ask.
    Closes(Verdict),
    /// Something is missing or can't be read: the dialog is shown once more and says so.
    Again {
        /// What can be read of it.
        draft: Option<Draft>,
        /// What is wrong.
        notice: String,
    },
    /// The person put the dialog away. That is no answer, and the ask stays.
    Dismissed,
    /// No person saw it.
    Absent(&'static str),
}

/// Understands a reply that came so long after the dialog was sent. What to do about gaps
/// depends on whether the person was told of them before.
pub fn hear(ask: &Ask, edition: Edition, reply: &ElicitResult, after_ms: u64, gaps: Gaps) -> Heard {
    let at_once = after_ms < AT_ONCE_MS;
    match reply.action {
        ElicitationAction::Accept => {}
        ElicitationAction::Decline if at_once => return Heard::Absent("declined at once"),
        ElicitationAction::Decline => {
            return Heard::Closes(Verdict::Decline { reason: None });
        }
        ElicitationAction::Cancel if at_once => return Heard::Absent("cancelled at once"),
        ElicitationAction::Cancel => return Heard::Dismissed,
        _ => return Heard::Absent("it replied with an unknown action"),
    }
    let draft = match elicit::read(ask, edition, reply.content.as_ref()) {
        Ok(draft) => draft,
        Err(problem) => {
            return Heard::Again {
                draft: None,
                notice: format!("What came back could not be read: {problem}."),
            };
        }
    };
    if at_once && draft.given() == 0 {
        return Heard::Absent("accepted at once, with nothing filled in");
    }
    match draft.clone().finish(ask, gaps) {
        Ok(_) => Heard::Closes(Verdict::Answer { draft, gaps }),
        Err(unfinished) => Heard::Again {
            draft: Some(draft),
            notice: match unfinished {
                Unfinished::Empty => "Not sent yet: nothing is answered.".to_owned(),
                gap => format!("Not sent yet: {gap}. Send it again to leave that open."),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use ask_core::dialect::{Json, text_json};
    use ask_core::{Answer, Choice, Input, Question};

    use super::*;

    fn ask() -> Ask {
        let question = |id: &str, input| Question {
            id: id.to_owned(),
            text: format!("{id}?"),
            label: None,
            input,
            required: true,
            placeholder: None,
            default: None,
        };
        let choices = vec![Choice::new("A"), Choice::new("B")];
        Ask {
            questions: vec![
                question("which", Input::One(choices)),
                question("why", Input::Text),
            ],
            ..Ask::default()
        }
    }

    fn heard(action: ElicitationAction, content: &str, after_ms: u64, gaps: Gaps) -> Heard {
        let content: Json = text_json(content).unwrap();
        let reply = ElicitResult::new(action).with_content(content);
        hear(&ask(), Edition::Titled, &reply, after_ms, gaps)
    }

    #[test]
    fn a_refusal_within_a_second_is_nobodys() {
        use ElicitationAction::{Accept, Cancel, Decline};
        let with = |action, after_ms| heard(action, "{}", after_ms, Gaps::Refuse);
        assert!(matches!(with(Decline, 999), Heard::Absent(_)));
        assert!(matches!(with(Cancel, 999), Heard::Absent(_)));
        assert!(matches!(with(Accept, 999), Heard::Absent(_)));
        let declined = Heard::Closes(Verdict::Decline { reason: None });
        assert_eq!(with(Decline, 1_000), declined);
        assert_eq!(with(Cancel, 1_000), Heard::Dismissed);
    }

    #[test]
    fn an_answer_counts_however_fast_it_is() {
        let content = r#"{"which":"B","why":"so"}"#;
        let draft = Draft {
            answers: vec![Answer::picking([1]), Answer::saying("so")],
            note: None,
        };
        let gaps = Gaps::Refuse;
        let answered = Heard::Closes(Verdict::Answer { draft, gaps });
        assert_eq!(heard(ElicitationAction::Accept, content, 0, gaps), answered);
    }

    #[test]
    fn gaps_are_told_once_and_then_left() {
        let with = |content, gaps| heard(ElicitationAction::Accept, content, 5_000, gaps);
        let Heard::Again { draft, notice } = with(r#"{"which":"B"}"#, Gaps::Refuse) else {
            panic!("a gap is no answer yet");
        };
        assert_eq!(draft.unwrap().answers[0], Answer::picking([1]));
        assert_eq!(
            notice,
            "Not sent yet: required and not answered: question 2. Send it again to leave that open."
        );
        let sent = with(r#"{"which":"B"}"#, Gaps::Send);
        assert!(
            matches!(sent, Heard::Closes(Verdict::Answer { .. })),
            "{sent:?}"
        );
        let Heard::Again {
            draft: Some(_),
            notice,
        } = with("{}", Gaps::Send)
        else {
            panic!("nothing is never an answer");
        };
        assert_eq!(notice, "Not sent yet: nothing is answered.");
        let Heard::Again {
            draft: None,
            notice,
        } = with(r#"{"which":"C"}"#, Gaps::Refuse)
        else {
            panic!("a choice that isn't offered is no answer");
        };
        assert_eq!(
            notice,
            "What came back could not be read: which: there is no choice \"C\"."
        );
    }
}
