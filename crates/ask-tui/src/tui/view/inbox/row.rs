//! An ask's row in the list: one line where there is room, otherwise two.

use ask_config::i18n::Words;
use ask_config::text::width;
use ask_core::record::InClient;
use ask_core::{Input, Outcome, Record};
use ask_hub::surface::labels;

use crate::tui::model::Model;
use crate::tui::model::inbox::{Group, Mark};
use crate::tui::row::ScreenRow;
use crate::tui::style::Role;

/// Widths in columns: the number and the age, the asker, the place.
pub(super) const AGE: usize = 6;
const ASKER: usize = 13;
const PLACE: usize = 22;
/// Widths in columns: the kind of input, the mark.
const KIND: usize = 10;
const MARK: usize = 12;
/// The width from which all of them fit.
const WIDEST: usize = 96;

/// A row of one line.
pub(super) fn wide(
    model: &Model,
    record: &Record,
    at: usize,
    focused: bool,
    columns: usize,
) -> ScreenRow {
    let widest = columns >= WIDEST;
    let place = if widest { PLACE } else { PLACE - 6 };
    let mut right = ScreenRow::new();
    if widest {
        right = right.text(kind(model, record), Role::Dim);
        right = right.gap(1).filled(KIND);
    }
    let end = right.width() + MARK;
    let right = right.append(mark(model, record)).filled(end);
    let room = columns.saturating_sub(right.width() + 2);
    let screen_row = start(model, record, at, focused).gap(1);
    let column = screen_row.width();
    let role = if focused { Role::Focus } else { Role::Text };
    let who = labels::asker_label(model.display.words, &record.asker);
    let screen_row = screen_row
        .clipped(who, Role::Asker, column + ASKER - 1)
        .filled(column + ASKER);
    let place_end = column + ASKER + place;
    let screen_row = screen_row
        .clipped(labels::place(&record.asker), Role::Dim, place_end - 1)
        .filled(place_end)
        .clipped(record.ask.name().as_str(), role, room);
    screen_row
        .right(right, columns.saturating_sub(1))
        .focus(focused)
}

/// A row of two lines, or of one where the screen has few rows.
pub(super) fn narrow(
    model: &Model,
    record: &Record,
    at: usize,
    focused: bool,
    columns: usize,
    flat: bool,
) -> Vec<ScreenRow> {
    let role = if focused { Role::Focus } else { Role::Text };
    let screen_row = start(model, record, at, focused);
    if flat {
        return vec![screen_row.clipped(record.ask.name().as_str(), role, columns)];
    }
    let mark = mark(model, record);
    let room = columns.saturating_sub(mark.width() + 2);
    let who = labels::asker_label(model.display.words, &record.asker);
    let screen_row = screen_row.clipped(who, Role::Asker, room).clipped(
        format!(" {}", labels::place(&record.asker)),
        Role::Dim,
        room,
    );
    vec![
        screen_row.right(mark, columns.saturating_sub(1)),
        ScreenRow::indented(5).clipped(record.ask.name().as_str(), role, columns),
    ]
}

/// The cursor, the number that opens the ask, and its age.
fn start(model: &Model, record: &Record, at: usize, focused: bool) -> ScreenRow {
    let screen_row = if focused {
        ScreenRow::new().caret().text("›", Role::Focus)
    } else {
        ScreenRow::indented(1)
    };
    let number = match Group::for_record(record) {
        Group::Waiting if at < 9 => (at + 1).to_string(),
        Group::Waiting | Group::Snoozed | Group::Late | Group::Undelivered | Group::Sent => {
            "-".to_owned()
        }
    };
    let words = model.display.words;
    let age = words.brief(model.now.since_ms(record.asked_at));
    let screen_row = screen_row.gap(1).text(number, Role::Dim).gap(1);
    screen_row
        .append(ScreenRow::new().right_aligned(age, Role::Dim, age_room(words)))
        .gap(1)
        .focus(focused)
}

/// The widest age of a language with two digits, in columns. Ages are aligned to the right of a
/// column this wide.
fn age_room(words: Words) -> usize {
    let widest = [59_000, 59 * 60_000, 23 * 3_600_000, 99 * 86_400_000];
    let wide = widest.map(|ms| width(&words.brief(ms)));
    wide.into_iter().max().unwrap_or_default()
}

fn kind(model: &Model, record: &Record) -> String {
    let words = model.display.words;
    match record.ask.questions.as_slice() {
        [question] => match &question.input {
            Input::Text => words.say("inbox-kind-text"),
            Input::One(_) => words.say("inbox-kind-one"),
            Input::Many(_) => words.say("inbox-kind-many"),
            Input::Confirm => words.say("inbox-kind-confirm"),
        },
        questions => words.format("inbox-kind-several", &[("count", questions.len().into())]),
    }
}

fn mark(model: &Model, record: &Record) -> ScreenRow {
    let words = model.display.words;
    let Some(mark) = Mark::for_record(record) else {
        return ScreenRow::new();
    };
    let (text, role) = match mark {
        Mark::SnoozedUntil(at) => {
            let at = labels::moment(words, at, model.now, &model.display.zone);
            (
                words.format("inbox-mark-back", &[("at", at.into())]),
                Role::Dim,
            )
        }
        Mark::SnoozedUntilAsked => (words.say("inbox-mark-back-when-asked"), Role::Dim),
        // It takes the place of the outcome's name, for which a narrow row has no room beside it.
        Mark::Closed if is_below_agent(record) => {
            (words.say("inbox-mark-below-agent"), Role::Warning)
        }
        Mark::Closed => (closed(model, record), Role::Dim),
        Mark::Due(at) => {
            let left = at.since_ms(model.now);
            let role = if left <= 60_000 {
                Role::Warning
            } else {
                Role::Dim
            };
            let text = match left {
                0 => words.say("inbox-mark-due"),
                _ => words.format("inbox-mark-due-in", &[("time", words.brief(left).into())]),
            };
            (text, role)
        }
        Mark::InClient(InClient::Dialog) => (words.say("inbox-mark-dialog"), Role::Dim),
        Mark::InClient(InClient::Handed) => (words.say("inbox-mark-handed"), Role::Dim),
        Mark::Draft(given) => {
            let asked = record.ask.questions.len();
            let arguments = [("given", given.into()), ("asked", asked.into())];
            (words.format("inbox-mark-draft", &arguments), Role::Chosen)
        }
        Mark::AskedAgain => (words.say("inbox-mark-asked-again"), Role::Warning),
        Mark::Preview => (words.say("inbox-mark-preview"), Role::Dim),
    };
    ScreenRow::new().text(text, role)
}

/// Whether a program closed the ask that an agent had started.
fn is_below_agent(record: &Record) -> bool {
    let settlement = record.settlement();
    settlement.is_some_and(|settlement| settlement.below_agent().is_some())
}

fn closed(model: &Model, record: &Record) -> String {
    let words = model.display.words;
    match record.settlement().map(|settlement| &settlement.outcome) {
        None => String::new(),
        Some(Outcome::Answered(_)) => words.say("inbox-mark-answered"),
        Some(Outcome::Declined { .. }) => words.say("inbox-mark-declined"),
        Some(Outcome::Clarify { .. }) => words.say("inbox-mark-asked-back"),
        Some(Outcome::Expired) => words.say("inbox-mark-expired"),
        Some(Outcome::Withdrawn) => words.say("inbox-mark-withdrawn"),
    }
}
