//! The answer to the same ask shortly before: it is offered, one key fills it in, and nothing of it
//! is marked or sent before.

use ask_core::{Answer, Draft, Record, Time};
use ask_protocol::ipc::Verdict;
use crossterm::event::{KeyCode, KeyModifiers};

use super::Person;
use crate::fixtures::{NOON, confirm, database, offering, record, service, three};
use crate::tui::event::{Effect, Event};

fn offer(person: &mut Person) {
    person.press(KeyCode::Char('u'), KeyModifiers::ALT);
}

fn draft(answers: Vec<Answer>) -> Draft {
    Draft {
        answers,
        note: None,
    }
}

/// The answers that were sent, if any were.
fn sent(person: &mut Person) -> Option<Draft> {
    person
        .take_effects()
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Settle {
                verdict: Verdict::Answer { draft, .. },
                ..
            } => Some(draft),
            _ => None,
        })
}

fn postgres() -> Record {
    offering(
        record("ask-one", vec![database()]),
        draft(vec![Answer::picking([0])]),
    )
}

#[test]
fn nothing_is_marked_and_enter_marks_only_the_focused_row() {
    let mut person = Person::one(postgres());
    assert_eq!(person.card().form.answered_count(), 0);
    assert!(!person.card().is_touched());
    let screen = person.at(80, 24);
    assert!(
        screen.contains("You answered this 3m ago: PostgreSQL"),
        "{screen}"
    );
    assert!(screen.contains("(Alt+u fills it in)"), "{screen}");
    assert!(!screen.contains("draft saved"), "{screen}");
    person.key(KeyCode::Down);
    person.key(KeyCode::Enter);
    assert_eq!(sent(&mut person), Some(draft(vec![Answer::picking([1])])));
}

#[test]
fn enter_without_the_key_sends_nothing_of_it() {
    let text = offering(
        record("ask-text", vec![service()]),
        draft(vec![Answer::saying("order-processor")]),
    );
    let mut person = Person::one(text);
    person.key(KeyCode::Enter);
    assert_eq!(sent(&mut person), None);
    person.key(KeyCode::Left);
    assert!(person.at(80, 24).contains("Alt+u"), "it is offered on");
}

#[test]
fn one_key_fills_it_in_and_another_sends_it() {
    let mut person = Person::one(postgres());
    offer(&mut person);
    assert_eq!(person.card().form.draft().answers, [Answer::picking([0])]);
    assert_eq!(person.card().focus().row, 0);
    let effects = person.take_effects();
    assert!(
        matches!(effects.as_slice(), [Effect::SaveDraft { .. }]),
        "it is a draft now, and not sent: {effects:?}"
    );
    let screen = person.at(80, 24);
    assert!(!screen.contains("You answered this"), "{screen}");
    person.key(KeyCode::Enter);
    assert_eq!(sent(&mut person), Some(draft(vec![Answer::picking([0])])));
}

#[test]
fn it_is_filled_in_from_a_field_and_typing_does_not_append_to_it() {
    let text = || {
        offering(
            record("ask-text", vec![service()]),
            draft(vec![Answer::saying("order-processor")]),
        )
    };
    let mut person = Person::one(text());
    offer(&mut person);
    person.keys("!");
    assert_eq!(
        person.card().form.draft().answers,
        [Answer::saying("order-processor!")],
        "the field has it, with the caret behind it"
    );
    let mut person = Person::one(text());
    person.keys("mine");
    assert!(!person.at(80, 24).contains("Alt+u"), "nothing is empty");
    offer(&mut person);
    assert_eq!(person.card().form.draft().answers, [Answer::saying("mine")]);
    assert!(person.at(80, 24).contains("There is no earlier answer"));
    person.key(KeyCode::Enter);
    assert_eq!(sent(&mut person), Some(draft(vec![Answer::saying("mine")])));
}

#[test]
fn the_whole_form_is_filled_in_where_it_is_empty() {
    let earlier = Draft {
        answers: vec![
            Answer::picking([0]),
            Answer::saying("order-processor"),
            Answer::picking([0, 2]),
        ],
        note: Some("as before".into()),
    };
    let mut person = Person::one(offering(three(), earlier));
    person.keys("2");
    person.take_effects();
    offer(&mut person);
    assert!(person.card().is_on_review(), "all answers are seen before");
    let filled = person.card().form.draft();
    assert_eq!(filled.answers[0], Answer::picking([1]), "it was entered");
    assert_eq!(filled.answers[1], Answer::saying("order-processor"));
    assert_eq!(filled.answers[2], Answer::picking([0, 2]));
    assert_eq!(filled.note.as_deref(), Some("as before"));
    assert_eq!(sent(&mut person), None);
    person.key(KeyCode::Enter);
    assert_eq!(sent(&mut person), Some(filled));
}

#[test]
fn the_key_works_in_every_kind_of_question_and_not_before_the_card_was_seen() {
    let kinds = [
        (database(), Answer::picking([1])),
        (service(), Answer::saying("orders")),
        (confirm(), Answer::picking([1])),
        (crate::fixtures::features(), Answer::picking([1])),
    ];
    for (question, answer) in kinds {
        let asked = offering(
            record("ask-one", vec![question]),
            draft(vec![answer.clone()]),
        );
        let mut early = Person::inbox(vec![asked.clone()]);
        early.key(KeyCode::Enter);
        offer(&mut early);
        assert_eq!(early.card().form.answered_count(), 0, "the guard holds");
        let mut person = Person::one(asked);
        offer(&mut person);
        assert_eq!(person.card().form.draft().answers, [answer]);
    }
}

#[test]
fn the_key_works_while_a_note_is_typed_and_the_note_stays() {
    let mut person = Person::one(postgres());
    person.keys("nwhy");
    offer(&mut person);
    let given = &person.card().form.draft().answers[0];
    assert_eq!(given.picks, [0]);
    assert_eq!(given.note.as_deref(), Some("why"));
}

#[test]
fn what_is_typed_elsewhere_leaves_it_offered() {
    let mut asked = offering(
        three(),
        draft(vec![
            Answer::picking([0]),
            Answer::saying("order-processor"),
            Answer::picking([0]),
        ]),
    );
    let mut person = Person::one(asked.clone());
    asked = crate::fixtures::with_draft(asked, draft(vec![Answer::picking([1])]));
    person.handle(Event::Changed {
        records: vec![asked],
        gone: Vec::new(),
    });
    assert_eq!(person.card().form.draft().answers[0], Answer::picking([1]));
    assert!(person.at(100, 30).contains("Alt+u fills it in"));
}

#[test]
fn its_text_is_cleaned_and_cut_and_the_key_is_always_seen() {
    let long = format!("first\u{1b}[31m\nsecond \u{202e}{}", "word ".repeat(90));
    let text = offering(
        record("ask-text", vec![service()]),
        draft(vec![Answer::saying(long)]),
    );
    let mut person = Person::one(text);
    for (columns, rows) in [(100, 30), (80, 24), (60, 20), (44, 14)] {
        let screen = person.at(columns, rows);
        let line = screen.lines().find(|line| line.contains("Alt+u fills"));
        let line = line.unwrap_or_else(|| panic!("{screen}"));
        assert!(line.contains("first"), "{line}");
        assert!(line.chars().all(|c| !c.is_control() && c != '\u{202e}'));
        assert!(line.contains('…'), "{line}");
    }
    insta::assert_snapshot!("earlier_answer_44x14", person.at(44, 14));
    insta::assert_snapshot!("earlier_answer_80x24", person.at(80, 24));
}

#[test]
fn the_help_page_has_the_key_only_where_an_answer_is_offered() {
    let mut person = Person::one(postgres());
    person.keys("?");
    assert!(person.at(100, 50).contains("fill in your earlier answer"));
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("?");
    assert!(!person.at(100, 50).contains("your earlier answer"));
}

#[test]
fn its_age_is_that_of_the_answer() {
    let mut asked = postgres();
    if let Some(earlier) = &mut asked.earlier_answer {
        earlier.at = Time(NOON.0 - 12 * 60_000);
    }
    let mut person = Person::one(asked);
    assert!(person.at(80, 24).contains("You answered this 12m ago"));
}
