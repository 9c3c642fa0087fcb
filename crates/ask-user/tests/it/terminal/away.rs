//! Events elsewhere while a person types: another surface answers, a process is killed, the
//! terminal changes its size. Nothing typed is lost or sent by accident.

use rustix::process::Signal;

use super::{DATABASE, NAME, THREE, ask_and_open, ask_and_open_alone};
use crate::support::hub::Hub;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

#[test]
fn answered_elsewhere_while_typing_becomes_a_notice() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("mine");
    screen.wait_until_bright("mine");
    sandbox.run_ok(&["answer", "latest", "--set", "theirs"]);
    screen.wait_for("ANSWERED BY COMMAND");
    screen.wait_for("theirs");
    screen.wait_for("Your draft here was different");
    screen.wait_for("Nothing you typed was sent.");
    assert!(!screen.screen().contains("mine"), "{}", screen.screen());
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"theirs","wasCustom":true}]}"#,
    );
}

#[test]
fn a_notice_closes_by_itself_without_a_draft() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    sandbox.run_ok(&["decline", "latest", "--reason", "later"]);
    screen.wait_for("DECLINED BY COMMAND");
    screen.wait_for("Reason: later");
    screen.wait_for("0 waiting");
    assert_eq!(
        asking.receive(),
        (
            3,
            r#"{"answered":false,"answers":[],"cancelled":true,"reason":"later"}"#.to_owned()
        )
    );
}

#[test]
fn an_expired_ask_sends_no_typed_text() {
    let sandbox = Sandbox::new();
    let call = r#"{"question":"What name?","timeout":600000}"#;
    let (asking, screen) = ask_and_open(&sandbox, "native", call);
    screen.wait_for("due in ");
    screen.type_text("almost");
    screen.wait_until_bright("almost");
    Hub::connect(&sandbox).set_clock("2100-01-01T00:00:00Z");
    screen.wait_for("The agent stopped waiting; your answer will be kept.");
    screen.wait_for("almost");
    screen.wait_for("Enter keep as late answer");
    let reply = r#"{"answered":false,"cancelled":false,"timedOut":true,"askId":"ASK","answers":[{"questionId":"q1","question":"What name?","status":"unanswered","values":[]}]}"#;
    assert_eq!(asking.receive(), (4, reply.to_owned()));
    screen.press(&["Enter"]);
    screen.wait_for("Answer kept for ask-user, which stopped waiting.");
    screen.wait_for("KEPT");
    assert!(
        sandbox
            .run_ok(&["list"])
            .contains("kept until the agent asks again")
    );
}

#[test]
fn an_answer_for_an_agent_that_is_gone_is_kept() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("ord");
    screen.wait_until_bright("ord");
    drop(asking);
    screen.wait_for("The agent stopped waiting; your answer will be kept.");
    screen.type_text("ers");
    screen.wait_until_bright("orders");
    screen.press(&["Enter"]);
    screen.wait_for("Answer kept for ask-user, which stopped waiting.");
    screen.wait_for("KEPT");
    assert!(
        sandbox
            .run_ok(&["list"])
            .contains("kept until the agent asks again")
    );
}

#[test]
fn of_two_simultaneous_answers_one_wins() {
    let sandbox = Sandbox::new();
    let (asking, ann) = ask_and_open(&sandbox, "pi", DATABASE);
    let bob = Screen::open(&sandbox, &["inbox"]);
    bob.wait_for("1 waiting");
    bob.press(&["1"]);
    bob.wait_for(" ago · ");
    bob.wait_until_ready();
    ann.wait_until_ready();
    ann.press(&["1"]);
    bob.press(&["2"]);
    ann.wait_for("1. SQLite  ✓ chosen");
    bob.wait_for("2. PostgreSQL  ✓ chosen");
    ann.press(&["Enter"]);
    bob.press(&["Enter"]);
    let (code, reply) = asking.receive();
    assert_eq!(code, 0, "{reply}");
    let ann_won = reply.contains(r#""answer":"SQLite""#);
    assert_ne!(
        ann_won,
        reply.contains(r#""answer":"PostgreSQL""#),
        "{reply}"
    );
    let (winner, loser) = if ann_won { (&ann, &bob) } else { (&bob, &ann) };
    winner.wait_for("Answer sent to ask-user.");
    loser.wait_for("ANSWERED IN A TERMINAL");
    loser.wait_for("Nothing you typed was sent.");
}

#[test]
fn a_draft_outlives_the_terminal_it_was_typed_in() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", THREE);
    let other = Screen::open(&sandbox, &["inbox"]);
    other.wait_for("1 waiting");
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.wait_for("[□ Name]");
    screen.type_text("half a na");
    other.wait_for("draft 2/3");
    screen.signal(Signal::KILL);
    assert_eq!(screen.wait_for_exit(), 137);
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.wait_for("2. PostgreSQL  ✓ chosen");
    screen.wait_until_ready();
    screen.press(&["Tab"]);
    screen.wait_until_bright("half a na");
    screen.type_text("me");
    screen.press(&["Tab", "Space"]);
    screen.wait_for("› 1. [x] Auth");
    screen.press(&["Enter"]);
    screen.wait_for("› [ Send 3 answers ]");
    screen.press(&["Enter"]);
    assert_eq!(screen.wait_for_exit(), 0);
    other.wait_for("0 waiting");
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["half a name"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Auth"]}]}"#,
    );
}

#[test]
fn the_draft_survives_sighup_and_sigterm() {
    for signal in [Signal::TERM, Signal::HUP] {
        let sandbox = Sandbox::new();
        let (_asking, screen) = ask_and_open_alone(&sandbox, "pi", NAME);
        screen.type_text("last letter");
        screen.wait_until_bright("last letter");
        screen.signal(signal);
        assert_eq!(screen.wait_for_exit(), 8, "{signal:?}: it is left waiting");
        let screen = Screen::open(&sandbox, &["inbox", "--next"]);
        screen.wait_until_bright("last letter");
    }
}

#[test]
fn the_inbox_survives_a_killed_hub() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("before ");
    screen.wait_until_bright("before");
    Hub::connect(&sandbox).kill();
    screen.type_text("and after");
    screen.wait_until_bright("before and after");
    screen.press(&["Enter"]);
    screen.wait_for("No question waits for you.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"before and after","wasCustom":true}]}"#,
    );
    let next = super::start_agent(&sandbox, "pi", DATABASE);
    screen.wait_for("1 waiting");
    screen.press(&["1"]);
    screen.wait_for(" ago · ");
    screen.wait_until_ready();
    screen.press(&["1"]);
    screen.wait_for("› 1. SQLite  ✓ chosen");
    screen.press(&["Enter"]);
    assert_eq!(next.receive().0, 0);
}

#[test]
fn another_size_changes_neither_the_focus_nor_the_text() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", THREE);
    screen.wait_until_ready();
    screen.press(&["Down"]);
    screen.wait_for("› 2. PostgreSQL");
    let sizes = [(40, 12), (24, 6), (20, 5), (100, 30)];
    for (columns, rows) in sizes {
        screen.resize(columns, rows);
        match rows {
            5 => screen.wait_for("(20x5): needs 24x6"),
            30 => screen.wait_for("quick select"),
            _ => screen.wait_until_gone("quick select"),
        }
        if rows > 5 {
            screen.wait_for("› 2. PostgreSQL");
            screen.wait_for("Which database?");
        }
    }
    screen.press(&["Enter"]);
    screen.wait_for("[□ Name]");
    screen.type_text("order-processor");
    screen.press(&["Left"]);
    for (columns, rows) in sizes {
        screen.resize(columns, rows);
        match rows {
            5 => screen.wait_for("(20x5): needs 24x6"),
            _ => screen.wait_for("order-processor"),
        }
    }
    screen.wait_for("Esc stop typing");
    screen.type_text("_");
    screen.wait_for("order-processo_r");
    // Faster keys would be a paste, in which Enter is a line break.
    screen.press(&["Enter"]);
    screen.wait_for("Which parts?");
    screen.press(&["Enter", "Enter", "Enter"]);
    let reply = r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["order-processo_r"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":[]}]}"#;
    asking.receive_reply(reply);
}

#[test]
fn a_dirty_screen_is_redrawn() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["What name?"]);
    let dirt = "printf '\\033[?1049h\\033[41;1mleft by another\\r\\nand more of it'";
    let script = format!("{dirt}; exec {BINARY} inbox --id latest");
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", &script]);
    screen.wait_for("What name?");
    screen.wait_until_gone("left by another");
    screen.wait_until_gone("and more");
    screen.type_text("orders");
    screen.wait_for("orders");
    screen.press(&["C-l"]);
    screen.type_text("-2");
    screen.wait_until_bright("orders-2");
    // A program that asked the terminal for its cursor would block here and then give up.
    screen.press(&["C-l"]);
    screen.press(&["Enter"]);
    assert_eq!(screen.wait_for_exit(), 0);
    assert!(sandbox.run_ok(&["show", "latest"]).contains("orders-2"));
}
