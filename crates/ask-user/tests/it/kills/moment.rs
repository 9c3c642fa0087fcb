//! An agent that leaves at the moment its answer is delivered: the answer becomes undelivered
//! again, and the next identical call receives it.

use ask_core::Record;
use ask_protocol::ipc::{Request, Response, TakeUp};
use ask_protocol::native;

use crate::support::hub::Hub;
use crate::support::sandbox::Sandbox;

/// The same ask under an id of its own, as another call from this shell would send it.
fn same_ask(sandbox: &Sandbox, id: &str, which: usize) -> Box<Record> {
    let record = sandbox.run_ok(&["show", id, "--json"]);
    let (stem, own) = id.split_at(id.len() - 1);
    let mut others = ["0", "1", "2", "3"].into_iter().filter(|last| *last != own);
    let twin = format!(
        "{stem}{}",
        others.nth(which).expect("three letters are left")
    );
    let record = native::read_record(&record.replace(id, &twin));
    Box::new(record.expect("a record"))
}

fn open_request(record: &Record) -> Request {
    Request::Open {
        record: Box::new(record.clone()),
        wait: true,
        take_up: TakeUp::Always,
    }
}

/// Lets a call wait, answers it, and lets the call leave while the answer is being delivered.
fn leave_during_delivery(how: impl Fn(&mut Hub, u64, &Record)) {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Now?"]);
    let mut first = Hub::connect(&sandbox);
    let Response::Opened { id: taken } = first.call(&open_request(&same_ask(&sandbox, &id, 0)))
    else {
        panic!("the ask waits, so the call waits for it");
    };
    assert_eq!(taken.as_str(), id, "the same ask is taken up");
    sandbox.run_ok(&["answer", &id, "--set", "now"]);
    let (number, outcome) = first.receive().expect("the hub responds");
    let Response::Outcome { record, .. } = outcome else {
        panic!("the call receives the outcome: {outcome:?}");
    };
    // While the answer is being delivered, no other call can take it: the next identical call is a
    // new ask.
    let mut other = Hub::connect(&sandbox);
    let fresh = other.call(&open_request(&same_ask(&sandbox, &id, 1)));
    let Response::Opened { id: fresh } = fresh else {
        panic!("a new question waits: {fresh:?}");
    };
    assert_ne!(fresh.as_str(), id);
    sandbox.run_ok(&["decline", fresh.as_str()]);
    other.call(&Request::Delivered {
        id: fresh,
        attempt: None,
    });

    how(&mut first, number, &record);
    let told = first.call(&open_request(&same_ask(&sandbox, &id, 2)));
    let Response::Outcome { record: told, .. } = told else {
        panic!("the answer comes at once: {told:?}");
    };
    assert_eq!(told.id, record.id);
}

#[test]
fn two_simultaneous_equal_requests_share_one_ask() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Now?"]);
    let (one, other) = (same_ask(&sandbox, &id, 0), same_ask(&sandbox, &id, 1));
    sandbox.run_ok(&["decline", &id]);
    let mut hub = Hub::connect(&sandbox);
    hub.call(&Request::Delivered {
        id: one.id.clone(),
        attempt: None,
    });
    hub.call(&Request::Delivered {
        id: ask_core::AskId::parse(&id).expect("an id"),
        attempt: None,
    });
    // Both requests reach the hub together: neither waits until the other is stored.
    hub.send(&open_request(&one));
    hub.send(&open_request(&other));
    let mut opened = Vec::new();
    while opened.len() < 2 {
        if let Some((_, Response::Opened { id })) = hub.receive() {
            opened.push(id);
        }
    }
    assert_eq!(opened[0], opened[1], "two calls, one ask");
}

#[test]
fn leaving_during_delivery_makes_the_answer_undelivered() {
    leave_during_delivery(|hub, request, _| {
        hub.call(&Request::Leave {
            request,
            back_ms: 0,
            elsewhere: false,
        });
    });
}

#[test]
fn a_reply_that_was_not_written_makes_the_answer_undelivered() {
    leave_during_delivery(|hub, _, record| {
        hub.call(&Request::NotDelivered {
            id: record.id.clone(),
        });
    });
}
