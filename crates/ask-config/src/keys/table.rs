//! The rows of the key table, one file per screen. The first row that has a key wins, so the row of
//! a letter comes before the row that types characters. A new screen is a new file and a new line
//! of [`SECTIONS`].

mod banner;
mod card;
mod dialog;
mod field;
mod global;
mod help;
mod history;
mod inbox;
mod pager;
mod review;

use super::{Action, Binding, Context, FooterPriority, KeyPress, Only};

/// The rows of a screen, and its name in `config.toml`: `[keys.NAME]`.
pub struct Section {
    /// Its name in `config.toml`.
    pub name: &'static str,
    /// Its rows, in order.
    pub rows: &'static [Binding],
}

/// All rows, screen by screen.
pub(crate) static SECTIONS: &[Section] = &[
    section("help", help::ROWS),
    section("everywhere", global::ROWS),
    section("inbox", inbox::ROWS),
    section("review", review::ROWS),
    section("card", card::ROWS),
    section("field", field::ROWS),
    section("dialog", dialog::ROWS),
    section("reader", pager::ROWS),
    section("notice", banner::ROWS),
    section("history", history::ROWS),
];

const fn section(name: &'static str, rows: &'static [Binding]) -> Section {
    Section { name, rows }
}

/// A row that `config.toml` can change by its name.
const fn row(
    name: &'static str,
    contexts: &'static [Context],
    presses: &'static [KeyPress],
    action: Action,
    words: &'static str,
    short: &'static str,
    only: Only,
) -> Binding {
    Binding {
        name,
        contexts,
        presses,
        action,
        words,
        short,
        only,
        beside: "",
        showing: 1,
        yields: FooterPriority::InTurn,
    }
}

/// A row that can't be changed.
const fn fixed(
    contexts: &'static [Context],
    presses: &'static [KeyPress],
    action: Action,
    words: &'static str,
    short: &'static str,
    only: Only,
) -> Binding {
    row("", contexts, presses, action, words, short, only)
}

impl Binding {
    /// Describes it together with another row of its section that has no message of its own: ↑↓.
    const fn paired_with(mut self, name: &'static str) -> Self {
        self.beside = name;
        self
    }

    /// Sets when the footer drops it.
    const fn yielding(mut self, yields: FooterPriority) -> Self {
        self.yields = yields;
        self
    }

    /// Sets how many of its keys the footer names if there is space.
    const fn showing(mut self, keys: usize) -> Self {
        self.showing = keys;
        self
    }
}
