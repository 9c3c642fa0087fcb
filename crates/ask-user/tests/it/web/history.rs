//! Closed asks over HTTP.

use crate::support::agent::Agent;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::web::{Web, kind};

#[test]
fn filtered_asks_are_removed_except_undelivered_ones() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let agent = Web::with_token(&sandbox, "token");
    let told = agent.expect_status(201, "POST", "/v1/asks", r#"{"question":"Ship it?"}"#);
    let told = told["askId"].as_str().expect("an id").to_owned();
    let told_path = format!("/v1/asks/{told}");
    page.post_json(
        &format!("{told_path}/answer"),
        r#"{"answers":["on Friday"]}"#,
    );
    let unheard = page.get_json(&told_path);
    let reply = json(unheard["reply"].as_str().expect("the reply is a text"));
    assert_eq!(reply["answers"][0]["values"][0], "on Friday");
    assert!(agent.get_json(&told_path).get("reply").is_none());
    agent.get_json(&format!("{told_path}/wait"));
    let kept = sandbox.ask(&["Rename it?", "--confirm"]);
    sandbox.run_ok(&["answer", &kept, "--set", "yes"]);
    let removes = |query: &str| {
        let found = page.expect_status(200, "DELETE", &format!("/v1/asks?{query}"), "");
        (found["count"].as_u64(), found["undelivered"].as_u64())
    };
    for wide in ["", "?count=true", "?all=false"] {
        let refused = page.expect_status(400, "DELETE", &format!("/v1/asks{wide}"), "");
        assert_eq!(kind(&refused), "malformed", "{wide}");
    }
    // Unknown or meaningless parameters are refused; they must not be ignored.
    for odd in [
        "before=2020-01-01T00:00:00Z",
        "untill=2020-01-01T00:00:00Z",
        "count=",
        "agent=",
    ] {
        let refused = page.expect_status(400, "DELETE", &format!("/v1/asks?all=true&{odd}"), "");
        assert_eq!(kind(&refused), "malformed", "{odd}");
    }
    assert_eq!(agent.send("DELETE", "/v1/asks?all=true", "").status, 403);
    assert_eq!(removes("count=true&outcome=declined"), (Some(0), Some(0)));
    assert_eq!(
        removes("count=true&outcome=undelivered"),
        (Some(0), Some(1))
    );
    assert_eq!(removes("count=true&all=true"), (Some(1), Some(1)));
    assert_eq!(page.send("GET", &told_path, "").status, 200);
    assert_eq!(removes("all=true"), (Some(1), Some(1)));
    assert_eq!(page.send("GET", &told_path, "").status, 404);
    assert_eq!(
        page.send("GET", &format!("/v1/asks/{kept}"), "").status,
        200
    );
}

#[test]
fn the_page_gets_the_settings_in_effect() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let settings = &page.get_json("/v1/status")["settings"];
    assert_eq!(settings["keepDays"], 90);
    assert!(settings.get("language").is_none(), "{settings}");
    let file = settings["file"].as_str().expect("a file");
    assert!(file.ends_with("config.toml"), "{file}");
}

#[test]
fn the_history_is_searched_paged_exported_and_removed() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let ids: Vec<String> = ["Use the orange database?", "Ship it?", "Rename it?"]
        .iter()
        .map(|text| sandbox.ask(&[text, "--confirm"]))
        .collect();
    let waits = page.expect_status(409, "DELETE", &format!("/v1/asks/{}", ids[0]), "");
    assert_eq!(kind(&waits), "still-open");
    sandbox.run_ok(&["answer", &ids[0], "--set", "yes"]);
    sandbox.run_ok(&["decline", &ids[1]]);
    sandbox.run_ok(&["answer", &ids[2], "--set", "no"]);
    let listed = |query: &str| -> Vec<String> {
        let found = page.get_json(&format!("/v1/asks?state=closed&{query}"));
        let asks = found["asks"].as_array().expect("an array").iter();
        asks.map(|ask| ask["askId"].as_str().expect("an id").to_owned())
            .collect()
    };
    let newest_first: Vec<String> = ids.iter().rev().cloned().collect();
    assert_eq!(listed(""), newest_first);
    assert_eq!(listed("q=orange"), [ids[0].clone()]);
    assert_eq!(listed("outcome=declined"), [ids[1].clone()]);
    for key in ["q", "agent", "project", "branch", "surface"] {
        for path in ["asks?state=closed&", "history/stats?", "history/export?"] {
            let refused = page.expect_status(400, "GET", &format!("/v1/{path}{key}=%00"), "");
            assert_eq!(kind(&refused), "malformed", "{path}{key}");
        }
        page.expect_status(400, "DELETE", &format!("/v1/asks?{key}=%00"), "");
    }
    let first = page.get_json("/v1/asks?state=closed&limit=2");
    assert_eq!(first["asks"].as_array().map(Vec::len), Some(2));
    let before = &first["before"];
    assert_eq!(
        listed(&format!("limit=2&before={before}")),
        [ids[0].clone()]
    );
    for wrong in ["outcome=maybe", "since=soon", "limit=few", "recommended=1"] {
        let refused = page.expect_status(400, "GET", &format!("/v1/asks?state=closed&{wrong}"), "");
        assert_eq!(kind(&refused), "malformed", "{wrong}");
    }
    assert_eq!(page.send("GET", "/v1/asks?state=open", "").status, 400);
    let stats = page.get_json("/v1/history/stats?outcome=declined");
    assert_eq!(stats["asks"], 1);
    for (format, wanted) in [("json", "\"askId\""), ("csv", "ask_id,"), ("md", "orange")] {
        let mut out = page.send("GET", &format!("/v1/history/export?format={format}"), "");
        let text = out.text();
        assert!(text.contains(wanted), "{format}: {text}");
        let place = out.header("content-disposition").unwrap_or_default();
        assert!(place.starts_with("attachment"), "{place}");
        let printed = sandbox.run_ok(&["export", "--format", format]);
        assert_eq!(text, printed, "{format}");
    }
    let all = page.send("GET", "/v1/history/export", "").text();
    assert_eq!(json(&all).as_array().map(Vec::len), Some(3));
    let short = page.expect_status(404, "DELETE", &format!("/v1/asks/{}", &ids[1][..6]), "");
    assert_eq!(kind(&short), "not-found");
    let whole = format!("/v1/asks/{}", ids[1]);
    // A command asked without waiting, and nobody has fetched the answer.
    let unheard = page.expect_status(409, "DELETE", &whole, "");
    assert_eq!(kind(&unheard), "undelivered");
    assert_eq!(listed("outcome=declined"), [ids[1].clone()]);
    page.expect_status(204, "DELETE", &format!("{whole}?undelivered=true"), "");
    assert_eq!(listed("outcome=declined"), Vec::<String>::new());
}

#[test]
fn metrics_and_the_openapi_document_are_served() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let asked = agent.expect_status(201, "POST", "/v1/asks", r#"{"question":"A secret?"}"#);
    agent.send("POST", "/v1/asks", "{}");
    let program = Web::with_token(&sandbox, "answer-token");
    let path = format!(
        "/v1/asks/{}/answer",
        asked["askId"].as_str().expect("an id")
    );
    program.post_json(&path, r#"{"answers":["nobody's business"]}"#);
    let mut stats = agent.send("GET", "/metrics", "");
    let kind = stats.header("content-type").unwrap_or_default().to_owned();
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = stats.text();
    for line in [
        "mcp_tool_calls_total{dialect=\"native\"} 1",
        "mcp_question_latency_ms_count{outcome=\"answered\"} 1",
        "mcp_errors_total{type=\"invalid-ask\"} 1",
        "ask_user_asks_closed_total{outcome=\"answered\",surface=\"api\"} 1",
        "ask_user_http_requests_total{method=\"POST\",status=\"201\"} 1",
        "ask_user_asks_waiting 0",
        "# EOF",
    ] {
        assert!(text.lines().any(|known| known == line), "{line} in\n{text}");
    }
    assert!(
        !text.contains("secret") && !text.contains("business"),
        "{text}"
    );
    let document = agent.get_json("/openapi.json");
    assert_eq!(document["openapi"], "3.1.1");
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a log");
    assert!(
        !log.contains("secret") && !log.contains("business"),
        "{log}"
    );
}

#[test]
fn repeated_requests_are_counted_once() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let program = Web::with_token(&sandbox, "answer-token");
    let asks = agent.with_header("idempotency-key", "an ask");
    let asked = asks.expect_status(201, "POST", "/v1/asks", r#"{"question":"Ship it?"}"#);
    let path = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    let mut person = Person::new(&sandbox);
    person.next_ask();
    let mut called = Agent::connect(&sandbox, "claude");
    let call = called.call(
        "AskUserQuestion",
        r#"{"questions":[{"question":"Which?","header":"Which","multiSelect":false,"options":[{"label":"A","description":""},{"label":"B","description":""}]}]}"#,
    );
    let waits = person.next_ask();
    let answers = program.with_header("idempotency-key", "an answer");
    for _ in 0..3 {
        answers.post_json(&format!("{path}/answer"), r#"{"answers":["on Friday"]}"#);
        answers.post_json(&format!("/v1/asks/{waits}/answer"), r#"{"answers":["A"]}"#);
    }
    called.receive_reply(call);
    program.expect_status(409, "POST", &format!("{path}/decline"), "{}");
    agent.expect_status(404, "GET", "/v1/asks/a_nothing", "");
    program.expect_status(404, "GET", "/v1/asks/a_nothing", "");
    let text = agent.send("GET", "/metrics", "").text();
    let counted = |name: &str| {
        let mut lines: Vec<&str> = text.lines().filter(|line| line.starts_with(name)).collect();
        lines.sort_unstable();
        lines.join("\n")
    };
    assert_eq!(
        counted("mcp_tool_calls_total"),
        "mcp_tool_calls_total{dialect=\"claude\"} 1\nmcp_tool_calls_total{dialect=\"native\"} 1"
    );
    assert_eq!(
        counted("mcp_question_latency_ms_count"),
        "mcp_question_latency_ms_count{outcome=\"answered\"} 2"
    );
    assert_eq!(
        counted("ask_user_asks_closed_total"),
        "ask_user_asks_closed_total{outcome=\"answered\",surface=\"api\"} 2"
    );
    assert_eq!(
        counted("mcp_errors_total"),
        "mcp_errors_total{type=\"closed\"} 1\nmcp_errors_total{type=\"not-found\"} 2"
    );
}
