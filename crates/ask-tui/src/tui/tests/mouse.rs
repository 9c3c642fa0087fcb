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
        self.handle(Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    /// Clicks on a cell.
    fn down_at(&mut self, column: u16, row: u16) {
        self.handle(Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    fn settles(&mut self) -> bool {
        let taken = self.take_effects();
        taken
            .iter()
            .any(|effect| matches!(effect, Effect::Settle { .. }))
    }
}

#[test]
fn without_the_setting_the_mouse_does_nothing() {
    let mut person = Person::at_card(three());
    person.model.display.settings.mouse = false;
    person.click("MongoDB");
    person.click("MongoDB");
    assert_eq!(person.card().focus().row, 0);
    assert!(!person.card().is_touched());
}

#[test]
fn a_click_moves_and_a_second_one_marks() {
    let mut person = Person::at_card(three());
    person.click("MongoDB");
    assert_eq!(person.card().focus().row, 2);
    assert!(!person.card().form.entries[0].has_pick(2));
    person.click("Document store");
    assert!(person.card().form.entries[0].has_pick(2));
    assert_eq!(person.card().tab, 0, "marking doesn't go on");
    person.click("Other");
    person.click("Other");
    assert!(person.card().focus().typing);
    person.keys("mine");
    person.click("SQLite");
    assert_eq!(person.card().focus().row, 1);
    assert!(!person.card().focus().typing);
    assert_eq!(person.card().form.entries[0].field.text(), "mine");
}

#[test]
fn a_click_shows_a_tab_and_never_sends() {
    let mut person = Person::at_card(three());
    person.click("Features");
    assert_eq!(person.card().tab, 2);
    person.click("Submit");
    assert!(person.card().is_on_review());
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
fn the_wheel_scrolls_what_is_below_the_pointer() {
    let mut person = Person::at_card(with_previews());
    person.point("CREATE TABLE", MouseEventKind::ScrollDown);
    assert_eq!(person.card().preview_top(), 3);
    assert_eq!(person.card().focus().row, 0);
    person.point("Preview:", MouseEventKind::ScrollUp);
    assert_eq!(person.card().preview_top(), 0);
    person.point("SQLite", MouseEventKind::ScrollDown);
    assert_eq!(person.card().focus().row, 1);
    person.key(KeyCode::Up);
    person.keys("p");
    person.at(44, 14);
    person.point("lines", MouseEventKind::ScrollDown);
    assert!(matches!(
        person.model.overlay,
        Some(Overlay::Preview { top: 3 })
    ));
    person.click("lines");
    assert!(matches!(
        person.model.overlay,
        Some(Overlay::Preview { .. })
    ));
}

#[test]
fn clicks_while_a_card_opens_do_nothing() {
    let mut person = Person::inbox(vec![three()]);
    person.key(KeyCode::Enter);
    person.click("SQLite");
    assert_eq!(person.card().focus().row, 0);
}

#[test]
fn the_reported_background_is_stored() {
    let mut person = Person::at_card(three());
    person.handle(Event::BackgroundColor(BackgroundColor::Light));
    assert_eq!(person.model.display.background, BackgroundColor::Light);
}

/// The list of three asks.
fn at_list() -> Person {
    Person::inbox(crate::fixtures::inbox())
}

#[test]
fn a_click_in_the_list_moves_and_a_second_one_opens() {
    let mut person = at_list();
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
    let mut person = at_list();
    person.keys("/data");
    person.click("Database and service name");
    assert!(!person.model.inbox.filtering, "the filter is left");
    assert!(person.model.card().is_none(), "and nothing opened yet");
    person.click("Database and service name");
    assert!(person.model.card().is_some());
}

#[test]
fn a_double_click_opens_its_ask_although_the_list_scrolls() {
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
    let title_at_row = |person: &Person| {
        let (buffer, _) = painted(&person.model, 100, 30);
        let line = lines(&buffer)[last].clone();
        line.split("Title number ")
            .nth(1)
            .map(|rest| rest[..2].to_owned())
    };
    let number = title_at_row(&person).expect("a title");
    person.down_at(20, row);
    assert_ne!(
        title_at_row(&person),
        Some(number.clone()),
        "the list scrolled"
    );
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
fn a_click_on_the_review_moves_then_opens_the_question_and_never_sends() {
    let mut person = Person::at_card(three());
    person.keys("1");
    person.key(KeyCode::BackTab);
    person.key(KeyCode::BackTab);
    assert!(person.card().is_on_review());
    person.click("3. Features");
    assert_eq!(person.card().review_row, 2);
    person.now = person.now.plus_ms(2_000);
    person.click("3. Features");
    assert_eq!(person.card().tab, 2);
    person.key(KeyCode::Tab);
    assert!(person.card().is_on_review());
    for button in ["Go to Service Name", "Send the 1 answer anyway"] {
        for _ in 0..3 {
            person.click(button);
        }
        assert!(person.card().is_on_review(), "{button}");
    }
    assert_eq!(person.card().review_row, 4);
    assert!(!person.settles(), "only Enter sends");
    person.key(KeyCode::Enter);
    assert!(person.settles());
}

#[test]
fn a_note_being_typed_survives_a_click_elsewhere() {
    let mut person = Person::at_card(three());
    person.keys("nbecause");
    assert!(person.card().typing_note);
    person.click("SQLite");
    assert!(!person.card().typing_note);
    assert_eq!(person.card().focus().row, 1);
    assert_eq!(person.card().form.entries[0].note.text(), "because");
}

#[test]
fn a_click_in_a_dialog_moves_and_never_chooses() {
    let mut person = Person::at_card(three());
    person.ctrl('c');
    for _ in 0..3 {
        person.click("Discard and cancel");
        assert!(matches!(
            person.model.overlay,
            Some(Overlay::Discard { row: 2 })
        ));
    }
    assert!(!person.settles());
    person.key(KeyCode::Esc);
    person.keys("s");
    for _ in 0..2 {
        person.click("15 minutes");
        assert!(matches!(
            person.model.overlay,
            Some(Overlay::Snooze { row: 1, .. })
        ));
    }
    assert!(person.take_effects().is_empty());
    person.key(KeyCode::Esc);
    person.keys("x");
    person.click("Decline");
    assert!(matches!(person.model.overlay, Some(Overlay::Reason { .. })));
    assert!(!person.settles());
}

#[test]
fn the_wheel_scrolls_help_and_the_preview_pane() {
    let mut person = at_list();
    person.at(60, 12);
    person.keys("?");
    person.point("Keys", MouseEventKind::ScrollDown);
    assert!(matches!(
        person.model.overlay,
        Some(Overlay::Help { top: 3, .. })
    ));
    person.click("Keys");
    person.point("Keys", MouseEventKind::ScrollUp);
    person.point("Keys", MouseEventKind::ScrollUp);
    assert!(matches!(
        person.model.overlay,
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
fn clicks_right_after_a_notice_closed_are_ignored() {
    let mut person = at_list();
    person.model.list_guard = Some(crate::tui::model::Guard::new(person.now));
    person.click("Database and service name");
    assert_eq!(person.model.focused_row(), 0);
}

#[test]
fn a_click_on_a_field_focuses_it_again() {
    let mut person = Person::at_card(record("ask-text", vec![crate::fixtures::service()]));
    person.keys("mailer");
    person.key(KeyCode::Esc);
    assert!(!person.card().focus().typing);
    person.click("mailer");
    person.keys("-v2");
    assert_eq!(person.card().form.entries[0].field.text(), "mailer-v2");
    assert!(!person.settles());
}
