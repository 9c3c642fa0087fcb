//! The rows of the key table, a file a screen. The first row that fits a key wins, so a letter's
//! row stands above the row that types characters. A new screen is a file and a line of
//! [`SECTIONS`].

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

/// The rows of a screen, under the name that `config.toml` calls them by: `[keys.NAME]`.
pub struct Section {
    /// The name.
    pub name: &'static str,
    /// The rows.
    pub rows: &'static [Binding],
}

/// Every key there is.
pub static SECTIONS: &[Section] = &[
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

/// A row that stays as it is.
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
    /// Told together with another row of its section, which has no words of its own: ↑↓.
    const fn paired_with(mut self, name: &'static str) -> Self {
        self.beside = name;
        self
    }

    /// What it gives way to in the footer.
    const fn yielding(mut self, yields: FooterPriority) -> Self {
        self.yields = yields;
        self
    }

    /// How many of its keys the footer names, where there is room.
    const fn showing(mut self, keys: usize) -> Self {
        self.showing = keys;
        self
    }
}
