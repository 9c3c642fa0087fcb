//! The cost of a long history: each ask, a search, and its removal.

use std::time::{Duration, Instant};

use crate::Plan;
use crate::harness::within;
use crate::http::Http;
use crate::process;
use crate::setup::{Setup, Steps, WARM_UP, steps};
use crate::store::{self, THINGS, VERBS};
use crate::surface::Interface;
use crate::table::{Figure, Row};

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    // Measured before the full store, whose hub has background work that would slow the others
    // down.
    let mut setups = [Interface::Floor, Interface::Rpc].map(Setup::new);
    let ([floor, empty], [_, spent]) = asks(plan, &mut setups);
    drop(setups);
    let base = Base {
        floor,
        empty,
        spent,
    };
    let mut rows = base.rows();
    let begun = Instant::now();
    let mut setups = [store::filled(plan.old)];
    let each = Figure::of(begun.elapsed().as_secs_f64() * 1e6 / plan.old as f64, "µs");
    let metric = format!("{} old asks: filling, each", plan.old);
    rows.push(Row::new("history", metric, each));
    let full = format!("{} old asks", plan.old);
    let found = within(plan.limit, || all_found(&setups[0]));
    let is_found = found.is_ok();
    let first = found.clone().map(|(first, _)| Figure::median(&[first]));
    let found = found.map(|(_, all)| Figure::of(all.as_secs_f64(), "s"));
    let metric = format!("{full}, none of them indexed: the first search");
    rows.push(Row::maybe("search", metric, first).goal("≤ 100 ms"));
    let metric = format!("{full}, none of them indexed: until a search finds all");
    rows.push(Row::maybe("search", metric, found));
    let ([steps], [spent]) = asks(plan, &mut setups);
    rows.extend(base.compare(&full, &steps, &spent));
    if is_found {
        rows.extend(searches(plan, &setups[0]));
    }
    if plan.wants("retention") {
        let [setup] = setups;
        rows.extend(retention(plan, setup, &base));
    }
    rows
}

/// The figures that the full store is compared with.
struct Base {
    floor: Steps,
    empty: Steps,
    /// The hub's processor time for an ask and its answer.
    spent: Figure,
}

/// Asks and answers in turns on all setups; returns the times, and each hub's processor time for
/// one ask.
fn asks<const N: usize>(plan: &Plan, setups: &mut [Setup; N]) -> ([Steps; N], [Figure; N]) {
    let pids = setups.each_ref().map(Setup::pid);
    let before = pids.map(process::cpu);
    let mut all = steps(setups, plan.rounds).into_iter();
    let rounds = (plan.rounds + WARM_UP) as f64;
    let spent = std::array::from_fn(|at| {
        let spent = process::cpu(pids[at]) - before[at];
        Figure::of(spent.as_secs_f64() * 1e3 / rounds, "ms")
    });
    let all = std::array::from_fn(|_| all.next().expect("there is one result for each setup"));
    (all, spent)
}

/// Selects the times of one step.
type Times = fn(&Steps) -> &[Duration];

const STEPS: [(&str, Times); 2] = [
    ("ask → shown", |steps| &steps.shown),
    ("answer → result", |steps| &steps.delivered),
];
const SPENT: &str = "processor of the hub, an ask and its answer";

impl Base {
    fn rows(&self) -> Vec<Row> {
        let row = |(what, times): (&str, Times)| {
            let metric = format!("{what}, an empty store");
            self.beside_floor(metric, times, &self.empty)
                .goal("≤ 2.5 × floor")
        };
        let mut rows: Vec<Row> = STEPS.map(row).into();
        let metric = format!("{SPENT}, an empty store");
        rows.push(Row::new("history", metric, self.spent.clone()).goal("≤ 1 ms"));
        rows
    }

    fn compare(&self, store: &str, full: &Steps, spent: &Figure) -> Vec<Row> {
        let mut rows = Vec::new();
        let growth = |what: &str, full: &Figure, empty: &Figure| {
            let metric = format!("{what}, {store}: times an empty store");
            Row::new("history", metric, full.times(empty)).goal("≤ 1.2 ×")
        };
        for (what, times) in STEPS {
            rows.push(self.beside_floor(format!("{what}, {store}"), times, full));
            let [empty, full] = [&self.empty, full].map(|steps| Figure::median(times(steps)));
            rows.push(growth(what, &full, &empty));
        }
        let metric = format!("{SPENT}, {store}");
        rows.push(Row::new("history", metric, spent.clone()).goal("≤ 1 ms"));
        rows.push(growth(SPENT, spent, &self.spent));
        rows
    }

    fn beside_floor(&self, metric: String, times: Times, ours: &Steps) -> Row {
        Row::new("history", metric, Figure::median(times(ours)))
            .with_floor(Figure::median(times(&self.floor)))
    }
}

/// The time of the first search, and the time until the oldest ask is found, which is indexed last.
/// Each search waits briefly for the index.
fn all_found(setup: &Setup) -> (Duration, Duration) {
    let mut http = person(setup);
    let path = search(&store::number(0).to_string());
    let begun = Instant::now();
    let mut found = http.get(&path);
    let first = begun.elapsed();
    while found == NOTHING {
        found = http.get(&path);
    }
    (first, begun.elapsed())
}

/// A person's HTTP connection.
fn person(setup: &Setup) -> Http {
    Http::connect(setup.home.hub().port, &setup.home.read("answer-token"))
}

/// The reply to a search without results.
const NOTHING: &str = r#"{"asks":[]}"#;
const NOWHERE: &str = "a word that is nowhere";

/// Typical searches. Each round searches for another word if there is one, because nobody repeats a
/// search.
fn searches(plan: &Plan, setup: &Setup) -> Vec<Row> {
    let old = plan.old;
    let some = move |round: usize| (round * 7_919 + 13) % old;
    let thing = |round: usize| THINGS[round % THINGS.len()];
    let looks: [(&str, &dyn Fn(usize) -> String); 7] = [
        ("the newest page", &|_| {
            "/v1/asks?state=closed&limit=60".into()
        }),
        ("a rare word", &|round| {
            search(&store::number(some(round)).to_string())
        }),
        ("a common word", &|round| search(thing(round))),
        ("two common words", &|round| {
            search(&format!(
                "{}%20{}",
                VERBS[round % VERBS.len()],
                thing(round)
            ))
        }),
        ("a word half typed", &|round| search(&thing(round)[..2])),
        (NOWHERE, &|round| search(&format!("nowhere{round}"))),
        ("the figures", &|_| "/v1/history/stats".into()),
    ];
    let mut http = person(setup);
    let row = |(what, path): (&str, &dyn Fn(usize) -> String)| {
        let metric = format!("{old} old asks: {what}");
        let times = within(plan.limit, || {
            let look = |round| {
                let begun = Instant::now();
                let found = http.get(&path(round));
                let time = begun.elapsed();
                let is_found = found != NOTHING;
                assert_eq!(is_found, what != NOWHERE, "{what}: {found}");
                time
            };
            (0..plan.rounds).map(look).collect::<Vec<_>>()
        });
        let figure = times.map(|times| Figure::high(&times));
        let row = Row::maybe("search", metric, figure);
        if what == "the figures" {
            row
        } else {
            row.goal("≤ 20 ms at p99")
        }
    };
    looks.into_iter().map(row).collect()
}

fn search(words: &str) -> String {
    format!("/v1/asks?state=closed&limit=60&q={words}")
}

/// Half of the asks are removed because of their age while agents ask.
fn retention(plan: &Plan, setup: Setup, base: &Base) -> Vec<Row> {
    let Setup {
        agent,
        surface,
        home,
        ..
    } = setup;
    drop((agent, surface));
    home.stop();
    home.settings("keep_days = 90");
    let mut setup = Setup::in_home(home, Interface::Rpc);
    let is_done = |setup: &Setup| setup.home.read("hub.log").contains("(history.keep_days)");
    let (begun, mut looked) = (Instant::now(), Instant::now());
    let mut times = Vec::new();
    let mut done = None;
    while done.is_none() && begun.elapsed() < plan.limit {
        let (ask, shown) = setup.ask();
        times.push(shown);
        setup.answer(ask);
        if looked.elapsed() > Duration::from_millis(100) {
            looked = Instant::now();
            done = is_done(&setup).then(|| begun.elapsed());
        }
    }
    let half = plan.old / 2;
    let done = done.map(|time| Figure::median(&[time]));
    let done = done.ok_or_else(|| format!("not done in {} s", plan.limit.as_secs()));
    let metric = format!("ask → shown while {half} old asks are removed");
    let shown = Figure::high(&times);
    let growth = shown.times(&Figure::median(&base.empty.shown));
    vec![
        Row::new(
            "retention",
            format!("{metric}: times an empty store"),
            growth,
        )
        .goal("≤ 2 ×"),
        Row::new("retention", metric, shown).with_floor(Figure::median(&base.floor.shown)),
        Row::maybe(
            "retention",
            format!("until {half} old asks are removed"),
            done,
        ),
    ]
}
