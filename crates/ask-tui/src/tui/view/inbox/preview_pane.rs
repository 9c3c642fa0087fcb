//! The preview pane: the ask under the cursor, with its asker, place, context and questions. It
//! scrolls.

use ask_config::i18n::Words;
use ask_config::keys::{Action, Context};
use ask_config::text::wrap_clamped;
use ask_core::record::{InClient, Snooze};
use ask_core::{Record, SafeText};
use ask_hub::surface::labels;

use super::key;
use crate::tui::model::Model;
use crate::tui::row::{ELLIPSIS, ScreenRow};
use crate::tui::style::Role;
use crate::tui::view::Page;
use crate::tui::view::markdown::{self, BaseStyle};

/// The limits of one text in characters and rows. The reader shows the rest.
const CHARACTERS: usize = 8_000;
const ROWS: usize = 100;
/// The width of the labels, and the width of the pane from which they appear, in columns.
const LABEL: usize = 10;
const LABELLED: usize = 40;

pub(super) fn screen_rows(model: &Model, columns: usize, rows: usize) -> Vec<ScreenRow> {
    let all = all_rows(model, columns);
    let page = page(all.len(), rows);
    let top = model.inbox.top.min(page.total.saturating_sub(page.shown));
    let mut screen_rows: Vec<ScreenRow> = all.into_iter().skip(top).take(page.shown).collect();
    if page.total > page.shown && rows > page.shown {
        let arguments = [
            ("key", key(model, Context::Inbox, Action::Read).into()),
            ("count", page.total.into()),
        ];
        let words = model.display.words.format("inbox-read-all", &arguments);
        let words = ScreenRow::new().clipped(words, Role::Dim, columns);
        let left = columns.saturating_sub(words.width()) / 2;
        screen_rows.push(ScreenRow::indented(left).append(words));
    }
    screen_rows
}

/// The size of the pane's content.
pub(super) fn extent(model: &Model, columns: usize, rows: usize) -> Page {
    page(all_rows(model, columns).len(), rows)
}

fn page(total: usize, rows: usize) -> Page {
    let shown = if total > rows && rows > 1 {
        rows - 1
    } else {
        rows
    };
    Page { total, shown }
}

fn all_rows(model: &Model, columns: usize) -> Vec<ScreenRow> {
    let Some(record) = model.focused() else {
        return Vec::new();
    };
    let mut pane = Pane {
        screen_rows: Vec::new(),
        columns,
    };
    pane.add(record.ask.name().as_str(), 2, Role::Strong);
    for line in [asker_lines(model, record), place(model, record)] {
        pane.add(&line.join(" · "), 3, Role::Dim);
    }
    if let Some((text, role)) = status(model, record) {
        pane.add(&text, 2, role);
    }
    pane.screen_rows.push(ScreenRow::new());
    let words = model.display.words;
    if let Some(context) = &record.ask.context {
        pane.prose(&words.say("inbox-context"), context, words);
        pane.screen_rows.push(ScreenRow::new());
    }
    for question in &record.ask.questions {
        pane.prose(&words.say("inbox-question"), &question.text, words);
        let labels =
            (0..question.input.len()).filter_map(|at| labels::label(words, &question.input, at));
        let labels: Vec<String> = labels.take(ROWS).collect();
        if !labels.is_empty() {
            pane.choices(&labels.join("  /  "));
        }
    }
    pane.screen_rows
}

/// Who asks: the client's name from the protocol, apart from the name that the agent gives itself.
fn asker_lines(model: &Model, record: &Record) -> Vec<String> {
    let (words, asker) = (model.display.words, &record.asker);
    let labelled = |id, name: &'static str, value: &str| {
        words.format(
            id,
            &[(name, SafeText::line(value).as_str().to_owned().into())],
        )
    };
    let mut name = labels::asker_label(words, asker).to_owned();
    if let Some(version) = &asker.version {
        name = format!("{name} {version}");
    }
    let by = match &asker.client {
        _ if asker.is_shell() => words.say("inbox-asked-from-shell"),
        Some(_) => labelled("inbox-asked-by-client", "name", &name),
        None => labelled("inbox-asked-by", "name", &name),
    };
    let mut parts = vec![by];
    if let (Some(agent), true) = (&asker.agent, asker.client.is_some()) {
        parts.push(labelled("inbox-calls-itself", "agent", agent));
    }
    if let Some(session) = &asker.session {
        let short: String = session.chars().take(8).collect();
        parts.push(labelled("inbox-session", "session", &short));
    }
    parts
}

fn place(model: &Model, record: &Record) -> Vec<String> {
    let (words, asker) = (model.display.words, &record.asker);
    let directory = labels::directory(asker, model.display.home.as_deref());
    let branch = asker.branch.as_deref().map(|branch| {
        let branch = SafeText::line(branch).as_str().to_owned();
        words.format("inbox-branch", &[("branch", branch.into())])
    });
    let mut parts: Vec<String> = [directory, branch].into_iter().flatten().collect();
    parts.push(words.say("inbox-this-machine"));
    parts
}

/// The status of the ask, such as a snooze; `None` if it just waits.
fn status(model: &Model, record: &Record) -> Option<(String, Role)> {
    let words = model.display.words;
    let key = || key(model, Context::Inbox, Action::Snooze).into();
    let client = || {
        let name = labels::asker_label(words, &record.asker);
        SafeText::line(name.as_ref()).as_str().to_owned().into()
    };
    match (record.snoozed, record.in_client) {
        (Some(Snooze::Until(at)), _) => {
            let at = labels::moment(words, at, model.now, &model.display.zone);
            let arguments = [("at", at.into()), ("key", key())];
            Some((words.format("inbox-snoozed-until", &arguments), Role::Dim))
        }
        (Some(Snooze::AskedAgain), _) => {
            let text = words.format("inbox-snoozed-until-asked", &[("key", key())]);
            Some((text, Role::Dim))
        }
        (None, Some(InClient::Dialog)) => {
            let text = words.format("inbox-in-dialog", &[("client", client())]);
            Some((text, Role::Dim))
        }
        (None, Some(InClient::Handed)) => {
            let text = words.format("inbox-in-client", &[("client", client())]);
            Some((text, Role::Warning))
        }
        (None, None) if record.asked_again.is_some() => {
            Some((words.say("inbox-asked-again"), Role::Warning))
        }
        (None, None) => None,
    }
}

struct Pane {
    screen_rows: Vec<ScreenRow>,
    columns: usize,
}

impl Pane {
    fn add(&mut self, words: &str, most: usize, role: Role) {
        let room = self.columns.saturating_sub(2).max(1);
        let rows = wrap_clamped(&SafeText::line(words), room, most, ELLIPSIS);
        let screen_rows = rows
            .into_iter()
            .map(|row| ScreenRow::indented(1).safe_text(row, role));
        self.screen_rows.extend(screen_rows);
    }

    /// Adds an agent's text behind its label.
    fn prose(&mut self, label: &str, text: &str, words: Words) {
        let (column, room) = self.side_columns();
        let some: String = text.trim().chars().take(CHARACTERS).collect();
        let rows = markdown::wrapped(&some, room, words);
        let rows = markdown::screen_rows(rows.iter().take(ROWS), 0, BaseStyle::Text);
        for (at, row) in rows.enumerate() {
            let label = if at == 0 && column > 0 { label } else { "" };
            let screen_row = ScreenRow::indented(1)
                .text(label, Role::Dim)
                .filled(column + 1);
            self.screen_rows.push(screen_row.append(row));
        }
    }

    fn choices(&mut self, words: &str) {
        let (column, room) = self.side_columns();
        let rows = wrap_clamped(&SafeText::block(words), room, ROWS, ELLIPSIS);
        let screen_rows = rows
            .into_iter()
            .map(|row| ScreenRow::indented(column + 1).safe_text(row, Role::Text));
        self.screen_rows.extend(screen_rows);
    }

    /// The width of the labels, and of the text beside them.
    fn side_columns(&self) -> (usize, usize) {
        let column = if self.columns >= LABELLED { LABEL } else { 0 };
        (column, self.columns.saturating_sub(column + 2).max(1))
    }
}
