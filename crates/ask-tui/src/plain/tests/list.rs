//! The list of the plain mode in its groups, its commands, and history.

use ask_core::{Answer, Draft, Gaps, Origin, Outcome, Record, State};

use super::{
    Mode, NOON, PlainEffect, PlainEvent, PlainSession, brief, inbox, options, record, run_session,
    service,
};
use crate::fixtures::{database, settle};

/// One ask that waits, one snoozed, one late, and one whose answer waits for its agent.
fn groups() -> Vec<Record> {
    let mut records = inbox();
    let until = NOON.plus_ms(15 * 60_000);
    records[1].snoozed = Some(ask_core::record::Snooze::Until(until));
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
    let (text, _) = run_session(Mode::Inbox, groups(), &lines);
    insta::assert_snapshot!("groups", text);
}

#[test]
fn an_outcome_from_below_an_agent_is_marked_in_the_list() {
    let mut records = groups();
    let (text, _) = run_session(Mode::Inbox, records.clone(), &["q"]);
    assert!(!text.contains("started below"), "{text}");
    for record in &mut records {
        if let State::Closed { settlement, .. } = &mut record.state
            && settlement.outcome.is_human()
        {
            settlement.origin = Some(Box::new(Origin {
                below_agent: Some("claude-code\u{1b}[2J".to_owned()),
                ..Origin::default()
            }));
        }
    }
    let (text, _) = run_session(Mode::Inbox, records, &["q"]);
    let marked = text.lines().find(|line| line.contains("Which cache?"));
    let marked = marked.unwrap_or_default();
    assert!(marked.contains("(started below claude-code"), "{text}");
    assert!(!marked.contains('\u{1b}'), "{text}");
}

#[test]
fn every_line_at_the_list_is_executed_or_refused() {
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
        "u",
        "u 1",
        "x",
        "x 1 too risky",
        "n",
        "q",
        "q",
    ];
    let (text, _) = run_session(Mode::Inbox, groups(), &lines);
    insta::assert_snapshot!("commands", text);
    let (text, _) = run_session(Mode::Inbox, Vec::new(), &["1"]);
    assert!(
        text.contains("Not understood. No question is listed; ? is help, q leaves."),
        "{text}"
    );
}

/// A session, and what it printed.
struct Transcript {
    session: PlainSession,
    text: String,
}

impl Transcript {
    fn handle(&mut self, event: PlainEvent) {
        let step = self.session.handle(event, NOON);
        self.text.push_str(&step.text);
        for effect in &step.effects {
            self.text.push_str(&format!("[{}]\n", brief(effect)));
        }
    }

    fn type_line(&mut self, line: &str) {
        self.text.push_str(&format!("> {line}\n"));
        self.handle(PlainEvent::Line(line.to_owned()));
    }
}

fn at_list() -> Transcript {
    let (session, _) = PlainSession::start(Mode::Inbox, options(), inbox(), NOON);
    Transcript {
        session,
        text: String::new(),
    }
}

#[test]
fn closed_asks_are_searched_and_read_out() {
    let mut transcript = at_list();
    transcript.type_line("h");
    transcript.handle(PlainEvent::HistoryPage(Vec::new(), 0));
    transcript.type_line("h cache");
    let mut closed = record("ask-over", vec![database()]);
    closed.ask.title = Some("Which cache?".into());
    let reason = Some("later".to_owned());
    settle(&mut closed, Outcome::Declined { reason }, "cli");
    let page: Vec<Record> = (0..10).map(|_| closed.clone()).collect();
    transcript.handle(PlainEvent::HistoryPage(page, 7));
    transcript.type_line("m");
    transcript.handle(PlainEvent::HistoryPage(vec![closed], 3));
    for line in ["m", "11", "12", "z", "h"] {
        transcript.type_line(line);
    }
    transcript.handle(PlainEvent::Failed("the hub is away".into()));
    transcript.type_line("");
    insta::assert_snapshot!("history", transcript.text);
}

#[test]
fn notifications_are_muted_and_statistics_read_out() {
    let mut transcript = at_list();
    transcript.type_line("m");
    transcript.handle(PlainEvent::Muted(true));
    transcript.type_line("m");
    transcript.handle(PlainEvent::Muted(false));
    transcript.type_line("S");
    let mut stats = ask_core::stats::HistoryStats {
        asks: 4,
        answered: 3,
        ..Default::default()
    };
    stats.ends[0] = 3;
    stats.took.median_ms = Some(90_000);
    transcript.handle(PlainEvent::Stats(Box::new(stats)));
    insta::assert_snapshot!("stats", transcript.text);
    assert!(!transcript.text.contains(['█', '·']), "{}", transcript.text);
}

#[test]
fn a_number_stays_with_its_ask_while_others_come_and_go() {
    let mut transcript = at_list();
    let gone = transcript
        .session
        .waiting_ids()
        .next()
        .expect("one waits")
        .clone();
    let records = Vec::new();
    let gone = vec![gone];
    transcript.handle(PlainEvent::Changed { records, gone });
    transcript.type_line("1");
    assert!(
        transcript.text.contains("It is no longer asked.\n"),
        "the next one has the number only when it was said: {}",
        transcript.text
    );
}

#[test]
fn an_ask_whose_snooze_ends_is_announced() {
    let mut records = inbox();
    records[1].snoozed = Some(ask_core::record::Snooze::AskedAgain);
    let (session, _) = PlainSession::start(Mode::Inbox, options(), records.clone(), NOON);
    let mut transcript = Transcript {
        session,
        text: String::new(),
    };
    records[1].snoozed = None;
    let records = vec![records[1].clone()];
    let gone = Vec::new();
    transcript.handle(PlainEvent::Changed { records, gone });
    assert!(
        transcript.text.contains("\nWaits again: claude-code"),
        "{}",
        transcript.text
    );
    let shown = |effect: &PlainEffect| matches!(effect, PlainEffect::Shown { .. });
    assert!(
        !transcript
            .session
            .handle(PlainEvent::Line("?".into()), NOON)
            .effects
            .iter()
            .any(shown)
    );
}

#[test]
fn an_answer_is_taken_back_by_its_number_or_as_the_last_one() {
    let answered = |name: &str, held: bool| {
        let mut record = record(name, vec![database()]);
        let picked = Draft {
            answers: vec![Answer::picking([1])],
            note: None,
        };
        let picked = picked.finish(&record.ask, Gaps::Refuse).expect("it fits");
        settle(&mut record, Outcome::Answered(picked), "terminal");
        record.waiters = u32::from(held);
        record.held_until = held.then(|| NOON.plus_ms(3_000));
        record
    };
    let records = vec![answered("ask-kept", false), answered("ask-held", true)];
    let (session, start) = PlainSession::start(Mode::Inbox, options(), records, NOON);
    let mut transcript = Transcript {
        session,
        text: start.text,
    };
    transcript.type_line("u");
    transcript.handle(PlainEvent::Failed("an agent has it".into()));
    transcript.type_line("u 3");
    transcript.type_line("u 2");
    let mut open = record("ask-held", vec![database()]);
    open.draft = Some(ask_core::record::Saved {
        draft: Draft {
            answers: vec![Answer::picking([1])],
            note: None,
        },
        at: NOON,
        surface: "terminal".into(),
        revision: 1,
    });
    transcript.handle(PlainEvent::TakenBack(Box::new(open)));
    insta::assert_snapshot!("taken_back", transcript.text);
}
