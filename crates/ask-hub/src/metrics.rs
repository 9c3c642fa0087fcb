//! What the hub has counted since it began, for operators. Nothing in it tells what was asked or
//! answered.

use ask_core::{Record, Settlement};
use ask_protocol::ipc::{Fault, Request, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

/// The upper ends of the buckets that times to answer are counted in, in milliseconds: from those
/// of a person who sits there to those of one who comes back tomorrow.
const BUCKETS_MS: [f64; 12] = [
    1e3, 5e3, 15e3, 30e3, 60e3, 120e3, 300e3, 900e3, 3_600e3, 14_400e3, 43_200e3, 86_400e3,
];

/// The labels of a call that asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct CallLabels {
    /// The agent's wording.
    pub dialect: String,
}

/// The labels of a time to answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct LatencyLabels {
    /// How the ask ended.
    pub outcome: &'static str,
}

/// The labels of an ask that was closed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ClosedLabels {
    /// How it ended.
    pub outcome: &'static str,
    /// Where.
    pub surface: String,
}

/// The labels of an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ErrorLabels {
    /// What went wrong.
    pub r#type: &'static str,
}

/// The labels of a request to the HTTP API.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RequestLabels {
    /// Its method, or `other`.
    pub method: &'static str,
    /// The status of its response.
    pub status: u16,
}

/// The counters. A clone counts together with what it was cloned from.
#[derive(Clone, Debug)]
pub struct Counters {
    /// Calls that asked.
    pub calls: Family<CallLabels, Counter>,
    /// How long asks were open that a person closed, in milliseconds.
    pub latency: Family<LatencyLabels, Histogram, fn() -> Histogram>,
    /// Asks that were closed.
    pub closed: Family<ClosedLabels, Counter>,
    /// What went wrong.
    pub errors: Family<ErrorLabels, Counter>,
    /// Requests to the HTTP API.
    pub requests: Family<RequestLabels, Counter>,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            calls: Family::default(),
            latency: Family::new_with_constructor(|| Histogram::new(BUCKETS_MS)),
            closed: Family::default(),
            errors: Family::default(),
            requests: Family::default(),
        }
    }
}

impl Counters {
    /// Counts a request that asks.
    pub fn heard(&self, request: &Request) {
        if let Request::Open { record, .. } = request {
            let dialect = record.dialect.clone();
            self.calls.get_or_create(&CallLabels { dialect }).inc();
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
                Fault::Undelivered => "undelivered",
                Fault::NotAllowed => "not-allowed",
                Fault::TooMany => "too-many",
                Fault::Store => "store",
            };
            self.failed(kind);
        }
    }

    /// Counts something that went wrong.
    pub fn failed(&self, kind: &'static str) {
        let labels = ErrorLabels { r#type: kind };
        self.errors.get_or_create(&labels).inc();
    }

    /// Counts an ask that was closed.
    pub fn closed(&self, record: &Record, settlement: &Settlement) {
        let outcome = settlement.outcome.word();
        let surface = settlement.surface.clone();
        let labels = ClosedLabels { outcome, surface };
        self.closed.get_or_create(&labels).inc();
        if settlement.outcome.is_human() {
            let ms = settlement.at.since_ms(record.asked_at);
            let latency = self.latency.get_or_create(&LatencyLabels { outcome });
            latency.observe(ms as f64);
        }
    }

    /// Counts a request to the HTTP API.
    pub fn served(&self, method: &str, status: u16) {
        // Others are no requests of ours, and their names are anybody's.
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE"];
        let method = known.into_iter().find(|known| *known == method);
        let method = method.unwrap_or("other");
        let labels = RequestLabels { method, status };
        self.requests.get_or_create(&labels).inc();
    }
}
