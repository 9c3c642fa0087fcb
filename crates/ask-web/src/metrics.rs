//! Metrics for operators, in the text format of OpenMetrics 1.0. One table defines them, and
//! docs/reference/metrics.md is generated from it.

use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;

use ask_hub::http::problem::Problem;
use ask_hub::http::reply;
use ask_hub::metrics::Counters;
use ask_protocol::ipc::{Request, Response as HubResponse, Status};
use axum::extract::State;
use axum::response::Response;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeGaugeValue, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use super::Web;

/// The content type of OpenMetrics.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The values of all metrics at the moment of a scrape.
#[derive(Debug, Default)]
struct MetricValues {
    counts: Counters,
    status: Status,
    pages: usize,
}

/// A metric, and how its values are read.
struct Metric {
    name: &'static str,
    labels: &'static str,
    help: &'static str,
    value: fn(&MetricValues) -> Box<dyn EncodeMetric>,
}

const METRICS: [Metric; 13] = [
    Metric {
        name: "mcp_tool_calls",
        labels: "dialect",
        help: "Calls that asked something, including repeated calls for the same ask",
        value: |all| Box::new(all.counts.calls.clone()),
    },
    Metric {
        name: "mcp_question_latency_ms",
        labels: "outcome",
        help: "How long asks were open until a person closed them, in milliseconds",
        value: |all| Box::new(all.counts.latency.clone()),
    },
    Metric {
        name: "mcp_errors",
        labels: "type",
        help: "Requests to the hub that failed, and calls of agents that failed: invalid-call, too-large or too-many. Calls that fail without a hub are not counted",
        value: |all| Box::new(all.counts.errors.clone()),
    },
    Metric {
        name: "ask_user_asks_closed",
        labels: "outcome, surface",
        help: "Asks that were closed, by outcome and surface",
        value: |all| Box::new(all.counts.closed.clone()),
    },
    Metric {
        name: "ask_user_http_requests",
        labels: "method, status",
        help: "Requests to the HTTP API and the page",
        value: |all| Box::new(all.counts.requests.clone()),
    },
    Metric {
        name: "ask_user_asks_waiting",
        labels: "",
        help: "Asks that wait for a person",
        value: |all| gauge(all.status.waiting),
    },
    Metric {
        name: "ask_user_asks_snoozed",
        labels: "",
        help: "Asks that wait and are snoozed",
        value: |all| gauge(all.status.snoozed),
    },
    Metric {
        name: "ask_user_answers_undelivered",
        labels: "",
        help: "Answers that no agent has received yet",
        value: |all| gauge(all.status.undelivered),
    },
    Metric {
        name: "ask_user_calls_waiting",
        labels: "",
        help: "Calls that wait for an outcome",
        value: |all| gauge(all.status.waiters),
    },
    Metric {
        name: "ask_user_clients",
        labels: "",
        help: "Connections to the hub",
        value: |all| gauge(all.status.clients),
    },
    Metric {
        name: "ask_user_surfaces",
        labels: "",
        help: "Open surfaces, on which a person can answer",
        value: |all| gauge(all.status.surfaces),
    },
    Metric {
        name: "ask_user_pages",
        labels: "",
        help: "Open surfaces that are pages in a browser",
        value: |all| gauge(all.pages),
    },
    Metric {
        name: "ask_user_build",
        labels: "version",
        help: "The version of the hub",
        value: |all| Box::new(Info::new([("version", all.status.version.clone())])),
    },
];

fn gauge(value: impl EncodeGaugeValue + 'static) -> Box<dyn EncodeMetric> {
    Box::new(ConstGauge::new(value))
}

impl Collector for MetricValues {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for metric in &METRICS {
            let value = (metric.value)(self);
            let help = format!("{}.", metric.help);
            let kind = value.metric_type();
            value.encode(encoder.encode_descriptor(metric.name, &help, None, kind)?)?;
        }
        Ok(())
    }
}

/// Get metrics for operators, in OpenMetrics format
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    responses((status = 200, description = "Done", body = String, content_type = "application/openmetrics-text"))
)]
pub async fn serve(State(web): State<Arc<Web>>) -> Result<Response, Problem> {
    let status = match web.send(Request::Status).await? {
        HubResponse::Status(status) => status,
        other => return Err(Problem::unexpected_response(&other)),
    };
    let mut response = reply::text(encode_text(MetricValues {
        counts: web.hub_state.metrics.clone(),
        status,
        pages: web.streams.count(),
    }));
    reply::set_content_type(&mut response, CONTENT_TYPE);
    Ok(response)
}

fn encode_text(values: MetricValues) -> String {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(values));
    let mut out = String::new();
    // Writing into a `String` can't fail.
    let _ = encode(&mut out, &registry);
    out
}

impl Metric {
    fn kind(&self) -> MetricType {
        (self.value)(&MetricValues::default()).metric_type()
    }

    /// The name as in queries, with the suffix of its type.
    fn full_name(&self) -> String {
        let suffix = match self.kind() {
            MetricType::Counter => "_total",
            MetricType::Info => "_info",
            MetricType::Gauge | MetricType::Histogram | MetricType::Unknown => "",
        };
        format!("{}{suffix}", self.name)
    }
}

/// Writes the page `docs/reference/metrics.md`.
pub fn page() -> String {
    let mut text = String::from(
        "\n# Metrics\n\n`GET /metrics` on the hub's port returns these metrics in OpenMetrics. It needs `Authorization: Bearer` with the content of the file `token` or `answer-token` in the state folder. Counters begin at zero with each hub. No metric contains questions or answers.\n\n| metric | type | labels | what it counts |\n|---|---|---|---|\n",
    );
    for metric in &METRICS {
        // Writing into a `String` can't fail.
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            metric.full_name(),
            metric.kind().as_str(),
            metric.labels,
            metric.help
        );
    }
    text.push_str("\nPrometheus reads them with:\n\n```yaml\nscrape_configs:\n  - job_name: ask-user\n    authorization:\n      credentials_file: /path/to/state/ask-user/token\n    static_configs:\n      - targets: [\"127.0.0.1:4127\"]\n```\n");
    text
}

#[cfg(test)]
mod tests {
    use ask_hub::metrics::{CallLabels, ClosedLabels, LatencyLabels};
    use ask_protocol::ipc::{ErrorKind, Response};

    use super::*;

    #[test]
    fn the_text_matches_the_snapshot() {
        let counts = Counters::default();
        counts.count_http_request("PROPFIND", 401);
        counts.count_response(&Response::Fault {
            kind: ErrorKind::NotFound,
            text: "a secret".to_owned(),
        });
        let dialect = "a\"b\\\n".to_owned();
        let calls = counts.calls.get_or_create_owned(&CallLabels { dialect });
        calls.inc_by(3);
        let outcome = "answered";
        let latency = counts
            .latency
            .get_or_create_owned(&LatencyLabels { outcome });
        latency.observe(42_000.0);
        let surface = "web".to_owned();
        let closed = ClosedLabels { outcome, surface };
        counts.closed.get_or_create_owned(&closed).inc();
        let status = Status {
            version: "1.2.3".to_owned(),
            waiting: 2,
            ..Status::default()
        };
        insta::assert_snapshot!(encode_text(MetricValues {
            counts,
            status,
            pages: 1,
        }));
    }

    #[test]
    fn unknown_methods_are_counted_as_other() {
        let counts = Counters::default();
        for method in ["GET", "PROPFIND", "X-SECRET", "GET"] {
            counts.count_http_request(method, 200);
        }
        let values = MetricValues {
            counts,
            ..MetricValues::default()
        };
        let written = encode_text(values);
        let mut requests: Vec<&str> = written
            .lines()
            .filter(|line| line.starts_with("ask_user_http_requests_total"))
            .collect();
        requests.sort_unstable();
        let wanted = [
            "ask_user_http_requests_total{method=\"GET\",status=\"200\"} 2",
            "ask_user_http_requests_total{method=\"other\",status=\"200\"} 2",
        ];
        assert_eq!(requests, wanted);
    }
}
