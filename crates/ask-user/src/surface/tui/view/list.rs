//! The rows of a question: choices with their marks, Other with its field, or
//! the field of a text question.

use ask_core::ask::CONFIRM;
use ask_core::{Choice, Input, Plain, Question};

use super::boxes::FieldView;
use crate::surface::paper::form::Entry;
use crate::surface::paper::text::{clip, width, wrap, wrap_clamped};
use crate::surface::paper::words::OTHER;
use crate::surface::tui::geometry::{INDENT, OTHER_INDENT, field_columns};
use crate::surface::tui::keys::Context;
use crate::surface::tui::model::Spot;
use crate::surface::tui::strip::{CUT, Strip, window};
use crate::surface::tui::style::Role;

/// More choices than this scroll.
const MOST: usize = 6;
/// How many of them are seen at once.
const SEEN: usize = 5;
/// The most rows of text that a field shows at once.
const FIELD_ROWS: usize = 8;

/// The rows of one question.
pub struct List<'a> {
    /// The question.
    pub question: &'a Question,
    /// What is filled in.
    pub entry: &'a Entry,
    /// Where the focus stands.
    pub spot: Spot,
    /// Columns of the screen.
    pub columns: usize,
    /// Rows of the screen.
    pub rows: usize,
}

/// How much is told about the choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// A row each.
    Short,
    /// All about the focused one.
    Focused,
    /// Besides, two rows about the others.
    Full,
}

impl List<'_> {
    /// The fewest rows that make sense, all choices, all about the focused one, everything.
    pub fn wishes(&self) -> [usize; 4] {
        if self.question.input.is_empty() {
            let wish = self.field().wish().min(FIELD_ROWS + 2);
            return [1, 3, wish.max(5), wish.max(5)];
        }
        let wish = |detail| self.window_of(self.most(), detail).len();
        let least = if self.spot.typing { 2 } else { 1 };
        [
            least,
            wish(Detail::Short),
            wish(Detail::Focused),
            wish(Detail::Full),
        ]
    }

    /// The list in at most so many rows.
    pub fn strips(&self, rows: usize) -> Vec<Strip> {
        if self.question.input.is_empty() {
            let wish = self.field().wish().clamp(5, FIELD_ROWS + 2);
            return self.field().strips(rows.min(wish));
        }
        for seen in (1..=self.most()).rev() {
            for detail in [Detail::Full, Detail::Focused, Detail::Short] {
                let strips = self.window_of(seen, detail);
                if strips.len() <= rows {
                    return strips;
                }
            }
        }
        let choices = 0..self.question.input.len();
        let mut items: Vec<Vec<Strip>> = choices.map(|at| self.choice(at, Detail::Short)).collect();
        items.push(self.other(1).into_iter().rev().take(rows).rev().collect());
        window(items, rows, OTHER_INDENT)
    }

    fn most(&self) -> usize {
        let offered = self.question.input.len();
        if offered > MOST { SEEN } else { offered }
    }

    /// So many choices around the focus, what is hidden above and below, and Other.
    fn window_of(&self, seen: usize, detail: Detail) -> Vec<Strip> {
        let offered = self.question.input.len();
        let first = self.spot.row.saturating_sub(seen / 2).min(offered - seen);
        let mark = |sign: &str, hidden: usize| {
            Strip::indented(OTHER_INDENT).words(format!("{sign} {hidden} more..."), Role::Dim)
        };
        let mut strips = Vec::new();
        if first > 0 {
            strips.push(mark("↑", first));
        }
        strips.extend((first..first + seen).flat_map(|at| self.choice(at, detail)));
        let below = offered - first - seen;
        if below > 0 {
            strips.push(mark("↓", below));
        }
        strips.extend(self.other(match detail {
            Detail::Short | Detail::Focused => 3,
            Detail::Full => self.field().wish().clamp(5, FIELD_ROWS + 2),
        }));
        strips
    }

    fn choice(&self, at: usize, detail: Detail) -> Vec<Strip> {
        let plain = Choice::default();
        let choice = self.question.input.choices().get(at).unwrap_or(&plain);
        let (label, recommended) = match self.question.input {
            Input::Confirm => (CONFIRM.get(at).copied().unwrap_or_default(), false),
            Input::Text | Input::One(_) | Input::Many(_) => choice.recommended(),
        };
        let focused = self.is_focused(at);
        let number = if at < 9 {
            (at + 1).to_string()
        } else {
            " ".to_owned()
        };
        let start = self.start(&number, at < 9, focused, self.entry.has(at));
        let chosen = self.entry.has(at) && !self.question.input.is_many();
        let indent = start.width();
        let role = self.role(at, focused);
        let room = self.columns.saturating_sub(indent + 1).max(1);
        let label = Plain::line(label);
        let tail = tail(
            recommended,
            chosen,
            room.saturating_sub(width(label.as_str())),
        );
        let lines = match (focused, detail) {
            (_, Detail::Short) => vec![clip(&label, room.saturating_sub(tail.width()).max(1), CUT)],
            (true, Detail::Focused | Detail::Full) => wrap(&label, room),
            (false, Detail::Focused) => {
                vec![clip(&label, room.saturating_sub(tail.width()).max(1), CUT)]
            }
            (false, Detail::Full) => wrap_clamped(&label, room, 2, CUT),
        };
        let mut strips = hanging(start, lines, role);
        if let Some(last) = strips.pop() {
            strips.push(if last.width() + tail.width() < self.columns {
                last.then(tail)
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
            let room = self.columns.saturating_sub(OTHER_INDENT + 1).max(1);
            let about = wrap_clamped(&Plain::block(description), room, rows, CUT);
            let about = about.into_iter().take(rows);
            strips.extend(about.map(|row| Strip::indented(OTHER_INDENT).plain(row, Role::Dim)));
        }
        if let Some(first) = strips.first_mut() {
            first.focused = focused;
        }
        strips
    }

    fn other(&self, field_rows: usize) -> Vec<Strip> {
        let at = self.question.input.len();
        let focused = self.is_focused(at);
        let start = self.start("0", true, focused, self.entry.has_own());
        let role = if self.entry.has_own() {
            Role::Chosen
        } else {
            self.role(at, focused)
        };
        let mut row = start.clipped(OTHER, role, self.columns);
        if self.entry.has_own() && !self.question.input.is_many() {
            row = row.clipped("  ✓ chosen", Role::Chosen, self.columns);
        }
        row.focused = focused && !self.spot.typing;
        let mut strips = vec![row];
        if self.spot.typing {
            strips.extend(self.field().strips(field_rows));
        } else if !self.entry.field.is_blank() {
            let room = self.columns.saturating_sub(OTHER_INDENT + 1).max(1);
            let mut words = self.entry.field.text().trim_end().to_owned();
            if !self.entry.has_own() {
                words = format!("(kept, not chosen) {words}");
            }
            let lines = wrap_clamped(&Plain::block(&words), room, 2, CUT);
            strips.extend(
                lines
                    .into_iter()
                    .map(|line| Strip::indented(OTHER_INDENT).plain(line, Role::Dim)),
            );
        }
        strips
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
            field: &self.entry.field,
            title: if only {
                "your answer"
            } else {
                "your own answer"
            },
            placeholder: self.question.placeholder.as_deref(),
            typing: self.spot.typing,
            indent: if only { INDENT } else { OTHER_INDENT },
            columns: field_columns(context, columns),
        }
    }

    fn is_focused(&self, at: usize) -> bool {
        self.spot.row == at
    }

    fn role(&self, at: usize, focused: bool) -> Role {
        match (self.entry.has(at), focused) {
            (_, true) => Role::Focus,
            (true, false) => Role::Chosen,
            (false, false) => Role::Text,
        }
    }

    /// The cursor, the number and the box of a row.
    fn start(&self, number: &str, dotted: bool, focused: bool, marked: bool) -> Strip {
        let mut strip = Strip::indented(1);
        if focused {
            if !self.spot.typing {
                strip = strip.caret();
            }
            strip = strip.words("›", Role::Focus);
        } else {
            strip = strip.gap(1);
        }
        let number = if dotted {
            format!("{number}.")
        } else {
            format!("{number} ")
        };
        strip = strip.gap(1).words(number, Role::Dim).gap(1);
        if self.question.input.is_many() {
            let (sign, role) = if marked {
                ("[x]", Role::Chosen)
            } else {
                ("[ ]", Role::Text)
            };
            strip = strip.words(sign, role).gap(1);
        }
        strip
    }
}

/// What is said behind a label, shorter where there is less room.
fn tail(recommended: bool, chosen: bool, room: usize) -> Strip {
    let long = match (recommended, chosen) {
        (true, true) => "  (Recommended)  ✓ chosen",
        (true, false) => "  (Recommended)",
        (false, true) => "  ✓ chosen",
        (false, false) => "",
    };
    let short = match (recommended, chosen) {
        (true, true) => " (rec.) ✓",
        (true, false) => " (rec.)",
        (false, true) => " ✓",
        (false, false) => "",
    };
    let words = if width(long) <= room { long } else { short };
    Strip::new().words(words, Role::Chosen)
}

fn hanging(start: Strip, lines: Vec<Plain>, role: Role) -> Vec<Strip> {
    let indent = start.width();
    let mut start = Some(start);
    let rows = lines.into_iter().map(|line| {
        let strip = start.take().unwrap_or_else(|| Strip::indented(indent));
        strip.plain(line, role)
    });
    rows.collect()
}
