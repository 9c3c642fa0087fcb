//! The key hints at the bottom, read from the key table.

use ask_config::keys::{Action, Context, FooterPriority, Only, Row, brief};
use ask_config::text::width;
use ask_core::Record;

use crate::tui::model::filter::Filter;
use crate::tui::model::{Card, Model, Screen};
use crate::tui::row::ScreenRow;
use crate::tui::style::Role;
use crate::tui::update::{Paths, take_back};
use crate::tui::view::header::WIDE;
use crate::ui::form::recommended;

/// Conditions of a hint besides the context.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// A text doesn't fit and can scroll.
    pub overflows: bool,
}

/// The hints for the keys that work now, in at most `most` rows.
pub(super) fn hints(model: &Model, columns: usize, most: usize, facts: Facts) -> Vec<ScreenRow> {
    let context = model.context();
    let keymap = &model.display.keys;
    let wide = columns >= WIDE;
    let rows = keymap
        .rows(context)
        .filter(|row| is_shown(model, row.binding.only, facts));
    let mut chosen: Vec<Item> = rows
        .filter_map(|row| item(model, context, row, wide))
        .collect();
    let fits = |chosen: &[Item], gap| wrap_hints(chosen, columns, gap).len() <= most.max(1);
    while !fits(&chosen, 3)
        && let Some(at) = chosen.iter().position(|item| item.priority == u8::MAX)
    {
        chosen.remove(at);
    }
    let gap = if wide && fits(&chosen, 3) { 3 } else { 2 };
    let enter = model.display.words.say("keys-enter");
    // Hints are shortened before any is left out: first their texts, then their keys to the first
    // one. Enter and the last two hints keep their long forms longest.
    for shorten in [Item::with_short_text, Item::with_first_key] {
        while wide && !fits(&chosen, gap) {
            let last = chosen.len().saturating_sub(2);
            let gain = |&at: &usize| chosen[at].width() - shorten(&chosen[at]).width();
            let middle = (0..chosen.len()).filter(|&at| at < last && chosen[at].keys != enter);
            let longest = middle.max_by_key(gain).filter(|at| gain(at) > 0);
            let longest = longest.or_else(|| (0..chosen.len()).max_by_key(gain));
            let Some(at) = longest.filter(|at| gain(at) > 0) else {
                break;
            };
            chosen[at] = shorten(&chosen[at]);
        }
    }
    // Enter and the last two hints, which open help and leave, are kept longest.
    while !fits(&chosen, gap) && chosen.len() > 1 {
        let last = chosen.len() - 1;
        let optional = (0..=last).filter(|&at| chosen[at].priority > 0);
        let optional = optional.max_by_key(|&at| chosen[at].priority);
        let removed = optional.or_else(|| {
            let mut middle = (0..last.saturating_sub(1)).rev();
            middle.find(|&at| chosen[at].keys != enter)
        });
        // The key of the help page is useful without its text.
        let keeps_key = chosen[last - 1].is_help && !chosen[last - 1].text.is_empty();
        match removed {
            None if keeps_key => chosen[last - 1].text.clear(),
            removed => _ = chosen.remove(removed.unwrap_or(last - 1)),
        }
    }
    wrap_hints(&chosen, columns, gap)
}

#[derive(Clone)]
struct Item {
    /// The names of the keys.
    keys: String,
    text: String,
    /// The name of the first key.
    key: String,
    /// A shorter text, if there is one.
    short: Option<String>,
    /// The order of leaving hints out: the greatest first, 0 last.
    priority: u8,
    /// Whether the hint leads to the help page.
    is_help: bool,
}

impl Item {
    /// The width in columns.
    fn width(&self) -> usize {
        width(&self.keys) + 1 + width(&self.text)
    }

    /// The hint with its short text, if it has one.
    fn with_short_text(&self) -> Self {
        let mut item = self.clone();
        if let Some(short) = item
            .short
            .take()
            .filter(|short| width(short) < width(&item.text))
        {
            item.text = short;
        }
        item
    }

    /// The hint with its first key only.
    fn with_first_key(&self) -> Self {
        let mut item = self.clone();
        if width(&item.key) < width(&item.keys) {
            item.keys.clone_from(&item.key);
        }
        item
    }
}

/// The text of a message of the key table, with arguments that depend on the ask.
pub(super) fn hint_text(model: &Model, id: &str) -> String {
    let several = model.card().is_some_and(Card::has_tabs);
    let late = model.card().is_some_and(Card::is_late);
    let go = match (several, late) {
        (true, _) => "on",
        (false, true) => "keep",
        (false, false) => "send",
    };
    // Esc leaves a field that is not the whole question, or in which something was typed.
    let in_field = match model.context_below_popup() {
        Context::Other | Context::Note => true,
        Context::Answering => model
            .card()
            .is_some_and(|card| card.is_touched() || card.was_changed_elsewhere()),
        _ => false,
    };
    let escape = match (&model.screen, model.esc_cancels()) {
        (Screen::Card(card), _) if card.filter().is_some_and(Filter::is_on) => "all",
        (Screen::Card(_), true) if in_field => "leave",
        (Screen::Card(card), true) if !card.record.is_open() => "leave",
        (Screen::Card(card), true) if card.is_touched() => "discard",
        (Screen::Card(_), true) => "cancel",
        (Screen::Card(_) | Screen::Inbox | Screen::Notice(_) | Screen::History(_), _) => "leave",
    };
    // A digit marks a choice. It sends only if the setting wants that and there is one question.
    let digit = if model.display.settings.digit_sends && !several {
        "sends"
    } else {
        "marks"
    };
    let no_match = model.paths.as_ref().is_some_and(Paths::has_no_match);
    let arguments = [
        ("go", go.into()),
        ("esc", escape.into()),
        ("digit", digit.into()),
        ("files", if no_match { "none" } else { "some" }.into()),
        ("muted", if model.is_muted() { "yes" } else { "no" }.into()),
    ];
    model.display.words.format(id, &arguments)
}

fn is_shown(model: &Model, only: Only, facts: Facts) -> bool {
    let notice = match &model.screen {
        Screen::Notice(notice) => Some(notice),
        Screen::Inbox | Screen::Card(_) | Screen::History(_) => None,
    };
    match only {
        Only::Always => true,
        Only::Listed => !model.records.is_empty(),
        Only::Held => take_back::held(model).is_some(),
        Only::Waits => model.focused().is_some_and(Record::is_open),
        Only::Tabs => model.card().is_some_and(Card::has_tabs),
        Only::Asks => !model.is_one_shot() && model.waiting().count() > 1,
        Only::Timed => is_timed(model),
        Only::Elsewhere => model.card().is_some_and(Card::was_changed_elsewhere),
        Only::Overflow => facts.overflows,
        Only::Previewed => model.card().is_some_and(Card::has_preview),
        Only::Recommended => model.card().is_some_and(Card::recommends),
        Only::Many => model.card().is_some_and(scrolls),
        Only::Draft => notice.is_some_and(|notice| notice.has_unsent_text() && !notice.shows_draft),
        Only::Filled => notice.is_some_and(|notice| notice.has_unsent_text()),
        Only::Unfilled => notice.is_some_and(|notice| !notice.has_unsent_text()),
        Only::EarlierAnswer => model
            .card()
            .is_some_and(|card| card.earlier_answer().is_some()),
        Only::Jump => true,
        Only::Help | Only::Recommending => false,
    }
}

/// Whether a key can do anything on the current screen.
pub(super) fn applies(model: &Model, only: Only) -> bool {
    match only {
        Only::Timed => is_timed(model),
        Only::Recommending => model.card().is_some_and(|card| {
            let mut questions = card.record.ask.questions.iter();
            questions.any(|question| !recommended(question).is_empty())
        }),
        Only::EarlierAnswer => model
            .card()
            .is_some_and(|card| card.record.earlier_answer.is_some()),
        Only::Previewed => model.card().is_none_or(|card| {
            let choices = card.question().map(|question| question.input.choices());
            let mut choices = choices.unwrap_or_default().iter();
            choices.any(|choice| choice.preview.is_some())
        }),
        Only::Always
        | Only::Listed
        | Only::Held
        | Only::Waits
        | Only::Tabs
        | Only::Asks
        | Only::Elsewhere
        | Only::Overflow
        | Only::Recommended
        | Only::Many
        | Only::Draft
        | Only::Filled
        | Only::Unfilled
        | Only::Jump
        | Only::Help => true,
    }
}

/// Whether the ask that a key applies to has a deadline.
fn is_timed(model: &Model) -> bool {
    let record = match model.card() {
        Some(card) => Some(&card.record),
        None => model.focused(),
    };
    record.is_some_and(|record| record.is_open() && record.deadline_at.is_some())
}

fn scrolls(card: &Card) -> bool {
    let offered = card.question().map_or(0, |question| question.input.len());
    offered > super::list::MAX_UNSCROLLED
}

fn item(model: &Model, context: Context, row: &Row, wide: bool) -> Option<Item> {
    let (words, short) = (row.binding.words, row.binding.short);
    let id = if wide { words } else { short };
    if id.is_empty() {
        return None;
    }
    let mate = model.display.keys.mate(context, row);
    let keys = brief(model.display.words, row, mate, wide);
    let priority = match row.binding.yields {
        FooterPriority::InTurn => 0,
        FooterPriority::Narrow(_) if wide => 0,
        FooterPriority::Narrow(rank) => rank,
        FooterPriority::First => u8::MAX,
    };
    (!keys.is_empty()).then(|| Item {
        keys,
        text: hint_text(model, id),
        key: brief(model.display.words, row, mate, false),
        short: (wide && !short.is_empty()).then(|| hint_text(model, short)),
        priority,
        is_help: row.binding.action == Action::Help,
    })
}

fn wrap_hints(items: &[Item], columns: usize, gap: usize) -> Vec<ScreenRow> {
    let mut screen_rows = Vec::new();
    let mut screen_row = ScreenRow::indented(1);
    let mut empty = true;
    for item in items {
        let (keys, text) = (&item.keys, &item.text);
        let item = ScreenRow::new()
            .text(keys, Role::Strong)
            .gap(usize::from(!text.is_empty()))
            .text(text, Role::Dim);
        let wide = screen_row.width() + item.width() + if empty { 0 } else { gap };
        if !empty && wide > columns {
            screen_rows.push(screen_row);
            screen_row = ScreenRow::indented(1);
            empty = true;
        }
        if !empty {
            screen_row = screen_row.gap(gap);
        }
        screen_row = screen_row.append(item);
        empty = false;
    }
    screen_rows.push(screen_row);
    screen_rows
}
