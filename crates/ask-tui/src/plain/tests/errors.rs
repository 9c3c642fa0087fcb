//! Lines that must not be mistaken for something else, and messages that say all that the person
//! needs.

use ask_core::{Input, Outcome, Record, Time};

use super::{
    Language, Mode, NOON, PlainEffect, PlainEvent, PlainSession, confirm, database, features,
    in_language, one, options, record, run_session, run_session_with, service, three,
};
use crate::fixtures::{closed, settle};

fn asked(question: ask_core::Question) -> Record {
    record("ask-one", vec![question])
}

fn opened(record: &Record) -> PlainSession {
    let mode = Mode::One(record.id.clone());
    PlainSession::start(mode, options(), vec![record.clone()], NOON).0
}

fn changed(record: Record) -> PlainEvent {
    PlainEvent::Changed {
        records: vec![record],
        gone: Vec::new(),
    }
}

#[test]
fn a_slash_and_a_word_are_never_part_of_an_answer() {
    let lines = [
        "/zzz now",
        "/q now",
        "first",
        "/zzz",
        "/usr/bin",
        "/?",
        " /usr/bin is the place",
        "// a comment",
        "/a",
        "/n by hand",
        "/s",
        "last",
        "",
        "y",
    ];
    let text = one(asked(service()), &lines);
    insta::assert_snapshot!("slashes", text);
    let declined = one(asked(service()), &["/x no, this is too risky", "y"]);
    assert!(
        declined.contains(r#"Decline { reason: Some("no, this is too risky") }"#),
        "{declined}"
    );
    let left = one(asked(service()), &["half of", "/q"]);
    assert!(left.contains("save ask-one []half of"), "{left}");
    assert!(left.ends_with("Left"), "{left}");
}

#[test]
fn marked_choices_and_own_text_are_independent() {
    let lines = [
        "1 3", "b", "0", "own", "", "b", "1 2", "b", "0", "", "b", "0", "mine", "", "b", "-", "y",
    ];
    insta::assert_snapshot!("marks", one(asked(features()), &lines));
}

#[test]
fn a_digit_sends_if_the_setting_says_so() {
    let mut quick = options();
    quick.terminal.digit_sends = true;
    for (question, line, sends) in [
        (database(), "2", true),
        (confirm(), "y", true),
        (features(), "2", false),
    ] {
        let asked = asked(question);
        let mode = Mode::One(asked.id.clone());
        let (text, done) = run_session_with(quick.clone(), mode, vec![asked], &[line]);
        let sent = done
            .iter()
            .any(|effect| matches!(effect, PlainEffect::Settle { .. }));
        assert_eq!(sent, sends, "{text}");
    }
}

#[test]
fn a_text_that_is_too_long_is_reported() {
    let words = "x".repeat(300_000);
    let text = one(asked(service()), &[&words, "", "y", "n"]);
    let said = "The answer is too long: the last 37,856 characters are left out.\n\
                Answer is long (262,144 chars). Continue anyway?";
    assert!(text.contains(said), "the length isn't reported");
}

#[test]
fn short_times_are_read_out_in_seconds() {
    for (seconds, said) in [
        (18, "in 18 seconds"),
        (70, "in 70 seconds"),
        (161, "in 2 minutes"),
        (7_300, "in 2 hours"),
        (200_000, "in 2 days"),
    ] {
        let mut asked = asked(database());
        asked.deadline_at = Some(Time(NOON.0 + seconds * 1_000));
        let text = one(asked.clone(), &[]);
        assert!(text.contains(&format!("It is due {said}.")), "{text}");
        let (text, _) = run_session(Mode::Inbox, vec![asked], &[]);
        assert!(text.contains(&format!("(due {said})")), "{text}");
    }
}

#[test]
fn a_day_that_is_not_today_is_named() {
    let text = one(asked(database()), &["s tomorrow"]);
    assert!(text.contains("snoozed until tomorrow at 09:00."), "{text}");
    let text = one(asked(database()), &["s 15m"]);
    assert!(text.contains("snoozed until 12:15."), "{text}");
    let text = one(asked(database()), &["s 3d"]);
    assert!(
        text.contains("snoozed until 2026-11-24 at 12:00."),
        "{text}"
    );
}

#[test]
fn more_time_is_confirmed_and_typing_requests_some() {
    let mut asked = asked(database());
    asked.deadline_at = Some(Time(NOON.0 + 300_000));
    insta::assert_snapshot!("more_time", one(asked.clone(), &["+", "+ 5", "+ soon"]));
    asked.deadline_at = Some(Time(NOON.0 + 30_000));
    insta::assert_snapshot!("typing", one(asked.clone(), &["2", "y"]));
    let mut session = opened(&asked);
    session.handle(PlainEvent::Line("a".into()), NOON);
    let result = Err("the hub is away".to_owned());
    let typing = true;
    let step = session.handle(PlainEvent::Extended { typing, result }, NOON);
    assert!(
        step.text.starts_with("\nWhich database"),
        "the line still counts: {}",
        step.text
    );
    let step = session.handle(PlainEvent::Line("a".into()), NOON);
    assert!(step.effects.is_empty(), "once for each deadline");
}

#[test]
fn a_paste_near_the_deadline_is_text() {
    let mut asked = asked(service());
    let mut session = opened(&asked);
    session.handle(PlainEvent::Line("mine".into()), NOON);
    asked.deadline_at = Some(Time(NOON.0 + 30_000));
    session.handle(changed(asked), NOON);
    let step = session.handle(PlainEvent::PastedLine("/x not that".into()), NOON);
    assert!(!step.effects.is_empty(), "it asks for more time");
    let result = Err("the hub is away".to_owned());
    let typing = true;
    let step = session.handle(PlainEvent::Extended { typing, result }, NOON);
    assert!(session.takes_own_text(), "{}", step.text);
}

#[test]
fn an_agent_that_leaves_and_returns_is_announced() {
    let asked = asked(database());
    let mut session = opened(&asked);
    let mut gone = asked.clone();
    gone.waiters = 0;
    let step = session.handle(changed(gone.clone()), NOON);
    assert_eq!(
        step.text,
        "\nThe agent stopped waiting; your answer will be kept.\n\
         Your choice (number, 0, q leave, x decline, ? help): "
    );
    assert!(session.handle(changed(gone), NOON).text.is_empty(), "once");
    let step = session.handle(changed(asked), NOON);
    assert!(
        step.text.starts_with("\nThe agent waits again."),
        "{}",
        step.text
    );
}

#[test]
fn a_draft_that_was_not_sent_is_read_back() {
    let asked = three();
    let mode = Mode::Inbox;
    let (mut session, _) = PlainSession::start(mode, options(), vec![asked.clone()], NOON);
    for line in ["1", "2", "order-", "processor"] {
        session.handle(PlainEvent::Line(line.into()), NOON);
    }
    let draft = ask_core::Draft {
        answers: vec![ask_core::Answer::picking([0])],
        note: None,
    };
    let step = session.handle(changed(closed(asked, draft)), NOON);
    insta::assert_snapshot!("too_late", step.text);
}

#[test]
fn a_notice_repeats_the_prompt() {
    let asked = asked(database());
    let mut session = opened(&asked);
    session.handle(PlainEvent::Line("x".into()), NOON);
    let mut late = asked.clone();
    settle(&mut late, Outcome::Expired, "clock");
    let step = session.handle(changed(late), NOON);
    assert!(
        step.text
            .ends_with("Why? One line, empty gives no reason: "),
        "{}",
        step.text
    );
}

#[test]
fn the_review_names_what_is_missing_and_has_a_help_of_its_own() {
    let lines = ["", "", "1", "?", "n for all", "z", "/q", "n"];
    insta::assert_snapshot!("review", one(three(), &lines));
}

#[test]
fn a_description_ends_before_the_preview_begins() {
    let mut question = database();
    let Input::One(choices) = &mut question.input else {
        panic!("it has choices")
    };
    choices[0].preview = Some("latency".into());
    choices[1].description = Some("Is it file-based?".into());
    choices[1].preview = Some("latency".into());
    let text = one(asked(question), &[]);
    assert!(
        text.contains(
            "1. PostgreSQL, recommended. Battle-tested relational DB. Has a preview, type p1.\n\
         2. SQLite. Is it file-based? Has a preview, type p2.\n\
         3. MongoDB. Document store.\n"
        ),
        "{text}"
    );
}

#[test]
fn the_end_of_the_input_reports_that_the_draft_is_saved() {
    let text = one(asked(service()), &["half an ans"]);
    assert!(
        text.contains("(end of input)\nLeft waiting; your draft is kept.\n"),
        "{text}"
    );
}

#[test]
fn a_draft_that_is_not_kept_is_reported_and_saved_again() {
    let line = "the disk is full";
    for why in [Some(line.to_owned()), None] {
        let asked = three();
        let not_kept = || PlainEvent::DraftNotKept(asked.id.clone(), why.clone());
        let is_save = |effect: &PlainEffect| matches!(effect, PlainEffect::SaveDraft { .. });
        let mut session = opened(&asked);
        let typed = session.handle(PlainEvent::Line("1".into()), NOON);
        assert!(typed.effects.iter().any(is_save));
        let failed = session.handle(not_kept(), NOON);
        assert_eq!(failed.text.contains(line), why.is_some(), "{}", failed.text);
        let ended = session.handle(PlainEvent::End, NOON);
        assert!(ended.effects.iter().any(is_save), "it is tried again");
        session.handle(not_kept(), NOON);
        let left = session.handle(PlainEvent::Left, NOON);
        let said = "Left waiting; what you typed is not kept.";
        assert!(left.text.contains(said), "{}", left.text);
        assert!(matches!(left.effects[..], [PlainEffect::End(_)]));
    }
}

#[test]
fn each_language_says_yes_in_its_own_words() {
    for (language, yes, no) in [
        (Language::Spanish, "sí", "no"),
        (Language::German, "j", "nein"),
        (Language::French, "Oui", "non"),
        (Language::Japanese, "はい", "いいえ"),
        (Language::SimplifiedChinese, "是", "否"),
        (Language::Korean, "예", "아니요"),
    ] {
        for (said, pick) in [(yes, 0), (no, 1), ("y", 0), ("n", 1)] {
            let asked = asked(confirm());
            let mode = Mode::One(asked.id.clone());
            let (text, done) =
                run_session_with(in_language(language), mode, vec![asked], &[said, yes]);
            let settled = done.iter().find_map(|effect| match effect {
                PlainEffect::Settle { verdict, .. } => Some(format!("{verdict:?}")),
                _ => None,
            });
            let settled = settled.unwrap_or_else(|| panic!("{said} answers nothing: {text}"));
            assert!(settled.contains(&format!("picks: [{pick}]")), "{settled}");
        }
    }
    // A letter that is a command gets a message and does nothing else.
    for (language, letter) in [(Language::Spanish, "s"), (Language::French, "o")] {
        let asked = asked(confirm());
        let mode = Mode::One(asked.id.clone());
        let (text, done) = run_session_with(in_language(language), mode, vec![asked], &[letter]);
        assert_eq!(done.len(), 2, "it was shown and left: {text}");
    }
}
