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
    assert!(person.take_effects().is_empty());
}

#[test]
fn enter_sends_a_text_question_and_only_leaves_other() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("orders");
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));

    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("0Dynamo");
    person.key(KeyCode::Enter);
    assert!(!person.card().focus().typing);
    assert_eq!(saves(&person.take_effects()), 1);
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
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
fn up_on_the_first_row_returns_to_the_list() {
    let mut person = Person::one(record("ask-one", vec![features()]));
    person.keys("0a");
    person.ctrl('j');
    person.keys("b");
    person.key(KeyCode::Up);
    assert!(person.card().focus().typing);
    person.key(KeyCode::Up);
    assert!(!person.card().focus().typing);
    assert_eq!(
        person.card().form.draft().answers[0],
        Answer::saying("a\nb")
    );
}

#[test]
fn other_counts_only_with_text_and_a_choice_replaces_it() {
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
    person.handle(Event::Paste("one\r\ntwo\n\u{1b}[201~".into()));
    assert!(person.take_effects().is_empty());
    assert_eq!(
        person.card().form.entries[0].field.text(),
        "one\ntwo\n[201~"
    );
}

#[test]
fn a_draft_is_saved_half_a_second_after_the_last_key() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("a");
    person.wait_ms(300);
    person.keys("b");
    person.wait_ms(300);
    assert_eq!(saves(&person.take_effects()), 0);
    let due = person.wake.expect("a wake-up is scheduled");
    assert!(due <= person.now.plus_ms(300));
    person.wait_ms(200);
    assert_eq!(saves(&person.take_effects()), 1);
    person.wait_ms(5_000);
    assert_eq!(
        saves(&person.take_effects()),
        0,
        "an unchanged draft is kept once"
    );
}

#[test]
fn a_draft_is_saved_on_every_change_of_focus() {
    let mut person = Person::at_card(three());
    person.keys("1");
    assert_eq!(saves(&person.take_effects()), 1, "a digit goes on");
    person.keys("orders");
    person.key(KeyCode::Tab);
    assert_eq!(saves(&person.take_effects()), 1, "so does Tab");
    person.keys(" ");
    person.key(KeyCode::Esc);
    assert_eq!(saves(&person.take_effects()), 1, "and leaving the card");
}

#[test]
fn a_saved_draft_is_restored() {
    let mut person = Person::at_card(crate::fixtures::with_draft(
        three(),
        ask_core::Draft {
            answers: vec![Answer::picking([2]), Answer::saying("orders")],
            note: None,
        },
    ));
    assert_eq!(person.card().focus().row, 2);
    assert_eq!(person.card().form.answered_count(), 2);
    person.wait_ms(1_000);
    assert_eq!(saves(&person.take_effects()), 0);
}

#[test]
fn a_long_answer_needs_a_confirmation_and_no_returns_to_it() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.handle(Event::Paste("x".repeat(2_847)));
    person.wait_ms(1_000);
    person.take_effects();
    person.key(KeyCode::Enter);
    assert!(matches!(person.model.overlay, Some(Overlay::Long { .. })));
    assert!(
        person
            .at(80, 24)
            .contains("Answer is long (2,847 chars). Continue anyway? [Y/n]")
    );
    person.keys("n");
    assert!(person.take_effects().is_empty() && person.card().focus().typing);
    person.key(KeyCode::Enter);
    person.keys("y");
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));
}

#[test]
fn a_blank_required_text_is_not_sent() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("  ");
    person.key(KeyCode::Enter);
    assert_eq!(saves(&person.take_effects()), 0);
    assert!(person.at(80, 24).contains("Nothing typed yet"));
}

#[test]
fn a_blank_optional_text_needs_a_second_enter() {
    let mut asked = service();
    asked.required = false;
    let mut person = Person::one(record("ask-text", vec![asked]));
    person.key(KeyCode::Enter);
    assert!(person.take_effects().is_empty());
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));
}

#[test]
fn changes_are_undone_and_redone() {
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
fn a_pasted_newline_is_inserted_only_into_a_field() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("1");
    person.handle(Event::PastedNewline);
    assert!(person.take_effects().is_empty());
    person.keys("0a");
    person.handle(Event::PastedNewline);
    person.keys("b");
    assert_eq!(person.card().form.entries[0].field.text(), "a\nb");
    assert!(person.take_effects().is_empty());
}

#[test]
fn suspending_saves_the_draft_first() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("a");
    person.ctrl('z');
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::SaveDraft { .. }, Effect::Suspend]
    ));
}
