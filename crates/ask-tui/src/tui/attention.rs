//! Notifies the person through the terminal of an open inbox: its title counts the waiting asks, a
//! bell or a notification announces a new one while the terminal has no focus, and its taskbar
//! entry is marked while an ask waits. This file decides from the model; `escape` has the
//! sequences.

mod escape;

use std::collections::HashSet;

use ask_config::clock;
use ask_config::config::Notify;
use ask_config::i18n::Words;
use ask_core::{AskId, Record, SafeText, Time};
use ask_hub::notify::text;

pub use self::escape::EscapeDialect;
use super::model::Model;
use crate::bell_throttle::BellThrottle;

/// The width of the title in columns. A constant width keeps the tabs of the terminal from jumping.
const TITLE_COLUMNS: usize = 32;

/// What the terminal shows now, and how it notifies.
pub(crate) struct Attention {
    settings: Notify,
    dialect: EscapeDialect,
    in_tmux: bool,
    words: Words,
    bell_throttle: BellThrottle,
    /// Whether the terminal has the focus; `None` if it doesn't report focus changes.
    pub focused: Option<bool>,
    /// The asks that waited at the last update; `None` before the first one, which never notifies.
    known: Option<HashSet<AskId>>,
    title: Option<String>,
    /// Whether the taskbar entry is marked.
    marked: bool,
}

impl Attention {
    /// Chooses the sequences by the settings and by the environment variables of the terminal.
    pub(crate) fn from_environment(settings: &Notify, words: Words) -> Self {
        let word = |name: &str| std::env::var(name).unwrap_or_default();
        Self {
            dialect: EscapeDialect::detect(settings.terminal, word),
            in_tmux: !word("TMUX").is_empty(),
            settings: settings.clone(),
            words,
            bell_throttle: BellThrottle::new(settings.quiet, clock::zone()),
            focused: None,
            known: None,
            title: None,
            marked: false,
        }
    }

    /// Whether new asks are announced by sound or notification.
    pub(crate) fn is_enabled(&self) -> bool {
        self.dialect != EscapeDialect::Off
    }

    /// Records that a key was pressed. True if the person's presence has to be reported to the hub.
    pub(crate) fn record_typing(&mut self, now: Time) -> bool {
        self.bell_throttle.record_typing(now)
    }

    /// Forgets title and mark after another program had the terminal, so that they are written
    /// again.
    pub(crate) fn reset(&mut self) {
        self.title = None;
        self.marked = false;
    }

    /// The sequences to write for the model's waiting asks.
    pub(crate) fn update(&mut self, model: &Model, muted: bool) -> String {
        if !model.listed {
            return String::new();
        }
        let is_awake = |record: &&Record| record.snoozed.is_none();
        let waiting: Vec<&Record> = model.waiting().filter(is_awake).collect();
        let mut sequences = self.title_sequence(&waiting);
        let new: Vec<Record> = match &self.known {
            None => Vec::new(),
            Some(known) => {
                let new = waiting.iter().filter(|record| !known.contains(&record.id));
                new.map(|record| (*record).clone()).collect()
            }
        };
        self.known = Some(waiting.iter().map(|record| record.id.clone()).collect());
        if !new.is_empty() && self.may_ring(model.now, muted) {
            self.bell_throttle.record_ring(model.now);
            let text = text::notification_text(self.words, &new, self.settings.privacy);
            sequences.push_str(&self.dialect.notification(&text, self.in_tmux));
        }
        sequences.push_str(&self.set_taskbar_mark(!waiting.is_empty()));
        sequences
    }

    /// The sequences that restore the terminal's title, mark and notifications.
    pub(crate) fn restore_sequences(&self) -> String {
        let mut sequences = String::new();
        if self.title.is_some() {
            sequences.push_str(escape::POP_TITLE);
        }
        if self.marked {
            sequences.push_str(&self.dialect.taskbar_mark(false, self.in_tmux));
            sequences.push_str(&self.dialect.withdraw(self.in_tmux));
        }
        sequences
    }

    fn title_sequence(&mut self, waiting: &[&Record]) -> String {
        let title = self.title_text(waiting);
        if self.title.as_ref() == Some(&title) {
            return String::new();
        }
        let push = match self.title {
            None => escape::PUSH_TITLE,
            Some(_) => "",
        };
        let sequences = format!("{push}{}", escape::title(&title));
        self.title = Some(title);
        sequences
    }

    /// The number of waiting asks and their projects, padded to [`TITLE_COLUMNS`].
    fn title_text(&self, waiting: &[&Record]) -> String {
        let mut projects: Vec<String> = Vec::new();
        for record in waiting {
            let project = record.asker.project.as_deref().unwrap_or_default();
            let project = text::shorten_line(project, TITLE_COLUMNS);
            if !project.is_empty() && !projects.contains(&project) {
                projects.push(project);
            }
        }
        let count = ("count", waiting.len().into());
        let is_private = self.settings.privacy == ask_config::config::Privacy::Private;
        let title = match (waiting.len(), projects.is_empty() || is_private) {
            (0, _) => self.words.say("notify-title-nothing"),
            (_, true) => self.words.format("notify-title", &[count]),
            (_, false) => {
                let projects = ("projects", projects.join(", ").into());
                self.words
                    .format("notify-title-projects", &[count, projects])
            }
        };
        let title = ask_config::text::clip(&SafeText::line(&title), TITLE_COLUMNS, "…");
        let gap = TITLE_COLUMNS.saturating_sub(title.width());
        format!("{title}{}", " ".repeat(gap))
    }

    /// Whether the terminal may notify. A terminal that doesn't report its focus notifies unless
    /// the person types in it.
    fn may_ring(&self, now: Time, muted: bool) -> bool {
        let has_focus = self
            .focused
            .unwrap_or_else(|| self.bell_throttle.is_person_typing(now));
        !has_focus && self.bell_throttle.may_ring(muted, now)
    }

    fn set_taskbar_mark(&mut self, on: bool) -> String {
        if self.marked == on {
            return String::new();
        }
        self.marked = on;
        let mut sequences = self.dialect.taskbar_mark(on, self.in_tmux);
        if !on {
            sequences.push_str(&self.dialect.withdraw(self.in_tmux));
        }
        sequences
    }
}

#[cfg(test)]
mod tests;
