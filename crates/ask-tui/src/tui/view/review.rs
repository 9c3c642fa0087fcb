//! The review, the last tab of an ask with several questions: the answers, and the buttons that
//! send them.

use ask_config::i18n::Words;
use ask_config::text::{clip, width, wrap, wrap_clamped};
use ask_core::{Question, SafeText};
use ask_hub::surface::labels;

use super::card::{bottom, message, top};
use super::footer::{Facts, hints};
use super::footer_note;
use crate::tui::model::{Button, Card, Model};
use crate::tui::row::{ClickTarget, ELLIPSIS, ScreenRow, window};
use crate::tui::style::Role;
use crate::ui::form::Entry;

/// The most rows of one answer.
const ANSWER_ROWS: usize = 3;
/// The rows of the screen for each row of an answer.
const SCREEN_ROWS: usize = 5;

/// The whole screen of the review.
pub(super) fn page(model: &Model, card: &Card, columns: usize, rows: usize) -> Vec<ScreenRow> {
    layout(model, card, columns, rows).0
}

/// Whether the review doesn't show all of the form at once.
pub(super) fn is_cut(model: &Model, card: &Card, (columns, rows): (usize, usize)) -> bool {
    layout(model, card, columns, rows).1
}

/// The screen, and whether it shows a text of the form in part only. What a program below an agent
/// filled in has all the rows that there are.
fn layout(model: &Model, card: &Card, columns: usize, rows: usize) -> (Vec<ScreenRow>, bool) {
    let is_filled_in = card.record.filled_in_below().is_some() && !card.typing_note;
    let buttons = button_rows(model, card, columns);
    let spacious = rows >= 18;
    let foot = hints(
        model,
        columns,
        if spacious { 2 } else { 1 },
        Facts::default(),
    );
    let message = message(model, card, columns);
    let gaps = gap_line(model, card, columns).filter(|_| rows >= 8 + buttons.len());

    // On a low screen, the answers show what the tabs would.
    let mut screen_rows = top(model, card, true, spacious, rows >= 8, columns);
    if rows >= 8 {
        let title = model.display.words.say("card-review");
        screen_rows.push(ScreenRow::indented(1).text(title, Role::Strong));
    }
    let below = foot.len()
        + buttons.len()
        + usize::from(message.is_some())
        + usize::from(rows >= 10)
        + gaps.as_ref().map_or(0, |_| 1);
    let room = rows.saturating_sub(screen_rows.len() + below).max(1);
    let most = match is_filled_in {
        true => rows,
        false => (rows / SCREEN_ROWS).clamp(1, ANSWER_ROWS),
    };
    let (items, mut is_cut) = answers(model.display.words, card, columns, (most, room));
    // While the note for all answers is typed, it precedes all answers but one.
    let asked: usize = items.iter().map(Vec::len).sum();
    // The note of a single question is beside its answer.
    let is_noted = card.form.entries.len() > 1 && !card.note().is_blank();
    let whole_note = match is_filled_in && is_noted {
        true => footer_note::whole_for_all(model, card, columns),
        false => Vec::new(),
    };
    is_cut |= asked + whole_note.len() > room;
    let preferred = footer_note::preferred_rows(model, card, columns);
    let free = if card.typing_note {
        room.saturating_sub(1)
    } else {
        room.saturating_sub(asked)
    };
    let note = match whole_note.is_empty() {
        true => footer_note::screen_rows(model, card, columns, preferred.min(free)),
        false => whole_note.into_iter().take(free).collect(),
    };
    let room = room.saturating_sub(note.len()).max(1);
    let spare = room.saturating_sub(items.iter().map(Vec::len).sum());
    if spare > 1 {
        screen_rows.push(ScreenRow::new());
    }
    let mut body = window(model.display.words, items, room, 3);
    if spare > 0 {
        body.push(ScreenRow::new());
    }
    body.extend(note);
    body.extend(gaps);
    body.extend(buttons);
    if card.is_guarded(model.now) || card.sending {
        body = body
            .into_iter()
            .map(|screen_row| screen_row.with_role(Role::Dim))
            .collect();
    }
    screen_rows.extend(body);
    bottom(&mut screen_rows, message, rows >= 10, foot, columns, rows);
    (screen_rows, is_cut)
}

/// The rows of each question: at most `most` for each line of its answer, and at most `room` in all.
/// What is left out has a sign. Also whether anything is left out.
fn answers(
    words: Words,
    card: &Card,
    columns: usize,
    (most, room): (usize, usize),
) -> (Vec<Vec<ScreenRow>>, bool) {
    let questions = &card.record.ask.questions;
    let widest = questions
        .iter()
        .map(|question| width(&name(question)))
        .max();
    let label = widest.unwrap_or(0).min(columns / 3).max(4);
    let (mut items, mut is_cut) = (Vec::new(), false);
    for (at, question) in questions.iter().enumerate() {
        let focused = card.review_row == at;
        let cursor = if focused { "›" } else { " " };
        let mut start = ScreenRow::indented(1);
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
            .text(cursor, Role::Focus)
            .gap(1)
            .text(number, Role::Dim)
            .gap(1)
            .safe_text(
                clip(&SafeText::line(&name(question)), label, ELLIPSIS),
                role,
            )
            .filled(6 + label)
            .gap(1);
        let indent = start.width();
        let width = columns.saturating_sub(indent + 1).max(1);
        let mut start = Some(start.focus(focused));
        let mut item = Vec::new();
        let lines = answer_lines(words, question, &card.form.entries[at]);
        let most = (room / lines.len().max(1)).clamp(1, most);
        for (words, role) in lines {
            let words = SafeText::block(&words);
            is_cut |= wrap(&words, width).len() > most;
            for row in wrap_clamped(&words, width, most, ELLIPSIS) {
                let screen_row = start.take().unwrap_or_else(|| ScreenRow::indented(indent));
                item.push(
                    screen_row
                        .safe_text(row, role)
                        .clickable(ClickTarget::Row(at)),
                );
            }
        }
        if item.len() > room && room > 1 {
            is_cut = true;
            item.truncate(room - 1);
            item.push(ScreenRow::indented(indent).text(ELLIPSIS, Role::Dim));
        }
        items.push(item);
    }
    (items, is_cut)
}

fn answer_lines(words: Words, question: &Question, entry: &Entry) -> Vec<(String, Role)> {
    let answer = entry.given();
    let lines = labels::answer(words, question, &answer);
    let mut with_roles: Vec<(String, Role)> = if !lines.is_empty() {
        lines.into_iter().map(|line| (line, Role::Text)).collect()
    } else if question.required {
        vec![(words.say("card-missing"), Role::Warning)]
    } else {
        vec![(words.say("card-left-out"), Role::Dim)]
    };
    if let Some(note) = answer.note.as_deref() {
        let note = SafeText::block(note).to_string();
        let line = words.format("card-note-beside", &[("note", note.into())]);
        with_roles.push((line, Role::Dim));
    }
    with_roles
}

fn gap_line(model: &Model, card: &Card, columns: usize) -> Option<ScreenRow> {
    let missing = card.form.missing(&card.record.ask);
    if missing.is_empty() {
        return None;
    }
    let names: Vec<String> = missing
        .iter()
        .filter_map(|&at| card.record.ask.questions.get(at).map(name))
        .collect();
    let arguments = [
        ("count", missing.len().into()),
        ("names", names.join(", ").into()),
    ];
    let line = model.display.words.format("card-gaps", &arguments);
    Some(ScreenRow::indented(1).clipped(line, Role::Warning, columns))
}

/// The buttons, side by side if they fit.
fn button_rows(model: &Model, card: &Card, columns: usize) -> Vec<ScreenRow> {
    let questions = card.record.ask.questions.len();
    let buttons: Vec<ScreenRow> = card
        .buttons()
        .into_iter()
        .enumerate()
        .map(|(at, button)| {
            let focused = card.review_row == questions + at;
            let label = format!("[ {} ]", label(model, card, button, columns));
            let role = if focused { Role::Current } else { Role::Text };
            let mut screen_row = ScreenRow::new();
            if focused {
                screen_row = screen_row.caret();
            }
            let cursor = if focused { "›" } else { " " };
            screen_row
                .text(cursor, Role::Focus)
                .gap(1)
                .text(label, role)
                .clickable_here(0, ClickTarget::Row(questions + at))
                .focus(focused)
        })
        .collect();
    let together: usize = buttons.iter().map(|button| button.width() + 2).sum();
    if together <= columns {
        let row = buttons
            .into_iter()
            .fold(ScreenRow::indented(1), |row, button| {
                row.append(button).gap(1)
            });
        return vec![row];
    }
    let rows = buttons
        .into_iter()
        .map(|button| ScreenRow::indented(1).append(button));
    rows.collect()
}

/// The text of a button.
fn label(model: &Model, card: &Card, button: Button, columns: usize) -> String {
    let words = model.display.words;
    let wide = columns >= 60;
    match button {
        Button::Send { given } => {
            let arguments = [("count", given.into())];
            if card.is_late() {
                words.say("card-button-late")
            } else {
                words.format("card-button-send", &arguments)
            }
        }
        Button::SendAnyway { given } => {
            let arguments = [("count", given.into())];
            match (wide, card.is_late()) {
                (true, true) => words.format("card-button-late-anyway", &arguments),
                (false, true) => words.format("card-button-late-anyway-short", &arguments),
                (true, false) => words.format("card-button-anyway", &arguments),
                (false, false) => words.format("card-button-anyway-short", &arguments),
            }
        }
        Button::GoTo { question } => {
            let room = if wide { 30 } else { columns / 3 };
            let name = card.record.ask.questions.get(question).map(name);
            let name = clip(&SafeText::line(&name.unwrap_or_default()), room, ELLIPSIS);
            words.format("card-button-go-to", &[("name", name.to_string().into())])
        }
    }
}

fn name(question: &Question) -> String {
    question.name().to_string()
}
