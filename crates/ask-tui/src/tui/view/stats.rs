//! The statistics on the screen, with the rows that `ask-user stats` prints.

use ask_config::text::wrap;
use ask_core::SafeText;

use crate::tui::model::Model;
use crate::tui::model::history::History;
use crate::tui::row::ScreenRow;
use crate::tui::style::Role;
use crate::ui::charts::{self, Row};

/// All rows of the statistics.
pub(super) fn lines(model: &Model, history: &History, columns: usize) -> Vec<ScreenRow> {
    let words = model.display.words;
    let Some((_, stats)) = &history.stats else {
        let looking = words.say("history-looking");
        return vec![ScreenRow::indented(1).clipped(looking, Role::Dim, columns)];
    };
    let rows = charts::rows(words, stats);
    let room = columns.saturating_sub(2);
    let lines = charts::lines(&rows, room, '■');
    let screen_rows = rows.iter().zip(lines).flat_map(|(row, line)| {
        let role = match row {
            Row::Head(_) => Role::Chosen,
            Row::Bar { .. } => {
                return vec![ScreenRow::indented(1).clipped(line, Role::Text, columns)];
            }
            Row::Text(_) | Row::Gap => Role::Text,
        };
        let lines = wrap(&SafeText::line(&line), room.max(1)).into_iter();
        lines
            .map(|line| ScreenRow::indented(1).safe_text(line, role))
            .collect()
    });
    screen_rows.collect()
}
