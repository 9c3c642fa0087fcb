//! Typing: lines, long answers, pastes, and wide characters.

use unicode_width::UnicodeWidthStr;

use super::{DATABASE, NAME, ask_and_open, start_agent};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

/// The reply to [`NAME`].
fn name_reply(answer: &str) -> String {
    format!(
        r#"{{"answered":true,"answers":[{{"question":"What name?","answer":"{answer}","wasCustom":true}}]}}"#
    )
}

#[test]
fn a_text_of_two_lines() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("order-");
    screen.press(&["C-j"]);
    screen.type_text("processor 1");
    screen.wait_for("2 lines, 18");
    screen.wait_for("│ order-");
    screen.wait_until_bright("processor 1");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(&name_reply("order-\\nprocessor 1"));
}

#[test]
fn command_keys_are_text_in_a_field() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("?xcq yn[0]/ Äö");
    screen.wait_until_bright("?xcq yn[0]/ Äö");
    screen.press(&["BSpace", "Left", "Home"]);
    screen.type_text("a");
    screen.wait_for("│ a?xcq yn[0]/ Ä ");
    screen.press(&["End", "C-w"]);
    screen.wait_for("│ a?xcq yn[0]/ ");
    screen.wait_until_gone("Ä");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(&name_reply("a?xcq yn[0]/ "));
}

#[test]
fn a_very_long_answer_is_asked_about_once() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    let long = "words ".repeat(400) + "end";
    screen.paste(&long);
    screen.wait_until_bright("words end");
    screen.press(&["Enter"]);
    screen.wait_for("Answer is long (2,403 chars). Continue anyway? [Y/n]");
    screen.press(&["n"]);
    screen.wait_until_gone("Continue anyway?");
    screen.wait_until_bright("words end");
    screen.type_text("!");
    screen.wait_until_bright("words end!");
    screen.press(&["Enter"]);
    screen.wait_for("Answer is long (2,404 chars). Continue anyway? [Y/n]");
    screen.press(&["y"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(&name_reply(&(long + "!")));
}

#[test]
fn a_paste_of_three_lines_never_sends() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.paste("one\ntwo\nthree\n");
    screen.wait_for("│ one");
    screen.wait_for("│ two");
    screen.wait_until_bright("three");
    screen.wait_for("4 lines, 14");
    screen.type_text("four");
    screen.wait_until_bright("four");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(&name_reply("one\\ntwo\\nthree\\nfour"));
}

#[test]
fn text_beyond_the_field_limit_is_reported() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.paste(&"x".repeat(300_000));
    screen.wait_for("The field is full (256 KiB): what comes after that is left out.");
    screen.wait_for("262,144");
}

#[test]
fn a_paste_on_a_list_goes_into_own_text() {
    let sandbox = Sandbox::new();
    let screen = Screen::open(&sandbox, &["inbox"]);
    let asking = start_agent(&sandbox, "pi", DATABASE);
    screen.wait_for("1 waiting");
    screen.press(&["Enter"]);
    screen.paste("1\n2\ny");
    screen.wait_for("│ 2 ");
    screen.wait_for("your own answer");
    screen.wait_until_bright("y  ");
    screen.press(&["Enter"]);
    screen.wait_for("✓ chosen");
    screen.wait_until_ready();
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"Which database?","answer":"1\n2\ny","wasCustom":true}]}"#,
    );
}

#[test]
fn wide_letters_keep_everything_in_its_column() {
    let sandbox = Sandbox::new();
    let call = r#"{"questions":[{"question":"どのデータベース？","options":[{"label":"数据库 一"},{"label":"한국어 둘","description":"caf\u0065\u0301 ☕ 👍"},{"label":"plain"}]}]}"#;
    let (asking, screen) = ask_and_open(&sandbox, "pi", call);
    screen.wait_until_ready();
    screen.wait_for("どのデータベース？");
    screen.wait_for("› 1. 数据库 一");
    screen.wait_for("  2. 한국어 둘");
    screen.wait_for("cafe\u{301} ☕ 👍");
    screen.press(&["2"]);
    screen.wait_for("› 2. 한국어 둘  ✓ chosen");
    screen.press(&["0"]);
    screen.type_text("日本語で👍 ok");
    screen.wait_for("│ 日本語で👍 ok");
    screen.wait_for_cursor(8 + 13);
    screen.press(&["Left", "Left", "Left", "BSpace", "BSpace"]);
    screen.type_text("と");
    screen.wait_for("│ 日本語と ok");
    screen.wait_for_cursor(8 + 8);
    let picture = screen.screen();
    let framed = picture
        .lines()
        .filter(|line| line.contains(['│', '┌', '└']));
    let widths: Vec<usize> = framed.map(|line| line.trim_end().width()).collect();
    assert!(widths.len() >= 3, "a field:\n{picture}");
    assert!(
        widths.iter().all(|width| *width == widths[0]),
        "its right edge is straight, {widths:?}:\n{picture}"
    );
    screen.press(&["Enter"]);
    screen.wait_for("› 0. Other (type your answer)  ✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"どのデータベース？","answer":"日本語と ok","wasCustom":true}]}"#,
    );
}
