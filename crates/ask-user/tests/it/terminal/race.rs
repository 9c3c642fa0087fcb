//! Two inboxes on two terminals with the same ask open: each shows what is filled in on the other,
//! and if both press Enter at once, exactly one of them reports it as sent.

use std::thread;

use super::{NAME, THREE, start_agent};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

/// Presses keys on both terminals at once.
fn press_on_both(ann: &mut Screen, bob: &mut Screen, press: impl Fn(&Screen, &str) + Sync) {
    let press = &press;
    thread::scope(|both| {
        both.spawn(move || press(ann, "ann"));
        both.spawn(move || press(bob, "bob"));
    });
}

/// Both terminals with the ask open.
fn open_both(sandbox: &Sandbox, question: &str) -> (Screen, Screen) {
    let open = || {
        let screen = Screen::open(sandbox, &["inbox"]);
        screen.wait_for("1 waiting");
        screen.press(&["1"]);
        screen.wait_for(" ago · ");
        screen.wait_for(question);
        screen
    };
    (open(), open())
}

/// The terminal that reported the answer as sent, and then the other.
fn winner_and_loser<'screen>(
    ann: &'screen Screen,
    bob: &'screen Screen,
) -> (&'screen Screen, &'screen Screen) {
    let won = |screen: &Screen| screen.screen().contains("Answer sent to ask-user.");
    ann.wait_for_any(&["Answer sent to ask-user.", "ANSWERED IN A TERMINAL"]);
    bob.wait_for_any(&["Answer sent to ask-user.", "ANSWERED IN A TERMINAL"]);
    assert_ne!(won(ann), won(bob), "{}\n{}", ann.screen(), bob.screen());
    if won(ann) { (ann, bob) } else { (bob, ann) }
}

#[test]
fn drafts_are_shared_and_one_answer_wins() {
    let sandbox = Sandbox::new();
    let asking = start_agent(&sandbox, "native", THREE);
    let (mut ann, mut bob) = open_both(&sandbox, "Which database?");
    ann.wait_until_ready();
    bob.wait_until_ready();
    ann.press(&["2"]);
    ann.wait_for("[□ Name]");
    bob.wait_for("2. PostgreSQL  ✓ chosen");
    bob.press(&["Tab"]);
    bob.wait_for("What name?");
    bob.type_text("orders");
    bob.wait_until_bright("orders");
    ann.wait_for("│ orders");
    ann.press(&["Tab"]);
    ann.wait_for("Which parts?");
    ann.wait_until_ready();
    ann.press(&["1"]);
    ann.wait_for("› 1. [x] Auth");
    ann.press(&["Enter"]);
    ann.wait_for("› [ Send 3 answers ]");
    bob.press(&["Tab"]);
    bob.wait_for("1. [x] Auth");
    bob.wait_until_ready();
    bob.press(&["Enter"]);
    bob.wait_for("› [ Send 3 answers ]");
    press_on_both(&mut ann, &mut bob, |screen, _| screen.press(&["Enter"]));
    let (winner, loser) = winner_and_loser(&ann, &bob);
    loser.wait_for("ANSWERED IN A TERMINAL");
    loser.wait_for("orders");
    winner.wait_for("0 waiting");
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["orders"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Auth"]}]}"#,
    );
}

#[test]
fn unsent_text_of_the_loser_is_reported() {
    let sandbox = Sandbox::new();
    let asking = start_agent(&sandbox, "pi", NAME);
    let (mut ann, mut bob) = open_both(&sandbox, "What name?");
    ann.type_text("orders");
    ann.wait_until_bright("orders");
    bob.wait_for("│ orders");
    press_on_both(&mut ann, &mut bob, |screen, name| {
        screen.type_text(name);
        // Enter directly behind letters would be part of a paste. By the time it counts, the other
        // one may have answered.
        screen.wait_for_any(&[&format!("orders{name}"), "ANSWERED IN A TERMINAL"]);
        screen.press(&["Enter"]);
    });
    let (winner, loser) = winner_and_loser(&ann, &bob);
    let ann_won = std::ptr::eq(winner, &raw const ann);
    let (code, reply) = asking.receive();
    assert_eq!(code, 0, "{reply}");
    // What the other had typed before it was visible here isn't part of the answer.
    let (mine, theirs) = if ann_won {
        ("ann", "bob")
    } else {
        ("bob", "ann")
    };
    assert!(reply.contains(mine), "{reply}");
    loser.wait_for("ANSWERED IN A TERMINAL");
    if !reply.contains(theirs) {
        loser.wait_for("Nothing you typed was sent.");
    }
}
