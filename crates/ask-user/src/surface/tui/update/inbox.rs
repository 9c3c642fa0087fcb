//! Keys on the list of asks.

use super::{Effect, open, quit};
use crate::surface::paper::field::Field;
use crate::surface::tui::keys::{Action, Move};
use crate::surface::tui::model::{Model, Over};

/// What a key does on the list.
pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let rows = model.records.len();
    let row = model.focused_row();
    match action {
        Action::Move(Move::Up) => focus(
            model,
            if row == 0 {
                rows.saturating_sub(1)
            } else {
                row - 1
            },
        ),
        Action::Move(Move::Down) => focus(model, if row + 1 >= rows { 0 } else { row + 1 }),
        Action::Move(Move::First) => focus(model, 0),
        Action::Move(Move::Last) => focus(model, rows.saturating_sub(1)),
        Action::Enter => open_row(model, row, effects),
        Action::Number(number) => open_row(model, usize::from(number) - 1, effects),
        Action::Decline => {
            let focused = model.focused().filter(|record| record.is_waiting());
            if let Some(id) = focused.map(|record| record.id.clone()) {
                let field = Field::default();
                model.over = Some(Over::Reason { id, field });
            }
        }
        Action::Read => {
            if let Some(id) = model.focused().map(|record| record.id.clone()) {
                model.over = Some(Over::Reader { id, top: 0 });
            }
        }
        Action::Help => model.over = Some(Over::Help { top: 0 }),
        Action::Quit => quit(model, effects),
        Action::Move(Move::PageUp | Move::PageDown)
        | Action::Edit(_)
        | Action::TabNext
        | Action::TabBack
        | Action::Other
        | Action::Mark
        | Action::Yes
        | Action::No
        | Action::Leave
        | Action::Escape
        | Action::Interrupt
        | Action::Redraw
        | Action::AskBack
        | Action::NextAsk
        | Action::PastAsk
        | Action::ShowDraft
        | Action::Close => {}
    }
}

fn focus(model: &mut Model, row: usize) {
    if let Some(record) = model.records.get(row) {
        model.focus = Some(record.id.clone());
    }
}

fn open_row(model: &mut Model, row: usize, effects: &mut Vec<Effect>) {
    if let Some(record) = model.records.get(row).cloned() {
        open(model, &record, effects);
    }
}
