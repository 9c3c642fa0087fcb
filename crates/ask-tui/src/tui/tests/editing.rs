//! The person's own editor, their earlier answers, and the files of the project.

use ask_config::keys::Context;
use ask_core::{Answer, Attachment, Digest, Draft, Record};
use ask_protocol::ipc::Verdict;
use crossterm::event::{KeyCode, KeyModifiers};

use super::Person;
use crate::editor::EditResult;
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
    assert!(person.card().focus().typing, "it is Other that is edited");
    let effects = person.take_effects();
    let out = editor_file(&effects);
    assert_eq!(out.name, "ask-one-1.md");
    insta::assert_snapshot!(out.text());
    person.handle(Event::Edited(EditResult::Text("# mine\n\ntwo".into())));
    assert_eq!(text(&person), "# mine\n\ntwo");
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::SaveDraft { .. }]
    ));
    person.ctrl('7');
    assert_eq!(text(&person), "", "it is undone in one step");
}

#[test]
fn a_draft_is_saved_before_the_editor_opens() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("words");
    person.ctrl('x');
    person.ctrl('e');
    let effects = person.take_effects();
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
    assert!(person.take_effects().is_empty());
}

#[test]
fn an_editor_error_is_shown_and_changes_nothing() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("words");
    person.ctrl('g');
    person.handle(Event::Edited(EditResult::Discarded));
    assert!(person.at(80, 24).contains("your text is as it was"));
    person.ctrl('g');
    person.handle(Event::Edited(EditResult::Missing("no\u{7}vim".into())));
    assert!(person.at(80, 24).contains("novim can't be run"));
    assert_eq!(text(&person), "words");
}

#[test]
fn reasons_and_questions_to_the_agent_can_be_edited_too() {
    let mut person = Person::at_card(record("ask-one", vec![database()]));
    person.keys("xtoo");
    person.ctrl('g');
    let effects = person.take_effects();
    assert_eq!(editor_file(&effects).name, "ask-one-reason.md");
    assert_eq!(editor_file(&effects).draft(), "too");
    person.handle(Event::Edited(EditResult::Text("too soon".into())));
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
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

fn answer_recall(person: &mut Person) {
    let records = vec![
        answered("ask-1", "elsewhere", "theirs"),
        answered("ask-2", "shop-api", "late"),
        answered("ask-3", "shop-api", "early\nand long"),
        answered("ask-4", "shop-api", "late"),
    ];
    let id = person.card().record.id.clone();
    assert_eq!(person.take_effects(), [Effect::Recall { id: id.clone() }]);
    person.handle(Event::Recalled { id, records });
}

#[test]
fn earlier_answers_are_walked_through_back_to_the_typed_text() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("0half");
    person.wait_ms(1_000);
    person.take_effects();
    let older = |person: &mut Person| person.press(KeyCode::Up, KeyModifiers::ALT);
    older(&mut person);
    assert_eq!(text(&person), "half", "they are read when they are wanted");
    answer_recall(&mut person);
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
fn an_arrow_recalls_answers_in_an_empty_text_question() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.key(KeyCode::Up);
    answer_recall(&mut person);
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
fn an_answer_of_files_only_has_no_text_to_recall() {
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
    let answered = closed(record("ask-files", vec![service()]), draft);
    assert!(ask_hub::surface::previous_answers::own_words(&answered).is_empty());
}

#[test]
fn no_earlier_answers_is_reported() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.key(KeyCode::Up);
    let id = person.card().record.id.clone();
    let records = Vec::new();
    person.handle(Event::Recalled { id, records });
    assert!(person.at(80, 24).contains("There are no earlier answers"));
}

fn files(person: &mut Person, letters: &str, found: &[&str]) {
    person.handle(Event::PathsFound {
        letters: letters.to_owned(),
        found: found.iter().map(|&path| path.to_owned()).collect(),
        total: found.len(),
        ended: true,
        cut: None,
    });
}

#[test]
fn a_file_replaces_the_sign_and_its_letters() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("see @");
    let directory = "/home/ann/src/shop-api".to_owned();
    let letters = String::new();
    assert_eq!(
        person.take_effects(),
        [Effect::FindPaths { directory, letters }]
    );
    person.key(KeyCode::Enter);
    assert!(
        person.take_effects().is_empty(),
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
fn esc_closes_the_popup_and_keeps_the_text() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("0@");
    files(&mut person, "", &["a.rs"]);
    person.key(KeyCode::Esc);
    assert_eq!(text(&person), "@");
    assert!(person.card().focus().typing);
    person.take_effects();
    person.keys("a");
    assert!(
        person.take_effects().is_empty(),
        "it stays closed for this sign"
    );
    person.keys(" ann@b");
    assert!(
        person.take_effects().is_empty(),
        "an @ within a word opens no popup"
    );
    person.keys(" @");
    assert_eq!(person.take_effects().len(), 1);
    assert_eq!(text(&person), "@a ann@b @");
}

#[test]
fn without_a_match_one_enter_closes_the_popup_and_the_next_sends() {
    for closing in [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab] {
        let mut person = Person::one(record("ask-text", vec![service()]));
        person.keys("@zzz");
        files(&mut person, "zzz", &[]);
        for (columns, rows) in [(100, 30), (44, 14), (24, 6)] {
            let seen = person.at(columns, rows);
            assert!(seen.contains("no file fits"), "{seen}");
        }
        assert!(person.at(80, 24).contains("Tab/Enter close"));
        person.take_effects();
        person.key(closing);
        assert!(!person.at(80, 24).contains("no file fits"));
        assert_eq!(text(&person), "@zzz");
        assert_eq!(person.take_effects(), [], "the first one only closes it");
        person.key(KeyCode::Enter);
        assert!(matches!(person.take_effects()[..], [Effect::Settle { .. }]));
    }
}

#[test]
fn an_incomplete_search_is_reported() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("@z");
    for (found, seen) in [
        (vec![], "no file fits among the first 20,000"),
        (vec!["z.rs".to_owned()], "1 of the first 20,000 files"),
    ] {
        person.handle(Event::PathsFound {
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
fn results_of_an_older_search_are_ignored() {
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
fn the_popup_closes_with_its_field() {
    let asked = record("ask-text", vec![service()]);
    let mut person = Person::at_card(asked.clone());
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
    person.handle(Event::Changed { records, gone });
    assert!(!person.at(80, 24).contains("a.rs"));
    assert_eq!(person.model.context(), Context::Notice);
}
