//! The rows of a question: choices with their marks and the field for own text ("Other"), or the
//! field of a text question.

use ask_config::i18n::Words;
use ask_config::keys::Context;
use ask_config::text::{clip, width, wrap_clamped};
use ask_core::{Choice, Input, Question, SafeText};

use super::frames::FieldView;
use super::markdown::{BaseStyle, screen_rows, wrapped};
use crate::tui::geometry::{INDENT, OTHER_INDENT, field_columns};
use crate::tui::model::QuestionFocus;
use crate::tui::row::{ClickTarget, ELLIPSIS, ScreenRow, window};
use crate::tui::style::Role;
use crate::ui::form::Entry;

/// More choices than this scroll.
pub(super) const MAX_UNSCROLLED: usize = 6;
/// How many of them are visible at least, if there is room.
const MIN_VISIBLE: usize = 5;
/// The most rows of text that a field shows at once.
const FIELD_ROWS: usize = 8;

/// The rows of one question.
pub(super) struct List<'a> {
    /// The texts in the person's language.
    pub words: Words,
    pub question: &'a Question,
    /// The answer so far.
    pub entry: &'a Entry,
    /// The indices of the shown choices, in their order.
    pub shown: Vec<usize>,
    pub focus: QuestionFocus,
    /// Columns of the screen.
    pub columns: usize,
    /// Rows of the screen.
    pub rows: usize,
}

/// How much of the choices' descriptions is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// No descriptions: one row for each choice.
    Short,
    /// The whole description of the focused choice.
    Focused,
    /// The focused choice's description, and two rows of each other one.
    Full,
}

impl List<'_> {
    /// The rows of four layouts: the fewest useful ones, all choices, with the focused description,
    /// with all descriptions.
    pub(super) fn preferred_rows_by_detail(&self) -> [usize; 4] {
        if self.question.input.is_empty() {
            let preferred = self.field().preferred_rows().min(FIELD_ROWS + 2);
            return [1, 3, preferred.max(5), preferred.max(5)];
        }
        let preferred = |detail| self.window_rows(self.visible_choices(), detail).len();
        let least = if self.focus.typing { 2 } else { 1 };
        [
            least,
            preferred(Detail::Short),
            preferred(Detail::Focused),
            preferred(Detail::Full),
        ]
    }

    /// Rows for more choices than [`List::preferred_rows_by_detail`] asks for, up to all of them.
    pub(super) fn fill(&self) -> usize {
        if self.shown.len() <= self.visible_choices() {
            return 0;
        }
        self.window_rows(self.shown.len().min(self.rows), Detail::Full)
            .len()
    }

    /// The list in at most this many rows.
    pub(super) fn screen_rows(&self, rows: usize) -> Vec<ScreenRow> {
        if self.question.input.is_empty() {
            let preferred = self.field().preferred_rows().clamp(5, FIELD_ROWS + 2);
            let screen_rows = self.field().screen_rows(rows.min(preferred)).into_iter();
            return screen_rows
                .map(|screen_row| screen_row.clickable(ClickTarget::Choice(0)))
                .collect();
        }
        if let Some(screen_rows) = self.fitting_more(rows) {
            return screen_rows;
        }
        for visible in (1..=self.visible_choices()).rev() {
            for detail in [Detail::Full, Detail::Focused, Detail::Short] {
                let screen_rows = self.window_rows(visible, detail);
                if screen_rows.len() <= rows {
                    return screen_rows;
                }
            }
        }
        let choices = 0..self.shown.len();
        let mut items: Vec<Vec<ScreenRow>> =
            choices.map(|row| self.choice(row, Detail::Short)).collect();
        items.push(
            self.own_text_rows(1)
                .into_iter()
                .rev()
                .take(rows)
                .rev()
                .collect(),
        );
        window(self.words, items, rows, OTHER_INDENT)
    }

    /// As many choices with their descriptions as fit; `None` if that isn't more than are shown
    /// anyway.
    fn fitting_more(&self, rows: usize) -> Option<Vec<ScreenRow>> {
        let (mut fits, mut beyond) = (self.visible_choices(), self.shown.len().min(rows) + 1);
        let mut found = None;
        while fits + 1 < beyond {
            let visible = fits.midpoint(beyond);
            let screen_rows = self.window_rows(visible, Detail::Full);
            if screen_rows.len() <= rows {
                (fits, found) = (visible, Some(screen_rows));
            } else {
                beyond = visible;
            }
        }
        found
    }

    fn visible_choices(&self) -> usize {
        let offered = self.shown.len();
        if offered > MAX_UNSCROLLED {
            MIN_VISIBLE
        } else {
            offered
        }
    }

    /// This many choices around the focus, the counts of those hidden above and below, and the
    /// field for own text.
    fn window_rows(&self, visible: usize, detail: Detail) -> Vec<ScreenRow> {
        let offered = self.shown.len();
        let focused = self.shown.iter().position(|&at| at == self.focus.row);
        let first = focused
            .unwrap_or(offered)
            .saturating_sub(visible / 2)
            .min(offered - visible);
        let mark = |words: String| ScreenRow::indented(OTHER_INDENT).text(words, Role::Dim);
        let mut screen_rows = Vec::new();
        if first > 0 {
            let above = [("count", first.into())];
            screen_rows.push(mark(self.words.format("card-more-above", &above)));
        }
        screen_rows.extend((first..first + visible).flat_map(|row| self.choice(row, detail)));
        let below = offered - first - visible;
        if below > 0 {
            let below = [("count", below.into())];
            screen_rows.push(mark(self.words.format("card-more-below", &below)));
        }
        screen_rows.extend(self.own_text_rows(match detail {
            Detail::Short | Detail::Focused => 3,
            Detail::Full => self.field().preferred_rows().clamp(5, FIELD_ROWS + 2),
        }));
        screen_rows
    }

    /// The choice in a row, with the row's number.
    fn choice(&self, row: usize, detail: Detail) -> Vec<ScreenRow> {
        let at = self.shown.get(row).copied().unwrap_or(row);
        let no_choice = Choice::default();
        let choice = self.question.input.choices().get(at).unwrap_or(&no_choice);
        let (label, recommended) = match self.question.input {
            Input::Confirm if at == 0 => (self.words.say("card-yes"), false),
            Input::Confirm => (self.words.say("card-no"), false),
            Input::Text | Input::One(_) | Input::Many(_) => {
                let (label, recommended) = choice.recommended();
                (label.to_owned(), recommended)
            }
        };
        let focused = self.is_focused(at);
        let number = if row < 9 {
            (row + 1).to_string()
        } else {
            " ".to_owned()
        };
        let start = self.start(&number, row < 9, focused, self.entry.has_pick(at));
        let chosen = self.entry.has_pick(at) && !self.question.input.is_many();
        let indent = start.width();
        let role = self.role(at, focused);
        let room = self.columns.saturating_sub(indent + 1).max(1);
        let label = SafeText::line(&label);
        let spare = room.saturating_sub(width(label.as_str()));
        let tail = self.tail(recommended, chosen, spare);
        let lines = match (focused, detail) {
            (_, Detail::Short) => vec![clip(
                &label,
                room.saturating_sub(tail.width()).max(1),
                ELLIPSIS,
            )],
            (true, Detail::Focused | Detail::Full) => {
                wrap_clamped(&label, room, (self.rows / 3).max(2), ELLIPSIS)
            }
            (false, Detail::Focused) => {
                vec![clip(
                    &label,
                    room.saturating_sub(tail.width()).max(1),
                    ELLIPSIS,
                )]
            }
            (false, Detail::Full) => wrap_clamped(&label, room, 2, ELLIPSIS),
        };
        let mut screen_rows = hanging(start, lines, role);
        if let Some(last) = screen_rows.pop() {
            screen_rows.push(if last.width() + tail.width() < self.columns {
                last.append(tail)
            } else {
                last
            });
        }
        if let Some(description) = choice.description.as_deref() {
            let rows = match (focused, detail) {
                (true, Detail::Focused | Detail::Full) => (self.rows / 3).max(2),
                (false, Detail::Full) => 2,
                (_, Detail::Short) | (false, Detail::Focused) => 0,
            };
            screen_rows.extend(self.description_rows(description, rows));
        }
        if let Some(first) = screen_rows.first_mut() {
            first.focused = focused;
        }
        let clickable = screen_rows
            .into_iter()
            .map(|screen_row| screen_row.clickable(ClickTarget::Choice(at)));
        clickable.collect()
    }

    fn own_text_rows(&self, field_rows: usize) -> Vec<ScreenRow> {
        let at = self.question.input.len();
        let focused = self.is_focused(at);
        let start = self.start("0", true, focused, self.entry.has_own());
        let role = if self.entry.has_own() {
            Role::Chosen
        } else {
            self.role(at, focused)
        };
        let mut row = start.clipped(self.words.say("shared-other"), role, self.columns);
        if self.entry.has_own() && !self.question.input.is_many() {
            let chosen = self.words.say("card-chosen");
            row = row.gap(2).clipped(chosen, Role::Chosen, self.columns);
        }
        row.focused = focused && !self.focus.typing;
        let mut screen_rows = vec![row];
        if self.focus.typing {
            screen_rows.extend(self.field().screen_rows(field_rows));
        } else if !self.entry.field.is_blank() {
            let room = self.columns.saturating_sub(OTHER_INDENT + 1).max(1);
            let mut words = self.entry.field.text().trim_end().to_owned();
            if !self.entry.has_own() {
                words = self.words.format("card-kept", &[("text", words.into())]);
            }
            let lines = wrap_clamped(&SafeText::block(&words), room, 2, ELLIPSIS);
            screen_rows.extend(
                lines
                    .into_iter()
                    .map(|line| ScreenRow::indented(OTHER_INDENT).safe_text(line, Role::Dim)),
            );
        }
        let clickable = screen_rows
            .into_iter()
            .map(|screen_row| screen_row.clickable(ClickTarget::Choice(at)));
        clickable.collect()
    }

    fn field(&self) -> FieldView<'_> {
        let only = self.question.input.is_empty();
        let context = if only {
            Context::Answering
        } else {
            Context::Other
        };
        let columns = u16::try_from(self.columns).unwrap_or(u16::MAX);
        FieldView {
            words: self.words,
            field: &self.entry.field,
            title: if only {
                self.words.say("card-your-answer")
            } else {
                self.words.say("card-your-own-answer")
            },
            placeholder: self.question.placeholder.as_deref(),
            typing: self.focus.typing,
            indent: if only { INDENT } else { OTHER_INDENT },
            columns: field_columns(context, columns),
        }
    }

    /// The description of a choice, in at most this many rows.
    fn description_rows(&self, description: &str, rows: usize) -> Vec<ScreenRow> {
        let room = self.columns.saturating_sub(OTHER_INDENT + 1).max(1);
        let lines = wrapped(description, room, self.words);
        let visible = lines.iter().take(rows);
        let mut screen_rows: Vec<ScreenRow> =
            screen_rows(visible, OTHER_INDENT, BaseStyle::Dim).collect();
        if lines.len() > rows
            && let Some(last) = screen_rows.pop()
        {
            screen_rows.push(last.with_ellipsis(OTHER_INDENT + room));
        }
        screen_rows
    }

    /// What follows a label, such as the recommendation; shorter where there is less room.
    fn tail(&self, recommended: bool, chosen: bool, room: usize) -> ScreenRow {
        let tail = |name: &str, gap: usize, mark: &str| {
            let mut screen_row = ScreenRow::new();
            if recommended {
                screen_row = screen_row.gap(gap).text(self.words.say(name), Role::Chosen);
            }
            if chosen {
                screen_row = screen_row.gap(gap).text(mark, Role::Chosen);
            }
            screen_row
        };
        let long = tail("card-recommended", 2, &self.words.say("card-chosen"));
        if long.width() <= room {
            long
        } else {
            tail("card-recommended-short", 1, "✓")
        }
    }

    fn is_focused(&self, at: usize) -> bool {
        self.focus.row == at
    }

    fn role(&self, at: usize, focused: bool) -> Role {
        match (self.entry.has_pick(at), focused) {
            (_, true) => Role::Focus,
            (true, false) => Role::Chosen,
            (false, false) => Role::Text,
        }
    }

    /// The cursor, the number and the check box of a row.
    fn start(&self, number: &str, dotted: bool, focused: bool, marked: bool) -> ScreenRow {
        let mut screen_row = ScreenRow::indented(1);
        if focused {
            if !self.focus.typing {
                screen_row = screen_row.caret();
            }
            screen_row = screen_row.text("›", Role::Focus);
        } else {
            screen_row = screen_row.gap(1);
        }
        let number = if dotted {
            format!("{number}.")
        } else {
            format!("{number} ")
        };
        screen_row = screen_row.gap(1).text(number, Role::Dim).gap(1);
        if self.question.input.is_many() {
            let (sign, role) = if marked {
                ("[x]", Role::Chosen)
            } else {
                ("[ ]", Role::Text)
            };
            screen_row = screen_row.text(sign, role).gap(1);
        }
        screen_row
    }
}

fn hanging(start: ScreenRow, lines: Vec<SafeText>, role: Role) -> Vec<ScreenRow> {
    let indent = start.width();
    let mut start = Some(start);
    let rows = lines.into_iter().map(|line| {
        let screen_row = start.take().unwrap_or_else(|| ScreenRow::indented(indent));
        screen_row.safe_text(line, role)
    });
    rows.collect()
}
