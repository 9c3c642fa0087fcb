//! The history screen: searched, filtered, read, copied and counted, at every size.

use ask_core::history::{End, Facts};
use ask_core::stats::{HistoryStats, LocalHour, StatsBuilder};
use ask_core::{Answer, Draft, Outcome, Record};
use crossterm::event::{KeyCode, KeyModifiers, MouseEventKind};

use super::{Person, picture};
use crate::fixtures::{NOON, asker, closed, database, record, settle, three};
use crate::tui::event::{Effect, Event};
use crate::tui::glyphs::Glyphs;
use crate::tui::model::Screen;
use crate::tui::model::history::Layer;

const SIZES: [(u16, u16); 5] = [(100, 30), (80, 24), (44, 14), (40, 12), (24, 6)];
const MINUTE: i64 = 60_000;

/// Closed asks, the newest first: answered, declined, expired, answered late, and one with hostile
/// text.
fn closed_records() -> Vec<Record> {
    let draft = Draft {
        answers: vec![
            Answer::picking([0]),
            Answer::saying("order-processor"),
            Answer::picking([0, 1]),
        ],
        note: Some("only v1 scope, please".into()),
    };
    let answered = closed(three(), draft);
    let mut declined = record("ask-door", vec![database()]);
    let reason = Some("later".to_owned());
    settle(&mut declined, Outcome::Declined { reason }, "web");
    let mut late = record("ask-late", vec![database()]);
    late.ask.title = Some("Keep the old table?".into());
    late.asked_at.0 -= 24 * 60 * MINUTE;
    late.deadline_at = Some(late.asked_at.plus_ms(1_000));
    settle(&mut late, Outcome::Declined { reason: None }, "terminal");
    let mut hostile = record("ask-evil", vec![database()]);
    hostile.ask.title = Some("A\u{1b}[2J\u{202e}B 日本語".into());
    hostile.asked_at.0 -= 3 * 24 * 60 * MINUTE;
    hostile.asker = asker();
    settle(&mut hostile, Outcome::Withdrawn, "agent");
    vec![answered, declined, late, hostile]
}

fn stats() -> HistoryStats {
    let mut builder = StatsBuilder::default();
    for record in closed_records() {
        let facts = Facts::from_record(&record).expect("the record is closed");
        let day = facts.asked_at.0.div_euclid(86_400_000);
        builder.add(&facts, LocalHour(LocalHour::of_day(day).0 + 12));
    }
    builder.stats()
}

/// The history screen with records and statistics.
fn opened() -> Person {
    let mut person = Person::inbox(Vec::new());
    person.keys("h");
    person.take_effects();
    person.handle(Event::HistoryPage(Ok((closed_records(), 0))));
    person.handle(Event::Stats(Box::new(stats())));
    person
}

fn history_queries(effects: &[Effect]) -> Vec<String> {
    let words = effects.iter().filter_map(|effect| match effect {
        Effect::ReadHistory { filter } => Some(format!(
            "{} {} {:?}{}",
            filter.search.clone().unwrap_or_default(),
            filter.agent.clone().unwrap_or_default(),
            filter.end,
            if filter.undelivered {
                " undelivered"
            } else {
                ""
            }
        )),
        _ => None,
    });
    words.collect()
}

#[test]
fn typing_continues_while_the_hub_searches() {
    let mut person = opened();
    person.keys("/d");
    assert_eq!(history_queries(&person.take_effects()), ["d  None"]);
    person.keys("ata");
    assert_eq!(
        history_queries(&person.take_effects()).len(),
        0,
        "one look at a time"
    );
    person.handle(Event::HistoryPage(Ok((Vec::new(), 0))));
    assert_eq!(
        history_queries(&person.take_effects()),
        ["data  None"],
        "then the query of the latest text"
    );
    person.handle(Event::HistoryPage(Ok((closed_records(), 0))));
    assert_eq!(history_queries(&person.take_effects()).len(), 0);
    person.key(KeyCode::Enter);
    assert!(person.at(100, 30).contains("search: data"));
    person.keys("/");
    person.key(KeyCode::Esc);
    assert_eq!(
        history_queries(&person.take_effects()),
        ["  None"],
        "Esc shows all again"
    );
    person.key(KeyCode::Esc);
    assert!(person.at(100, 30).contains("No question waits"));
}

#[test]
fn the_next_page_is_requested_near_the_end() {
    let mut person = Person::inbox(Vec::new());
    person.keys("h");
    person.take_effects();
    let many: Vec<Record> = (0..60)
        .flat_map(|_| closed_records().into_iter().take(1))
        .collect();
    person.handle(Event::HistoryPage(Ok((many.clone(), 7))));
    assert_eq!(history_queries(&person.take_effects()).len(), 0);
    person.keys("G");
    let effects = person.take_effects();
    let further = effects
        .iter()
        .any(|effect| matches!(effect, Effect::ReadHistory { filter } if filter.before == Some(7)));
    assert!(further, "{effects:?}");
    person.handle(Event::HistoryPage(Ok((many, 0))));
    person.keys("G");
    assert!(
        history_queries(&person.take_effects()).is_empty(),
        "that was all"
    );
}

#[test]
fn filters_cycle_through_their_values() {
    let mut person = opened();
    person.keys("f");
    person.key(KeyCode::Right);
    let asked = history_queries(&person.take_effects());
    assert_eq!(asked.len(), 1);
    assert!(asked[0].contains("claude-code"), "{asked:?}");
    person.handle(Event::HistoryPage(Ok((closed_records(), 0))));
    person.key(KeyCode::Left);
    person.keys("jj");
    person.key(KeyCode::Left);
    person.handle(Event::HistoryPage(Ok((closed_records(), 0))));
    let asked = history_queries(&person.take_effects());
    let last = asked.last().expect("the hub is asked for it");
    assert!(last.ends_with(" undelivered"), "{asked:?}");
    assert!(person.at(100, 30).contains("not fetched yet"));
    person.key(KeyCode::Left);
    person.handle(Event::HistoryPage(Ok((closed_records(), 0))));
    let asked = history_queries(&person.take_effects());
    assert!(
        asked
            .last()
            .is_some_and(|last| last.contains(&format!("{:?}", Some(End::Withdrawn)))),
        "{asked:?}"
    );
    assert!(person.at(100, 30).contains("withdrawn"));
    person.key(KeyCode::Esc);
    person.key(KeyCode::Esc);
    assert!(person.at(100, 30).contains("No question waits"));
}

#[test]
fn copies_and_exports_are_confirmed() {
    let mut person = opened();
    person.keys("y");
    let effects = person.take_effects();
    let copied = effects.iter().find_map(|effect| match effect {
        Effect::Copy { text } => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("a copy is requested");
    assert!(
        copied.contains("- [x] PostgreSQL") && copied.contains("only v1 scope, please"),
        "{copied}"
    );
    person.keys("E");
    assert!(
        person
            .take_effects()
            .iter()
            .any(|effect| matches!(effect, Effect::Export { .. }))
    );
    person.handle(Event::Exported(Ok((4, "/tmp/ask-history.json".into()))));
    assert!(
        person
            .at(100, 30)
            .contains("4 asks written to /tmp/ask-history.json")
    );
    person.handle(Event::HistoryPage(Err("no hub".into())));
    assert!(
        person.at(100, 30).contains("/tmp/ask-history.json"),
        "the person hasn't asked for that"
    );
}

#[test]
fn the_whole_record_can_be_scrolled_to_its_end() {
    let mut person = opened();
    person.key(KeyCode::Enter);
    for (columns, rows) in SIZES {
        person.at(columns, rows);
        person.keys("gG");
        let seen = person.at(columns, rows);
        assert!(
            seen.contains('}'),
            "what the agent was given is last: {seen}"
        );
    }
    person.key(KeyCode::Esc);
    assert!(person.at(100, 30).contains("TODAY"));
}

fn assert_pictures(name: &str, person: &mut Person) {
    for (columns, rows) in SIZES {
        let picture = person.at(columns, rows);
        assert!(!picture.contains(['\u{1b}', '\u{202e}']), "{picture}");
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), picture);
    }
}

#[test]
fn every_layer_at_every_size() {
    assert_eq!(
        three().asked_at.0 / MINUTE / 60 / 24,
        NOON.0 / MINUTE / 60 / 24
    );
    let mut person = opened();
    assert_pictures("history", &mut person);
    person.keys("f");
    assert_pictures("history_filters", &mut person);
    person.key(KeyCode::Esc);
    person.key(KeyCode::Enter);
    assert_pictures("history_whole", &mut person);
    person.key(KeyCode::Esc);
    person.keys("S");
    assert_pictures("history_stats", &mut person);
    person.model.display.glyphs = Glyphs::Ascii;
    person.model.display.colours = false;
    insta::assert_snapshot!("history_stats_ascii", picture(&person.model, 80, 24));
    person.key(KeyCode::Esc);
    insta::assert_snapshot!("history_ascii", picture(&person.model, 80, 24));
}

#[test]
fn the_mouse_moves_in_the_list_and_its_filters_and_opens_on_the_second_click() {
    let mut person = opened();
    person.at(100, 30);
    person.click("Keep the old table?");
    let row = |person: &Person| {
        let Screen::History(past) = &person.model.screen else {
            panic!("history is open");
        };
        (past.row, past.layer)
    };
    assert_eq!(row(&person), (2, Layer::List));
    person.click("Keep the old table?");
    assert_eq!(row(&person), (2, Layer::Record(0)));
    person.key(KeyCode::Esc);
    person.keys("f");
    for _ in 0..2 {
        person.click("project");
        assert_eq!(row(&person), (2, Layer::Filters(1)), "nothing is changed");
    }
    person.key(KeyCode::Esc);
    person.keys("/");
    person.click("declined");
    assert_eq!(row(&person).1, Layer::List);
    person.keys("S");
    person.at(100, 12);
    person.point("Statistics", MouseEventKind::ScrollDown);
    assert_eq!(row(&person).1, Layer::Stats(3));
}

#[test]
fn an_own_text_chosen_in_history_is_recalled_first() {
    let asks = vec![record("ask-name", vec![crate::fixtures::service()])];
    let mut person = Person::inbox(asks);
    person.keys("h");
    person.handle(Event::HistoryPage(Ok((closed_records(), 0))));
    person.key(KeyCode::Down);
    person.key(KeyCode::Enter);
    person.keys("u");
    let said = person.at(100, 30);
    assert!(said.contains("No own words were given here."), "{said}");
    person.key(KeyCode::Esc);
    person.key(KeyCode::Up);
    person.key(KeyCode::Enter);
    person.keys("u");
    let said = person.at(100, 30);
    assert!(
        said.contains("In a text field, Alt+↑ begins with these words now."),
        "{said}"
    );
    person.key(KeyCode::Esc);
    person.key(KeyCode::Esc);
    person.key(KeyCode::Enter);
    person.end_guard();
    person.press(KeyCode::Up, KeyModifiers::ALT);
    let id = person.card().record.id.clone();
    person.handle(Event::Recalled {
        id,
        records: vec![closed(
            record("ask-else", vec![crate::fixtures::service()]),
            Draft {
                answers: vec![Answer::saying("newer")],
                note: None,
            },
        )],
    });
    assert_eq!(
        person.card().form.entries[0].field.text(),
        "order-processor"
    );
    person.press(KeyCode::Up, KeyModifiers::ALT);
    assert_eq!(person.card().form.entries[0].field.text(), "newer");
}

#[test]
fn at_44_columns_statistics_and_filters_have_rows_of_their_own() {
    let mut person = opened();
    let seen = person.at(44, 14);
    assert!(seen.contains("median"), "{seen}");
    for text in [
        "search:",
        "agent: all",
        "project: all",
        "state: all",
        "period: always",
    ] {
        assert!(seen.contains(text), "{text}:\n{seen}");
    }
    person.keys("f");
    let seen = person.at(80, 24);
    assert_eq!(seen.matches('›').count(), 1, "one cursor:\n{seen}");
    person.key(KeyCode::Esc);
    person.keys("S");
    let seen = person.at(44, 14);
    assert!(!seen.contains('…'), "{seen}");
}
