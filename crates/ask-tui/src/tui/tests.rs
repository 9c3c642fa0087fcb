//! The terminal surface, driven by keys and compared as text.

mod accidental_input;
mod attach;
mod choosing;
mod earlier_answer;
mod editing;
mod esc;
mod hints;
mod history;
mod hub_events;
mod jump_typing;
mod languages;
mod late;
mod leave;
mod listing;
mod mouse;
mod notes;
mod pictures;
mod properties;
mod small_screens;
mod speed;
mod styles;
mod tabs;
mod take_back;
mod typing;
mod unsent;

use ask_config::config::Terminal;
use ask_config::i18n::{Language, Words};
use ask_config::keys::Keymap;
use ask_core::record::Saved;
use ask_core::{AskId, Record, Time};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::background_color::BackgroundColor;
use super::event::{Effect, Event};
use super::glyphs::Glyphs;
use super::model::{Card, Display, Model};
use super::update::update;
use super::view::view;
use crate::Mode;
use crate::fixtures::NOON;

/// A person at the keyboard, with a clock that the test moves.
struct Person {
    model: Model,
    now: Time,
    /// The effects since the last check, without wake-ups.
    effects: Vec<Effect>,
    wake: Option<Time>,
    /// Whether the hub confirms the drafts that it saves.
    hub_confirms: bool,
}

impl Person {
    fn new(mode: Mode, records: Vec<Record>) -> Self {
        let display = Display {
            words: Words::for_language(Language::English),
            keys: Keymap::default(),
            settings: Terminal {
                mouse: true,
                ..Terminal::default()
            },
            glyphs: Glyphs::Full,
            colours: true,
            background: BackgroundColor::Unknown,
            zone: TimeZone::UTC,
            home: Some("/home/ann".to_owned()),
            distinguishes_keys: false,
        };
        let mut person = Self {
            model: Model::new(mode, display, (100, 30), NOON),
            now: NOON,
            effects: Vec::new(),
            wake: None,
            hub_confirms: true,
        };
        person.handle(Event::Records(records));
        person
    }

    /// A person at the list.
    fn inbox(records: Vec<Record>) -> Self {
        Self::new(Mode::Inbox, records)
    }

    /// A person at one ask in one-shot mode, after the guard.
    fn one(record: Record) -> Self {
        let mut person = Self::new(Mode::One(record.id.clone()), vec![record]);
        person.end_guard();
        person
    }

    /// A person at one ask opened from the list, after the guard.
    fn at_card(record: Record) -> Self {
        let mut person = Self::inbox(vec![record]);
        person.key(KeyCode::Enter);
        person.end_guard();
        person
    }

    fn handle(&mut self, event: Event) {
        self.wake = None;
        let mut confirmed = Vec::new();
        for effect in update(&mut self.model, event, self.now) {
            match effect {
                Effect::Wake { at } => self.wake = Some(at),
                other => {
                    confirmed.extend(self.confirmed_draft(&other).filter(|_| self.hub_confirms));
                    self.effects.push(other);
                }
            }
        }
        for record in confirmed {
            let (records, gone) = (vec![record], Vec::new());
            self.handle(Event::Changed { records, gone });
        }
    }

    /// The record that the hub sends after it has saved a draft.
    fn confirmed_draft(&self, effect: &Effect) -> Option<Record> {
        let Effect::SaveDraft {
            id,
            draft,
            built_on,
        } = effect
        else {
            return None;
        };
        let mut record = self.model.record(id)?.clone();
        record.draft = Some(Saved {
            draft: draft.clone(),
            at: self.now,
            surface: "terminal".to_owned(),
            revision: built_on + 1,
        });
        Some(record)
    }

    fn end_guard(&mut self) {
        self.handle(Event::InputDrained);
        self.wait_ms(400);
        self.effects.clear();
    }

    fn wait_ms(&mut self, ms: u64) {
        self.now = self.now.plus_ms(ms);
        self.handle(Event::Tick);
    }

    fn key(&mut self, code: KeyCode) {
        self.press(code, KeyModifiers::NONE);
    }

    fn press(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.now = self.now.plus_ms(10);
        self.handle(Event::Key(KeyEvent::new(code, modifiers)));
    }

    fn ctrl(&mut self, letter: char) {
        self.press(KeyCode::Char(letter), KeyModifiers::CONTROL);
    }

    fn keys(&mut self, letters: &str) {
        for letter in letters.chars() {
            self.key(KeyCode::Char(letter));
        }
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    fn card(&self) -> &Card {
        self.model.card().expect("a card is open")
    }

    fn at(&mut self, columns: u16, rows: u16) -> String {
        self.handle(Event::Resize(columns, rows));
        if self
            .model
            .guard_mut()
            .is_some_and(|guard| guard.for_changed)
        {
            self.model.mark_painted(self.now);
        }
        picture(&self.model, columns, rows)
    }
}

/// The screen as text, and the position of the terminal's cursor.
fn painted(model: &Model, columns: u16, rows: u16) -> (Buffer, Option<Position>) {
    let area = Rect::new(0, 0, columns, rows);
    let mut buffer = Buffer::empty(area);
    let caret = view(model, area, &mut buffer);
    (buffer, caret)
}

fn picture(model: &Model, columns: u16, rows: u16) -> String {
    let (buffer, caret) = painted(model, columns, rows);
    let mut text = lines(&buffer).join("\n");
    let caret = caret.map(|at| format!("{},{}", at.x, at.y));
    text.push_str(&format!(
        "\n{columns}x{rows} cursor {}",
        caret.unwrap_or("hidden".into())
    ));
    text
}

fn lines(buffer: &Buffer) -> Vec<String> {
    use ratatui::buffer::CellWidth as _;
    let area = buffer.area;
    let line = |y| {
        let mut line = String::new();
        let mut x = area.left();
        while x < area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += symbol.cell_width().max(1);
        }
        line.trim_end().to_owned()
    };
    (area.top()..area.bottom()).map(line).collect()
}

fn id(text: &str) -> AskId {
    AskId::parse(text).expect("test ids have the shape of ids")
}
