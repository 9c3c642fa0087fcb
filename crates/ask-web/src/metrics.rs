//! Figures for operators, in the text form of OpenMetrics. One table says what there is; the page
//! in the docs is printed from it.

use std::fmt::Write as _;

use ask_hub::counts::{BUCKETS_MS, Tally, Took};
use ask_hub::http::problem::Problem;
use ask_hub::http::reply;
use ask_protocol::ipc::{Request, Response as Said, Status};
use axum::response::Response;

use super::Web;

/// What a scraper reads.
const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How one metric comes by its samples.
enum Samples {
    /// Of what was counted.
    Counted(fn(&Tally) -> Vec<(String, u64)>),
    /// Of times.
    Times(fn(&Tally) -> Vec<(String, Took)>),
    /// Of how things stand.
    Standing(fn(&Status, usize) -> u64),
    /// That this version runs.
    Version,
}

/// One metric.
struct Metric {
    name: &'static str,
    labels: &'static str,
    does: &'static str,
    samples: Samples,
}

const METRICS: [Metric; 13] = [
    Metric {
        name: "mcp_tool_calls",
        labels: "dialect",
        does: "Calls that asked something, also those that came again for the same ask",
        samples: Samples::Counted(|tally| {
            let calls = tally.calls.iter();
            calls
                .map(|(dialect, count)| (label("dialect", dialect), *count))
                .collect()
        }),
    },
    Metric {
        name: "mcp_question_latency_ms",
        labels: "outcome",
        does: "How long asks were open until a person closed them, in milliseconds",
        samples: Samples::Times(|tally| {
            let took = tally.took.iter();
            took.map(|(outcome, took)| (label("outcome", outcome), took.clone()))
                .collect()
        }),
    },
    Metric {
        name: "mcp_errors",
        labels: "type",
        does: "Requests to the hub that failed, and calls of agents that came to nothing: unfit, too-large or too-many. A call that fails where no hub runs is counted nowhere",
        samples: Samples::Counted(|tally| {
            let errors = tally.errors.iter();
            errors
                .map(|(kind, count)| (label("type", kind), *count))
                .collect()
        }),
    },
    Metric {
        name: "ask_user_asks_closed",
        labels: "outcome, surface",
        does: "Asks that were closed: how, and where",
        samples: Samples::Counted(|tally| {
            let closed = tally.closed.iter();
            closed
                .map(|((outcome, surface), count)| {
                    let labels = [label("outcome", outcome), label("surface", surface)];
                    (labels.join(","), *count)
                })
                .collect()
        }),
    },
    Metric {
        name: "ask_user_http_requests",
        labels: "method, status",
        does: "Requests to the HTTP API and the page",
        samples: Samples::Counted(|tally| {
            let requests = tally.requests.iter();
            requests
                .map(|((method, status), count)| {
                    let status = status.to_string();
                    let labels = [label("method", method), label("status", &status)];
                    (labels.join(","), *count)
                })
                .collect()
        }),
    },
    Metric {
        name: "ask_user_asks_waiting",
        labels: "",
        does: "Asks that wait for their person",
        samples: Samples::Standing(|status, _| status.waiting),
    },
    Metric {
        name: "ask_user_asks_snoozed",
        labels: "",
        does: "Those of them that were put aside",
        samples: Samples::Standing(|status, _| status.snoozed),
    },
    Metric {
        name: "ask_user_answers_undelivered",
        labels: "",
        does: "Answers that no agent has come for yet",
        samples: Samples::Standing(|status, _| status.undelivered),
    },
    Metric {
        name: "ask_user_calls_waiting",
        labels: "",
        does: "Calls that wait for an outcome",
        samples: Samples::Standing(|status, _| status.waiters),
    },
    Metric {
        name: "ask_user_clients",
        labels: "",
        does: "Connections to the hub",
        samples: Samples::Standing(|status, _| status.clients),
    },
    Metric {
        name: "ask_user_surfaces",
        labels: "",
        does: "Places to answer that are open",
        samples: Samples::Standing(|status, _| status.surfaces),
    },
    Metric {
        name: "ask_user_pages",
        labels: "",
        does: "Those of them that are pages in a browser",
        samples: Samples::Standing(|_, pages| pages as u64),
    },
    Metric {
        name: "ask_user_build",
        labels: "version",
        does: "The version that runs",
        samples: Samples::Version,
    },
];

/// All of them, as they stand.
pub async fn serve(web: &Web) -> Result<Response, Problem> {
    let status = match web.say(Request::Status).await? {
        Said::Status(status) => status,
        other => return Err(Problem::odd(&other)),
    };
    let text = write(&web.beside.counts.tally(), &status, web.streams.count());
    let mut response = reply::text(text);
    reply::kind(&mut response, KIND);
    Ok(response)
}

fn write(tally: &Tally, status: &Status, pages: usize) -> String {
    let mut out = String::new();
    for metric in &METRICS {
        let name = metric.name;
        let _ = writeln!(out, "# TYPE {name} {}", metric.kind());
        let _ = writeln!(out, "# HELP {name} {}.", metric.does);
        match metric.samples {
            Samples::Counted(of) => {
                for (labels, count) in of(tally) {
                    let _ = writeln!(out, "{name}_total{{{labels}}} {count}");
                }
            }
            Samples::Times(of) => {
                for (labels, took) in of(tally) {
                    times(&mut out, name, &labels, &took);
                }
            }
            Samples::Standing(of) => {
                let _ = writeln!(out, "{name} {}", of(status, pages));
            }
            Samples::Version => {
                let version = label("version", &status.version);
                let _ = writeln!(out, "{name}_info{{{version}}} 1");
            }
        }
    }
    out.push_str("# EOF\n");
    out
}

fn times(out: &mut String, name: &str, labels: &str, took: &Took) {
    for (most, within) in BUCKETS_MS.iter().zip(took.within) {
        let _ = writeln!(out, "{name}_bucket{{{labels},le=\"{most}.0\"}} {within}");
    }
    let _ = writeln!(out, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", took.count);
    let _ = writeln!(out, "{name}_count{{{labels}}} {}", took.count);
    let _ = writeln!(out, "{name}_sum{{{labels}}} {}", took.sum_ms);
}

/// A label whose value is anybody's.
fn label(name: &str, value: &str) -> String {
    let value = value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("{name}=\"{value}\"")
}

impl Metric {
    fn kind(&self) -> &'static str {
        match self.samples {
            Samples::Counted(_) => "counter",
            Samples::Times(_) => "histogram",
            Samples::Standing(_) => "gauge",
            Samples::Version => "info",
        }
    }

    /// As a scraper's queries name it.
    fn full_name(&self) -> String {
        match self.samples {
            Samples::Counted(_) => format!("{}_total", self.name),
            Samples::Times(_) | Samples::Standing(_) => self.name.to_owned(),
            Samples::Version => format!("{}_info", self.name),
        }
    }
}

/// The page in the docs.
pub fn page() -> String {
    let mut text = String::from(
        "\n# Metrics\n\n`GET /metrics` on the hub's port, in OpenMetrics, for whoever shows a token (`Authorization: Bearer`; the files `token` and `answer-token` in the folder of state). Counters begin anew with each hub. Nothing in them tells what was asked or answered.\n\n| metric | type | labels | what it counts |\n|---|---|---|---|\n",
    );
    for metric in &METRICS {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            metric.full_name(),
            metric.kind(),
            metric.labels,
            metric.does
        );
    }
    text.push_str("\nPrometheus reads them with:\n\n```yaml\nscrape_configs:\n  - job_name: ask-user\n    authorization:\n      credentials_file: /path/to/state/ask-user/token\n    static_configs:\n      - targets: [\"127.0.0.1:4127\"]\n```\n");
    text
}

#[cfg(test)]
mod tests {
    use ask_protocol::ipc::{Fault, Response};

    use ask_hub::counts::Counts;

    use super::*;

    #[test]
    fn a_scraper_reads_this() {
        let counts = Counts::default();
        counts.served("GET", 200);
        counts.served("PROPFIND", 401);
        counts.said(&Response::Fault {
            kind: Fault::NotFound,
            text: "a secret".to_owned(),
        });
        let mut tally = counts.tally();
        let calls = [("native".to_owned(), 3), ("a\"b".to_owned(), 1)];
        tally.calls.extend(calls);
        tally.took.insert(
            "answered",
            Took {
                within: std::array::from_fn(|at| u64::from(at > 3)),
                count: 1,
                sum_ms: 42_000,
            },
        );
        tally.closed.insert(("answered", "web".to_owned()), 1);
        let status = Status {
            version: "1.2.3".to_owned(),
            waiting: 2,
            ..Status::default()
        };
        insta::assert_snapshot!(write(&tally, &status, 1));
    }
}
