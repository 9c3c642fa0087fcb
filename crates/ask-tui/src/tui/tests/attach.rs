//! Files attached to answers: from the clipboard, by path, dropped, and removed again.

use ask_config::keys::Context;
use ask_core::record::Saved;
use ask_core::{Attachment, Digest};
use crossterm::event::KeyCode;

use super::Person;
use crate::attach::{AttachError, AttachmentSource};
use crate::fixtures::{database, features, record, service};
use crate::tui::event::{Effect, Event};

pub(super) fn picture(name: &str, number: u8) -> Attachment {
    let bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20";
    Attachment::from_bytes(name, bytes, Digest([number; 32])).expect("a picture")
}

impl Person {
    /// Sends the result of the attachment that was requested last.
    fn attached(&mut self, file: Result<Attachment, AttachError>) {
        let id = self.card().record.id.clone();
        let question = self.card().tab;
        self.handle(Event::Attached { id, question, file });
    }

    fn requested_sources(&mut self) -> Vec<AttachmentSource> {
        let wanted = self
            .take_effects()
            .into_iter()
            .filter_map(|effect| match effect {
                Effect::Attach { source, .. } => Some(source),
                _ => None,
            });
        wanted.collect()
    }
}

#[test]
fn the_clipboard_is_attached_shown_saved_and_removed() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.ctrl('v');
    assert_eq!(person.requested_sources(), [AttachmentSource::Clipboard]);
    assert!(person.at(100, 30).contains("Attaching ..."));
    person.attached(Ok(picture("clipboard.png", 1)));
    let seen = person.at(100, 30);
    assert!(
        seen.contains("image: clipboard.png, 1280x800, 24 bytes  (Backspace removes it)"),
        "{seen}"
    );
    assert!(!seen.contains("Attaching"), "{seen}");
    let effects = person.take_effects();
    let [Effect::SaveDraft { draft, .. }] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(draft.attachments().count(), 1);
    for number in 2..=5 {
        person.attached(Ok(picture(&format!("{number}.png"), number)));
    }
    let seen = person.at(100, 30);
    assert!(seen.contains("3 more files"), "{seen}");
    assert!(seen.contains("image: 5.png"), "{seen}");
    person.key(KeyCode::Backspace);
    assert!(!person.at(100, 30).contains("5.png"));
    for _ in 0..4 {
        person.key(KeyCode::Backspace);
    }
    assert_eq!(person.card().attachments(), []);
}

#[test]
fn nothing_is_sent_while_a_file_is_being_read() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.ctrl('v');
    person.take_effects();
    person.key(KeyCode::Enter);
    assert_eq!(person.take_effects(), []);
    let seen = person.at(100, 30);
    assert!(
        seen.contains("Not sent: a file is still being attached."),
        "{seen}"
    );
    person.attached(Ok(picture("a.png", 1)));
    person.take_effects();
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));
}

#[test]
fn an_image_alone_answers_a_text_question() {
    let mut person = Person::one(record("ask-name", vec![service()]));
    person.ctrl('v');
    person.attached(Ok(picture("a.png", 1)));
    person.take_effects();
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));
}

#[test]
fn an_error_with_a_typed_path_is_shown_in_its_dialog() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.keys("a");
    assert_eq!(person.card().context(), Context::Pick);
    assert_eq!(person.model.context(), Context::Attach);
    person.keys("shot.png");
    person.key(KeyCode::Enter);
    assert_eq!(
        person.requested_sources(),
        [AttachmentSource::Path("shot.png".to_owned())]
    );
    person.attached(Err(AttachError::Missing("/src/shop/shot.png".to_owned())));
    let seen = person.at(100, 30);
    assert!(
        seen.contains("There is no file /src/shop/shot.png."),
        "{seen}"
    );
    assert!(
        seen.contains("│ shot.png") || seen.contains("shot.png"),
        "{seen}"
    );
    person.key(KeyCode::Enter);
    person.attached(Ok(picture("shot.png", 1)));
    assert_eq!(person.model.context(), Context::Pick);
    assert!(person.at(100, 30).contains("image: shot.png"));
}

#[test]
fn the_field_for_a_path_has_one_line_and_a_pasted_newline_means_enter() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.keys("a");
    person.handle(Event::Paste("/x/two\nwords.txt\n".to_owned()));
    assert!(person.at(100, 30).contains("/x/two words.txt"));
    // A line break that was detected as part of a paste.
    person.handle(Event::PastedNewline);
    assert_eq!(
        person.requested_sources(),
        [AttachmentSource::Path("/x/two words.txt".to_owned())]
    );
}

#[test]
fn a_broken_image_is_attached_as_a_file() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.ctrl('v');
    let broken = Attachment::from_bytes("shot.png", b"\x89PNG\r\n\x1a\n", Digest([1; 32]));
    person.attached(Ok(broken.expect("the attachment is small enough")));
    let seen = person.at(100, 30);
    assert!(seen.contains("file: shot.png, 8 bytes"), "{seen}");
    assert!(
        seen.contains("shot.png is attached as a file: it is no image that can be read."),
        "{seen}"
    );
}

#[test]
fn a_dropped_image_is_offered_and_esc_inserts_it_as_text() {
    let mut person = Person::one(record("ask-name", vec![service()]));
    person.handle(Event::Paste("'/tmp/a b.png' ".to_owned()));
    assert_eq!(person.model.context(), Context::Attach);
    person.key(KeyCode::Esc);
    assert_eq!(
        person.card().form.entries[0].field.text(),
        "'/tmp/a b.png' "
    );
    person.handle(Event::Paste("/tmp/shot.png".to_owned()));
    person.key(KeyCode::Enter);
    assert_eq!(
        person.requested_sources(),
        [AttachmentSource::Path("/tmp/shot.png".to_owned())]
    );
    person.attached(Ok(picture("shot.png", 1)));
    assert!(person.at(100, 30).contains("image: shot.png"));
    // Backspace removes a file only in an empty field.
    person.key(KeyCode::Backspace);
    assert_eq!(person.card().attachments().len(), 1);
}

#[test]
fn files_belong_to_their_question_and_appear_in_the_review() {
    let mut person = Person::one(record("ask-two", vec![database(), features()]));
    person.ctrl('v');
    assert_eq!(person.requested_sources(), [AttachmentSource::Clipboard]);
    person.attached(Ok(picture("first.png", 1)));
    person.key(KeyCode::Tab);
    assert!(!person.at(100, 30).contains("first.png"));
    person.key(KeyCode::Tab);
    let seen = person.at(100, 30);
    assert!(
        seen.contains("image: first.png, 1280x800, 24 bytes"),
        "{seen}"
    );
    person.ctrl('v');
    assert_eq!(person.requested_sources(), []);
}

#[test]
fn on_few_rows_the_file_that_backspace_removes_precedes_the_note() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.ctrl('v');
    person.attached(Ok(picture("a.png", 1)));
    for rows in 6..30 {
        person.at(44, rows);
    }
    assert!(person.at(44, 20).contains("image: a.png"));
}

#[test]
fn a_removed_file_stays_removed_when_the_hub_confirms_the_old_draft() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.hub_confirms = false;
    person.attached(Ok(picture("a.png", 1)));
    let effects = person.take_effects();
    let [Effect::SaveDraft { draft, .. }] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let mut draft = draft.clone();
    person.key(KeyCode::Backspace);
    assert_eq!(person.card().attachments(), []);
    // The hub adds the path of the stored file, which the surface doesn't know.
    draft.set_attachment_paths(|_| Some("/kept/a.png".to_owned()));
    let mut confirmed = person.card().record.clone();
    confirmed.draft = Some(Saved {
        draft,
        at: person.now,
        surface: "terminal".to_owned(),
        revision: 1,
    });
    person.handle(Event::Changed {
        records: vec![confirmed],
        gone: Vec::new(),
    });
    assert_eq!(person.card().attachments(), [], "it was our own draft");
}
