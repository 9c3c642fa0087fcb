//! Measures that both the reducer and the views need: a caret moves by the rows
//! that are seen.

use ask_config::keys::Context;

/// How far the field of Other is set in below its row.
pub const OTHER_INDENT: usize = 6;
/// How far any other field and box is set in.
pub const INDENT: usize = 1;
/// What a frame takes from a field: a line and a gap on both sides.
pub const FRAME: usize = 4;

/// How many columns a field has, the caret's among them.
pub fn field_columns(context: Context, columns: u16) -> usize {
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
