//! Invented histories: one without a fault, and one for each kind of fault. A judge that finds
//! nothing in these proves nothing.

use ask_core::lifecycle::{self, Settlement};
use ask_core::record::State;
use ask_core::{Ask, AskId, Asker, Outcome, Record, Time};
use tokio::time::Instant;

use super::*;
use crate::callers::{Caller, Program};

const ID: &str = "a_00000001";

/// An ask of the first caller with one answer. Each test decides what happens to the answer.
struct History {
    log: Log,
    record: Record,
    now: Instant,
    tag: u64,
    nonce: u64,
}

impl History {
    /// A history with these callers, numbered from one.
    fn of(callers: &[(Program, &str)]) -> Self {
        let mut log = Log::default();
        let now = Instant::now();
        for (number, (program, client)) in (1..).zip(callers) {
            let caller = Caller {
                client: (*client).to_owned(),
                folder: Some("/shop".to_owned()),
                name: None,
                program: *program,
                began: now,
                may_leave_at: None,
                ended_at: None,
            };
            log.callers.begin(number, caller);
        }
        let tag = log.new_ask();
        log.callers.record_call(1, 1, Some(tag), now);
        let nonce = log.attempt(ID, tag, "answer");
        log.judged(nonce, Verdict::Won);
        let asker = Asker {
            project: Some(callers::project(1)),
            ..Asker::default()
        };
        let id = AskId::parse(ID).expect("the text is an id");
        let mut record = lifecycle::open(id, "native", Ask::default(), asker, Time(0));
        record.state = State::Closed {
            settlement: Settlement {
                outcome: Outcome::Declined {
                    reason: Some(words::answer(nonce)),
                },
                surface: "cli".to_owned(),
                device: None,
                origin: None,
                at: Time(1),
                attempt: nonce,
                awaited: false,
            },
            delivered_at: Some(Time(2)),
        };
        Self {
            log,
            record,
            now,
            tag,
            nonce,
        }
    }

    fn after(&self, seconds: u64) -> Instant {
        self.now + Duration::from_secs(seconds)
    }

    /// A caller receives the answer at this time, as the reply to a call made a second earlier.
    fn deliver(&mut self, number: u64, seconds: u64) {
        let receipt = Receipt {
            process: number,
            over_http: false,
            route: Route::Reply,
            at: self.after(seconds),
            resumed: false,
            reset_at: None,
            whole: true,
            reply_to: Some(self.tag),
            called: Some(self.after(seconds.saturating_sub(1))),
            by_id: false,
        };
        self.log.received(self.nonce, receipt);
    }

    /// A caller begins at this time.
    fn begin(&mut self, number: u64, program: Program, seconds: u64) {
        let caller = Caller {
            client: "claude-code".to_owned(),
            folder: Some("/shop".to_owned()),
            name: None,
            program,
            began: self.after(seconds),
            may_leave_at: None,
            ended_at: None,
        };
        self.log.callers.begin(number, caller);
    }

    fn report(&self) -> Report {
        judge(&self.log, std::slice::from_ref(&self.record))
    }

    /// The numbers of lost, doubled, invented and misdelivered answers.
    fn counts(&self) -> [usize; 4] {
        let report = self.report();
        let Report {
            lost,
            doubled,
            invented,
            misdelivered,
            ..
        } = &report;
        let counts = [lost, doubled, invented, misdelivered].map(Vec::len);
        assert_eq!(report.is_clean(), counts == [0; 4], "{counts:?}");
        counts
    }
}

const ALONE: [(Program, &str); 1] = [(Program::Own, "claude-code")];
const TWINS: [(Program, &str); 2] = [(Program::Own, "claude-code"), (Program::Own, "claude-code")];

#[test]
fn an_answer_delivered_once_to_its_caller_is_right() {
    let mut history = History::of(&ALONE);
    history.deliver(1, 5);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn an_answer_that_nobody_can_receive_is_lost() {
    let history = History::of(&ALONE);
    assert_eq!(history.counts(), [1, 0, 0, 0]);
}

#[test]
fn an_accepted_answer_that_is_not_stored_is_lost() {
    let mut history = History::of(&ALONE);
    history.deliver(1, 5);
    let report = judge(&history.log, &[]);
    assert_eq!(report.lost.len(), 1);
    assert!(!report.is_clean());
    // An ask that still waits is lost as well.
    history.record.state = State::Open;
    assert_eq!(history.report().lost.len(), 2);
}

#[test]
fn an_answer_in_two_successive_calls_is_doubled() {
    let mut history = History::of(&ALONE);
    history.deliver(1, 5);
    history.deliver(1, 50);
    assert_eq!(history.counts(), [0, 1, 0, 0]);
}

#[test]
fn an_answer_to_two_simultaneous_calls_counts_once() {
    let mut history = History::of(&ALONE);
    history.deliver(1, 5);
    history.deliver(1, 5);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn a_refused_answer_that_is_delivered_is_invented() {
    let mut history = History::of(&ALONE);
    history.deliver(1, 5);
    let refused = Verdict::Refused("closed before".to_owned());
    history.log.judged(history.nonce, refused);
    assert_eq!(history.counts(), [0, 0, 1, 0]);
}

#[test]
fn an_answer_that_nobody_gave_is_invented() {
    let mut history = History::of(&ALONE);
    history.deliver(1, 5);
    history.nonce += 1;
    history.deliver(1, 5);
    assert_eq!(history.counts(), [0, 0, 1, 0]);
}

#[test]
fn an_answer_to_a_twin_of_a_running_caller_is_misdelivered() {
    let mut history = History::of(&TWINS);
    history.deliver(2, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    // The caller ended, but only afterwards.
    history.log.callers.end(1, history.after(6));
    assert_eq!(history.counts(), [0, 0, 0, 1]);
}

#[test]
fn an_answer_to_another_client_is_misdelivered() {
    let mut history = History::of(&[(Program::Own, "claude-code"), (Program::Own, "codex")]);
    history.log.callers.end(1, history.after(2));
    history.deliver(2, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
}

#[test]
fn an_answer_to_two_agents_is_doubled_and_misdelivered() {
    let mut history = History::of(&TWINS);
    history.deliver(1, 5);
    history.deliver(2, 7);
    assert_eq!(history.counts(), [0, 1, 0, 1]);
}

#[test]
fn a_successor_may_receive_an_answer_and_an_older_twin_may_not() {
    let mut history = History::of(&ALONE);
    let late = history.after(10);
    history
        .log
        .callers
        .record_call(1, 2, Some(history.tag), late);
    history.log.callers.end(1, history.after(12));
    history.begin(2, Program::Own, 14);
    history.deliver(2, 16);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
    assert_eq!(history.report().taken_up, 1);
    history.log.callers = Callers::default();
    history.begin(1, Program::Own, 5);
    history
        .log
        .callers
        .record_call(1, 2, Some(history.tag), late);
    history.log.callers.end(1, history.after(12));
    history.begin(2, Program::Own, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
}

#[test]
fn a_second_possible_successor_excludes_both() {
    let mut history = History::of(&ALONE);
    history.log.callers.end(1, history.after(2));
    history.begin(2, Program::Own, 10);
    history.begin(3, Program::Own, 10);
    history.deliver(2, 16);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
    // From here on the hub knows the third agent.
    history.log.callers.record_seen(3, history.after(12));
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    // It doesn't count while it may continue without its hub.
    let full = history.after(13);
    history.log.callers.record_full_disk(full);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
    history.log.callers.disks_full.clear();
    // It doesn't count after a hub was started again.
    history.log.callers.record_hub_end(history.after(13));
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn an_agent_keeps_an_ask_that_it_took_up_first() {
    let mut history = History::of(&ALONE);
    history.log.callers.end(1, history.after(2));
    history.begin(2, Program::Own, 10);
    history.begin(3, Program::Own, 10);
    history.log.callers.record_seen(3, history.after(12));
    history.deliver(2, 16);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    // It had asked the same before the hub knew of the third agent.
    let tag = Some(history.tag);
    history
        .log
        .callers
        .record_call(2, 7, tag, history.after(11));
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn a_waiting_call_may_take_up_an_abandoned_ask() {
    for (over, misdelivered) in [(5, 1), (7, 0)] {
        let mut history = History::of(&ALONE);
        history.begin(2, Program::Campaign, 3);
        history.begin(3, Program::Own, 9);
        history.begin(4, Program::Requests, 3);
        let (now, tag) = (history.now, Some(history.tag));
        let at = |seconds| now + Duration::from_secs(seconds);
        let callers = &mut history.log.callers;
        callers.record_call(2, 7, tag, at(4));
        callers.end(1, at(6));
        callers.end_call(2, 7, at(over));
        callers.end(2, at(8));
        callers.record_seen(3, at(10));
        history.deliver(4, 16);
        assert_eq!(history.counts(), [0, 0, 0, misdelivered], "over at {over}");
    }
}

#[test]
fn the_client_continues_an_ask_that_its_sub_agent_took_up() {
    let mut history = History::of(&ALONE);
    history.log.callers.end(1, history.after(2));
    history.begin(2, Program::Campaign, 10);
    history.begin(3, Program::Own, 10);
    history.begin(4, Program::Requests, 10);
    history.log.callers.record_seen(3, history.after(14));
    history.deliver(4, 16);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    let tag = Some(history.tag);
    history
        .log
        .callers
        .record_call(2, 7, tag, history.after(12));
    assert_eq!(history.counts(), [0, 0, 0, 1], "the sub-agent still runs");
    history.log.callers.end(2, history.after(13));
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn only_sub_agents_continue_asks_of_a_running_client() {
    let mut history = History::of(&[
        (Program::Campaign, "claude-code"),
        (Program::Campaign, "claude-code"),
        (Program::Own, "claude-code"),
    ]);
    history.log.callers.end(1, history.after(2));
    history.deliver(2, 5);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
    history.log.receipts.clear();
    history.deliver(3, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
}

#[test]
fn a_session_exists_until_it_is_deleted() {
    let mut history = History::of(&[
        (Program::Session, "claude-code"),
        (Program::Session, "claude-code"),
    ]);
    history.deliver(2, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    history.log.callers.record_hub_end(history.after(4));
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    history.log.callers.begin_to_leave(1, history.after(4));
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn a_call_that_names_the_id_may_receive_the_answer() {
    let mut history = History::of(&TWINS);
    history.deliver(2, 5);
    let mut receipts = history.log.receipts.values_mut().flatten();
    receipts.next().expect("the answer was delivered").by_id = true;
    drop(receipts);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}
