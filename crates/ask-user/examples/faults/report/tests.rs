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
    ledger: Ledger,
    record: Record,
    now: Instant,
    tag: u64,
    nonce: u64,
}

impl History {
    /// A history with these callers, numbered from one.
    fn of(callers: &[(Program, &str)]) -> Self {
        let mut ledger = Ledger::default();
        let now = Instant::now();
        for (number, (program, client)) in (1..).zip(callers) {
            let caller = Caller {
                client: (*client).to_owned(),
                folder: Some("/shop".to_owned()),
                name: None,
                program: *program,
                began: now,
                leaves: None,
                gone: None,
            };
            ledger.callers.begin(number, caller);
        }
        let tag = ledger.new_ask();
        ledger.callers.calls(1, 1, Some(tag), now);
        let nonce = ledger.attempt(ID, tag, "answer");
        ledger.judged(nonce, Verdict::Won);
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
            ledger,
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
    fn tells(&mut self, number: u64, seconds: u64) {
        let receipt = Receipt {
            process: number,
            over_http: false,
            how: How::Reply,
            at: self.after(seconds),
            resumed: false,
            reset_at: None,
            whole: true,
            reply_to: Some(self.tag),
            called: Some(self.after(seconds.saturating_sub(1))),
            by_id: false,
        };
        self.ledger.received(self.nonce, receipt);
    }

    /// A caller begins at this time.
    fn begins(&mut self, number: u64, program: Program, seconds: u64) {
        let caller = Caller {
            client: "claude-code".to_owned(),
            folder: Some("/shop".to_owned()),
            name: None,
            program,
            began: self.after(seconds),
            leaves: None,
            gone: None,
        };
        self.ledger.callers.begin(number, caller);
    }

    fn account(&self) -> Account {
        of(&self.ledger, std::slice::from_ref(&self.record))
    }

    /// The numbers of lost, doubled, invented and misdelivered answers.
    fn counts(&self) -> [usize; 4] {
        let account = self.account();
        let Account {
            lost,
            doubled,
            invented,
            misdelivered,
            ..
        } = &account;
        let counts = [lost, doubled, invented, misdelivered].map(Vec::len);
        assert_eq!(account.is_clean(), counts == [0; 4], "{counts:?}");
        counts
    }
}

const ALONE: [(Program, &str); 1] = [(Program::Own, "claude-code")];
const TWINS: [(Program, &str); 2] = [(Program::Own, "claude-code"), (Program::Own, "claude-code")];

#[test]
fn an_answer_that_its_caller_has_once_is_right() {
    let mut history = History::of(&ALONE);
    history.tells(1, 5);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn an_answer_that_nobody_has_and_nobody_can_have_is_lost() {
    let history = History::of(&ALONE);
    assert_eq!(history.counts(), [1, 0, 0, 0]);
}

#[test]
fn an_answer_that_was_taken_and_is_not_kept_is_lost() {
    let mut history = History::of(&ALONE);
    history.tells(1, 5);
    let account = of(&history.ledger, &[]);
    assert_eq!(account.lost.len(), 1);
    assert!(!account.is_clean());
    // An ask that still waits is lost as well.
    history.record.state = State::Open;
    assert_eq!(history.account().lost.len(), 2);
}

#[test]
fn an_answer_that_a_caller_has_in_two_calls_one_after_the_other_is_doubled() {
    let mut history = History::of(&ALONE);
    history.tells(1, 5);
    history.tells(1, 50);
    assert_eq!(history.counts(), [0, 1, 0, 0]);
}

#[test]
fn an_answer_that_two_calls_of_its_caller_waited_for_is_told_once() {
    let mut history = History::of(&ALONE);
    history.tells(1, 5);
    history.tells(1, 5);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn an_answer_that_was_refused_and_is_told_is_invented() {
    let mut history = History::of(&ALONE);
    history.tells(1, 5);
    let refused = Verdict::Refused("closed before".to_owned());
    history.ledger.judged(history.nonce, refused);
    assert_eq!(history.counts(), [0, 0, 1, 0]);
}

#[test]
fn an_answer_that_nobody_said_is_invented() {
    let mut history = History::of(&ALONE);
    history.tells(1, 5);
    history.nonce += 1;
    history.tells(1, 5);
    assert_eq!(history.counts(), [0, 0, 1, 0]);
}

#[test]
fn an_answer_that_a_twin_has_while_its_caller_stands_is_misdelivered() {
    let mut history = History::of(&TWINS);
    history.tells(2, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    // The caller ended, but only afterwards.
    history.ledger.callers.gone(1, history.after(6));
    assert_eq!(history.counts(), [0, 0, 0, 1]);
}

#[test]
fn an_answer_that_another_client_has_is_misdelivered_though_its_caller_has_gone() {
    let mut history = History::of(&[(Program::Own, "claude-code"), (Program::Own, "codex")]);
    history.ledger.callers.gone(1, history.after(2));
    history.tells(2, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
}

#[test]
fn an_answer_that_two_have_is_doubled_and_misdelivered() {
    let mut history = History::of(&TWINS);
    history.tells(1, 5);
    history.tells(2, 7);
    assert_eq!(history.counts(), [0, 1, 0, 1]);
}

#[test]
fn a_successor_may_have_it_and_a_twin_that_was_there_before_may_not() {
    let mut history = History::of(&ALONE);
    let late = history.after(10);
    history.ledger.callers.calls(1, 2, Some(history.tag), late);
    history.ledger.callers.gone(1, history.after(12));
    history.begins(2, Program::Own, 14);
    history.tells(2, 16);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
    assert_eq!(history.account().taken_up, 1);
    history.ledger.callers = Callers::default();
    history.begins(1, Program::Own, 5);
    history.ledger.callers.calls(1, 2, Some(history.tag), late);
    history.ledger.callers.gone(1, history.after(12));
    history.begins(2, Program::Own, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
}

#[test]
fn beside_another_that_stands_no_successor_may_have_it() {
    let mut history = History::of(&ALONE);
    history.ledger.callers.gone(1, history.after(2));
    history.begins(2, Program::Own, 10);
    history.begins(3, Program::Own, 10);
    history.tells(2, 16);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
    // From here on the hub knows the third agent.
    history.ledger.callers.heard(3, history.after(12));
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    // It doesn't count while it may continue without its hub.
    let full = history.after(13);
    history.ledger.callers.disk_is_full(full);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
    history.ledger.callers.disks_full.clear();
    // It doesn't count after a hub was started again.
    history.ledger.callers.hub_goes(history.after(13));
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn who_took_an_ask_up_before_the_other_came_goes_on_with_it() {
    let mut history = History::of(&ALONE);
    history.ledger.callers.gone(1, history.after(2));
    history.begins(2, Program::Own, 10);
    history.begins(3, Program::Own, 10);
    history.ledger.callers.heard(3, history.after(12));
    history.tells(2, 16);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    // It had asked the same before the hub knew of the third agent.
    let tag = Some(history.tag);
    history.ledger.callers.calls(2, 7, tag, history.after(11));
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn a_call_that_waits_may_take_up_what_is_left_behind_meanwhile() {
    for (over, misdelivered) in [(5, 1), (7, 0)] {
        let mut history = History::of(&ALONE);
        history.begins(2, Program::Campaign, 3);
        history.begins(3, Program::Own, 9);
        history.begins(4, Program::Requests, 3);
        let (now, tag) = (history.now, Some(history.tag));
        let at = |seconds| now + Duration::from_secs(seconds);
        let callers = &mut history.ledger.callers;
        callers.calls(2, 7, tag, at(4));
        callers.gone(1, at(6));
        callers.over(2, 7, at(over));
        callers.gone(2, at(8));
        callers.heard(3, at(10));
        history.tells(4, 16);
        assert_eq!(history.counts(), [0, 0, 0, misdelivered], "over at {over}");
    }
}

#[test]
fn what_a_sub_agent_took_up_its_client_goes_on_with() {
    let mut history = History::of(&ALONE);
    history.ledger.callers.gone(1, history.after(2));
    history.begins(2, Program::Campaign, 10);
    history.begins(3, Program::Own, 10);
    history.begins(4, Program::Requests, 10);
    history.ledger.callers.heard(3, history.after(14));
    history.tells(4, 16);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    let tag = Some(history.tag);
    history.ledger.callers.calls(2, 7, tag, history.after(12));
    assert_eq!(history.counts(), [0, 0, 0, 1], "the sub-agent still runs");
    history.ledger.callers.gone(2, history.after(13));
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn a_sub_agent_goes_on_for_another_and_no_stranger_does_while_their_client_runs() {
    let mut history = History::of(&[
        (Program::Campaign, "claude-code"),
        (Program::Campaign, "claude-code"),
        (Program::Own, "claude-code"),
    ]);
    history.ledger.callers.gone(1, history.after(2));
    history.tells(2, 5);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
    history.ledger.receipts.clear();
    history.tells(3, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
}

#[test]
fn a_session_stands_until_it_is_deleted_also_when_its_hub_goes() {
    let mut history = History::of(&[
        (Program::Session, "claude-code"),
        (Program::Session, "claude-code"),
    ]);
    history.tells(2, 5);
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    history.ledger.callers.hub_goes(history.after(4));
    assert_eq!(history.counts(), [0, 0, 0, 1]);
    history.ledger.callers.leaves(1, history.after(4));
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}

#[test]
fn who_names_the_id_may_have_it() {
    let mut history = History::of(&TWINS);
    history.tells(2, 5);
    let mut receipts = history.ledger.receipts.values_mut().flatten();
    receipts.next().expect("the answer was delivered").by_id = true;
    drop(receipts);
    assert_eq!(history.counts(), [0, 0, 0, 0]);
}
