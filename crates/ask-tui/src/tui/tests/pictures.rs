//! Every screen at the awkward sizes.

use ask_core::{Answer, Draft, Input, Record};
use crossterm::event::KeyCode;

use super::{Person, picture};
use crate::fixtures::{
    choice, closed, database, inbox, many_choices, question, record, service, three,
};
use crate::tui::event::Event;
use crate::tui::glyphs::Glyphs;

const SIZES: [(u16, u16); 5] = [(100, 30), (80, 24), (44, 14), (40, 12), (24, 6)];

fn assert_pictures(name: &str, person: &mut Person) {
    for (columns, rows) in SIZES {
        let picture = person.at(columns, rows);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), picture);
    }
}

#[test]
fn lists() {
    assert_pictures("inbox_empty", &mut Person::inbox(Vec::new()));
    assert_pictures("inbox", &mut Person::inbox(inbox()));
    let mut forty = Vec::new();
    for at in 0..40 {
        forty.push(record(&format!("ask-{at:04}"), vec![database()]));
    }
    let mut person = Person::inbox(forty);
    for _ in 0..20 {
        person.key(KeyCode::Down);
    }
    assert_pictures("inbox_forty", &mut person);
}

#[test]
fn a_single_choice() {
    let mut record = record("ask-one", vec![database()]);
    record.ask.context = three().ask.context;
    let mut person = Person::at_card(record);
    person.keys("j");
    assert_pictures("single", &mut person);
    person.keys("1");
    insta::assert_snapshot!("single_marked", person.at(80, 24));
}

#[test]
fn tabs_with_answers() {
    let mut person = Person::at_card(three());
    person.keys("1order-processor");
    assert_pictures("text_tab", &mut person);
    person.key(KeyCode::Tab);
    person.keys(" ");
    person.keys("j");
    assert_pictures("multi", &mut person);
    person.keys("0Webhooks for order.created and order.paid, signed with HMAC-SHA256.");
    assert_pictures("multi_other", &mut person);
    person.key(KeyCode::Enter);
    person.key(KeyCode::Enter);
    assert_pictures("review_full", &mut person);
}

#[test]
fn a_review_with_gaps() {
    let mut person = Person::at_card(three());
    person.keys("1");
    person.key(KeyCode::Tab);
    person.keys(" ");
    person.key(KeyCode::Enter);
    assert_pictures("review_gaps", &mut person);
}

#[test]
fn a_text_and_a_confirm() {
    let mut asked = service();
    asked.placeholder = Some("order-processor".into());
    assert_pictures(
        "text_empty",
        &mut Person::one(record("ask-text", vec![asked])),
    );
    assert_pictures("confirm", &mut Person::one(inbox().remove(0)));
}

#[test]
fn twelve_choices() {
    let mut person = Person::one(record("ask-long", vec![many_choices(12)]));
    assert_pictures("twelve_top", &mut person);
    for _ in 0..6 {
        person.keys("j");
    }
    assert_pictures("twelve_middle", &mut person);
}

#[test]
fn dialogs() {
    let mut person = Person::one(three());
    person.keys("1");
    person.key(KeyCode::Tab);
    person.keys(" ");
    person.key(KeyCode::Esc);
    assert_pictures("discard", &mut person);
    person.keys("r");
    assert_pictures("decline", &mut person);
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.handle(Event::Paste("x".repeat(2_847)));
    person.key(KeyCode::Enter);
    assert_pictures("long", &mut person);
    let mut person = Person::one(three());
    person.keys("c");
    assert_pictures("ask_back", &mut person);
    let mut person = Person::one(three());
    person.keys("?");
    assert_pictures("help", &mut person);
}

#[test]
fn closed_elsewhere() {
    let mut person = Person::at_card(three());
    person.keys("2order");
    let draft = Draft {
        answers: vec![
            Answer::picking([0]),
            Answer::saying("order-processor"),
            Answer::picking([0]),
        ],
        note: None,
    };
    let done = closed(three(), draft);
    person.handle(Event::Changed {
        records: vec![done],
        gone: Vec::new(),
    });
    person.end_guard();
    assert_pictures("notice", &mut person);
    person.wait_ms(2_000);
    person.keys("d");
    assert_pictures("notice_draft", &mut person);
}

#[test]
fn wide_characters_and_long_words() {
    let choices = vec![
        choice(
            "日本語の選択肢 (Recommended)",
            "説明はとても長いので折り返されます。二行目もあります。",
        ),
        choice("👩‍👩‍👧‍👦 family 🇩🇪 flag e\u{301}", "Emoji stay whole: 👍🏽 👩‍💻"),
        choice(
            &"Donaudampfschifffahrt".repeat(6),
            "One word, longer than any row",
        ),
    ];
    let asked = question(
        "言語",
        "どのデータベースを使いますか? 長い質問は折り返されます。",
        Input::One(choices),
    );
    let mut person = Person::one(record("ask-wide", vec![asked]));
    assert_pictures("wide", &mut person);
    person.keys("G");
    person.handle(Event::Paste("日本語の答えを入力します。".repeat(4)));
    assert_pictures("wide_typed", &mut person);
}

#[test]
fn long_texts_scroll() {
    let mut record = three();
    record.ask.questions.truncate(1);
    record.ask.context = Some(
        (1..40)
            .map(|at| format!("Line {at} of the context.\n"))
            .collect(),
    );
    let mut person = Person::one(record);
    assert_pictures("overflow", &mut person);
    person.at(80, 24);
    person.key(KeyCode::PageDown);
    insta::assert_snapshot!("overflow_scrolled", person.at(80, 24));
    person.keys("i");
    assert_pictures("reader", &mut person);
}

/// A question with previews: code as agents send it, Markdown, and a choice without one.
pub(super) fn with_previews() -> Record {
    let mut asked = database();
    asked.text =
        "Which **database** should we use, see [the plan](https://example.org/plan)?".into();
    if let Input::One(choices) = &mut asked.input {
        choices[0].preview = Some(
            "-- migrations/0007_orders.sql\nCREATE TABLE orders (\n  id          bigint GENERATED \
             ALWAYS AS IDENTITY,\n  customer_id bigint NOT NULL,\n  placed_at   timestamptz NOT NULL \
             DEFAULT now()\n);\nCREATE INDEX ON orders (customer_id, placed_at);\n\n+ one engine to \
             back up\n+ foreign keys to billing\n- needs a server in tests (testcontainers)\n\n\
             ## Cost\n\n| size | per month |\n|---|--:|\n| small | 12 EUR |\n| large | 140 EUR |\n\n\
             1. create\n2. migrate\n3. switch over"
                .into(),
        );
        choices[1].preview = Some("One file: `orders.db`.".into());
    }
    let mut record = record("ask-preview", vec![asked, service()]);
    record.ask.context = three().ask.context;
    record
}

#[test]
fn previews() {
    let mut person = Person::at_card(with_previews());
    assert_pictures("preview", &mut person);
    person.at(100, 30);
    person.key(KeyCode::PageDown);
    insta::assert_snapshot!("preview_scrolled", person.at(100, 30));
    person.keys("j");
    insta::assert_snapshot!("preview_short", person.at(100, 30));
    insta::assert_snapshot!("preview_short_below", person.at(80, 24));
    person.keys("j");
    insta::assert_snapshot!("preview_none", person.at(100, 30));
    person.keys("kkp");
    assert_pictures("preview_full", &mut person);
    person.keys("p");
    person.keys("i");
    assert_pictures("preview_reader", &mut person);
}

#[test]
fn other_styles() {
    let mut person = Person::at_card(three());
    person.model.display.glyphs = Glyphs::Ascii;
    person.model.display.colours = false;
    insta::assert_snapshot!("ascii", picture(&person.model, 80, 24));
    let (buffer, _) = super::painted(&person.model, 80, 24);
    let reset = ratatui::style::Color::Reset;
    assert!(
        buffer
            .content
            .iter()
            .all(|cell| cell.fg == reset && cell.bg == reset)
    );
    person.model.connected = false;
    person.model.display.glyphs = Glyphs::Full;
    insta::assert_snapshot!("reconnecting", picture(&person.model, 80, 24));
}

#[test]
fn too_small() {
    let mut person = Person::at_card(three());
    insta::assert_snapshot!("too_small", person.at(20, 5));
    insta::assert_snapshot!("one_by_one", person.at(1, 1));
}
