//! The mouse moves, marks, shows and scrolls; it never sends.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::pictures::with_previews;
use super::{Person, lines, painted};
use crate::fixtures::{record, three};
use crate::tui::background_color::BackgroundColor;
use crate::tui::event::{Effect, Event};
use crate::tui::model::Overlay;

impl Person {
    /// Clicks on the first place that shows this text.
    pub(super) fn click(&mut self, words: &str) {
        self.point(words, MouseEventKind::Down(MouseButton::Left));
    }

    pub(super) fn point(&mut self, words: &str, kind: MouseEventKind) {
        let (columns, rows) = self.model.size;
        let (buffer, _) = painted(&self.model, columns, rows);
        let found = lines(&buffer).into_iter().zip(0..).find_map(|(line, y)| {
            let at = line.find(words)?;
            let column = ask_config::text::width(&line[..at]);
            Some((u16::try_from(column).unwrap_or(u16::MAX), y))
        });
        let (column, row) = found.unwrap_or_else(|| panic!("{words} isn't seen"));
        self.happen(Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    /// Clicks on a cell.
    fn down_at(&mut self, column: u16, row: u16) {
        self.happen(Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    fn settles(&mut self) -> bool {
        let taken = self.taken();
        taken
            .iter()
            .any(|effect| matches!(effect, Effect::Settle { .. }))
    }
}

#[test]
fn a_click_moves_and_a_second_one_marks() {
    let mut person = Person::carded(three());
    person.click("MongoDB");
    assert_eq!(person.card().spot().row, 2);
    assert!(!person.card().form.entries[0].has(2));
    person.click("Document store");
    assert!(person.card().form.entries[0].has(2));
    assert_eq!(person.card().tab, 0, "marking doesn't go on");
    person.click("Other");
    person.click("Other");
    assert!(person.card().spot().typing);
    person.keys("mine");
    person.click("SQLite");
    assert_eq!(person.card().spot().row, 1);
    assert!(!person.card().spot().typing);
    assert_eq!(person.card().form.entries[0].field.text(), "mine");
}

#[test]
fn a_click_shows_a_tab_and_never_sends() {
    let mut person = Person::carded(three());
    person.click("Features");
    assert_eq!(person.card().tab, 2);
    person.click("Submit");
    assert!(person.card().on_review());
    for words in ["Send", "Database", "Enter", "claude-code"] {
        let (buffer, _) = painted(&person.model, 100, 30);
        if lines(&buffer).iter().any(|line| line.contains(words)) {
            person.click(words);
        }
    }
    assert!(!person.settles());
    let mut person = Person::one(record("ask-one", vec![crate::fixtures::database()]));
    for _ in 0..3 {
        person.click("SQLite");
    }
    assert!(!person.settles());
}

#[test]
fn the_wheel_scrolls_what_it_is_over() {
    let mut person = Person::carded(with_previews());
    person.point("CREATE TABLE", MouseEventKind::ScrollDown);
    assert_eq!(person.card().preview_top(), 3);
    assert_eq!(person.card().spot().row, 0);
    person.point("Preview:", MouseEventKind::ScrollUp);
    assert_eq!(person.card().preview_top(), 0);
    person.point("SQLite", MouseEventKind::ScrollDown);
    assert_eq!(person.card().spot().row, 1);
    person.key(KeyCode::Up);
    person.keys("p");
    person.at(44, 14);
    person.point("lines", MouseEventKind::ScrollDown);
    assert!(matches!(
        person.model.over,
        Some(Overlay::Preview { top: 3 })
    ));
    person.click("lines");
    assert!(matches!(person.model.over, Some(Overlay::Preview { .. })));
}

#[test]
fn clicks_while_a_card_opens_do_nothing() {
    let mut person = Person::inbox(vec![three()]);
    person.key(KeyCode::Enter);
    person.click("SQLite");
    assert_eq!(person.card().spot().row, 0);
}

#[test]
fn the_ground_is_taken_over() {
    let mut person = Person::carded(three());
    person.happen(Event::BackgroundColor(BackgroundColor::Light));
    assert_eq!(person.model.look.background, BackgroundColor::Light);
}

/// The list of three asks.
fn listed() -> Person {
    Person::inbox(crate::fixtures::inbox())
}

#[test]
fn a_click_in_the_list_moves_and_a_second_one_opens() {
    let mut person = listed();
    let second = person
        .model
        .shown(1)
        .expect("the list has two asks")
        .id
        .clone();
    person.click("Database and service name");
    assert_eq!(person.model.focused_row(), 1);
    assert!(person.model.card().is_none());
    person.now = person.now.plus_ms(2_000);
    person.click("Database and service name");
    assert_eq!(person.card().record.id, second);
    assert!(!person.settles());
    let mut person = listed();
    person.keys("/data");
    person.click("Database and service name");
    assert!(!person.model.inbox.filtering, "the filter is left");
    assert!(person.model.card().is_none(), "and nothing opened yet");
    person.click("Database and service name");
    assert!(person.model.card().is_some());
}

#[test]
fn a_double_click_means_what_was_there_although_the_list_scrolls() {
    let many = (0..60).map(|at| {
        let mut record = record(&format!("ask-{at:02}"), vec![crate::fixtures::database()]);
        record.ask.title = Some(format!("Title number {at:02}"));
        record
    });
    let mut person = Person::inbox(many.collect());
    let (buffer, _) = painted(&person.model, 100, 30);
    let last = lines(&buffer)
        .iter()
        .rposition(|line| line.starts_with("  -") && line.contains("Title number"))
        .expect("a long list");
    let row = u16::try_from(last).expect("a row");
    let meant = |person: &Person| {
        let (buffer, _) = painted(&person.model, 100, 30);
        let line = lines(&buffer)[last].clone();
        line.split("Title number ")
            .nth(1)
            .map(|rest| rest[..2].to_owned())
    };
    let number = meant(&person).expect("a title");
    person.down_at(20, row);
    assert_ne!(meant(&person), Some(number.clone()), "the list scrolled");
    person.now = person.now.plus_ms(120);
    person.down_at(20, row);
    assert_eq!(person.card().record.id.as_str(), format!("ask-{number}"));
    // A slow second click acts on what is there then.
    let mut person = Person::inbox(person.model.records);
    person.down_at(20, row);
    person.now = person.now.plus_ms(2_000);
    person.down_at(20, row);
    assert!(person.model.card().is_none());
}

#[test]
fn a_click_on_the_review_moves_then_goes_to_the_question_and_never_sends() {
    let mut person = Person::carded(three());
    person.keys("1");
    person.key(KeyCode::BackTab);
    person.key(KeyCode::BackTab);
    assert!(person.card().on_review());
    person.click("3. Features");
    assert_eq!(person.card().review_row, 2);
    person.now = person.now.plus_ms(2_000);
    person.click("3. Features");
    assert_eq!(person.card().tab, 2);
    person.key(KeyCode::Tab);
    assert!(person.card().on_review());
    for button in ["Go to Service Name", "Send the 1 answer anyway"] {
        for _ in 0..3 {
            person.click(button);
        }
        assert!(person.card().on_review(), "{button}");
    }
    assert_eq!(person.card().review_row, 4);
    assert!(!person.settles(), "only Enter sends");
    person.key(KeyCode::Enter);
    assert!(person.settles());
}

#[test]
fn a_note_that_is_typed_stays_when_something_else_is_clicked() {
    let mut person = Person::carded(three());
    person.keys("nbecause");
    assert!(person.card().noting);
    person.click("SQLite");
    assert!(!person.card().noting);
    assert_eq!(person.card().spot().row, 1);
    assert_eq!(person.card().form.entries[0].note.text(), "because");
}

#[test]
fn a_click_in_a_dialog_moves_and_never_chooses() {
    let mut person = Person::carded(three());
    person.ctrl('c');
    for _ in 0..3 {
        person.click("Discard and cancel");
        assert!(matches!(
            person.model.over,
            Some(Overlay::Discard { row: 2 })
        ));
    }
    assert!(!person.settles());
    person.key(KeyCode::Esc);
    person.keys("s");
    for _ in 0..2 {
        person.click("15 minutes");
        assert!(matches!(
            person.model.over,
            Some(Overlay::Snooze { row: 1, .. })
        ));
    }
    assert!(person.taken().is_empty());
    person.key(KeyCode::Esc);
    person.keys("x");
    person.click("Decline");
    assert!(matches!(person.model.over, Some(Overlay::Reason { .. })));
    assert!(!person.settles());
}

#[test]
fn the_wheel_scrolls_help_and_what_is_read_beside_the_list() {
    let mut person = listed();
    person.at(60, 12);
    person.keys("?");
    person.point("Keys", MouseEventKind::ScrollDown);
    assert!(matches!(
        person.model.over,
        Some(Overlay::Help { top: 3, .. })
    ));
    person.click("Keys");
    person.point("Keys", MouseEventKind::ScrollUp);
    person.point("Keys", MouseEventKind::ScrollUp);
    assert!(matches!(
        person.model.over,
        Some(Overlay::Help { top: 0, .. })
    ));
    person.key(KeyCode::Esc);
    let mut long = three();
    long.ask.questions[0].text = "A line of it.\n\n".repeat(60);
    let mut person = Person::inbox(vec![long]);
    person.at(130, 30);
    person.point("A line of it.", MouseEventKind::ScrollDown);
    assert_eq!(person.model.inbox.top, 3);
    assert_eq!(person.model.focused_row(), 0);
}

#[test]
fn clicks_meant_for_a_notice_that_went_do_nothing() {
    let mut person = listed();
    person.model.list_guard = Some(crate::tui::model::Guard::from(person.now));
    person.click("Database and service name");
    assert_eq!(person.model.focused_row(), 0);
}

#[test]
fn a_click_on_a_field_that_was_left_types_in_it() {
    let mut person = Person::carded(record("ask-text", vec![crate::fixtures::service()]));
    person.keys("mailer");
    person.key(KeyCode::Esc);
    assert!(!person.card().spot().typing);
    person.click("mailer");
    person.keys("-v2");
    assert_eq!(person.card().form.entries[0].field.text(), "mailer-v2");
    assert!(!person.settles());
}
