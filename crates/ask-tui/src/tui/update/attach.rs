//! Attaches files to an answer: from the clipboard, or by a path that is typed, pasted or dropped.
//! The runner reads them; until it has, nothing is sent.

use ask_config::keys::{Action, Context};
use ask_core::{AskId, Attachment};

use super::{Effect, save_draft};
use crate::attach::{AttachError, AttachmentSource, is_pasted_image};
use crate::tui::model::{Model, Overlay};
use crate::ui::text_field::Field;

/// Handles a key of a card that attaches or removes a file.
pub(super) fn handle_action(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::AttachCopied {
        request(model, AttachmentSource::Clipboard, effects);
    } else if action == Action::Attach {
        model.overlay = Some(Overlay::Attach {
            field: Field::default(),
            pasted: None,
            error: None,
        });
    } else {
        detach(model, effects);
    }
}

/// Removes the last attachment of the current question. False if there is none.
pub(super) fn detach(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let detached = model.card_mut().and_then(|card| card.entry()?.detach());
    if detached.is_some() {
        save_draft(model, effects);
    }
    detached.is_some()
}

/// Offers to attach a paste that is the path of an image. False if it is ordinary text.
pub(super) fn offer_pasted_image(model: &mut Model, pasted: &str) -> bool {
    let takes_files = matches!(
        model.context(),
        Context::Pick
            | Context::Tick
            | Context::Confirm
            | Context::Rest
            | Context::Answering
            | Context::Other
    );
    let sending = model.card().is_some_and(|card| card.sending);
    if !takes_files || sending || model.is_too_small() || !is_pasted_image(pasted) {
        return false;
    }
    model.overlay = Some(Overlay::Attach {
        field: Field::new(pasted.trim()),
        pasted: Some(pasted.to_owned()),
        error: None,
    });
    true
}

/// Attaches the file at the typed path.
pub(super) fn enter(model: &mut Model, field: &Field, effects: &mut Vec<Effect>) {
    let path = field.text().to_owned();
    if let Some(Overlay::Attach {
        error: shown_error, ..
    }) = &mut model.overlay
    {
        *shown_error = None;
    }
    request(model, AttachmentSource::Path(path), effects);
}

fn request(model: &mut Model, source: AttachmentSource, effects: &mut Vec<Effect>) {
    let words = model.display.words;
    let Some(card) = model.card_mut().filter(|card| card.question().is_some()) else {
        return;
    };
    card.attaching += 1;
    card.message = Some(words.say("text-attaching"));
    effects.push(Effect::Attach {
        id: card.record.id.clone(),
        question: card.tab,
        source,
        from: card.record.asker.directory.clone(),
    });
}

/// Handles the result of an attachment.
pub(super) fn on_attached(
    model: &mut Model,
    id: &AskId,
    question: usize,
    file: Result<Attachment, AttachError>,
    effects: &mut Vec<Effect>,
) {
    let words = model.display.words;
    // If the person has left the ask meanwhile, the file isn't attached. The hub removes bytes that
    // no draft refers to.
    let Some(card) = model.card_mut().filter(|card| card.record.id == *id) else {
        return;
    };
    card.attaching = card.attaching.saturating_sub(1);
    let broken = file.as_ref().ok().filter(|file| file.is_broken_image());
    card.message = broken.map(|file| {
        let name = file.name.clone();
        words.format("text-attach-no-image", &[("name", name.into())])
    });
    let error = match (file, card.form.entries.get_mut(question)) {
        (Ok(file), Some(entry)) => (!entry.attach(file)).then(|| words.say("text-attach-too-many")),
        (Ok(_), None) => None,
        (Err(error), _) => Some(error.message(words)),
    };
    match (error, &mut model.overlay) {
        (None, overlay) => {
            if matches!(overlay, Some(Overlay::Attach { .. })) {
                *overlay = None;
            }
            save_draft(model, effects);
        }
        (
            Some(error),
            Some(Overlay::Attach {
                error: shown_error, ..
            }),
        ) => *shown_error = Some(error),
        (Some(error), _) => {
            if let Some(card) = model.card_mut() {
                card.message = Some(error);
            }
        }
    }
}
