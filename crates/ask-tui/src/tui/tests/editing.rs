//! The person's own editor, their earlier answers, and the files of the project.

use ask_config::keys::Context;
use ask_core::{Answer, Attachment, Digest, Draft, Record};
use ask_protocol::ipc::Verdict;
use crossterm::event::{KeyCode, KeyModifiers};

use super::Person;
use crate::editor::Edited;
use crate::fixtures::{closed, database, record, service};
use crate::tui::event::{Effect, Event};
use crate::ui::editor_file::EditorFile;

fn text(person: &Person) -> &str {
    person.card().form.entries[0].field.text()
}

fn editor_file(effects: &[Effect]) -> &EditorFile {
    match effects {
        [.., Effect::Edit(editor_file)] => editor_file,
        _ => panic!("the editor is opened: {effects:?}"),
    }
}

#[test]
fn the_editor_gets_the_draft_and_what_it_is_about() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.ctrl('g');
    assert!(person.card().spot().typing, "it is Other that is edited");
    let effects = person.taken();
    let out = editor_file(&effects);
    assert_eq!(out.name, "ask-one-1.md");
    insta::assert_snapshot!(out.text());
    person.happen(Event::Edited(Edited::Words("# mine\n\ntwo".into())));
    assert_eq!(text(&person), "# mine\n\ntwo");
    assert!(matches!(
        person.taken().as_slice(),
        [Effect::SaveDraft { .. }]
    ));
    person.ctrl('7');
    assert_eq!(text(&person), "", "it is undone in one step");
}

#[test]
fn a_draft_is_kept_before_the_editor_opens() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("words");
    person.ctrl('x');
    person.ctrl('e');
    let effects = person.taken();
    assert!(matches!(effects[0], Effect::SaveDraft { .. }));
    assert_eq!(editor_file(&effects).draft(), "words");
}

#[test]
fn ctrl_e_alone_moves_the_caret() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("words");
    person.key(KeyCode::Home);
    person.ctrl('x');
    person.keys("a");
    person.ctrl('e');
    person.keys("b");
    assert_eq!(text(&person), "awordsb");
    assert!(person.taken().is_empty());
}

#[test]
fn what_goes_wrong_with_the_editor_is_said_and_changes_nothing() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("words");
    person.ctrl('g');
    person.happen(Event::Edited(Edited::Refused));
    assert!(person.at(80, 24).contains("your text is as it was"));
    person.ctrl('g');
    person.happen(Event::Edited(Edited::Missing("no\u{7}vim".into())));
    assert!(person.at(80, 24).contains("novim can't be run"));
    assert_eq!(text(&person), "words");
}

#[test]
fn reasons_and_questions_back_are_edited_too() {
    let mut person = Person::carded(record("ask-one", vec![database()]));
    person.keys("xtoo");
    person.ctrl('g');
    let effects = person.taken();
    assert_eq!(editor_file(&effects).name, "ask-one-reason.md");
    assert_eq!(editor_file(&effects).draft(), "too");
    person.happen(Event::Edited(Edited::Words("too soon".into())));
    person.key(KeyCode::Enter);
    let effects = person.taken();
    let [
        ..,
        Effect::Settle {
            verdict: Verdict::Decline { reason },
            ..
        },
    ] = effects.as_slice()
    else {
        panic!("{effects:?}");
    };
    assert_eq!(reason.as_deref(), Some("too soon"));
}

fn answered(id: &str, project: &str, own: &str) -> Record {
    let mut record = record(id, vec![service()]);
    record.asker.project = Some(project.to_owned());
    let answers = vec![Answer::saying(own)];
    closed(
        record,
        Draft {
            answers,
            note: None,
        },
    )
}

fn recalling(person: &mut Person) {
    let records = vec![
        answered("ask-1", "elsewhere", "theirs"),
        answered("ask-2", "shop-api", "late"),
        answered("ask-3", "shop-api", "early\nand long"),
        answered("ask-4", "shop-api", "late"),
    ];
    let id = person.card().record.id.clone();
    assert_eq!(person.taken(), [Effect::Recall { id: id.clone() }]);
    person.happen(Event::Recalled { id, records });
}

#[test]
fn earlier_answers_are_walked_through_and_what_was_typed_comes_back() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("0half");
    person.pass(1_000);
    person.taken();
    let older = |person: &mut Person| person.press(KeyCode::Up, KeyModifiers::ALT);
    older(&mut person);
    assert_eq!(text(&person), "half", "they are read when they are wanted");
    recalling(&mut person);
    assert_eq!(text(&person), "late");
    older(&mut person);
    assert_eq!(text(&person), "early\nand long");
    older(&mut person);
    assert_eq!(
        text(&person),
        "theirs",
        "other projects' come last, each once"
    );
    older(&mut person);
    assert_eq!(text(&person), "theirs");
    for shown in ["early\nand long", "late", "half", "half"] {
        person.press(KeyCode::Down, KeyModifiers::ALT);
        assert_eq!(text(&person), shown);
    }
}

#[test]
fn an_empty_text_question_recalls_with_the_arrow_alone() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.key(KeyCode::Up);
    recalling(&mut person);
    assert_eq!(text(&person), "late");
    person.key(KeyCode::Up);
    assert_eq!(text(&person), "early\nand long");
    person.key(KeyCode::Up);
    assert_eq!(text(&person), "early\nand long", "rows come first");
    person.key(KeyCode::Up);
    assert_eq!(text(&person), "theirs");
    person.key(KeyCode::Down);
    person.key(KeyCode::Down);
    person.key(KeyCode::Down);
    assert_eq!(text(&person), "");
    person.keys("typed");
    person.key(KeyCode::Up);
    assert_eq!(text(&person), "typed", "the typed text stays");
}

#[test]
fn an_answer_of_files_alone_has_no_words_to_recall() {
    let bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20";
    let file = Attachment::from_bytes("ok.png", bytes, Digest([1; 32])).expect("a picture");
    let answer = Answer {
        attachments: vec![file],
        ..Answer::default()
    };
    let draft = Draft {
        answers: vec![answer],
        note: None,
    };
    let over = closed(record("ask-files", vec![service()]), draft);
    assert!(ask_hub::surface::previous_answers::own_words(&over).is_empty());
}

#[test]
fn nothing_to_recall_is_said() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.key(KeyCode::Up);
    let id = person.card().record.id.clone();
    let records = Vec::new();
    person.happen(Event::Recalled { id, records });
    assert!(person.at(80, 24).contains("There are no earlier answers"));
}

fn files(person: &mut Person, letters: &str, found: &[&str]) {
    person.happen(Event::Paths {
        letters: letters.to_owned(),
        found: found.iter().map(|&path| path.to_owned()).collect(),
        total: found.len(),
        ended: true,
        cut: None,
    });
}

#[test]
fn a_file_is_put_in_place_of_what_follows_the_sign() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("see @");
    let directory = "/home/ann/src/shop-api".to_owned();
    let letters = String::new();
    assert_eq!(person.taken(), [Effect::FindPaths { directory, letters }]);
    person.key(KeyCode::Enter);
    assert!(
        person.taken().is_empty(),
        "Enter was early, and sends nothing"
    );
    files(
        &mut person,
        "",
        &["a.rs", "my notes.md", "src/\u{1b}[31mred.rs"],
    );
    let picture = person.at(80, 24);
    assert!(picture.contains("› a.rs") && picture.contains("Tab/Enter insert the file"));
    assert!(picture.contains("red.rs") && !picture.contains('\u{1b}'));
    person.key(KeyCode::Down);
    person.key(KeyCode::Tab);
    assert_eq!(text(&person), "see \"my notes.md\"");
    person.keys(" @a");
    files(&mut person, "a", &["a.rs"]);
    person.key(KeyCode::Enter);
    assert_eq!(text(&person), "see \"my notes.md\" a.rs");
}

#[test]
fn esc_leaves_the_sign_and_the_field_is_as_it_was() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("0@");
    files(&mut person, "", &["a.rs"]);
    person.key(KeyCode::Esc);
    assert_eq!(text(&person), "@");
    assert!(person.card().spot().typing);
    person.taken();
    person.keys("a");
    assert!(person.taken().is_empty(), "it stays closed for this sign");
    person.keys(" ann@b");
    assert!(
        person.taken().is_empty(),
        "an @ within a word opens no popup"
    );
    person.keys(" @");
    assert_eq!(person.taken().len(), 1);
    assert_eq!(text(&person), "@a ann@b @");
}

#[test]
fn where_no_file_fits_it_is_said_and_one_enter_closes_that_before_the_next_sends() {
    for closing in [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab] {
        let mut person = Person::one(record("ask-text", vec![service()]));
        person.keys("@zzz");
        files(&mut person, "zzz", &[]);
        for (columns, rows) in [(100, 30), (44, 14), (24, 6)] {
            let seen = person.at(columns, rows);
            assert!(seen.contains("no file fits"), "{seen}");
        }
        assert!(person.at(80, 24).contains("Tab/Enter close"));
        person.taken();
        person.key(closing);
        assert!(!person.at(80, 24).contains("no file fits"));
        assert_eq!(text(&person), "@zzz");
        assert_eq!(person.taken(), [], "the first one only closes it");
        person.key(KeyCode::Enter);
        assert!(matches!(person.taken()[..], [Effect::Settle { .. }]));
    }
}

#[test]
fn that_not_all_files_were_looked_at_is_told() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("@z");
    for (found, seen) in [
        (vec![], "no file fits among the first 20,000"),
        (vec!["z.rs".to_owned()], "1 of the first 20,000 files"),
    ] {
        person.happen(Event::Paths {
            letters: "z".to_owned(),
            total: found.len(),
            found,
            ended: true,
            cut: Some(20_000),
        });
        let picture = person.at(80, 24);
        assert!(picture.contains(seen), "{picture}");
    }
}

#[test]
fn files_that_were_looked_for_before_are_not_shown() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("@ab");
    files(&mut person, "a", &["apart.rs"]);
    assert!(!person.at(80, 24).contains("apart.rs"));
    files(&mut person, "ab", &["ab.rs"]);
    for (columns, rows) in [(100, 30), (44, 14), (24, 6)] {
        assert!(
            person.at(columns, rows).contains("› ab.rs"),
            "{columns}x{rows}"
        );
    }
}

#[test]
fn the_popup_goes_with_its_field() {
    let asked = record("ask-text", vec![service()]);
    let mut person = Person::carded(asked.clone());
    person.keys("@");
    files(&mut person, "", &["a.rs"]);
    let answers = vec![Answer::saying("elsewhere")];
    let records = vec![closed(
        asked,
        Draft {
            answers,
            note: None,
        },
    )];
    let gone = Vec::new();
    person.happen(Event::Changed { records, gone });
    assert!(!person.at(80, 24).contains("a.rs"));
    assert_eq!(person.model.context(), Context::Notice);
}
