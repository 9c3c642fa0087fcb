//! The state of the history screen: its search and filters, the records found so far, and their
//! statistics. Records arrive in pages.

use ask_core::history::{End, Filter};
use ask_core::{Record, Time};

use crate::ui::text_field::Field;
use ask_core::stats::HistoryStats;

#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// The text to search for.
    pub search: Field,
    pub filters: HistoryFilters,
    /// What is open above the list.
    pub layer: Layer,
    /// The records found so far, the newest first.
    pub records: Vec<Record>,
    /// The row where the next page begins; `None` after the last page.
    pub next: Option<u64>,
    /// The row of the cursor.
    pub row: usize,
    /// The query that the records belong to.
    pub shown_query: Option<HistoryQuery>,
    /// The query that is on its way to the hub.
    pub pending_query: Option<HistoryQuery>,
    /// Whether the query on its way requests the next page.
    pub is_next_page: bool,
    /// The statistics and the query that they belong to.
    pub stats: Option<(HistoryQuery, HistoryStats)>,
    /// The query whose statistics are on their way.
    pub pending_stats: Option<HistoryQuery>,
    /// The statistics over all closed asks, whose agents and projects the filters offer.
    pub all_stats: Option<HistoryStats>,
    /// A message, until the next key.
    pub message: Option<String>,
}

/// A query: the text and the filters. Equal queries have equal results.
pub(crate) type HistoryQuery = (String, HistoryFilters);

/// The filters besides the text.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct HistoryFilters {
    /// Only asks of this agent.
    pub agent: Option<String>,
    /// Only asks of this project.
    pub project: Option<String>,
    /// Only asks with this outcome.
    pub end: Option<OutcomeFilter>,
    /// Only asks of this many days until now.
    pub days: Option<u64>,
}

/// The filter by how an ask ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutcomeFilter {
    Outcome(End),
    /// Settled by the person and not yet delivered to the agent.
    Undelivered,
}

impl OutcomeFilter {
    /// All outcomes, and the asks that aren't delivered.
    pub(crate) fn all_filters() -> Vec<Self> {
        let ends = End::ALL.map(|(end, _)| Self::Outcome(end));
        ends.into_iter().chain([Self::Undelivered]).collect()
    }
}

/// What is open above the list of closed asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Layer {
    /// Nothing, so that the list takes the keys.
    #[default]
    List,
    /// The search field, which takes the keys.
    Search,
    /// The dialog of filters, with its focused row.
    Filters(usize),
    /// The whole record under the cursor, from this row on.
    Record(usize),
    /// The statistics, from this row on.
    Stats(usize),
}

/// The periods in days that the filter offers; `None` is unlimited.
pub(crate) const PERIODS: [Option<u64>; 5] = [None, Some(1), Some(7), Some(30), Some(90)];

/// The number of rows in the dialog of filters.
pub(crate) const FILTERS: usize = 4;

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

impl History {
    pub(crate) fn query(&self) -> HistoryQuery {
        (self.search.text().trim().to_owned(), self.filters.clone())
    }

    /// The current query as a filter for the hub, counted back from `now`.
    pub(crate) fn filter(&self, now: Time) -> Filter {
        let (search, filters) = self.query();
        let days = filters.days.map(|days| days.saturating_mul(DAY_MS));
        let since = days.map(|ms| now.0.saturating_sub(i64::try_from(ms).unwrap_or(i64::MAX)));
        Filter {
            search: (!search.is_empty()).then_some(search),
            agent: filters.agent,
            project: filters.project,
            end: match filters.end {
                Some(OutcomeFilter::Outcome(end)) => Some(end),
                Some(OutcomeFilter::Undelivered) | None => None,
            },
            undelivered: filters.end == Some(OutcomeFilter::Undelivered),
            since_ms: since,
            ..Filter::default()
        }
    }

    /// The record under the cursor.
    pub(crate) fn focused(&self) -> Option<&Record> {
        self.records.get(self.row)
    }
}
