//! One ask: who asks, the tabs, the question, its rows and the keys.

use ask_core::{Plain, time};

use super::footer::{Facts, hints};
use super::list::List;
use super::plan::{Plan, Wants};
use super::{Page, header, review};
use crate::surface::paper::text::wrap;
use crate::surface::paper::words;
use crate::surface::tui::model::{Card, Model};
use crate::surface::tui::strip::Strip;
use crate::surface::tui::style::Role;

/// What a card is made of before rows are shared out.
struct Parts {
    heading: Option<String>,
    prose: Vec<Strip>,
    message: Option<Strip>,
    plan: Plan,
}

/// The whole screen of a card.
pub fn page(model: &Model, card: &Card, columns: usize, rows: usize) -> Vec<Strip> {
    let Some(list) = list(card, columns, rows) else {
        return review::page(model, card, columns, rows);
    };
    let parts = parts(model, card, &list, columns, rows);
    let plan = parts.plan;
    let mut strips = top(model, card, plan.who, plan.top_rule, plan.tabs, columns);
    if let Some(heading) = parts.heading.filter(|_| plan.heading) {
        strips.push(Strip::indented(1).clipped(heading, Role::Dim, columns));
    }
    let overflows = plan.prose < parts.prose.len();
    strips.extend(scrolled(parts.prose, plan.prose, card.prose_top, columns));
    if plan.gap {
        strips.push(Strip::new());
    }
    let mut body = list.strips(plan.list);
    if card.is_guarded(model.now) || card.sending {
        body = body
            .into_iter()
            .map(|strip| strip.toned(Role::Dim))
            .collect();
    }
    strips.extend(body);
    let foot = hints(model, columns, plan.hints, Facts { overflows });
    bottom(
        &mut strips,
        parts.message,
        plan.bottom_rule,
        foot,
        columns,
        rows,
    );
    strips
}

/// How much of the question and its context is seen.
pub fn prose(model: &Model, card: &Card, columns: usize, rows: usize) -> Page {
    let Some(list) = list(card, columns, rows) else {
        return Page::default();
    };
    let parts = parts(model, card, &list, columns, rows);
    let (total, room) = (parts.prose.len(), parts.plan.prose);
    let shown = if total > room && room > 1 {
        room - 1
    } else {
        room
    };
    Page { total, shown }
}

/// The lines above the question.
pub fn top(
    model: &Model,
    card: &Card,
    who: bool,
    rule: bool,
    tabs: bool,
    columns: usize,
) -> Vec<Strip> {
    let mut strips = Vec::new();
    if who {
        strips.push(header::who(model, &card.record, columns));
    }
    if rule {
        strips.push(Strip::rule(columns));
    }
    if tabs {
        strips.push(header::tabs(model, card, columns));
    }
    strips
}

/// Fills up and adds what stands at the bottom: a message, a rule, the hints.
pub fn bottom(
    strips: &mut Vec<Strip>,
    message: Option<Strip>,
    rule: bool,
    hints: Vec<Strip>,
    columns: usize,
    rows: usize,
) {
    let used = strips.len() + usize::from(message.is_some()) + usize::from(rule) + hints.len();
    strips.extend((used..rows).map(|_| Strip::new()));
    strips.extend(message);
    if rule {
        strips.push(Strip::rule(columns));
    }
    strips.extend(hints);
}

/// The line for the person, if there is something to say.
pub fn message(model: &Model, card: &Card, columns: usize) -> Option<Strip> {
    let line = |words: &str, role| Some(Strip::indented(1).clipped(words, role, columns));
    if card.sending {
        return line("Sending ...", Role::Warning);
    }
    if let Some(remark) = &card.remark {
        return line(remark, Role::Warning);
    }
    if !model.linked {
        return line(
            "Reconnecting; go on typing, nothing is lost.",
            Role::Warning,
        );
    }
    if card.record.waiters == 0 {
        return line(words::AGENT_LEFT, Role::Warning);
    }
    if let Some(at) = card.record.repeats() {
        let ago = time::brief(model.now.since_ms(at));
        return line(&words::repeats(&ago), Role::Warning);
    }
    None
}

fn list(card: &Card, columns: usize, rows: usize) -> Option<List<'_>> {
    Some(List {
        question: card.question()?,
        entry: card.form.entries.get(card.tab)?,
        spot: card.spot(),
        columns,
        rows,
    })
}

fn parts(model: &Model, card: &Card, list: &List<'_>, columns: usize, rows: usize) -> Parts {
    let prose = prose_strips(card, list, columns);
    let heading = heading(card, list);
    let message = message(model, card, columns);
    let [list_least, list_short, list_focused, list_full] = list.wishes();
    let plan = Plan::new(Wants {
        tabs: card.has_tabs(),
        heading: heading.is_some(),
        prose: prose.len(),
        list_least,
        list_short,
        list_focused,
        list_full,
        message: message.is_some(),
        hints: hints(model, columns, 2, Facts::default()).len(),
        rows,
    });
    Parts {
        heading,
        prose,
        message: message.filter(|_| plan.message),
        plan,
    }
}

fn heading(card: &Card, list: &List<'_>) -> Option<String> {
    let title = card.record.ask.title.as_deref();
    let label = list.question.label.as_deref();
    let words: Vec<&str> = [title, label]
        .into_iter()
        .flatten()
        .filter(|words| !words.trim().is_empty())
        .collect();
    (!words.is_empty()).then(|| words.join(" · "))
}

fn prose_strips(card: &Card, list: &List<'_>, columns: usize) -> Vec<Strip> {
    let room = columns.saturating_sub(2).max(1);
    let rows = |words: &str, role| {
        let rows = wrap(&Plain::block(words.trim()), room);
        rows.into_iter()
            .map(move |row| Strip::indented(1).plain(row, role))
    };
    let question = list.question;
    let mut text = question.text.clone();
    let chosen = list.entry.chosen();
    if question.input.is_many() && !question.input.is_empty() {
        text.push_str(&match chosen {
            0 => "  (choose any)".to_owned(),
            _ => format!("  (choose any; {chosen} chosen)"),
        });
    }
    if !question.required {
        text.push_str("  (optional)");
    }
    let mut strips: Vec<Strip> = rows(&text, Role::Strong).collect();
    if let Some(context) = card.record.ask.context.as_deref() {
        strips.extend(rows(context, Role::Dim));
    }
    strips
}

/// So many rows from the first one shown on; the last says what is hidden.
fn scrolled(prose: Vec<Strip>, rows: usize, top: usize, columns: usize) -> Vec<Strip> {
    let total = prose.len();
    if total <= rows || rows < 2 {
        let last = total.saturating_sub(rows.max(1));
        return prose.into_iter().skip(top.min(last)).take(rows).collect();
    }
    let shown = rows - 1;
    let top = top.min(total - shown);
    let mut strips: Vec<Strip> = prose.into_iter().skip(top).take(shown).collect();
    let below = total - top - shown;
    let words = match (top, below) {
        (0, _) => format!("↓ {below} more lines (PgDn, i reads all)"),
        (_, 0) => format!("↑ {top} more lines (PgUp)"),
        (_, _) => format!("↑ {top}  ↓ {below} more lines"),
    };
    strips.push(Strip::indented(1).clipped(words, Role::Dim, columns));
    strips
}
