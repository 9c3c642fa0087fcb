//! Runs the simulations that failed in the past, and short random ones. Also tests that the
//! simulator finds defects: the checks with made-up histories, the shrinking with a made-up
//! failure.

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
fn simulations_that_failed_in_the_past_pass() {
    let mut count = 0;
    for line in CASES.lines().filter(|line| line.starts_with("--")) {
        let words: Vec<&str> = line.split(' ').collect();
        let (mut seed, mut plan) = (0, Plan::small(0));
        for pair in words.chunks(2) {
            let value = pair[1].parse().expect("the value is a number");
            match pair[0].trim_start_matches('-') {
                "seed" => seed = value,
                name => assert!(plan.set(name, value), "{line}: unknown parameter {name}"),
            }
        }
        let result = run(seed, plan);
        assert!(result.is_ok(), "{line}: {result:?}");
        count += 1;
    }
    assert!(count > 0, "cases.txt has cases");
}

#[test]
fn short_simulations_lose_double_invent_and_misdeliver_nothing() {
    let mut over_http = 0;
    for seed in 1..=300 {
        let plan = Plan::small(seed);
        let result = run(seed, plan);
        let counts = result.unwrap_or_else(|failure| panic!("seed {seed} {plan}: {failure}"));
        over_http += counts.over_http;
    }
    assert!(
        over_http > 1_000,
        "only {over_http} asks were sent over HTTP"
    );
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let plan = Plan::small(7);
    assert_eq!(run(7, plan), run(7, plan));
}

#[test]
fn a_printed_plan_can_be_parsed() {
    let plan = Plan::small(9);
    let mut read = Plan::small(10);
    let text = plan.to_string();
    let words: Vec<&str> = text.split(' ').collect();
    for pair in words.chunks(2) {
        let value = pair[1].parse().expect("the value is a number");
        assert!(read.set(pair[0].trim_start_matches('-'), value));
    }
    assert_eq!(read, plan);
    assert!(!read.set("wings", 2));
}

#[test]
fn a_failing_plan_is_shrunk_to_the_smallest_that_fails() {
    let fails = |_, plan: Plan| {
        let is_failure = plan.agents >= 3 && plan.asks >= 10 && plan.http >= 1;
        is_failure.then(|| Failure {
            problem: format!("a_{:08} failed", plan.asks),
            steps: plan.asks * 10,
        })
    };
    let mut plan = Plan::small(1);
    for (name, value) in [("agents", 7), ("asks", 90), ("http", 5), ("faults", 20)] {
        plan.set(name, value);
    }
    let smallest = shrink_by(1, plan, fails).expect("the plan fails");
    let Plan {
        agents,
        http,
        asks,
        surfaces,
        words,
        faults,
        ..
    } = smallest.plan;
    assert_eq!([agents, http, asks], [3, 1, 10]);
    assert_eq!([surfaces, words, faults], [1, 1, 0]);
    plan.set("http", 0);
    assert_eq!(shrink_by(1, plan, fails), None);
}

/// A ledger with one declined ask, and the processes of its owner and of a twin.
struct History {
    ledger: Ledger,
    processes: Processes,
    record: Record,
}

/// The process number of the ask's owner.
const OWNER: u32 = 100;
/// The process number of another caller of the same client and folder.
const TWIN: u32 = 200;

/// An asker with this process. The process of its client has the next number.
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
            senders: Vec::new(),
            above: Vec::new(),
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
        for pid in [OWNER, OWNER + 1, TWIN, TWIN + 1] {
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
        let id = AskId::parse("a_00000001").expect("the id is valid");
        let mut record = lifecycle::open(id, "native", ask, asker(OWNER), Time(0));
        let mut ledger = Ledger::default();
        ledger.record_ask(&record, Time(0));
        ledger.record_sent(&record.id, declined("no"));
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

    fn check_delivery(&mut self, to: u32, lookup: Lookup<'_>) -> Result<(), String> {
        let Self {
            ledger,
            processes,
            record,
        } = self;
        let call = ReceivedCall {
            asker: &asker(to),
            lookup,
            number: ledger.record_call(&asker(to)),
        };
        ledger.check_delivery(record, call, processes)
    }

    fn end(&mut self, pid: u32) {
        self.processes.end(Process { pid, start: 1 });
        self.ledger.record_end(&format!("i{pid}"), Time(5));
    }

    /// Ends the owner and its client, and starts the process of a third caller.
    fn end_owner_and_start(&mut self, third: &Asker) {
        self.end(OWNER);
        self.end(OWNER + 1);
        let process = third.caller.as_ref().and_then(|caller| caller.process);
        self.processes
            .start(process.expect("the third caller has a process"));
    }

    fn check_end(&mut self) -> Result<(), String> {
        let record = (self.record.id.clone(), self.record.clone());
        self.ledger.check_end(&[record].into())
    }
}

const QUESTION: Lookup<'_> = Lookup::Words("Which?");

/// The process number of a third caller of the same client and folder.
const THIRD: u32 = 300;

/// Like [`asker`], with a caller that started at this time.
fn asker_started_at(pid: u32, at: i64) -> Asker {
    let mut asker = asker(pid);
    if let Some(caller) = &mut asker.caller {
        caller.started_at = Time(at);
    }
    asker
}

#[test]
fn a_delivery_to_the_owner_passes() {
    let mut history = History::new();
    assert_eq!(history.check_delivery(OWNER, QUESTION), Ok(()));
    assert_eq!(history.ledger.record_accepted(&history.record), Ok(()));
    assert_eq!(
        history
            .ledger
            .record_read(&history.record, &asker(OWNER), true),
        Ok(())
    );
    assert_eq!(history.check_end(), Ok(()));
}

#[test]
fn a_delivery_to_a_twin_fails_until_the_owner_and_its_client_have_ended() {
    let mut history = History::new();
    let problem = |result: Result<(), String>| result.expect_err("the check fails");
    assert!(problem(history.check_delivery(TWIN, QUESTION)).contains("its asker still runs"));
    assert!(problem(history.check_delivery(OWNER, Lookup::Words("What?"))).contains("goes to"));
    history.end(OWNER);
    assert!(problem(history.check_delivery(TWIN, QUESTION)).contains("client still runs"));
    history.end(OWNER + 1);
    assert_eq!(history.check_delivery(TWIN, QUESTION), Ok(()));
    // A call that names the id may always have the ask.
    let mut running = History::new();
    assert_eq!(running.check_delivery(TWIN, Lookup::Id), Ok(()));
}

/// Why a delivery to the twin fails while this third caller runs. `learn` makes the hub know
/// callers. `None` if it passes.
fn problem_with_third<T>(third: &Asker, learn: impl Fn(&mut Ledger) -> T) -> Option<String> {
    let mut history = History::new();
    history.end_owner_and_start(third);
    learn(&mut history.ledger);
    history.check_delivery(TWIN, QUESTION).err()
}

#[test]
fn a_delivery_fails_while_two_callers_could_be_the_successor() {
    let third = asker_started_at(THIRD, 5);
    let calls = |ledger: &mut Ledger| ledger.record_call(&third);
    let problem = problem_with_third(&third, calls).expect("the check fails");
    assert!(
        problem.contains("i300 could be the successor as well"),
        "{problem}"
    );
    let is_stored = |ledger: &mut Ledger| ledger.start_hub([&third].into_iter());
    assert!(
        problem_with_third(&third, is_stored).is_some(),
        "a stored ask names the third caller"
    );

    assert_eq!(
        problem_with_third(&third, |_| ()),
        None,
        "no hub knows the third caller"
    );
    let hub_restarts = |ledger: &mut Ledger| {
        ledger.record_call(&third);
        ledger.start_hub(std::iter::empty());
    };
    assert_eq!(
        problem_with_third(&third, hub_restarts),
        None,
        "this hub doesn't know the third caller"
    );
    let calls_later = |ledger: &mut Ledger| {
        ledger.record_call(&asker(TWIN));
        ledger.record_call(&third)
    };
    assert!(problem_with_third(&third, calls_later).is_some());
    let twin = asker_started_at(THIRD, 4);
    let calls = |ledger: &mut Ledger| ledger.record_call(&twin);
    assert_eq!(
        problem_with_third(&twin, calls),
        None,
        "it started before the owner ended"
    );
    let elsewhere = Asker {
        directory: Some("/other".to_owned()),
        ..third.clone()
    };
    let calls = |ledger: &mut Ledger| ledger.record_call(&elsewhere);
    assert_eq!(
        problem_with_third(&elsewhere, calls),
        None,
        "it is in another folder"
    );

    let mut history = History::new();
    history.end_owner_and_start(&third);
    history.ledger.record_call(&third);
    history.end(THIRD);
    assert_eq!(
        history.check_delivery(TWIN, QUESTION),
        Ok(()),
        "the third caller has ended"
    );
}

#[test]
fn a_delivery_fails_while_two_sub_agents_could_be_the_successor() {
    let sub_agent = |pid| {
        let mut asker = asker_started_at(pid, 5);
        if let Some(caller) = &mut asker.caller {
            caller.client = Some(Process {
                pid: OWNER + 1,
                start: 1,
            });
        }
        asker
    };
    let (second, third) = (sub_agent(TWIN), sub_agent(THIRD));
    let mut history = History::new();
    history.end(OWNER);
    let process = |pid| Process { pid, start: 1 };
    history.processes.start(process(THIRD));
    history.ledger.record_call(&third);
    let call = ReceivedCall {
        asker: &second,
        lookup: QUESTION,
        number: history.ledger.record_call(&second),
    };
    let check_delivery = |history: &History| {
        let History {
            ledger,
            processes,
            record,
        } = history;
        ledger.check_delivery(record, call, processes)
    };
    assert!(check_delivery(&history).is_err());
    history.end(THIRD);
    assert_eq!(check_delivery(&history), Ok(()));
}

#[test]
fn a_takeover_is_final_if_a_third_caller_appears_later() {
    let third = asker_started_at(THIRD, 5);
    let record_takeover = |history: &mut History| {
        let caller = asker(TWIN).caller.expect("the asker has a caller");
        let History {
            ledger,
            processes,
            record,
        } = history;
        ledger.record_takeover(&record.id, &caller, processes)
    };
    let mut history = History::new();
    history.end_owner_and_start(&third);
    assert!(
        record_takeover(&mut history).is_err(),
        "the twin has not called"
    );
    history.ledger.record_call(&asker_started_at(TWIN, 5));
    assert_eq!(record_takeover(&mut history), Ok(()));
    history.ledger.record_call(&third);
    assert_eq!(history.check_delivery(TWIN, QUESTION), Ok(()));
    assert!(history.check_delivery(THIRD, QUESTION).is_err());

    let mut history = History::new();
    history.end_owner_and_start(&third);
    history.ledger.record_call(&third);
    history.ledger.record_call(&asker_started_at(TWIN, 5));
    assert!(
        record_takeover(&mut history).is_err(),
        "both could be the successor"
    );
}

#[test]
fn a_delivery_to_a_twin_fails_while_the_owners_http_session_exists() {
    let mut history = History::new();
    let over_http = |asker: &mut Asker| {
        if let Some(caller) = &mut asker.caller {
            (caller.process, caller.client) = (None, None);
        }
    };
    over_http(&mut history.record.asker);
    history.ledger.record_ask(&history.record, Time(0));
    let place = (Some("client".to_owned()), Some("/shop".to_owned()));
    let instance = format!("i{OWNER}");
    history.processes.sessions.insert(instance.clone(), place);
    let problem = history
        .check_delivery(TWIN, QUESTION)
        .expect_err("the check fails");
    assert!(problem.contains("session still exists"), "{problem}");
    history.processes.sessions.remove(&instance);
    assert_eq!(history.check_delivery(TWIN, QUESTION), Ok(()));
}

#[test]
fn a_second_delivery_of_a_read_answer_fails() {
    let mut history = History::new();
    history.ledger.record_delivered(&history.record.id, Some(1));
    history.end(OWNER);
    history.end(OWNER + 1);
    let problem = history
        .check_delivery(TWIN, QUESTION)
        .expect_err("the check fails");
    assert!(problem.contains("delivered again"), "{problem}");
}

#[test]
fn reading_an_answer_that_nobody_sent_fails() {
    let mut history = History::new();
    let State::Closed { settlement, .. } = &mut history.record.state else {
        panic!("the ask is closed");
    };
    settlement.outcome = declined("yes");
    let read = history
        .ledger
        .record_read(&history.record, &asker(OWNER), true);
    assert!(read.expect_err("the check fails").contains("nobody sent"));
    assert!(history.check_end().is_err());
}

#[test]
fn an_accepted_answer_that_is_not_stored_fails() {
    let mut history = History::new();
    assert_eq!(history.ledger.record_accepted(&history.record), Ok(()));
    let accepted = Arc::new(history.record.clone());
    history.record.state = State::Open;
    assert!(history.check_end().is_err());
    history.record = (*accepted).clone();
    assert_eq!(history.check_end(), Ok(()));
    // An answer that is marked as delivered must have a reader.
    if let State::Closed { delivered_at, .. } = &mut history.record.state {
        *delivered_at = Some(Time(2));
    }
    assert!(history.check_end().is_err());
}

/// An engine with a store that applies every change at once.
struct Hub {
    engine: Engine,
    stored: BTreeMap<AskId, Record>,
    now: u64,
    /// How far somebody has set the wall clock.
    set_ms: i64,
}

impl Hub {
    /// A hub that starts with these stored records.
    fn restore(stored: BTreeMap<AskId, Record>) -> Self {
        let records: Vec<Record> = stored.values().cloned().collect();
        let engine = Engine::new(super::simulation::SETTINGS, records, [], false, 1);
        Self {
            engine,
            stored,
            now: 100,
            set_ms: 0,
        }
    }

    /// Handles an event and the replies of the store to it. Returns all replies to clients.
    fn handle(&mut self, event: Event, machine: &Processes) -> Vec<Reply> {
        let now = Now {
            wall: Time(self.now.cast_signed() + self.set_ms),
            boot_ms: self.now,
            steady: Time(self.now.cast_signed()),
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
                                    self.stored.insert(record.id.clone(), (**record).clone());
                                }
                                other => {
                                    let record = other.id().and_then(|id| self.stored.get_mut(id));
                                    other.apply(record.expect("the ask was created before"));
                                }
                            }
                        }
                        events.push_back(Event::Stored(ticket, Written::Done));
                    }
                    Effect::Reply(_, _, reply) => replies.push(reply),
                    Effect::Load(..)
                    | Effect::Push(..)
                    | Effect::Snapshot(..)
                    | Effect::Watch(_) => {}
                }
            }
        }
        replies
    }

    /// Sends the call of a caller that asks under this id and waits. Returns all replies.
    fn open_ask(&mut self, pid: u32, id: &str, machine: &Processes) -> Vec<Reply> {
        let asker = asker_started_at(pid, pid.into());
        self.open_ask_of(asker, pid, id, machine)
    }

    /// Like [`Self::open_ask`], for this asker and over the connection of this number.
    fn open_ask_of(
        &mut self,
        asker: Asker,
        connection: u32,
        id: &str,
        machine: &Processes,
    ) -> Vec<Reply> {
        let connection = ConnectionId(connection.into());
        let mut asking = History::new().record;
        asking.id = AskId::parse(id).expect("the id is valid");
        asking.state = State::Open;
        asking.asked_at = Time(self.now.cast_signed() + self.set_ms);
        asking.asker = asker;
        self.handle(Event::Opened(connection), machine);
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
        self.handle(request, machine)
    }
}

/// Whether a reply shows that a call waits for this ask or receives its outcome.
fn has(replies: &[Reply], id: &AskId) -> bool {
    replies.iter().any(|reply| match reply {
        Reply::Opened(opened) => opened == id,
        Reply::Outcome { record, .. } => record.id == *id,
        _ => false,
    })
}

#[test]
fn an_ask_whose_time_runs_out_while_it_changes_ends_after_that_change() {
    let mut left = History::new().record;
    left.state = State::Open;
    left.deadline_at = Some(Time(200));
    let id = left.id.clone();
    let machine = Processes::default();
    let mut engine = Engine::new(super::simulation::SETTINGS, [left], [], false, 1);
    let at = |ms: u64| Now {
        wall: Time(ms.cast_signed()),
        boot_ms: ms,
        steady: Time(ms.cast_signed()),
    };
    let stored_by = |effects: Vec<Effect>| {
        let persist = effects.into_iter().find_map(|effect| match effect {
            Effect::Persist(ticket, mut writes) => Some((ticket, writes.pop())),
            _ => None,
        });
        persist.and_then(|(ticket, write)| Some((ticket, write?)))
    };
    let shown = Event::Request {
        connection: ConnectionId(1),
        request: RequestId(1),
        body: Request::Shown(id.clone(), "page".to_owned()),
    };
    engine.handle(at(100), Event::Opened(ConnectionId(1)), &machine);
    let (ticket, _) = stored_by(engine.handle(at(199), shown, &machine)).expect("it is stored");
    let due = engine.next_in_ms(at(199));
    assert_eq!(due, Some(1));
    let during = engine.handle(at(200), Event::Tick, &machine);
    assert!(stored_by(during).is_none(), "one change at a time");
    assert_ne!(
        engine.next_in_ms(at(200)),
        Some(0),
        "nothing is due until the store is done"
    );
    let stored = Event::Stored(ticket, Written::Done);
    engine.handle(at(200), stored, &machine);
    assert_eq!(engine.next_in_ms(at(200)), Some(0));
    let (_, write) =
        stored_by(engine.handle(at(200), Event::Tick, &machine)).expect("the time ran out");
    assert!(matches!(write, Write::Settle(closed, settlement)
        if closed.id == id && settlement.outcome == Outcome::Expired));
}

#[test]
fn a_successor_still_owns_its_ask_after_a_restart_of_the_hub() {
    for answered in [false, true] {
        let mut machine = Processes::default();
        // The first caller has asked and ended. The second takes its ask up.
        machine.start(Process { pid: 20, start: 1 });
        let mut stored = BTreeMap::new();
        let mut left = History::new().record;
        left.asker = asker(10);
        if !answered {
            left.state = State::Open;
        }
        stored.insert(left.id.clone(), left.clone());
        let mut hub = Hub::restore(stored);
        assert!(has(&hub.open_ask(20, "a_00000002", &machine), &left.id));
        // A third caller connects to the next hub before the second one does.
        let mut next = Hub::restore(hub.stored);
        machine.start(Process { pid: 30, start: 1 });
        let another = AskId::parse("a_00000003").expect("the id is valid");
        let third = next.open_ask(30, another.as_str(), &machine);
        assert!(has(&third, &another) && !has(&third, &left.id), "{third:?}");
        assert!(has(&next.open_ask(20, "a_00000002", &machine), &left.id));
    }
}

#[test]
fn a_running_caller_that_has_not_connected_yet_may_be_the_successor() {
    let mut left = History::new().record;
    left.asker = asker(10);
    let mut others = left.clone();
    others.id = AskId::parse("a_00000002").expect("the id is valid");
    others.state = State::Open;
    others.asker = asker(20);
    if let Some(caller) = &mut others.asker.caller {
        caller.started_at = Time(20);
    }
    others.ask.title = Some("Another".to_owned());
    let stored = BTreeMap::from([left.clone(), others].map(|record| (record.id.clone(), record)));
    for runs in [true, false] {
        let mut machine = Processes::default();
        machine.start(Process { pid: 30, start: 1 });
        if runs {
            machine.start(Process { pid: 20, start: 1 });
        }
        let mut hub = Hub::restore(stored.clone());
        let replies = hub.open_ask(30, "a_00000003", &machine);
        assert_eq!(has(&replies, &left.id), !runs, "{replies:?}");
    }
}

#[test]
fn a_caller_that_ran_beside_the_client_of_an_ended_server_is_no_successor() {
    let client = Process { pid: 11, start: 1 };
    let ways = [(true, false), (false, false), (true, true)];
    let callers = [(50, false), (10_100, true)];
    for ((is_reported, restarts), (pid, follows)) in ways
        .into_iter()
        .flat_map(|way| callers.map(|caller| (way, caller)))
    {
        let mut machine = Processes::default();
        machine.start(client);
        let mut left = History::new().record;
        left.asker = asker(10);
        let id = left.id.clone();
        let mut hub = Hub::restore(BTreeMap::from([(id.clone(), left)]));
        hub.now = 10_000;
        hub.handle(Event::Started, &machine);
        if restarts {
            hub.handle(Event::Ending, &machine);
            hub = Hub::restore(hub.stored);
            hub.now = 10_000;
        }
        machine.end(client);
        if is_reported {
            hub.handle(Event::ProcessEnded(client), &machine);
        }
        machine.start(Process { pid, start: 1 });
        let replies = hub.open_ask(pid, "a_00000002", &machine);
        assert_eq!(has(&replies, &id), follows, "{pid}: {replies:?}");
    }
}

/// A process that sends requests without a session to an app's own server, and that the process 40
/// started.
fn asker_at_server(sender: u32, at: i64) -> Asker {
    let process = |pid| Some(Process { pid, start: 1 });
    let server = asker(10).caller.expect("it has a caller");
    let sender = Caller {
        process: process(sender),
        client: process(40),
        started_at: Time(at),
        ..Caller::of_instance(String::new())
    };
    Asker {
        caller: sender.without_session().nest_under(server, Time(i64::MAX)),
        ..asker(10)
    }
}

#[test]
fn an_agent_that_ran_beside_another_at_an_apps_own_server_is_no_successor_after_a_restart() {
    let process = |pid| Process { pid, start: 1 };
    for (started_at, follows) in [(50, false), (5_100, true)] {
        let mut machine = Processes::default();
        for pid in [10, 11, 30, 40] {
            machine.start(process(pid));
        }
        let mut left = History::new().record;
        left.asker = asker_at_server(30, 0);
        let id = left.id.clone();
        let mut hub = Hub::restore(BTreeMap::from([(id.clone(), left)]));
        hub.now = 5_000;
        hub.handle(Event::Started, &machine);
        machine.end(process(30));
        hub.handle(Event::ProcessEnded(process(30)), &machine);
        let mut hub = Hub::restore(hub.stored);
        hub.now = 5_200;
        machine.start(process(31));
        let twin = asker_at_server(31, started_at);
        let replies = hub.open_ask_of(twin, 10, "a_00000002", &machine);
        assert_eq!(has(&replies, &id), follows, "{started_at}: {replies:?}");
    }
}

#[test]
fn a_clock_that_is_set_makes_no_caller_older_or_younger() {
    const STEP: i64 = 3_000;
    let process = |pid| Process { pid, start: 1 };
    for (before, after) in [(0, STEP), (0, -STEP), (STEP, 0), (-STEP, 0)] {
        for (restarts, started_at, follows) in [
            (false, 7_000, false),
            (true, 7_000, false),
            (false, 8_600, true),
            (true, 8_600, true),
        ] {
            let mut machine = Processes::default();
            for pid in [10, 11, 20, 21] {
                machine.start(process(pid));
            }
            let mut hub = Hub::restore(BTreeMap::new());
            (hub.now, hub.set_ms) = (5_000, before);
            let id = AskId::parse("a_00000001").expect("the id is valid");
            assert!(has(&hub.open_ask(10, id.as_str(), &machine), &id));
            hub.now = 8_000;
            for pid in [10, 11] {
                machine.end(process(pid));
            }
            hub.handle(Event::Closed(ConnectionId(10)), &machine);
            hub.set_ms = after;
            if restarts {
                hub = Hub::restore(hub.stored);
                hub.set_ms = after;
            }
            hub.now = 10_000;
            let caller = asker_started_at(20, started_at);
            let replies = hub.open_ask_of(caller, 20, "a_00000002", &machine);
            let case = format!("{before} to {after}, {restarts}, {started_at}");
            assert_eq!(has(&replies, &id), follows, "{case}: {replies:?}");
        }
    }
}

#[test]
fn a_time_limit_is_as_long_as_before_when_the_clock_is_set() {
    let machine = Processes::default();
    for set_ms in [-3_600_000, 3_600_000] {
        let mut left = History::new().record;
        left.state = State::Open;
        left.deadline_at = Some(Time(60_000));
        let id = left.id.clone();
        let mut hub = Hub::restore(BTreeMap::from([(id.clone(), left)]));
        hub.handle(Event::Tick, &machine);
        (hub.now, hub.set_ms) = (20_000, set_ms);
        hub.handle(Event::Tick, &machine);
        let until = hub.stored[&id].deadline_at;
        assert_eq!(until, Some(Time(60_000 + set_ms)), "as the list shows it");
        // It is set once more before the next hub starts.
        let set_ms = set_ms * 2;
        let mut next = Hub::restore(hub.stored);
        let ahead_ms = hub.engine.wall_ahead_ms().expect("it has looked");
        next.engine.continue_clock(ahead_ms);
        (next.now, next.set_ms) = (59_000, set_ms);
        next.handle(Event::Tick, &machine);
        assert!(next.stored[&id].is_open(), "{set_ms}");
        next.now = 60_000;
        next.handle(Event::Tick, &machine);
        assert!(!next.stored[&id].is_open(), "{set_ms}");
    }
}

/// A session over HTTP with the hub, of the agent that is this process.
fn asker_in_session(session: &str, agent: u32, at: i64) -> Asker {
    let agent = Process {
        pid: agent,
        start: 1,
    };
    Asker {
        caller: Some(Caller {
            agent: Some(agent),
            senders: vec![agent],
            started_at: Time(at),
            ..Caller::of_instance(format!("http:{session}"))
        }),
        ..asker(10)
    }
}

#[test]
fn an_agent_follows_itself_in_a_new_session_although_another_one_asked_meanwhile() {
    let mut machine = Processes::default();
    for pid in [30, 31] {
        machine.start(Process { pid, start: 1 });
    }
    let mut left = History::new().record;
    left.asker = asker_in_session("one", 30, 0);
    let id = left.id.clone();
    let mut hub = Hub::restore(BTreeMap::from([(id.clone(), left)]));
    hub.now = 5_000;
    hub.handle(Event::Started, &machine);
    let twin = asker_in_session("twin", 31, 5_000);
    assert!(!has(&hub.open_ask_of(twin, 1, "a_00000002", &machine), &id));
    hub.now = 5_200;
    let itself = asker_in_session("two", 30, 4_900);
    let replies = hub.open_ask_of(itself, 2, "a_00000003", &machine);
    assert!(has(&replies, &id), "{replies:?}");
}

#[test]
fn a_child_of_the_program_above_an_agent_that_ran_beside_it_is_no_successor_after_a_restart() {
    let client = Process { pid: 11, start: 1 };
    let above = Process { pid: 60, start: 1 };
    for (started_at, follows) in [(50, false), (5_100, true)] {
        let mut machine = Processes::default();
        machine.start(client);
        machine.start(above);
        let mut left = History::new().record;
        left.asker = asker(10);
        if let Some(caller) = &mut left.asker.caller {
            caller.above = vec![above];
        }
        let id = left.id.clone();
        let mut hub = Hub::restore(BTreeMap::from([(id.clone(), left)]));
        hub.now = 5_000;
        hub.handle(Event::Started, &machine);
        machine.end(client);
        hub.handle(Event::ProcessEnded(client), &machine);
        let mut hub = Hub::restore(hub.stored);
        hub.now = 5_200;
        machine.start(Process { pid: 50, start: 1 });
        let mut child = asker_started_at(50, started_at);
        if let Some(caller) = &mut child.caller {
            caller.client = Some(above);
        }
        let replies = hub.open_ask_of(child, 50, "a_00000002", &machine);
        assert_eq!(has(&replies, &id), follows, "{started_at}: {replies:?}");
    }
}
