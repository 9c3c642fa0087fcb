//! Whole talks, written down: what a person typed stands behind a `>`.

use ask_core::{Answer, Draft, Record};
use jiff::tz::TimeZone;

use super::talk::{Effect, Heard, Talk};
use crate::surface::canned::{
    NOON, closed, confirm, database, features, inbox, record, service, three,
};
use crate::surface::{Closing, Mode};

/// Talks until the lines end, with a hub that lets the first answer win.
fn talk(mode: Mode, records: Vec<Record>, lines: &[&str]) -> (String, Vec<Effect>) {
    let (mut talk, step) = Talk::begin(mode, TimeZone::UTC, records.clone(), NOON);
    let (mut text, mut done) = (step.text, step.effects);
    for line in lines {
        if done.iter().any(|effect| matches!(effect, Effect::End(_))) {
            break;
        }
        text.push_str(&format!("> {line}\n"));
        let mut step = talk.step(Heard::Line((*line).to_owned()), NOON);
        loop {
            text.push_str(&step.text);
            let settled = step.effects.iter().find_map(|effect| match effect {
                Effect::Settle { id, verdict } => Some((id.clone(), verdict.clone())),
                Effect::SaveDraft { .. } | Effect::Shown { .. } | Effect::End(_) => None,
            });
            done.extend(step.effects);
            let Some((id, verdict)) = settled else { break };
            let record = records
                .iter()
                .find(|record| record.id == id)
                .unwrap()
                .clone();
            let record = won(record, verdict);
            step = talk.step(Heard::Settled(Closing::Won(Box::new(record))), NOON);
        }
    }
    if !done.iter().any(|effect| matches!(effect, Effect::End(_))) {
        let step = talk.step(Heard::End, NOON);
        text.push_str("> (end of input)");
        text.push_str(&step.text);
        done.extend(step.effects);
    }
    for effect in &done {
        text.push_str(&format!("\n{}", brief(effect)));
    }
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    (text, done)
}

fn won(mut record: Record, verdict: ask_core::dialect::wire::Verdict) -> Record {
    use ask_core::Outcome;
    use ask_core::dialect::wire::Verdict;
    let outcome = match verdict {
        Verdict::Answer { draft, gaps } => {
            Outcome::Answered(draft.finish(&record.ask, gaps).unwrap())
        }
        Verdict::Decline { reason } => Outcome::Declined { reason },
        Verdict::Clarify { words } => Outcome::Clarify { words },
        Verdict::Withdraw => Outcome::Withdrawn,
    };
    crate::surface::canned::settle(&mut record, outcome, "plain");
    record
}

fn brief(effect: &Effect) -> String {
    match effect {
        Effect::SaveDraft { id, draft } => format!("keep {id} {}", answers(draft)),
        Effect::Settle { id, verdict } => format!("settle {id} {verdict:?}"),
        Effect::Shown { id } => format!("shown {id}"),
        Effect::End(ended) => format!("{ended:?}").split('(').next().unwrap().to_owned(),
    }
}

fn answers(draft: &Draft) -> String {
    let one =
        |answer: &Answer| format!("{:?}{}", answer.picks, answer.own.as_deref().unwrap_or(""));
    draft.answers.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn one(record: Record, lines: &[&str]) -> String {
    talk(Mode::One(record.id.clone()), vec![record], lines).0
}

#[test]
fn three_questions_to_the_review_and_out() {
    let lines = [
        "1",
        "order-",
        "processor",
        "",
        "1,3 0",
        "webhooks",
        "",
        "n",
        "1",
        "2",
        "y",
    ];
    insta::assert_snapshot!("three", one(three(), &lines));
}

#[test]
fn mistakes_commands_and_gaps() {
    let lines = ["9", "?", "", "/b", "3", "", "", "s", "y"];
    insta::assert_snapshot!("gaps", one(three(), &lines));
}

#[test]
fn one_question_is_sent_by_its_line() {
    insta::assert_snapshot!("single", one(record("ask-one", vec![database()]), &["2"]));
    insta::assert_snapshot!(
        "own",
        one(
            record("ask-one", vec![database()]),
            &["0", "", "0", "Dynamo", ""]
        )
    );
    insta::assert_snapshot!(
        "text",
        one(record("ask-one", vec![service()]), &["", "orders", ""])
    );
    insta::assert_snapshot!(
        "yes",
        one(record("ask-one", vec![confirm()]), &["", "maybe", "y"])
    );
    insta::assert_snapshot!("none", one(record("ask-one", vec![features()]), &["", ""]));
    let mut optional = service();
    optional.required = false;
    insta::assert_snapshot!("skipped", one(record("ask-one", vec![optional]), &[""]));
}

#[test]
fn declining_and_asking_back_are_confirmed() {
    let asked = || record("ask-one", vec![database()]);
    insta::assert_snapshot!(
        "declined",
        one(asked(), &["x", "", "n", "x", "not today", "y"])
    );
    insta::assert_snapshot!("asked_back", one(asked(), &["c", "c how many rows?", "y"]));
}

#[test]
fn the_end_of_the_input_keeps_the_draft() {
    insta::assert_snapshot!("cut_off", one(three(), &["1", "half an ans"]));
}

#[test]
fn a_long_answer_is_asked_about() {
    let words = "x".repeat(2_847);
    let text = one(
        record("ask-one", vec![service()]),
        &[&words, "", "n", "short", ""],
    );
    insta::assert_snapshot!("long", text.replace(&words, "(2847 x)"));
}

#[test]
fn the_list_opens_by_number_and_comes_back() {
    let (text, _) = talk(Mode::Inbox, inbox(), &["7", "2", "q", "3", "y", "q"]);
    insta::assert_snapshot!("list", text);
    let (text, _) = talk(Mode::Inbox, Vec::new(), &["q"]);
    insta::assert_snapshot!("list_empty", text);
}

#[test]
fn next_goes_from_the_oldest_to_the_end() {
    let (text, _) = talk(Mode::Next, inbox(), &["1", "q"]);
    insta::assert_snapshot!("next", text);
}

#[test]
fn an_ask_closed_elsewhere_is_told_and_swallows_one_line() {
    let (mut talk, _) = Talk::begin(Mode::Next, TimeZone::UTC, inbox(), NOON);
    talk.step(Heard::Line("q".into()), NOON);
    let (mut talk, _) = Talk::begin(Mode::Inbox, TimeZone::UTC, vec![three()], NOON);
    talk.step(Heard::Line("1".into()), NOON);
    talk.step(Heard::Line("1".into()), NOON);
    let done = closed(
        three(),
        Draft {
            answers: vec![Answer::picking([1])],
            note: None,
        },
    );
    let told = talk.step(
        Heard::Changed {
            records: vec![done],
            gone: Vec::new(),
        },
        NOON,
    );
    let after = talk.step(Heard::Line("order-processor".into()), NOON);
    assert!(after.effects.is_empty());
    insta::assert_snapshot!(
        "closed_elsewhere",
        format!("{}> order-processor\n{}", told.text, after.text)
    );
}
