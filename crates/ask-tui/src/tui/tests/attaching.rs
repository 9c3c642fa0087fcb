//! Files attached to answers: from the clipboard, by path, dropped, and removed again.

use ask_config::keys::Context;
use ask_core::record::Saved;
use ask_core::{Attachment, Digest};
use crossterm::event::KeyCode;

use super::Person;
use crate::attach::AttachError;
use crate::fixtures::{database, features, record, service};
use crate::tui::event::{Effect, Event, FileSource};

fn picture(name: &str, number: u8) -> Attachment {
    let bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20";
    Attachment::from_bytes(name, bytes, Digest([number; 32])).expect("a picture")
}

impl Person {
    /// Sends the result of the attachment that was requested last.
    fn attached(&mut self, file: Result<Attachment, AttachError>) {
        let id = self.card().record.id.clone();
        let question = self.card().tab;
        self.happen(Event::Attached { id, question, file });
    }

    fn sources(&mut self) -> Vec<FileSource> {
        let wanted = self.taken().into_iter().filter_map(|effect| match effect {
            Effect::Attach { source, .. } => Some(source),
            _ => None,
        });
        wanted.collect()
    }
}

#[test]
fn what_was_copied_is_attached_shown_kept_and_taken_off_again() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.ctrl('v');
    assert_eq!(person.sources(), [FileSource::Copied]);
    assert!(person.at(100, 30).contains("Attaching ..."));
    person.attached(Ok(picture("clipboard.png", 1)));
    let seen = person.at(100, 30);
    assert!(
        seen.contains("image: clipboard.png, 1280x800, 24 bytes  (Backspace removes it)"),
        "{seen}"
    );
    assert!(!seen.contains("Attaching"), "{seen}");
    let kept = person.taken();
    let [Effect::SaveDraft { draft, .. }] = kept.as_slice() else {
        panic!("{kept:?}");
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
fn nothing_is_sent_while_a_file_is_still_read() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.ctrl('v');
    person.taken();
    person.key(KeyCode::Enter);
    assert_eq!(person.taken(), []);
    let seen = person.at(100, 30);
    assert!(
        seen.contains("Not sent: a file is still being attached."),
        "{seen}"
    );
    person.attached(Ok(picture("a.png", 1)));
    person.taken();
    person.key(KeyCode::Enter);
    assert!(matches!(person.taken().as_slice(), [Effect::Settle { .. }]));
}

#[test]
fn an_image_alone_answers_a_text_question() {
    let mut person = Person::one(record("ask-name", vec![service()]));
    person.ctrl('v');
    person.attached(Ok(picture("a.png", 1)));
    person.taken();
    person.key(KeyCode::Enter);
    assert!(matches!(person.taken().as_slice(), [Effect::Settle { .. }]));
}

#[test]
fn a_path_is_typed_and_what_is_wrong_with_it_is_said_there() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.keys("a");
    assert_eq!(person.card().context(), Context::Pick);
    assert_eq!(person.model.context(), Context::Attach);
    person.keys("shot.png");
    person.key(KeyCode::Enter);
    assert_eq!(person.sources(), [FileSource::Path("shot.png".to_owned())]);
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
fn the_field_for_a_path_has_one_line_and_enter_always_means_enter() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.keys("a");
    person.happen(Event::Paste("/x/two\nwords.txt\n".to_owned()));
    assert!(person.at(100, 30).contains("/x/two words.txt"));
    // A line break that was detected as part of a paste.
    person.happen(Event::Break);
    assert_eq!(
        person.sources(),
        [FileSource::Path("/x/two words.txt".to_owned())]
    );
}

#[test]
fn an_image_that_cannot_be_read_is_called_a_file() {
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
fn a_dropped_image_is_offered_and_stays_text_with_esc() {
    let mut person = Person::one(record("ask-name", vec![service()]));
    person.happen(Event::Paste("'/tmp/a b.png' ".to_owned()));
    assert_eq!(person.model.context(), Context::Attach);
    person.key(KeyCode::Esc);
    assert_eq!(
        person.card().form.entries[0].field.text(),
        "'/tmp/a b.png' "
    );
    person.happen(Event::Paste("/tmp/shot.png".to_owned()));
    person.key(KeyCode::Enter);
    assert_eq!(
        person.sources(),
        [FileSource::Path("/tmp/shot.png".to_owned())]
    );
    person.attached(Ok(picture("shot.png", 1)));
    assert!(person.at(100, 30).contains("image: shot.png"));
    // Backspace removes a file only in an empty field.
    person.key(KeyCode::Backspace);
    assert_eq!(person.card().attachments().len(), 1);
}

#[test]
fn files_belong_to_their_question_and_are_in_the_review() {
    let mut person = Person::one(record("ask-two", vec![database(), features()]));
    person.ctrl('v');
    assert_eq!(person.sources(), [FileSource::Copied]);
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
    assert_eq!(person.sources(), []);
}

#[test]
fn at_the_smallest_size_the_file_that_goes_is_seen_before_the_note() {
    let mut person = Person::one(record("ask-pick", vec![database()]));
    person.ctrl('v');
    person.attached(Ok(picture("a.png", 1)));
    for rows in 6..30 {
        person.at(44, rows);
    }
    assert!(person.at(44, 20).contains("image: a.png"));
}

#[test]
fn a_file_taken_off_at_once_stays_off_when_the_hub_tells_of_it() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.hub_keeps = false;
    person.attached(Ok(picture("a.png", 1)));
    let kept = person.taken();
    let [Effect::SaveDraft { draft, .. }] = kept.as_slice() else {
        panic!("{kept:?}");
    };
    let mut draft = draft.clone();
    person.key(KeyCode::Backspace);
    assert_eq!(person.card().attachments(), []);
    // The hub adds the path of the stored file, which the surface doesn't know.
    draft.set_attachment_paths(|_| Some("/kept/a.png".to_owned()));
    let mut told = person.card().record.clone();
    told.draft = Some(Saved {
        draft,
        at: person.now,
        surface: "terminal".to_owned(),
        revision: 1,
    });
    person.happen(Event::Changed {
        records: vec![told],
        gone: Vec::new(),
    });
    assert_eq!(person.card().attachments(), [], "it was our own draft");
}
