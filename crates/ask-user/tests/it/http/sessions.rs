//! Calls of legacy sessions: they outlive their streams and continue where those broke.

use ask_core::AskId;
use ask_protocol::ipc::{Request, Response, Verdict};

use super::{ASK, RIGHT};
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::reply::Reply;
use crate::support::sandbox::Sandbox;

/// The id of the first event of a request's stream.
fn first_event_id(call: &mut Reply) -> String {
    let (id, data) = call.event().expect("a first event");
    assert_eq!(data, "", "the first event has only an id");
    id.expect("the event has an id")
}

#[test]
fn an_answer_given_while_the_stream_was_lost_is_sent_when_resumed() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let session = Http::of_hub(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    let last = first_event_id(&mut call);
    let id = person.next_ask();
    drop(call);
    person.answer(&id, &["--set", "right"]);
    assert_ne!(
        person.record(&id)["delivered"],
        true,
        "the answer is undelivered"
    );

    let mut resumed = session.resume(&last);
    let told = resumed.tool_text();
    assert!(told.contains(RIGHT), "{told}");
    assert_eq!(resumed.event(), None, "the reply is the end of the stream");
    person.wait_for("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn a_call_continues_in_the_resumed_stream() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let session = Http::of_hub(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    let last = first_event_id(&mut call);
    let id = person.next_ask();
    let mut resumed = session.resume(&last);
    assert_eq!(call.event(), None, "of two streams the newer one counts");
    person.answer(&id, &["--set", "right"]);
    let told = resumed.tool_text();
    assert!(told.contains(RIGHT), "{told}");
    person.wait_for("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn a_new_session_takes_up_the_ask_of_a_deleted_one() {
    let sandbox = Sandbox::new();
    take_up_from_a_deleted_session(&sandbox, &Http::of_hub(&sandbox));
}

#[test]
fn a_new_session_at_an_apps_server_takes_up_the_ask_of_a_deleted_one() {
    let sandbox = Sandbox::new();
    let (_server, http) = Http::of_server(&sandbox);
    take_up_from_a_deleted_session(&sandbox, &http);
}

fn take_up_from_a_deleted_session(sandbox: &Sandbox, http: &Http) {
    let mut person = Person::new(sandbox);
    let http = http.with_query("directory=/srv/shop");
    let old = http.session();
    let mut call = old.call(1, "ask_user", ASK);
    first_event_id(&mut call);
    let id = person.next_ask();
    drop(call);
    person.answer(&id, &["--set", "right"]);
    old.send("DELETE", &[], "");

    let mut again = http.session().call(1, "ask_user", ASK);
    let told = again.tool_text();
    assert!(
        told.contains(RIGHT) && told.contains(r#""late":true"#),
        "{told}"
    );
    person.wait_for("it is delivered", |record| record["delivered"] == true);
}

/// Twins: the same client in the same folder asks the same over HTTP, without any fault.
#[test]
fn another_session_cannot_take_an_answer_while_the_asking_one_exists() {
    let sandbox = Sandbox::new();
    keep_an_answer_from_a_twin(&sandbox, &Http::of_hub(&sandbox));
}

#[test]
fn another_session_at_an_apps_server_cannot_take_an_answer_either() {
    let sandbox = Sandbox::new();
    let (_server, http) = Http::of_server(&sandbox);
    keep_an_answer_from_a_twin(&sandbox, &http);
}

fn keep_an_answer_from_a_twin(sandbox: &Sandbox, http: &Http) {
    let mut person = Person::new(sandbox);
    let http = http.with_query("directory=/srv/shop");
    let one = http.session();
    let mut call = one.call(1, "ask_user", ASK);
    first_event_id(&mut call);
    let id = person.next_ask();
    drop(call);
    person.answer(&id, &["--set", "right"]);

    let twin = http.session();
    let fetched = twin.call(1, "ask_user_result", "{}").tool_text();
    assert!(!fetched.contains(RIGHT), "{fetched}");
    let mut same = twin.call(2, "ask_user", ASK);
    first_event_id(&mut same);
    let second = person.next_ask();
    assert_ne!(second, id, "the same words of another are another question");

    let own = one.call(2, "ask_user_result", "{}").tool_text();
    assert!(own.contains(RIGHT), "{own}");
    person.answer(&second, &["--set", "left"]);
    let told = same.tool_text();
    assert!(!told.contains(RIGHT), "{told}");
}

/// An ask without a folder can't be taken up by another session.
#[test]
fn without_a_folder_an_answer_stays_until_its_id_is_named() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let http = Http::of_hub(&sandbox);
    let old = http.session();
    let mut call = old.call(1, "ask_user", ASK);
    first_event_id(&mut call);
    let id = person.next_ask();
    drop(call);
    person.answer(&id, &["--set", "right"]);
    old.send("DELETE", &[], "");

    let new = http.session();
    let fetched = new.call(1, "ask_user_result", "{}").tool_text();
    assert!(!fetched.contains(RIGHT), "{fetched}");
    let named = format!(r#"{{"askId":"{id}"}}"#);
    let told = new.call(2, "ask_user_result", &named).tool_text();
    assert!(told.contains(RIGHT), "{told}");
}

#[test]
fn a_request_id_in_use_is_refused() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let session = Http::of_hub(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    first_event_id(&mut call);
    let id = person.next_ask();
    let other = ASK.replace("Which way?", "Which other way?");
    assert_ne!(other, ASK);
    let mut second = session.call(1, "ask_user", &other);
    let refused = second.message();
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    person.answer(&id, &["--set", "right"]);
    let told = call.tool_text();
    assert!(told.contains(RIGHT), "{told}");
    // After the reply, the id may be used again.
    let mut third = session.call(1, "ask_user", &other);
    first_event_id(&mut third);
    person.next_ask();
}

#[test]
fn a_cancelled_call_and_a_closed_session_leave_the_ask() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let session = Http::of_hub(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    first_event_id(&mut call);
    person.wait_for("the call waits", |record| record["waiters"] == 1);
    session.send_message(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    );
    person.wait_for("the agent gone", |record| record.get("waiters").is_none());

    let mut again = session.call(2, "ask_user", ASK);
    first_event_id(&mut again);
    person.wait_for("the call waits", |record| record["waiters"] == 1);
    assert_eq!(session.send("DELETE", &[], "").status, 200);
    person.wait_for("the agent gone", |record| record.get("waiters").is_none());
    assert_eq!(session.call(3, "ask_user", ASK).status, 404, "it is closed");
}

#[test]
fn a_session_continues_at_the_next_hub() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let session = Http::of_hub(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    let last = first_event_id(&mut call);
    let id = person.next_ask();
    Hub::connect(&sandbox).kill();
    drop(call);
    person.answer(&id, &["--set", "right"]);

    let session = session.at_endpoint(&Http::of_hub(&sandbox));
    let mut resumed = session.resume(&last);
    // The events of the killed hub are lost with it. An empty stream would be resumed for ever.
    let lost = resumed.message();
    assert_eq!(
        (&lost["id"], &lost["error"]["code"]),
        (&1.into(), &(-32603).into())
    );
    assert_eq!(resumed.event(), None);
    let mut other = session.call(1, "ask_user", r#"{"question":"And now?"}"#);
    first_event_id(&mut other);
    let second = person.next_ask();
    // An error under this id would end the other call.
    let mut resumed = session.resume(&last);
    assert_eq!((resumed.status, resumed.event()), (200, None));
    let unknown = session.resume("0/1.5");
    assert_eq!(unknown.status, 400, "an earlier version had such ids");
    let told = session.call(2, "ask_user", ASK).tool_text();
    assert!(
        told.contains(RIGHT) && told.contains(r#""late":true"#),
        "{told}"
    );
    person.answer(&second, &["--set", "go"]);
    let told = other.tool_text();
    assert!(told.contains("go"), "{told}");
}

#[test]
fn a_delivery_while_the_hub_ended_is_stored_by_the_next() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    for round in 0..8 {
        let session = Http::of_hub(&sandbox).session();
        let question = format!(r#"{{"question":"Round {round}?"}}"#);
        let mut call = session.call(1, "ask_user", &question);
        first_event_id(&mut call);
        let id = person.next_ask();
        let mut hub = Hub::connect(&sandbox);
        hub.send(&Request::Settle {
            id: AskId::parse(&id).expect("an id"),
            verdict: Verdict::Decline { reason: None },
            surface: "story".to_owned(),
            device: None,
            attempt: 1,
            hold: false,
            relayed: false,
            sender: None,
        });
        while !matches!(hub.receive(), Some((_, Response::Settled { .. }))) {}
        hub.send(&Request::Stop);
        let told = std::iter::from_fn(|| call.event()).any(|(_, data)| data.contains("result"));
        // The next hub starts after this one has ended.
        let record = person.record(&id);
        assert_eq!(record["delivered"], told, "round {round}: {record}");
    }
}

#[test]
fn a_session_belongs_to_one_endpoint_and_deletion_is_final() {
    let sandbox = Sandbox::new();
    let session = Http::of_hub(&sandbox).session();
    Hub::connect(&sandbox).kill();
    let http = Http::of_hub(&sandbox);
    let auq = Http {
        path: "/mcp/auq".to_owned(),
        ..http.clone()
    };
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(session.at_endpoint(&auq).send_message(ping).status, 404);
    let session = session.at_endpoint(&http);
    assert_eq!(session.send_message(ping).status, 200);
    assert_eq!(session.send("DELETE", &[], "").status, 200);
    assert_eq!(session.send_message(ping).status, 404);
    Hub::connect(&sandbox).kill();
    let session = session.at_endpoint(&Http::of_hub(&sandbox));
    assert_eq!(session.send_message(ping).status, 404);
}
