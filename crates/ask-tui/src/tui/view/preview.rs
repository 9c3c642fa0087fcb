//! The preview of the focused choice: beside the list if there is room, otherwise below it. Without
//! room, one line names the key that shows it.

use ask_config::i18n::Words;
use ask_core::{Choice, Question};

use super::Page;
use super::markdown::{self, BaseStyle, wrapped};
use super::pager::position_line;
use crate::tui::model::{Card, Model};
use crate::tui::row::{ClickTarget, ScreenRow};
use crate::tui::style::Role;
use crate::tui::view::frames::{framed_to_size, titled_rule};

/// The columns and rows of the screen from which it is shown beside the list.
const BESIDE: (usize, usize) = (96, 16);
/// The rows from which it is shown below the list.
const BELOW_ROWS: usize = 18;
/// The fewest columns of the list beside it.
const LIST_COLUMNS: usize = 32;
/// The fewest rows of a pane, including its edges.
const LEAST: usize = 4;
/// The previews of more choices than this aren't measured: the pane takes the rows that there are.
const MEASURED: usize = 16;

/// Where a preview is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Beside,
    Below,
    /// Nowhere; one line says that there is one.
    Line,
}

/// The preview of the focused choice.
pub(super) struct Preview<'a> {
    /// Where it is shown.
    pub place: Place,
    words: Words,
    choices: &'a [Choice],
    choice: Option<&'a Choice>,
    top: usize,
    columns: usize,
}

impl<'a> Preview<'a> {
    /// The preview of the card's question; `None` while something is typed, or if no choice has
    /// one.
    pub(super) fn for_question(
        model: &Model,
        card: &Card,
        question: &'a Question,
        (columns, rows): (usize, usize),
    ) -> Option<Self> {
        let choices = question.input.choices();
        let any = choices.iter().any(|choice| choice.preview.is_some());
        if !any || card.focus().typing {
            return None;
        }
        Some(Self {
            place: if columns >= BESIDE.0 && rows >= BESIDE.1 {
                Place::Beside
            } else if rows >= BELOW_ROWS {
                Place::Below
            } else {
                Place::Line
            },
            words: model.display.words,
            choices,
            choice: choices.get(card.focus().row),
            top: card.preview_top(),
            columns,
        })
    }

    /// Columns of the list, including its frame.
    pub(super) fn list_columns(&self) -> usize {
        (self.columns * 2 / 5).max(LIST_COLUMNS)
    }

    /// The wanted rows on a screen of this height.
    pub(super) fn preferred_rows(&self, rows: usize) -> usize {
        let lines = match self.place {
            Place::Line => self.line_count(),
            // Measured over all choices, so that the layout is the same for each of them and
            // doesn't jump with the cursor.
            Place::Beside | Place::Below if self.choices.len() > MEASURED => rows,
            Place::Beside | Place::Below => {
                let lines = self.choices.iter().map(|choice| self.line_count_of(choice));
                lines.max().unwrap_or(0)
            }
        };
        match self.place {
            Place::Line => usize::from(lines > 0),
            Place::Below => (lines + 1).clamp(LEAST - 1, (rows * 2 / 5).max(LEAST)),
            Place::Beside => (lines + 2).max(LEAST + 1),
        }
    }

    /// The size of the preview in this many rows.
    pub(super) fn page(&self, rows: usize) -> Page {
        let total = self.line_count();
        let room = match self.place {
            Place::Line => 0,
            Place::Below => rows.saturating_sub(1),
            Place::Beside => rows.saturating_sub(2),
        };
        let marked = total > room && room >= LEAST;
        Page {
            total,
            shown: room.saturating_sub(usize::from(marked)).min(total),
        }
    }

    /// The preview below the list, in exactly this many rows.
    pub(super) fn rows_below(&self, rows: usize, key: &str) -> Vec<ScreenRow> {
        if rows < LEAST - 1 || self.place == Place::Line {
            return vec![self.line(key)];
        }
        let mut screen_rows = vec![titled_rule(
            &self.title(),
            &self.note(rows),
            false,
            0,
            self.columns,
        )];
        screen_rows.extend(self.visible_rows(rows, 1));
        screen_rows.truncate(rows);
        let clickable = screen_rows
            .into_iter()
            .map(|screen_row| screen_row.clickable(ClickTarget::Preview));
        clickable.collect()
    }

    /// The preview beside a list of [`Self::list_columns`] columns, frame included, in exactly this
    /// many rows.
    pub(super) fn rows_beside(
        &self,
        list: Vec<ScreenRow>,
        note: &str,
        rows: usize,
    ) -> Vec<ScreenRow> {
        let left = self.list_columns();
        let right = self.columns.saturating_sub(left + 2);
        let inner = rows.saturating_sub(2);
        let list = framed_to_size("", note, list, left, inner);
        let visible = self.visible_rows(rows, 1);
        let pane = framed_to_size(&self.title(), &self.note(rows), visible, right, inner);
        let both = list.into_iter().zip(pane).map(|(list, pane)| {
            ScreenRow::indented(1)
                .append(list)
                .append(pane.clickable(ClickTarget::Preview))
        });
        both.collect()
    }

    fn line(&self, key: &str) -> ScreenRow {
        let arguments = [("key", key.into()), ("lines", self.line_count().into())];
        let words = self.words.format("card-preview-line", &arguments);
        ScreenRow::indented(1).clipped(words, Role::Dim, self.columns)
    }

    fn title(&self) -> String {
        match self.choice.map(|choice| choice.recommended().0) {
            Some(label) => self
                .words
                .format("card-preview", &[("choice", label.into())]),
            None => self.words.say("card-preview-of-other"),
        }
    }

    fn note(&self, rows: usize) -> String {
        let page = self.page(rows);
        if page.total <= page.shown {
            return String::new();
        }
        let top = self.top.min(page.total - page.shown);
        position_line(self.words, top, page)
    }

    /// The visible rows, and the count of those hidden below.
    fn visible_rows(&self, rows: usize, indent: usize) -> Vec<ScreenRow> {
        let page = self.page(rows);
        let Some(text) = self.text() else {
            let none = self.words.say("card-preview-none");
            return vec![ScreenRow::indented(indent).text(none, Role::Dim)];
        };
        let lines = wrapped(text, self.room(), self.words);
        let top = self.top.min(page.total - page.shown);
        let rows = lines.iter().skip(top).take(page.shown);
        let mut screen_rows: Vec<ScreenRow> =
            markdown::screen_rows(rows, indent, BaseStyle::Text).collect();
        let below = page.total - page.shown - top;
        if below > 0 {
            let more = self
                .words
                .format("card-more-below", &[("count", below.into())]);
            screen_rows.push(ScreenRow::indented(indent).text(more, Role::Dim));
        }
        screen_rows
    }

    fn line_count(&self) -> usize {
        self.choice.map_or(0, |choice| self.line_count_of(choice))
    }

    fn line_count_of(&self, choice: &Choice) -> usize {
        let lines = |text| wrapped(text, self.room(), self.words).len();
        preview_text(choice).map_or(0, lines)
    }

    fn text(&self) -> Option<&'a str> {
        self.choice.and_then(preview_text)
    }

    fn room(&self) -> usize {
        let columns = match self.place {
            Place::Beside => self.columns.saturating_sub(self.list_columns() + 2 + 4),
            Place::Below | Place::Line => self.columns.saturating_sub(2),
        };
        columns.max(1)
    }
}

fn preview_text(choice: &Choice) -> Option<&str> {
    let text = choice.preview.as_deref();
    text.filter(|text| !text.trim().is_empty())
}
