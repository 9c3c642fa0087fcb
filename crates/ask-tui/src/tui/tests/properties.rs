//! What holds for every size, every text and every sequence of keys.

use ask_core::{Input, Record};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::{Just, Strategy, any, prop, prop_assert, prop_oneof, proptest};

use super::{Person, lines, painted};
use crate::fixtures::{choice, closed, confirm, database, features, question, record, service};
use crate::tui::event::Event;
use crate::tui::model::Screen;

/// Hostile texts: control characters, escape sequences, bidirectional controls, joiners, wide
/// characters and endless words.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\u{1b}[2J\u{1b}[31m".to_owned()),
        Just("\u{9b}31m\u{7}\r\n\t\0".to_owned()),
        Just("\u{202e}\u{2066}\u{200b}\u{feff}".to_owned()),
        Just("👩‍👩‍👧‍👦🇩🇪👍🏽e\u{301}\u{301}".to_owned()),
        Just("日本語の文章はここ".to_owned()),
        Just("\u{1100}\u{1161}\u{11a8}ᄀᄀ".to_owned()),
        Just("العربية שלום".to_owned()),
        Just("W".repeat(90)),
        Just("word ".repeat(30)),
        Just("\n".repeat(4)),
        Just(
            "> - 1. # **a** `b` ~~c~~ [d](http://e\u{1b}[1m) ![f](g) &#27;[1m &#x202e;\n"
                .to_owned()
        ),
        Just("| a | b |\n|---|--:|\n| 1 | \u{202e}2 |\n```diff\n+ x\n- y\n".to_owned()),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn hostile_record() -> impl Strategy<Value = Record> {
    (
        prop::collection::vec(hostile(), 8),
        0..15_usize,
        any::<bool>(),
    )
        .prop_map(|(words, count, tabs)| {
            let choices: Vec<_> = (0..count)
                .map(|at| {
                    let mut choice = choice(&words[at % 4], &words[(at + 1) % 8]);
                    choice.preview = (at % 3 == 0).then(|| words[(at + 5) % 8].clone());
                    choice
                })
                .collect();
            let mut questions = vec![question(&words[0], &words[1], Input::One(choices.clone()))];
            if tabs {
                questions.push(question(&words[2], &words[3], Input::Many(choices)));
                questions.push(question(&words[4], &words[5], Input::Text));
                questions.push(confirm());
            }
            let mut record = record("ask-hostile", questions);
            record.ask.title = Some(words[6].clone());
            record.ask.context = Some(words[7].clone());
            record.asker.client = Some(words[3].clone());
            record.asker.branch = Some(words[2].clone());
            record
        })
}

fn any_key() -> impl Strategy<Value = Event> {
    let keys = "123456789 0yxclrjkgGinqdNY?[]hello";
    let codes = prop_oneof![
        4 => prop::sample::select(keys.chars().collect::<Vec<_>>()).prop_map(KeyCode::Char),
        4 => prop::sample::select(vec![
            KeyCode::Up, KeyCode::Down, KeyCode::Enter, KeyCode::Tab, KeyCode::BackTab,
            KeyCode::Esc, KeyCode::PageUp, KeyCode::PageDown, KeyCode::Home, KeyCode::End,
            KeyCode::Backspace, KeyCode::Left, KeyCode::Right, KeyCode::Delete,
        ]),
    ];
    let key = codes.prop_map(|code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    let control = prop::sample::select(vec!['c', 'j', 'd', 'u', 'w', 'l'])
        .prop_map(KeyCode::Char)
        .prop_map(|code| Event::Key(KeyEvent::new(code, KeyModifiers::CONTROL)));
    prop_oneof![
        12 => key,
        1 => control,
        1 => hostile().prop_map(Event::Paste),
        1 => (1..200_u16, 1..60_u16).prop_map(|(columns, rows)| Event::Resize(columns, rows)),
        1 => Just(Event::InputDrained),
    ]
}

fn is_clean(text: &str) -> bool {
    let is_bidi_control =
        |sign: char| matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    !text
        .chars()
        .any(|sign| sign.is_control() || is_bidi_control(sign))
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(48))]

    #[test]
    fn any_keys_over_any_text_paint_clean_frames(
        record in hostile_record(),
        keys in prop::collection::vec(any_key(), 0..40),
        (columns, rows) in (1..200_u16, 1..60_u16),
        one_shot in any::<bool>(),
    ) {
        let mut person = if one_shot { Person::one(record) } else { Person::at_card(record) };
        for key in keys {
            person.wait_ms(200);
            person.handle(key);
            let (wide, high) = person.model.size;
            let (buffer, _) = painted(&person.model, wide, high);
            prop_assert!(lines(&buffer).iter().all(|line| is_clean(line)));
        }
        person.handle(Event::Resize(columns, rows));
        let (buffer, caret) = painted(&person.model, columns, rows);
        prop_assert!(lines(&buffer).iter().all(|line| is_clean(line)));
        if let Some(caret) = caret {
            prop_assert!(caret.x < columns && caret.y < rows);
        }
    }

    #[test]
    fn essential_rows_are_visible_from_the_smallest_size_up(
        (columns, rows) in (24..200_u16, 6..60_u16),
        downs in 0..16_usize,
        kind in 0..5_usize,
        count in 1..20_usize,
    ) {
        let choices = (0..count).map(|at| choice(&format!("Row{at}"), &"about it ".repeat(at))).collect();
        let first = match kind {
            0 => question("Q", "Askme whether this is seen at all times?", Input::One(choices)),
            1 => question("Q", "Askme whether this is seen at all times?", Input::Many(choices)),
            2 => question("Q", "Askme whether this is seen at all times?", Input::Confirm),
            3 => question("Q", "Askme?", Input::Text),
            _ => question("Q", "Askme?", Input::One(choices)),
        };
        let mut questions = vec![first];
        if kind == 4 {
            questions.extend([database(), service(), features()]);
        }
        let mut record = record("ask-sizes", questions);
        record.ask.context = Some("A context that is long. ".repeat(30));
        let mut person = Person::at_card(record);
        person.handle(Event::Resize(columns, rows));
        for _ in 0..downs {
            person.key(KeyCode::Down);
        }
        let (buffer, caret) = painted(&person.model, columns, rows);
        let lines = lines(&buffer);
        prop_assert!(lines.iter().any(|line| line.contains("Askme")), "{lines:#?}");
        prop_assert!(lines.last().is_some_and(|line| line.contains("Esc")), "{lines:#?}");
        let caret = caret.expect("a card has a cursor");
        if kind != 3 {
            let row = &lines[usize::from(caret.y)];
            prop_assert!(row.contains('›'), "{lines:#?}");
        }
    }

    #[test]
    fn an_agents_whole_text_can_be_scrolled_to(
        (columns, rows) in (24..140_u16, 6..40_u16),
        count in 1..60_usize,
        previewed in any::<bool>(),
    ) {
        let words = |kind: &str| (0..count).map(|at| format!("{kind}{at}x\n")).collect::<String>();
        let mut asked = database();
        if let (Input::One(choices), true) = (&mut asked.input, previewed) {
            choices[0].preview = Some(words("look"));
        }
        asked.text = words("ask");
        let mut record = record("ask-reach", vec![asked]);
        record.ask.context = Some(words("why"));
        let mut person = Person::at_card(record);
        person.handle(Event::Resize(columns, rows));
        let mut seen = String::new();
        for key in ["", "i", "p"] {
            person.keys(key);
            let mut last = String::new();
            loop {
                let (buffer, _) = painted(&person.model, columns, rows);
                let now = lines(&buffer).join("\n");
                if now == last {
                    break;
                }
                seen.push_str(&now);
                last = now;
                person.key(KeyCode::PageDown);
            }
            if !key.is_empty() {
                person.key(KeyCode::Esc);
            }
        }
        let kinds: &[&str] = if previewed { &["ask", "why", "look"] } else { &["ask", "why"] };
        for kind in kinds {
            for at in 0..count {
                let word = format!("{kind}{at}x");
                prop_assert!(seen.contains(&word), "{word} at {columns}x{rows}");
            }
        }
    }

    #[test]
    fn a_notice_paints_at_every_size((columns, rows) in (1..200_u16, 1..60_u16)) {
        let mut person = Person::at_card(record("ask-gone", vec![database()]));
        person.keys("1");
        let done = closed(record("ask-gone", vec![database()]), ask_core::Draft {
            answers: vec![ask_core::Answer::saying("x\u{1b}y")],
            note: None,
        });
        person.handle(Event::Changed { records: vec![done], gone: Vec::new() });
        prop_assert!(matches!(person.model.screen, Screen::Notice(_)));
        let (buffer, _) = painted(&person.model, columns, rows);
        prop_assert!(lines(&buffer).iter().all(|line| is_clean(line)));
    }
}
