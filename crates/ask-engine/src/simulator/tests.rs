//! Short worlds, in every run of the tests; those that once went wrong first. And that the simulator
//! finds what is wrong: its judge by histories that were made up, the shrinking by a rule.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use ask_core::lifecycle::{self, Settlement};
use ask_core::record::State;
use ask_core::{
    Ask, AskId, Asker, Caller, Input, Outcome, Process, Question, Record, Time, Write, Written,
};

use super::hub::Processes;
use super::ledger::{Ledger, Lookup, ReceivedCall};
use super::shrink::shrink_by;
use super::{CASES, Failure, Plan, run};
use crate::{ConnectionId, Effect, Engine, Event, Now, Reply, Request, RequestId, TakeUp};

#[test]
fn worlds_that_once_went_wrong_go_right() {
    let mut count = 0;
    for line in CASES.lines().filter(|line| line.starts_with("--")) {
        let words: Vec<&str> = line.split(' ').collect();
        let (mut seed, mut plan) = (0, Plan::small(0));
        for pair in words.chunks(2) {
            let value = pair[1].parse().expect("a number");
            match pair[0].trim_start_matches('-') {
                "seed" => seed = value,
                name => assert!(plan.set(name, value), "{line}: what is {name}?"),
            }
        }
        let ended = run(seed, plan);
        assert!(ended.is_ok(), "{line}: {ended:?}");
        count += 1;
    }
    assert!(count > 0, "there are some");
}

#[test]
fn short_worlds_lose_double_invent_and_misdeliver_nothing() {
    let mut over_http = 0;
    for seed in 1..=300 {
        let plan = Plan::small(seed);
        let ended = run(seed, plan);
        let counts = ended.unwrap_or_else(|failure| panic!("seed {seed} {plan}: {failure}"));
        over_http += counts.over_http;
    }
    assert!(over_http > 1_000, "only {over_http} asks came over HTTP");
}

#[test]
fn the_same_seed_makes_the_same_world() {
    let plan = Plan::small(7);
    assert_eq!(run(7, plan), run(7, plan));
}

#[test]
fn a_plan_is_read_as_it_is_written() {
    let plan = Plan::small(9);
    let mut read = Plan::small(10);
    let text = plan.to_string();
    let words: Vec<&str> = text.split(' ').collect();
    for pair in words.chunks(2) {
        let value = pair[1].parse().expect("a number");
        assert!(read.set(pair[0].trim_start_matches('-'), value));
    }
    assert_eq!(read, plan);
    assert!(!read.set("wings", 2));
}

#[test]
fn what_goes_wrong_is_shrunk_to_the_least_that_does() {
    let goes_wrong = |_, plan: Plan| {
        let is_wrong = plan.agents >= 3 && plan.asks >= 10 && plan.http >= 1;
        is_wrong.then(|| Failure {
            problem: format!("a_{:08} went wrong", plan.asks),
            steps: plan.asks * 10,
        })
    };
    let mut plan = Plan::small(1);
    for (name, value) in [("agents", 7), ("asks", 90), ("http", 5), ("faults", 20)] {
        plan.set(name, value);
    }
    let least = shrink_by(1, plan, goes_wrong).expect("it goes wrong");
    let Plan {
        agents,
        http,
        asks,
        surfaces,
        words,
        faults,
        ..
    } = least.plan;
    assert_eq!([agents, http, asks], [3, 1, 10]);
    assert_eq!([surfaces, words, faults], [1, 1, 0]);
    plan.set("http", 0);
    assert_eq!(shrink_by(1, plan, goes_wrong), None);
}

/// An ask of a server, and its twin's.
struct History {
    ledger: Ledger,
    processes: Processes,
    record: Record,
}

const OWN: u32 = 100;
const TWIN: u32 = 200;

/// A caller with a process of its own, which a program started that has the number after it.
fn asker(pid: u32) -> Asker {
    let process = |pid| Some(Process { pid, start: 1 });
    Asker {
        client: Some("client".to_owned()),
        directory: Some("/shop".to_owned()),
        caller: Some(Caller {
            instance: format!("i{pid}"),
            process: process(pid),
            client: process(pid + 1),
            agent: None,
            started_at: Time(0),
        }),
        ..Asker::default()
    }
}

fn declined(words: &str) -> Outcome {
    Outcome::Declined {
        reason: Some(words.to_owned()),
    }
}

impl History {
    fn new() -> Self {
        let mut processes = Processes::default();
        for pid in [OWN, OWN + 1, TWIN, TWIN + 1] {
            processes.start(Process { pid, start: 1 });
        }
        let ask = Ask {
            questions: vec![Question {
                id: "q1".to_owned(),
                text: "Which?".to_owned(),
                label: None,
                input: Input::Text,
                required: true,
                placeholder: None,
                default: None,
            }],
            ..Ask::default()
        };
        let id = AskId::parse("a_00000001").expect("an id");
        let mut record = lifecycle::open(id, "native", ask, asker(OWN), Time(0));
        let mut ledger = Ledger::default();
        ledger.asks(&record, Time(0));
        ledger.sends(&record.id, declined("no"));
        record.state = State::Closed {
            settlement: Settlement {
                outcome: declined("no"),
                surface: "sim".to_owned(),
                device: None,
                origin: None,
                at: Time(1),
                attempt: 1,
                awaited: false,
            },
            delivered_at: None,
        };
        Self {
            ledger,
            processes,
            record,
        }
    }

    fn hands(&mut self, to: u32, lookup: Lookup<'_>) -> Result<(), String> {
        let Self {
            ledger,
            processes,
            record,
        } = self;
        let call = ReceivedCall {
            asker: &asker(to),
            lookup,
            number: ledger.receives(&asker(to)),
        };
        ledger.hands(record, call, processes)
    }

    fn ends(&mut self, pid: u32) {
        self.processes.end(Process { pid, start: 1 });
        self.ledger.caller_ends(&format!("i{pid}"), Time(5));
    }

    /// Its caller and that one's client end, and a third caller of the same client and folder starts.
    fn ends_beside(&mut self, third: &Asker) {
        self.ends(OWN);
        self.ends(OWN + 1);
        let process = third.caller.as_ref().and_then(|caller| caller.process);
        self.processes.start(process.expect("it is a process"));
    }

    fn closes(&mut self) -> Result<(), String> {
        let record = (self.record.id.clone(), self.record.clone());
        self.ledger.close(&[record].into())
    }
}

const WHICH: Lookup<'_> = Lookup::Words("Which?");

const THIRD: u32 = 300;

/// A caller that started at this time.
fn started(pid: u32, at: i64) -> Asker {
    let mut asker = asker(pid);
    if let Some(caller) = &mut asker.caller {
        caller.started_at = Time(at);
    }
    asker
}

#[test]
fn an_answer_that_goes_to_its_caller_is_right() {
    let mut history = History::new();
    assert_eq!(history.hands(OWN, WHICH), Ok(()));
    assert_eq!(history.ledger.accepted(&history.record), Ok(()));
    assert_eq!(history.ledger.reads(&history.record, &asker(OWN)), Ok(()));
    assert_eq!(history.closes(), Ok(()));
}

#[test]
fn an_answer_that_goes_to_a_twin_is_misdelivered_until_its_caller_has_gone() {
    let mut history = History::new();
    let problem = |ended: Result<(), String>| ended.expect_err("it is wrong");
    assert!(problem(history.hands(TWIN, WHICH)).contains("its asker still runs"));
    assert!(problem(history.hands(OWN, Lookup::Words("What?"))).contains("goes to"));
    history.ends(OWN);
    assert!(problem(history.hands(TWIN, WHICH)).contains("client still runs"));
    history.ends(OWN + 1);
    assert_eq!(history.hands(TWIN, WHICH), Ok(()));
    // Who names the id may have it in any case.
    let mut standing = History::new();
    assert_eq!(standing.hands(TWIN, Lookup::Id), Ok(()));
}

/// Why a delivery to the twin is wrong while this third caller runs, where it is.
fn with_third<T>(third: &Asker, learn: impl Fn(&mut Ledger) -> T) -> Option<String> {
    let mut history = History::new();
    history.ends_beside(third);
    learn(&mut history.ledger);
    history.hands(TWIN, WHICH).err()
}

#[test]
fn an_answer_that_two_could_be_meant_by_goes_to_neither() {
    let third = started(THIRD, 5);
    let calls = |ledger: &mut Ledger| ledger.receives(&third);
    let problem = with_third(&third, calls).expect("it is wrong");
    assert!(
        problem.contains("i300 could be the successor as well"),
        "{problem}"
    );
    let is_named = |ledger: &mut Ledger| ledger.hub_starts([&third].into_iter());
    assert!(with_third(&third, is_named).is_some(), "the store names it");

    assert_eq!(with_third(&third, |_| ()), None, "no hub knows of it");
    let restarts = |ledger: &mut Ledger| {
        ledger.receives(&third);
        ledger.hub_starts(std::iter::empty());
    };
    assert_eq!(with_third(&third, restarts), None, "this hub doesn't");
    let calls_later = |ledger: &mut Ledger| {
        ledger.receives(&asker(TWIN));
        ledger.receives(&third)
    };
    assert!(with_third(&third, calls_later).is_some());
    let twin = started(THIRD, 4);
    let calls = |ledger: &mut Ledger| ledger.receives(&twin);
    assert_eq!(
        with_third(&twin, calls),
        None,
        "it was there beside the asker"
    );
    let elsewhere = Asker {
        directory: Some("/other".to_owned()),
        ..third.clone()
    };
    let calls = |ledger: &mut Ledger| ledger.receives(&elsewhere);
    assert_eq!(with_third(&elsewhere, calls), None, "another folder");

    let mut history = History::new();
    history.ends_beside(&third);
    history.ledger.receives(&third);
    history.ends(THIRD);
    assert_eq!(history.hands(TWIN, WHICH), Ok(()), "it has ended");
}

#[test]
fn of_two_sub_agents_neither_is_given_what_a_third_one_left() {
    let of_one_program = |pid| {
        let mut asker = started(pid, 5);
        if let Some(caller) = &mut asker.caller {
            caller.client = Some(Process {
                pid: OWN + 1,
                start: 1,
            });
        }
        asker
    };
    let (second, third) = (of_one_program(TWIN), of_one_program(THIRD));
    let mut history = History::new();
    history.ends(OWN);
    let process = |pid| Process { pid, start: 1 };
    history.processes.start(process(THIRD));
    history.ledger.receives(&third);
    let call = ReceivedCall {
        asker: &second,
        lookup: WHICH,
        number: history.ledger.receives(&second),
    };
    let hands = |history: &History| {
        let History {
            ledger,
            processes,
            record,
        } = history;
        ledger.hands(record, call, processes)
    };
    assert!(hands(&history).is_err());
    history.ends(THIRD);
    assert_eq!(hands(&history), Ok(()));
}

#[test]
fn who_took_an_ask_up_has_it_also_if_a_third_one_comes_later() {
    let third = started(THIRD, 5);
    let takes_over = |history: &mut History| {
        let caller = asker(TWIN).caller.expect("a caller");
        let History {
            ledger,
            processes,
            record,
        } = history;
        ledger.takes_over(&record.id, &caller, processes)
    };
    let mut history = History::new();
    history.ends_beside(&third);
    assert!(takes_over(&mut history).is_err(), "it has not called");
    history.ledger.receives(&started(TWIN, 5));
    assert_eq!(takes_over(&mut history), Ok(()));
    history.ledger.receives(&third);
    assert_eq!(history.hands(TWIN, WHICH), Ok(()));
    assert!(history.hands(THIRD, WHICH).is_err());

    let mut history = History::new();
    history.ends_beside(&third);
    history.ledger.receives(&third);
    history.ledger.receives(&started(TWIN, 5));
    assert!(takes_over(&mut history).is_err(), "it could be either");
}

#[test]
fn what_a_session_over_http_asked_is_its_own_as_long_as_it_stands() {
    let mut history = History::new();
    let over_http = |asker: &mut Asker| {
        if let Some(caller) = &mut asker.caller {
            (caller.process, caller.client) = (None, None);
        }
    };
    over_http(&mut history.record.asker);
    history.ledger.asks(&history.record, Time(0));
    let place = (Some("client".to_owned()), Some("/shop".to_owned()));
    let instance = format!("i{OWN}");
    history.processes.sessions.insert(instance.clone(), place);
    let problem = history.hands(TWIN, WHICH).expect_err("it is wrong");
    assert!(problem.contains("session still stands"), "{problem}");
    history.processes.sessions.remove(&instance);
    assert_eq!(history.hands(TWIN, WHICH), Ok(()));
}

#[test]
fn an_answer_that_is_read_and_given_out_again_is_doubled() {
    let mut history = History::new();
    history.ledger.delivered(&history.record.id, Some(1));
    history.ends(OWN);
    history.ends(OWN + 1);
    let problem = history.hands(TWIN, WHICH).expect_err("it is wrong");
    assert!(problem.contains("once more"), "{problem}");
}

#[test]
fn an_answer_that_nobody_said_is_invented() {
    let mut history = History::new();
    let State::Closed { settlement, .. } = &mut history.record.state else {
        panic!("it is closed");
    };
    settlement.outcome = declined("yes");
    let read = history.ledger.reads(&history.record, &asker(OWN));
    assert!(read.expect_err("it is wrong").contains("nobody said"));
    assert!(history.closes().is_err());
}

#[test]
fn an_answer_that_was_taken_and_is_not_kept_is_lost() {
    let mut history = History::new();
    assert_eq!(history.ledger.accepted(&history.record), Ok(()));
    let taken = Arc::new(history.record.clone());
    history.record.state = State::Open;
    assert!(history.closes().is_err());
    history.record = (*taken).clone();
    assert_eq!(history.closes(), Ok(()));
    // One that counts as delivered, and was read by nobody.
    if let State::Closed { delivered_at, .. } = &mut history.record.state {
        *delivered_at = Some(Time(2));
    }
    assert!(history.closes().is_err());
}

/// An engine over a store that keeps everything at once.
struct Hub {
    engine: Engine,
    kept: BTreeMap<AskId, Record>,
}

impl Hub {
    /// One that begins with what another has left.
    fn after(kept: BTreeMap<AskId, Record>) -> Self {
        let records: Vec<Record> = kept.values().cloned().collect();
        let engine = Engine::new(super::simulation::SETTINGS, records, [], false, 1);
        Self { engine, kept }
    }

    /// What is replied to what happens, and to everything that follows from it.
    fn hears(&mut self, event: Event, machine: &Processes) -> Vec<Reply> {
        let now = Now {
            wall: Time(100),
            boot_ms: 100,
        };
        let mut replies = Vec::new();
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            for effect in self.engine.handle(now, event, machine) {
                match effect {
                    Effect::Persist(ticket, writes) => {
                        for write in &writes {
                            match write {
                                Write::Create(record) => {
                                    self.kept.insert(record.id.clone(), (**record).clone());
                                }
                                other => {
                                    let of = other.id().and_then(|id| self.kept.get_mut(id));
                                    other.apply(of.expect("it is about an ask that was created"));
                                }
                            }
                        }
                        events.push_back(Event::Stored(ticket, Written::Done));
                    }
                    Effect::Reply(_, _, reply) => replies.push(reply),
                    Effect::Load(..) | Effect::Push(..) | Effect::Snapshot(..) => {}
                }
            }
        }
        replies
    }

    /// The call of a caller: it asks, under this id, and waits.
    fn asks(&mut self, pid: u32, id: &str, machine: &Processes) -> Vec<Reply> {
        let connection = ConnectionId(pid.into());
        let mut asking = History::new().record;
        asking.id = AskId::parse(id).expect("an id");
        asking.state = State::Open;
        asking.asker = asker(pid);
        let began = Time(pid.into());
        if let Some(caller) = &mut asking.asker.caller {
            caller.started_at = began;
        }
        self.hears(Event::Opened(connection), machine);
        let body = Request::Open {
            record: Box::new(asking),
            wait: true,
            take_up: TakeUp::Always,
        };
        let request = Event::Request {
            connection,
            request: RequestId(1),
            body,
        };
        self.hears(request, machine)
    }
}

/// Whether a call waits for an ask, or is given its outcome.
fn has(replies: &[Reply], id: &AskId) -> bool {
    replies.iter().any(|reply| match reply {
        Reply::Opened(opened) => opened == id,
        Reply::Outcome { record, .. } => record.id == *id,
        _ => false,
    })
}

#[test]
fn what_a_successor_took_up_is_its_own_after_a_restart_of_the_hub() {
    for answered in [false, true] {
        let mut machine = Processes::default();
        // The first asks and ends, the second takes up what it left.
        machine.start(Process { pid: 20, start: 1 });
        let mut kept = BTreeMap::new();
        let mut left = History::new().record;
        left.asker = asker(10);
        if !answered {
            left.state = State::Open;
        }
        kept.insert(left.id.clone(), left.clone());
        let mut hub = Hub::after(kept);
        assert!(has(&hub.asks(20, "a_00000002", &machine), &left.id));
        // At the next hub a third one is heard of before the second is back.
        let mut next = Hub::after(hub.kept);
        machine.start(Process { pid: 30, start: 1 });
        let another = AskId::parse("a_00000003").expect("an id");
        let third = next.asks(30, another.as_str(), &machine);
        assert!(has(&third, &another) && !has(&third, &left.id), "{third:?}");
        assert!(has(&next.asks(20, "a_00000002", &machine), &left.id));
    }
}

#[test]
fn whoever_runs_and_has_not_come_to_this_hub_yet_may_be_the_successor_as_well() {
    let mut left = History::new().record;
    left.asker = asker(10);
    let mut others = left.clone();
    others.id = AskId::parse("a_00000002").expect("an id");
    others.state = State::Open;
    others.asker = asker(20);
    if let Some(caller) = &mut others.asker.caller {
        caller.started_at = Time(20);
    }
    others.ask.title = Some("Another".to_owned());
    let kept = BTreeMap::from([left.clone(), others].map(|record| (record.id.clone(), record)));
    for runs in [true, false] {
        let mut machine = Processes::default();
        machine.start(Process { pid: 30, start: 1 });
        if runs {
            machine.start(Process { pid: 20, start: 1 });
        }
        let mut hub = Hub::after(kept.clone());
        let replies = hub.asks(30, "a_00000003", &machine);
        assert_eq!(has(&replies, &left.id), !runs, "{replies:?}");
    }
}
