//! Responses of clients, and their meaning.

use ask_core::{Answer, Choice, Input, Json, Question};
use ask_protocol::text_json;

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

fn heard(action: ElicitationAction, content: &str, after_ms: u64, gaps: Gaps) -> ElicitReply {
    let content: Json = text_json(content).unwrap();
    let reply = ElicitResult::new(action).with_content(content);
    interpret(&ask(), Edition::Titled, &reply, after_ms, gaps)
}

#[test]
fn a_refusal_within_a_second_is_nobodys() {
    use ElicitationAction::{Accept, Cancel, Decline};
    let with = |action, after_ms| heard(action, "{}", after_ms, Gaps::Refuse);
    assert!(matches!(with(Decline, 999), ElicitReply::Absent(_)));
    assert!(matches!(with(Cancel, 999), ElicitReply::Absent(_)));
    assert!(matches!(with(Accept, 999), ElicitReply::Absent(_)));
    let declined = ElicitReply::Closes(Verdict::Decline { reason: None });
    assert_eq!(with(Decline, 1_000), declined);
    assert_eq!(with(Cancel, 1_000), ElicitReply::Dismissed);
}

#[test]
fn an_answer_counts_however_fast_it_is() {
    let content = r#"{"which":"B","why":"so"}"#;
    let draft = Draft {
        answers: vec![Answer::picking([1]), Answer::saying("so")],
        note: None,
    };
    let gaps = Gaps::Refuse;
    let answered = ElicitReply::Closes(Verdict::Answer { draft, gaps });
    assert_eq!(heard(ElicitationAction::Accept, content, 0, gaps), answered);
}

#[test]
fn gaps_are_told_once_and_then_left() {
    let with = |content, gaps| heard(ElicitationAction::Accept, content, 5_000, gaps);
    let ElicitReply::Again { draft, notice } = with(r#"{"which":"B"}"#, Gaps::Refuse) else {
        panic!("a gap is no answer yet");
    };
    assert_eq!(draft.unwrap().answers[0], Answer::picking([1]));
    assert_eq!(
        notice,
        "Not sent yet: required and not answered: question 2. Send it again to leave that open."
    );
    let sent = with(r#"{"which":"B"}"#, Gaps::Send);
    assert!(
        matches!(sent, ElicitReply::Closes(Verdict::Answer { .. })),
        "{sent:?}"
    );
    let ElicitReply::Again {
        draft: Some(_),
        notice,
    } = with("{}", Gaps::Send)
    else {
        panic!("nothing is never an answer");
    };
    assert_eq!(notice, "Not sent yet: nothing is answered.");
    let ElicitReply::Again {
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
