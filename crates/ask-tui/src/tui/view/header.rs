//! The first rows of every screen: who asks, and the tabs. Agents' texts are clipped so that they
//! can't imitate them.

use ask_config::i18n::Words;
use ask_config::text;
use ask_core::{Record, Time};
use ask_hub::surface::labels;

use crate::tui::model::{Card, Model};
use crate::tui::row::{ClickTarget, ELLIPSIS, ScreenRow};
use crate::tui::style::Role;

/// The greatest width of a tab's label and of the current one's, from the widest to the narrowest
/// bar.
const TAB_LABELS: [(usize, usize); 5] = [(24, 24), (12, 24), (8, 12), (5, 12), (5, 5)];
/// In fewer columns the label of a tab tells nothing.
const LABEL_COLUMNS: usize = 8;
/// The width of the narrowest tab: its mark, the gaps around it and a letter.
const LEAST_TAB: usize = 4;
/// The width from which whole sentences fit.
pub(super) const WIDE: usize = 72;

/// Who asks, where, and since when.
pub(super) fn asker_row(model: &Model, record: &Record, columns: usize) -> ScreenRow {
    let right = right_side(model, record, columns);
    let room = columns.saturating_sub(right.width() + 2);
    let asker = &record.asker;
    let mut left = ScreenRow::indented(1).clipped(
        labels::asker_label(model.display.words, asker),
        Role::Asker,
        room,
    );
    let place = labels::place(asker);
    let between = if columns >= WIDE { " · " } else { " " };
    let directory = labels::directory(asker, model.display.home.as_deref());
    for words in [Some(place), directory.filter(|_| columns >= WIDE)]
        .into_iter()
        .flatten()
    {
        if !words.is_empty() && left.width() + 4 < room {
            left = left.clipped(format!("{between}{words}"), Role::Dim, room);
        }
    }
    left.right(right, columns.saturating_sub(1))
}

/// The tabs: answered, unanswered, and the current one in brackets.
pub(super) fn tabs(model: &Model, card: &Card, columns: usize) -> ScreenRow {
    let words = model.display.words;
    let missing = card.form.missing(&card.record.ask);
    let mut bars = TAB_LABELS
        .iter()
        .map(|&(others, current)| bar(words, card, &missing, others, current));
    // A bar of so many tabs can't fit, so none is drawn to find that out.
    let any = card.tabs() * LEAST_TAB <= columns;
    let fitting = bars.find(|bar| any && bar.width() <= columns);
    let bar = fitting.unwrap_or_else(|| compact_bar(words, card, columns));
    bar.right(saved_note(model, card, columns), columns.saturating_sub(1))
}

/// When the draft was saved, if there is room.
pub(super) fn saved_note(model: &Model, card: &Card, columns: usize) -> ScreenRow {
    let Some(at) = card.saved_at.filter(|_| columns >= WIDE) else {
        return ScreenRow::new();
    };
    let at = labels::clock(at, &model.display.zone);
    let text = model
        .display
        .words
        .format("card-draft-saved", &[("at", at.into())]);
    ScreenRow::new().text(text, Role::Dim)
}

/// The remaining time until a deadline.
pub(super) fn deadline(words: Words, at: Time, now: Time) -> String {
    if at <= now {
        return words.say("card-due");
    }
    let left = words.brief(at.since_ms(now));
    words.format("card-due-in", &[("left", left.into())])
}

fn right_side(model: &Model, record: &Record, columns: usize) -> ScreenRow {
    let words = model.display.words;
    let age = words.brief(model.now.since_ms(record.asked_at));
    let mut parts = Vec::new();
    if !model.connected {
        parts.push((words.say("card-link-down"), Role::Warning));
    }
    if columns >= WIDE {
        let asked = words.format("card-asked", &[("age", age.into())]);
        parts.push((asked, Role::Dim));
    } else if record.deadline_at.is_none() {
        parts.push((age, Role::Dim));
    }
    match record.deadline_at.filter(|_| record.is_open()) {
        Some(at) => {
            let near = at.since_ms(model.now) <= 60_000;
            let role = if near { Role::Warning } else { Role::Dim };
            parts.push((deadline(words, at, model.now), role));
        }
        None if record.is_open() && columns >= WIDE => {
            let (state, role) = if record.waiters > 0 {
                (words.say("card-waits"), Role::Dim)
            } else {
                (words.say("card-waits-no-more"), Role::Warning)
            };
            parts.push((state, role));
        }
        None => {}
    }
    let waiting: Vec<_> = model.waiting().map(|record| &record.id).collect();
    let place = waiting.iter().position(|id| **id == record.id);
    if let (Some(place), true) = (place, waiting.len() > 1 && !model.is_one_shot()) {
        let arguments = [("at", (place + 1).into()), ("all", waiting.len().into())];
        parts.push((words.format("card-place", &arguments), Role::Dim));
    }
    let mut screen_row = ScreenRow::new();
    for (at, (part, role)) in parts.into_iter().enumerate() {
        if at > 0 {
            screen_row = screen_row.text(if columns >= WIDE { " · " } else { " " }, Role::Dim);
        }
        screen_row = screen_row.text(part, role);
    }
    screen_row
}

fn bar(words: Words, card: &Card, missing: &[usize], others: usize, current: usize) -> ScreenRow {
    let mut screen_row = ScreenRow::indented(1).text("←", Role::Dim).gap(1);
    for (at, question) in card.record.ask.questions.iter().enumerate() {
        let (mark, role) = if card.form.entries[at].is_given() {
            ("■", Role::Chosen)
        } else if (card.is_on_review() || card.marks_missing) && missing.contains(&at) {
            ("!", Role::Warning)
        } else {
            ("□", Role::Text)
        };
        let name = question.name();
        let label = if card.tab == at { current } else { others };
        let name = text::clip(&name, label, ELLIPSIS);
        let from = screen_row.width();
        screen_row = tab(screen_row, mark, name.as_str(), role, card.tab == at)
            .clickable_here(from, ClickTarget::Tab(at));
    }
    let name = if others >= 8 || (card.is_on_review() && current >= 8) {
        words.say("card-submit")
    } else {
        String::new()
    };
    let from = screen_row.width();
    let review = ClickTarget::Tab(card.record.ask.questions.len());
    let screen_row =
        tab(screen_row, "✓", &name, Role::Text, card.is_on_review()).clickable_here(from, review);
    screen_row.text("→", Role::Dim)
}

fn tab(screen_row: ScreenRow, mark: &str, name: &str, role: Role, current: bool) -> ScreenRow {
    let gap = usize::from(!name.is_empty());
    if current {
        let words = format!("[{mark}{}{name}]", " ".repeat(gap));
        return screen_row.text(words, Role::Current).gap(1);
    }
    let screen_row = screen_row.gap(1).text(mark, role).gap(gap);
    let role = if role == Role::Text {
        Role::Dim
    } else {
        Role::Text
    };
    screen_row.text(name, role).gap(2)
}

fn compact_bar(words: Words, card: &Card, columns: usize) -> ScreenRow {
    let number = format!("[{}/{}]", card.tab + 1, card.tabs());
    let screen_row = ScreenRow::indented(1).text("←", Role::Dim).gap(1);
    let screen_row = screen_row.text(number, Role::Current).gap(1);
    let given = card.form.answered_count();
    let text = words.format("card-tabs-given", &[("given", given.into())]);
    let name = card.question().map(|question| question.name());
    let room = columns.saturating_sub(screen_row.width() + text::width(&text) + 3);
    match name.filter(|_| room >= LABEL_COLUMNS) {
        Some(name) => screen_row
            .safe_text(text::clip(&name, room, ELLIPSIS), Role::Text)
            .gap(2)
            .text(text, Role::Dim),
        None => screen_row.clipped(text, Role::Dim, columns),
    }
}
