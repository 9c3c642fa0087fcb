//! The dialog of who is signed in to the page. It is opened from the list and signs out one of them
//! or all.

use ask_config::keys::{Action, Move};
use ask_core::devices::{Device, PairingCommand};

use super::Effect;
use crate::tui::model::{Model, Overlay, Sessions};

/// Opens the dialog and requests the list.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    model.over = Some(Overlay::Sessions(Sessions::default()));
    effects.push(Effect::Sessions { end: None });
}

/// Handles the list.
pub(super) fn listed(model: &mut Model, found: Result<Vec<Device>, String>) {
    let Some(Overlay::Sessions(shown)) = &mut model.over else {
        return;
    };
    match found {
        Ok(devices) => {
            // The question about a row belonged to the previous list.
            shown.asked = false;
            shown.row = shown.row.min(devices.len());
            shown.devices = Some(devices);
        }
        Err(why) => {
            model.over = None;
            let said = [("why", why.into())];
            model.news = Some(model.look.words.format("inbox-said-failed", &said));
        }
    }
}

/// Handles a key in the dialog. Signing out takes two keys.
pub(super) fn act(
    model: &mut Model,
    mut shown: Sessions,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    let count = shown.devices.as_ref().map_or(0, Vec::len);
    if shown.asked {
        if action == Action::Yes {
            let chosen = shown.devices.as_ref().and_then(|all| all.get(shown.row));
            let end = match chosen {
                Some(device) => PairingCommand::Revoke {
                    device: device.id.clone(),
                },
                None => PairingCommand::RevokeAll,
            };
            effects.push(Effect::Sessions { end: Some(end) });
        }
        shown.asked = !matches!(action, Action::Yes | Action::Escape);
    } else if action == Action::Escape {
        model.over = None;
        return;
    } else if action == Action::Enter {
        shown.asked = count > 0;
    } else if let Action::Move(to) = action {
        // The last row stands for all of them.
        shown.row = match to {
            Move::Up => shown.row.checked_sub(1).unwrap_or(count),
            Move::Down if shown.row < count => shown.row + 1,
            Move::Down | Move::First => 0,
            Move::Last => count,
            Move::PageUp | Move::PageDown => shown.row,
        };
    }
    model.over = Some(Overlay::Sessions(shown));
}
