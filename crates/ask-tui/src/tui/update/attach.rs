//! Attaches files to an answer: from the clipboard, or by a path that is typed, pasted or dropped.
//! The runner reads them; until it has, nothing is sent.

use ask_config::keys::{Action, Context};
use ask_core::{AskId, Attachment};

use super::{Effect, keep_draft};
use crate::attach::{AttachError, is_pasted_image};
use crate::tui::event::FileSource;
use crate::tui::model::{Model, Overlay};
use crate::ui::text_field::Field;

/// Handles a key of a card that attaches or removes a file.
pub(super) fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::AttachCopied {
        wish(model, FileSource::Copied, effects);
    } else if action == Action::Attach {
        model.over = Some(Overlay::Attach {
            field: Field::default(),
            pasted: None,
            says: None,
        });
    } else {
        detach(model, effects);
    }
}

/// Removes the last attachment of the current question. False if there is none.
pub(super) fn detach(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let detached = model.card_mut().and_then(|card| card.entry()?.detach());
    if detached.is_some() {
        keep_draft(model, effects);
    }
    detached.is_some()
}

/// Offers to attach a paste that is the path of an image. False if it is ordinary text.
pub(super) fn offers(model: &mut Model, pasted: &str) -> bool {
    let here = matches!(
        model.context(),
        Context::Pick
            | Context::Tick
            | Context::Confirm
            | Context::Rest
            | Context::Answering
            | Context::Other
    );
    let sending = model.card().is_some_and(|card| card.sending);
    if !here || sending || model.is_too_small() || !is_pasted_image(pasted) {
        return false;
    }
    model.over = Some(Overlay::Attach {
        field: Field::new(pasted.trim()),
        pasted: Some(pasted.to_owned()),
        says: None,
    });
    true
}

/// Attaches the file at the typed path.
pub(super) fn enter(model: &mut Model, field: &Field, effects: &mut Vec<Effect>) {
    let path = field.text().to_owned();
    if let Some(Overlay::Attach { says, .. }) = &mut model.over {
        *says = None;
    }
    wish(model, FileSource::Path(path), effects);
}

fn wish(model: &mut Model, source: FileSource, effects: &mut Vec<Effect>) {
    let words = model.look.words;
    let Some(card) = model.card_mut().filter(|card| card.question().is_some()) else {
        return;
    };
    card.attaching += 1;
    card.remark = Some(words.say("text-attaching"));
    effects.push(Effect::Attach {
        id: card.record.id.clone(),
        question: card.tab,
        source,
        from: card.record.asker.directory.clone(),
    });
}

/// Handles the result of an attachment.
pub(super) fn attached(
    model: &mut Model,
    id: &AskId,
    question: usize,
    file: Result<Attachment, AttachError>,
    effects: &mut Vec<Effect>,
) {
    let words = model.look.words;
    // If the person has left the ask meanwhile, the file isn't attached. The hub removes bytes that
    // no draft refers to.
    let Some(card) = model.card_mut().filter(|card| card.record.id == *id) else {
        return;
    };
    card.attaching = card.attaching.saturating_sub(1);
    let broken = file.as_ref().ok().filter(|file| file.is_broken_image());
    card.remark = broken.map(|file| {
        let name = file.name.clone();
        words.format("text-attach-no-image", &[("name", name.into())])
    });
    let trouble = match (file, card.form.entries.get_mut(question)) {
        (Ok(file), Some(entry)) => (!entry.attach(file)).then(|| words.say("text-attach-too-many")),
        (Ok(_), None) => None,
        (Err(trouble), _) => Some(trouble.say(words)),
    };
    match (trouble, &mut model.over) {
        (None, over) => {
            if matches!(over, Some(Overlay::Attach { .. })) {
                *over = None;
            }
            keep_draft(model, effects);
        }
        (Some(trouble), Some(Overlay::Attach { says, .. })) => *says = Some(trouble),
        (Some(trouble), _) => {
            if let Some(card) = model.card_mut() {
                card.remark = Some(trouble);
            }
        }
    }
}
