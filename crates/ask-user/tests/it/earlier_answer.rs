//! The same question, asked again shortly after its answer was delivered: the answer is offered on
//! every surface, and nothing of it is marked or sent by itself.

use ask_core::record::EarlierAnswer;
use ask_core::{Answer, AskId, Draft};
use ask_protocol::ipc::{Request, TakeUp};
use ask_protocol::native;

use crate::support::agent::Agent;
use crate::support::host::Host;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;
use crate::support::web::Web;

const NOON: &str = "2026-02-04T12:00:00Z";
const CALL: &str = r#"{"question":"Which database?","options":["SQLite","PostgreSQL"]}"#;
const NAME: &str = r#"{"question":"What name?","type":"text"}"#;

/// Asks, has the person answer, and asks the same again. Returns the second call and its ask.
fn asked_again(
    agent: &mut Agent,
    person: &mut Person<'_>,
    arguments: &str,
    answer: &str,
) -> (i64, String) {
    let first = agent.call("ask_user", arguments);
    let id = person.next_ask();
    person.answer(&id, &[answer]);
    agent.receive_reply(first);
    person.wait_for("the agent has it", |record| record["delivered"] == true);
    (agent.call("ask_user", arguments), person.next_ask())
}

#[test]
fn it_is_offered_beside_the_draft_until_the_ask_is_answered() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let (call, id) = asked_again(&mut agent, &mut person, CALL, "PostgreSQL");
    let record = person.record(&id);
    assert!(record.get("draft").is_none(), "nothing is marked: {record}");
    let earlier = record["earlierAnswer"].clone();
    assert_eq!(earlier["answers"], json(r#"[{"picks":[1]}]"#), "{record}");
    let shown = sandbox.run_ok(&["show", &id]);
    assert!(shown.contains("The same was answered "), "{shown}");
    assert!(shown.contains(" ago: PostgreSQL\n"), "{shown}");
    assert!(!sandbox.run_ok(&["list"]).contains("draft"));

    // What the person types is a draft, and the offer stays.
    let mut surface = Host::start(&sandbox, &["--surface"]);
    let request = surface.receive("ask_user_request");
    assert_eq!(request["earlierAnswer"], earlier, "{request}");
    assert!(request.get("draft").is_none(), "{request}");
    surface.send_message(&format!(
        r#"{{"type":"ask_user_draft","requestId":"{id}","answers":["SQLite"]}}"#
    ));
    surface.end();
    let page = Web::page(&sandbox);
    let record = page.get_json(&format!("/v1/asks/{id}"));
    assert_eq!(record["draft"]["answers"], json(r#"[{"picks":[0]}]"#));
    assert_eq!(record["earlierAnswer"], earlier);
    let seen = Web::with_token(&sandbox, "token").get_json(&format!("/v1/asks/{id}"));
    assert!(seen.get("earlierAnswer").is_none(), "not by agents: {seen}");
    Hub::connect(&sandbox).kill();
    assert_eq!(person.record(&id)["earlierAnswer"], earlier);

    person.answer(&id, &["SQLite"]);
    assert!(agent.receive_reply(call).contains(r#""values":["SQLite"]"#));
    assert!(person.record(&id).get("earlierAnswer").is_none());
}

#[test]
fn after_a_quarter_of_an_hour_and_to_another_question_nothing_is_offered() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let (_, id) = asked_again(&mut agent, &mut person, CALL, "PostgreSQL");
    person.answer(&id, &["PostgreSQL"]);
    person.wait_for("the agent has it", |record| {
        record["askId"] == *id && record["delivered"] == true
    });
    agent.call("ask_user", NAME);
    let other = person.next_ask();
    assert!(person.record(&other).get("earlierAnswer").is_none());
    Hub::connect(&sandbox).set_clock("2026-02-04T12:15:01Z");
    agent.call("ask_user", CALL);
    let late = person.next_ask();
    assert!(person.record(&late).get("earlierAnswer").is_none());
}

#[test]
fn no_client_can_say_what_the_person_answered() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which region?"]);
    let record = sandbox.run_ok(&["show", &id, "--json"]);
    let forged = AskId::native([7; 16]);
    let record = record.replace(&id, forged.as_str());
    let mut record = native::read_record(&record).expect("a record");
    record.earlier_answer = Some(EarlierAnswer {
        draft: Draft {
            answers: vec![Answer::saying("Frankfurt")],
            note: None,
        },
        at: record.asked_at,
    });
    let mut hub = Hub::connect(&sandbox);
    hub.call(&Request::Open {
        record: Box::new(record),
        wait: false,
        take_up: TakeUp::Never,
    });
    let opened = json(&sandbox.run_ok(&["show", forged.as_str(), "--json"]));
    assert_eq!(opened["state"], "waiting", "{opened}");
    assert!(opened.get("earlierAnswer").is_none(), "{opened}");
}

#[test]
fn in_the_terminal_one_key_fills_it_in_and_the_next_sends_it() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let (call, id) = asked_again(&mut agent, &mut person, CALL, "PostgreSQL");
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("WAITING");
    screen.press(&["Enter"]);
    screen.wait_for("PostgreSQL (Alt+u fills it in)");
    screen.wait_until_ready();
    screen.press(&["M-u"]);
    screen.wait_until_gone("fills it in");
    person.wait_for("it is a draft now", |record| {
        record["askId"] == *id && record["draft"]["answers"][0]["picks"][0] == 1
    });
    assert_eq!(person.record(&id)["state"], "waiting", "nothing was sent");
    screen.press(&["Enter"]);
    assert!(
        agent
            .receive_reply(call)
            .contains(r#""values":["PostgreSQL"]"#)
    );
}
