//! The dialogs: before a card is left, why an ask is declined, a question to the agent, a file's
//! path, and whether a long answer may be sent.

use ask_config::i18n::Words;
use ask_config::keys::{Action, Context, KeyPress};
use ask_config::snooze::{LENGTHS, Length};
use ask_config::text::wrap;
use ask_core::devices::Device;
use ask_core::record::Snooze;
use ask_core::{AskId, Record, SafeText};
use ask_hub::surface::labels;
use ask_hub::surface::labels::clock;

use super::card::bottom;
use super::footer::{Facts, hints};
use super::frames::{FieldView, framed};
use super::header;
use crate::tui::geometry::{INDENT, field_columns};
use crate::tui::model::{Card, Model, Overlay, Screen, Sessions};
use crate::tui::row::{ClickTarget, ScreenRow, window};
use crate::tui::style::Role;
use crate::ui::text_field::Field;

/// Below this width the end of a snooze isn't shown.
const ROOM: usize = 30;
/// How many actions of the discard dialog have a digit.
const DIGIT_CHOICES: u8 = 4;

/// The content of a dialog before it is fitted to the screen.
struct Dialog {
    title: String,
    /// The text above the choices. It is left out first if rows are few.
    text_above: Vec<ScreenRow>,
    /// The choices or the field.
    screen_rows: Vec<ScreenRow>,
    /// The text below the choices.
    text_below: Vec<ScreenRow>,
}

impl Dialog {
    fn all_rows(self) -> Vec<ScreenRow> {
        [self.text_above, self.screen_rows, self.text_below].concat()
    }
}

/// The whole screen while a dialog is open.
pub(super) fn page(
    model: &Model,
    overlay: &Overlay,
    columns: usize,
    rows: usize,
) -> Vec<ScreenRow> {
    let mut dialog = dialog(model, overlay, columns.saturating_sub(6), columns, rows);
    let foot = hints(
        model,
        columns,
        if rows >= 18 { 2 } else { 1 },
        Facts::default(),
    );
    let record = record(model, overlay);
    let mut screen_rows = Vec::new();
    if let Some(record) = record {
        screen_rows.push(header::asker_row(model, record, columns));
    }
    let rule = rows >= 10;
    if rule {
        screen_rows.push(ScreenRow::rule(columns));
    }
    let preferred =
        dialog.text_above.len() + dialog.screen_rows.len() + dialog.text_below.len() + 2;
    let free = |screen_rows: &Vec<ScreenRow>| {
        rows.saturating_sub(screen_rows.len() + foot.len() + usize::from(rule))
    };
    if let Some(card) = model
        .card()
        .filter(|card| card.has_tabs() && free(&screen_rows) > preferred + 4)
    {
        screen_rows.push(header::tabs(model, card, columns));
    }
    if let Some(record) = record.filter(|_| free(&screen_rows) > preferred) {
        let question = model.card().and_then(Card::question);
        let asked = question.map_or_else(|| record.ask.name(), |question| question.words());
        screen_rows.push(ScreenRow::indented(1).clipped(asked.as_str(), Role::Strong, columns));
    }
    if free(&screen_rows) > preferred {
        screen_rows.push(ScreenRow::new());
    }
    let room = free(&screen_rows);
    if room >= preferred {
        screen_rows.extend(framed(
            &dialog.title.clone(),
            dialog.all_rows(),
            INDENT,
            columns,
        ));
    } else {
        // Without a frame there are more columns.
        dialog = self::dialog(model, overlay, columns.saturating_sub(1), columns, rows);
        // The choices are more important than the title.
        let titled = dialog.screen_rows.len() < room || dialog.screen_rows.len() > room + 1;
        let title = ScreenRow::indented(1).clipped(&dialog.title, Role::Strong, columns);
        let mut room = room;
        match screen_rows.first_mut() {
            // Who asks was visible on the card, so the title takes that row.
            Some(who) if record.is_some() && !rule => *who = title,
            _ if titled => {
                screen_rows.push(title);
                room = room.saturating_sub(1);
            }
            Some(_) | None => {}
        }
        let mut rows = dialog.screen_rows;
        for (more, above) in [(dialog.text_below, false), (dialog.text_above, true)] {
            let more: Vec<ScreenRow> = more
                .into_iter()
                .filter(|screen_row| screen_row.width() > 0)
                .collect();
            if rows.len() + more.len() <= room {
                rows = if above {
                    [more, rows].concat()
                } else {
                    [rows, more].concat()
                };
            }
        }
        // An action of several rows stays together.
        let mut items: Vec<Vec<ScreenRow>> = Vec::new();
        for row in rows {
            let target = |row: &ScreenRow| row.target_at(0);
            let before = items.last().and_then(|item| item.last());
            match (before.and_then(target), target(&row), items.last_mut()) {
                (Some(before), Some(own), Some(item)) if before == own => item.push(row),
                _ => items.push(vec![row]),
            }
        }
        screen_rows.extend(window(model.display.words, items, room, 2));
    }
    bottom(&mut screen_rows, None, rule, foot, columns, rows);
    screen_rows
}

/// The content of a dialog.
fn dialog(model: &Model, overlay: &Overlay, room: usize, columns: usize, rows: usize) -> Dialog {
    let room = room.max(1);
    match overlay {
        Overlay::Discard { row } => discard(model, *row, room),
        Overlay::Snooze { row, .. } => snooze(model, *row, room),
        Overlay::Sessions(shown) => sessions(model, shown, room),
        Overlay::Reason { field, .. } => reason(model.display.words, field, columns, rows),
        Overlay::AskBack { field, .. } => ask_back(model.display.words, field, columns, rows),
        Overlay::Attach { field, error, .. } => {
            attach(model.display.words, field, error.as_deref(), columns, rows)
        }
        Overlay::Long { question, .. } => long_answer(model, *question, room),
        Overlay::Help { .. } | Overlay::Reader { .. } | Overlay::Preview { .. } => Dialog {
            title: String::new(),
            text_above: Vec::new(),
            screen_rows: Vec::new(),
            text_below: Vec::new(),
        },
    }
}

/// The record that an overlay is about.
pub(super) fn record<'a>(model: &'a Model, overlay: &'a Overlay) -> Option<&'a Record> {
    let by_id = |id: &AskId| model.record(id);
    match (overlay, &model.screen) {
        (_, Screen::Card(card)) => Some(&card.record),
        (_, Screen::Notice(notice)) => Some(&notice.record),
        (
            Overlay::Snooze { id, .. }
            | Overlay::Reason { id, .. }
            | Overlay::AskBack { id, .. }
            | Overlay::Reader { id, .. },
            _,
        ) => by_id(id),
        (
            Overlay::Help { .. }
            | Overlay::Preview { .. }
            | Overlay::Sessions(_)
            | Overlay::Discard { .. }
            | Overlay::Attach { .. }
            | Overlay::Long { .. },
            Screen::Inbox | Screen::History(_),
        ) => None,
    }
}

/// The lengths of a snooze, with its end.
fn snooze(model: &Model, focused: usize, room: usize) -> Dialog {
    let words = model.display.words;
    let until = |length: Length| match length.snooze(model.now, &model.display.zone) {
        Snooze::Until(at) => clock(at, &model.display.zone),
        Snooze::AskedAgain => String::new(),
    };
    let length_text = |length: Length| match length {
        Length::Minutes(60) if room < ROOM => words.say("inbox-snooze-hour-short"),
        Length::Minutes(60) => words.format("inbox-snooze-hour", &[("at", until(length).into())]),
        Length::Minutes(minutes) => {
            let arguments = [("count", minutes.into()), ("at", until(length).into())];
            if room < ROOM {
                words.format("inbox-snooze-minutes-short", &arguments[..1])
            } else {
                words.format("inbox-snooze-minutes", &arguments)
            }
        }
        Length::Tomorrow => words.format("inbox-snooze-tomorrow", &[("at", until(length).into())]),
        Length::AskedAgain => words.say("inbox-snooze-asked-again"),
    };
    let row = |(at, length): (usize, &Length)| {
        let text = format!("{}. {}", at + 1, length_text(*length));
        choice_row(at, text, at == focused, room)
    };
    let key = super::inbox::key(model, Context::Inbox, Action::Snooze);
    Dialog {
        title: words.say("inbox-snooze-title"),
        text_above: Vec::new(),
        screen_rows: LENGTHS.iter().enumerate().map(row).collect(),
        text_below: wrapped_rows(
            &words.format("inbox-snooze-says", &[("key", key.into())]),
            room,
        ),
    }
}

/// Who is signed in, and the question whether to sign one of them out.
fn sessions(model: &Model, shown: &Sessions, room: usize) -> Dialog {
    let words = model.display.words;
    let name = |device: &Device| SafeText::line(&device.name).to_string();
    let key = |action| super::inbox::key(model, Context::Sessions, action);
    let mut dialog = Dialog {
        title: words.say("inbox-sessions"),
        text_above: Vec::new(),
        screen_rows: Vec::new(),
        text_below: Vec::new(),
    };
    let Some(devices) = &shown.devices else {
        return dialog;
    };
    if shown.asked {
        let arguments = [("key", key(Action::Yes).into())];
        let question = match devices.get(shown.row) {
            Some(device) => {
                let arguments = [("name", name(device).into()), arguments[0].clone()];
                words.format("inbox-sessions-sure", &arguments)
            }
            None => words.format("inbox-sessions-sure-all", &arguments),
        };
        dialog.screen_rows = wrapped_rows(&question, room);
        return dialog;
    }
    if devices.is_empty() {
        let key = super::inbox::key(model, Context::Inbox, Action::PageLink);
        let none = words.format("inbox-sessions-none", &[("key", key.into())]);
        dialog.screen_rows = wrapped_rows(&none, room);
        return dialog;
    }
    let row = |(at, device): (usize, &Device)| {
        let seen = if device.here {
            words.say("inbox-sessions-here")
        } else {
            let at = labels::moment(words, device.last_seen, model.now, &model.display.zone);
            words.format("inbox-sessions-seen", &[("at", at.into())])
        };
        let text = format!("{} · {seen}", name(device));
        choice_row(at, text, at == shown.row, room)
    };
    dialog.screen_rows = devices.iter().enumerate().map(row).collect();
    let (all, last) = (words.say("inbox-sessions-all"), devices.len());
    dialog
        .screen_rows
        .push(choice_row(last, all, last == shown.row, room));
    dialog
}

/// A row of a list of choices.
fn choice_row(at: usize, text: String, is_focused: bool, room: usize) -> ScreenRow {
    let screen_row = if is_focused {
        ScreenRow::new().caret().text("›", Role::Focus)
    } else {
        ScreenRow::indented(1)
    };
    let role = if is_focused { Role::Focus } else { Role::Text };
    let screen_row = screen_row
        .gap(1)
        .clipped(text, role, room)
        .focus(is_focused);
    screen_row.clickable(ClickTarget::Choice(at))
}

fn discard(model: &Model, focused: usize, room: usize) -> Dialog {
    let words = model.display.words;
    let given = model.card().map_or(0, |card| card.form.answered_count());
    let asked = model.card().map_or(0, |card| card.form.entries.len());
    let touched = model.card().is_some_and(Card::is_touched);
    let waits = model.card().is_some_and(|card| card.record.waiters > 0);
    let facts = [("given", given.into()), ("asked", asked.into())];
    let title = match (given, touched) {
        (0, true) => words.say("card-discard-typed"),
        (0, false) => words.say("card-discard-nothing"),
        _ => words.format("card-discard-answers", &facts),
    };
    let mut text = match given {
        0 => String::new(),
        _ => words.format("card-discard-given", &facts) + " ",
    };
    text.push_str(&if waits {
        words.say("card-agent-waits")
    } else {
        words.say("card-agent-stopped")
    });
    let (leave, cancel) = match (room >= 60, model.is_one_shot()) {
        (true, true) => (
            words.say("card-discard-leave"),
            words.say("card-discard-cancel"),
        ),
        (true, false) => (
            words.say("card-discard-leave-list"),
            words.say("card-discard-cancel"),
        ),
        (false, _) => (
            words.say("card-discard-leave-short"),
            words.say("card-discard-cancel-short"),
        ),
    };
    let taken_over = model.card().is_some_and(Card::is_taken_over);
    let choices = [
        (words.say("card-discard-stay"), Action::Escape),
        (leave, Action::Leave),
        (cancel, Action::Yes),
        (words.say("card-discard-decline"), Action::Decline),
        (words.say("card-discard-hand-back"), Action::HandBack),
    ];
    let choices = choices.into_iter().take(if taken_over { 5 } else { 4 });
    let mut above = vec![ScreenRow::new()];
    above.extend(wrapped_rows(&text, room));
    above.push(ScreenRow::new());
    let mut screen_rows = Vec::new();
    for (at, (label, action)) in choices.enumerate() {
        let letters = format!(
            "({})",
            model
                .display
                .keys
                .names(words, Context::Discard, action)
                .join(", ")
        );
        screen_rows.extend(choice(at, &label, &letters, focused == at, room));
    }
    let keys = |number: usize, action| choice_key(model, number, action);
    let arguments = [
        ("ways", if taken_over { 3 } else { 2 }.into()),
        ("cancel", keys(3, Action::Yes).into()),
        ("decline", keys(4, Action::Decline).into()),
        ("back", keys(5, Action::HandBack).into()),
    ];
    let mut text_below = vec![ScreenRow::new()];
    text_below.extend(wrapped_rows(
        &words.format("card-discard-safe", &arguments),
        room,
    ));
    Dialog {
        title,
        text_above: above,
        screen_rows,
        text_below,
    }
}

/// The key that chooses an action of the discard dialog: its digit if digits are bound, otherwise
/// its letter.
fn choice_key(model: &Model, number: usize, action: Action) -> String {
    let mut numbers = model.display.keys.rows(Context::Discard);
    let numbered = numbers.any(|row| {
        matches!(row.binding.action, Action::Number(_))
            && row.presses.contains(&KeyPress::Digits(DIGIT_CHOICES))
    });
    if numbered {
        number.to_string()
    } else {
        super::inbox::key(model, Context::Discard, action)
    }
}

fn choice(at: usize, text: &str, letter: &str, focused: bool, room: usize) -> Vec<ScreenRow> {
    let mut screen_row = ScreenRow::indented(1);
    if focused {
        screen_row = screen_row.caret();
    }
    let (cursor, role) = if focused {
        ("›", Role::Focus)
    } else {
        (" ", Role::Text)
    };
    let row = screen_row
        .text(cursor, Role::Focus)
        .gap(1)
        .text(format!("{}.", at + 1), Role::Dim)
        .gap(1);
    let indent = row.width();
    let mut lines = wrap(
        &SafeText::line(text),
        (room + 1).saturating_sub(indent).max(1),
    )
    .into_iter();
    let row = match lines.next() {
        Some(line) => row.safe_text(line, role),
        None => row,
    };
    let letter = ScreenRow::new().text(letter, Role::Dim);
    let row = row.right(letter, room.min(70)).focus(focused);
    let more = lines.map(|line| ScreenRow::indented(indent).safe_text(line, role));
    let rows = std::iter::once(row).chain(more);
    rows.map(|row| row.clickable(ClickTarget::Choice(at)))
        .collect()
}

/// The texts of a dialog with a field.
struct FieldTexts {
    title: String,
    /// The sentence above the field.
    explanation: String,
    placeholder: String,
}

fn reason(words: Words, field: &Field, columns: usize, rows: usize) -> Dialog {
    let texts = FieldTexts {
        title: words.say("card-decline"),
        explanation: words.say("card-decline-why"),
        placeholder: words.say("card-decline-hint"),
    };
    field_dialog(words, texts, field, columns, rows)
}

fn ask_back(words: Words, field: &Field, columns: usize, rows: usize) -> Dialog {
    let texts = FieldTexts {
        title: words.say("card-ask-back"),
        explanation: words.say("card-ask-back-what"),
        placeholder: words.say("card-ask-back-hint"),
    };
    field_dialog(words, texts, field, columns, rows)
}

fn attach(words: Words, field: &Field, error: Option<&str>, columns: usize, rows: usize) -> Dialog {
    let texts = FieldTexts {
        title: words.say("text-attach"),
        explanation: words.say("text-attach-how"),
        placeholder: words.say("text-attach-hint"),
    };
    let mut dialog = field_dialog(words, texts, field, columns, rows);
    if let Some(error) = error {
        let room = columns.saturating_sub(6).max(1);
        let rows = wrapped_rows(error, room).into_iter();
        let rows = rows.map(|screen_row| screen_row.with_role(Role::Warning));
        // The error is more important than the rest.
        dialog.screen_rows.extend(rows);
    }
    dialog
}

fn field_dialog(
    words: Words,
    texts: FieldTexts,
    field: &Field,
    columns: usize,
    rows: usize,
) -> Dialog {
    let width = u16::try_from(columns).unwrap_or(u16::MAX);
    let view = FieldView {
        words,
        field,
        title: texts.title.clone(),
        placeholder: Some(&texts.placeholder),
        typing: true,
        indent: 0,
        // The frame of the dialog takes these columns already.
        columns: field_columns(Context::Reason, width),
    };
    let seen = field
        .rows(view.columns)
        .rows
        .len()
        .clamp(1, (rows / 3).max(1));
    let mut above = Vec::new();
    if rows >= 10 {
        above.extend(wrapped_rows(
            &texts.explanation,
            columns.saturating_sub(6).max(1),
        ));
        above.push(ScreenRow::new());
    }
    let screen_rows = view.lines(seen, 1);
    Dialog {
        title: texts.title,
        text_above: above,
        screen_rows,
        text_below: Vec::new(),
    }
}

fn long_answer(model: &Model, question: usize, room: usize) -> Dialog {
    let entry = model
        .card()
        .and_then(|card| card.form.entries.get(question));
    let count = entry.map_or(0, |entry| entry.field.count());
    let words = model.display.words;
    let chars = labels::thousands(words, count);
    let text = words.format("card-long-sure", &[("chars", chars.into())]);
    let mut screen_rows = wrapped_rows(&text, room);
    if let Some(last) = screen_rows.pop() {
        screen_rows.push(last.gap(1).caret().focus(true));
    }
    Dialog {
        title: words.say("card-long"),
        text_above: Vec::new(),
        screen_rows,
        text_below: Vec::new(),
    }
}

fn wrapped_rows(words: &str, room: usize) -> Vec<ScreenRow> {
    let rows = wrap(&SafeText::line(words), room);
    rows.into_iter()
        .map(|row| ScreenRow::indented(1).safe_text(row, Role::Text))
        .collect()
}
