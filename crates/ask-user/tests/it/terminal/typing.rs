//! Typing: lines, long answers, pastes, and wide characters.

use unicode_width::UnicodeWidthStr;

use super::{DATABASE, NAME, asking, opened};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

/// The reply to [`NAME`].
fn named(answer: &str) -> String {
    format!(
        r#"{{"answered":true,"answers":[{{"question":"What name?","answer":"{answer}","wasCustom":true}}]}}"#
    )
}

#[test]
fn a_text_of_two_lines() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.types("order-");
    screen.press(&["C-j"]);
    screen.types("processor 1");
    screen.see("2 lines, 18");
    screen.see("│ order-");
    screen.bright("processor 1");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(&named("order-\\nprocessor 1"));
}

#[test]
fn letters_that_are_keys_elsewhere_are_letters_in_a_field() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.types("?xcq yn[0]/ Äö");
    screen.bright("?xcq yn[0]/ Äö");
    screen.press(&["BSpace", "Left", "Home"]);
    screen.types("a");
    screen.see("│ a?xcq yn[0]/ Ä ");
    screen.press(&["End", "C-w"]);
    screen.see("│ a?xcq yn[0]/ ");
    screen.gone("Ä");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(&named("a?xcq yn[0]/ "));
}

#[test]
fn a_very_long_answer_is_asked_about_once() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    let long = "words ".repeat(400) + "end";
    screen.paste(&long);
    screen.bright("words end");
    screen.press(&["Enter"]);
    screen.see("Answer is long (2,403 chars). Continue anyway? [Y/n]");
    screen.press(&["n"]);
    screen.gone("Continue anyway?");
    screen.bright("words end");
    screen.types("!");
    screen.bright("words end!");
    screen.press(&["Enter"]);
    screen.see("Answer is long (2,404 chars). Continue anyway? [Y/n]");
    screen.press(&["y"]);
    screen.see("Answer sent to ask-user.");
    asking.told(&named(&(long + "!")));
}

#[test]
fn a_paste_of_three_lines_never_sends() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.paste("one\ntwo\nthree\n");
    screen.see("│ one");
    screen.see("│ two");
    screen.bright("three");
    screen.see("4 lines, 14");
    screen.types("four");
    screen.bright("four");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(&named("one\\ntwo\\nthree\\nfour"));
}

#[test]
fn what_a_field_has_no_room_for_is_not_left_out_unseen() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = opened(&sandbox, "pi", NAME);
    screen.paste(&"x".repeat(300_000));
    screen.see("The field is full (256 KiB): what comes after that is left out.");
    screen.see("262,144");
}

#[test]
fn a_paste_on_a_list_goes_into_other_even_while_keys_are_ignored() {
    let sandbox = Sandbox::new();
    let screen = Screen::open(&sandbox, &["inbox"]);
    let asking = asking(&sandbox, "pi", DATABASE);
    screen.see("1 waiting");
    screen.press(&["Enter"]);
    screen.paste("1\n2\ny");
    screen.see("│ 2 ");
    screen.see("your own answer");
    screen.bright("y  ");
    screen.press(&["Enter"]);
    screen.see("✓ chosen");
    screen.ready();
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"Which database?","answer":"1\n2\ny","wasCustom":true}]}"#,
    );
}

#[test]
fn wide_letters_keep_everything_in_its_column() {
    let sandbox = Sandbox::new();
    let call = r#"{"questions":[{"question":"どのデータベース？","options":[{"label":"数据库 一"},{"label":"한국어 둘","description":"caf\u0065\u0301 ☕ 👍"},{"label":"plain"}]}]}"#;
    let (asking, screen) = opened(&sandbox, "pi", call);
    screen.ready();
    screen.see("どのデータベース？");
    screen.see("› 1. 数据库 一");
    screen.see("  2. 한국어 둘");
    screen.see("cafe\u{301} ☕ 👍");
    screen.press(&["2"]);
    screen.see("› 2. 한국어 둘  ✓ chosen");
    screen.press(&["0"]);
    screen.types("日本語で👍 ok");
    screen.see("│ 日本語で👍 ok");
    screen.caret(8 + 13);
    screen.press(&["Left", "Left", "Left", "BSpace", "BSpace"]);
    screen.types("と");
    screen.see("│ 日本語と ok");
    screen.caret(8 + 8);
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
    screen.see("› 0. Other (type your answer)  ✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"どのデータベース？","answer":"日本語と ok","wasCustom":true}]}"#,
    );
}
