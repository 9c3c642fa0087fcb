//! The list of asks, and the preview pane beside or below it if there is room. Only visible asks
//! are laid out, however many wait.

mod preview_pane;
mod row;

use ask_config::keys::{Action, Context};
use ask_config::text::{width, wrap};
use ask_core::{Record, SafeText};

use super::Page;
use super::card::bottom;
use super::footer::{Facts, hints};
use super::header::WIDE;
use crate::tui::model::Model;
use crate::tui::model::inbox::Group;
use crate::tui::row::{ClickTarget, ScreenRow, visible_range};
use crate::tui::style::Role;

/// The height from which the preview pane appears below the list.
const BELOW_ROWS: usize = 20;
/// The width from which the preview pane appears beside the list.
const BESIDE_COLUMNS: usize = 120;
/// The height from which the list has lines and rows of two lines.
const ROOMY_ROWS: usize = 10;
/// The height from which every group has its heading. Below it, the waiting group has none.
const HEADING_ROWS: usize = 16;

/// The distribution of the screen.
struct Layout {
    /// Columns and rows of the list.
    list: (usize, usize),
    /// Columns and rows of the preview pane.
    pane: Option<(usize, usize)>,
    /// Whether the pane is beside the list.
    beside: bool,
    foot: Vec<ScreenRow>,
}

/// The whole screen of the list.
pub(super) fn page(model: &Model, columns: usize, rows: usize) -> Vec<ScreenRow> {
    let roomy = rows >= ROOMY_ROWS;
    let layout = layout(model, columns, rows);
    let mut screen_rows = head(model, columns, rows);
    let (wide, high) = layout.list;
    let list = if model.inbox.rows.is_empty() {
        empty_rows(model, columns).into_iter().take(high).collect()
    } else {
        list(model, wide, high, rows)
    };
    let pane = layout
        .pane
        .map(|(columns, rows)| preview_pane::screen_rows(model, columns, rows))
        .unwrap_or_default();
    let pane_row =
        |screen_row: Option<ScreenRow>| screen_row.unwrap_or_default().clickable(ClickTarget::Pane);
    if layout.beside {
        let mut pane = pane.into_iter();
        let mut list = list.into_iter();
        for _ in 0..high {
            let screen_row = list.next().unwrap_or_default().filled(wide);
            let screen_row = screen_row.text("│", Role::Frame);
            screen_rows.push(screen_row.append(pane_row(pane.next())));
        }
    } else {
        screen_rows.extend(list);
        if layout.pane.is_some() {
            screen_rows.push(ScreenRow::rule(columns));
            screen_rows.extend(
                pane.into_iter()
                    .map(|screen_row| pane_row(Some(screen_row))),
            );
        }
    }
    bottom(
        &mut screen_rows,
        message(model, columns),
        roomy,
        layout.foot,
        columns,
        rows,
    );
    screen_rows
}

/// The size of the preview pane.
pub(super) fn extent(model: &Model, columns: usize, rows: usize) -> Page {
    let layout = layout(model, columns, rows);
    match layout.pane {
        Some((columns, rows)) => preview_pane::extent(model, columns, rows),
        None => Page::default(),
    }
}

/// The asks whose visible rows show a deadline.
pub(super) fn records_with_visible_deadline(
    model: &Model,
    columns: usize,
    rows: usize,
) -> Vec<&Record> {
    let all = 0..model.inbox.rows.len();
    let timed = |record: &&Record| record.deadline_at.is_some() && record.snoozed.is_none();
    if !all
        .clone()
        .any(|row| model.shown(row).filter(timed).is_some())
    {
        return Vec::new();
    }
    // A short row of one line has no room for a deadline.
    let layout = layout(model, columns, rows);
    let shows_deadline = layout.list.0 >= WIDE || rows >= ROOMY_ROWS;
    let heights = heights(model, layout.list.0, rows);
    let visible = visible_range(&heights, model.focused_row(), layout.list.1);
    let shown = all.filter(|row| shows_deadline && (visible.first..visible.end).contains(row));
    shown
        .filter_map(|row| model.shown(row))
        .filter(timed)
        .collect()
}

fn layout(model: &Model, columns: usize, rows: usize) -> Layout {
    let most = if rows >= 18 { 2 } else { 1 };
    let foot = hints(model, columns, most, Facts::default());
    let head = head(model, columns, rows).len();
    let below = foot.len() + usize::from(rows >= ROOMY_ROWS) + usize::from(model.message.is_some());
    let room = rows.saturating_sub(head + below).max(1);
    let empty = model.inbox.rows.is_empty();
    if columns >= BESIDE_COLUMNS && rows >= ROOMY_ROWS && !empty {
        let wide = (columns * 11 / 20).max(WIDE);
        return Layout {
            list: (wide, room),
            pane: Some((columns - wide - 1, room)),
            beside: true,
            foot,
        };
    }
    if rows >= BELOW_ROWS && !empty {
        let high = height(model, columns, rows).min((room / 2).max(5));
        return Layout {
            list: (columns, high),
            pane: Some((columns, room.saturating_sub(high + 1))),
            beside: false,
            foot,
        };
    }
    Layout {
        list: (columns, room),
        pane: None,
        beside: false,
        foot,
    }
}

fn head(model: &Model, columns: usize, rows: usize) -> Vec<ScreenRow> {
    let filter = model.inbox.filtering || !model.inbox.filter.is_blank();
    if rows < ROOMY_ROWS {
        let first = if filter {
            filter_row(model, columns)
        } else {
            headline(model, columns)
        };
        return vec![first];
    }
    let mut screen_rows = vec![headline(model, columns), ScreenRow::rule(columns)];
    screen_rows.extend(filter.then(|| filter_row(model, columns)));
    screen_rows
}

fn headline(model: &Model, columns: usize) -> ScreenRow {
    let words = model.display.words;
    let mut screen_row = ScreenRow::indented(1).text("ask", Role::Strong).gap(2);
    let count = |id, count: usize| words.format(id, &[("count", count.into())]);
    let answered = usize::try_from(model.answered_today()).unwrap_or(usize::MAX);
    if model.listed {
        let count_in = |group| {
            model
                .records
                .iter()
                .filter(|record| Group::for_record(record) == group)
                .count()
        };
        let waiting = count_in(Group::Waiting) + model.not_yet_listed();
        let mut counts = vec![count("inbox-count-waiting", waiting)];
        let (snoozed, late) = (count_in(Group::Snoozed), count_in(Group::Late));
        counts.extend((snoozed > 0).then(|| count("inbox-count-snoozed", snoozed)));
        counts.extend((late > 0).then(|| count("inbox-count-late", late)));
        counts.extend((answered > 0).then(|| count("inbox-count-answered", answered)));
        for (at, words) in counts.into_iter().enumerate() {
            let dot = if at > 0 { " · " } else { "" };
            let role = if at == 0 { Role::Text } else { Role::Dim };
            if screen_row.width() + dot.len() + words.chars().count() < columns {
                screen_row = screen_row.text(dot, Role::Dim).text(words, role);
            }
        }
    } else {
        screen_row = screen_row.text(words.say("inbox-looking"), Role::Dim);
    }
    let right = match (model.connected, model.is_muted()) {
        (false, _) => ScreenRow::new().text(words.say("inbox-reconnecting"), Role::Warning),
        (true, true) => ScreenRow::new().text(words.say("inbox-muted"), Role::Dim),
        (true, false) => page_address(model, columns.saturating_sub(screen_row.width() + 3)),
    };
    screen_row.right(right, columns.saturating_sub(1))
}

/// The page's address, if it fits.
fn page_address(model: &Model, room: usize) -> ScreenRow {
    let port = model.inbox.day.and_then(|(day, _)| day.port);
    let Some(port) = port else {
        return ScreenRow::new();
    };
    let address = format!("127.0.0.1:{port}");
    let address = [("address", address.into())];
    let screen_row =
        ScreenRow::new().text(model.display.words.format("inbox-web", &address), Role::Dim);
    if screen_row.width() <= room {
        screen_row
    } else {
        ScreenRow::new()
    }
}

/// The text that the list is filtered by, and how many asks match.
fn filter_row(model: &Model, columns: usize) -> ScreenRow {
    let inbox = &model.inbox;
    let (fit, all) = (inbox.rows.len(), model.records.len());
    let arguments = [("count", fit.into()), ("all", all.into())];
    let right = ScreenRow::new().text(
        model.display.words.format("inbox-fit", &arguments),
        Role::Dim,
    );
    let room = columns.saturating_sub(right.width() + 6).max(1);
    let seen = inbox.filter.rows(room);
    let typed = seen
        .rows
        .get(seen.caret_row)
        .map(|row| inbox.filter.row_text(row));
    let mut screen_row = ScreenRow::indented(1).text("/", Role::Strong).gap(1);
    if inbox.filtering {
        let caret_column = screen_row.width() + seen.caret_column;
        screen_row = screen_row.caret_at(caret_column);
    }
    let screen_row = screen_row.safe_text(typed.unwrap_or_else(|| SafeText::line("")), Role::Text);
    screen_row.right(right, columns.saturating_sub(1))
}

fn message(model: &Model, columns: usize) -> Option<ScreenRow> {
    let message = model.message.as_ref()?;
    Some(ScreenRow::indented(1).clipped(message, Role::Chosen, columns))
}

fn empty_rows(model: &Model, columns: usize) -> Vec<ScreenRow> {
    if !model.listed {
        return Vec::new();
    }
    let words = model.display.words;
    let room = columns.saturating_sub(2).max(1);
    let paragraph = |words: String, role| {
        let rows = wrap(&SafeText::line(&words), room).into_iter();
        rows.map(move |row| ScreenRow::indented(1).safe_text(row, role))
    };
    let gap = std::iter::once(ScreenRow::new());
    if !model.records.is_empty() {
        let key = key(model, Context::Inbox, Action::Escape);
        let again = words.format("inbox-none-fit-yet", &[("key", key.into())]);
        let fit = paragraph(words.say("inbox-none-fit"), Role::Strong);
        return gap.chain(fit).chain(paragraph(again, Role::Dim)).collect();
    }
    let none = paragraph(words.say("inbox-none"), Role::Strong);
    let yet = paragraph(words.say("inbox-none-yet"), Role::Dim);
    gap.chain(none).chain(yet).collect()
}

/// The name of the first key that performs an action in a context; empty if none does.
pub(super) fn key(model: &Model, context: Context, action: Action) -> String {
    let names = model
        .display
        .keys
        .names(model.display.words, context, action);
    names.into_iter().next().unwrap_or_default()
}

/// The height of the whole list in rows.
fn height(model: &Model, columns: usize, rows: usize) -> usize {
    heights(model, columns, rows).iter().sum()
}

fn heights(model: &Model, columns: usize, rows: usize) -> Vec<usize> {
    let own = if columns >= WIDE || rows < ROOMY_ROWS {
        1
    } else {
        2
    };
    let mut before = None;
    let groups = model
        .inbox
        .rows
        .iter()
        .map(|&at| model.records.get(at).map(Group::for_record));
    groups
        .map(|group| {
            let begins = group != before && group.is_some_and(|group| has_heading(group, rows));
            before = group;
            own + usize::from(begins)
        })
        .collect()
}

fn has_heading(group: Group, rows: usize) -> bool {
    rows >= HEADING_ROWS || (rows >= ROOMY_ROWS && group != Group::Waiting)
}

/// The rows of the list that fit around the cursor.
fn list(model: &Model, columns: usize, high: usize, rows: usize) -> Vec<ScreenRow> {
    let heights = heights(model, columns, rows);
    let focused = model.focused_row();
    let visible = visible_range(&heights, focused, high);
    let more = |id: &str, hidden: usize| {
        let text = || model.display.words.format(id, &[("count", hidden.into())]);
        (visible.marked && hidden > 0)
            .then(|| ScreenRow::indented(row::AGE).text(text(), Role::Dim))
    };
    let mut screen_rows: Vec<ScreenRow> =
        more("card-more-above", visible.first).into_iter().collect();
    for at in visible.first..visible.end {
        let Some(record) = model.shown(at) else { break };
        let before = at.checked_sub(1).and_then(|before| model.shown(before));
        let group = Group::for_record(record);
        if before.map(Group::for_record) != Some(group) && has_heading(group, rows) {
            screen_rows.push(heading(model, group, at, columns));
        }
        let is_focused = at == focused;
        if columns >= WIDE {
            screen_rows.push(
                row::wide(model, record, at, is_focused, columns).clickable(ClickTarget::Row(at)),
            );
        } else {
            let lines = row::narrow(model, record, at, is_focused, columns, rows < ROOMY_ROWS);
            screen_rows.extend(
                lines
                    .into_iter()
                    .map(|line| line.clickable(ClickTarget::Row(at))),
            );
        }
    }
    screen_rows.extend(more("card-more-below", heights.len() - visible.end));
    screen_rows.truncate(high);
    screen_rows
}

fn heading(model: &Model, group: Group, at: usize, columns: usize) -> ScreenRow {
    let words = model.display.words;
    let text = match group {
        Group::Waiting => words.say("inbox-group-waiting"),
        Group::Snoozed => words.say("inbox-group-snoozed"),
        Group::Late => words.say("inbox-group-late"),
        Group::Undelivered => words.say("inbox-group-kept"),
        Group::Sent => words.say("inbox-group-sent"),
    };
    let text = match group {
        _ if width(&text) < columns => text,
        Group::Late => words.say("inbox-group-late-short"),
        Group::Undelivered => words.say("inbox-group-kept-short"),
        Group::Waiting | Group::Snoozed | Group::Sent => text,
    };
    let screen_row = ScreenRow::indented(1).clipped(text, Role::Dim, columns);
    let sorted = (at == 0 && columns >= WIDE).then(|| words.say("inbox-sorted"));
    let right = ScreenRow::new().text(sorted.unwrap_or_default(), Role::Dim);
    screen_row.right(right, columns.saturating_sub(1))
}
