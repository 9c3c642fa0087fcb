//! Two inboxes on two terminals with the same ask open: each shows what is filled in on the other,
//! and if both press Enter at once, exactly one of them reports it as sent.

use std::thread;

use super::{NAME, THREE, asking};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

/// Presses keys on both terminals at once.
fn at_once(ann: &mut Screen, bob: &mut Screen, press: impl Fn(&Screen, &str) + Sync) {
    let press = &press;
    thread::scope(|both| {
        both.spawn(move || press(ann, "ann"));
        both.spawn(move || press(bob, "bob"));
    });
}

/// Both terminals with the ask open.
fn both(sandbox: &Sandbox, question: &str) -> (Screen, Screen) {
    let open = || {
        let screen = Screen::open(sandbox, &["inbox"]);
        screen.see("1 waiting");
        screen.press(&["1"]);
        screen.see(" ago · ");
        screen.see(question);
        screen
    };
    (open(), open())
}

/// The terminal that reported the answer as sent, and then the other.
fn ended<'screen>(
    ann: &'screen Screen,
    bob: &'screen Screen,
) -> (&'screen Screen, &'screen Screen) {
    let won = |screen: &Screen| screen.screen().contains("Answer sent to ask-user.");
    ann.until_any(&["Answer sent to ask-user.", "ANSWERED IN A TERMINAL"]);
    bob.until_any(&["Answer sent to ask-user.", "ANSWERED IN A TERMINAL"]);
    assert_ne!(won(ann), won(bob), "{}\n{}", ann.screen(), bob.screen());
    if won(ann) { (ann, bob) } else { (bob, ann) }
}

#[test]
fn what_one_fills_in_comes_into_the_other_and_one_enter_wins() {
    let sandbox = Sandbox::new();
    let asking = asking(&sandbox, "native", THREE);
    let (mut ann, mut bob) = both(&sandbox, "Which database?");
    ann.ready();
    bob.ready();
    ann.press(&["2"]);
    ann.see("[□ Name]");
    bob.see("2. PostgreSQL  ✓ chosen");
    bob.press(&["Tab"]);
    bob.see("What name?");
    bob.types("orders");
    bob.bright("orders");
    ann.see("│ orders");
    ann.press(&["Tab"]);
    ann.see("Which parts?");
    ann.press(&["1"]);
    ann.see("› 1. [x] Auth");
    ann.press(&["Enter"]);
    ann.see("› [ Send 3 answers ]");
    bob.press(&["Tab"]);
    bob.see("1. [x] Auth");
    bob.press(&["Enter"]);
    bob.see("› [ Send 3 answers ]");
    at_once(&mut ann, &mut bob, |screen, _| screen.press(&["Enter"]));
    let (winner, loser) = ended(&ann, &bob);
    loser.see("ANSWERED IN A TERMINAL");
    loser.see("orders");
    winner.see("0 waiting");
    asking.told(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["orders"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Auth"]}]}"#,
    );
}

#[test]
fn what_the_other_typed_last_is_not_sent_and_it_is_told_so() {
    let sandbox = Sandbox::new();
    let asking = asking(&sandbox, "pi", NAME);
    let (mut ann, mut bob) = both(&sandbox, "What name?");
    ann.types("orders");
    ann.bright("orders");
    bob.see("│ orders");
    at_once(&mut ann, &mut bob, |screen, name| {
        screen.types(name);
        // Enter directly behind letters would be part of a paste. By the time it counts, the other
        // one may have answered.
        screen.until_any(&[&format!("orders{name}"), "ANSWERED IN A TERMINAL"]);
        screen.press(&["Enter"]);
    });
    let (winner, loser) = ended(&ann, &bob);
    let ann_won = std::ptr::eq(winner, &raw const ann);
    let (code, reply) = asking.hears();
    assert_eq!(code, 0, "{reply}");
    // What the other had typed before it was visible here isn't part of the answer.
    let (mine, theirs) = if ann_won {
        ("ann", "bob")
    } else {
        ("bob", "ann")
    };
    assert!(reply.contains(mine), "{reply}");
    loser.see("ANSWERED IN A TERMINAL");
    if !reply.contains(theirs) {
        loser.see("Nothing you typed was sent.");
    }
}
