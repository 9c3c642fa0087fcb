//! The hints at the bottom, read from the key table: what the keys do right here.

use crate::surface::tui::keys::{Binding, Only, rows};
use crate::surface::tui::model::{Card, Model, Screen};
use crate::surface::tui::strip::Strip;
use crate::surface::tui::style::Role;
use crate::surface::tui::view::header::WIDE;

/// What the hints depend on besides the context.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Some text doesn't fit.
    pub overflows: bool,
}

/// The hints for the keys that work now, in at most so many rows.
pub fn hints(model: &Model, columns: usize, most: usize, facts: Facts) -> Vec<Strip> {
    let context = model.context();
    let wide = columns >= WIDE;
    let items: Vec<(String, String)> = rows(context)
        .filter(|row| is_worth(model, row, facts))
        .filter_map(|row| item(model, row, wide))
        .collect();
    let gap = if wide { 3 } else { 2 };
    // Enter, and the last two that say how to learn more and how to get out, stay longest.
    let mut chosen: Vec<&(String, String)> = items.iter().collect();
    while flow(&chosen, columns, gap).len() > most.max(1) && chosen.len() > 1 {
        let last = chosen.len() - 1;
        let spare = (0..last.saturating_sub(1))
            .rev()
            .find(|&at| chosen[at].0 != "Enter");
        chosen.remove(spare.unwrap_or(last - 1));
    }
    flow(&chosen, columns, gap)
}

/// Words of the table with what depends on the ask filled in.
pub fn filled(model: &Model, words: &str, wide: bool) -> String {
    let several = model.card().is_some_and(Card::has_tabs);
    let go = match (several, wide) {
        (true, true) => "go on",
        (true, false) => "next",
        (false, _) => "send",
    };
    let escape = match (&model.screen, model.is_one_shot()) {
        (Screen::Card(card), true) if card.is_touched() => "discard ...",
        (Screen::Card(_), true) => "cancel",
        (Screen::Card(_), false) if wide => "leave (draft is kept)",
        (Screen::Card(_) | Screen::Inbox | Screen::Notice(_), _) => "out",
    };
    words.replace("{go}", go).replace("{esc}", escape)
}

fn is_worth(model: &Model, row: &Binding, facts: Facts) -> bool {
    let notice = match &model.screen {
        Screen::Notice(notice) => Some(notice),
        Screen::Inbox | Screen::Card(_) => None,
    };
    match row.only {
        Only::Always => true,
        Only::Listed => !model.records.is_empty(),
        Only::Tabs => model.card().is_some_and(Card::has_tabs),
        Only::Asks => !model.is_one_shot() && model.waiting().count() > 1,
        Only::Overflow => facts.overflows,
        Only::Draft => notice.is_some_and(|notice| notice.draft.is_some() && !notice.opened),
        Only::Filled => notice.is_some_and(|notice| notice.draft.is_some()),
        Only::Unfilled => notice.is_some_and(|notice| notice.draft.is_none()),
        Only::Help => false,
    }
}

fn item(model: &Model, row: &Binding, wide: bool) -> Option<(String, String)> {
    let words = if wide { row.words } else { row.short };
    if words.is_empty() {
        return None;
    }
    let first = row.keys.split('/').next().unwrap_or(row.keys);
    let keys = if wide { row.keys } else { first };
    Some((keys.to_owned(), filled(model, words, wide)))
}

fn flow(items: &[&(String, String)], columns: usize, gap: usize) -> Vec<Strip> {
    let mut strips = Vec::new();
    let mut strip = Strip::indented(1);
    let mut empty = true;
    for (keys, words) in items {
        let item = Strip::new()
            .words(keys, Role::Strong)
            .gap(1)
            .words(words, Role::Dim);
        let wide = strip.width() + item.width() + if empty { 0 } else { gap };
        if !empty && wide > columns {
            strips.push(strip);
            strip = Strip::indented(1);
            empty = true;
        }
        if !empty {
            strip = strip.gap(gap);
        }
        strip = strip.then(item);
        empty = false;
    }
    strips.push(strip);
    strips
}
