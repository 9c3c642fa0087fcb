//! What belongs to answers besides choices: notes, the filter, recommended answers, copies.

use ask_config::config::Review;
use ask_config::keys::Context;
use ask_core::{Answer, Draft, Input};
use ask_protocol::ipc::Verdict;
use crossterm::event::KeyCode;

use super::Person;
use crate::fixtures::{
    choice, confirm, database, features, many_choices, question, record, service, three, with_draft,
};
use crate::tui::event::Effect;

#[test]
fn n_adds_a_note_that_is_no_answer_by_itself() {
    let mut person = Person::one(record("ask-note", vec![database()]));
    assert!(person.at(100, 30).contains("Note: none  (n adds one)"));
    person.keys("nonly v1");
    assert_eq!(person.card().context(), Context::Note);
    person.key(KeyCode::Enter);
    assert!(person.at(100, 30).contains("Note: \"only v1\"  (n edits)"));
    assert_eq!(person.card().form.answered_count(), 0);
    person.keys("n!");
    person.key(KeyCode::Esc);
    let answer = &person.card().form.draft().answers[0];
    assert_eq!(answer.note.as_deref(), Some("only v1!"));
    person.wait_ms(600);
    person.take_effects();
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
    assert_eq!(draft.answers[0].picks, [0]);
    assert_eq!(draft.answers[0].note.as_deref(), Some("only v1!"));
}

#[test]
fn a_note_is_saved_with_the_draft() {
    let mut person = Person::at_card(record("ask-note", vec![database()]));
    person.keys("nwait");
    person.wait_ms(600);
    let answer = Answer {
        note: Some("wait".to_owned()),
        ..Answer::default()
    };
    let draft = Draft {
        answers: vec![answer],
        note: None,
    };
    let id = person.card().record.id.clone();
    assert_eq!(
        person.take_effects(),
        [Effect::SaveDraft {
            id,
            draft: draft.clone(),
            built_on: 0,
        }]
    );
    let mut again = Person::one(with_draft(record("ask-note", vec![database()]), draft));
    assert!(again.at(80, 24).contains("Note: \"wait\""));
}

#[test]
fn on_a_confirm_question_n_is_no_and_the_capital_adds_a_note() {
    let mut person = Person::one(record("ask-confirm", vec![confirm()]));
    assert!(person.at(100, 30).contains("(N adds one)"));
    person.keys("n");
    assert_eq!(person.card().form.draft().answers[0].picks, [1]);
    person.keys("Nnot yet");
    person.key(KeyCode::Esc);
    let answer = &person.card().form.draft().answers[0];
    assert_eq!(answer.note.as_deref(), Some("not yet"));
    assert_eq!(answer.picks, [1]);
}

#[test]
fn a_text_question_takes_a_note_once_its_field_is_left() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("orders");
    person.key(KeyCode::Esc);
    person.keys("nshort");
    person.key(KeyCode::Enter);
    let answer = &person.card().form.draft().answers[0];
    assert_eq!(answer.own.as_deref(), Some("orders"));
    assert_eq!(answer.note.as_deref(), Some("short"));
}

#[test]
fn the_review_takes_a_note_for_all_and_shows_every_note() {
    let mut person = Person::one(three());
    person.keys("nfor now");
    person.key(KeyCode::Esc);
    person.key(KeyCode::BackTab);
    assert!(person.at(100, 30).contains("N  Note for all answers: none"));
    person.keys("Nno hurry");
    assert!(person.at(100, 30).contains("your note for all answers"));
    person.key(KeyCode::Enter);
    let seen = person.at(100, 30);
    assert!(
        seen.contains("Note for all answers: \"no hurry\""),
        "{seen}"
    );
    assert!(seen.contains("note: for now"), "{seen}");
    assert_eq!(person.card().form.draft().note.as_deref(), Some("no hurry"));
    assert!(
        person.card().is_on_review(),
        "the note is left, nothing is sent"
    );
}

#[test]
fn a_note_being_typed_is_visible_at_every_size() {
    for (columns, rows) in [(100, 30), (80, 24), (44, 14), (40, 12), (24, 6)] {
        let mut person = Person::one(three());
        person.keys("nseen");
        let seen = person.at(columns, rows);
        assert!(seen.contains("seen"), "{columns}x{rows}\n{seen}");
        assert!(!seen.contains("cursor hidden"), "{columns}x{rows}\n{seen}");
        person.key(KeyCode::Esc);
        person.key(KeyCode::BackTab);
        person.keys("Nbeheld");
        let seen = person.at(columns, rows);
        assert!(seen.contains("beheld"), "{columns}x{rows}\n{seen}");
        assert!(!seen.contains("cursor hidden"), "{columns}x{rows}\n{seen}");
    }
}

#[test]
fn tab_leaves_the_note_and_keeps_its_text() {
    let mut person = Person::one(three());
    person.keys("nx");
    person.key(KeyCode::Tab);
    assert_eq!(person.card().tab, 1);
    assert_eq!(person.card().context(), Context::Answering);
    assert_eq!(
        person.card().form.draft().answers[0].note.as_deref(),
        Some("x")
    );
}

#[test]
fn r_marks_the_recommended_choice_and_stays() {
    let mut person = Person::one(record("ask-rec", vec![database(), features()]));
    assert_eq!(
        person.card().form.answered_count(),
        0,
        "nothing is preselected"
    );
    person.key(KeyCode::Down);
    person.keys("r");
    assert_eq!(person.card().form.draft().answers[0], Answer::picking([0]));
    assert_eq!((person.card().tab, person.card().focus().row), (0, 0));
    person.key(KeyCode::Tab);
    person.keys("r");
    assert_eq!(person.card().form.answered_count(), 1);
    let seen = person.at(100, 30);
    assert!(
        seen.contains("The agent recommends nothing here."),
        "{seen}"
    );
}

#[test]
fn capital_r_marks_all_unanswered_questions_and_opens_the_review() {
    let mut several = question(
        "Parts",
        "Which?",
        Input::Many(vec![
            choice("A (Recommended)", ""),
            choice("B", ""),
            choice("C (recommended)", ""),
        ]),
    );
    several.required = false;
    let questions = vec![database(), several, database(), features()];
    let mut person = Person::one(record("ask-rec", questions));
    person.keys("2");
    person.keys("R");
    assert!(person.card().is_on_review());
    let answers = person.card().form.draft().answers;
    assert_eq!(answers[0], Answer::picking([1]), "the choice stays");
    assert_eq!(answers[1], Answer::picking([0, 2]));
    assert_eq!(answers[2], Answer::picking([0]));
    assert_eq!(answers[3], Answer::default());
}

#[test]
fn a_filter_renumbers_its_matches_and_enter_returns_to_the_list() {
    let mut person = Person::one(record("ask-many", vec![many_choices(12)]));
    assert!(person.at(100, 30).contains("/ filter"));
    person.keys("/js");
    assert_eq!(person.card().context(), Context::Filter);
    let seen = person.at(100, 30);
    assert!(seen.contains("Filter: js"), "{seen}");
    assert!(seen.contains("2 of 12"), "{seen}");
    assert!(seen.contains("1. Express.js"), "{seen}");
    assert!(seen.contains("2. NestJS"), "{seen}");
    assert!(!seen.contains("Fastify"), "{seen}");
    person.key(KeyCode::Enter);
    assert_eq!(person.card().context(), Context::Pick);
    person.keys("2");
    assert_eq!(person.card().form.draft().answers[0], Answer::picking([4]));
    person.keys("3");
    assert_eq!(
        person.card().context(),
        Context::Pick,
        "Other keeps its own number alone"
    );
}

#[test]
fn esc_clears_a_filter_before_it_leaves_anything() {
    let mut person = Person::at_card(record("ask-many", vec![many_choices(12)]));
    person.keys("/fast");
    person.key(KeyCode::Esc);
    assert!(person.at(100, 30).contains("Express.js"));
    assert!(person.model.card().is_some());
    person.wait_ms(300);
    person.keys("/fast");
    person.key(KeyCode::Enter);
    assert!(person.at(100, 30).contains("Esc show all again"));
    person.key(KeyCode::Esc);
    assert!(person.model.card().is_some());
    assert!(person.at(100, 30).contains("Express.js"));
    person.key(KeyCode::Esc);
    assert!(person.model.card().is_none());
}

#[test]
fn arrows_move_among_the_matches_while_the_filter_is_typed() {
    let mut person = Person::one(record("ask-many", vec![many_choices(12)]));
    person.keys("/js");
    assert_eq!(person.card().focus().row, 0);
    person.key(KeyCode::Down);
    assert_eq!(person.card().focus().row, 4);
    person.key(KeyCode::Down);
    assert_eq!(person.card().focus().row, 12, "Other stays below");
    person.key(KeyCode::Down);
    assert_eq!(person.card().focus().row, 0);
    person.key(KeyCode::Backspace);
    person.key(KeyCode::Backspace);
    person.keys("zzz");
    assert!(person.at(100, 30).contains("0 of 12"));
    assert_eq!(person.card().focus().row, 12);
}

#[test]
fn choices_from_the_tenth_on_get_a_number_by_a_filter() {
    let mut person = Person::one(record("ask-many", vec![many_choices(200)]));
    person.keys("G");
    person.key(KeyCode::Up);
    assert!(person.at(100, 30).contains("›    Another 199"));
    person.keys("/199");
    assert!(person.at(100, 30).contains("› 1. Another 199"));
    person.key(KeyCode::Enter);
    person.keys("1");
    assert_eq!(
        person.card().form.draft().answers[0],
        Answer::picking([199])
    );
}

#[test]
fn a_filter_being_typed_is_visible_at_every_size() {
    for (columns, rows) in [(100, 30), (80, 24), (44, 14), (40, 12), (24, 6)] {
        let mut person = Person::one(record("ask-many", vec![many_choices(30)]));
        person.keys("/nest");
        let seen = person.at(columns, rows);
        assert!(seen.contains("nest"), "{columns}x{rows}\n{seen}");
        assert!(seen.contains("NestJS"), "{columns}x{rows}\n{seen}");
        assert!(!seen.contains("cursor hidden"), "{columns}x{rows}\n{seen}");
    }
}

#[test]
fn a_setting_adds_a_review_to_one_question_of_several_choices() {
    let mut person = Person::new(
        crate::Mode::Inbox,
        vec![record("ask-one", vec![features()])],
    );
    person.model.display.settings.review = Review::Always;
    person.key(KeyCode::Enter);
    person.end_guard();
    person.keys("1");
    person.key(KeyCode::Enter);
    assert!(person.card().is_on_review());
    assert!(person.at(80, 24).contains("[ Send 1 answer ]"));
    person.take_effects();
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));
}

#[test]
fn a_digit_sends_if_the_setting_says_so() {
    for (sends, settles) in [(false, 0), (true, 1)] {
        let mut person = Person::one(record("ask-one", vec![database()]));
        person.model.display.settings.digit_sends = sends;
        let said = if sends {
            "1-9 send at once"
        } else {
            "1-9 quick select"
        };
        assert!(person.at(100, 30).contains(said), "{}", person.at(100, 30));
        person.keys("2");
        let settled = |effect: &&Effect| matches!(effect, Effect::Settle { .. });
        assert_eq!(
            person.take_effects().iter().filter(settled).count(),
            settles
        );
    }
}

#[test]
fn ctrl_y_copies_the_question_and_e_the_answers() {
    let mut person = Person::one(three());
    person.ctrl('y');
    let effects = person.take_effects();
    let [Effect::Copy { text }] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert!(text.contains("## Database\n\nWhich database"), "{text}");
    assert!(!text.contains("Service"), "{text}");
    assert!(
        person
            .at(80, 24)
            .contains("Copied, if your terminal allows it.")
    );
    person.keys("1");
    person.key(KeyCode::Tab);
    person.key(KeyCode::Tab);
    person.take_effects();
    person.keys("e");
    let effects = person.take_effects();
    let [Effect::Copy { text }] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert!(text.starts_with("Database: PostgreSQL"), "{text}");
}
