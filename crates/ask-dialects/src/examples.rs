//! Examples for the docs: how a dialect replies to each end of the ask that its own example call
//! opens. The dialect itself writes them, so the reference can't differ from the program.

use crate::{Call, Dialect, Setting, Word};
use ask_core::{
    Answer, Ask, AskId, Asker, Draft, Gaps, Input, Json, Outcome, Question, Record, Settlement,
    State, Time, json, lifecycle,
};
use ask_protocol::Reply;

/// A reply, and when an agent gets it.
pub struct Example {
    /// The situation, as a sentence.
    pub when: &'static str,
    /// The reply in that situation.
    pub reply: Reply,
}

/// When the ask of the examples is opened. Its outcome comes ninety seconds later.
const ASKED_AT: Time = Time(1_770_206_400_000);
/// The random bytes that ids are made from here.
const RANDOM: [u8; 16] = [7, 21, 3, 44, 5, 61, 7, 8, 90, 10, 11, 12, 130, 14, 15, 16];

/// The id of the ask in the examples of this dialect.
pub fn ask_id(dialect: &dyn Dialect) -> AskId {
    dialect.id(RANDOM)
}

/// The replies of a dialect to its first example call: one for each way the ask can end, and those
/// to a call that returns early, to one that fetches the answer later and to one that can't be
/// read.
pub fn replies(dialect: &dyn Dialect) -> Vec<Example> {
    let Some(ask) = example_ask(dialect) else {
        return Vec::new();
    };
    let open = lifecycle::open(
        ask_id(dialect),
        dialect.name(),
        ask,
        Asker::default(),
        ASKED_AT,
    );
    let mut examples: Vec<Example> = ends(&open.ask)
        .into_iter()
        .map(|(when, outcome)| Example {
            when,
            reply: dialect.write(Word::Closed(&closed(&open, outcome))),
        })
        .collect();
    examples.push(Example {
        when: "The call returned early. The ask is still open:",
        reply: dialect.write(Word::Open(&open)),
    });
    examples.extend(fetched_late(dialect, &open));
    examples.extend(refused(dialect));
    examples
}

/// The ask of a dialect's first example.
fn example_ask(dialect: &dyn Dialect) -> Option<Ask> {
    let tool = dialect.tools().first()?;
    let arguments = json::parse(tool.example).ok()?;
    match dialect.read(tool.name, &arguments, &Setting::default()) {
        Ok(Call::Ask { ask, .. }) => Some(*ask),
        Ok(Call::Fetch { .. }) | Err(_) => None,
    }
}

/// Each way the ask can end.
fn ends(ask: &Ask) -> Vec<(&'static str, Outcome)> {
    let answered = |draft: Draft| draft.finish(ask, Gaps::Send).ok().map(Outcome::Answered);
    let mut ends = Vec::new();
    ends.extend(answered(every_question(ask)).map(|end| ("The person answered:", end)));
    let alone = "The person answered in their own words and added a note:";
    let others_open = "The person answered one question in their own words, added a note, and left the other question open:";
    let when = match ask.questions.len() {
        1 => alone,
        _ => others_open,
    };
    ends.extend(answered(own_words()).map(|end| (when, end)));
    let reason = Some("We decide that next week.".to_owned());
    ends.push((
        "The person declined and gave a reason:",
        Outcome::Declined { reason },
    ));
    let words = "How long do we keep the orders?".to_owned();
    ends.push(("The person asked back:", Outcome::Clarify { words }));
    if ask.limit_ms.is_some() {
        ends.push(("The time limit passed:", Outcome::Expired));
    }
    ends.push(("The agent withdrew the ask:", Outcome::Withdrawn));
    ends
}

/// Answers each question: by the first choice, by the first two if several may be picked, or in
/// words.
fn every_question(ask: &Ask) -> Draft {
    let answer = |question: &Question| match &question.input {
        Input::Text => Answer {
            own: Some("order-processor".to_owned()),
            ..Answer::default()
        },
        Input::One(_) | Input::Confirm => Answer {
            picks: vec![0],
            ..Answer::default()
        },
        Input::Many(choices) => Answer {
            picks: (0..choices.len().min(2)).collect(),
            ..Answer::default()
        },
    };
    Draft {
        answers: ask.questions.iter().map(answer).collect(),
        note: None,
    }
}

/// Answers the first question in own words, with a note.
fn own_words() -> Draft {
    let answer = Answer {
        own: Some("MariaDB, which we run already".to_owned()),
        note: Some("ask ops for a schema".to_owned()),
        ..Answer::default()
    };
    Draft {
        answers: vec![answer],
        note: None,
    }
}

/// The record, closed in the terminal with this outcome.
fn closed(open: &Record, outcome: Outcome) -> Record {
    let settlement = Settlement {
        outcome,
        surface: "terminal".to_owned(),
        device: None,
        origin: None,
        at: ASKED_AT.plus_ms(90_000),
        attempt: 1,
        awaited: false,
    };
    Record {
        state: State::Closed {
            settlement,
            delivered_at: None,
        },
        ..open.clone()
    }
}

/// The answer as a later call gets it, if it reads differently.
fn fetched_late(dialect: &dyn Dialect, open: &Record) -> Option<Example> {
    let answered = every_question(&open.ask).finish(&open.ask, Gaps::Send);
    let record = closed(open, Outcome::Answered(answered.ok()?));
    let at_once = dialect.write(Word::Closed(&record));
    let reply = dialect.write(Word::Fetched(&[record]));
    (reply.text != at_once.text).then_some(Example {
        when: "The person answered when no call waited, and a later call gets the answer:",
        reply,
    })
}

/// The reply to a call without any arguments.
fn refused(dialect: &dyn Dialect) -> Option<Example> {
    let tool = dialect.tools().first()?;
    let nothing = Json::Object(serde_json::Map::new());
    let refusal = dialect
        .read(tool.name, &nothing, &Setting::default())
        .err()?;
    Some(Example {
        when: "The call was `{}`, which can't become an ask:",
        reply: dialect.write(Word::Refused(&refusal)),
    })
}
