//! Draws the person's attention from an open inbox: the terminal's title counts the waiting asks,
//! the bell or a notification sounds while the terminal has no focus, and its taskbar entry is
//! marked while something waits. Decided here from the model; `escape` writes the sequences.

mod escape;

use std::collections::HashSet;

use ask_config::config::Notify;
use ask_config::i18n::Words;
use ask_core::{AskId, Record, SafeText, Time};
use ask_hub::notify::text;

pub use self::escape::EscapeDialect;
use super::model::Model;
use crate::bell_throttle::BellThrottle;

/// The width of the title in columns. A constant width keeps the tabs of the terminal from jumping.
const TITLE_COLUMNS: usize = 32;

/// What the terminal shows now, and how its attention is drawn.
pub(crate) struct Attention {
    settings: Notify,
    way: EscapeDialect,
    in_tmux: bool,
    words: Words,
    bell_throttle: BellThrottle,
    /// Whether the terminal has the focus; `None` if it doesn't report focus changes.
    pub focused: Option<bool>,
    /// The asks that were waiting at the last call; `None` before the first, which never rings.
    known: Option<HashSet<AskId>>,
    title: Option<String>,
    /// Whether the taskbar entry is marked.
    marked: bool,
}

impl Attention {
    /// Chooses the sequences from the settings and from what the environment says about the
    /// terminal.
    pub(crate) fn of_environment(settings: &Notify, words: Words) -> Self {
        let word = |name: &str| std::env::var(name).unwrap_or_default();
        Self {
            way: EscapeDialect::detect(settings.terminal, word),
            in_tmux: !word("TMUX").is_empty(),
            settings: settings.clone(),
            words,
            bell_throttle: BellThrottle::new(settings.quiet, jiff::tz::TimeZone::system()),
            focused: None,
            known: None,
            title: None,
            marked: false,
        }
    }

    /// Whether new asks are announced by sound or notification.
    pub(crate) fn rings(&self) -> bool {
        self.way != EscapeDialect::Off
    }

    /// Records that a key was pressed. True if the hub has to be told that the person is present.
    pub(crate) fn typed(&mut self, now: Time) -> bool {
        self.bell_throttle.typed(now)
    }

    /// Another program had the terminal: title and mark have to be written again.
    pub(crate) fn begin_again(&mut self) {
        self.title = None;
        self.marked = false;
    }

    /// The sequences to write for the model's waiting asks.
    pub(crate) fn update(&mut self, model: &Model, muted: bool) -> String {
        if !model.listed {
            return String::new();
        }
        let wanting = |record: &&Record| record.snoozed.is_none();
        let waiting: Vec<&Record> = model.waiting().filter(wanting).collect();
        let mut said = self.titled(&waiting);
        let new: Vec<Record> = match &self.known {
            None => Vec::new(),
            Some(known) => {
                let new = waiting.iter().filter(|record| !known.contains(&record.id));
                new.map(|record| (*record).clone()).collect()
            }
        };
        self.known = Some(waiting.iter().map(|record| record.id.clone()).collect());
        if !new.is_empty() && self.may_ring(model.now, muted) {
            self.bell_throttle.rang(model.now);
            let text = text::notification_text(self.words, &new, self.settings.privacy);
            said.push_str(&self.way.ring(&text, self.in_tmux));
        }
        said.push_str(&self.mark(!waiting.is_empty()));
        said
    }

    /// The sequences that restore the terminal's title, mark and notifications.
    pub(crate) fn restore_sequences(&self) -> String {
        let mut said = String::new();
        if self.title.is_some() {
            said.push_str(escape::POP_TITLE);
        }
        if self.marked {
            said.push_str(&self.way.marked(false, self.in_tmux));
            said.push_str(&self.way.withdraw(self.in_tmux));
        }
        said
    }

    fn titled(&mut self, waiting: &[&Record]) -> String {
        let title = self.title_of(waiting);
        if self.title.as_ref() == Some(&title) {
            return String::new();
        }
        let push = match self.title {
            None => escape::PUSH_TITLE,
            Some(_) => "",
        };
        let said = format!("{push}{}", escape::title(&title));
        self.title = Some(title);
        said
    }

    /// The number of waiting asks and their projects, padded to [`TITLE_COLUMNS`].
    fn title_of(&self, waiting: &[&Record]) -> String {
        let mut projects: Vec<String> = Vec::new();
        for record in waiting {
            let project = record.asker.project.as_deref().unwrap_or_default();
            let project = text::shorten_line(project, TITLE_COLUMNS);
            if !project.is_empty() && !projects.contains(&project) {
                projects.push(project);
            }
        }
        let count = ("count", waiting.len().into());
        let private = self.settings.privacy == ask_config::config::Privacy::Private;
        let title = match (waiting.len(), projects.is_empty() || private) {
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

    /// Whether the terminal may ring. One that doesn't report its focus rings unless keys are
    /// pressed in it.
    fn may_ring(&self, now: Time, muted: bool) -> bool {
        let focused = self
            .focused
            .unwrap_or_else(|| self.bell_throttle.is_typed_in(now));
        !focused && self.bell_throttle.allow(muted, now)
    }

    fn mark(&mut self, on: bool) -> String {
        if self.marked == on {
            return String::new();
        }
        self.marked = on;
        let mut said = self.way.marked(on, self.in_tmux);
        if !on {
            said.push_str(&self.way.withdraw(self.in_tmux));
        }
        said
    }
}

#[cfg(test)]
mod tests;
