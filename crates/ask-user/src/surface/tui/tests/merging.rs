//! One ask, open in two inboxes: neither loses what was filled in at the other.

use ask_core::record::Saved;
use ask_core::{Answer, Draft, Record};
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::surface::canned::{database, record, service};
use crate::surface::tui::event::{Effect, Event};

fn asked() -> Record {
    record("ask-both", vec![database(), service()])
}

fn saved(answers: [Answer; 2], person: &Person) -> Event {
    let mut record = asked();
    record.draft = Some(Saved {
        draft: Draft {
            answers: answers.to_vec(),
            note: None,
        },
        at: person.now,
        surface: "terminal".to_owned(),
    });
    Event::Changed {
        records: vec![record],
        gone: Vec::new(),
    }
}

fn last_saved(person: &mut Person) -> Vec<Answer> {
    let effects = person.taken();
    let mut drafts = effects.into_iter().filter_map(|effect| match effect {
        Effect::SaveDraft { id: of, draft } if of == id("ask-both") => Some(draft.answers),
        _ => None,
    });
    drafts.next_back().expect("a draft is saved")
}

#[test]
fn what_both_fill_in_is_kept() {
    let mut first = Person::carded(asked());
    let mut second = Person::carded(asked());
    first.key(KeyCode::Tab);
    first.keys("orders");
    first.pass(600);
    let theirs = last_saved(&mut first);
    let theirs = [theirs[0].clone(), theirs[1].clone()];
    second.happen(saved(theirs, &second));
    assert_eq!(second.card().tab, 0);
    assert_eq!(second.taken(), [], "nothing of ours to save");
    second.keys("2");
    second.pass(600);
    let both = [Answer::picking([1]), Answer::saying("orders")];
    assert_eq!(last_saved(&mut second), both);
    first.happen(saved(both.clone(), &first));
    assert_eq!(first.card().form.draft().answers, both);
    assert_eq!(first.card().tab, 1);
}

#[test]
fn what_was_changed_here_stays_and_our_own_drafts_are_no_news() {
    let mut person = Person::carded(asked());
    person.key(KeyCode::Tab);
    person.keys("or");
    person.pass(600);
    person.keys("ders");
    person.pass(600);
    person.taken();
    person.happen(saved([Answer::default(), Answer::saying("or")], &person));
    let text = |person: &Person| person.card().form.entries[1].field.text().to_owned();
    assert_eq!(text(&person), "orders", "an old draft of ours comes back");
    person.happen(saved([Answer::picking([0]), Answer::saying("or")], &person));
    assert_eq!(text(&person), "orders");
    person.pass(600);
    let both = [Answer::picking([0]), Answer::saying("orders")];
    assert_eq!(last_saved(&mut person), both);
}

#[test]
fn a_field_being_typed_in_takes_over_when_it_is_left() {
    let mut person = Person::carded(asked());
    person.key(KeyCode::Tab);
    for words in ["or", "orders"] {
        let theirs = [Answer::default(), Answer::saying(words)];
        person.happen(saved(theirs, &person));
    }
    assert!(person.card().form.entries[1].field.is_blank());
    person.key(KeyCode::BackTab);
    person.keys("1");
    person.pass(600);
    let both = [Answer::picking([0]), Answer::saying("orders")];
    assert_eq!(last_saved(&mut person), both);
}
