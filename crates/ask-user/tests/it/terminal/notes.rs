//! What belongs to answers besides choices: notes, the filter of a long list, recommended answers,
//! and copies.

use super::{THREE, ask_and_open, ask_and_open_alone};
use crate::support::sandbox::Sandbox;

/// Two questions with recommended choices.
const RECOMMENDED: &str = r#"{"questions":[
    {"id":"db","question":"Which database?","options":["SQLite","PostgreSQL (Recommended)"]},
    {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth (Recommended)","Docs","Tests (Recommended)"]}]}"#;

/// A question with forty choices.
fn forty_choices() -> String {
    let options: Vec<String> = (1..=40).map(|at| format!("\"Region {at}\"")).collect();
    format!(
        r#"{{"question":"Where?","options":[{}]}}"#,
        options.join(",")
    )
}

#[test]
fn notes_are_sent_and_shown_in_the_review() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", THREE);
    screen.wait_until_ready();
    screen.wait_for("Note: none  (n adds one)");
    screen.press(&["n"]);
    screen.wait_for("your note");
    screen.type_text("until we grow");
    screen.wait_until_bright("until we grow");
    screen.press(&["Enter"]);
    screen.wait_for("Note: \"until we grow\"  (n edits)");
    screen.press(&["1"]);
    screen.wait_for("[□ Name]");
    screen.type_text("orders");
    screen.wait_until_bright("orders");
    screen.press(&["Enter"]);
    screen.wait_for("[□ Parts]");
    screen.press(&["1"]);
    screen.wait_for("[x] Auth");
    screen.press(&["Enter"]);
    screen.wait_for("[✓ Submit]");
    screen.wait_for("note: until we grow");
    screen.wait_for("N  Note for all answers: none");
    screen.press(&["N"]);
    screen.wait_for("your note for all answers");
    screen.type_text("no hurry");
    screen.wait_until_bright("no hurry");
    screen.press(&["Enter"]);
    screen.wait_for("N  Note for all answers: \"no hurry\"");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    let (code, reply) = asking.receive();
    assert_eq!(code, 0, "{reply}");
    assert!(reply.contains(r#""note":"until we grow""#), "{reply}");
    assert!(reply.contains(r#""note":"no hurry""#), "{reply}");
}

#[test]
fn a_note_survives_a_terminal_that_is_killed() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = ask_and_open(&sandbox, "native", THREE);
    screen.wait_until_ready();
    screen.press(&["n"]);
    screen.wait_for("your note");
    screen.type_text("half a thought");
    screen.wait_until_bright("half a thought");
    screen.press(&["Enter"]);
    screen.wait_for("draft saved");
    screen.signal(rustix::process::Signal::KILL);
    let screen = crate::support::screen::Screen::open(&sandbox, &["inbox", "--next"]);
    screen.wait_for("Note: \"half a thought\"  (n edits)");
}

#[test]
fn recommended_choices_are_picked_with_one_key() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", RECOMMENDED);
    screen.wait_until_ready();
    screen.wait_for("r recommended");
    screen.press(&["R"]);
    screen.wait_for("[✓ Submit]");
    screen.wait_for("Auth (Recommended), Tests (Recommended)");
    screen.press(&["Enter"]);
    let (code, reply) = asking.receive();
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
    let (asking, screen) = ask_and_open_alone(&sandbox, "native", &forty_choices());
    screen.wait_until_ready();
    screen.wait_for("/ filter");
    screen.press(&["/"]);
    screen.wait_for("40 of 40");
    screen.type_text("r3");
    screen.wait_for("Filter: r3");
    screen.wait_for("1. Region 3");
    screen.press(&["BSpace"]);
    screen.type_text("37");
    screen.wait_for("1 of 40");
    screen.wait_for("› 1. Region 37");
    screen.press(&["Enter"]);
    screen.wait_for("Esc show all again");
    screen.press(&["1"]);
    screen.wait_for("Region 37  ✓ chosen");
    screen.press(&["Enter"]);
    assert_eq!(screen.wait_for_exit(), 0);
    let (_, reply) = asking.receive();
    assert!(reply.contains(r#""values":["Region 37"]"#), "{reply}");
}

#[test]
fn esc_ends_the_filter_before_anything_else() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = ask_and_open(&sandbox, "native", &forty_choices());
    screen.wait_until_ready();
    screen.press(&["/"]);
    screen.wait_for("40 of 40");
    screen.type_text("zz");
    screen.wait_for(" 0 of 40");
    screen.press(&["Escape"]);
    screen.wait_for("1. Region 1");
    screen.wait_until_gone("Filter:");
}

#[test]
fn a_copied_question_is_sanitized() {
    let sandbox = Sandbox::new();
    let call = r#"{"question":"Which\u001b]0;x\u0007?","options":["A","B"]}"#;
    let (_asking, screen) = ask_and_open(&sandbox, "native", call);
    screen.wait_until_ready();
    screen.press(&["C-y"]);
    screen.wait_for("Copied, if your terminal allows it.");
    assert!(screen.screen().contains("Which?"), "{}", screen.screen());
}
