//! The list of the plain mode in its groups, its commands, and history.

use ask_core::{Outcome, Record};

use super::{
    LineInput, Mode, NOON, PlainEffect, PlainSession, brief, inbox, options, record, service, talk,
};
use crate::fixtures::{database, settle};

/// One ask that waits, one snoozed, one late, and one whose answer waits for its agent.
fn groups() -> Vec<Record> {
    let mut records = inbox();
    let aside = NOON.plus_ms(15 * 60_000);
    records[1].snoozed = Some(ask_core::record::Snooze::Until(aside));
    let mut kept = record("ask-kept", vec![database()]);
    kept.ask.title = Some("Which cache?".into());
    kept.waiters = 0;
    settle(&mut kept, Outcome::Declined { reason: None }, "cli");
    records.push(kept);
    let mut late = record("ask-late", vec![service()]);
    late.waiters = 0;
    settle(&mut late, Outcome::Expired, "clock");
    records.push(late);
    records
}

#[test]
fn the_list_has_groups_and_each_is_opened_by_its_number() {
    let lines = ["5", "", "4", "name", "", "y", "q"];
    let (text, _) = talk(Mode::Inbox, groups(), &lines);
    insta::assert_snapshot!("groups", text);
}

#[test]
fn whatever_is_typed_at_the_list_is_obeyed_or_told() {
    let lines = [
        "?",
        "zz",
        "7",
        "0",
        "",
        "/landing",
        "/nowhere",
        "/",
        "s",
        "s 2",
        "s 1",
        "s 1 soon",
        "s 5 2h",
        "s 1 2h",
        "s 2",
        "x",
        "x 1 too risky",
        "n",
        "q",
        "q",
    ];
    let (text, _) = talk(Mode::Inbox, groups(), &lines);
    insta::assert_snapshot!("commands", text);
    let (text, _) = talk(Mode::Inbox, Vec::new(), &["1"]);
    assert!(
        text.contains("Not understood. No question is listed; ? is help, q leaves."),
        "{text}"
    );
}

/// A conversation and the text that it has printed since the last check.
struct Finished(PlainSession, String);

impl Finished {
    fn hears(&mut self, heard: LineInput) {
        let step = self.0.step(heard, NOON);
        self.1.push_str(&step.text);
        for effect in &step.effects {
            self.1.push_str(&format!("[{}]\n", brief(effect)));
        }
    }

    fn says(&mut self, line: &str) {
        self.1.push_str(&format!("> {line}\n"));
        self.hears(LineInput::Line(line.to_owned()));
    }
}

fn told() -> Finished {
    let (talk, _) = PlainSession::begin(Mode::Inbox, options(), inbox(), NOON);
    Finished(talk, String::new())
}

#[test]
fn what_is_over_is_searched_and_read_out() {
    let mut told = told();
    told.says("h");
    told.hears(LineInput::HistoryPage(Vec::new(), 0));
    told.says("h cache");
    let mut over = record("ask-over", vec![database()]);
    over.ask.title = Some("Which cache?".into());
    let reason = Some("later".to_owned());
    settle(&mut over, Outcome::Declined { reason }, "cli");
    let page: Vec<Record> = (0..10).map(|_| over.clone()).collect();
    told.hears(LineInput::HistoryPage(page, 7));
    told.says("m");
    told.hears(LineInput::HistoryPage(vec![over], 3));
    for line in ["m", "11", "12", "z", "h"] {
        told.says(line);
    }
    told.hears(LineInput::Failed("the hub is away".into()));
    told.says("");
    insta::assert_snapshot!("past", told.1);
}

#[test]
fn notifications_are_muted_and_figures_read_out() {
    let mut told = told();
    told.says("m");
    told.hears(LineInput::Muted(true));
    told.says("m");
    told.hears(LineInput::Muted(false));
    told.says("S");
    let mut stats = ask_core::stats::HistoryStats {
        asks: 4,
        answered: 3,
        ..Default::default()
    };
    stats.ends[0] = 3;
    stats.took.median_ms = Some(90_000);
    told.hears(LineInput::Stats(Box::new(stats)));
    insta::assert_snapshot!("figures", told.1);
    assert!(!told.1.contains(['█', '·']), "{}", told.1);
}

#[test]
fn a_number_stays_with_its_ask_while_others_come_and_go() {
    let mut told = told();
    let gone = told.0.wanting().next().expect("one waits").clone();
    let records = Vec::new();
    let gone = vec![gone];
    told.hears(LineInput::Changed { records, gone });
    told.says("1");
    assert!(
        told.1.contains("It is no longer asked.\n"),
        "the next one has the number only when it was said: {}",
        told.1
    );
}

#[test]
fn an_ask_that_comes_back_is_announced() {
    let mut records = inbox();
    let aside = ask_core::record::Snooze::AskedAgain;
    records[1].snoozed = Some(aside);
    let (talk, _) = PlainSession::begin(Mode::Inbox, options(), records.clone(), NOON);
    let mut told = Finished(talk, String::new());
    records[1].snoozed = None;
    let records = vec![records[1].clone()];
    let gone = Vec::new();
    told.hears(LineInput::Changed { records, gone });
    assert!(told.1.contains("\nWaits again: claude-code"), "{}", told.1);
    let shown = |effect: &PlainEffect| matches!(effect, PlainEffect::Shown { .. });
    assert!(
        !told
            .0
            .step(LineInput::Line("?".into()), NOON)
            .effects
            .iter()
            .any(shown)
    );
}
