//! Files in the plain mode: attached to answers, and named in them.

use ask_core::{Attachment, Digest};

use super::{
    Mode, NOON, PlainEffect, PlainEvent, PlainSession, brief, database, options, record, service,
    three,
};
use crate::attach::AttachError;

/// A session, what it printed, and its effects.
struct Transcript {
    session: PlainSession,
    text: String,
    effects: Vec<PlainEffect>,
}

impl Transcript {
    fn start(asked: ask_core::Record) -> Self {
        let mode = Mode::One(asked.id.clone());
        let (session, step) = PlainSession::start(mode, options(), vec![asked], NOON);
        let (text, effects) = (step.text, step.effects);
        Self {
            session,
            text,
            effects,
        }
    }

    fn type_lines(&mut self, lines: &[&str]) -> &mut Self {
        for line in lines {
            self.text.push_str(&format!("> {line}\n"));
            self.handle(PlainEvent::Line((*line).to_owned()));
        }
        self
    }

    fn handle(&mut self, event: PlainEvent) {
        let step = self.session.handle(event, NOON);
        self.text.push_str(&step.text);
        for effect in step.effects {
            if effect == PlainEffect::ReportLeft {
                self.handle(PlainEvent::Left);
                continue;
            }
            self.text.push_str(&format!("[{}]\n", brief(&effect)));
            self.effects.push(effect);
        }
    }

    fn attach(&mut self, name: &str, number: u8) -> &mut Self {
        let bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20";
        let file = Attachment::from_bytes(name, bytes, Digest([number; 32])).expect("a picture");
        self.handle(PlainEvent::Attached(Ok(file)));
        self
    }

    fn find(&mut self, files: &[&str], total: usize) -> &mut Self {
        let files = files.iter().map(|&file| file.to_owned()).collect();
        self.handle(PlainEvent::FilesFound(files, total));
        self
    }
}

#[test]
fn files_are_attached_by_path_and_removed() {
    let mut transcript = Transcript::start(record("ask-one", vec![database()]));
    transcript.type_lines(&["f shot.png"]).attach("shot.png", 1);
    transcript.type_lines(&["f", "", "f", "'/tmp/a b.png'"]);
    transcript.attach("a b.png", 2);
    transcript.type_lines(&["f nowhere.png"]);
    transcript.handle(PlainEvent::Attached(Err(AttachError::Missing(
        "nowhere.png".into(),
    ))));
    transcript.type_lines(&["v"]);
    transcript.handle(PlainEvent::Attached(Err(AttachError::NothingToAttach)));
    transcript.type_lines(&["f -", "a", "2", "y"]);
    insta::assert_snapshot!("attached", transcript.text);
    let sent = transcript.effects.iter().find_map(|effect| match effect {
        PlainEffect::Settle { verdict, .. } => Some(format!("{verdict:?}")),
        _ => None,
    });
    let sent = sent.expect("an answer was sent");
    assert!(
        sent.contains("shot.png") && !sent.contains("a b.png"),
        "{sent}"
    );
}

#[test]
fn files_alone_are_an_answer_and_the_review_has_none() {
    let mut transcript = Transcript::start(three());
    transcript
        .type_lines(&["1", "/f plan.png"])
        .attach("plan.png", 1);
    transcript.type_lines(&["", "1", "f late.png", "n", "q"]);
    insta::assert_snapshot!("attached_alone", transcript.text);
}

#[test]
fn more_files_than_an_answer_may_have_are_refused() {
    let mut transcript = Transcript::start(record("ask-one", vec![database()]));
    for number in 1..=10 {
        transcript.attach(&format!("{number}.png"), number);
    }
    transcript.text.clear();
    transcript.attach("11.png", 11);
    assert!(
        transcript.text.starts_with("An answer can carry 10 files"),
        "{}",
        transcript.text
    );
}

#[test]
fn files_of_the_project_are_read_out_and_named_by_their_numbers() {
    let mut transcript = Transcript::start(record("ask-one", vec![service()]));
    transcript.type_lines(&["like this one:", "/@ main"]);
    transcript.find(&["src/main.rs", "notes of\u{1b}[2J may.txt"], 2);
    transcript.type_lines(&["see @1 and @2, not @3", "/f @1"]);
    transcript.attach("main.rs", 1);
    transcript.type_lines(&["ask ann@1"]);
    transcript
        .type_lines(&["/@"])
        .find(&["a", "b", "c", "d", "e", "f", "g", "h", "i"], 40);
    transcript.type_lines(&["/@ zzz"]).find(&[], 0);
    transcript.type_lines(&[""]);
    insta::assert_snapshot!("files", transcript.text);
}

#[test]
fn files_can_be_found_from_a_list_of_choices() {
    let mut transcript = Transcript::start(record("ask-one", vec![database()]));
    transcript.type_lines(&["@main"]).find(&["src/main.rs"], 1);
    transcript.type_lines(&["n as in @1", "@1"]).find(&[], 0);
    transcript
        .type_lines(&["0", "/@ main"])
        .find(&["src/main.rs"], 1);
    transcript.type_lines(&["@1", ""]);
    insta::assert_snapshot!("files_of_choices", transcript.text);
    let mut asked = record("ask-one", vec![database()]);
    asked.asker.directory = None;
    let mut transcript = Transcript::start(asked);
    transcript.text.clear();
    transcript.type_lines(&["@"]);
    assert!(
        transcript.text.contains("Nobody knows in which folder"),
        "{}",
        transcript.text
    );
}
