//! Asks for the tests of the surfaces.

use ask_core::lifecycle::open;
use ask_core::record::{EarlierAnswer, Saved};
use ask_core::{
    Ask, AskId, Asker, Choice, Draft, Gaps, Input, Outcome, Question, Record, Settlement, State,
    Time,
};

/// The time at which tests begin: 2026-11-21 12:00 UTC.
pub(crate) const NOON: Time = Time(1_795_262_400_000);

pub(crate) fn question(label: &str, text: &str, input: Input) -> Question {
    Question {
        id: label.to_lowercase(),
        text: text.to_owned(),
        label: Some(label.to_owned()).filter(|label| !label.is_empty()),
        input,
        required: true,
        placeholder: None,
        default: None,
    }
}

pub(crate) fn choice(label: &str, description: &str) -> Choice {
    Choice {
        label: label.to_owned(),
        description: Some(description.to_owned()).filter(|words| !words.is_empty()),
        preview: None,
    }
}

pub(crate) fn database() -> Question {
    let choices = vec![
        choice("PostgreSQL (Recommended)", "Battle-tested relational DB"),
        choice("SQLite", "Lightweight, file-based"),
        choice("MongoDB", "Document store"),
    ];
    question(
        "Database",
        "Which database should we use?",
        Input::One(choices),
    )
}

pub(crate) fn service() -> Question {
    question(
        "Service Name",
        "What should we name this service?",
        Input::Text,
    )
}

pub(crate) fn features() -> Question {
    let choices = vec![
        choice("Authentication", "OAuth2 + JWT"),
        choice("REST API", "OpenAPI spec included"),
        choice("Admin Dashboard", ""),
    ];
    question(
        "Features",
        "Which features should we include?",
        Input::Many(choices),
    )
}

pub(crate) fn confirm() -> Question {
    question("", "Shall I delete them now?", Input::Confirm)
}

pub(crate) fn many_choices(count: usize) -> Question {
    let names = [
        "Express.js",
        "Fastify",
        "Hono",
        "Koa",
        "NestJS",
        "Hapi",
        "Adonis",
        "Restify",
        "Polka",
        "Feathers",
        "Sails",
        "Moleculer",
    ];
    let choices = (0..count).map(|at| choice(names.get(at).unwrap_or(&"Another"), ""));
    let choices = choices
        .enumerate()
        .map(|(at, mut choice)| {
            if at >= names.len() {
                choice.label = format!("Another {at}");
            }
            choice
        })
        .collect();
    question(
        "Framework",
        "Which framework should we use?",
        Input::One(choices),
    )
}

pub(crate) fn asker() -> Asker {
    Asker {
        client: Some("claude-code".into()),
        version: Some("2.1.240".into()),
        agent: None,
        session: Some("7f3a".into()),
        instance: None,
        project: Some("shop-api".into()),
        directory: Some("/home/ann/src/shop-api".into()),
        branch: Some("feat/orders".into()),
        caller: None,
    }
}

pub(crate) fn record(id: &str, questions: Vec<Question>) -> Record {
    let ask = Ask {
        questions,
        ..Ask::default()
    };
    let id = AskId::parse(id).expect("test ids have the shape of ids");
    let asked_at = Time(NOON.0 - 4 * 60_000);
    let mut record = open(id, ask_dialects::DIALECTS[0].name(), ask, asker(), asked_at);
    record.waiters = 1;
    record
}

pub(crate) fn three() -> Record {
    let mut record = record("ask-three", vec![database(), service(), features()]);
    record.ask.context = Some(
        "Volume is about 40 orders a minute. Billing already runs on PostgreSQL 16.".to_owned(),
    );
    record
}

/// The record as a client's hook hands it to the hub.
pub(crate) fn taken_over(mut record: Record) -> Record {
    record.dialect = "claude".to_owned();
    record.asker.version = None;
    record
}

pub(crate) fn with_draft(mut record: Record, draft: Draft) -> Record {
    record.draft = Some(Saved {
        draft,
        at: Time(NOON.0 - 30_000),
        surface: "terminal".into(),
        revision: 1,
    });
    record
}

/// The record of an ask that was answered like this three minutes ago, and is asked again.
pub(crate) fn offering(mut record: Record, draft: Draft) -> Record {
    record.earlier_answer = Some(EarlierAnswer {
        draft,
        at: Time(NOON.0 - 3 * 60_000),
    });
    record
}

pub(crate) fn closed(mut record: Record, draft: Draft) -> Record {
    let answered = draft
        .finish(&record.ask, Gaps::Send)
        .expect("the draft answers every question");
    settle(&mut record, Outcome::Answered(answered), "cli");
    record
}

pub(crate) fn settle(record: &mut Record, outcome: Outcome, surface: &str) {
    record.state = State::Closed {
        settlement: Settlement {
            outcome,
            surface: surface.to_owned(),
            device: None,
            origin: None,
            at: Time(NOON.0 + 7 * 60_000),
            attempt: 1,
            awaited: false,
        },
        delivered_at: None,
    };
}

/// Three asks of three agents.
pub(crate) fn inbox() -> Vec<Record> {
    let mut delete = record("ask-delete", vec![confirm()]);
    delete.ask.title = Some("Delete 15 stale preview envs?".into());
    delete.ask.context = Some(
        "All 15 were created more than 30 days ago and have had no traffic for 14 days. They \
         cost about 9 EUR a day. Deleting cannot be undone; a new one takes 6 minutes to make."
            .into(),
    );
    delete.asker.client = Some("codex".into());
    delete.asker.agent = Some("cleanup agent".into());
    delete.asker.project = Some("infra".into());
    delete.asker.branch = Some("main".into());
    delete.asked_at = Time(NOON.0 - 2 * 60_000);
    delete.deadline_at = Some(Time(NOON.0 + 161_000));
    let mut layout = record("ask-layout", vec![many_choices(4)]);
    layout.ask.title = Some("Which landing page layout?".into());
    layout.asker.client = Some("opencode".into());
    layout.asker.project = Some("docs-site".into());
    layout.asker.branch = Some("redesign".into());
    layout.asked_at = Time(NOON.0 - 62 * 60_000);
    layout.waiters = 0;
    let mut three = with_draft(
        three(),
        Draft {
            answers: vec![ask_core::Answer::picking([0])],
            note: None,
        },
    );
    three.ask.title = Some("Database and service name".into());
    vec![delete, three, layout]
}
