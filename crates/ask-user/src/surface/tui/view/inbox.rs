//! The list of asks, and below it, where there is room, the one under the cursor.

use ask_core::{Draft, Input, Plain, Record, time};

use super::card::bottom;
use super::footer::{Facts, hints};
use super::header::{WIDE, deadline};
use crate::surface::paper::form::Form;
use crate::surface::paper::text::wrap_clamped;
use crate::surface::paper::words;
use crate::surface::tui::model::Model;
use crate::surface::tui::strip::{CUT, Strip, window};
use crate::surface::tui::style::Role;

/// From so many rows on the ask under the cursor is shown below the list.
const READING: usize = 20;
/// Columns of the number and the age, of the asker, and of the place.
const AGE: usize = 6;
const ASKER: usize = 13;
const PLACE: usize = 22;

/// The whole screen of the list.
pub fn page(model: &Model, columns: usize, rows: usize) -> Vec<Strip> {
    let roomy = rows >= 10;
    let mut strips = vec![headline(model, columns)];
    if roomy {
        strips.push(Strip::rule(columns));
    }
    let foot = hints(
        model,
        columns,
        if rows >= 18 { 2 } else { 1 },
        Facts::default(),
    );
    let news = model
        .news
        .as_ref()
        .map(|news| Strip::indented(1).clipped(news, Role::Chosen, columns));
    let below = foot.len() + usize::from(roomy) + usize::from(news.is_some());
    let room = rows.saturating_sub(strips.len() + below).max(1);
    if model.records.is_empty() {
        strips.extend(nothing(model, columns).into_iter().take(room));
    } else if rows >= READING {
        let list = list(model, columns, rows);
        let most = (room / 2).max(5);
        strips.extend(window(list, most, AGE));
        strips.push(Strip::rule(columns));
        let left = rows.saturating_sub(strips.len() + below);
        strips.extend(reading(model, columns, left));
    } else {
        strips.extend(window(list(model, columns, rows), room, AGE));
    }
    bottom(&mut strips, news, roomy, foot, columns, rows);
    strips
}

fn headline(model: &Model, columns: usize) -> Strip {
    let waiting = model.waiting().count();
    let strip = Strip::indented(1).words("ask", Role::Strong).gap(2);
    let strip = if model.listed {
        strip.words(format!("{waiting} waiting"), Role::Text)
    } else {
        strip.words("looking ...", Role::Dim)
    };
    let link = if model.linked { "" } else { "reconnecting" };
    let link = Strip::new().words(link, Role::Warning);
    strip.right(link, columns.saturating_sub(1))
}

fn nothing(model: &Model, columns: usize) -> Vec<Strip> {
    if !model.listed {
        return Vec::new();
    }
    let say = |words: &str, role| Strip::indented(1).clipped(words, role, columns);
    vec![
        Strip::new(),
        say("No question waits for you.", Role::Strong),
        say("A new one appears here by itself.", Role::Dim),
    ]
}

fn list(model: &Model, columns: usize, rows: usize) -> Vec<Vec<Strip>> {
    let focused = model.focused_row();
    let headings = rows >= 16;
    let mut items = Vec::new();
    let mut group = None;
    for (at, record) in model.records.iter().enumerate() {
        let own = group_of(record);
        let mut item = Vec::new();
        if headings && group != Some(own) {
            item.push(Strip::indented(1).clipped(own, Role::Dim, columns));
        }
        group = Some(own);
        let on_it = at == focused;
        if columns >= WIDE {
            item.push(wide_row(model, record, at, on_it, columns));
        } else {
            item.extend(narrow_row(model, record, at, on_it, columns, rows));
        }
        items.push(item);
    }
    items
}

fn group_of(record: &Record) -> &'static str {
    match (record.is_waiting(), record.waiters) {
        (true, 1..) => "WAITING",
        (true, 0) => "LATE  the agent stopped waiting; an answer is kept until it asks again",
        (false, _) => "KEPT  answered; the agent hasn't fetched it yet",
    }
}

fn start(at: usize, focused: bool) -> Strip {
    let mut strip = Strip::new();
    if focused {
        strip = strip.caret().words("›", Role::Focus);
    } else {
        strip = strip.gap(1);
    }
    let number = if at < 9 {
        (at + 1).to_string()
    } else {
        "-".to_owned()
    };
    strip.gap(1).words(number, Role::Dim).gap(1).focus(focused)
}

fn wide_row(model: &Model, record: &Record, at: usize, focused: bool, columns: usize) -> Strip {
    let age = time::brief(model.now.since_ms(record.asked_at));
    let role = if focused { Role::Focus } else { Role::Text };
    let place = if columns >= 96 { PLACE } else { PLACE - 6 };
    let state = state(model, record).map(|(words, role)| Strip::new().words(words, role));
    let mut right = Strip::new();
    if columns >= 96 {
        right = right.words(kind(record), Role::Dim).filled(10);
    }
    let right = right.then(state.unwrap_or_default());
    let right = right.filled(if columns >= 96 { 20 } else { 10 });
    let room = columns.saturating_sub(right.width() + 2);
    let strip = start(at, focused)
        .words(format!("{age:>3}"), Role::Dim)
        .gap(2);
    let column = strip.width();
    let strip = strip
        .clipped(words::who(&record.asker), Role::Who, column + ASKER - 1)
        .filled(column + ASKER)
        .clipped(
            words::place(&record.asker),
            Role::Dim,
            column + ASKER + place - 1,
        )
        .filled(column + ASKER + place)
        .clipped(record.ask.headline(), role, room);
    strip.right(right, columns.saturating_sub(1))
}

fn narrow_row(
    model: &Model,
    record: &Record,
    at: usize,
    focused: bool,
    columns: usize,
    rows: usize,
) -> Vec<Strip> {
    let age = time::brief(model.now.since_ms(record.asked_at));
    let role = if focused { Role::Focus } else { Role::Text };
    let strip = start(at, focused)
        .words(format!("{age:>3}"), Role::Dim)
        .gap(1);
    if rows < 10 {
        return vec![strip.clipped(record.ask.headline(), role, columns)];
    }
    let state = state(model, record).map(|(words, role)| Strip::new().words(words, role));
    let state = state.unwrap_or_default();
    let room = columns.saturating_sub(state.width() + 2);
    let strip = strip
        .clipped(words::who(&record.asker), Role::Who, room)
        .clipped(format!(" {}", words::place(&record.asker)), Role::Dim, room);
    vec![
        strip.right(state, columns.saturating_sub(1)),
        Strip::indented(5).clipped(record.ask.headline(), role, columns),
    ]
}

fn kind(record: &Record) -> String {
    match record.ask.questions.as_slice() {
        [question] => match &question.input {
            Input::Text => "text".to_owned(),
            Input::One(_) => "pick one".to_owned(),
            Input::Many(_) => "pick any".to_owned(),
            Input::Confirm => "confirm".to_owned(),
        },
        questions => format!("{} tabs", questions.len()),
    }
}

fn state(model: &Model, record: &Record) -> Option<(String, Role)> {
    if let Some(settlement) = record.settlement() {
        return Some((settlement.outcome.word().to_owned(), Role::Dim));
    }
    if let Some(at) = record.deadline_at {
        let near = at.since_ms(model.now) <= 60_000;
        let role = if near { Role::Warning } else { Role::Dim };
        return Some((deadline(at, model.now), role));
    }
    let draft = record.draft.as_ref().map(|saved| &saved.draft)?;
    let touched = Form::new(&record.ask, Some(draft)).is_touched(&record.ask);
    touched.then(|| {
        let words = format!(
            "draft {}/{}",
            Draft::given(draft),
            record.ask.questions.len()
        );
        (words, Role::Chosen)
    })
}

/// The ask under the cursor, as far as so many rows go.
fn reading(model: &Model, columns: usize, rows: usize) -> Vec<Strip> {
    let Some(record) = model.focused() else {
        return Vec::new();
    };
    let say = |words: &str, role| Strip::indented(1).clipped(words, role, columns);
    let asker = &record.asker;
    let mut by = format!("asked by {}", words::who(asker));
    if let Some(version) = &asker.version {
        by.push_str(&format!(" {version}"));
    }
    if asker.client.is_some() {
        by.push_str(" (name sent by the client)");
    }
    if let (Some(agent), true) = (&asker.agent, asker.client.is_some()) {
        by.push_str(&format!(" · calls itself \"{agent}\""));
    }
    let directory = words::directory(asker, model.look.home.as_deref());
    let places: Vec<String> = [
        directory,
        asker.branch.as_ref().map(|name| format!("branch {name}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut strips = vec![
        say(record.ask.headline(), Role::Strong),
        say(&by, Role::Dim),
    ];
    if !places.is_empty() {
        strips.push(say(&places.join(" · "), Role::Dim));
    }
    strips.push(Strip::new());
    let mut labelled = |label: &str, words: &str, most: usize| {
        let room = columns.saturating_sub(13).max(1);
        for (at, row) in wrap_clamped(&Plain::block(words.trim()), room, most, CUT)
            .into_iter()
            .enumerate()
        {
            let label = if at == 0 { label } else { "" };
            let strip = Strip::indented(1).words(label, Role::Dim).filled(12);
            strips.push(strip.plain(row, Role::Text));
        }
    };
    if let Some(context) = &record.ask.context {
        labelled("Context", context, 3);
    }
    for question in &record.ask.questions {
        labelled("Question", &question.text, 2);
        let labels = (0..question.input.len()).filter_map(|at| question.input.label(at));
        let labels: Vec<&str> = labels.collect();
        if !labels.is_empty() {
            labelled("", &labels.join("  /  "), 2);
        }
    }
    if strips.len() > rows {
        strips.truncate(rows.saturating_sub(1));
        strips.push(say("i reads all", Role::Dim));
        strips.truncate(rows);
    }
    strips
}
