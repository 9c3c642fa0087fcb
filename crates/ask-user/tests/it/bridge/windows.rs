//! Several windows of one app: each receives the asks of its own agents, and an app that lost its
//! connection continues where it was.

use crate::support::agent::Agent;
use crate::support::app::App;
use crate::support::http::Http;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

const INSTANCE: &str = "ASK_USER_INSTANCE";
const SHIP: &str = r#"{"questions":[{"question":"Ship it?","type":"confirm"}]}"#;

/// The port and the token of the hub's bridge.
fn port_and_token(sandbox: &Sandbox) -> (u16, String) {
    let port = Http::of_hub(sandbox).port;
    let token = std::fs::read_to_string(sandbox.home().join("answer-token"));
    (port, token.expect("the hub's token").trim().to_owned())
}

fn connect_window(sandbox: &Sandbox, query: &str) -> App {
    let (port, token) = port_and_token(sandbox);
    let connected = App::connect_with_query(port, query, &token, &[]);
    connected.unwrap_or_else(|status| panic!("{query} is refused with {status}"))
}

fn answer_event(id: &str, value: &str) -> String {
    format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"values":["{value}"]}}]}}"#
    )
}

#[test]
fn each_window_has_the_questions_of_its_own_agents() {
    let sandbox = Sandbox::new();
    let (mut all, mut first, mut second) = (
        connect_window(&sandbox, ""),
        connect_window(&sandbox, "?instance=w1"),
        connect_window(&sandbox, "?instance=w2"),
    );
    // The program, the folder and the question are the same, but two windows are two agents.
    let mut one = Agent::with_variable(&sandbox, "codenomad", (INSTANCE, "w1"));
    let mut other = Agent::with_variable(&sandbox, "codenomad", (INSTANCE, "w2"));
    let ship = one.call("ask_user", SHIP);
    let asked = first.receive("cn_ask_user.asked");
    assert_eq!(asked["instanceId"], "w1", "{asked}");
    assert_eq!(all.receive("cn_ask_user.asked"), asked);
    let shipped = other.call("ask_user", SHIP);
    let others = second.receive("cn_ask_user.asked");
    assert_eq!(others["instanceId"], "w2", "{others}");
    assert_eq!(all.receive("cn_ask_user.asked"), others);
    let (mine, theirs) = (text(&asked, "requestId"), text(&others, "requestId"));
    assert_ne!(mine, theirs);

    // One window can't answer for another by mistake.
    second.send_message(&answer_event(&mine, "no"));
    assert_eq!(second.receive("cn_ask_user.error")["code"], "unknown");
    second.send_message(&answer_event(&theirs, "no"));
    assert!(other.receive_reply(shipped).contains(r#""values":["no"]"#));
    second.receive("cn_ask_user.answered");
    first.send_message(&answer_event(&mine, "yes"));
    assert!(one.receive_reply(ship).contains(r#""values":["yes"]"#));
    first.receive("cn_ask_user.answered");
    for closed in [&theirs, &mine] {
        assert_eq!(all.receive("cn_ask_user.answered")["requestId"], **closed);
    }

    // An ask without a window is in none of the windows, and in every list.
    let loose = sandbox.ask(&["Loose?"]);
    assert_eq!(all.receive("cn_ask_user.asked")["requestId"], loose);
    let mut both = connect_window(&sandbox, "?instance=w1&instance=w2");
    let http = Http::of_hub(&sandbox);
    let over_http = http.with_query("instance=w2");
    let call =
        std::thread::spawn(move || over_http.call(1, "ask_user", r#"{"question":"By URL?"}"#));
    let by_url = both.receive("cn_ask_user.asked");
    assert_eq!(by_url["instanceId"], "w2", "{by_url}");
    assert_eq!(second.receive("cn_ask_user.asked"), by_url);
    both.send_message(&answer_event(&text(&by_url, "requestId"), "so"));
    let told = call.join().expect("the call ends").message().to_string();
    assert!(told.contains("so"), "{told}");
    for app in [all, first, second, both] {
        app.close();
    }
}

#[test]
fn an_invalid_window_filter_is_refused() {
    let sandbox = Sandbox::new();
    let (port, token) = port_and_token(&sandbox);
    for query in [
        "?instance=",
        "?instanceId=%20",
        "?directory=shop",
        "?open=/",
    ] {
        let refused = App::connect_with_query(port, query, &token, &[]).err();
        assert_eq!(refused, Some(400), "{query}");
    }
}

#[test]
fn an_open_ask_is_not_taken_up_from_another_window() {
    let sandbox = Sandbox::new();
    let mut first = connect_window(&sandbox, "?instance=w1");
    let mut one = Agent::with_variable(&sandbox, "native", (INSTANCE, "w1"));
    one.call("ask_user", r#"{"question":"Which?"}"#);
    let asked = first.receive("cn_ask_user.asked");
    one.end();
    // The app starts again and names its windows differently.
    let mut again = connect_window(&sandbox, "?instance=w9");
    let mut back = Agent::with_variable(&sandbox, "native", (INSTANCE, "w9"));
    let call = back.call("ask_user", r#"{"question":"Which?"}"#);
    let anew = again.receive("cn_ask_user.asked");
    assert_ne!(anew["requestId"], asked["requestId"]);
    again.send_message(&answer_event(&text(&anew, "requestId"), "this"));
    assert!(back.receive_reply(call).contains("this"));
    // A given answer reaches its agent whatever its window is called now.
    first.send_message(&answer_event(&text(&asked, "requestId"), "kept"));
    first.receive("cn_ask_user.answered");
    let call = back.call("ask_user", r#"{"question":"Which?"}"#);
    assert!(back.receive_reply(call).contains("kept"));
}

#[test]
fn a_reconnected_app_learns_how_its_asks_ended() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = ["One?", "Two?", "Three?"]
        .iter()
        .map(|question| sandbox.ask(&[question]))
        .collect();
    let mut app = connect_window(&sandbox, "");
    for id in &ids {
        assert_eq!(app.receive("cn_ask_user.asked")["requestId"], **id);
    }
    drop(app);
    sandbox.run_ok(&["answer", &ids[0], "--set", "here"]);
    sandbox.run_ok(&["decline", &ids[1]]);
    let new = sandbox.ask(&["Four?"]);
    let mut app = connect_window(&sandbox, &format!("?open={},a_nosuchask", ids.join(",")));
    // The ask that still waits isn't announced again.
    assert_eq!(app.receive("cn_ask_user.asked")["requestId"], new);
    let mut closed: Vec<_> = Vec::new();
    for kind in ["answered", "cancelled", "cancelled"] {
        closed.push(app.receive(&format!("cn_ask_user.{kind}")));
    }
    closed.sort_by_key(|event| event["reason"].to_string());
    assert_eq!(closed[0]["reason"], "declined", "{closed:?}");
    assert_eq!(closed[1]["reason"], "forgotten", "{closed:?}");
    assert_eq!(closed[2]["requestId"], ids[0], "{closed:?}");
    app.send_message(&answer_event(&ids[2], "three"));
    assert_eq!(app.receive("cn_ask_user.answered")["requestId"], ids[2]);
    let record = json(&sandbox.run_ok(&["show", &ids[2], "--json"]));
    assert_eq!(record["answeredBy"], "bridge", "{record}");
}

#[test]
fn an_event_that_is_too_long_is_refused_and_the_app_goes_on() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let mut app = connect_window(&sandbox, "");
    app.receive("cn_ask_user.asked");
    app.send_message(&answer_event(&id, &"x".repeat(300_000)));
    assert_eq!(app.receive("cn_ask_user.error")["code"], "too-long");
    app.send_message(&answer_event(&id, "short"));
    app.receive("cn_ask_user.answered");
}
