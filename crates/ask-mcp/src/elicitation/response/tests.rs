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

fn interpret_reply(
    action: ElicitationAction,
    content: &str,
    after_ms: u64,
    gaps: Gaps,
) -> ElicitReply {
    let content: Json = text_json(content).unwrap();
    let reply = ElicitResult::new(action).with_content(content);
    interpret(&ask(), Edition::Titled, &reply, after_ms, gaps)
}

#[test]
fn a_response_without_an_answer_within_a_second_is_automatic() {
    use ElicitationAction::{Accept, Cancel, Decline};
    let interpreted = |action, after_ms| interpret_reply(action, "{}", after_ms, Gaps::Refuse);
    assert!(matches!(
        interpreted(Decline, 999),
        ElicitReply::NoPerson(_)
    ));
    assert!(matches!(interpreted(Cancel, 999), ElicitReply::NoPerson(_)));
    assert!(matches!(interpreted(Accept, 999), ElicitReply::NoPerson(_)));
    let declined = ElicitReply::Verdict(Verdict::Decline { reason: None });
    assert_eq!(interpreted(Decline, 1_000), declined);
    assert_eq!(interpreted(Cancel, 1_000), ElicitReply::Dismissed);
}

#[test]
fn an_answer_counts_however_fast() {
    let content = r#"{"which":"B","why":"so"}"#;
    let draft = Draft {
        answers: vec![Answer::picking([1]), Answer::saying("so")],
        note: None,
    };
    let gaps = Gaps::Refuse;
    let answered = ElicitReply::Verdict(Verdict::Answer { draft, gaps });
    assert_eq!(
        interpret_reply(ElicitationAction::Accept, content, 0, gaps),
        answered
    );
}

#[test]
fn gaps_are_reported_once_and_then_accepted() {
    let interpreted =
        |content, gaps| interpret_reply(ElicitationAction::Accept, content, 5_000, gaps);
    let ElicitReply::Incomplete { draft, notice } = interpreted(r#"{"which":"B"}"#, Gaps::Refuse)
    else {
        panic!("a gap is no answer yet");
    };
    assert_eq!(draft.unwrap().answers[0], Answer::picking([1]));
    assert_eq!(
        notice,
        "Not sent yet: required and not answered: question 2. Send it again to leave that open."
    );
    let sent = interpreted(r#"{"which":"B"}"#, Gaps::Send);
    assert!(
        matches!(sent, ElicitReply::Verdict(Verdict::Answer { .. })),
        "{sent:?}"
    );
    let ElicitReply::Incomplete {
        draft: Some(_),
        notice,
    } = interpreted("{}", Gaps::Send)
    else {
        panic!("nothing is never an answer");
    };
    assert_eq!(notice, "Not sent yet: nothing is answered.");
    let ElicitReply::Incomplete {
        draft: None,
        notice,
    } = interpreted(r#"{"which":"C"}"#, Gaps::Refuse)
    else {
        panic!("a choice that isn't offered is no answer");
    };
    assert_eq!(
        notice,
        "What came back could not be read: which: there is no choice \"C\"."
    );
}
