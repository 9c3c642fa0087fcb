//! The first lines of every screen: who asks, and the tabs. Drawn by us alone;
//! an agent's words are cut to their place in it.

use ask_core::{Record, Time, time};

use crate::surface::paper::text;
use crate::surface::paper::words;
use crate::surface::tui::model::{Card, Model};
use crate::surface::tui::strip::{CUT, Strip};
use crate::surface::tui::style::Role;

/// How long a tab's label may be, and the current one's, from much room to little.
const TAB_LABELS: [(usize, usize); 5] = [(24, 24), (12, 24), (8, 12), (5, 12), (5, 5)];
/// From here on there is room for whole sentences.
pub const WIDE: usize = 72;

/// Who asks, where, and since when.
pub fn who(model: &Model, record: &Record, columns: usize) -> Strip {
    let right = right_side(model, record, columns);
    let room = columns.saturating_sub(right.width() + 2);
    let asker = &record.asker;
    let mut left = Strip::indented(1).clipped(words::who(asker), Role::Who, room);
    let place = words::place(asker);
    let between = if columns >= WIDE { " · " } else { " " };
    let directory = words::directory(asker, model.look.home.as_deref());
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

/// The tabs: answered, open, and the current one in brackets.
pub fn tabs(model: &Model, card: &Card, columns: usize) -> Strip {
    let saved = card.kept_at.filter(|_| columns >= WIDE).map(|at| {
        let at = words::clock(at, &model.look.zone);
        Strip::new().words(format!("draft saved {at}"), Role::Dim)
    });
    let bars = TAB_LABELS
        .iter()
        .map(|&(others, current)| bar(card, others, current));
    let fitting = bars.into_iter().find(|bar| bar.width() <= columns);
    let bar = fitting.unwrap_or_else(|| only_number(card, columns));
    bar.right(saved.unwrap_or_default(), columns.saturating_sub(1))
}

/// How long ago, with what remains of the time limit.
pub fn deadline(at: Time, now: Time) -> String {
    if at <= now {
        return "due".to_owned();
    }
    format!("due in {}", time::brief(at.since_ms(now)))
}

fn right_side(model: &Model, record: &Record, columns: usize) -> Strip {
    let age = time::brief(model.now.since_ms(record.asked_at));
    let mut words = Vec::new();
    if !model.linked {
        words.push(("reconnecting".to_owned(), Role::Warning));
    }
    if columns >= WIDE {
        words.push((format!("asked {age} ago"), Role::Dim));
    } else if record.deadline_at.is_none() {
        words.push((age, Role::Dim));
    }
    match record.deadline_at.filter(|_| record.is_waiting()) {
        Some(at) => {
            let near = at.since_ms(model.now) <= 60_000;
            let role = if near { Role::Warning } else { Role::Dim };
            words.push((deadline(at, model.now), role));
        }
        None if record.is_waiting() && columns >= WIDE => {
            let (state, role) = if record.waiters > 0 {
                ("waits for you", Role::Dim)
            } else {
                ("agent stopped waiting", Role::Warning)
            };
            words.push((state.to_owned(), role));
        }
        None => {}
    }
    let waiting: Vec<_> = model.waiting().map(|record| &record.id).collect();
    let place = waiting.iter().position(|id| **id == record.id);
    if let (Some(place), true) = (place, waiting.len() > 1 && !model.is_one_shot()) {
        words.push((format!("{}/{}", place + 1, waiting.len()), Role::Dim));
    }
    let mut strip = Strip::new();
    for (at, (words, role)) in words.into_iter().enumerate() {
        if at > 0 {
            strip = strip.words(if columns >= WIDE { " · " } else { " " }, Role::Dim);
        }
        strip = strip.words(words, role);
    }
    strip
}

fn bar(card: &Card, others: usize, current: usize) -> Strip {
    let mut strip = Strip::indented(1).words("←", Role::Dim).gap(1);
    let missing = card.form.missing(&card.record.ask);
    for (at, question) in card.record.ask.questions.iter().enumerate() {
        let (mark, role) = if card.form.entries[at].is_given() {
            ("■", Role::Chosen)
        } else if card.on_review() && missing.contains(&at) {
            ("!", Role::Warning)
        } else {
            ("□", Role::Text)
        };
        let name = ask_core::Plain::line(question.short());
        let label = if card.tab == at { current } else { others };
        let name = text::clip(&name, label, CUT);
        strip = tab(strip, mark, name.as_str(), role, card.tab == at);
    }
    let name = if others >= 8 || (card.on_review() && current >= 8) {
        "Submit"
    } else {
        ""
    };
    let strip = tab(strip, "✓", name, Role::Text, card.on_review());
    strip.words("→", Role::Dim)
}

fn tab(strip: Strip, mark: &str, name: &str, role: Role, current: bool) -> Strip {
    let gap = usize::from(!name.is_empty());
    if current {
        let words = format!("[{mark}{}{name}]", " ".repeat(gap));
        return strip.words(words, Role::Current).gap(1);
    }
    let strip = strip.gap(1).words(mark, role).gap(gap);
    let role = if role == Role::Text {
        Role::Dim
    } else {
        Role::Text
    };
    strip.words(name, role).gap(2)
}

fn only_number(card: &Card, columns: usize) -> Strip {
    let number = format!("[{}/{}]", card.tab + 1, card.tabs());
    let strip = Strip::indented(1).words("←", Role::Dim).gap(1);
    let strip = strip.words(number, Role::Current).gap(1);
    let given = card.form.given();
    let words = format!("{} →", words::count(given, "answer", "answers"));
    strip.clipped(words, Role::Dim, columns)
}
