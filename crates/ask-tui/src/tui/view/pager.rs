//! The reader: everything that an agent sent, full screen, so that no text is out of reach.

use ask_config::i18n::Words;
use ask_config::text::wrap;
use ask_core::{AskId, Choice, Input, Question, Record, SafeText};

use super::card::bottom;
use super::footer::{Facts, hints};
use super::frames::titled_rule;
use super::markdown::{self, BaseStyle};
use super::{Page, header};
use crate::tui::model::{Card, Model, Screen};
use crate::tui::row::ScreenRow;
use crate::tui::style::Role;

/// The whole screen of the reader.
pub(super) fn page(
    model: &Model,
    id: &AskId,
    columns: usize,
    rows: usize,
    top: usize,
) -> Vec<ScreenRow> {
    let Some(record) = record(model, id) else {
        return vec![ScreenRow::indented(1).text(model.display.words.say("card-gone"), Role::Text)];
    };
    let lines = lines(record, columns, model.display.words);
    let page = extent(model, id, columns, rows);
    let top = top.min(page.total.saturating_sub(page.shown));
    let mut screen_rows = vec![header::asker_row(model, record, columns)];
    if rows >= 10 {
        screen_rows.push(ScreenRow::rule(columns));
    }
    screen_rows.extend(lines.into_iter().skip(top).take(page.shown));
    let foot = hints(model, columns, 1, Facts::default());
    let place = position_line(model.display.words, top, page);
    let place = (rows >= 8).then(|| ScreenRow::indented(1).clipped(place, Role::Dim, columns));
    bottom(&mut screen_rows, place, rows >= 10, foot, columns, rows);
    screen_rows
}

/// The whole screen of one choice's preview.
pub(super) fn preview(model: &Model, columns: usize, rows: usize, top: usize) -> Vec<ScreenRow> {
    let Some((card, choice)) = focused(model) else {
        let gone = model.display.words.say("card-gone");
        return vec![ScreenRow::indented(1).text(gone, Role::Text)];
    };
    let words = model.display.words;
    let page = preview_extent(model, columns, rows);
    let top = top.min(page.total.saturating_sub(page.shown));
    let lines = preview_lines(choice, columns, words);
    let mut screen_rows = vec![header::asker_row(model, &card.record, columns)];
    let label = choice.recommended().0;
    let title = words.format("card-preview", &[("choice", label.into())]);
    if rows >= 10 {
        screen_rows.push(titled_rule(&title, "", false, 0, columns));
    }
    screen_rows.extend(lines.into_iter().skip(top).take(page.shown));
    let foot = hints(model, columns, 1, Facts::default());
    let place = position_line(words, top, page);
    let place = (rows >= 8).then(|| ScreenRow::indented(1).clipped(place, Role::Dim, columns));
    bottom(&mut screen_rows, place, rows >= 10, foot, columns, rows);
    screen_rows
}

/// The size of the focused choice's preview.
pub(super) fn preview_extent(model: &Model, columns: usize, rows: usize) -> Page {
    let lines =
        focused(model).map(|(_, choice)| preview_lines(choice, columns, model.display.words).len());
    Page {
        total: lines.unwrap_or(0),
        shown: text_rows(rows),
    }
}

fn focused(model: &Model) -> Option<(&Card, &Choice)> {
    let card = model.card()?;
    let choice = card.question()?.input.choices().get(card.focus().row)?;
    Some((card, choice))
}

fn preview_lines(choice: &Choice, columns: usize, words: Words) -> Vec<ScreenRow> {
    let text = choice.preview.as_deref().unwrap_or_default();
    markdown::page(text, columns, 1, BaseStyle::Text, words)
}

/// The rows for text on a full screen.
fn text_rows(rows: usize) -> usize {
    let frame = match rows {
        10.. => 5,
        8.. => 3,
        _ => 2,
    };
    rows.saturating_sub(frame).max(1)
}

/// The size of an ask in the reader.
pub(super) fn extent(model: &Model, id: &AskId, columns: usize, rows: usize) -> Page {
    Page {
        total: record(model, id).map_or(0, |record| {
            lines(record, columns, model.display.words).len()
        }),
        shown: text_rows(rows),
    }
}

/// The position within a long text: first and last visible line of all.
pub(super) fn position_line(words: Words, top: usize, page: Page) -> String {
    let last = (top + page.shown).min(page.total);
    words.format(
        "card-lines",
        &[
            ("first", (top + 1).into()),
            ("last", last.into()),
            ("total", page.total.into()),
        ],
    )
}

fn record<'a>(model: &'a Model, id: &AskId) -> Option<&'a Record> {
    match &model.screen {
        Screen::Card(card) if card.record.id == *id => Some(&card.record),
        Screen::Card(_) | Screen::Inbox | Screen::Notice(_) | Screen::History(_) => {
            model.record(id)
        }
    }
}

/// An ask with everything in it, as rows.
pub(super) fn lines(record: &Record, columns: usize, words: Words) -> Vec<ScreenRow> {
    let mut page = PagerLines {
        screen_rows: Vec::new(),
        columns,
        words,
    };
    let ask = &record.ask;
    if let Some(title) = &ask.title {
        page.add_text(title, 1, Role::Strong);
        page.gap();
    }
    if let Some(context) = &ask.context {
        page.add_markdown(context, 1, BaseStyle::Text);
        page.gap();
    }
    for question in &ask.questions {
        page.question(question);
    }
    page.screen_rows.pop();
    page.screen_rows
}

struct PagerLines {
    screen_rows: Vec<ScreenRow>,
    columns: usize,
    words: Words,
}

impl PagerLines {
    /// Adds a text that is shown as it is.
    fn add_text(&mut self, words: &str, indent: usize, role: Role) {
        let room = self.columns.saturating_sub(indent + 1).max(1);
        let rows = wrap(&SafeText::block(words.trim_end()), room);
        let screen_rows = rows
            .into_iter()
            .map(|row| ScreenRow::indented(indent).safe_text(row, role));
        self.screen_rows.extend(screen_rows);
    }

    /// Adds a text that may be Markdown.
    fn add_markdown(&mut self, text: &str, indent: usize, base: BaseStyle) {
        let screen_rows = markdown::page(text, self.columns, indent, base, self.words);
        self.screen_rows.extend(screen_rows);
    }

    fn gap(&mut self) {
        self.screen_rows.push(ScreenRow::new());
    }

    fn question(&mut self, question: &Question) {
        if let Some(label) = &question.label {
            self.add_text(label, 1, Role::Dim);
        }
        self.add_markdown(&question.text, 1, BaseStyle::Strong);
        match &question.input {
            Input::Text => {}
            Input::Confirm => self.add_text(&self.words.say("card-yes-no"), 3, Role::Text),
            Input::One(choices) | Input::Many(choices) => {
                for (at, choice) in choices.iter().enumerate() {
                    self.choice(at + 1, choice);
                }
            }
        }
        self.gap();
    }

    fn choice(&mut self, number: usize, choice: &Choice) {
        self.add_text(&format!("{number}. {}", choice.label), 3, Role::Text);
        if let Some(description) = &choice.description {
            self.add_markdown(description, 6, BaseStyle::Dim);
        }
        if let Some(preview) = &choice.preview {
            self.gap();
            self.add_markdown(preview, 8, BaseStyle::Text);
            self.gap();
        }
    }
}
