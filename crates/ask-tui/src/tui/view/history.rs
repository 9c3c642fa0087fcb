//! The history screen: a list by days, the record under the cursor below it, the whole record on a
//! screen of its own, and the dialog of filters.

use ask_config::i18n::Words;
use ask_config::keys::Context;
use ask_config::text::{width, wrap};
use ask_core::{Outcome, Record, SafeText};
use ask_hub::surface::export::ends;
use ask_hub::surface::labels;

use super::card::bottom;
use super::footer::{Facts, hints};
use super::header::WIDE;
use super::{Page, stats};
use crate::tui::model::history::{History, Layer, OutcomeFilter};
use crate::tui::model::{Model, Screen};
use crate::tui::row::{ClickTarget, ScreenRow, window};
use crate::tui::style::Role;
use crate::ui::charts;

/// The height from which the record under the cursor is shown below the list.
const DETAIL_ROWS: usize = 18;
/// Widths in columns: the agent, the project folder, and how the ask ended.
const AGENT: usize = 12;
const PLACE: usize = 21;
const OUTCOME: usize = 23;
/// The width of the duration in its shortest form, in columns.
const DURATION: usize = 8;

pub(super) fn page(
    model: &Model,
    history: &History,
    columns: usize,
    rows: usize,
) -> Vec<ScreenRow> {
    let words = model.display.words;
    let whole_screen = match history.layer {
        Layer::Record(top) => Some((
            words.say("history-whole"),
            whole(model, history, columns),
            top,
        )),
        Layer::Stats(top) => Some((
            words.say("history-stats"),
            stats::lines(model, history, columns),
            top,
        )),
        Layer::List | Layer::Search | Layer::Filters(_) => None,
    };
    if let Some((title, lines, top)) = whole_screen {
        return full_screen(model, &title, lines, top, columns, rows);
    }
    let roomy = rows >= 10;
    let mut screen_rows = headline(model, history, columns, rows);
    if roomy {
        screen_rows.push(ScreenRow::rule(columns));
    }
    screen_rows.extend(filters(model, history, columns, rows));
    let most = if rows >= DETAIL_ROWS { 2 } else { 1 };
    let foot = hints(model, columns, most, Facts::default());
    let message = history
        .message
        .as_ref()
        .map(|message| ScreenRow::indented(1).clipped(message, Role::Chosen, columns));
    let below = foot.len() + usize::from(roomy) + usize::from(message.is_some());
    let room = rows.saturating_sub(screen_rows.len() + below).max(1);
    if history.records.is_empty() {
        screen_rows.extend(empty_rows(model, history, columns).into_iter().take(room));
    } else {
        let list = list(model, history, columns, rows);
        let has_detail = rows >= DETAIL_ROWS;
        let most = if has_detail { (room / 2).max(4) } else { room };
        screen_rows.extend(window(model.display.words, list, most, 2));
        if has_detail {
            screen_rows.push(ScreenRow::rule(columns));
            let left = rows.saturating_sub(screen_rows.len() + below);
            screen_rows.extend(detail(model, history, columns).into_iter().take(left));
        }
    }
    bottom(&mut screen_rows, message, roomy, foot, columns, rows);
    screen_rows
}

/// The size of a layer that fills the screen.
pub(super) fn extent(model: &Model, history: &History, columns: usize, rows: usize) -> Page {
    let total = match history.layer {
        Layer::Record(_) => whole(model, history, columns).len(),
        Layer::Stats(_) => stats::lines(model, history, columns).len(),
        Layer::List | Layer::Search | Layer::Filters(_) => 0,
    };
    let frame = if rows >= 10 { 4 } else { 2 };
    Page {
        total,
        shown: rows.saturating_sub(frame).max(1),
    }
}

fn full_screen(
    model: &Model,
    title: &str,
    lines: Vec<ScreenRow>,
    top: usize,
    columns: usize,
    rows: usize,
) -> Vec<ScreenRow> {
    let framed = rows >= 10;
    let shown = rows.saturating_sub(if framed { 4 } else { 2 }).max(1);
    let top = top.min(lines.len().saturating_sub(shown));
    let mut head = ScreenRow::indented(1).clipped(title, Role::Strong, columns);
    if lines.len() > shown {
        let page = Page {
            total: lines.len(),
            shown,
        };
        let place = super::pager::position_line(model.display.words, top, page);
        head = head.right(
            ScreenRow::new().text(place, Role::Dim),
            columns.saturating_sub(1),
        );
    }
    let mut screen_rows = vec![head];
    if framed {
        screen_rows.push(ScreenRow::rule(columns));
    }
    screen_rows.extend(lines.into_iter().skip(top).take(shown));
    let foot = hints(model, columns, 1, Facts::default());
    let message = match &model.screen {
        Screen::History(history) => history.message.as_ref(),
        Screen::Inbox | Screen::Card(_) | Screen::Notice(_) => None,
    };
    let message =
        message.map(|message| ScreenRow::indented(1).clipped(message, Role::Chosen, columns));
    // The remark takes the place of the last row of text.
    let below = foot.len() + usize::from(framed) + usize::from(message.is_some());
    screen_rows.truncate(rows.saturating_sub(below));
    bottom(&mut screen_rows, message, framed, foot, columns, rows);
    screen_rows
}

/// The title and the brief statistics: beside it, below it, or instead of it, by the available
/// columns and rows.
fn headline(model: &Model, history: &History, columns: usize, rows: usize) -> Vec<ScreenRow> {
    let words = model.display.words;
    let screen_row = ScreenRow::indented(1)
        .text(words.say("history-title"), Role::Strong)
        .gap(3);
    let (brief, role) = match &history.stats {
        Some((query, stats)) if *query == history.query() => {
            (charts::brief(words, stats), Role::Text)
        }
        Some(_) | None => (words.say("history-looking"), Role::Dim),
    };
    if screen_row.width() + width(&brief) > columns {
        let title = ScreenRow::indented(1).text(words.say("history-title"), Role::Strong);
        let brief = paragraph(&brief, 1, role, columns);
        return if rows >= 14 {
            std::iter::once(title).chain(brief).collect()
        } else {
            brief.into_iter().take(1).collect()
        };
    }
    let screen_row = screen_row.clipped(brief, role, columns);
    let link = if model.connected {
        String::new()
    } else {
        words.say("history-reconnecting")
    };
    vec![screen_row.right(
        ScreenRow::new().text(link, Role::Warning),
        columns.saturating_sub(1),
    )]
}

/// The search and the filters: on one line, or as a dialog with a row for each.
fn filters(model: &Model, history: &History, columns: usize, rows: usize) -> Vec<ScreenRow> {
    let words = model.display.words;
    let filters = &history.filters;
    let all = || words.say("history-all");
    let safe = |name: &Option<String>| {
        let name = name.as_deref().map(|name| SafeText::line(name).to_string());
        name.unwrap_or_else(all)
    };
    let period = match filters.days {
        None => words.say("history-always"),
        Some(days) => words.format("history-days", &[("count", days.into())]),
    };
    let end = filters.end.map(|end| match end {
        OutcomeFilter::Outcome(end) => charts::end_name(words, end),
        OutcomeFilter::Undelivered => words.say("history-undelivered"),
    });
    let values = [
        (words.say("history-agent"), safe(&filters.agent)),
        (words.say("history-project"), safe(&filters.project)),
        (words.say("history-state"), end.unwrap_or_else(all)),
        (words.say("history-period"), period),
    ];
    if let Layer::Filters(focused) = history.layer {
        let rows = values.into_iter().enumerate().map(|(at, (name, value))| {
            let is_focused = at == focused;
            let sign = if is_focused { "›" } else { " " };
            let role = if is_focused { Role::Focus } else { Role::Text };
            let screen_row = ScreenRow::new();
            let screen_row = if is_focused {
                screen_row.caret()
            } else {
                screen_row
            };
            screen_row
                .clickable(ClickTarget::Choice(at))
                .text(sign, Role::Focus)
                .gap(1)
                .clipped(name, Role::Dim, columns)
                .filled(13.min(columns / 2))
                .text("← ", Role::Dim)
                .clipped(value, role, columns.saturating_sub(3))
                .text(" →", Role::Dim)
                .focus(is_focused)
        });
        return window(
            words,
            rows.map(|row| vec![row]).collect(),
            usize::from(model.size.1).saturating_sub(4).clamp(1, 4),
            1,
        );
    }
    let typing = history.layer == Layer::Search;
    if rows < 10 && !typing {
        return Vec::new();
    }
    let mut screen_row = ScreenRow::indented(1)
        .text(words.say("history-search"), Role::Dim)
        .gap(1);
    let text = history.search.text();
    let column = screen_row.width() + caret_column(history);
    let role = if typing { Role::Current } else { Role::Text };
    screen_row = screen_row.clipped(
        SafeText::line(text).as_str(),
        role,
        columns.saturating_sub(1),
    );
    if typing {
        screen_row = screen_row.caret_at(column.min(columns.saturating_sub(1)));
    }
    // Active filters continue on further rows if there are any.
    let most = if rows >= 14 { 3 } else { 1 };
    let mut screen_rows = Vec::new();
    for (name, value) in values {
        let piece = format!("{name} {value}");
        let fits = screen_row.width() + width(&piece) + 3 < columns;
        if !fits && screen_rows.len() + 1 < most {
            screen_rows.push(std::mem::replace(&mut screen_row, ScreenRow::indented(1)));
            screen_row = screen_row.clipped(piece, Role::Dim, columns);
        } else if fits {
            screen_row = screen_row.gap(3).clipped(piece, Role::Dim, columns);
        }
    }
    screen_rows.push(screen_row);
    screen_rows
}

fn caret_column(history: &History) -> usize {
    let text = history.search.text();
    let before = text.get(..history.search.caret()).unwrap_or(text);
    SafeText::line(before).width()
}

fn empty_rows(model: &Model, history: &History, columns: usize) -> Vec<ScreenRow> {
    let words = model.display.words;
    if history.shown_query.is_none() {
        return Vec::new();
    }
    let text = if history.query() == History::default().query() {
        words.say("history-empty")
    } else {
        words.say("history-nothing")
    };
    vec![
        ScreenRow::new(),
        ScreenRow::indented(1).clipped(text, Role::Strong, columns),
    ]
}

fn list(model: &Model, history: &History, columns: usize, rows: usize) -> Vec<Vec<ScreenRow>> {
    let headings = rows >= 14;
    let mut day = String::new();
    let mut items = Vec::new();
    // Only the visible records are laid out: a history may be long.
    let first = history.row.saturating_sub(rows);
    for (at, record) in history
        .records
        .iter()
        .enumerate()
        .skip(first)
        .take(rows * 2)
    {
        let mut item = Vec::new();
        let own = day_name(model, record);
        if headings && own != day {
            item.push(ScreenRow::indented(1).clipped(&own, Role::Dim, columns));
        }
        day = own;
        let focused = at == history.row;
        let screen_rows = row(model, record, focused, columns, rows).into_iter();
        // In the other layers, the terminal's cursor is in the layer that takes the keys.
        let takes_keys = history.layer == Layer::List;
        item.extend(
            screen_rows
                .enumerate()
                .map(|(line, screen_row)| (line, screen_row.clickable(ClickTarget::Row(at))))
                .map(|(line, screen_row)| {
                    if focused && takes_keys && line == 0 {
                        screen_row.caret_at(0)
                    } else {
                        screen_row
                    }
                }),
        );
        items.push(item);
    }
    items
}

fn day_name(model: &Model, record: &Record) -> String {
    let words = model.display.words;
    let date = |at| {
        let moment = ends::moment(at, &model.display.zone);
        moment.get(..10).unwrap_or_default().to_owned()
    };
    let yesterday = ask_core::Time(model.now.0 - 24 * 60 * 60 * 1_000);
    let day = date(record.asked_at);
    if day == date(model.now) {
        words.say("history-today")
    } else if day == date(yesterday) {
        words.say("history-yesterday")
    } else {
        day
    }
}

fn row(
    model: &Model,
    record: &Record,
    focused: bool,
    columns: usize,
    rows: usize,
) -> Vec<ScreenRow> {
    let display = &model.display;
    let role = if focused { Role::Focus } else { Role::Text };
    let mut start = ScreenRow::new();
    // While the filters are open, the cursor is there.
    let cursor_is_elsewhere = model.context() == Context::HistoryFilters;
    if focused && !cursor_is_elsewhere {
        start = start.text("›", Role::Focus);
    } else {
        start = start.gap(1);
    }
    let time = labels::clock(record.asked_at, &display.zone);
    let start = start.gap(1).text(time, Role::Dim).gap(2).focus(focused);
    let outcome = ends::ending(display.words, record);
    let duration = record.settlement();
    let duration = duration.map(|settlement| {
        display
            .words
            .length(settlement.at.since_ms(record.asked_at))
    });
    let duration = duration.unwrap_or_default();
    let who = labels::asker_label(display.words, &record.asker);
    let place = labels::place(&record.asker);
    if columns < WIDE {
        if rows < 12 {
            return vec![start.clipped(record.ask.name().as_str(), role, columns)];
        }
        let right = ScreenRow::new().clipped(outcome, Role::Dim, columns / 2);
        let room = columns.saturating_sub(right.width() + 2);
        let first = start.clipped(format!("{who} {place}"), Role::Asker, room);
        return vec![
            first.right(right, columns.saturating_sub(1)),
            ScreenRow::indented(9).clipped(record.ask.name().as_str(), role, columns),
        ];
    }
    let duration_columns = duration_columns(display.words);
    // Longer durations of a language take their columns from the outcome, not from the title.
    let outcome_columns = if columns >= 96 {
        OUTCOME
    } else {
        (OUTCOME + DURATION).saturating_sub(duration_columns)
    };
    let right = ScreenRow::new()
        .clipped(outcome, Role::Dim, outcome_columns)
        .filled(outcome_columns + 1)
        .append(ScreenRow::new().right_aligned(duration, Role::Dim, duration_columns));
    let room = columns.saturating_sub(right.width() + 2);
    let place_columns = if columns >= 96 { PLACE } else { PLACE - 9 };
    let column = start.width();
    let screen_row = start
        .clipped(who, Role::Asker, column + AGENT - 1)
        .filled(column + AGENT)
        .clipped(place, Role::Dim, column + AGENT + place_columns - 1)
        .filled(column + AGENT + place_columns)
        .clipped(record.ask.name().as_str(), role, room);
    vec![screen_row.right(right, columns.saturating_sub(1))]
}

/// The widest duration of a language up to a day, in columns, and a gap.
fn duration_columns(words: Words) -> usize {
    let widest = [3_599_000, 86_340_000];
    let wide = widest.map(|ms| width(&words.length(ms)));
    wide.into_iter().max().unwrap_or_default() + 1
}

/// The times at which the ask was asked, shown, answered, and delivered, and answers were taken back.
fn timeline(model: &Model, record: &Record) -> String {
    let (words, zone) = (model.display.words, &model.display.zone);
    let at = |time| ("time", labels::clock(time, zone).into());
    let mut steps = vec![words.format("history-asked", &[at(record.asked_at)])];
    if let Some(shown) = &record.shown {
        let surface = labels::surface(words, &shown.surface);
        steps.push(words.format(
            "history-shown",
            &[at(shown.at), ("surface", surface.into())],
        ));
    }
    for taken_back in &record.taken_back {
        steps.push(words.format("history-taken-back", &[at(taken_back.at)]));
    }
    if let Some(settlement) = record.settlement() {
        let how = ends::ending(words, record);
        steps.push(words.format("history-ended", &[at(settlement.at), ("how", how.into())]));
    }
    steps.extend(ends::delivery(words, record, zone));
    steps.join(" · ")
}

fn detail(model: &Model, history: &History, columns: usize) -> Vec<ScreenRow> {
    let Some(record) = history.focused() else {
        return Vec::new();
    };
    let mut screen_rows =
        vec![ScreenRow::indented(1).clipped(record.ask.name().as_str(), Role::Strong, columns)];
    screen_rows.extend(paragraph(&timeline(model, record), 1, Role::Dim, columns));
    screen_rows.extend(answers(model, record, columns, 2));
    screen_rows
}

/// The answer to each question, and the texts that belong to no question.
fn answers(model: &Model, record: &Record, columns: usize, most: usize) -> Vec<ScreenRow> {
    let words = model.display.words;
    let mut screen_rows = Vec::new();
    let mut labelled = |label: &str, text: &str| {
        let indent = (columns / 5).clamp(6, 18);
        let room = columns.saturating_sub(indent + 1).max(1);
        let rows = wrap(&SafeText::block(text.trim()), room);
        for (at, row) in rows.into_iter().take(most).enumerate() {
            let label = if at == 0 { label } else { "" };
            let screen_row = ScreenRow::indented(1).clipped(label, Role::Dim, indent - 1);
            screen_rows.push(screen_row.filled(indent).safe_text(row, Role::Text));
        }
    };
    match record.settlement().map(|settlement| &settlement.outcome) {
        Some(Outcome::Answered(answered)) => {
            let questions = record.ask.questions.iter().zip(answered.answers());
            for (at, (question, answer)) in questions.enumerate() {
                let lines = labels::answer(words, question, answer);
                let text = if lines.is_empty() {
                    words.say("export-unanswered")
                } else {
                    lines.join("\n")
                };
                labelled(&format!("{} {}", at + 1, question.name()), &text);
                if let Some(note) = &answer.note {
                    labelled(&words.say("history-note"), note);
                }
            }
            if let Some(note) = answered.note() {
                labelled(&words.say("history-note"), note);
            }
        }
        Some(Outcome::Declined {
            reason: Some(reason),
        }) => labelled(&words.say("history-reason"), reason),
        Some(Outcome::Clarify { words: question }) => {
            labelled(&words.say("history-asked-back"), question);
        }
        Some(Outcome::Declined { reason: None } | Outcome::Expired | Outcome::Withdrawn) | None => {
        }
    }
    for unsent in record.unsent_words() {
        labelled(&words.say("history-not-sent"), unsent);
    }
    screen_rows
}

/// The whole record: the ask as it was shown, the answers, the times, and the agent's reply.
fn whole(model: &Model, history: &History, columns: usize) -> Vec<ScreenRow> {
    let Some(record) = history.focused() else {
        return Vec::new();
    };
    let words = model.display.words;
    let head = |id: String| ScreenRow::indented(1).clipped(id, Role::Chosen, columns);
    let who = labels::asker_label(words, &record.asker);
    let by = format!("{who} {} {}", labels::place(&record.asker), record.id);
    let mut screen_rows = paragraph(&by, 1, Role::Asker, columns);
    screen_rows.extend(paragraph(&timeline(model, record), 1, Role::Dim, columns));
    screen_rows.push(ScreenRow::new());
    screen_rows.push(head(words.say("history-head-answers")));
    screen_rows.extend(answers(model, record, columns, usize::MAX));
    screen_rows.push(ScreenRow::new());
    screen_rows.push(head(words.say("history-head-asked")));
    screen_rows.extend(super::pager::lines(record, columns, words));
    if record.settlement().is_some() {
        screen_rows.push(ScreenRow::new());
        screen_rows.push(head(words.say("history-head-reply")));
        screen_rows.extend(paragraph(&reply(record), 1, Role::Dim, columns));
    }
    screen_rows
}

/// The reply that the agent received or will receive, in its dialect.
fn reply(record: &Record) -> String {
    let Some(dialect) = ask_dialects::find(&record.dialect) else {
        return String::new();
    };
    dialect.write(ask_dialects::Word::Closed(record)).text
}

fn paragraph(text: &str, indent: usize, role: Role, columns: usize) -> Vec<ScreenRow> {
    let room = columns.saturating_sub(indent + 1).max(1);
    let rows = wrap(&SafeText::block(text), room).into_iter();
    rows.map(|row| ScreenRow::indented(indent).safe_text(row, role))
        .collect()
}
