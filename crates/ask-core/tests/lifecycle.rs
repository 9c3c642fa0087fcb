//! An ask closes once. The first outcome wins, only an expiry gives way, and only a finished form
//! answers.

use ask_core::lifecycle::{self, SettleResult};
use ask_core::record::TakenBack;
use ask_core::testing::strategies;
use ask_core::{
    Answer, Ask, Asker, Attachment, Digest, Draft, Fingerprint, Gaps, Input, Origin, Outcome,
    Question, Record, Settlement, State, Time, Unfinished, Write,
};
use proptest::collection::vec;
use proptest::prelude::{
    Just, ProptestConfig, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use proptest::strategy::Strategy;

/// Something that happens to a stored ask.
#[derive(Clone, Debug)]
enum Operation {
    Close(Settlement),
    Repeat,
    Expire(Time, u64),
    Deliver(Time),
}

fn operations() -> impl Strategy<Value = (Record, Vec<Operation>)> {
    let opened = (strategies::ask(), strategies::time(), any::<[u8; 16]>()).prop_map(
        |(ask, now, random)| {
            lifecycle::open(
                ask_core::AskId::native(random),
                "native",
                ask,
                Asker::default(),
                now,
            )
        },
    );
    opened.prop_flat_map(|record| {
        let operation = prop_oneof![
            3 => strategies::settlement(&record.ask).prop_map(Operation::Close),
            1 => Just(Operation::Repeat),
            2 => (strategies::time(), any::<u64>()).prop_map(|(at, attempt)| Operation::Expire(at, attempt)),
            2 => strategies::time().prop_map(Operation::Deliver),
        ];
        (Just(record), vec(operation, 0..12))
    })
}

/// Settles as a store does, which checks first.
fn settle(record: &mut Record, settlement: Settlement) -> SettleResult {
    let closing = lifecycle::close(record, &settlement);
    if closing == SettleResult::Close {
        record.state = State::Closed {
            settlement,
            delivered_at: None,
        };
    }
    closing
}

fn perform(record: &mut Record, operation: Operation, last: &mut Option<Settlement>) {
    let was_waiting = record.is_open();
    match operation {
        Operation::Close(settlement) => {
            *last = Some(settlement.clone());
            let gives_way = record.settlement().is_some_and(|first| {
                first.outcome == Outcome::Expired && settlement.outcome.is_human()
            });
            let closes = was_waiting || gives_way;
            assert_eq!(settle(record, settlement) == SettleResult::Close, closes);
        }
        Operation::Repeat => {
            if let Some(settlement) = last.clone() {
                assert_ne!(settle(record, settlement), SettleResult::Close);
            }
        }
        Operation::Expire(now, attempt) => {
            let due = was_waiting && record.deadline_at.is_some_and(|at| at <= now);
            let settlement = lifecycle::expire(record, now, attempt);
            assert_eq!(settlement.is_some(), due);
            if let Some(settlement) = settlement {
                assert_eq!(settlement.outcome, Outcome::Expired);
                assert_eq!(settlement.surface, lifecycle::CLOCK);
                *last = Some(settlement.clone());
                assert_eq!(settle(record, settlement), SettleResult::Close);
            }
        }
        Operation::Deliver(at) => {
            let attempt = record.settlement().map(|settlement| settlement.attempt);
            let other = attempt.map(|attempt| attempt.wrapping_add(1));
            let may = lifecycle::may_deliver(record, attempt);
            assert_eq!(may, !was_waiting && !record.is_delivered());
            assert_eq!(may, lifecycle::may_deliver(record, None));
            assert!(was_waiting || !lifecycle::may_deliver(record, other));
            if let State::Closed { delivered_at, .. } = &mut record.state
                && may
            {
                *delivered_at = Some(at);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_first_outcome_wins((mut record, operations) in operations()) {
        let mut last = None;
        for operation in operations {
            let first = record.settlement().cloned();
            perform(&mut record, operation, &mut last);
            let gives_way = first.as_ref().is_some_and(|first| first.outcome == Outcome::Expired)
                && record.settlement().is_some_and(|last| last.outcome.is_human());
            if gives_way {
                prop_assert!(!record.is_delivered());
            } else if first.is_some() {
                prop_assert_eq!(record.settlement(), first.as_ref());
            }
            prop_assert_eq!(lifecycle::open_deadline(&record).is_some(), record.is_open() && record.deadline_at.is_some());
        }
    }

    /// A finished form fits its questions. An unfinished one says what is missing.
    #[test]
    fn finishing_is_the_only_check(
        (ask, draft) in strategies::ask().prop_flat_map(|ask| {
            let draft = strategies::draft(&ask);
            (Just(ask), draft)
        }),
    ) {
        let strict = draft.clone().finish(&ask, Gaps::Refuse);
        match draft.finish(&ask, Gaps::Send) {
            Ok(answered) => {
                prop_assert_eq!(answered.answers().len(), ask.questions.len());
                let required: Vec<usize> = (0..ask.questions.len())
                    .filter(|&at| ask.questions[at].required && !answered.answers()[at].is_given())
                    .collect();
                match strict {
                    Ok(_) => prop_assert!(required.is_empty()),
                    Err(unfinished) => prop_assert_eq!(unfinished, Unfinished::Missing(required)),
                }
                for (answer, question) in answered.answers().iter().zip(&ask.questions) {
                    prop_assert!(answer.picks.iter().all(|&pick| pick < question.input.len()));
                    prop_assert!(question.input.is_many() || answer.picks.len() <= 1);
                }
                prop_assert_eq!(answered.draft().finish(&ask, Gaps::Send), Ok(answered));
            }
            Err(unfinished) => {
                prop_assert_eq!(&unfinished, &Unfinished::Empty);
                prop_assert_eq!(strict, Err(unfinished));
            }
        }
    }
}

/// An ask of one required question with this input.
fn asked(input: fn(Vec<ask_core::Choice>) -> Input) -> Ask {
    let choices = vec![ask_core::Choice::new("A"), ask_core::Choice::new("B")];
    let question = Question {
        id: "q1".to_owned(),
        text: "Which?".to_owned(),
        label: None,
        input: input(choices),
        required: true,
        placeholder: None,
        default: None,
    };
    Ask {
        questions: vec![question],
        ..Ask::default()
    }
}

#[test]
fn finish_refuses_wrong_answers() {
    let ask = asked(Input::One);
    let finish = |answers: Vec<Answer>| {
        Draft {
            answers,
            note: None,
        }
        .finish(&ask, Gaps::Send)
    };
    assert_eq!(finish(vec![]), Err(Unfinished::Empty));
    assert_eq!(finish(vec![Answer::saying(" ")]), Err(Unfinished::Empty));
    assert_eq!(
        finish(vec![Answer {
            note: Some("later".to_owned()),
            ..Answer::default()
        }]),
        Err(Unfinished::Empty)
    );
    assert_eq!(
        finish(vec![Answer::picking([0, 1])]),
        Err(Unfinished::OneOnly(0))
    );
    assert_eq!(
        finish(vec![Answer::picking([2])]),
        Err(Unfinished::NoSuchChoice {
            question: 0,
            pick: 2
        })
    );
    let two = vec![Answer::picking([0]), Answer::picking([0])];
    assert_eq!(
        finish(two),
        Err(Unfinished::TooMany {
            questions: 1,
            answers: 2
        })
    );
    assert!(finish(vec![Answer::picking([1, 1])]).is_ok());
}

#[test]
fn picks_together_with_none_of_these_are_refused() {
    let both = || Draft {
        answers: vec![Answer {
            none: true,
            ..Answer::picking([0])
        }],
        note: None,
    };
    let refused = both().finish(&asked(Input::Many), Gaps::Send);
    assert_eq!(refused, Err(Unfinished::Torn(0)));
    // A question of one choice has no box for "none of these".
    let one = both().finish(&asked(Input::One), Gaps::Send);
    assert!(one.is_ok_and(|answered| !answered.answers()[0].none));
}

#[test]
fn files_alone_are_an_answer_with_words_about_them() {
    let file = |name: &str| Attachment::from_bytes(name, b"text", Digest([1; 32])).expect("a file");
    let question = Question {
        id: "q1".to_owned(),
        text: "Why?".to_owned(),
        label: None,
        input: Input::Text,
        required: true,
        placeholder: None,
        default: None,
    };
    let ask = Ask {
        title: None,
        context: None,
        questions: vec![question],
        limit_ms: None,
        metadata: None,
    };
    let with = |answer: Answer| Draft {
        answers: vec![answer],
        note: None,
    };
    let attached = |files: Vec<Attachment>| Answer {
        attachments: files,
        ..Answer::default()
    };
    let two = attached(vec![file("a.png"), file("b.log")]);
    let answered = with(two).finish(&ask, Gaps::Refuse).expect("an answer");
    let own = answered.answers()[0].own.as_deref();
    assert_eq!(own, Some("(see the attached a.png, b.log)"));
    let again = answered.draft().finish(&ask, Gaps::Refuse);
    assert_eq!(again, Ok(answered));
    let many = attached(vec![file("a.png"); 11]);
    let refused = with(many).finish(&ask, Gaps::Refuse);
    assert_eq!(refused, Err(Unfinished::TooManyFiles(0)));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_the_same_outcome_repeats_an_attempt(
        (mut record, first, mut other) in strategies::record().prop_flat_map(|record| {
            let one = || strategies::settlement(&record.ask);
            (one(), one(), Just(record.clone())).prop_map(|(first, other, record)| (record, first, other))
        }),
    ) {
        record.state = State::Open;
        other.attempt = first.attempt;
        settle(&mut record, first.clone());
        prop_assert_eq!(settle(&mut record, first.clone()), SettleResult::Again);
        let changed = settle(&mut record, other.clone());
        if other.outcome == first.outcome {
            prop_assert_eq!(changed, SettleResult::Again);
        } else {
            prop_assert!(changed != SettleResult::Again);
        }
    }
}

/// A record with one part changed.
fn changed(record: &Record, part: u8) -> Record {
    let mut changed = record.clone();
    let first = &mut changed.ask.questions[0];
    match part {
        0 => changed.ask.title = Some("other".into()),
        1 => changed.ask.context = None,
        2 => changed.ask.limit_ms = Some(1),
        3 => changed.asker.client = None,
        4 => changed.asker.directory = Some("/other".into()),
        5 => changed.dialect = "pi".into(),
        6 => first.text.push('?'),
        7 => first.label = None,
        8 => first.input = Input::Confirm,
        9 => first.required = !first.required,
        10 => first.id.push('x'),
        11 => changed.asker.branch = Some("other".into()),
        _ => changed.ask.metadata = None,
    }
    changed
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_ask_has_the_same_fingerprint(
        record in strategies::record(),
        part in 0..13_u8,
    ) {
        const ID: u8 = 10;
        const METADATA: u8 = 12;
        let changed = changed(&record, part);
        let is_same = lifecycle::is_same(&record, &changed);
        let shows_same = lifecycle::shows_same(&record, &changed);
        prop_assert_eq!(
            Fingerprint::of_record(&record) == Fingerprint::of_record(&changed),
            shows_same
        );
        match part {
            ID => prop_assert!(shows_same && !is_same),
            METADATA => prop_assert_eq!(is_same, record.ask.metadata.is_none()),
            _ => prop_assert_eq!(is_same, shows_same),
        }
    }
}

#[test]
fn a_repeated_attempt_whose_outcome_was_taken_back_closes_nothing() {
    let by = |attempt, outcome| Settlement {
        outcome,
        surface: "web".into(),
        device: None,
        origin: None,
        at: Time(1_000),
        attempt,
        awaited: false,
    };
    let declined = |attempt| by(attempt, Outcome::Declined { reason: None });
    let id = ask_core::AskId::native([1; 16]);
    let mut record = lifecycle::open(id, "native", Ask::default(), Asker::default(), Time(0));
    record.taken_back.push(TakenBack {
        settlement: declined(1),
        at: Time(2_000),
        surface: "tui".into(),
        device: None,
    });
    assert_eq!(lifecycle::close(&record, &declined(1)), SettleResult::Again);
    assert_eq!(lifecycle::close(&record, &declined(2)), SettleResult::Close);
    // Its time may be up meanwhile.
    assert_eq!(
        settle(&mut record, by(3, Outcome::Expired)),
        SettleResult::Close
    );
    assert_eq!(lifecycle::close(&record, &declined(1)), SettleResult::Again);
    assert_eq!(lifecycle::close(&record, &declined(2)), SettleResult::Close);
}

#[test]
fn what_was_answered_shortly_before_is_offered_until_the_ask_is_closed() {
    let question = Question {
        id: "q1".into(),
        text: "Which database?".into(),
        label: None,
        input: Input::Text,
        required: true,
        placeholder: None,
        default: None,
    };
    let ask = Ask {
        questions: vec![question],
        ..Ask::default()
    };
    let given = Draft {
        answers: vec![Answer::saying("PostgreSQL")],
        note: Some("as in staging".into()),
    };
    let answered = given.clone().finish(&ask, Gaps::Refuse).expect("an answer");
    let closed = |outcome, below: Option<&str>| {
        let settlement = Settlement {
            outcome,
            surface: "tui".into(),
            device: None,
            origin: Some(Box::new(Origin {
                below_agent: below.map(str::to_owned),
                ..Origin::default()
            })),
            at: Time(1_000),
            attempt: 1,
            awaited: false,
        };
        let asker = Asker::default();
        let mut record = lifecycle::open(
            ask_core::AskId::native([1; 16]),
            "native",
            ask.clone(),
            asker,
            Time(0),
        );
        let settle = Write::Settle(record.clone().into(), Box::new(settlement));
        settle.apply(&mut record);
        record
    };
    let earlier = closed(Outcome::Answered(answered), None);
    let end = Time(1_000).plus_ms(lifecycle::OFFERED_WITHIN_MS);
    let offered = lifecycle::earlier_answer(&earlier, end).expect("it is recent");
    let given = given.normalized(&ask);
    assert_eq!((&offered.draft, offered.at), (&given, Time(1_000)));
    assert_eq!(lifecycle::earlier_answer(&earlier, end.plus_ms(1)), None);
    let declined = closed(Outcome::Declined { reason: None }, None);
    assert_eq!(lifecycle::earlier_answer(&declined, end), None);
    let outcome = earlier.settlement().expect("it is closed").outcome.clone();
    let below = closed(outcome.clone(), Some("claude-code"));
    assert_eq!(lifecycle::earlier_answer(&below, end), None);

    let mut next = closed(outcome.clone(), None);
    next.reset_status();
    next.earlier_answer = Some(offered.clone());
    let id = next.id.clone();
    let typed = Draft {
        answers: vec![Answer::saying("S")],
        note: None,
    };
    Write::SaveDraft(id, Box::new(typed), "tui".into(), Time(2_000)).apply(&mut next);
    assert_eq!(next.earlier_answer.as_ref(), Some(&offered));
    let end = |outcome| {
        let mut settlement = earlier.settlement().expect("it is closed").clone();
        settlement.outcome = outcome;
        Write::Settle(next.clone().into(), Box::new(settlement))
    };
    let mut expired = next.clone();
    end(Outcome::Expired).apply(&mut expired);
    assert_eq!(expired.earlier_answer.as_ref(), Some(&offered));
    let mut answered = next.clone();
    end(outcome).apply(&mut answered);
    assert_eq!(answered.earlier_answer, None);
}
