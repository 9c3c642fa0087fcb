//! An agent that leaves at the moment its answer is delivered: the answer becomes undelivered
//! again, and the next identical call receives it.

use ask_core::Record;
use ask_protocol::ipc::{Request, Response, TakeUp};
use ask_protocol::native;

use crate::support::hub::Hub;
use crate::support::sandbox::Sandbox;

/// The same ask under an id of its own, as another call from this shell would send it.
fn again(sandbox: &Sandbox, id: &str, which: usize) -> Box<Record> {
    let record = sandbox.done(&["show", id, "--json"]);
    let (stem, own) = id.split_at(id.len() - 1);
    let mut others = ["0", "1", "2", "3"].into_iter().filter(|last| *last != own);
    let twin = format!(
        "{stem}{}",
        others.nth(which).expect("three letters are left")
    );
    let record = native::read_record(&record.replace(id, &twin));
    Box::new(record.expect("a record"))
}

fn open(record: &Record) -> Request {
    Request::Open {
        record: Box::new(record.clone()),
        wait: true,
        take_up: TakeUp::Always,
    }
}

/// Lets a call wait, answers it, and lets the call leave while the answer is being delivered.
fn left(how: impl Fn(&mut Hub, u64, &Record)) {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Now?"]);
    let mut first = Hub::of(&sandbox);
    let Response::Opened { id: taken } = first.call(&open(&again(&sandbox, &id, 0))) else {
        panic!("the ask waits, so the call waits for it");
    };
    assert_eq!(taken.as_str(), id, "the same ask is taken up");
    sandbox.done(&["answer", &id, "--set", "now"]);
    let (number, outcome) = first.hear().expect("the hub responds");
    let Response::Outcome { record, .. } = outcome else {
        panic!("the call receives the outcome: {outcome:?}");
    };
    // While the answer is being delivered, no other call can take it: the next identical call is a
    // new ask.
    let mut other = Hub::of(&sandbox);
    let fresh = other.call(&open(&again(&sandbox, &id, 1)));
    let Response::Opened { id: fresh } = fresh else {
        panic!("a new question waits: {fresh:?}");
    };
    assert_ne!(fresh.as_str(), id);
    sandbox.done(&["decline", fresh.as_str()]);
    other.call(&Request::Delivered {
        id: fresh,
        attempt: None,
    });

    how(&mut first, number, &record);
    let told = first.call(&open(&again(&sandbox, &id, 2)));
    let Response::Outcome { record: told, .. } = told else {
        panic!("the answer comes at once: {told:?}");
    };
    assert_eq!(told.id, record.id);
}

#[test]
fn the_same_ask_twice_in_one_moment_is_one_card() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Now?"]);
    let (one, other) = (again(&sandbox, &id, 0), again(&sandbox, &id, 1));
    sandbox.done(&["decline", &id]);
    let mut hub = Hub::of(&sandbox);
    hub.call(&Request::Delivered {
        id: one.id.clone(),
        attempt: None,
    });
    hub.call(&Request::Delivered {
        id: ask_core::AskId::parse(&id).expect("an id"),
        attempt: None,
    });
    // Both requests reach the hub together: neither waits until the other is stored.
    hub.send(&open(&one));
    hub.send(&open(&other));
    let mut opened = Vec::new();
    while opened.len() < 2 {
        if let Some((_, Response::Opened { id })) = hub.hear() {
            opened.push(id);
        }
    }
    assert_eq!(opened[0], opened[1], "two calls, one ask");
}

#[test]
fn by_leaving() {
    left(|hub, request, _| {
        hub.call(&Request::Leave {
            request,
            back_ms: 0,
            elsewhere: false,
        });
    });
}

#[test]
fn by_a_reply_that_was_not_written() {
    left(|hub, _, record| {
        hub.call(&Request::NotDelivered {
            id: record.id.clone(),
        });
    });
}
