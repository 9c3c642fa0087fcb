//! A host that shows asks: it receives what waits, its answers count like any other surface's, it
//! is told what was closed elsewhere, and its mistakes lose nothing.

use super::{NO, SHIP};
use crate::support::host::Host;
use crate::support::hub::Hub;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

/// A question of each kind in the native dialect.
const KINDS: &str = r#"{"type":"ask_user_request","requestId":"r","title":"Set-up","questions":[
    {"id":"db","question":"Which database?","header":"Database","options":["SQLite",{"label":"PostgreSQL","description":"Battle-tested"}]},
    {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth","Docs"],"required":false},
    {"id":"now","question":"Now?","type":"confirm"},{"id":"name","question":"What name?","placeholder":"shop"}]}"#;

#[test]
fn a_request_has_all_that_is_needed_to_show_it() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &["--dialect", "native"]);
    host.send_message(&KINDS.replace('\n', " "));
    let id = host.receive_opened("r");
    // Asks that wait already are shown as well.
    let mut surface = Host::start(&sandbox, &["--surface"]);
    let request = surface.receive("ask_user_request");
    assert_eq!(request["requestId"], *id);
    assert_eq!(request["title"], "Set-up");
    let wanted = r#"[{"questionId":"db","question":"Which database?","header":"Database","type":"select","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}],"required":true},{"questionId":"parts","question":"Which parts?","type":"multi-select","options":[{"label":"Auth"},{"label":"Docs"}],"required":false,"multiSelect":true},{"questionId":"now","question":"Now?","type":"confirm","required":true,"options":[{"label":"Yes"},{"label":"No"}]},{"questionId":"name","question":"What name?","type":"text","required":true,"placeholder":"shop"}]"#;
    assert_eq!(request["questions"].to_string(), wanted);

    surface.respond(
        &id,
        r#""answers":["PostgreSQL",["Auth","and Search"],true]"#,
    );
    let error = surface.receive_error("unfinished");
    assert!(error.contains("4 (What name?)"), "{error}");
    surface.respond(&id, r#""answers":["1","2","3","4","5"]"#);
    assert!(
        surface
            .receive_error("malformed")
            .contains("5 answers for 4 questions")
    );
    surface.respond(&id, r#""answers":[["SQLite","PostgreSQL"]]"#);
    assert!(
        surface
            .receive_error("malformed")
            .contains("one choice only")
    );
    surface.respond(&id, r#""answer":"PostgreSQL""#);
    assert!(
        surface
            .receive_error("malformed")
            .contains("answers: is missing")
    );
    surface.respond(
        &id,
        r#""answers":["PostgreSQL",["Auth","and Search"],true,"order-processor"],"note":"thanks""#,
    );
    let closed = surface.receive("ask_user_closed");
    assert_eq!(closed["yours"], true, "{closed}");
    let told = host.receive("ask_user_response");
    assert_eq!(
        told["answers"][0]["values"].to_string(),
        r#"["PostgreSQL"]"#
    );
    assert_eq!(told["answers"][1]["values"].to_string(), r#"["Auth"]"#);
    assert_eq!(told["answers"][1]["customText"], "and Search");
    assert_eq!(told["answers"][2]["values"].to_string(), r#"["yes"]"#);
    assert_eq!(
        told["answers"][3]["values"].to_string(),
        r#"["order-processor"]"#
    );
    assert_eq!(told["note"], "thanks");
}

#[test]
fn two_surfaces_learn_who_answered() {
    let sandbox = Sandbox::new();
    let mut left = Host::start(&sandbox, &["--surface"]);
    let mut right = Host::start(&sandbox, &["--surface"]);
    let mut host = Host::start(&sandbox, &[]);
    host.ask("r", SHIP);
    let id = host.receive_opened("r");
    assert_eq!(left.next_shown(), id);
    assert_eq!(right.next_shown(), id);
    left.respond(&id, r#""answers":["No"]"#);
    right.respond(&id, r#""answers":["Yes"]"#);
    let closed = [&mut left, &mut right].map(|surface| {
        let closed = surface.receive("ask_user_closed");
        assert_eq!(closed["state"], "answered");
        assert_eq!(closed["by"], "rpc");
        closed["yours"] == true
    });
    assert_eq!(closed.iter().filter(|yours| **yours).count(), 1, "one won");
    let loser = if closed[0] { &mut right } else { &mut left };
    assert!(
        loser
            .receive_error("closed")
            .contains("nothing of yours was sent")
    );
    let answer = &host.receive("ask_user_response")["answers"][0]["answer"];
    assert_eq!(answer, if closed[0] { "No" } else { "Yes" });
    // Each ask is reported as closed once.
    left.respond("a_none", r#""cancelled":true"#);
    left.receive_error("unknown");
}

#[test]
fn asks_closed_elsewhere_are_reported_with_the_surface() {
    let sandbox = Sandbox::new();
    let mut surface = Host::start(&sandbox, &["--surface"]);
    let mut host = Host::start(&sandbox, &["--dialect", "native"]);
    for (name, how, by) in [
        ("a", "answered", "cli"),
        ("b", "declined", "cli"),
        ("c", "clarify", "cli"),
        ("d", "withdrawn", "agent"),
        ("e", "expired", "clock"),
    ] {
        host.send_message(&format!(
            r#"{{"type":"ask_user_request","requestId":"{name}","question":"Ship {name}?","timeout":60000}}"#
        ));
        let id = host.receive_opened(name);
        assert_eq!(surface.next_shown(), id);
        match name {
            "a" => drop(sandbox.run_ok(&["answer", &id, "--set", "now"])),
            "b" => drop(sandbox.run_ok(&["decline", &id])),
            "c" => drop(sandbox.run_ok(&["clarify", &id, "Where to?"])),
            "d" => host.send_message(r#"{"type":"ask_user_withdraw","requestId":"d"}"#),
            _ => Hub::connect(&sandbox).set_clock("2099-01-01T00:00:00Z"),
        }
        let closed = surface.receive("ask_user_closed");
        assert_eq!(closed["requestId"], *id);
        assert_eq!(closed["state"], how, "{closed}");
        assert_eq!(closed["by"], by, "{closed}");
        assert_eq!(closed["yours"], false, "{closed}");
        host.receive("ask_user_response");
        surface.respond(&id, r#""answers":["Yes"]"#);
        let error = surface.receive_error("closed");
        assert!(error.contains(&format!("{how} on {by}")), "{error}");
    }
}

#[test]
fn the_person_may_decline_ask_back_or_leave_a_question_out() {
    let sandbox = Sandbox::new();
    let mut surface = Host::start(&sandbox, &["--surface"]);
    let mut host = Host::start(&sandbox, &[]);
    let two = r#"[{"question":"One?"},{"question":"Two?"}]"#;
    for (response, reply) in [
        (
            r#""cancelled":true,"reason":"no time""#,
            r#"{"answered":false,"answers":[],"cancelled":true,"reason":"no time"}"#,
        ),
        (
            r#""answered":false,"answers":[],"cancelled":true"#,
            r#"{"answered":false,"answers":[],"cancelled":true}"#,
        ),
        (
            r#""clarify":"Which one?""#,
            r#"{"answered":false,"answers":[],"clarify":"Which one?"}"#,
        ),
        (
            r#""answers":["1"],"partial":true"#,
            r#"{"answered":true,"answers":[{"question":"One?","answer":"1","wasCustom":true},{"question":"Two?","answer":null,"wasCustom":false}]}"#,
        ),
        (
            r#""answered":true,"answers":[{"question":"One?","answer":"a","wasCustom":true},{"answer":"b"}]"#,
            r#"{"answered":true,"answers":[{"question":"One?","answer":"a","wasCustom":true},{"question":"Two?","answer":"b","wasCustom":true}]}"#,
        ),
    ] {
        host.ask("r", two);
        let id = host.receive_opened("r");
        assert_eq!(surface.next_shown(), id);
        surface.respond(&id, response);
        surface.receive("ask_user_closed");
        let facts = host.receive_reply("r", reply);
        assert_eq!(facts["ask-user/answeredBy"], "rpc");
    }
    host.ask("r", two);
    let id = host.receive_opened("r");
    surface.next_shown();
    for empty in [r#""answers":[]"#, r#""answers":[null," "],"partial":true"#] {
        surface.respond(&id, empty);
        assert!(
            surface
                .receive_error("unfinished")
                .contains("nothing is answered yet")
        );
    }
    surface.respond(&id, r#""clarify":" ""#);
    surface.receive_error("malformed");
}

#[test]
fn drafts_are_saved_for_other_surfaces() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?", "--option", "A", "--option", "B"]);
    let mut surface = Host::start(&sandbox, &["--surface"]);
    assert_eq!(surface.next_shown(), id);
    surface.send_message(&format!(
        r#"{{"type":"ask_user_shown","requestId":"{id}"}}"#
    ));
    surface.send_message(&format!(
        r#"{{"type":"ask_user_draft","requestId":"{id}","answers":[{{"answer":"in a week","selectedOption":"B","wasCustom":true}}]}}"#
    ));
    surface.end();
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(record["shownOn"], "rpc");
    let mut next = Host::start(&sandbox, &["--surface"]);
    let request = next.receive("ask_user_request");
    let draft = &request["draft"]["answers"][0];
    assert_eq!(draft["picks"][0], 1, "{request}");
    assert_eq!(draft["own"], "in a week", "{request}");
}

#[test]
fn a_surface_may_filter_asks() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join("shop");
    std::fs::create_dir_all(folder.join("src")).expect("a writable home");
    let mut host = Host::start(&sandbox, &[]);
    let mut ids = Vec::new();
    for (name, place) in [("a", "shop/src"), ("b", "shopping"), ("c", "shop")] {
        let place = sandbox.home().join(place);
        host.send_message(&format!(
            r#"{{"type":"ask_user_hello","session":"s-{name}","directory":"{}"}}"#,
            place.display()
        ));
        host.ask(name, SHIP);
        ids.push(host.receive_opened(name));
    }
    let mut shop = Host::start(&sandbox, &["--surface", "--directory", "shop"]);
    assert_eq!(
        [shop.next_shown(), shop.next_shown()],
        [ids[0].clone(), ids[2].clone()]
    );
    let mut session = Host::start(&sandbox, &["--surface", "--session", "s-b"]);
    assert_eq!(session.next_shown(), ids[1]);
    sandbox.run_ok(&["answer", &ids[1], "--set", "No"]);
    assert_eq!(session.receive("ask_user_closed")["requestId"], *ids[1]);
    sandbox.run_ok(&["answer", &ids[2], "--set", "No"]);
    assert_eq!(shop.receive("ask_user_closed")["requestId"], *ids[2]);
}

#[test]
fn a_host_may_ask_and_show_over_one_stream() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &["--surface"]);
    host.ask("r", SHIP);
    // In either order: asking and showing are two conversations.
    let first = host.process.out.next().expect("a line");
    let second = host.process.out.next().expect("a line");
    let lines = [json(&first), json(&second)];
    let of = |kind: &str| lines.iter().find(|line| line["type"] == kind);
    let opened = of("ask_user_opened").expect("a line opens the ask");
    let request = of("ask_user_request").expect("a line shows the ask");
    assert_eq!(opened["askId"], request["requestId"]);
    Hub::connect(&sandbox).kill();
    host.respond(&text(request, "requestId"), r#""answers":["No"]"#);
    let first = host.process.out.next().expect("a line");
    let second = host.process.out.next().expect("a line");
    let lines = [json(&first), json(&second)];
    assert!(lines.iter().any(|line| line["yours"] == true), "{lines:?}");
    let told = lines
        .iter()
        .find(|line| line["type"] == "ask_user_response");
    let reply = told.expect("a line has the response")["answers"].to_string();
    assert!(NO.contains(&reply), "{reply}");
}

#[test]
fn an_answer_given_before_the_end_is_sent() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Now?"]);
    let mut surface = Host::start(&sandbox, &["--surface"]);
    surface.next_shown();
    surface.respond(&id, r#""answers":["now"]"#);
    assert!(surface.end().success());
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(record["state"], "answered");
    assert_eq!(record["answeredBy"], "rpc");
}

#[test]
fn a_forgotten_ask_is_closed_too() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Now?"]);
    let mut surface = Host::start(&sandbox, &["--surface"]);
    surface.next_shown();
    sandbox.run_ok(&["decline", &id]);
    assert_eq!(surface.receive("ask_user_closed")["state"], "declined");
    sandbox.run_ok(&["forget", &id, "--yes"]);
    surface.respond(&id, r#""answers":["now"]"#);
    surface.receive_error("unknown");
}
