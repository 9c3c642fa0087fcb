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
fn beginning(call: &mut Reply) -> String {
    let (id, data) = call.event().expect("a first event");
    assert_eq!(data, "", "the first event has only an id");
    id.expect("the event has an id")
}

#[test]
fn an_answer_given_while_the_stream_was_lost_comes_with_the_next() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let session = Http::of(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    let last = beginning(&mut call);
    let id = person.asked();
    drop(call);
    person.answers(&id, &["--set", "right"]);
    assert_ne!(
        person.shows(&id)["delivered"],
        true,
        "the answer is undelivered"
    );

    let mut resumed = session.resume(&last);
    let told = resumed.told();
    assert!(told.contains(RIGHT), "{told}");
    assert_eq!(resumed.event(), None, "the reply is the end of the stream");
    person.sees("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn a_call_goes_on_in_the_stream_that_its_client_comes_back_with() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let session = Http::of(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    let last = beginning(&mut call);
    let id = person.asked();
    let mut resumed = session.resume(&last);
    assert_eq!(call.event(), None, "of two streams the newer one counts");
    person.answers(&id, &["--set", "right"]);
    let told = resumed.told();
    assert!(told.contains(RIGHT), "{told}");
    person.sees("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn an_agent_that_starts_anew_is_told_what_its_old_session_was_not() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let http = Http::of(&sandbox).with("directory=/srv/shop");
    let old = http.session();
    let mut call = old.call(1, "ask_user", ASK);
    beginning(&mut call);
    let id = person.asked();
    drop(call);
    person.answers(&id, &["--set", "right"]);
    old.send("DELETE", &[], "");

    let mut again = http.session().call(1, "ask_user", ASK);
    let told = again.told();
    assert!(
        told.contains(RIGHT) && told.contains(r#""late":true"#),
        "{told}"
    );
    person.sees("it is delivered", |record| record["delivered"] == true);
}

/// Twins: the same client in the same folder asks the same over HTTP, without any fault.
#[test]
fn an_answer_is_nobody_else_s_while_the_session_that_asked_stands() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let http = Http::of(&sandbox).with("directory=/srv/shop");
    let one = http.session();
    let mut call = one.call(1, "ask_user", ASK);
    beginning(&mut call);
    let id = person.asked();
    drop(call);
    person.answers(&id, &["--set", "right"]);

    let twin = http.session();
    let fetched = twin.call(1, "ask_user_result", "{}").told();
    assert!(!fetched.contains(RIGHT), "{fetched}");
    let mut same = twin.call(2, "ask_user", ASK);
    beginning(&mut same);
    let second = person.asked();
    assert_ne!(second, id, "the same words of another are another question");

    let own = one.call(2, "ask_user_result", "{}").told();
    assert!(own.contains(RIGHT), "{own}");
    person.answers(&second, &["--set", "left"]);
    let told = same.told();
    assert!(!told.contains(RIGHT), "{told}");
}

/// An ask without a folder can't be taken up by another session.
#[test]
fn without_a_folder_an_answer_stays_until_its_id_is_named() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let http = Http::of(&sandbox);
    let old = http.session();
    let mut call = old.call(1, "ask_user", ASK);
    beginning(&mut call);
    let id = person.asked();
    drop(call);
    person.answers(&id, &["--set", "right"]);
    old.send("DELETE", &[], "");

    let new = http.session();
    let fetched = new.call(1, "ask_user_result", "{}").told();
    assert!(!fetched.contains(RIGHT), "{fetched}");
    let named = format!(r#"{{"askId":"{id}"}}"#);
    let told = new.call(2, "ask_user_result", &named).told();
    assert!(told.contains(RIGHT), "{told}");
}

#[test]
fn an_id_in_use_is_refused_so_that_no_answer_comes_under_another_question() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let session = Http::of(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    beginning(&mut call);
    let id = person.asked();
    let other = ASK.replace("Which way?", "Which other way?");
    assert_ne!(other, ASK);
    let mut second = session.call(1, "ask_user", &other);
    let refused = second.message();
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    person.answers(&id, &["--set", "right"]);
    let told = call.told();
    assert!(told.contains(RIGHT), "{told}");
    // After the reply, the id may be used again.
    let mut third = session.call(1, "ask_user", &other);
    beginning(&mut third);
    person.asked();
}

#[test]
fn a_cancelled_call_and_a_closed_session_are_left_calls() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let session = Http::of(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    beginning(&mut call);
    person.sees("the call waits", |record| record["waiters"] == 1);
    session.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    person.sees("the agent gone", |record| record.get("waiters").is_none());

    let mut again = session.call(2, "ask_user", ASK);
    beginning(&mut again);
    person.sees("the call waits", |record| record["waiters"] == 1);
    assert_eq!(session.send("DELETE", &[], "").status, 200);
    person.sees("the agent gone", |record| record.get("waiters").is_none());
    assert_eq!(session.call(3, "ask_user", ASK).status, 404, "it is closed");
}

#[test]
fn a_session_goes_on_at_the_next_hub_as_if_nothing_had_been() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let session = Http::of(&sandbox).session();
    let mut call = session.call(1, "ask_user", ASK);
    let last = beginning(&mut call);
    let id = person.asked();
    Hub::of(&sandbox).kill();
    drop(call);
    person.answers(&id, &["--set", "right"]);

    let session = session.at(&Http::of(&sandbox));
    let mut resumed = session.resume(&last);
    // The events of the killed hub are lost with it. An empty stream would be resumed for ever.
    let lost = resumed.message();
    assert_eq!(
        (&lost["id"], &lost["error"]["code"]),
        (&1.into(), &(-32603).into())
    );
    assert_eq!(resumed.event(), None);
    let mut other = session.call(1, "ask_user", r#"{"question":"And now?"}"#);
    beginning(&mut other);
    let second = person.asked();
    // An error under this id would end the other call.
    let mut resumed = session.resume(&last);
    assert_eq!((resumed.status, resumed.event()), (200, None));
    let unknown = session.resume("0/1.5");
    assert_eq!(unknown.status, 400, "an earlier version had such ids");
    let told = session.call(2, "ask_user", ASK).told();
    assert!(
        told.contains(RIGHT) && told.contains(r#""late":true"#),
        "{told}"
    );
    person.answers(&second, &["--set", "go"]);
    let told = other.told();
    assert!(told.contains("go"), "{told}");
}

#[test]
fn what_was_told_while_the_hub_ended_counts_as_told_at_the_next() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    for round in 0..8 {
        let session = Http::of(&sandbox).session();
        let question = format!(r#"{{"question":"Round {round}?"}}"#);
        let mut call = session.call(1, "ask_user", &question);
        beginning(&mut call);
        let id = person.asked();
        let mut hub = Hub::of(&sandbox);
        hub.send(&Request::Settle {
            id: AskId::parse(&id).expect("an id"),
            verdict: Verdict::Decline { reason: None },
            surface: "story".to_owned(),
            device: None,
            attempt: 1,
            sender: None,
        });
        while !matches!(hub.hear(), Some((_, Response::Settled { .. }))) {}
        hub.send(&Request::Stop);
        let told = std::iter::from_fn(|| call.event()).any(|(_, data)| data.contains("result"));
        // The next hub starts after this one has ended.
        let record = person.shows(&id);
        assert_eq!(record["delivered"], told, "round {round}: {record}");
    }
}

#[test]
fn a_session_is_of_one_endpoint_and_ends_for_good_when_it_is_deleted() {
    let sandbox = Sandbox::new();
    let session = Http::of(&sandbox).session();
    Hub::of(&sandbox).kill();
    let http = Http::of(&sandbox);
    let auq = Http {
        path: "/mcp/auq".to_owned(),
        ..http.clone()
    };
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(session.at(&auq).say(ping).status, 404);
    let session = session.at(&http);
    assert_eq!(session.say(ping).status, 200);
    assert_eq!(session.send("DELETE", &[], "").status, 200);
    assert_eq!(session.say(ping).status, 404);
    Hub::of(&sandbox).kill();
    let session = session.at(&Http::of(&sandbox));
    assert_eq!(session.say(ping).status, 404);
}
