//! A terminal that changes its size dozens of times while a text is half typed, and text with wide
//! characters and grapheme clusters.

use unicode_width::UnicodeWidthStr as _;

use super::{NAME, asking, asking_in, opened};
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
fn a_storm_of_sizes_leaves_a_half_typed_text_and_its_caret_where_they_were() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.types("日本語で書く");
    screen.bright("日本語で書く");
    screen.press(&["C-j"]);
    screen.types("二行目 👍 fin");
    screen.see("│ 二行目 👍 fin");
    screen.press(&["Left", "Left", "Left"]);
    let column = 3 + "二行目 👍 ".width();
    screen.caret(column);
    for (step, (columns, rows)) in sizes().into_iter().enumerate() {
        screen.resize(columns, rows);
        // Most sizes change again before they can be painted. Of these, each is awaited.
        if step % 5 == 0 && columns >= 24 && rows >= 6 {
            screen.see("二行目 👍 fin");
        }
    }
    for (columns, rows) in [(24, 6), (1, 1), (200, 60), (40, 12), (100, 30)] {
        screen.resize(columns, rows);
        if rows > 1 {
            screen.see("二行目 👍 fin");
            screen.see("What name?");
        }
    }
    screen.see("│ 日本語で書く");
    screen.see("│ 二行目 👍 fin");
    screen.caret(column);
    screen.types("と");
    screen.see("│ 二行目 👍 とfin");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"日本語で書く\n二行目 👍 とfin","wasCustom":true}]}"#,
    );
}

#[test]
fn a_storm_of_sizes_over_the_list_and_what_lies_above_it() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let asking = [asking(&sandbox, "pi", NAME), asking(&sandbox, "pi", NAME)];
    person.asked();
    person.asked();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("2 waiting");
    screen.see("› 1");
    screen.press(&["Down"]);
    screen.see("› 2");
    for key in ["", "?", "s", "h"] {
        if !key.is_empty() {
            screen.press(&[key]);
            screen.gone("› 2");
        }
        for (columns, rows) in sizes() {
            screen.resize(columns, rows);
        }
        // Only this size shows itself, so what is seen afterwards was painted for the last size and
        // takes keys.
        screen.resize(20, 5);
        screen.see("(20x5)");
        screen.resize(100, 30);
        if !key.is_empty() {
            screen.see("Esc");
            screen.press(&["Escape"]);
        }
        screen.see("› 2");
    }
    drop(asking);
}

#[test]
fn emoji_and_wide_letters_keep_the_columns_of_the_list() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
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
        all.push(asking_in(&sandbox, place, "native", &call));
        person.asked();
    }
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("6 waiting");
    // Wider and wider. The line across the screen is painted last, so its width shows that
    // everything is.
    for (columns, mark) in [(100, "1 text"), (112, "1 text"), (131, "│"), (160, "│")] {
        screen.resize(columns, 30);
        screen.see(&"─".repeat(columns.into()));
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
    screen.see("Moving");
    for part in ['👨', '🏳', '🇪', '🇺', '👍', '❤'] {
        assert!(!screen.screen().contains(part), "{}", screen.screen());
    }
    drop(all);
}
