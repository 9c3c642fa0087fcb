//! The list of asks: groups, filter, snooze, more time; and drafts that other surfaces fill in as
//! well.

use ask_core::devices::{Device, PairingCommand, Permission};
use ask_core::record::{Saved, Snooze};
use ask_core::{Answer, Draft, Origin, Record, State, Time};
use ask_protocol::ipc::{Day, Verdict};
use crossterm::event::KeyCode;

use super::{Person, id, picture};
use crate::fixtures::{NOON, closed, confirm, database, features, inbox, record, service, three};
use crate::tui::event::{AskRequest, Effect, Event};
use crate::tui::glyphs::Glyphs;

const MINUTE: u64 = 60_000;

/// Two asks that wait, one snoozed, and one whose agent has left.
fn mixed() -> Vec<Record> {
    let mut records = inbox();
    let mut snoozed = record("ask-aside", vec![service()]);
    snoozed.snoozed = Some(Snooze::Until(NOON.plus_ms(90 * MINUTE)));
    records.push(snoozed);
    records
}

fn changed(records: Vec<Record>) -> Event {
    Event::Changed {
        records,
        gone: Vec::new(),
    }
}

fn saved(own: &str, revision: u64) -> Saved {
    Saved {
        draft: Draft {
            answers: vec![Answer::saying(own)],
            note: None,
        },
        at: NOON,
        surface: "web".to_owned(),
        revision,
    }
}

#[test]
fn a_question_without_a_title_is_named_by_its_text_without_markdown() {
    let mut question = database();
    question.label = None;
    question.text = "**Which** `database` for [this](https://example.org)?".to_owned();
    let mut person = Person::inbox(vec![record("ask-bare", vec![question])]);
    assert!(person.at(130, 30).contains("Which database for this?"));
    let narrow = person.at(50, 20);
    assert!(narrow.contains("Which database for this?"), "{narrow}");
    assert!(!narrow.contains("**"), "{narrow}");
}

#[test]
fn an_outcome_from_below_an_agent_is_marked_at_every_width() {
    let mut record = closed(
        record("ask-one", vec![database()]),
        Draft {
            answers: vec![Answer::picking([0])],
            note: None,
        },
    );
    record.waiters = 0;
    let mut person = Person::inbox(vec![record.clone()]);
    for (columns, rows) in [(130, 30), (50, 20), (36, 20)] {
        let seen = person.at(columns, rows);
        assert!(!seen.contains("below agent"), "{seen}");
    }
    if let State::Closed { settlement, .. } = &mut record.state {
        settlement.origin = Some(Box::new(Origin {
            pid: 7,
            program: Some("ask-user".to_owned()),
            terminal: None,
            below_agent: Some("claude-code".to_owned()),
        }));
    }
    let mut person = Person::inbox(vec![record]);
    for (columns, rows) in [(130, 30), (50, 20), (36, 20)] {
        let seen = person.at(columns, rows);
        assert!(seen.contains("below agent"), "{seen}");
    }
}

#[test]
fn an_ask_from_a_shell_names_no_client() {
    let mut asked = record("ask-shell", vec![database()]);
    asked.asker.client = Some("ask-user".to_owned());
    asked.asker.version = Some("0.1.0".to_owned());
    let mut person = Person::inbox(vec![asked]);
    let seen = person.at(130, 30);
    assert!(seen.contains("asked from a shell"), "{seen}");
    assert!(!seen.contains("name sent by the client"), "{seen}");
}

#[test]
fn groups_have_headings_and_the_head_counts() {
    let mut person = Person::inbox(mixed());
    let day = Day {
        more: 0,
        answered: 27,
        muted: true,
        port: Some(4127),
    };
    person.handle(Event::Day(day));
    let seen = person.at(100, 30);
    assert!(
        seen.contains("2 waiting · 1 snoozed · 1 late · 27 answered today"),
        "{seen}"
    );
    assert!(seen.contains("muted") && seen.contains("SNOOZED"), "{seen}");
    assert!(seen.contains("back 13:30"), "{seen}");
    person.now = person.now.plus_ms(24 * 60 * MINUTE);
    person.handle(Event::Tick);
    assert!(
        !person.at(100, 30).contains("answered today"),
        "the count was yesterday's"
    );
}

#[test]
fn the_headline_shows_the_address_of_the_page_and_a_key_the_link() {
    let mut person = Person::inbox(mixed());
    let address = "web 127.0.0.1:4127";
    assert!(!person.at(100, 30).contains("web 127"));
    person.handle(Event::Day(Day {
        port: Some(4127),
        ..Day::default()
    }));
    assert!(person.at(100, 30).contains(address));
    assert!(!person.at(30, 30).contains("web 127"), "there is no room");
    person.at(100, 30);
    person.keys("w");
    assert!(person.effects.contains(&Effect::PageLink));
    let link = ask_hub::http::link_keys::sign_in_link(4127, &"a".repeat(32));
    person.handle(Event::PageLink(Ok(Some(link.clone()))));
    assert!(person.at(80, 30).contains(&link));
    person.at(40, 30);
    person.handle(Event::PageLink(Ok(Some(link))));
    assert!(person.at(80, 30).contains("`ask-user web` prints it"));
    person.handle(Event::PageLink(Ok(None)));
    assert!(person.at(80, 30).contains("There is no web page"));
}

#[test]
fn signed_in_devices_are_listed_and_signing_out_takes_two_keys() {
    let mut person = Person::inbox(mixed());
    person.at(100, 30);
    person.keys("W");
    assert!(
        person
            .effects
            .contains(&Effect::Sessions { sign_out: None })
    );
    let device = |id: &str, name: &str, here| Device {
        id: id.to_owned(),
        name: name.to_owned(),
        may: Permission::Answer,
        since: NOON,
        last_seen: NOON,
        until: NOON,
        here,
        stranded: false,
    };
    let all = vec![
        device("d_1", "Linux, Chrome", true),
        device("d_2", "iPhone\u{1b}[31m", false),
    ];
    person.handle(Event::Devices(Ok(all.clone())));
    let shown = person.at(100, 30);
    assert!(shown.contains("› Linux, Chrome · here now"), "{shown}");
    assert!(shown.contains("iPhone"), "{shown}");
    assert!(shown.contains("last here 12:00"), "{shown}");
    assert!(shown.contains("Sign out everywhere"), "{shown}");

    person.key(KeyCode::Down);
    person.effects.clear();
    person.keys("y");
    let ends = |effect: &Effect| matches!(effect, Effect::Sessions { .. });
    assert!(!person.effects.iter().any(ends), "no device was chosen");
    person.key(KeyCode::Enter);
    let asked = person.at(100, 30);
    assert!(asked.contains("Sign out iPhone"), "{asked}");
    person.key(KeyCode::Enter);
    person.key(KeyCode::Esc);
    assert!(person.at(100, 30).contains("Sign out everywhere"), "kept");
    person.key(KeyCode::Enter);
    person.effects.clear();
    person.keys("y");
    let device = "d_2".to_owned();
    let sign_out = Some(PairingCommand::Revoke { device });
    assert!(person.effects.contains(&Effect::Sessions { sign_out }));
    person.key(KeyCode::Enter);
    person.handle(Event::Devices(Ok(all[..1].to_vec())));
    let anew = person.at(100, 30);
    assert!(!anew.contains("Sign out all browsers"), "{anew}");

    person.key(KeyCode::Enter);
    let asked = person.at(100, 30);
    assert!(asked.contains("Sign out all browsers"), "{asked}");
    person.keys("y");
    let sign_out = Some(PairingCommand::RevokeAll);
    assert!(person.effects.contains(&Effect::Sessions { sign_out }));
    person.handle(Event::Devices(Ok(Vec::new())));
    assert!(person.at(100, 30).contains("No browser is signed in; w"));
    person.key(KeyCode::Esc);
    assert!(person.at(100, 30).contains("WAITING"));
    person.handle(Event::Devices(Ok(Vec::new())));
    assert!(person.at(100, 30).contains("WAITING"), "it was left");
}

#[test]
fn tab_moves_between_groups_and_numbers_open_only_waiting_asks() {
    let mut person = Person::inbox(mixed());
    let group = |person: &Person| person.model.focused_row();
    let mut rows = Vec::new();
    for _ in 0..4 {
        rows.push(group(&person));
        person.key(KeyCode::Tab);
    }
    assert_eq!(rows, [0, 2, 3, 0]);
    person.keys("3");
    assert!(person.model.card().is_none(), "it shows no number");
    person.keys("2");
    assert!(person.model.card().is_some());
}

#[test]
fn a_filter_stays_until_esc() {
    let mut person = Person::inbox(mixed());
    person.keys("/envs");
    let seen = person.at(100, 30);
    assert!(seen.contains("/ envs") && seen.contains("1 of 4"), "{seen}");
    assert!(!seen.contains("Database and service name"), "{seen}");
    person.key(KeyCode::Enter);
    assert_eq!(person.model.inbox.rows.len(), 1, "it is kept");
    person.key(KeyCode::Esc);
    assert_eq!(person.model.inbox.rows.len(), 4);
    person.keys("/zzz");
    assert!(person.at(44, 14).contains("Nothing fits."));
    person.key(KeyCode::Esc);
    assert_eq!(person.model.inbox.rows.len(), 4);
}

#[test]
fn s_snoozes_and_ends_a_snooze() {
    let mut person = Person::inbox(mixed());
    person.keys("s");
    assert!(
        person.at(80, 24).contains("2. 15 minutes (until 12:15)"),
        "{}",
        person.at(80, 24)
    );
    person.keys("2");
    let until = person.now.plus_ms(15 * MINUTE);
    let effects = person.take_effects();
    let Some(Effect::Snooze { id, snooze }) = effects.last() else {
        panic!("{effects:?}");
    };
    assert_eq!(*snooze, Some(Snooze::Until(until)));
    let mut snoozed = person.model.record(id).expect("the ask is listed").clone();
    snoozed.snoozed = *snooze;
    person.handle(Event::RequestDone {
        request: AskRequest::Snooze,
        result: Ok(Box::new(snoozed)),
    });
    let seen = person.at(80, 24);
    assert!(
        seen.contains("Snoozed until 12:15; s brings it back."),
        "{seen}"
    );
    person.keys("s");
    let effects = person.take_effects();
    assert!(
        matches!(effects.last(), Some(Effect::Snooze { snooze: None, .. })),
        "{effects:?}"
    );
    person.keys("s");
    person.key(KeyCode::Esc);
    assert!(person.model.overlay.is_none());
}

#[test]
fn typing_in_the_last_minute_requests_more_time_once() {
    let mut asked = record("ask-due", vec![service()]);
    asked.deadline_at = Some(NOON.plus_ms(2 * MINUTE));
    let mut person = Person::at_card(asked.clone());
    person.keys("a");
    assert!(!requests_time(&mut person), "there is time");
    person.wait_ms(80_000);
    person.keys("bc");
    let effects = person.take_effects();
    let wanted = NOON.plus_ms(4 * MINUTE);
    let extends = |effect: &&Effect| matches!(effect, Effect::Extend { until, typing: true, .. } if *until == wanted);
    assert_eq!(effects.iter().filter(extends).count(), 1, "{effects:?}");
    asked.deadline_at = Some(wanted);
    person.handle(Event::RequestDone {
        request: AskRequest::Extend { typing: true },
        result: Ok(Box::new(asked)),
    });
    let seen = person.at(80, 24);
    assert!(
        seen.contains("+2:00 more because you are typing: due at 12:04."),
        "{seen}"
    );
}

fn requests_time(person: &mut Person) -> bool {
    let effects = person.take_effects();
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Extend { .. }))
}

#[test]
fn another_surfaces_answer_appears_where_nothing_was_typed() {
    let asked = record("ask-two", vec![service()]);
    let mut person = Person::at_card(asked.clone());
    person.hub_confirms = false;
    let mut there = asked.clone();
    there.draft = Some(saved("orders", 1));
    person.handle(changed(vec![there]));
    assert_eq!(person.card().form.entries[0].field.text(), "orders");
    person.keys("-x");
    let mut there = asked;
    there.draft = Some(saved("billing", 2));
    person.handle(changed(vec![there.clone()]));
    assert_eq!(
        person.card().form.entries[0].field.text(),
        "orders-x",
        "the own answer stays"
    );
    let seen = person.at(80, 24);
    // In a field, `l` is a letter.
    assert!(
        seen.contains("changed in browser 12:00, Esc, then l loads it"),
        "{seen}"
    );
    person.key(KeyCode::Esc);
    let seen = person.at(80, 24);
    assert!(
        seen.contains("changed in browser 12:00, l loads it"),
        "{seen}"
    );
    person.keys("l");
    assert_eq!(person.card().form.entries[0].field.text(), "billing");
    person.keys("l");
    assert_eq!(
        person.card().form.entries[0].field.text(),
        "orders-x",
        "the second key swaps back"
    );
    // Our draft came too late, so it is sent again on top of the other one.
    person.take_effects();
    person.handle(Event::DraftRefused(Box::new(there)));
    let effects = person.take_effects();
    assert!(
        matches!(effects.as_slice(), [Effect::SaveDraft { built_on: 2, .. }]),
        "{effects:?}"
    );
}

#[test]
fn enter_sends_the_choice_of_another_surface_that_is_shown_as_chosen() {
    let asked = record("ask-one", vec![database()]);
    let mut person = Person::one(asked.clone());
    person.wait_ms(2_000);
    let mut there = asked;
    there.draft = Some(Saved {
        draft: Draft {
            answers: vec![Answer::picking([2])],
            note: None,
        },
        ..saved("", 1)
    });
    person.handle(changed(vec![there]));
    person.at(80, 24);
    person.wait_ms(2_000);
    person.take_effects();
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    let sent = effects.iter().find_map(|effect| match effect {
        Effect::Settle {
            verdict: Verdict::Answer { draft, .. },
            ..
        } => Some(draft.answers.clone()),
        _ => None,
    });
    assert_eq!(sent, Some(vec![Answer::picking([2])]), "{effects:?}");
}

#[test]
fn a_note_of_another_surface_moves_no_focus() {
    let asked = record("ask-one", vec![database()]);
    let mut person = Person::one(asked.clone());
    person.wait_ms(2_000);
    person.key(KeyCode::Down);
    let mut there = asked;
    there.draft = Some(Saved {
        draft: Draft {
            answers: vec![Answer {
                note: Some("soon".to_owned()),
                ..Answer::default()
            }],
            note: None,
        },
        ..saved("", 1)
    });
    person.handle(changed(vec![there]));
    assert_eq!(person.card().note().text(), "soon");
    assert_eq!(person.card().focus().row, 1);
}

#[test]
fn text_being_typed_is_never_replaced_and_can_always_be_restored() {
    let asked = record("ask-two", vec![service()]);
    let mut person = Person::at_card(asked.clone());
    let there = |person: &mut Person, text: &str, revision| {
        let mut there = asked.clone();
        there.draft = Some(saved(text, revision));
        person.handle(changed(vec![there]));
        person.card().form.entries[0].field.text().to_owned()
    };
    person.keys("orders");
    // After a pause in typing, the newer version appears, and one key restores the own one.
    person.wait_ms(5_000);
    assert_eq!(there(&mut person, "bi", 2), "bi");
    assert_eq!(there(&mut person, "billing", 3), "billing");
    assert!(person.at(80, 24).contains("brings yours back"));
    person.key(KeyCode::Esc);
    person.keys("l");
    assert_eq!(person.card().form.entries[0].field.text(), "orders");
    // What is being typed stays, although the hub has stored another version.
    let mut person = Person::at_card(asked.clone());
    person.keys("orders");
    person.wait_ms(600);
    assert_eq!(there(&mut person, "billing", 2), "orders");
    assert!(person.at(80, 24).contains("l loads it"));
}

/// Whether Enter sends the answer.
fn sends(person: &mut Person) -> bool {
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Settle { .. }))
}

#[test]
fn what_a_program_below_an_agent_fills_in_must_be_seen_before_it_is_sent() {
    let asked = record("ask-two", vec![service()]);
    let mut person = Person::one(asked.clone());
    person.end_guard();
    let mut filled_in = asked;
    filled_in.draft = Some(Saved {
        surface: "below claude-code".to_owned(),
        ..saved("billing", 2)
    });
    person.handle(changed(vec![filled_in]));
    assert!(person.at(100, 30).contains("billing"));
    assert!(!sends(&mut person), "it has only just appeared");
    person.wait_ms(1_800);
    assert!(!sends(&mut person));
    // A key in these two seconds doesn't make them longer.
    person.wait_ms(200);
    assert!(!sends(&mut person), "the review is shown");
    assert!(sends(&mut person));
}

#[test]
fn what_another_surface_changes_must_be_seen_before_it_is_sent() {
    let asked = record("ask-one", vec![database()]);
    let mut person = Person::one(asked.clone());
    person.keys("1");
    person.wait_ms(4_000);
    let mut changed_there = asked;
    changed_there.draft = Some(Saved {
        draft: Draft {
            answers: vec![Answer::picking([1])],
            note: None,
        },
        ..saved("", 2)
    });
    // As after Ctrl+Z and fg: the change comes with the first keys, before anything is painted.
    person.handle(changed(vec![changed_there]));
    assert!(!sends(&mut person), "it was not shown yet");
    assert!(person.at(100, 30).contains("brings yours back"));
    person.wait_ms(1_900);
    assert!(!sends(&mut person));
    person.wait_ms(100);
    assert!(sends(&mut person));
}

#[test]
fn all_that_a_program_filled_in_is_reviewed_on_a_low_screen_too() {
    let noted = |picks: &[usize], own: Option<&str>| {
        let mut answer = Answer::picking(picks.iter().copied());
        answer.own = own.map(str::to_owned);
        answer.note = Some("and backups".to_owned());
        answer
    };
    let long = "my own words that are quite a bit longer than the line is";
    for (question, answer) in [
        (database(), noted(&[0], None)),
        (database(), noted(&[], Some(long))),
        (features(), noted(&[0], None)),
        (confirm(), noted(&[0], None)),
    ] {
        let mut asked = record("ask-two", vec![question]);
        asked.draft = Some(Saved {
            draft: Draft {
                answers: vec![answer.clone()],
                note: None,
            },
            surface: "below claude-code".to_owned(),
            ..saved("", 1)
        });
        let mut person = Person::one(asked);
        person.end_guard();
        person.key(KeyCode::Enter);
        assert!(
            person
                .take_effects()
                .iter()
                .all(|effect| !matches!(effect, Effect::Settle { .. }))
        );
        assert!(person.card().is_on_review());
        for (columns, rows) in [(40, 10), (40, 8), (100, 30)] {
            let seen = person.at(columns, rows);
            assert!(seen.contains("and backups"), "{seen}");
            assert!(seen.contains("Not filled in by you"), "{seen}");
        }
    }
}

#[test]
fn what_a_program_filled_in_is_sent_only_where_all_of_it_is_shown() {
    let long = format!("nothing {}but I approve the rest", "at all ".repeat(60));
    let filled_in = |note: Option<&str>, own: Option<&str>| Draft {
        answers: vec![Answer {
            picks: vec![0],
            note: own.map(str::to_owned),
            ..Answer::default()
        }],
        note: note.map(str::to_owned),
    };
    for draft in [filled_in(Some(&long), None), filled_in(None, Some(&long))] {
        let mut asked = record("ask-one", vec![features()]);
        asked.draft = Some(Saved {
            draft,
            surface: "below claude-code".to_owned(),
            ..saved("", 1)
        });
        let mut person = Person::one(asked);
        person.end_guard();
        person.key(KeyCode::Enter);
        let seen = person.at(60, 14);
        assert!(!sends(&mut person), "the rest is on no screen: {seen}");
        assert!(person.at(100, 14).contains("too small"));
        let seen = person.at(100, 40);
        assert!(seen.contains("I approve the rest"), "{seen}");
        assert!(sends(&mut person));
    }
}

#[test]
fn what_is_typed_right_after_a_program_filled_in_the_field_replaces_its_text() {
    let asked = record("ask-two", vec![service()]);
    let mut person = Person::at_card(asked.clone());
    let filled_in = |text: &str, revision| {
        let mut filled_in = asked.clone();
        filled_in.draft = Some(Saved {
            surface: "below claude-code".to_owned(),
            ..saved(text, revision)
        });
        changed(vec![filled_in])
    };
    let field = |person: &mut Person| person.card().form.entries[0].field.text().to_owned();
    person.handle(filled_in("prod, and ignore this: ", 1));
    person.at(100, 30);
    person.wait_ms(50);
    person.keys("staging");
    assert_eq!(field(&mut person), "staging");
    person.key(KeyCode::Esc);
    person.keys("l");
    assert_eq!(
        field(&mut person),
        "prod, and ignore this: ",
        "it is offered"
    );
    // Later it is the person's own choice to write behind it.
    let mut person = Person::at_card(asked.clone());
    person.handle(filled_in("prod", 1));
    person.at(100, 30);
    person.wait_ms(2_000);
    person.keys("uction");
    assert_eq!(field(&mut person), "production");
}

#[test]
fn what_a_program_filled_in_is_marked_when_it_is_loaded_and_is_not_offered_as_typed() {
    let asked = record("ask-two", vec![service()]);
    let mut person = Person::at_card(asked.clone());
    person.at(100, 30);
    person.keys("mine");
    let mut filled_in = asked.clone();
    filled_in.draft = Some(Saved {
        surface: "below evil".to_owned(),
        ..saved("theirs", 2)
    });
    person.handle(changed(vec![filled_in.clone()]));
    person.key(KeyCode::Esc);
    // Until the hub has the draft, and marks it.
    person.hub_confirms = false;
    person.keys("l");
    let seen = person.at(100, 30);
    assert!(seen.contains("theirs"), "{seen}");
    assert!(seen.contains("by a program below evil"), "{seen}");
    person.take_effects();
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    let is_sent = |effect: &Effect| matches!(effect, Effect::Settle { .. });
    assert!(
        !effects.iter().any(is_sent),
        "the person has only just loaded it"
    );
    // The agent withdraws the ask. Only what the person typed is offered again.
    let mut closed = filled_in;
    closed.draft = None;
    crate::fixtures::settle(&mut closed, ask_core::Outcome::Withdrawn, "agent");
    person.handle(changed(vec![closed]));
    let offered = &person.model.again;
    assert_eq!(offered, &["mine".to_owned()]);
}

#[test]
fn another_surfaces_note_for_all_is_offered() {
    let mut person = Person::one(three());
    person.key(KeyCode::BackTab);
    person.keys("Nmine");
    person.key(KeyCode::Enter);
    person.wait_ms(4_000);
    let mut there = three();
    there.draft = Some(Saved {
        draft: Draft {
            note: Some("theirs".to_owned()),
            ..person.card().form.draft()
        },
        ..saved("", 2)
    });
    person.handle(changed(vec![there]));
    let seen = person.at(100, 30);
    assert!(seen.contains("Note for all answers: \"theirs\""), "{seen}");
    assert!(seen.contains("l brings yours back"), "{seen}");
    person.keys("l");
    assert_eq!(person.card().form.draft().note.as_deref(), Some("mine"));
}

#[test]
fn esc_leaves_an_empty_field_but_not_an_ask_with_another_version() {
    let asked = record("ask-two", vec![service()]);
    let mut person = Person::one(asked.clone());
    person.keys("a");
    let mut there = asked;
    there.draft = Some(saved("billing", 2));
    person.handle(changed(vec![there]));
    person.key(KeyCode::Backspace);
    person.take_effects();
    person.key(KeyCode::Esc);
    let effects = person.take_effects();
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Settle { .. }))
    );
    person.keys("l");
    assert_eq!(person.card().form.entries[0].field.text(), "billing");
}

#[test]
fn the_cursor_stays_on_its_ask_when_others_arrive_and_leave() {
    let mut person = Person::inbox(mixed());
    person.key(KeyCode::Down);
    let on = person.model.focus.clone();
    let mut urgent = record("ask-urgent", vec![database()]);
    urgent.deadline_at = Some(Time(NOON.0 + 10_000));
    urgent.waiters = 1;
    person.handle(changed(vec![urgent]));
    assert_eq!(
        (person.model.focus.clone(), person.model.focused_row()),
        (on.clone(), 2)
    );
    person.handle(Event::Changed {
        records: Vec::new(),
        gone: vec![id("ask-urgent")],
    });
    assert_eq!(
        (person.model.focus.clone(), person.model.focused_row()),
        (on, 1)
    );
}

#[test]
fn every_style_at_every_size() {
    let mut person = Person::inbox(mixed());
    for (style, glyphs, colours) in [
        ("colour", Glyphs::Full, true),
        ("mono", Glyphs::Full, false),
        ("ascii", Glyphs::Ascii, false),
    ] {
        (person.model.display.glyphs, person.model.display.colours) = (glyphs, colours);
        for (columns, rows) in [(140, 30), (100, 30), (80, 24), (44, 14), (24, 6)] {
            person.at(columns, rows);
            let seen = picture(&person.model, columns, rows);
            insta::assert_snapshot!(format!("listing_{style}_{columns}x{rows}"), seen);
        }
    }
    person.at(80, 24);
    person.keys("s");
    insta::assert_snapshot!("listing_snooze", picture(&person.model, 80, 24));
}
