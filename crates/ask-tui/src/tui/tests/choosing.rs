//! Keys on the rows of one question, and the guard that precedes them.

use ask_core::{Answer, Draft, Gaps};
use ask_protocol::ipc::Verdict;
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::fixtures::{confirm, database, features, inbox, many_choices, record};
use crate::tui::event::{Effect, Event};
use crate::tui::model::Overlay;
use crate::{Mode, SettleResult, SurfaceEnd};

fn sent(effects: &[Effect]) -> Option<&Draft> {
    effects.iter().find_map(|effect| match effect {
        Effect::Settle {
            verdict: Verdict::Answer { draft, .. },
            ..
        } => Some(draft),
        Effect::Settle { .. }
        | Effect::TakeBack { .. }
        | Effect::EndHold { .. }
        | Effect::SaveDraft { .. }
        | Effect::Snooze { .. }
        | Effect::Extend { .. }
        | Effect::Mute { .. }
        | Effect::PageLink
        | Effect::Sessions { .. }
        | Effect::Attach { .. }
        | Effect::Shown { .. }
        | Effect::Fetch { .. }
        | Effect::Wake { .. }
        | Effect::DrainInput
        | Effect::Repaint
        | Effect::Edit(_)
        | Effect::Suspend
        | Effect::FindPaths { .. }
        | Effect::Recall { .. }
        | Effect::Copy { .. }
        | Effect::ReadHistory { .. }
        | Effect::ReadStats { .. }
        | Effect::Export { .. }
        | Effect::Quit(_) => None,
    })
}

#[test]
fn every_key_moves_the_cursor_and_wraps() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    for (key, row) in [('j', 1), ('k', 0), ('k', 3), ('j', 0), ('G', 3), ('g', 0)] {
        person.keys(&key.to_string());
        assert_eq!(person.card().focus().row, row, "{key}");
    }
    for (key, row) in [
        (KeyCode::Down, 1),
        (KeyCode::Up, 0),
        (KeyCode::End, 3),
        (KeyCode::Home, 0),
    ] {
        person.key(key);
        assert_eq!(person.card().focus().row, row, "{key:?}");
    }
    person.ctrl('n');
    assert_eq!(person.card().focus().row, 1);
    person.ctrl('p');
    assert_eq!(person.card().focus().row, 0);
}

#[test]
fn nothing_is_marked_in_advance_and_moving_marks_nothing() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("jjk");
    assert!(!person.card().is_touched());
}

#[test]
fn a_digit_marks_and_only_enter_sends() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("2");
    assert_eq!(person.card().form.draft().answers[0], Answer::picking([1]));
    assert!(sent(&person.take_effects()).is_none());
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    assert_eq!(sent(&effects).unwrap().answers, [Answer::picking([1])]);
    person.key(KeyCode::Enter);
    assert!(
        person.take_effects().is_empty(),
        "an answer on its way isn't sent again"
    );
}

#[test]
fn enter_answers_with_the_focused_row() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("1jj");
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    assert_eq!(sent(&effects).unwrap().answers, [Answer::picking([2])]);
}

#[test]
fn space_marks_without_advancing() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("j ");
    assert_eq!(person.card().form.draft().answers[0], Answer::picking([1]));
    assert!(sent(&person.take_effects()).is_none());
}

#[test]
fn several_choices_toggle_with_space_and_digits() {
    let mut person = Person::one(record("ask-one", vec![features()]));
    person.keys(" 322");
    assert_eq!(person.card().form.draft().answers[0].picks, [0, 2]);
    person.keys("1");
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    assert_eq!(sent(&effects).unwrap().answers, [Answer::picking([2])]);
}

#[test]
fn none_of_several_needs_a_second_enter() {
    let mut person = Person::one(record("ask-one", vec![features()]));
    person.key(KeyCode::Enter);
    assert!(sent(&person.take_effects()).is_none());
    assert!(
        person
            .at(80, 24)
            .contains("Nothing chosen: Enter again sends 'none of these'")
    );
    person.keys("j");
    person.key(KeyCode::Enter);
    assert!(
        sent(&person.take_effects()).is_none(),
        "another key starts over"
    );
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    assert!(sent(&effects).unwrap().answers[0].none);
}

#[test]
fn confirm_takes_letters_and_digits() {
    for (keys, pick) in [("y", 0), ("n", 1), ("1", 0), ("2", 1), ("yn", 1)] {
        let mut person = Person::one(record("ask-one", vec![confirm()]));
        person.keys(keys);
        assert!(sent(&person.take_effects()).is_none(), "{keys}");
        person.key(KeyCode::Enter);
        let effects = person.take_effects();
        assert_eq!(
            sent(&effects).unwrap().answers,
            [Answer::picking([pick])],
            "{keys}"
        );
    }
}

#[test]
fn zero_and_the_number_after_the_last_focus_other() {
    for key in ["0", "4"] {
        let mut person = Person::one(record("ask-one", vec![database()]));
        person.keys(key);
        assert!(person.card().focus().typing, "{key}");
        assert!(!person.card().is_touched(), "{key}");
    }
    let mut person = Person::one(record("ask-one", vec![many_choices(12)]));
    person.keys("9");
    assert_eq!(person.card().focus().row, 8);
}

#[test]
fn the_guard_needs_time_and_a_drained_queue() {
    let mut person = Person::new(
        Mode::One(id("ask-one")),
        vec![record("ask-one", vec![database()])],
    );
    assert!(person.take_effects().contains(&Effect::DrainInput));
    person.key(KeyCode::Enter);
    person.keys("1 0");
    assert!(person.take_effects().is_empty() && !person.card().is_touched());
    person.wait_ms(400);
    person.keys("1");
    assert!(!person.card().is_touched(), "the queue isn't drained yet");
    person.handle(Event::InputDrained);
    person.wait_ms(360);
    person.keys("1");
    assert!(person.card().is_touched());
}

#[test]
fn a_paste_within_the_guard_is_a_draft() {
    let mut person = Person::new(
        Mode::One(id("ask-one")),
        vec![record("ask-one", vec![database()])],
    );
    person.handle(Event::Paste("two\nlines".into()));
    assert_eq!(
        person.card().form.draft().answers[0],
        Answer::saying("two\nlines")
    );
    assert!(sent(&person.take_effects()).is_none());
}

#[test]
fn rows_are_dim_while_the_guard_lasts() {
    use ratatui::style::Modifier;
    let mut person = Person::inbox(vec![record("ask-one", vec![database()])]);
    person.key(KeyCode::Enter);
    let row = |person: &Person| {
        let (buffer, caret) = super::painted(&person.model, 80, 24);
        let caret = caret.unwrap();
        buffer[(caret.x + 5, caret.y)].modifier
    };
    assert!(row(&person).contains(Modifier::DIM));
    assert!(person.wake.is_some(), "the end of the guard is waited for");
    person.end_guard();
    assert!(!row(&person).contains(Modifier::DIM));
}

#[test]
fn a_won_answer_ends_a_one_shot() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("1");
    person.key(KeyCode::Enter);
    let draft = sent(&person.take_effects()).unwrap().clone();
    let done = crate::fixtures::closed(record("ask-one", vec![database()]), draft);
    person.handle(Event::Settled {
        id: id("ask-one"),
        result: SettleResult::Won(Box::new(done.clone())),
    });
    assert_eq!(
        person.take_effects(),
        [Effect::Quit(SurfaceEnd::Answered(Box::new(done)))]
    );
}

#[test]
fn next_opens_the_oldest_then_the_next_then_ends() {
    let records = inbox();
    let mut person = Person::new(Mode::Next, records.clone());
    assert_eq!(person.card().record.id, id("ask-layout"));
    let order = ["ask-layout", "ask-three", "ask-delete"];
    for (at, name) in order.iter().enumerate() {
        person.end_guard();
        assert_eq!(person.card().record.id, id(name));
        let mut done = person.card().record.clone();
        let outcome = ask_core::Outcome::Declined { reason: None };
        crate::fixtures::settle(&mut done, outcome, "terminal");
        person.handle(Event::Settled {
            id: id(name),
            result: SettleResult::Won(Box::new(done)),
        });
        let ended = person
            .take_effects()
            .contains(&Effect::Quit(SurfaceEnd::Quit));
        assert_eq!(ended, at == 2);
    }
}

#[test]
fn a_failed_answer_can_be_sent_again() {
    let mut person = Person::at_card(record("ask-one", vec![database()]));
    person.keys("1");
    person.key(KeyCode::Enter);
    person.handle(Event::Settled {
        id: id("ask-one"),
        result: SettleResult::Failed("no hub".into()),
    });
    assert!(
        person
            .at(80, 24)
            .contains("Not sent: no hub. Your answers are still here")
    );
    person.take_effects();
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle {
            verdict: Verdict::Answer {
                gaps: Gaps::Refuse,
                ..
            },
            ..
        }]
    ));
}

#[test]
fn decline_and_ask_back_open_their_dialogs() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("xnot now");
    person.key(KeyCode::Esc);
    assert!(person.take_effects().is_empty() && person.model.overlay.is_none());
    person.keys("x");
    person.key(KeyCode::Enter);
    let reason = Some("not now".to_owned());
    let verdict = Verdict::Decline { reason };
    assert_eq!(
        person.take_effects(),
        [Effect::Settle {
            id: id("ask-one"),
            verdict,
            hold: false,
        }]
    );

    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("c");
    person.key(KeyCode::Enter);
    assert!(
        matches!(person.model.overlay, Some(Overlay::AskBack { .. })),
        "nothing asked yet"
    );
    person.keys("how many?");
    person.key(KeyCode::Enter);
    let words = "how many?".to_owned();
    let verdict = Verdict::Clarify { words };
    assert_eq!(
        person.take_effects(),
        [Effect::Settle {
            id: id("ask-one"),
            verdict,
            hold: false,
        }]
    );
}

#[test]
fn a_long_list_fills_spare_rows() {
    let mut person = Person::one(record("ask-one", vec![many_choices(12)]));
    let tall = person.at(100, 60);
    assert!(tall.contains("Moleculer"), "{tall}");
    assert!(!tall.contains("more"), "{tall}");
    let short = person.at(80, 14);
    assert!(short.contains("Express.js"), "{short}");
    assert!(short.contains("more..."), "{short}");
    person.keys("G");
    let end = person.at(80, 14);
    assert!(end.contains("Other") && end.contains("Moleculer"), "{end}");
}

#[test]
fn a_very_long_label_leaves_the_card_its_rows() {
    let mut question = many_choices(12);
    if let ask_core::Input::One(choices) = &mut question.input {
        choices[5].label = "long ".repeat(4_000);
    }
    let mut person = Person::one(record("ask-one", vec![question]));
    person.keys("jjjjj");
    for (columns, rows) in [(100, 30), (80, 24), (44, 14)] {
        let seen = person.at(columns, rows);
        assert!(seen.contains("claude-code"), "{seen}");
        assert!(seen.contains("NestJS") || rows < 20, "{seen}");
        assert!(seen.contains("Other"), "{seen}");
    }
    let seen = person.at(100, 30);
    let opened = seen.lines().filter(|line| line.contains("long long"));
    assert_eq!(opened.count(), 10, "a third of the height: {seen}");
}
