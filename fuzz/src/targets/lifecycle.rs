//! An ask's life in any order of operations: the first outcome wins, and the record is read as it was written.

use ask_core::lifecycle::{self, SettleResult};
use ask_core::{Ask, Gaps, Outcome, Record, Settlement, State, Time};
use ask_protocol::{json_text, native};

use super::{by_person, draft, opened, two_questions};

/// So many say enough: after each operation the whole record is written and read.
const MOST_BYTES: usize = 240;

/// Closes one ask in any order of operations; the first outcome must win.
pub fn run(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied().take(MOST_BYTES);
    let mut next = || bytes.next();
    let ask = Ask {
        limit_ms: next().map(|limit| u64::from(limit) * 10),
        ..two_questions()
    };
    let mut record = opened(ask);
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
        // An attempt is repeated by the same words alone.
        Some(first)
            if first.attempt == settlement.attempt && first.outcome == settlement.outcome =>
        {
            SettleResult::Again
        }
        // The clock's word gives way to a person's.
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
