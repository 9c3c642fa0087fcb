//! What the hub has counted since it began, for operators. Nothing in it tells what was asked or
//! answered.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_core::{Record, Settlement};
use ask_protocol::ipc::{Fault, Request, Response};

/// The upper ends of the buckets that times to answer are counted in, in milliseconds: from those
/// of a person who sits there to those of one who comes back tomorrow.
pub const BUCKETS_MS: [u64; 12] = [
    1_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 900_000, 3_600_000, 14_400_000,
    43_200_000, 86_400_000,
];

/// Times to answer, counted.
#[derive(Clone, Debug, Default)]
pub struct Took {
    /// How many were at most as long as the bucket of that place.
    pub within: [u64; BUCKETS_MS.len()],
    /// How many there were.
    pub count: u64,
    /// All of them together, in milliseconds.
    pub sum_ms: u64,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Calls that asked, by dialect.
    pub calls: BTreeMap<String, u64>,
    /// Asks that a person closed, by outcome.
    pub took: BTreeMap<&'static str, Took>,
    /// Asks that were closed, by outcome and place.
    pub closed: BTreeMap<(&'static str, String), u64>,
    /// What went wrong, by type.
    pub errors: BTreeMap<&'static str, u64>,
    /// Requests to the HTTP API, by method and status.
    pub requests: BTreeMap<(String, u16), u64>,
}

/// The counters.
#[derive(Default)]
pub struct Counts(Mutex<Tally>);

impl Counts {
    /// As they stand.
    pub fn tally(&self) -> Tally {
        self.all().clone()
    }

    /// Counts a request that asks.
    pub fn heard(&self, request: &Request) {
        if let Request::Open { record, .. } = request {
            *self.all().calls.entry(record.dialect.clone()).or_default() += 1;
        }
    }

    /// Counts a response that tells of a fault.
    pub fn said(&self, response: &Response) {
        if let Response::Fault { kind, .. } = response {
            let kind = match kind {
                Fault::NotFound => "not-found",
                Fault::Ambiguous => "ambiguous",
                Fault::Unfinished => "unfinished",
                Fault::Unfit => "unfit",
                Fault::Malformed => "refused",
                Fault::Untold => "untold",
                Fault::Store => "store",
            };
            self.failed(kind);
        }
    }

    /// Counts something that went wrong.
    pub fn failed(&self, kind: &'static str) {
        *self.all().errors.entry(kind).or_default() += 1;
    }

    /// Counts an ask that was closed.
    pub fn closed(&self, record: &Record, settlement: &Settlement) {
        let mut all = self.all();
        let outcome = settlement.outcome.word();
        let place = settlement.surface.clone();
        *all.closed.entry((outcome, place)).or_default() += 1;
        if !settlement.outcome.is_human() {
            return;
        }
        let ms = settlement.at.since_ms(record.asked_at);
        let took = all.took.entry(outcome).or_default();
        took.count += 1;
        took.sum_ms = took.sum_ms.saturating_add(ms);
        for (most, within) in BUCKETS_MS.iter().zip(&mut took.within) {
            *within += u64::from(ms <= *most);
        }
    }

    /// Counts a request to the HTTP API.
    pub fn served(&self, method: &str, status: u16) {
        // Others are no requests of ours, and their names are anybody's.
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE"];
        let method = if known.contains(&method) {
            method
        } else {
            "other"
        };
        let mut all = self.all();
        *all.requests.entry((method.to_owned(), status)).or_default() += 1;
    }

    fn all(&self) -> MutexGuard<'_, Tally> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
