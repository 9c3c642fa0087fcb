//! Events elsewhere while a person types: another surface answers, a process is killed, the
//! terminal changes its size. Nothing typed is lost or sent by accident.

use rustix::process::Signal;

use super::{DATABASE, NAME, THREE, one_shot, opened};
use crate::support::hub::Hub;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

#[test]
fn answered_elsewhere_while_typing_becomes_a_notice() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.types("mine");
    screen.bright("mine");
    sandbox.done(&["answer", "latest", "--set", "theirs"]);
    screen.see("ANSWERED BY COMMAND");
    screen.see("theirs");
    screen.see("Your draft here was different");
    screen.see("Nothing you typed was sent.");
    assert!(!screen.screen().contains("mine"), "{}", screen.screen());
    asking.told(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"theirs","wasCustom":true}]}"#,
    );
}

#[test]
fn a_notice_goes_by_itself_when_nothing_was_filled_in() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", DATABASE);
    screen.ready();
    sandbox.done(&["decline", "latest", "--reason", "later"]);
    screen.see("DECLINED BY COMMAND");
    screen.see("Reason: later");
    screen.see("0 waiting");
    assert_eq!(
        asking.hears(),
        (
            3,
            r#"{"answered":false,"answers":[],"cancelled":true,"reason":"later"}"#.to_owned()
        )
    );
}

#[test]
fn a_time_limit_that_passes_sends_nothing_of_what_was_typed() {
    let sandbox = Sandbox::new();
    let call = r#"{"question":"What name?","timeout":600000}"#;
    let (asking, screen) = opened(&sandbox, "native", call);
    screen.see("due in ");
    screen.types("almost");
    screen.bright("almost");
    Hub::of(&sandbox).clock("2100-01-01T00:00:00Z");
    screen.see("The agent stopped waiting; your answer will be kept.");
    screen.see("almost");
    screen.see("Enter keep as late answer");
    let reply = r#"{"answered":false,"cancelled":false,"timedOut":true,"askId":"ASK","answers":[{"questionId":"q1","question":"What name?","status":"unanswered","values":[]}]}"#;
    assert_eq!(asking.hears(), (4, reply.to_owned()));
    screen.press(&["Enter"]);
    screen.see("Answer kept for ask-user, which stopped waiting.");
    screen.see("KEPT");
    assert!(
        sandbox
            .done(&["list"])
            .contains("kept until the agent asks again")
    );
}

#[test]
fn an_answer_for_an_agent_that_is_gone_is_kept() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.types("ord");
    screen.bright("ord");
    drop(asking);
    screen.see("The agent stopped waiting; your answer will be kept.");
    screen.types("ers");
    screen.bright("orders");
    screen.press(&["Enter"]);
    screen.see("Answer kept for ask-user, which stopped waiting.");
    screen.see("KEPT");
    assert!(
        sandbox
            .done(&["list"])
            .contains("kept until the agent asks again")
    );
}

#[test]
fn of_two_that_send_at_once_one_wins_and_the_other_is_told() {
    let sandbox = Sandbox::new();
    let (asking, ann) = opened(&sandbox, "pi", DATABASE);
    let bob = Screen::open(&sandbox, &["inbox"]);
    bob.see("1 waiting");
    bob.press(&["1"]);
    bob.see(" ago · ");
    bob.ready();
    ann.ready();
    ann.press(&["1"]);
    bob.press(&["2"]);
    ann.see("1. SQLite  ✓ chosen");
    bob.see("2. PostgreSQL  ✓ chosen");
    ann.press(&["Enter"]);
    bob.press(&["Enter"]);
    let (code, reply) = asking.hears();
    assert_eq!(code, 0, "{reply}");
    let ann_won = reply.contains(r#""answer":"SQLite""#);
    assert_ne!(
        ann_won,
        reply.contains(r#""answer":"PostgreSQL""#),
        "{reply}"
    );
    let (winner, loser) = if ann_won { (&ann, &bob) } else { (&bob, &ann) };
    winner.see("Answer sent to ask-user.");
    loser.see("ANSWERED IN A TERMINAL");
    loser.see("Nothing you typed was sent.");
}

#[test]
fn a_draft_outlives_the_terminal_it_was_typed_in() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "native", THREE);
    let other = Screen::open(&sandbox, &["inbox"]);
    other.see("1 waiting");
    screen.ready();
    screen.press(&["2"]);
    screen.see("[□ Name]");
    screen.types("half a na");
    other.see("draft 2/3");
    screen.kill(Signal::KILL);
    assert_eq!(screen.ended(), 137);
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.see("2. PostgreSQL  ✓ chosen");
    screen.ready();
    screen.press(&["Tab"]);
    screen.bright("half a na");
    screen.types("me");
    screen.press(&["Tab", "Space"]);
    screen.see("› 1. [x] Auth");
    screen.press(&["Enter"]);
    screen.see("› [ Send 3 answers ]");
    screen.press(&["Enter"]);
    assert_eq!(screen.ended(), 0);
    other.see("0 waiting");
    asking.told(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["half a name"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Auth"]}]}"#,
    );
}

#[test]
fn a_terminal_that_is_hung_up_or_ended_keeps_the_last_letters() {
    for signal in [Signal::TERM, Signal::HUP] {
        let sandbox = Sandbox::new();
        let (_asking, screen) = one_shot(&sandbox, "pi", NAME);
        screen.types("last letter");
        screen.bright("last letter");
        screen.kill(signal);
        assert_eq!(screen.ended(), 8, "{signal:?}: it is left waiting");
        let screen = Screen::open(&sandbox, &["inbox", "--next"]);
        screen.bright("last letter");
    }
}

#[test]
fn a_hub_that_is_killed_is_not_missed() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.types("before ");
    screen.bright("before");
    Hub::of(&sandbox).kill();
    screen.types("and after");
    screen.bright("before and after");
    screen.press(&["Enter"]);
    screen.see("No question waits for you.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"before and after","wasCustom":true}]}"#,
    );
    let next = super::asking(&sandbox, "pi", DATABASE);
    screen.see("1 waiting");
    screen.press(&["1"]);
    screen.see(" ago · ");
    screen.ready();
    screen.press(&["1"]);
    screen.see("› 1. SQLite  ✓ chosen");
    screen.press(&["Enter"]);
    assert_eq!(next.hears().0, 0);
}

#[test]
fn another_size_changes_neither_the_focus_nor_the_text() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "native", THREE);
    screen.ready();
    screen.press(&["Down"]);
    screen.see("› 2. PostgreSQL");
    let sizes = [(40, 12), (24, 6), (20, 5), (100, 30)];
    for (columns, rows) in sizes {
        screen.resize(columns, rows);
        match rows {
            5 => screen.see("(20x5): needs 24x6"),
            30 => screen.see("quick select"),
            _ => screen.gone("quick select"),
        }
        if rows > 5 {
            screen.see("› 2. PostgreSQL");
            screen.see("Which database?");
        }
    }
    screen.press(&["Enter"]);
    screen.see("[□ Name]");
    screen.types("order-processor");
    screen.press(&["Left"]);
    for (columns, rows) in sizes {
        screen.resize(columns, rows);
        match rows {
            5 => screen.see("(20x5): needs 24x6"),
            _ => screen.see("order-processor"),
        }
    }
    screen.see("Esc stop typing");
    screen.types("_");
    screen.see("order-processo_r");
    // Faster keys would be a paste, in which Enter is a line break.
    screen.press(&["Enter"]);
    screen.see("Which parts?");
    screen.press(&["Enter", "Enter", "Enter"]);
    let reply = r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["order-processo_r"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":[]}]}"#;
    asking.told(reply);
}

#[test]
fn a_screen_that_somebody_left_dirty_is_painted_anew_and_ctrl_l_does_it_again() {
    let sandbox = Sandbox::new();
    sandbox.asks(&["What name?"]);
    let dirt = "printf '\\033[?1049h\\033[41;1mleft by another\\r\\nand more of it'";
    let script = format!("{dirt}; exec {BINARY} inbox --id latest");
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", &script]);
    screen.see("What name?");
    screen.gone("left by another");
    screen.gone("and more");
    screen.types("orders");
    screen.see("orders");
    screen.press(&["C-l"]);
    screen.types("-2");
    screen.bright("orders-2");
    // A program that asked the terminal for its cursor would block here and then give up.
    screen.press(&["C-l"]);
    screen.press(&["Enter"]);
    assert_eq!(screen.ended(), 0);
    assert!(sandbox.done(&["show", "latest"]).contains("orders-2"));
}
