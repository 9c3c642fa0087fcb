//! What the hub has counted since it started, for operators (Prometheus text format). No label has
//! a text of an ask or an answer.

use ask_core::{Record, Settlement};
use ask_protocol::ipc::{ErrorKind, Request, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

/// The upper bounds of the latency histogram's buckets, in milliseconds: from one second to one
/// day.
const BUCKETS_MS: [f64; 12] = [
    1e3, 5e3, 15e3, 30e3, 60e3, 120e3, 300e3, 900e3, 3_600e3, 14_400e3, 43_200e3, 86_400e3,
];

/// The labels of a call that opens an ask.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct CallLabels {
    /// The dialect of the call.
    pub dialect: String,
}

/// The labels of a latency.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct LatencyLabels {
    /// The outcome with which it was closed.
    pub outcome: &'static str,
}

/// The labels of a closed ask.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ClosedLabels {
    /// The outcome with which it was closed.
    pub outcome: &'static str,
    /// The surface where it was closed.
    pub surface: String,
}

/// The labels of an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct ErrorLabels {
    /// The kind of error.
    pub r#type: &'static str,
}

/// The labels of a request to the HTTP API.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RequestLabels {
    /// The method, or `other`.
    pub method: &'static str,
    /// The status of the response.
    pub status: u16,
}

/// The counters. Clones share their counts.
#[derive(Clone, Debug)]
pub struct Counters {
    /// Calls that open an ask.
    pub calls: Family<CallLabels, Counter>,
    /// For asks that a person closed: the milliseconds from asking to closing.
    pub latency: Family<LatencyLabels, Histogram, fn() -> Histogram>,
    /// Asks that were closed.
    pub closed: Family<ClosedLabels, Counter>,
    /// Faults and failed calls.
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
    /// Counts a request if it opens an ask.
    pub(crate) fn count_request(&self, request: &Request) {
        if let Request::Open { record, .. } = request {
            let dialect = record.dialect.clone();
            self.calls.get_or_create(&CallLabels { dialect }).inc();
        }
    }

    /// Counts a response as an error if it is a fault.
    pub fn count_response(&self, response: &Response) {
        if let Response::Fault { kind, .. } = response {
            let kind = match kind {
                ErrorKind::NotFound => "not-found",
                ErrorKind::Ambiguous => "ambiguous",
                ErrorKind::Unfinished => "unfinished",
                ErrorKind::Unfit => "unfit",
                ErrorKind::Malformed => "refused",
                ErrorKind::StillOpen => "still-open",
                ErrorKind::Undelivered => "undelivered",
                ErrorKind::NotAllowed => "not-allowed",
                ErrorKind::TooMany => "too-many",
                ErrorKind::Store => "store",
            };
            self.count_error(kind);
        }
    }

    /// Counts an error of this kind.
    pub fn count_error(&self, kind: &'static str) {
        let labels = ErrorLabels { r#type: kind };
        self.errors.get_or_create(&labels).inc();
    }

    /// Counts a closed ask, and its latency if a person closed it.
    pub(crate) fn count_closed(&self, record: &Record, settlement: &Settlement) {
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
    pub fn count_http_request(&self, method: &str, status: u16) {
        // Other methods don't exist in the API, and a client could invent any number of them.
        let methods = ["GET", "HEAD", "POST", "PUT", "DELETE"];
        let method = methods.into_iter().find(|methods| *methods == method);
        let method = method.unwrap_or("other");
        let labels = RequestLabels { method, status };
        self.requests.get_or_create(&labels).inc();
    }
}
