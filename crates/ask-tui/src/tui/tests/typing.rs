//! Keys in fields, drafts, and long answers.

use ask_core::Answer;
use ask_protocol::ipc::Verdict;
use crossterm::event::{KeyCode, KeyModifiers};

use super::Person;
use crate::fixtures::{database, features, record, service, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::Overlay;

fn saves(effects: &[Effect]) -> usize {
    let is_save = |effect: &&Effect| matches!(effect, Effect::SaveDraft { .. });
    effects.iter().filter(is_save).count()
}

#[test]
fn letters_and_digits_are_text_in_a_field() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("1 x?q0kj");
    assert_eq!(person.card().form.entries[0].field.text(), "1 x?q0kj");
}

#[test]
fn new_lines_are_typed_with_three_keys() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("a");
    person.ctrl('j');
    person.press(KeyCode::Enter, KeyModifiers::ALT);
    person.press(KeyCode::Enter, KeyModifiers::SHIFT);
    person.keys("b");
    assert_eq!(person.card().form.entries[0].field.text(), "a\n\n\nb");
    assert!(person.taken().is_empty());
}

#[test]
fn enter_in_a_text_question_sends_and_in_other_only_leaves() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("orders");
    person.key(KeyCode::Enter);
    assert!(matches!(person.taken().as_slice(), [Effect::Settle { .. }]));

    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("0Dynamo");
    person.key(KeyCode::Enter);
    assert!(!person.card().spot().typing);
    assert_eq!(saves(&person.taken()), 1);
    person.key(KeyCode::Enter);
    let effects = person.taken();
    let [
        Effect::Settle {
            verdict: Verdict::Answer { draft, .. },
            ..
        },
    ] = effects.as_slice()
    else {
        panic!("{effects:?}");
    };
    assert_eq!(draft.answers, [Answer::saying("Dynamo")]);
}

#[test]
fn up_on_the_first_row_goes_back_to_the_list() {
    let mut person = Person::one(record("ask-one", vec![features()]));
    person.keys("0a");
    person.ctrl('j');
    person.keys("b");
    person.key(KeyCode::Up);
    assert!(person.card().spot().typing);
    person.key(KeyCode::Up);
    assert!(!person.card().spot().typing);
    assert_eq!(
        person.card().form.draft().answers[0],
        Answer::saying("a\nb")
    );
}

#[test]
fn other_counts_only_with_text_and_a_mark_takes_its_place() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("2 0");
    person.key(KeyCode::Esc);
    assert_eq!(person.card().form.draft().answers[0], Answer::picking([1]));
    person.keys("0mine");
    person.key(KeyCode::Enter);
    assert_eq!(
        person.card().form.draft().answers[0],
        Answer::saying("mine")
    );
    person.keys("1");
    assert_eq!(person.card().form.draft().answers[0], Answer::picking([0]));
    assert!(person.at(80, 24).contains("(kept, not chosen) mine"));
}

#[test]
fn a_paste_goes_to_other_and_never_sends() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.happen(Event::Paste("one\r\ntwo\n\u{1b}[201~".into()));
    assert!(person.taken().is_empty());
    assert_eq!(
        person.card().form.entries[0].field.text(),
        "one\ntwo\n[201~"
    );
}

#[test]
fn a_draft_is_kept_half_a_second_after_the_last_key() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("a");
    person.pass(300);
    person.keys("b");
    person.pass(300);
    assert_eq!(saves(&person.taken()), 0);
    let due = person.wake.expect("a wake-up is scheduled");
    assert!(due <= person.now.plus_ms(300));
    person.pass(200);
    assert_eq!(saves(&person.taken()), 1);
    person.pass(5_000);
    assert_eq!(saves(&person.taken()), 0, "an unchanged draft is kept once");
}

#[test]
fn a_draft_is_kept_on_every_change_of_focus() {
    let mut person = Person::carded(three());
    person.keys("1");
    assert_eq!(saves(&person.taken()), 1, "a digit goes on");
    person.keys("orders");
    person.key(KeyCode::Tab);
    assert_eq!(saves(&person.taken()), 1, "so does Tab");
    person.keys(" ");
    person.key(KeyCode::Esc);
    assert_eq!(saves(&person.taken()), 1, "and leaving the card");
}

#[test]
fn a_kept_draft_comes_back() {
    let mut person = Person::carded(crate::fixtures::with_draft(
        three(),
        ask_core::Draft {
            answers: vec![Answer::picking([2]), Answer::saying("orders")],
            note: None,
        },
    ));
    assert_eq!(person.card().spot().row, 2);
    assert_eq!(person.card().form.given(), 2);
    person.pass(1_000);
    assert_eq!(saves(&person.taken()), 0);
}

#[test]
fn a_long_answer_is_asked_about_and_no_goes_back_to_it() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.happen(Event::Paste("x".repeat(2_847)));
    person.pass(1_000);
    person.taken();
    person.key(KeyCode::Enter);
    assert!(matches!(person.model.over, Some(Overlay::Long { .. })));
    assert!(
        person
            .at(80, 24)
            .contains("Answer is long (2,847 chars). Continue anyway? [Y/n]")
    );
    person.keys("n");
    assert!(person.taken().is_empty() && person.card().spot().typing);
    person.key(KeyCode::Enter);
    person.keys("y");
    assert!(matches!(person.taken().as_slice(), [Effect::Settle { .. }]));
}

#[test]
fn a_required_text_without_words_is_not_sent() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("  ");
    person.key(KeyCode::Enter);
    assert_eq!(saves(&person.taken()), 0);
    assert!(person.at(80, 24).contains("Nothing typed yet"));
}

#[test]
fn an_optional_text_without_words_needs_a_second_enter() {
    let mut asked = service();
    asked.required = false;
    let mut person = Person::one(record("ask-text", vec![asked]));
    person.key(KeyCode::Enter);
    assert!(person.taken().is_empty());
    person.key(KeyCode::Enter);
    assert!(matches!(person.taken().as_slice(), [Effect::Settle { .. }]));
}

#[test]
fn changes_are_undone_and_made_again() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("one two");
    // Terminals send Ctrl+7 for Ctrl+_ and Ctrl+/.
    person.ctrl('7');
    assert_eq!(person.card().form.entries[0].field.text(), "one ");
    person.press(KeyCode::Char('_'), KeyModifiers::ALT);
    assert_eq!(person.card().form.entries[0].field.text(), "one two");
    person.key(KeyCode::Home);
    person.ctrl('k');
    assert_eq!(person.card().form.entries[0].field.text(), "");
    person.ctrl('_');
    assert_eq!(person.card().form.entries[0].field.text(), "one two");
    person.press(KeyCode::Char('d'), KeyModifiers::ALT);
    assert_eq!(person.card().form.entries[0].field.text(), " two");
}

#[test]
fn a_line_break_in_a_burst_is_typed_in_a_field_and_nothing_elsewhere() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("1");
    person.happen(Event::Break);
    assert!(person.taken().is_empty());
    person.keys("0a");
    person.happen(Event::Break);
    person.keys("b");
    assert_eq!(person.card().form.entries[0].field.text(), "a\nb");
    assert!(person.taken().is_empty());
}

#[test]
fn suspending_keeps_the_draft_first() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("a");
    person.ctrl('z');
    assert!(matches!(
        person.taken().as_slice(),
        [Effect::SaveDraft { .. }, Effect::Suspend]
    ));
}
