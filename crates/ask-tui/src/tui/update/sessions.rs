//! The dialog of who is signed in to the page. It is opened from the list and signs out one of them
//! or all.

use ask_config::keys::{Action, Move};
use ask_core::devices::{Device, PairingCommand};

use super::Effect;
use crate::tui::model::{Model, Overlay, Sessions};

/// Opens the dialog and requests the list.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    model.overlay = Some(Overlay::Sessions(Sessions::default()));
    effects.push(Effect::Sessions { sign_out: None });
}

pub(super) fn on_devices(model: &mut Model, found: Result<Vec<Device>, String>) {
    let Some(Overlay::Sessions(shown)) = &mut model.overlay else {
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
            model.overlay = None;
            let arguments = [("why", why.into())];
            model.message = Some(model.display.words.format("inbox-said-failed", &arguments));
        }
    }
}

/// Handles a key in the dialog. Signing out takes two keys.
pub(super) fn handle_action(
    model: &mut Model,
    mut shown: Sessions,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    let count = shown.devices.as_ref().map_or(0, Vec::len);
    if shown.asked {
        if action == Action::Yes {
            let chosen = shown.devices.as_ref().and_then(|all| all.get(shown.row));
            let sign_out = match chosen {
                Some(device) => PairingCommand::Revoke {
                    device: device.id.clone(),
                },
                None => PairingCommand::RevokeAll,
            };
            effects.push(Effect::Sessions {
                sign_out: Some(sign_out),
            });
        }
        shown.asked = !matches!(action, Action::Yes | Action::Escape);
    } else if action == Action::Escape {
        model.overlay = None;
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
    model.overlay = Some(Overlay::Sessions(shown));
}
