//! Whole sessions as snapshots. What the person types follows a `>`.

use ask_config::config::Terminal;
use ask_config::i18n::{Language, Words};
use ask_core::record::Saved;
use ask_core::{Answer, AskId, Draft, Record};
use ask_protocol::ipc::Verdict;
use jiff::tz::TimeZone;

use super::session::{PlainEffect, PlainEvent, PlainSession, PromptOptions};
use crate::fixtures::{
    NOON, closed, confirm, database, features, inbox, offering, record, service, three,
};
use crate::{Mode, SettleResult};

fn options() -> PromptOptions {
    in_language(Language::English)
}

fn in_language(language: Language) -> PromptOptions {
    PromptOptions {
        words: Words::for_language(language),
        zone: TimeZone::UTC,
        terminal: Terminal::default(),
        is_typed: false,
    }
}

/// Runs a session until the lines end, against a hub that accepts every answer.
fn run_session(mode: Mode, records: Vec<Record>, lines: &[&str]) -> (String, Vec<PlainEffect>) {
    run_session_with(options(), mode, records, lines)
}

fn run_session_with(
    options: PromptOptions,
    mode: Mode,
    records: Vec<Record>,
    lines: &[&str],
) -> (String, Vec<PlainEffect>) {
    let (mut session, step) = PlainSession::start(mode, options, records.clone(), NOON);
    let (mut text, mut done) = (step.text, step.effects);
    for line in lines {
        if done
            .iter()
            .any(|effect| matches!(effect, PlainEffect::End(_)))
        {
            break;
        }
        text.push_str(&format!("> {line}\n"));
        let mut step = session.handle(PlainEvent::Line((*line).to_owned()), NOON);
        loop {
            text.push_str(&step.text);
            let known = |id: &AskId| records.iter().find(|it| it.id == *id).unwrap().clone();
            let event = step.effects.iter().find_map(|effect| match effect {
                PlainEffect::Settle { id, verdict } => {
                    let record = won(known(id), verdict.clone());
                    Some(PlainEvent::Settled(SettleResult::Won(Box::new(record))))
                }
                PlainEffect::Extend { id, until, typing } => {
                    let mut record = known(id);
                    record.deadline_at = Some(*until);
                    let (typing, result) = (*typing, Ok(Box::new(record)));
                    Some(PlainEvent::Extended { typing, result })
                }
                PlainEffect::Refresh { id } => {
                    Some(PlainEvent::Refreshed(Some(Box::new(known(id)))))
                }
                PlainEffect::ReportLeft => Some(PlainEvent::Left),
                PlainEffect::SaveDraft { .. }
                | PlainEffect::Shown { .. }
                | PlainEffect::DropTyped
                | PlainEffect::Edit(_)
                | PlainEffect::Recall { .. }
                | PlainEffect::Attach { .. }
                | PlainEffect::FindFiles { .. }
                | PlainEffect::Snooze { .. }
                | PlainEffect::ReadHistory { .. }
                | PlainEffect::ReadStats
                | PlainEffect::ToggleMute
                | PlainEffect::TakeBack { .. }
                | PlainEffect::End(_) => None,
            });
            done.extend(step.effects);
            let Some(event) = event else { break };
            step = session.handle(event, NOON);
        }
    }
    if !done
        .iter()
        .any(|effect| matches!(effect, PlainEffect::End(_)))
    {
        text.push_str("> (end of input)");
        for event in [PlainEvent::End, PlainEvent::Left] {
            let step = session.handle(event, NOON);
            text.push_str(&step.text);
            done.extend(step.effects);
        }
    }
    // Each ask that is opened drops what was typed before.
    let is_no_request = [PlainEffect::DropTyped, PlainEffect::ReportLeft];
    done.retain(|effect| !is_no_request.contains(effect));
    for effect in &done {
        text.push_str(&format!("\n{}", brief(effect)));
    }
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    (text, done)
}

fn won(mut record: Record, verdict: Verdict) -> Record {
    use ask_core::Outcome;
    let outcome = match verdict {
        Verdict::Answer { draft, gaps } => {
            Outcome::Answered(draft.finish(&record.ask, gaps).unwrap())
        }
        Verdict::Decline { reason } => Outcome::Declined { reason },
        Verdict::Clarify { words } => Outcome::Clarify { words },
        Verdict::Withdraw => Outcome::Withdrawn,
    };
    crate::fixtures::settle(&mut record, outcome, "plain");
    record
}

fn brief(effect: &PlainEffect) -> String {
    match effect {
        PlainEffect::SaveDraft { id, draft } => format!("save {id} {}", answers(draft)),
        PlainEffect::Settle { id, verdict } => format!("settle {id} {verdict:?}"),
        PlainEffect::Refresh { id } => format!("refresh {id}"),
        PlainEffect::Shown { id } => format!("shown {id}"),
        PlainEffect::DropTyped => "drop typed".to_owned(),
        PlainEffect::ReportLeft => "report left".to_owned(),
        PlainEffect::Snooze { id, until } => format!("snooze {id} {until:?}"),
        PlainEffect::Extend { id, until, .. } => format!("extend {id} {until}"),
        PlainEffect::Edit(editor_file) => format!("edit {:?}", editor_file.draft()),
        PlainEffect::Recall { project } => format!("recall {project:?}"),
        PlainEffect::Attach { source, from } => format!("attach {source:?} from {from:?}"),
        PlainEffect::FindFiles { directory, letters } => format!("find {letters:?} in {directory}"),
        PlainEffect::ReadHistory { search, before } => {
            format!("history {search:?} before {before:?}")
        }
        PlainEffect::ReadStats => "stats".to_owned(),
        PlainEffect::ToggleMute => "mute".to_owned(),
        PlainEffect::TakeBack { id, .. } => format!("take back {id}"),
        PlainEffect::End(ended) => format!("{ended:?}").split('(').next().unwrap().to_owned(),
    }
}

fn answers(draft: &Draft) -> String {
    let one = |answer: &Answer| {
        let note = answer.note.as_deref().map(|note| format!(" ({note})"));
        let own = answer.own.as_deref().unwrap_or("");
        format!("{:?}{own}{}", answer.picks, note.unwrap_or_default())
    };
    draft.answers.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn one(record: Record, lines: &[&str]) -> String {
    run_session(Mode::One(record.id.clone()), vec![record], lines).0
}

#[test]
fn three_questions_are_answered_reviewed_and_sent() {
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
fn one_question_is_sent_by_a_yes_after_its_answer() {
    insta::assert_snapshot!(
        "single",
        one(record("ask-one", vec![database()]), &["2", "y"])
    );
    insta::assert_snapshot!(
        "own",
        one(
            record("ask-one", vec![database()]),
            &["0", "", "0", "Dynamo", "", "n", "b", "2", "y"]
        )
    );
    insta::assert_snapshot!(
        "text",
        one(
            record("ask-one", vec![service()]),
            &["", "orders", "", "?", "n in v1", "z", "y"]
        )
    );
    insta::assert_snapshot!(
        "yes",
        one(
            record("ask-one", vec![confirm()]),
            &["", "maybe", "yes", "s", "y"]
        )
    );
    insta::assert_snapshot!(
        "none",
        one(record("ask-one", vec![features()]), &["", "", "y"])
    );
    let mut optional = service();
    optional.required = false;
    insta::assert_snapshot!(
        "skipped",
        one(record("ask-one", vec![optional]), &["", "y"])
    );
}

#[test]
fn declining_and_asking_back_are_confirmed() {
    let asked = || record("ask-one", vec![database()]);
    insta::assert_snapshot!(
        "declined",
        one(
            asked(),
            &["x", "", "n", "x", "not today", "n", "x too risky", "y"]
        )
    );
    insta::assert_snapshot!("asked_back", one(asked(), &["c", "c how many rows?", "y"]));
}

#[test]
fn the_end_of_the_input_keeps_the_draft() {
    insta::assert_snapshot!("cut_off", one(three(), &["1", "half an ans"]));
}

#[test]
fn a_long_answer_needs_a_confirmation() {
    let words = "x".repeat(2_847);
    let text = one(
        record("ask-one", vec![service()]),
        &[&words, "", "n", "short", "", "y"],
    );
    insta::assert_snapshot!("long", text.replace(&words, "(2847 x)"));
}

#[test]
fn the_list_opens_by_number_and_comes_back() {
    let (text, _) = run_session(Mode::Inbox, inbox(), &["7", "2", "q", "3", "y", "y", "q"]);
    insta::assert_snapshot!("list", text);
    let (text, _) = run_session(Mode::Inbox, Vec::new(), &["q"]);
    insta::assert_snapshot!("list_empty", text);
}

#[test]
fn next_goes_from_the_oldest_to_the_end() {
    let (text, _) = run_session(Mode::Next, inbox(), &["1", "y", "q"]);
    insta::assert_snapshot!("next", text);
}

fn typed() -> PromptOptions {
    PromptOptions {
        is_typed: true,
        ..options()
    }
}

#[test]
fn each_typed_line_is_saved() {
    let record = record("ask-one", vec![service()]);
    let mode = Mode::One(record.id.clone());
    let (mut session, _) = PlainSession::start(mode, typed(), vec![record], NOON);
    for (line, saved) in [("order-", "order-"), ("processor", "order-\nprocessor")] {
        let step = session.handle(PlainEvent::Line(line.into()), NOON);
        let [PlainEffect::SaveDraft { draft, .. }] = step.effects.as_slice() else {
            panic!("{:?}", step.effects);
        };
        assert_eq!(draft.answers[0].own.as_deref(), Some(saved));
    }
}

#[test]
fn nothing_in_a_paste_ends_the_answer_or_replies_to_a_question_of_ours() {
    let record = record("ask-one", vec![service()]);
    let mode = Mode::One(record.id.clone());
    let (mut session, _) = PlainSession::start(mode, typed(), vec![record], NOON);
    for line in ["Which of these?", "", "y", "/x no", " "] {
        assert!(session.takes_own_text());
        session.handle(PlainEvent::PastedLine(line.into()), NOON);
    }
    session.handle(PlainEvent::Line("I mean: neither.".into()), NOON);
    let step = session.handle(PlainEvent::Line(String::new()), NOON);
    assert!(step.text.contains("Send?"), "{}", step.text);
    // A line that was there before the question was shown is no reply to it.
    let step = session.handle(PlainEvent::PastedLine("y".into()), NOON);
    assert!(step.text.contains("Not sent: y"), "{}", step.text);
    assert_eq!(step.effects, []);
    let step = session.handle(PlainEvent::Line("y".into()), NOON);
    let [.., PlainEffect::Settle { verdict, .. }] = step.effects.as_slice() else {
        panic!("{:?}", step.effects);
    };
    let Verdict::Answer { draft, .. } = verdict else {
        panic!("{verdict:?}");
    };
    let text = "Which of these?\n\ny\n/x no\n \nI mean: neither.".to_owned();
    assert_eq!(draft.answers[0].own, Some(text));
}

#[test]
fn a_number_that_a_new_ask_has_taken_meanwhile_is_asked_for_again() {
    let listed = record("ask-one", vec![service()]);
    let (mut session, _) = PlainSession::start(Mode::Inbox, typed(), vec![listed], NOON);
    let mut urgent = record("ask-urgent", vec![database()]);
    urgent.deadline_at = Some(NOON.plus_ms(60_000));
    let new = PlainEvent::Changed {
        records: vec![urgent],
        gone: Vec::new(),
    };
    session.handle(new, NOON);
    let mut line = |ms| session.handle(PlainEvent::Line("s 1 2h".into()), NOON.plus_ms(ms));
    let step = line(1_000);
    assert!(step.text.contains("Type the number again"), "{}", step.text);
    assert_eq!(step.effects, []);
    assert!(matches!(
        line(2_000).effects[..],
        [PlainEffect::Snooze { .. }]
    ));
}

#[test]
fn a_line_that_the_terminal_cut_is_reported() {
    for cut in ["x".repeat(4_095), "x".repeat(4_094) + "\u{fffd}"] {
        let record = record("ask-one", vec![service(), database()]);
        let mode = Mode::One(record.id.clone());
        let (mut session, _) = PlainSession::start(mode, typed(), vec![record], NOON);
        let pasted = session.handle(PlainEvent::PastedLine(cut.clone()), NOON);
        assert!(pasted.text.contains("4,095 bytes"), "{}", pasted.text);
        let mut line = |line: &str| session.handle(PlainEvent::Line(line.to_owned()), NOON);
        let step = line(&cut);
        assert!(step.text.contains("4,095 bytes"), "{}", step.text);
        assert!(matches!(step.effects[..], [PlainEffect::SaveDraft { .. }]));
        line("and the rest");
        line("");
        line("y");
        let step = line(&cut);
        assert!(step.text.contains("use your editor: e."), "{}", step.text);
        assert_eq!(step.effects, [], "it is no answer to a choice");
        assert!(step.text.contains("Your choice"), "{}", step.text);
    }
}

/// The record after a program below an agent has given this answer.
fn filled_in(record: Record, answer: Answer) -> Record {
    filled_in_again(record, answer, 1)
}

/// The record after it has given another one.
fn filled_in_again(mut record: Record, answer: Answer, revision: u64) -> Record {
    record.draft = Some(Saved {
        draft: Draft {
            answers: vec![answer],
            note: None,
        },
        surface: "below evil".to_owned(),
        at: NOON,
        revision,
    });
    record
}

fn changed(record: Record) -> PlainEvent {
    PlainEvent::Changed {
        records: vec![record],
        gone: Vec::new(),
    }
}

#[test]
fn what_a_program_fills_in_is_read_out_unless_the_person_has_begun() {
    let record = record("ask-one", vec![service()]);
    let mut payments = Answer::picking([]);
    payments.own = Some("payments".to_owned());
    let filled_in = || changed(filled_in(record.clone(), payments.clone()));
    let open = || {
        let mode = Mode::One(record.id.clone());
        PlainSession::start(mode, typed(), vec![record.clone()], NOON).0
    };
    let mut session = open();
    for (revision, text) in [(1, "payments"), (2, "billing")] {
        let mut answer = payments.clone();
        answer.own = Some(text.to_owned());
        let filled_in = changed(filled_in_again(record.clone(), answer, revision));
        let step = session.handle(filled_in, NOON);
        for part in ["by a program below evil", text] {
            assert!(step.text.contains(part), "{}", step.text);
        }
        assert_eq!(step.effects, [PlainEffect::DropTyped], "a half-typed line");
    }
    let mut session = open();
    session.handle(PlainEvent::Line("orders".into()), NOON);
    let step = session.handle(filled_in(), NOON);
    assert_eq!(step.text, "");
}

#[test]
fn a_digit_sends_nothing_that_a_program_filled_in() {
    let asked = record("ask-one", vec![database()]);
    let mode = Mode::One(asked.id.clone());
    let mut options = typed();
    options.terminal.digit_sends = true;
    for is_filled_in in [true, false] {
        let mut answer = Answer::picking([0]);
        answer.note = Some("and drop it".to_owned());
        let asked = match is_filled_in {
            true => filled_in(asked.clone(), answer),
            false => asked.clone(),
        };
        let (mut session, _) =
            PlainSession::start(mode.clone(), options.clone(), vec![asked], NOON);
        let step = session.handle(PlainEvent::Line("2".into()), NOON);
        let sends = |effect: &PlainEffect| matches!(effect, PlainEffect::Settle { .. });
        assert_eq!(step.effects.iter().any(sends), !is_filled_in);
    }
}

#[test]
fn the_review_warns_of_what_is_left_of_a_programs_answers() {
    let asked = record("ask-one", vec![database()]);
    let mode = Mode::One(asked.id.clone());
    for is_left in [true, false] {
        let filled_in = filled_in(asked.clone(), Answer::picking([0]));
        let (mut session, _) =
            PlainSession::start(mode.clone(), typed(), vec![filled_in.clone()], NOON);
        let step = session.handle(PlainEvent::Line("2".into()), NOON);
        assert_eq!(step.text, "", "the hub knows what is left");
        let mut refreshed = filled_in;
        if !is_left {
            refreshed.draft = None;
        }
        let refreshed = PlainEvent::Refreshed(Some(Box::new(refreshed)));
        let step = session.handle(refreshed, NOON);
        assert!(step.text.contains("SQLite"), "{}", step.text);
        let warns = step.text.contains("by a program below evil");
        assert_eq!(warns, is_left, "{}", step.text);
    }
}

#[test]
fn lines_meant_for_a_closed_ask_go_to_no_other() {
    for mode in [Mode::Next, Mode::Inbox] {
        let (mut session, step) = PlainSession::start(mode.clone(), typed(), inbox(), NOON);
        if mode == Mode::Inbox {
            session.handle(PlainEvent::Line("1".into()), NOON);
        } else {
            assert!(step.effects.contains(&PlainEffect::DropTyped));
        }
        let first = session.open_id().cloned().expect("the oldest is open");
        let mut records = inbox();
        records.retain(|record| record.id == first);
        crate::fixtures::settle(&mut records[0], ask_core::Outcome::Withdrawn, "agent");
        let gone = PlainEvent::Changed {
            records,
            gone: Vec::new(),
        };
        let notice = session.handle(gone, NOON);
        assert!(notice.text.contains("Type next"), "{}", notice.text);
        for line in ["They pay 5 million,", "", "y", "1", "nextly"] {
            let step = session.handle(PlainEvent::Line(line.into()), NOON);
            assert_eq!(step.effects, [], "{line}");
            assert_eq!(session.open_id(), None, "{line}");
        }
        let step = session.handle(PlainEvent::Line("next".into()), NOON);
        match mode {
            Mode::Inbox => assert_eq!(session.open_id(), None, "the list is shown"),
            Mode::Next | Mode::One(_) => {
                assert!(session.open_id().is_some_and(|second| *second != first));
                assert!(step.effects.contains(&PlainEffect::DropTyped));
            }
        }
    }
}

#[test]
fn an_ask_closed_elsewhere_is_reported_and_the_next_line_is_no_answer() {
    let (mut session, _) = PlainSession::start(Mode::Next, options(), inbox(), NOON);
    session.handle(PlainEvent::Line("q".into()), NOON);
    let (mut session, _) = PlainSession::start(Mode::Inbox, options(), vec![three()], NOON);
    session.handle(PlainEvent::Line("1".into()), NOON);
    session.handle(PlainEvent::Line("1".into()), NOON);
    let done = closed(
        three(),
        Draft {
            answers: vec![Answer::picking([1])],
            note: None,
        },
    );
    let notice = session.handle(
        PlainEvent::Changed {
            records: vec![done],
            gone: Vec::new(),
        },
        NOON,
    );
    let after = session.handle(PlainEvent::Line("order-processor".into()), NOON);
    assert!(after.effects.is_empty());
    insta::assert_snapshot!(
        "closed_elsewhere",
        format!("{}> order-processor\n{}", notice.text, after.text)
    );
}

#[test]
fn notes_go_out_with_the_answers() {
    let lines = [
        "n only for now",
        "1",
        "/n",
        "short",
        "/n -",
        "orders",
        "",
        "n",
        "no v2",
        "1 2",
        "N all of it",
        "n",
        "1",
        "n",
        "",
        "1",
        "y",
    ];
    insta::assert_snapshot!("notes", one(three(), &lines));
    let noted = ["n please", "n", "y"];
    insta::assert_snapshot!("noted_no", one(record("ask-one", vec![confirm()]), &noted));
}

#[test]
fn recommended_answers_are_taken_by_a_command() {
    insta::assert_snapshot!(
        "recommended",
        one(three(), &["R", "2", "/r", "orders", "", "r", "y"])
    );
    insta::assert_snapshot!(
        "recommended_one",
        one(record("ask-one", vec![database()]), &["r", "y"])
    );
}

#[test]
fn long_lists_contexts_and_previews_are_read_piece_by_piece() {
    let mut asked = record("ask-one", vec![database()]);
    let choices = (1..=45).map(|number| {
        let mut choice = ask_core::Choice::new(format!("Region {number}"));
        choice.preview = (number == 7).then(|| "latency\n  12 ms".to_owned());
        choice
    });
    asked.ask.questions[0].input = ask_core::Input::One(choices.collect());
    let context: Vec<String> = (1..=30).map(|line| format!("Line {line}.")).collect();
    asked.ask.context = Some(context.join("\n"));
    let lines = [
        "m",
        "m",
        "m",
        "/region 4",
        "/nowhere",
        "p7",
        "p8",
        "p",
        "i",
        "44",
        "y",
    ];
    insta::assert_snapshot!("piece_by_piece", one(asked, &lines));
}

#[test]
fn the_text_of_an_editor_becomes_the_answer() {
    use crate::editor::EditResult;
    let asked = record("ask-one", vec![service()]);
    let begin = || {
        let mode = Mode::One(asked.id.clone());
        let (mut session, _) = PlainSession::start(mode, options(), vec![asked.clone()], NOON);
        let step = session.handle(PlainEvent::Line("/e".into()), NOON);
        let [PlainEffect::Edit(editor_file)] = &step.effects[..] else {
            panic!("{step:?}");
        };
        assert_eq!(editor_file.draft(), "");
        assert!(
            editor_file
                .text()
                .contains("# What should we name this service?")
        );
        session
    };
    let mut session = begin();
    let edited = EditResult::Text("orders\nand more\n".into());
    let step = session.handle(PlainEvent::Edited(Some(edited)), NOON);
    insta::assert_snapshot!("edited", step.text);
    session.handle(PlainEvent::Line(String::new()), NOON);
    let step = session.handle(PlainEvent::Line("y".into()), NOON);
    assert!(
        matches!(step.effects[..], [PlainEffect::Settle { .. }]),
        "{step:?}"
    );
    for (edited, said) in [
        (
            Some(EditResult::Discarded),
            "The editor ended with an error",
        ),
        (None, "An editor needs a terminal"),
    ] {
        let step = begin().handle(PlainEvent::Edited(edited), NOON);
        assert!(step.text.starts_with(said), "{}", step.text);
    }
}

#[test]
fn an_ask_is_snoozed_and_gets_more_time() {
    let lines = ["2", "s soon", "s 15m", "3", "+", "s tomorrow", "q"];
    insta::assert_snapshot!("snoozed", run_session(Mode::Inbox, inbox(), &lines).0);
}

#[test]
fn an_answer_after_the_deadline_can_be_sent() {
    let asked = record("ask-one", vec![database()]);
    let mode = Mode::One(asked.id.clone());
    let (mut session, _) = PlainSession::start(mode, options(), vec![asked.clone()], NOON);
    let mut late = asked;
    crate::fixtures::settle(&mut late, ask_core::Outcome::Expired, "clock");
    let expired = PlainEvent::Changed {
        records: vec![late],
        gone: Vec::new(),
    };
    let step = session.handle(expired, NOON);
    insta::assert_snapshot!("time_passed", step.text);
    session.handle(PlainEvent::Line("2".into()), NOON);
    let step = session.handle(PlainEvent::Line("y".into()), NOON);
    let settles = |effect: &PlainEffect| matches!(effect, PlainEffect::Settle { .. });
    assert!(step.effects.iter().any(settles), "{step:?}");
}

#[test]
fn earlier_answers_are_read_out_and_given_again() {
    let asked = record("ask-one", vec![service()]);
    let mode = Mode::One(asked.id.clone());
    let (mut session, _) = PlainSession::start(mode, options(), vec![asked], NOON);
    let step = session.handle(PlainEvent::Line("/o".into()), NOON);
    assert_eq!(
        step.effects.iter().map(brief).collect::<Vec<_>>(),
        ["recall Some(\"shop-api\")"]
    );
    let earlier = vec!["order-processor".to_owned(), "two\nlines".to_owned()];
    let mut text = session.handle(PlainEvent::Recalled(earlier), NOON).text;
    text.push_str(&session.handle(PlainEvent::Line("/o 3".into()), NOON).text);
    let step = session.handle(PlainEvent::Line("/o2".into()), NOON);
    text.push_str(&step.text);
    let step = session.handle(PlainEvent::Line("y".into()), NOON);
    insta::assert_snapshot!("earlier", text);
    assert!(
        step.effects
            .iter()
            .any(|effect| matches!(effect, PlainEffect::Settle { .. }))
    );
}

#[test]
fn what_is_recommended_is_taken_in_the_review_of_one_question_too() {
    let mut question = database();
    question.required = false;
    let asked = record("ask-one", vec![question]);
    let said = run_session(Mode::Next, vec![asked], &["", "R", "y"]).0;
    assert!(said.contains("Your answer: PostgreSQL"), "{said}");
    assert!(said.contains("picks: [0]"), "{said}");
}

#[test]
fn an_earlier_answer_is_read_out_and_fills_in_nothing_until_it_is_asked_for() {
    let earlier = Draft {
        answers: vec![Answer::picking([0])],
        note: Some("as before".into()),
    };
    let asked = offering(record("ask-one", vec![database()]), earlier);
    let one =
        |lines: &[&str]| run_session(Mode::One(asked.id.clone()), vec![asked.clone()], lines).0;
    insta::assert_snapshot!("earlier_answer", one(&["", "u", "n", "u", "y"]));
    let chosen = one(&["2", "u", "y"]);
    assert!(
        chosen.contains("picks: [1]"),
        "what was chosen is sent: {chosen}"
    );
    assert!(!chosen.contains("picks: [0]"), "{chosen}");
    let none = run_session(
        Mode::Next,
        vec![record("ask-one", vec![database()])],
        &["u", "1", "y"],
    );
    assert!(none.0.contains("There is no earlier answer"), "{}", none.0);
}

#[test]
fn an_earlier_answer_in_own_words_is_not_added_to_what_is_typed() {
    let earlier = |answers| Draft {
        answers,
        note: None,
    };
    let words = vec![Answer::saying("order-processor")];
    let asked = offering(record("ask-text", vec![service()]), earlier(words));
    let one =
        |lines: &[&str]| run_session(Mode::One(asked.id.clone()), vec![asked.clone()], lines).0;
    let said = one(&["/u", "y"]);
    assert!(said.contains("Type /u to fill it in"), "{said}");
    assert!(said.contains("own: Some(\"order-processor\")"), "{said}");
    let typed = one(&["mine", "/u", "", "y"]);
    assert!(typed.contains("own: Some(\"mine\")"), "{typed}");
    let all = vec![
        Answer::picking([0]),
        Answer::saying("order-processor"),
        Answer::picking([2]),
    ];
    let asked = offering(three(), earlier(all));
    let lines = ["2", "/u", "y"];
    let said = run_session(Mode::One(asked.id.clone()), vec![asked], &lines).0;
    insta::assert_snapshot!("earlier_answer_of_three", said);
}

mod errors;
mod files;
mod list;
