//! What the screen of history knows: what is looked for, what was found so far, and the statistics
//! over it. What was found comes in pages, whenever the hub has time.

use ask_core::history::{End, Filter};
use ask_core::{Record, Time};

use crate::ui::text_field::Field;
use ask_core::stats::HistoryStats;

/// The screen of what is over.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// What is looked for.
    pub search: Field,
    /// What else narrows it down.
    pub narrows: Narrows,
    /// What lies above the list.
    pub layer: Layer,
    /// What was found so far, the newest first.
    pub records: Vec<Record>,
    /// Where the next page begins.
    pub next: Option<u64>,
    /// The row of the cursor.
    pub row: usize,
    /// What the records are the answer to.
    pub found: Option<Wanted>,
    /// What the hub is being asked for.
    pub asked: Option<Wanted>,
    /// Whether it is a further page that the hub is asked for.
    pub further: bool,
    /// The statistics, and what they are over.
    pub stats: Option<(Wanted, HistoryStats)>,
    /// What the hub is counting.
    pub counting: Option<Wanted>,
    /// The statistics over everything: which agents and projects there are.
    pub whole: Option<HistoryStats>,
    /// One line for the person.
    pub remark: Option<String>,
}

/// Which asks are wanted: the same while nothing about them has changed.
pub type Wanted = (String, Narrows);

/// What narrows a history down besides words.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Narrows {
    /// An agent.
    pub agent: Option<String>,
    /// A project.
    pub project: Option<String>,
    /// How it ended.
    pub end: Option<Ended>,
    /// So many days until now.
    pub days: Option<u64>,
}

/// What can be chosen of how an ask ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// In one way.
    As(End),
    /// By the person, and its agent has not been told yet.
    Undelivered,
}

impl Ended {
    /// All there are.
    pub fn all() -> Vec<Self> {
        let ends = End::ALL.map(|(end, _)| Self::As(end));
        ends.into_iter().chain([Self::Undelivered]).collect()
    }
}

/// What lies above the list of what is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Layer {
    /// Nothing.
    #[default]
    List,
    /// The field of the search takes the keys.
    Search,
    /// The dialog of filters, with its row.
    Filters(usize),
    /// The whole record under the cursor, from a row on.
    Whole(usize),
    /// The statistics, from a row on.
    Stats(usize),
}

/// The periods that can be chosen.
pub const PERIODS: [Option<u64>; 5] = [None, Some(1), Some(7), Some(30), Some(90)];

/// How many rows the dialog of filters has.
pub const FILTERS: usize = 4;

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

impl History {
    /// What is wanted now.
    pub fn wanted(&self) -> Wanted {
        (self.search.text().trim().to_owned(), self.narrows.clone())
    }

    /// The filter that it stands for.
    pub fn filter(&self, now: Time) -> Filter {
        let (search, narrows) = self.wanted();
        let days = narrows.days.map(|days| days.saturating_mul(DAY_MS));
        let since = days.map(|ms| now.0.saturating_sub(i64::try_from(ms).unwrap_or(i64::MAX)));
        Filter {
            search: (!search.is_empty()).then_some(search),
            agent: narrows.agent,
            project: narrows.project,
            end: match narrows.end {
                Some(Ended::As(end)) => Some(end),
                Some(Ended::Undelivered) | None => None,
            },
            undelivered: narrows.end == Some(Ended::Undelivered),
            since_ms: since,
            ..Filter::default()
        }
    }

    /// The record under the cursor.
    pub fn focused(&self) -> Option<&Record> {
        self.records.get(self.row)
    }
}
