//! What belongs to answers besides choices: notes, the filter of a long list, recommended answers,
//! and copies.

use super::{THREE, one_shot, opened};
use crate::support::sandbox::Sandbox;

/// Two questions with recommended choices.
const RECOMMENDED: &str = r#"{"questions":[
    {"id":"db","question":"Which database?","options":["SQLite","PostgreSQL (Recommended)"]},
    {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth (Recommended)","Docs","Tests (Recommended)"]}]}"#;

/// A question with forty choices.
fn many() -> String {
    let options: Vec<String> = (1..=40).map(|at| format!("\"Region {at}\"")).collect();
    format!(
        r#"{{"question":"Where?","options":[{}]}}"#,
        options.join(",")
    )
}

#[test]
fn notes_go_out_with_the_answers_and_stand_in_the_review() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "native", THREE);
    screen.ready();
    screen.see("Note: none  (n adds one)");
    screen.press(&["n"]);
    screen.see("your note");
    screen.types("until we grow");
    screen.bright("until we grow");
    screen.press(&["Enter"]);
    screen.see("Note: \"until we grow\"  (n edits)");
    screen.press(&["1"]);
    screen.see("[□ Name]");
    screen.types("orders");
    screen.bright("orders");
    screen.press(&["Enter"]);
    screen.see("[□ Parts]");
    screen.press(&["1"]);
    screen.see("[x] Auth");
    screen.press(&["Enter"]);
    screen.see("[✓ Submit]");
    screen.see("note: until we grow");
    screen.see("N  Note for all answers: none");
    screen.press(&["N"]);
    screen.see("your note for all answers");
    screen.types("no hurry");
    screen.bright("no hurry");
    screen.press(&["Enter"]);
    screen.see("N  Note for all answers: \"no hurry\"");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    let (code, reply) = asking.hears();
    assert_eq!(code, 0, "{reply}");
    assert!(reply.contains(r#""note":"until we grow""#), "{reply}");
    assert!(reply.contains(r#""note":"no hurry""#), "{reply}");
}

#[test]
fn a_note_survives_a_terminal_that_is_killed() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = opened(&sandbox, "native", THREE);
    screen.ready();
    screen.press(&["n"]);
    screen.see("your note");
    screen.types("half a thought");
    screen.bright("half a thought");
    screen.press(&["Enter"]);
    screen.see("draft saved");
    screen.kill(rustix::process::Signal::KILL);
    let screen = crate::support::screen::Screen::open(&sandbox, &["inbox", "--next"]);
    screen.see("Note: \"half a thought\"  (n edits)");
}

#[test]
fn what_is_recommended_is_marked_with_one_key_and_sent_from_the_review() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "native", RECOMMENDED);
    screen.ready();
    screen.see("r recommended");
    screen.press(&["R"]);
    screen.see("[✓ Submit]");
    screen.see("Auth (Recommended), Tests (Recommended)");
    screen.press(&["Enter"]);
    let (code, reply) = asking.hears();
    assert_eq!(code, 0, "{reply}");
    assert!(
        reply.contains(r#""values":["PostgreSQL (Recommended)"]"#),
        "{reply}"
    );
    assert!(
        reply.contains(r#""values":["Auth (Recommended)","Tests (Recommended)"]"#),
        "{reply}"
    );
}

#[test]
fn a_long_list_is_filtered_and_its_matches_have_numbers() {
    let sandbox = Sandbox::new();
    let (asking, screen) = one_shot(&sandbox, "native", &many());
    screen.ready();
    screen.see("/ filter");
    screen.press(&["/"]);
    screen.see("40 of 40");
    screen.types("r3");
    screen.see("Filter: r3");
    screen.see("1. Region 3");
    screen.press(&["BSpace"]);
    screen.types("37");
    screen.see("1 of 40");
    screen.see("› 1. Region 37");
    screen.press(&["Enter"]);
    screen.see("Esc show all again");
    screen.press(&["1"]);
    screen.see("Region 37  ✓ chosen");
    screen.press(&["Enter"]);
    assert_eq!(screen.ended(), 0);
    let (_, reply) = asking.hears();
    assert!(reply.contains(r#""values":["Region 37"]"#), "{reply}");
}

#[test]
fn esc_ends_the_filter_before_anything_else() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = opened(&sandbox, "native", &many());
    screen.ready();
    screen.press(&["/"]);
    screen.see("40 of 40");
    screen.types("zz");
    screen.see(" 0 of 40");
    screen.press(&["Escape"]);
    screen.see("1. Region 1");
    screen.gone("Filter:");
}

#[test]
fn a_question_is_copied_by_the_terminal_and_never_as_the_agent_sent_it() {
    let sandbox = Sandbox::new();
    let call = r#"{"question":"Which\u001b]0;x\u0007?","options":["A","B"]}"#;
    let (_asking, screen) = opened(&sandbox, "native", call);
    screen.ready();
    screen.press(&["C-y"]);
    screen.see("Copied, if your terminal allows it.");
    assert!(screen.screen().contains("Which?"), "{}", screen.screen());
}
