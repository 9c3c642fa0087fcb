//! A history of many asks and how fast it is searched. The asks go into the store in one
//! transaction, in the form that the hub writes them in; everything after that is the hub's own
//! work, asked over its socket as the terminal asks.

use std::time::{Duration, Instant};

use ask_core::ask::{Ask, Choice, Input, Question};
use ask_core::draft::{Answer, Draft, Gaps};
use ask_core::lifecycle::{self, Settlement};
use ask_core::{AskId, Asker, Outcome, Record, Time};
use ask_protocol::ipc::{Filter, Request};
use ask_protocol::{json_text, native};
use rusqlite::{Connection, params};

use super::rig::{Rig, Side};
use super::surface::HubSurface;
use super::table::{Figure, Table};

/// As many as the terminal wants at once.
const PAGE: u64 = 60;
/// Between two asks, on the average: a year and a half has a million.
const APART_MS: i64 = 47_000;
const LAST: i64 = 1_790_000_000_000;

const PROJECTS: [&str; 8] = [
    "shop", "infra", "billing", "site", "search", "mail", "docs", "tools",
];
const AGENTS: [&str; 5] = ["claude-code", "codex", "gemini-cli", "opencode", "pi"];
const THINGS: [&str; 16] = [
    "database",
    "table",
    "endpoint",
    "queue",
    "cache",
    "migration",
    "branch",
    "release",
    "test",
    "schema",
    "token",
    "worker",
    "index",
    "certificate",
    "layout",
    "license",
];
const VERBS: [&str; 8] = [
    "rename", "drop", "split", "move", "keep", "replace", "deploy", "review",
];

/// Fills a store with as many asks as are wanted, and prints how long its searches take.
pub fn measure(asks: usize, rounds: usize, table: &mut Table) {
    let rig = Rig::new(Side::Ours);
    // Or the hub begins to remove most of them.
    let kept = std::fs::write(rig.home().join("config.toml"), "[history]\nkeep_days = 0\n");
    kept.expect("the home is ours");
    drop(rig.hub_surface());
    stop(&rig);
    let began = Instant::now();
    fill(&rig, asks).expect("the store takes asks that are over");
    let metric = |what: &str| format!("{asks} old asks: {what}");
    let each = |time: Duration| Figure::of((time / asks as u32).as_nanos() as f64 / 1e3, "µs");
    table.alone(
        &metric("written into the store, each"),
        each(began.elapsed()),
        "",
    );
    drop(rig.hub_surface());
    let mut hub = HubSurface::connect(rig.home());
    let began = Instant::now();
    hub.look_up(Request::History {
        filter: search("database"),
    });
    table.alone(
        &metric("found by a search, each"),
        each(began.elapsed()),
        "",
    );
    let file = std::fs::metadata(rig.home().join("ask-user.db"));
    let bytes = file.map_or(0, |about| about.len());
    table.alone(&metric("the file"), Figure::mb(bytes / 1024), "");
    for (what, filter) in looks(asks) {
        let times: Vec<Duration> = (0..rounds * 2)
            .map(|round| {
                let began = Instant::now();
                hub.look_up(Request::History {
                    filter: filter(round),
                });
                began.elapsed()
            })
            .collect();
        table.alone(&metric(what), Figure::high(&times), "≤ 20 ms at p99");
    }
    let counted: [(&str, Filter); 2] = [
        ("the figures", Filter::default()),
        (
            "the figures of a project",
            Filter {
                project: Some("shop".into()),
                ..Filter::default()
            },
        ),
    ];
    for (what, filter) in counted {
        let times: Vec<Duration> = (0..rounds.div_ceil(20))
            .map(|_| {
                let began = Instant::now();
                hub.look_up(Request::Figures {
                    filter: filter.clone(),
                });
                began.elapsed()
            })
            .collect();
        table.alone(&metric(what), Figure::high(&times), "");
    }
    // A tenth goes, and meanwhile agents ask.
    let mut other = HubSurface::connect(rig.home());
    let number = asks - asks / 10;
    let until_ms = Some(asked_at(asks / 10, asks).0);
    let forgotten = other.begin(&Request::ForgetSome {
        filter: Filter {
            until_ms,
            ..Filter::default()
        },
        count: false,
    });
    let mut times = Vec::new();
    while times.len() < rounds * 2 || !other.has_ended(forgotten) {
        let record = Box::new(asked(asks + times.len(), asks));
        let began = Instant::now();
        hub.look_up(Request::Open {
            record,
            wait: false,
            take_up: false.into(),
        });
        times.push(began.elapsed());
    }
    let what = format!("asked while {} are forgotten", asks - number);
    table.alone(&metric(&what), Figure::high(&times), "");
}

type Look = (&'static str, Box<dyn Fn(usize) -> Filter>);

/// What people look for. Each round looks for another word where there is one, as nobody types the same again.
fn looks(asks: usize) -> Vec<Look> {
    let some = move |round: usize| (round * 7_919 + 13) % asks;
    vec![
        ("the newest page", Box::new(|_| page(Filter::default()))),
        (
            "a page from the middle",
            Box::new(move |round| Filter {
                before: Some(some(round) as u64 + 1),
                ..page(Filter::default())
            }),
        ),
        (
            "a rare word",
            Box::new(move |round| search(&format!("T-{}", some(round)))),
        ),
        (
            "a common word",
            Box::new(|round| search(THINGS[round % THINGS.len()])),
        ),
        (
            "two common words",
            Box::new(|round| {
                search(&format!(
                    "{} {}",
                    VERBS[round % VERBS.len()],
                    THINGS[round % THINGS.len()],
                ))
            }),
        ),
        (
            "a word half typed",
            Box::new(|round| search(&THINGS[round % THINGS.len()][..2])),
        ),
        (
            "a word that is nowhere",
            Box::new(|round| search(&format!("nowhere{round}"))),
        ),
        (
            "a project and a word",
            Box::new(|round| Filter {
                project: Some(PROJECTS[round % PROJECTS.len()].into()),
                ..search(THINGS[round % THINGS.len()])
            }),
        ),
        (
            "a project, an end, a rare word",
            Box::new(move |round| Filter {
                project: Some(PROJECTS[some(round) % PROJECTS.len()].into()),
                end: Some(ask_core::history::End::Answered),
                ..search(&format!("T-{}", some(round)))
            }),
        ),
        (
            "a word, in a month",
            Box::new(move |round| Filter {
                since_ms: Some(asked_at(some(round), asks).0),
                until_ms: Some(asked_at(some(round), asks).0 + 30 * 86_400_000),
                ..search("database")
            }),
        ),
    ]
}

fn page(filter: Filter) -> Filter {
    Filter {
        limit: Some(PAGE),
        ..filter
    }
}

fn search(words: &str) -> Filter {
    page(Filter {
        search: Some(words.into()),
        ..Filter::default()
    })
}

fn stop(rig: &Rig) {
    let stopped = rig
        .ours(&["hub", "--stop"])
        .stderr(std::process::Stdio::null())
        .status();
    stopped.expect("ask-user starts");
    assert!(!rig.home().join("hub.json").exists(), "the hub has ended");
}

fn fill(rig: &Rig, asks: usize) -> rusqlite::Result<()> {
    let mut db = Connection::open(rig.home().join("ask-user.db"))?;
    let transaction = db.transaction()?;
    {
        let mut insert = transaction.prepare(
            "INSERT INTO ask (id, state, asked_at, closed_at, delivered_at, client, project,
                              directory, content, settlement, fingerprint)
             VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        for number in 0..asks {
            let record = asked(number, asks);
            let settlement = settled(number, &record);
            let state = match settlement.outcome {
                Outcome::Answered(_) => "answered",
                Outcome::Declined { .. } => "declined",
                Outcome::Clarify { .. } => "clarify",
                Outcome::Expired => "expired",
                Outcome::Withdrawn => "withdrawn",
            };
            insert.execute(params![
                record.id.as_str(),
                state,
                record.asked_at.0,
                settlement.at.0,
                record.asker.client,
                record.asker.project,
                record.asker.directory,
                json_text(&native::write_record(&record)),
                json_text(&native::write_settlement(&record, &settlement)),
                ask_core::Fingerprint::of_record(&record).0,
            ])?;
        }
    }
    transaction.commit()
}

fn asked_at(number: usize, asks: usize) -> Time {
    Time(LAST - (asks - number) as i64 * APART_MS)
}

/// One that an agent could have asked: a title, a question or two, four choices, some sentences of context.
fn asked(number: usize, asks: usize) -> Record {
    let mixed = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let pick =
        |some: &'static [&'static str], shift: u32| some[(mixed >> shift) as usize % some.len()];
    let (thing, other) = (pick(&THINGS, 20), pick(&THINGS, 28));
    let verb = pick(&VERBS, 36);
    let project = PROJECTS[number % PROJECTS.len()];
    let question = |id: &str, text: String, input: Input| Question {
        id: id.to_owned(),
        text,
        label: None,
        input,
        required: true,
        placeholder: None,
        default: None,
    };
    let choices = ["now", "later", "only its copy", "not at all"].map(|when| {
        let mut choice = Choice::new(format!("{verb} the {thing} {when}"));
        choice.description = Some(format!("The {other} stays as it is until then."));
        choice
    });
    let mut questions = vec![question(
        "how",
        format!("T-{number}: shall I {verb} the {thing} before the {other}?"),
        Input::One(choices.to_vec()),
    )];
    if number.is_multiple_of(3) {
        let text = format!("What should the new {other} be called?");
        questions.push(question("name", text, Input::Text));
    }
    let ask = Ask {
        title: Some(format!("The {thing} of {project}")),
        context: Some(format!("The {thing} and the {other} depend on each other. ").repeat(6)),
        questions,
        limit_ms: None,
        metadata: None,
    };
    let asker = Asker {
        client: Some(pick(&AGENTS, 44).to_owned()),
        project: Some(project.to_owned()),
        directory: Some(format!("/src/{project}")),
        branch: Some(format!("feat/{verb}")),
        ..Asker::default()
    };
    let mut random = [0; 16];
    random[..8].copy_from_slice(&(number as u64).to_be_bytes());
    random[8..].copy_from_slice(&mixed.to_be_bytes());
    let id = AskId::native(random);
    lifecycle::open(id, "native", ask, asker, asked_at(number, asks))
}

fn settled(number: usize, record: &Record) -> Settlement {
    let outcome = match number % 20 {
        0 => Outcome::Declined {
            reason: Some("not this week".into()),
        },
        1 => Outcome::Clarify {
            words: "which of the two do you mean?".into(),
        },
        2 => Outcome::Expired,
        3 => Outcome::Withdrawn,
        _ => {
            let mut answers = vec![Answer::picking([number % 4])];
            if record.ask.questions.len() > 1 {
                let mut own = Answer::picking([]);
                own.own = Some(format!("name-{}", number % 1_000));
                answers.push(own);
            }
            let draft = Draft {
                answers,
                note: None,
            };
            Outcome::Answered(
                draft
                    .finish(&record.ask, Gaps::Refuse)
                    .expect("it is whole"),
            )
        }
    };
    Settlement {
        outcome,
        surface: if number.is_multiple_of(4) {
            "web"
        } else {
            "terminal"
        }
        .to_owned(),
        device: None,
        at: Time(record.asked_at.0 + 60_000 + (number % 600) as i64 * 1_000),
        attempt: number as u64,
        awaited: false,
    }
}
