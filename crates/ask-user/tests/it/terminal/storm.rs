//! A terminal that changes its size dozens of times while a text is half typed, and text with wide
//! characters and grapheme clusters.

use unicode_width::UnicodeWidthStr as _;

use super::{NAME, ask_and_open, start_agent, start_agent_in};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

/// Sizes in columns and rows: both extremes, and many between them.
fn sizes() -> Vec<(u16, u16)> {
    let odd = (1..=40_u32).map(|step| {
        let (columns, rows) = (step * 7_919 % 200 + 1, step * 104_729 % 60 + 1);
        (columns as u16, rows as u16)
    });
    let extremes = [
        (1, 1),
        (200, 60),
        (1, 60),
        (200, 1),
        (2, 2),
        (24, 6),
        (23, 5),
    ];
    let mut all: Vec<(u16, u16)> = extremes.into_iter().chain(odd).collect();
    // And back again.
    all.extend(all.clone().into_iter().rev());
    all
}

#[test]
fn resizing_keeps_the_text_and_the_cursor() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("日本語で書く");
    screen.wait_until_bright("日本語で書く");
    screen.press(&["C-j"]);
    screen.type_text("二行目 👍 fin");
    screen.wait_for("│ 二行目 👍 fin");
    screen.press(&["Left", "Left", "Left"]);
    let column = 3 + "二行目 👍 ".width();
    screen.wait_for_cursor(column);
    for (step, (columns, rows)) in sizes().into_iter().enumerate() {
        screen.resize(columns, rows);
        // Most sizes change again before they can be painted. Of these, each is awaited.
        if step % 5 == 0 && columns >= 24 && rows >= 6 {
            screen.wait_for("二行目 👍 fin");
        }
    }
    for (columns, rows) in [(24, 6), (1, 1), (200, 60), (40, 12), (100, 30)] {
        screen.resize(columns, rows);
        if rows > 1 {
            screen.wait_for("二行目 👍 fin");
            screen.wait_for("What name?");
        }
    }
    screen.wait_for("│ 日本語で書く");
    screen.wait_for("│ 二行目 👍 fin");
    screen.wait_for_cursor(column);
    screen.type_text("と");
    screen.wait_for("│ 二行目 👍 とfin");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"日本語で書く\n二行目 👍 とfin","wasCustom":true}]}"#,
    );
}

#[test]
fn resizing_redraws_the_list_and_overlays() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let asking = [
        start_agent(&sandbox, "pi", NAME),
        start_agent(&sandbox, "pi", NAME),
    ];
    person.next_ask();
    person.next_ask();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("2 waiting");
    screen.wait_for("› 1");
    screen.press(&["Down"]);
    screen.wait_for("› 2");
    for key in ["", "?", "s", "h"] {
        if !key.is_empty() {
            screen.press(&[key]);
            screen.wait_until_gone("› 2");
        }
        for (columns, rows) in sizes() {
            screen.resize(columns, rows);
        }
        // Only this size shows itself, so what is seen afterwards was painted for the last size and
        // takes keys.
        screen.resize(20, 5);
        screen.wait_for("(20x5)");
        screen.resize(100, 30);
        if !key.is_empty() {
            screen.wait_for("Esc");
            screen.press(&["Escape"]);
        }
        screen.wait_for("› 2");
    }
    drop(asking);
}

#[test]
fn emoji_and_wide_letters_keep_the_columns_of_the_list() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let titles = [
        "plain letters",
        "数据库怎么办？",
        "한국어 제목입니다",
        "family 👨‍👩‍👧‍👦 and 🏳️‍🌈 flags 🇪🇺",
        "cafe\u{301} ☕ 👍🏽 ❤️ x\u{334}",
        "全部の文字が広いのでこの行は終わりまで書けずに途中で切られることになるはずですがどうでしょうか",
    ];
    let folder = sandbox.home().join("データ基地");
    std::fs::create_dir(&folder).expect("a writable home");
    let mut all = Vec::new();
    for (at, title) in titles.iter().enumerate() {
        let call = format!(r#"{{"title":"{title}","questions":[{{"question":"What name?"}}]}}"#);
        let place = if at % 2 == 0 { sandbox.home() } else { &folder };
        all.push(start_agent_in(&sandbox, place, "native", &call));
        person.next_ask();
    }
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("6 waiting");
    // Wider and wider. The line across the screen is painted last, so its width shows that
    // everything is.
    for (columns, mark) in [(100, "1 text"), (112, "1 text"), (131, "│"), (160, "│")] {
        screen.resize(columns, 30);
        screen.wait_for(&"─".repeat(columns.into()));
        let kinds: Vec<usize> = (3..3 + titles.len())
            .map(|row| screen.column(row, mark))
            .collect();
        assert!(
            kinds.iter().all(|kind| *kind == kinds[0]),
            "one column, {kinds:?}:\n{}",
            screen.screen()
        );
    }
    // Closing leaves no half of a wide character behind.
    screen.press(&["?"]);
    screen.wait_for("Moving");
    for part in ['👨', '🏳', '🇪', '🇺', '👍', '❤'] {
        assert!(!screen.screen().contains(part), "{}", screen.screen());
    }
    drop(all);
}
