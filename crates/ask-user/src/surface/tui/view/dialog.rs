//! The layers that ask something: before a draft is left, why an ask is
//! declined, what is asked back, and whether a long answer may go out.

use ask_core::{AskId, Plain, Record};

use super::boxes::{FieldView, framed};
use super::card::bottom;
use super::footer::{Facts, hints};
use super::header;
use crate::surface::paper::field::Field;
use crate::surface::paper::text::wrap;
use crate::surface::paper::words;
use crate::surface::tui::geometry::{INDENT, field_columns};
use crate::surface::tui::model::{Card, Model, Over, Screen};
use crate::surface::tui::strip::{Strip, window};
use crate::surface::tui::style::Role;

/// What a dialog says, before it is fitted into the screen.
struct Dialog {
    title: String,
    /// What is said above; the first to go where rows are few.
    said: Vec<Strip>,
    /// What is chosen from or typed in.
    strips: Vec<Strip>,
    /// What is said below.
    after: Vec<Strip>,
}

impl Dialog {
    fn all(self) -> Vec<Strip> {
        [self.said, self.strips, self.after].concat()
    }
}

/// The whole screen while a dialog is open.
pub fn page(model: &Model, over: &Over, columns: usize, rows: usize) -> Vec<Strip> {
    let room = columns.saturating_sub(6).max(1);
    let dialog = match over {
        Over::Discard { row } => discard(model, *row, room),
        Over::Reason { field, .. } => reason(field, columns, rows),
        Over::AskBack { field, .. } => ask_back(field, columns, rows),
        Over::Long { question, .. } => long(model, *question, room),
        Over::Help { .. } | Over::Reader { .. } => Dialog {
            title: String::new(),
            said: Vec::new(),
            strips: Vec::new(),
            after: Vec::new(),
        },
    };
    let foot = hints(
        model,
        columns,
        if rows >= 18 { 2 } else { 1 },
        Facts::default(),
    );
    let record = record(model, over);
    let mut strips = Vec::new();
    if let Some(record) = record {
        strips.push(header::who(model, record, columns));
    }
    let rule = rows >= 10;
    if rule {
        strips.push(Strip::rule(columns));
    }
    let wish = dialog.said.len() + dialog.strips.len() + dialog.after.len() + 2;
    let free =
        |strips: &Vec<Strip>| rows.saturating_sub(strips.len() + foot.len() + usize::from(rule));
    if let Some(card) = model
        .card()
        .filter(|card| card.has_tabs() && free(&strips) > wish + 4)
    {
        strips.push(header::tabs(model, card, columns));
    }
    if let Some(record) = record.filter(|_| free(&strips) > wish) {
        let question = model.card().and_then(Card::question);
        let asked = question.map_or(record.ask.headline(), |question| &question.text);
        strips.push(Strip::indented(1).clipped(asked, Role::Strong, columns));
    }
    if free(&strips) > wish {
        strips.push(Strip::new());
    }
    let room = free(&strips);
    if room >= wish {
        strips.extend(framed(&dialog.title.clone(), dialog.all(), INDENT, columns));
    } else {
        // What has to be chosen is worth more than what it is called.
        let titled = dialog.strips.len() < room || dialog.strips.len() > room + 1;
        if titled {
            strips.push(Strip::indented(1).clipped(&dialog.title, Role::Strong, columns));
        }
        let room = room.saturating_sub(usize::from(titled));
        let mut rows = dialog.strips;
        for (more, above) in [(dialog.after, false), (dialog.said, true)] {
            let more: Vec<Strip> = more.into_iter().filter(|strip| strip.width() > 0).collect();
            if rows.len() + more.len() <= room {
                rows = if above {
                    [more, rows].concat()
                } else {
                    [rows, more].concat()
                };
            }
        }
        let rows: Vec<Vec<Strip>> = rows.into_iter().map(|strip| vec![strip]).collect();
        strips.extend(window(rows, room, 2));
    }
    bottom(&mut strips, None, rule, foot, columns, rows);
    strips
}

fn record<'a>(model: &'a Model, over: &'a Over) -> Option<&'a Record> {
    let by_id = |id: &AskId| model.record(id);
    match (over, &model.screen) {
        (_, Screen::Card(card)) => Some(&card.record),
        (_, Screen::Notice(notice)) => Some(&notice.record),
        (Over::Reason { id, .. } | Over::AskBack { id, .. } | Over::Reader { id, .. }, _) => {
            by_id(id)
        }
        (Over::Help { .. } | Over::Discard { .. } | Over::Long { .. }, Screen::Inbox) => None,
    }
}

fn discard(model: &Model, focused: usize, room: usize) -> Dialog {
    let given = model.card().map_or(0, |card| card.form.given());
    let asked = model.card().map_or(0, |card| card.form.entries.len());
    let touched = model.card().is_some_and(Card::is_touched);
    let waits = model.card().is_some_and(|card| card.record.waiters > 0);
    let title = match (given, touched) {
        (0, true) => "Discard what you typed?".to_owned(),
        (0, false) => "Leave this question?".to_owned(),
        _ => format!("Discard {}?", words::count(given, "answer", "answers")),
    };
    let state = if waits {
        "The agent is still waiting."
    } else {
        "The agent stopped waiting."
    };
    let said = match given {
        0 => state.to_owned(),
        _ => {
            let questions = words::count(asked, "question", "questions");
            format!("You have answered {given} of {questions}. {state}")
        }
    };
    let (leave, cancel) = match (room >= 60, model.is_one_shot()) {
        (true, true) => (
            "Leave it waiting; keep my draft",
            "Discard and cancel; tell the agent I cancelled",
        ),
        (true, false) => (
            "Leave it waiting; keep my draft, back to the list",
            "Discard and cancel; tell the agent I cancelled",
        ),
        (false, _) => ("Leave it, keep draft", "Discard and cancel"),
    };
    let ways = [
        ("Keep answering", "(Esc, n)"),
        (leave, "(l)"),
        (cancel, "(y)"),
        ("Decline with a reason ...", "(r)"),
    ];
    let mut above = vec![Strip::new()];
    above.extend(sentences(&said, room));
    above.push(Strip::new());
    let mut strips = Vec::new();
    for (at, (way, letter)) in ways.into_iter().enumerate() {
        strips.push(choice(at, way, letter, focused == at, room));
    }
    let mut after = vec![Strip::new()];
    after.extend(sentences("Nothing is sent until you choose 3 or 4.", room));
    Dialog {
        title,
        said: above,
        strips,
        after,
    }
}

fn choice(at: usize, way: &str, letter: &str, focused: bool, room: usize) -> Strip {
    let mut strip = Strip::indented(1);
    if focused {
        strip = strip.caret();
    }
    let (cursor, role) = if focused {
        ("›", Role::Focus)
    } else {
        (" ", Role::Text)
    };
    let row = strip
        .words(cursor, Role::Focus)
        .gap(1)
        .words(format!("{}.", at + 1), Role::Dim)
        .gap(1)
        .clipped(way, role, room + 1);
    let letter = Strip::new().words(letter, Role::Dim);
    row.right(letter, room.min(70)).focus(focused)
}

fn reason(field: &Field, columns: usize, rows: usize) -> Dialog {
    let said = "Why? The agent reads it. Empty means: no reason.";
    typed("Decline", said, field, "your reason", columns, rows)
}

fn ask_back(field: &Field, columns: usize, rows: usize) -> Dialog {
    let said = "What do you want to know? The agent gets this in place of an answer.";
    typed("Ask back", said, field, "your question", columns, rows)
}

fn typed(
    title: &str,
    said: &str,
    field: &Field,
    placeholder: &str,
    columns: usize,
    rows: usize,
) -> Dialog {
    let width = u16::try_from(columns).unwrap_or(u16::MAX);
    let view = FieldView {
        field,
        title,
        placeholder: Some(placeholder),
        typing: true,
        indent: 0,
        // The dialog's own frame lies around it.
        columns: field_columns(super::super::keys::Context::Reason, width),
    };
    let seen = field
        .rows(view.columns)
        .rows
        .len()
        .clamp(1, (rows / 3).max(1));
    let mut above = Vec::new();
    if rows >= 10 {
        above.extend(sentences(said, columns.saturating_sub(6).max(1)));
        above.push(Strip::new());
    }
    Dialog {
        title: title.to_owned(),
        said: above,
        strips: view.lines(seen, 1),
        after: Vec::new(),
    }
}

fn long(model: &Model, question: usize, room: usize) -> Dialog {
    let entry = model
        .card()
        .and_then(|card| card.form.entries.get(question));
    let count = entry.map_or(0, |entry| entry.field.count());
    let said = format!(
        "Answer is long ({} chars). Continue anyway? [Y/n]",
        words::thousands(count)
    );
    let mut strips = sentences(&said, room);
    if let Some(last) = strips.pop() {
        strips.push(last.gap(1).caret().focus(true));
    }
    Dialog {
        title: "A long answer".to_owned(),
        said: Vec::new(),
        strips,
        after: Vec::new(),
    }
}

fn sentences(words: &str, room: usize) -> Vec<Strip> {
    let rows = wrap(&Plain::line(words), room);
    rows.into_iter()
        .map(|row| Strip::indented(1).plain(row, Role::Text))
        .collect()
}
