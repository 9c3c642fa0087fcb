//! How an open inbox makes itself noticed: by the terminal's title, by its bell or a notification
//! of its own while it has no focus, and by a mark on its task while something waits. Decided
//! here, over what the model knows; what is written is a string.

mod escape;

use std::collections::HashSet;

use ask_config::config::Notify;
use ask_config::i18n::Words;
use ask_core::{AskId, Record, SafeText, Time};
use ask_hub::notify::text;

pub use self::escape::EscapeDialect;
use super::model::Model;
use crate::bell_throttle::BellThrottle;

/// Titles are as wide as this, so that tabs don't jump.
const TITLE_COLUMNS: usize = 32;

/// What was made noticed, and how it is done.
pub(crate) struct Attention {
    settings: Notify,
    way: EscapeDialect,
    in_tmux: bool,
    words: Words,
    bell_throttle: BellThrottle,
    /// Whether the terminal has the focus, as far as it says.
    pub focused: Option<bool>,
    /// What waits and was there before, or was made heard.
    known: Option<HashSet<AskId>>,
    title: Option<String>,
    /// Whether the mark on the task is set.
    marked: bool,
}

impl Attention {
    /// As the environment says that the terminal can, and the person wants.
    pub fn of_environment(settings: &Notify, words: Words) -> Self {
        let word = |name: &str| std::env::var(name).unwrap_or_default();
        Self {
            way: EscapeDialect::of(settings.terminal, word),
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

    /// Whether it makes itself heard while it has no focus.
    pub fn rings(&self) -> bool {
        self.way != EscapeDialect::Off
    }

    /// A key was pressed; whether the hub is to be told.
    pub fn typed(&mut self, now: Time) -> bool {
        self.bell_throttle.typed(now)
    }

    /// The terminal was somebody else's meanwhile: it has forgotten what it was told.
    pub(crate) fn begin_again(&mut self) {
        self.title = None;
        self.marked = false;
    }

    /// What is to be written now that the model is like this.
    pub fn after(&mut self, model: &Model, muted: bool) -> String {
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
            let text = text::of(self.words, &new, self.settings.privacy);
            said.push_str(&self.way.ring(&text, self.in_tmux));
        }
        said.push_str(&self.mark(!waiting.is_empty()));
        said
    }

    /// What leaves the terminal as it was.
    pub(crate) fn farewell(&self) -> String {
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

    /// How many wait, and for which projects; always as wide.
    fn title_of(&self, waiting: &[&Record]) -> String {
        let mut projects: Vec<String> = Vec::new();
        for record in waiting {
            let project = record.asker.project.as_deref().unwrap_or_default();
            let project = text::cut(project, TITLE_COLUMNS);
            if !project.is_empty() && !projects.contains(&project) {
                projects.push(project);
            }
        }
        let count = ("count", waiting.len().into());
        let private = self.settings.privacy == ask_config::config::Privacy::Private;
        let title = match (waiting.len(), projects.is_empty() || private) {
            (0, _) => self.words.say("notify-title-nothing"),
            (_, true) => self.words.with("notify-title", &[count]),
            (_, false) => {
                let projects = ("projects", projects.join(", ").into());
                self.words.with("notify-title-projects", &[count, projects])
            }
        };
        let title = ask_config::text::clip(&SafeText::line(&title), TITLE_COLUMNS, "…");
        let gap = TITLE_COLUMNS.saturating_sub(title.width());
        format!("{title}{}", " ".repeat(gap))
    }

    /// A terminal that doesn't say whether it has the focus rings unless keys are pressed in it.
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
