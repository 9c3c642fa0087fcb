//! An ask's lifecycle, with operations in any order: the first outcome wins, and the record survives being
//! written and read.

use ask_core::lifecycle::{self, SettleResult};
use ask_core::{Ask, Gaps, Outcome, Record, Settlement, State, Time};
use ask_protocol::{json_text, native};

use super::{by_person, draft, open_record, two_questions};

/// More input only takes longer: the whole record is written and read after each operation.
const MAX_BYTES: usize = 240;

/// Runs the operations that the input encodes on one ask; the first outcome must win.
pub fn run(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied().take(MAX_BYTES);
    let mut next = || bytes.next();
    let ask = Ask {
        limit_ms: next().map(|limit| u64::from(limit) * 10),
        ..two_questions()
    };
    let mut record = open_record(ask);
    let mut first: Option<Settlement> = None;
    let mut clock = 0;
    while let Some(operation) = next() {
        clock += i64::from(operation);
        let attempt = u64::from(next().unwrap_or(0) % 4);
        let settlement = match operation % 5 {
            0 => lifecycle::expire(&record, Time(clock), attempt),
            1 => Some(Outcome::Declined { reason: None })
                .map(|outcome| by_person(outcome, clock, attempt)),
            2 => Some(Outcome::Withdrawn).map(|outcome| by_person(outcome, clock, attempt)),
            3 => draft(&record.ask, [operation, next().unwrap_or(0)])
                .finish(&record.ask, Gaps::Send)
                .ok()
                .map(|answered| by_person(Outcome::Answered(answered), clock, attempt)),
            _ => {
                deliver(&mut record, clock);
                None
            }
        };
        if let Some(settlement) = settlement {
            settle(&mut record, settlement, &mut first);
        }
        assert_eq!(record.settlement(), first.as_ref());
        assert_eq!(
            lifecycle::open_deadline(&record).is_none(),
            !record.is_open() || record.deadline_at.is_none()
        );
        let written = json_text(&native::Record::from(&record));
        assert_eq!(native::read_record(&written).expect("a record"), record);
    }
}

fn settle(record: &mut Record, settlement: Settlement, first: &mut Option<Settlement>) {
    let closing = lifecycle::close(record, &settlement);
    let expected = match first {
        None => SettleResult::Close,
        // The same attempt with the same outcome is a repetition.
        Some(first)
            if first.attempt == settlement.attempt && first.outcome == settlement.outcome =>
        {
            SettleResult::Again
        }
        // A person's outcome replaces an expiry.
        Some(first) if first.outcome == Outcome::Expired && settlement.outcome.is_human() => {
            SettleResult::Close
        }
        Some(_) => SettleResult::TooLate,
    };
    assert_eq!(closing, expected);
    if closing == SettleResult::Close {
        *first = Some(settlement.clone());
        record.state = State::Closed {
            settlement,
            delivered_at: None,
        };
    }
}

fn deliver(record: &mut Record, clock: i64) {
    if lifecycle::may_deliver(record, None)
        && let State::Closed { delivered_at, .. } = &mut record.state
    {
        assert!(delivered_at.is_none());
        *delivered_at = Some(Time(clock));
    }
}
