//! The last tab of an ask with several questions: what would be sent, and the
//! buttons that send it.

use ask_core::{Plain, Question};

use super::card::{bottom, message, top};
use super::footer::{Facts, hints};
use crate::surface::paper::form::Entry;
use crate::surface::paper::text::{clip, width, wrap_clamped};
use crate::surface::paper::words;
use crate::surface::tui::model::{Button, Card, Model};
use crate::surface::tui::strip::{CUT, Strip, window};
use crate::surface::tui::style::Role;

/// The most rows that one answer takes.
const ANSWER_ROWS: usize = 3;
/// So many rows of the screen for each of them.
const SCREEN_ROWS: usize = 5;

/// The whole screen of the review.
pub fn page(model: &Model, card: &Card, columns: usize, rows: usize) -> Vec<Strip> {
    let buttons = button_rows(card, columns);
    let spacious = rows >= 18;
    let foot = hints(
        model,
        columns,
        if spacious { 2 } else { 1 },
        Facts::default(),
    );
    let message = message(model, card, columns);
    let gaps = gap_line(card, columns).filter(|_| rows >= 8 + buttons.len());

    let mut strips = top(model, card, true, spacious, true, columns);
    if rows >= 8 {
        strips.push(Strip::indented(1).words("Review your answers", Role::Strong));
    }
    let items = answers(card, columns, rows);
    let below = foot.len()
        + buttons.len()
        + usize::from(message.is_some())
        + usize::from(rows >= 10)
        + gaps.as_ref().map_or(0, |_| 1);
    let room = rows.saturating_sub(strips.len() + below).max(1);
    let spare = room.saturating_sub(items.iter().map(Vec::len).sum());
    if spare > 1 {
        strips.push(Strip::new());
    }
    let mut body = window(items, room, 3);
    if spare > 0 {
        body.push(Strip::new());
    }
    body.extend(gaps);
    body.extend(buttons);
    if card.is_guarded(model.now) || card.sending {
        body = body
            .into_iter()
            .map(|strip| strip.toned(Role::Dim))
            .collect();
    }
    strips.extend(body);
    bottom(&mut strips, message, rows >= 10, foot, columns, rows);
    strips
}

fn answers(card: &Card, columns: usize, rows: usize) -> Vec<Vec<Strip>> {
    let questions = &card.record.ask.questions;
    let widest = questions
        .iter()
        .map(|question| width(&name(question)))
        .max();
    let label = widest.unwrap_or(0).min(columns / 3).max(4);
    let most = (rows / SCREEN_ROWS).clamp(1, ANSWER_ROWS);
    let mut items = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let focused = card.review_row == at;
        let cursor = if focused { "›" } else { " " };
        let mut start = Strip::indented(1);
        if focused {
            start = start.caret();
        }
        let number = if at < 9 {
            format!("{}.", at + 1)
        } else {
            "  ".to_owned()
        };
        let role = if focused { Role::Focus } else { Role::Text };
        let start = start
            .words(cursor, Role::Focus)
            .gap(1)
            .words(number, Role::Dim)
            .gap(1)
            .plain(clip(&Plain::line(&name(question)), label, CUT), role)
            .filled(6 + label)
            .gap(1);
        let indent = start.width();
        let room = columns.saturating_sub(indent + 1).max(1);
        let mut start = Some(start.focus(focused));
        let mut item = Vec::new();
        for (words, role) in said(question, &card.form.entries[at]) {
            for row in wrap_clamped(&Plain::block(&words), room, most, CUT) {
                let strip = start.take().unwrap_or_else(|| Strip::indented(indent));
                item.push(strip.plain(row, role));
            }
        }
        items.push(item);
    }
    items
}

fn said(question: &Question, entry: &Entry) -> Vec<(String, Role)> {
    let lines = words::answer(question, &entry.answer());
    if !lines.is_empty() {
        return lines.into_iter().map(|line| (line, Role::Text)).collect();
    }
    if question.required {
        vec![("! not answered".to_owned(), Role::Warning)]
    } else {
        vec![("not answered (optional)".to_owned(), Role::Dim)]
    }
}

fn gap_line(card: &Card, columns: usize) -> Option<Strip> {
    let missing = card.form.missing(&card.record.ask);
    if missing.is_empty() {
        return None;
    }
    let names: Vec<String> = missing
        .iter()
        .filter_map(|&at| card.record.ask.questions.get(at).map(name))
        .collect();
    let words = if missing.len() == 1 {
        format!("! 1 question has no answer: {}", names.join(", "))
    } else {
        format!(
            "! {} questions have no answer: {}",
            missing.len(),
            names.join(", ")
        )
    };
    Some(Strip::indented(1).clipped(words, Role::Warning, columns))
}

/// The buttons, side by side where they fit.
fn button_rows(card: &Card, columns: usize) -> Vec<Strip> {
    let questions = card.record.ask.questions.len();
    let buttons: Vec<Strip> = card
        .buttons()
        .into_iter()
        .enumerate()
        .map(|(at, button)| {
            let focused = card.review_row == questions + at;
            let label = label(card, button, columns);
            let role = if focused { Role::Current } else { Role::Text };
            let mut strip = Strip::new();
            if focused {
                strip = strip.caret();
            }
            let cursor = if focused { "›" } else { " " };
            strip
                .words(cursor, Role::Focus)
                .gap(1)
                .words(label, role)
                .focus(focused)
        })
        .collect();
    let together: usize = buttons.iter().map(|button| button.width() + 2).sum();
    if together <= columns {
        let row = buttons
            .into_iter()
            .fold(Strip::indented(1), |row, button| row.then(button).gap(1));
        return vec![row];
    }
    let rows = buttons
        .into_iter()
        .map(|button| Strip::indented(1).then(button));
    rows.collect()
}

fn label(card: &Card, button: Button, columns: usize) -> String {
    let wide = columns >= 60;
    match button {
        Button::Send { given: 0 } => "[ Send without answers ]".to_owned(),
        Button::Send { given } => {
            format!("[ Send {} ]", words::count(given, "answer", "answers"))
        }
        Button::SendAnyway { given: 1 } if wide => "[ Send the 1 answer anyway ]".to_owned(),
        Button::SendAnyway { given } if wide => format!("[ Send the {given} answers anyway ]"),
        Button::SendAnyway { given } => format!("[ Send {given} anyway ]"),
        Button::GoTo { question } => {
            let room = if wide { 30 } else { columns / 3 };
            let name = card.record.ask.questions.get(question).map(name);
            let name = clip(&Plain::line(&name.unwrap_or_default()), room, CUT);
            format!("[ Go to {name} ]")
        }
    }
}

fn name(question: &Question) -> String {
    Plain::line(question.short()).to_string()
}
