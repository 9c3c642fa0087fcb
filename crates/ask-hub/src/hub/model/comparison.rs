//! Compares hub and model: the hub gets the model's operations, must give the expected responses,
//! and must have stored the model's asks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ask_core::{AskId, Outcome, Record};
use ask_engine::{Event as EngineEvent, Now};
use ask_protocol::ipc::{self, Filter, Request, Response, TakeUp};
use ask_store::sqlite::Sqlite;
use proptest::test_runner::Config;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::LocalSet;

use super::generators::{LIMIT_MS, asker, record, session, settle, verdict};
use super::{CLIENTS, Event, Model, Operation, Received};
use crate::hub::{ConnectionId, Hub, HubSettings, now};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The connection that reads the hub's state for the comparison.
const CHECK: u64 = u64::MAX;

/// A hub over a store in a folder of its own.
struct Comparison {
    runtime: Runtime,
    tasks: LocalSet,
    folder: PathBuf,
    hub: Rc<Hub>,
    clients: BTreeMap<u64, UnboundedReceiver<(u64, Response)>>,
}

impl Comparison {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ask-user-model-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let tasks = LocalSet::new();
        let mut comparison = Self {
            runtime: runtime.unwrap(),
            hub: hub(&folder, &tasks),
            tasks,
            folder,
            clients: BTreeMap::new(),
        };
        comparison.connect(CHECK);
        comparison
    }

    fn connect(&mut self, client: u64) {
        let (outgoing, responses) = mpsc::unbounded_channel();
        self.hub.connect(ConnectionId(client), outgoing, None, true);
        self.clients.insert(client, responses);
    }

    /// Runs an operation and everything that follows from it.
    fn run(&self, operation: impl FnOnce(&Rc<Hub>)) {
        self.tasks.block_on(&self.runtime, async {
            operation(&self.hub);
            // One reference is in `self`, and one in the task that receives the store's events.
            // More references mean unfinished work.
            const IDLE: usize = 2;
            while self.hub.engine.borrow().awaits_store() || Rc::strong_count(&self.hub) > IDLE {
                tokio::task::yield_now().await;
            }
        });
    }

    fn run_operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Serve(client, number, request) => {
                self.run(|hub| hub.serve(ConnectionId(*client), *number, (**request).clone()));
            }
            Operation::Disconnect(client) => self.run(|hub| hub.disconnect(ConnectionId(*client))),
            Operation::Connect(client) => self.connect(*client),
            Operation::Expire => self.run(|hub| {
                let now = now();
                let later = Now {
                    wall: now.wall.plus_ms(LIMIT_MS),
                    boot_ms: now.boot_ms + LIMIT_MS,
                    steady: now.steady.plus_ms(LIMIT_MS),
                };
                hub.handle_at(later, EngineEvent::Tick);
            }),
            Operation::Restart => {
                self.clients.clear();
                // Nothing but the store survives a restart.
                self.tasks = LocalSet::new();
                self.hub = hub(&self.folder, &self.tasks);
                self.connect(CHECK);
            }
        }
    }

    /// The responses since the last call.
    fn received(&mut self) -> Vec<(u64, u64, Received)> {
        let mut all = Vec::new();
        for (client, responses) in &mut self.clients {
            while let Ok((number, response)) = responses.try_recv() {
                all.push((*client, number, to_received(response)));
            }
        }
        all.sort();
        all
    }

    fn ask_hub(&mut self, request: Request) -> Response {
        self.run(|hub| hub.serve(ConnectionId(CHECK), 0, request));
        let responses = self.clients.get_mut(&CHECK).unwrap();
        responses.try_recv().unwrap().1
    }

    fn stored_records(&mut self) -> Vec<Record> {
        let filter = Filter {
            open: true,
            ..Filter::default()
        };
        let Response::Records { records, .. } = self.ask_hub(Request::History { filter }) else {
            panic!("a list");
        };
        let mut records: Vec<Record> = records.iter().map(|record| (**record).clone()).collect();
        records.sort_by(|one, other| one.id.cmp(&other.id));
        records
    }
}

impl Drop for Comparison {
    fn drop(&mut self) {
        // After an error, the system cleans its temporary folder.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn hub(folder: &std::path::Path, tasks: &LocalSet) -> Rc<Hub> {
    let file = folder.join("ask-user.db");
    let opened = Sqlite::open(&file, &folder.join("attachments"), DAY).unwrap();
    let hub = Hub::new(opened, HubSettings::with_take_up(DAY));
    for caller in 0..CLIENTS {
        drop(hub.shared.sessions.begin(&session(caller), String::new()));
    }
    tasks.spawn_local(Rc::clone(&hub).run());
    hub
}

fn to_received(response: Response) -> Received {
    match response {
        Response::Opened { id } => Received::Opened(id),
        Response::Outcome { record, missed } => Received::Outcome(record.id.clone(), missed),
        Response::Settled { won, .. } => Received::Settled(won),
        Response::Records { records, .. } => {
            Received::Listed(records.iter().map(|record| record.id.clone()).collect())
        }
        Response::Done { .. } => Received::Done,
        Response::Fault { .. } => Received::Fault,
        other => panic!("nobody asked for {other:?}"),
    }
}

/// Whether a record has the outcome of this attempt.
fn has_outcome_of(record: &Record, attempt: u64) -> bool {
    let Some(settlement) = record.settlement() else {
        return false;
    };
    if attempt == 0 {
        return settlement.outcome == Outcome::Expired;
    }
    let outcome = format!("{:?}", settlement.outcome);
    let words = format!("attempt {attempt}");
    let withdrawn = matches!(verdict(attempt), ipc::Verdict::Withdraw);
    settlement.attempt == attempt
        && (outcome.contains(&words) || withdrawn && settlement.outcome == Outcome::Withdrawn)
}

impl StateMachineTest for Comparison {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(model: &Model) -> Self {
        let mut comparison = Self::new();
        for operation in &model.operations {
            comparison.run_operation(operation);
        }
        comparison
    }

    fn apply(mut comparison: Self, model: &Model, event: Event) -> Self {
        for operation in &model.operations {
            comparison.run_operation(operation);
        }
        let mut expected = model.received.clone();
        expected.sort();
        assert_eq!(
            comparison.received(),
            expected,
            "what is received after {event:?}"
        );
        let records = comparison.stored_records();
        let ids = |record: &Record| record.id.clone();
        let stored: Vec<AskId> = records.iter().map(ids).collect();
        let mut asks = model.asks.clone();
        asks.sort_by(|one, other| one.id.cmp(&other.id));
        let expected: Vec<AskId> = asks.iter().map(|ask| ask.id.clone()).collect();
        assert_eq!(stored, expected, "exactly the model's asks are stored");
        for (record, ask) in records.iter().zip(&asks) {
            match ask.closed {
                None => assert!(record.is_open(), "nobody closed {record:?}"),
                Some(first) => assert!(
                    has_outcome_of(record, first),
                    "{first} was first: {record:?}"
                ),
            }
            assert_eq!(record.is_delivered(), ask.delivered, "{record:?}");
        }
        comparison
    }

    fn teardown(mut comparison: Self, model: Model) {
        let Response::Status(status) = comparison.ask_hub(Request::Status) else {
            panic!("a status");
        };
        let missed = model.asks.iter().filter(|ask| ask.is_missed()).count() as u64;
        assert_eq!(status.undelivered, missed, "listed as undelivered");
        assert_eq!(
            status.waiters,
            model.waiters.len() as u64,
            "calls that wait"
        );
    }
}

prop_state_machine! {
    #![proptest_config(Config { cases: 96, ..Config::default() })]

    #[test]
    fn the_hub_responds_as_the_model(sequential 1..60 => Comparison);
}

/// Replays an order of events that once failed.
fn replay(events: &[Event]) {
    use proptest::strategy::{Strategy, ValueTree};
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let model = Model::init_state().new_tree(&mut runner);
    let mut model = model.unwrap().current();
    let mut comparison = Comparison::init_test(&model);
    for event in events {
        model = <Model as ReferenceStateMachine>::apply(model, event);
        comparison = <Comparison as StateMachineTest>::apply(comparison, &model, event.clone());
    }
    Comparison::teardown(comparison, model);
}

#[test]
fn an_outcome_in_flight_is_not_given_to_another_call() {
    replay(&[
        Event::Open {
            client: 0,
            question: 0,
        },
        Event::Settle { ask: 0, attempt: 3 },
        Event::Fetch { client: 0 },
        Event::Open {
            client: 1,
            question: 0,
        },
        Event::Deliver { call: 0 },
        Event::Open {
            client: 0,
            question: 0,
        },
    ]);
}

#[test]
fn a_fetched_outcome_in_flight_is_not_fetched_again() {
    replay(&[
        Event::Open {
            client: 0,
            question: 0,
        },
        Event::Leave { call: 0 },
        Event::Settle { ask: 0, attempt: 3 },
        Event::Fetch { client: 1 },
        Event::Fetch { client: 1 },
        Event::Fetch { client: 2 },
        Event::Open {
            client: 0,
            question: 0,
        },
        Event::NotDelivered { call: 1 },
        Event::Fetch { client: 2 },
    ]);
}

#[test]
fn a_late_acknowledgement_of_an_expiry_marks_no_answer_as_delivered() {
    let mut comparison = Comparison::new();
    let asked = record(1, 2, 0);
    let id = asked.id.clone();
    comparison.ask_hub(Request::Open {
        record: Box::new(asked),
        wait: false,
        take_up: TakeUp::Never,
    });
    comparison.run_operation(&Operation::Expire);
    let state = |comparison: &mut Comparison| {
        let Response::Record(record) = comparison.ask_hub(Request::Get { id: id.to_string() })
        else {
            panic!("a record");
        };
        let attempt = record.settlement().map(|settlement| settlement.attempt);
        (attempt, record.is_delivered())
    };
    let (clock, _) = state(&mut comparison);
    // The client has written the expiry, and acknowledges it after a person has answered.
    let settled = comparison.ask_hub(settle(&id, 3));
    assert_eq!(to_received(settled), Received::Settled(true));
    let delivered = |attempt| Request::Delivered {
        id: id.clone(),
        attempt,
    };
    comparison.ask_hub(delivered(clock));
    assert_eq!(state(&mut comparison), (Some(3), false));
    // The answer is still undelivered, and its own acknowledgement counts.
    let fetched = comparison.ask_hub(Request::Fetch {
        asker: Box::new(asker(0)),
        take: true,
        or_open: false,
    });
    assert_eq!(to_received(fetched), Received::Listed(vec![id.clone()]));
    comparison.ask_hub(delivered(Some(3)));
    assert_eq!(state(&mut comparison), (Some(3), true));
}

#[test]
fn the_path_of_an_ask_reads_no_database() {
    const AGENT: u64 = 1;
    const SURFACE: u64 = 2;
    let mut comparison = Comparison::new();
    comparison.connect(AGENT);
    comparison.connect(SURFACE);
    let serve = |comparison: &mut Comparison, client, number, request| {
        comparison.run(|hub| hub.serve(ConnectionId(client), number, request));
        let responses = comparison.clients.get_mut(&client).unwrap();
        std::iter::from_fn(|| responses.try_recv().ok()).collect::<Vec<_>>()
    };
    let subscribe = Request::Subscribe {
        after: None,
        only_looks: false,
        sender: None,
    };
    serve(&mut comparison, SURFACE, 0, subscribe);
    let mut reads = Vec::new();
    for number in 1..=3 {
        let asked = record(number, 0, 0);
        let id = asked.id.clone();
        let open = Request::Open {
            record: Box::new(asked),
            wait: true,
            take_up: TakeUp::WhenLeft,
        };
        let opened = serve(&mut comparison, AGENT, number, open);
        assert!(
            matches!(&opened[..], [(_, Response::Opened { .. })]),
            "{opened:?}"
        );
        let settled = serve(&mut comparison, SURFACE, number, settle(&id, 3));
        let [
            (_, Response::Change(_)),
            ..,
            (_, Response::Settled { won: true, .. }),
            (_, Response::Change(_)),
        ] = &settled[..]
        else {
            panic!("the surface is shown the ask and its answer is stored: {settled:?}");
        };
        let delivered = Request::Delivered {
            id,
            attempt: Some(3),
        };
        let delivered = serve(&mut comparison, AGENT, number + 100, delivered);
        let [
            (_, Response::Outcome { .. }),
            (_, Response::Done { count: 1 }),
        ] = &delivered[..]
        else {
            panic!("the agent gets the answer and acknowledges it: {delivered:?}");
        };
        reads.push(comparison.hub.store.reads());
    }
    assert_eq!(reads[0], reads[2], "only the first ask may read");
    comparison.stored_records();
    let after_history = comparison.hub.store.reads();
    assert!(after_history > reads[2], "a read is counted");
}
