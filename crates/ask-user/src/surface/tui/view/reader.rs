//! Everything an agent said, full screen, so that nothing is out of reach.

use ask_core::ask::CONFIRM;
use ask_core::{AskId, Input, Plain, Question, Record};

use super::card::bottom;
use super::footer::{Facts, hints};
use super::{Page, header};
use crate::surface::paper::text::wrap;
use crate::surface::tui::model::{Model, Screen};
use crate::surface::tui::strip::Strip;
use crate::surface::tui::style::Role;

/// The whole screen of the reader.
pub fn page(model: &Model, id: &AskId, columns: usize, rows: usize, top: usize) -> Vec<Strip> {
    let Some(record) = record(model, id) else {
        return vec![Strip::indented(1).words("It is gone.", Role::Text)];
    };
    let lines = lines(record, columns);
    let page = extent(model, id, columns, rows);
    let top = top.min(page.total.saturating_sub(page.shown));
    let mut strips = vec![header::who(model, record, columns)];
    if rows >= 10 {
        strips.push(Strip::rule(columns));
    }
    strips.extend(lines.into_iter().skip(top).take(page.shown));
    let foot = hints(model, columns, 1, Facts::default());
    let last = (top + page.shown).min(page.total);
    let place = format!("lines {}-{last} of {}", top + 1, page.total);
    let place = (rows >= 8).then(|| Strip::indented(1).clipped(place, Role::Dim, columns));
    bottom(&mut strips, place, rows >= 10, foot, columns, rows);
    strips
}

/// How many rows there are and how many fit.
pub fn extent(model: &Model, id: &AskId, columns: usize, rows: usize) -> Page {
    let frame = match rows {
        10.. => 5,
        8.. => 3,
        _ => 2,
    };
    Page {
        total: record(model, id).map_or(0, |record| lines(record, columns).len()),
        shown: rows.saturating_sub(frame).max(1),
    }
}

fn record<'a>(model: &'a Model, id: &AskId) -> Option<&'a Record> {
    match &model.screen {
        Screen::Card(card) if card.record.id == *id => Some(&card.record),
        Screen::Card(_) | Screen::Inbox | Screen::Notice(_) => model.record(id),
    }
}

fn lines(record: &Record, columns: usize) -> Vec<Strip> {
    let mut page = Lines {
        strips: Vec::new(),
        columns,
    };
    let ask = &record.ask;
    if let Some(title) = &ask.title {
        page.add(title, 1, Role::Strong);
        page.gap();
    }
    if let Some(context) = &ask.context {
        page.add(context, 1, Role::Text);
        page.gap();
    }
    for question in &ask.questions {
        page.question(question);
    }
    page.strips.pop();
    page.strips
}

struct Lines {
    strips: Vec<Strip>,
    columns: usize,
}

impl Lines {
    fn add(&mut self, words: &str, indent: usize, role: Role) {
        let room = self.columns.saturating_sub(indent + 1).max(1);
        let rows = wrap(&Plain::block(words.trim_end()), room);
        let strips = rows
            .into_iter()
            .map(|row| Strip::indented(indent).plain(row, role));
        self.strips.extend(strips);
    }

    fn gap(&mut self) {
        self.strips.push(Strip::new());
    }

    fn question(&mut self, question: &Question) {
        if let Some(label) = &question.label {
            self.add(label, 1, Role::Dim);
        }
        self.add(&question.text, 1, Role::Strong);
        match &question.input {
            Input::Text => {}
            Input::Confirm => self.add(&CONFIRM.join(" / "), 3, Role::Text),
            Input::One(choices) | Input::Many(choices) => {
                for (at, choice) in choices.iter().enumerate() {
                    self.add(&format!("{}. {}", at + 1, choice.label), 3, Role::Text);
                    if let Some(description) = &choice.description {
                        self.add(description, 6, Role::Dim);
                    }
                }
            }
        }
        self.gap();
    }
}
