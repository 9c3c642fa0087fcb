//! Files in the plain mode: attached to answers, and named in them.

use ask_core::{Attachment, Digest};

use super::{
    LineInput, Mode, NOON, PlainEffect, PlainSession, brief, database, options, record, service,
    three,
};
use crate::attach::AttachError;

/// A conversation with an imaginary disk.
struct Told {
    talk: PlainSession,
    text: String,
    done: Vec<PlainEffect>,
}

impl Told {
    fn of(asked: ask_core::Record) -> Self {
        let mode = Mode::One(asked.id.clone());
        let (talk, step) = PlainSession::begin(mode, options(), vec![asked], NOON);
        let (text, done) = (step.text, step.effects);
        Self { talk, text, done }
    }

    fn says(&mut self, lines: &[&str]) -> &mut Self {
        for line in lines {
            self.text.push_str(&format!("> {line}\n"));
            self.hears(LineInput::Line((*line).to_owned()));
        }
        self
    }

    fn hears(&mut self, heard: LineInput) {
        let step = self.talk.step(heard, NOON);
        self.text.push_str(&step.text);
        for effect in step.effects {
            self.text.push_str(&format!("[{}]\n", brief(&effect)));
            self.done.push(effect);
        }
    }

    fn attaches(&mut self, name: &str, number: u8) -> &mut Self {
        let bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20";
        let file = Attachment::from_bytes(name, bytes, Digest([number; 32])).expect("a picture");
        self.hears(LineInput::Attached(Ok(file)));
        self
    }

    fn finds(&mut self, files: &[&str], total: usize) -> &mut Self {
        let files = files.iter().map(|&file| file.to_owned()).collect();
        self.hears(LineInput::Found(files, total));
        self
    }
}

#[test]
fn files_are_attached_by_their_path_told_and_taken_off() {
    let mut told = Told::of(record("ask-one", vec![database()]));
    told.says(&["f shot.png"]).attaches("shot.png", 1);
    told.says(&["f", "", "f", "'/tmp/a b.png'"]);
    told.attaches("a b.png", 2);
    told.says(&["f nowhere.png"]);
    told.hears(LineInput::Attached(Err(AttachError::Missing(
        "nowhere.png".into(),
    ))));
    told.says(&["v"]);
    told.hears(LineInput::Attached(Err(AttachError::NothingCopied)));
    told.says(&["f -", "a", "2", "y"]);
    insta::assert_snapshot!("attached", told.text);
    let sent = told.done.iter().find_map(|effect| match effect {
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
    let mut told = Told::of(three());
    told.says(&["1", "/f plan.png"]).attaches("plan.png", 1);
    told.says(&["", "1", "f late.png", "n", "q"]);
    insta::assert_snapshot!("attached_alone", told.text);
}

#[test]
fn more_files_than_an_answer_carries_are_refused() {
    let mut told = Told::of(record("ask-one", vec![database()]));
    for number in 1..=10 {
        told.attaches(&format!("{number}.png"), number);
    }
    told.text.clear();
    told.attaches("11.png", 11);
    assert!(
        told.text.starts_with("An answer can carry 10 files"),
        "{}",
        told.text
    );
}

#[test]
fn files_of_the_project_are_read_out_and_named_by_their_numbers() {
    let mut told = Told::of(record("ask-one", vec![service()]));
    told.says(&["like this one:", "/@ main"]);
    told.finds(&["src/main.rs", "notes of\u{1b}[2J may.txt"], 2);
    told.says(&["see @1 and @2, not @3", "/f @1"]);
    told.attaches("main.rs", 1);
    told.says(&["ask ann@1"]);
    told.says(&["/@"])
        .finds(&["a", "b", "c", "d", "e", "f", "g", "h", "i"], 40);
    told.says(&["/@ zzz"]).finds(&[], 0);
    told.says(&[""]);
    insta::assert_snapshot!("files", told.text);
}

#[test]
fn files_are_looked_for_from_a_list_of_choices_too() {
    let mut told = Told::of(record("ask-one", vec![database()]));
    told.says(&["@main"]).finds(&["src/main.rs"], 1);
    told.says(&["n as in @1", "@1"]).finds(&[], 0);
    told.says(&["0", "/@ main"]).finds(&["src/main.rs"], 1);
    told.says(&["@1", ""]);
    insta::assert_snapshot!("files_of_choices", told.text);
    let mut asked = record("ask-one", vec![database()]);
    asked.asker.directory = None;
    let mut told = Told::of(asked);
    told.text.clear();
    told.says(&["@"]);
    assert!(
        told.text.contains("Nobody knows in which folder"),
        "{}",
        told.text
    );
}
