//! Sizes that both the reducer and the views need, because the caret moves by visible rows.

use ask_config::keys::Context;

/// The indent of the field for own text ("Other"), below its row.
pub(super) const OTHER_INDENT: usize = 6;
/// The indent of any other field and box.
pub(super) const INDENT: usize = 1;
/// The columns that a frame takes from a field: a line and a gap on both sides.
pub(super) const FRAME: usize = 4;

/// The most columns and rows that are drawn. A terminal may claim any size, and each cell takes
/// memory.
const MAX_SIZE: (u16, u16) = (1_000, 500);

/// The columns and rows that are drawn on a terminal of this size.
pub(super) fn drawn_size(columns: u16, rows: u16) -> (u16, u16) {
    (columns.min(MAX_SIZE.0), rows.min(MAX_SIZE.1))
}

/// The columns of a field, including the one of the caret.
pub(super) fn field_columns(context: Context, columns: u16) -> usize {
    let indent = match context {
        Context::Other => OTHER_INDENT,
        Context::Inbox
        | Context::Find
        | Context::Snooze
        | Context::Sessions
        | Context::Pick
        | Context::Tick
        | Context::Confirm
        | Context::Rest
        | Context::Answering
        | Context::Note
        | Context::Filter
        | Context::Review
        | Context::Discard
        | Context::Reason
        | Context::AskBack
        | Context::Attach
        | Context::Long
        | Context::Reader
        | Context::Notice
        | Context::History
        | Context::HistorySearch
        | Context::HistoryFilters
        | Context::HistoryWhole
        | Context::HistoryStats
        | Context::Paths
        | Context::Help => INDENT,
    };
    usize::from(columns)
        .saturating_sub(indent + FRAME + 1)
        .max(1)
}
