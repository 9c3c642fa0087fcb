//! An agent that asks the same again, in every dialect: it receives the outcome of the ask that its
//! earlier call left behind.

use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;
use crate::support::{json, text};

/// A dialect, its tool, a call with one question, and what the reply to picking A contains.
pub(super) const DIALECTS: [(&str, &str, &str, &str); 9] = [
    (
        "native",
        "ask_user",
        r#"{"questions":[{"question":"A or B?","options":["A","B"]}]}"#,
        r#""values":["A"]"#,
    ),
    (
        "codenomad",
        "ask_user",
        r#"{"questions":[{"question":"A or B?","type":"select","options":["A","B"]}]}"#,
        r#""values":["A"]"#,
    ),
    (
        "auq",
        "ask_user_questions",
        r#"{"questions":[{"prompt":"A or B?","title":"AB","multiSelect":false,"options":[{"label":"A"},{"label":"B"}]}]}"#,
        "→ A",
    ),
    (
        "claude",
        "AskUserQuestion",
        r#"{"questions":[{"question":"A or B?","header":"AB","options":[{"label":"A"},{"label":"B"}]}]}"#,
        r#"{"answers":{"A or B?":"A"}}"#,
    ),
    (
        "pi",
        "ask_user",
        r#"{"questions":[{"question":"A or B?","options":[{"label":"A"},{"label":"B"}]}]}"#,
        r#""answer":"A""#,
    ),
    (
        "gemini",
        "ask_user",
        r#"{"questions":[{"question":"A or B?","header":"AB","type":"choice","options":[{"label":"A","description":""},{"label":"B","description":""}]}]}"#,
        r#"{"answers":{"0":"A"}}"#,
    ),
    (
        "codex",
        "request_user_input",
        r#"{"questions":[{"id":"ab","question":"A or B?","header":"AB","options":[{"label":"A","description":""},{"label":"B","description":""}]}]}"#,
        r#"{"answers":{"ab":{"answers":["A"]}}}"#,
    ),
    (
        "opencode",
        "question",
        r#"{"questions":[{"question":"A or B?","header":"AB","options":[{"label":"A","description":""},{"label":"B","description":""}]}]}"#,
        r#"User has answered your questions: "A or B?"="A"."#,
    ),
    (
        "roo",
        "ask_followup_question",
        r#"{"question":"A or B?","follow_up":[{"text":"A","mode":null},{"text":"B","mode":null}]}"#,
        "<user_message>\nA\n</user_message>",
    ),
];

#[test]
fn an_answer_given_meanwhile_is_delivered_at_once_and_only_once() {
    for (dialect, tool, call, told) in DIALECTS {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut agent = Agent::connect(&sandbox, dialect);
        agent.call(tool, call);
        let id = person.next_ask();
        agent.end();
        person.wait_for("the agent gone", |record| record.get("waiters").is_none());
        person.answer(&id, &["--set", "A"]);

        let mut back = Agent::connect(&sandbox, dialect);
        let asked = back.call(tool, call);
        let reply = back.receive_reply(asked);
        assert!(reply.contains(told), "{dialect}: {reply}");
        person.wait_for("the answer delivered", |record| record["delivered"] == true);
        let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
        assert_eq!(all.as_array().map(Vec::len), Some(1), "{dialect}: {all}");

        // The answer was delivered, so the next identical call is a new ask.
        back.call(tool, call);
        assert_ne!(person.next_ask(), id, "{dialect}");
    }
}

#[test]
fn an_open_ask_is_taken_up_with_its_draft() {
    let sandbox = Sandbox::new();
    let (_, tool, call, _) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let first = agent.call(tool, call);
    let id = person.next_ask();
    agent.cancel(first);
    person.wait_for("the call gone", |record| record.get("waiters").is_none());

    let again = agent.call(tool, call);
    person.wait_for("the call back", |record| record["waiters"] == 1);
    person.answer(&id, &["--set", "B"]);
    let reply = json(&agent.receive_reply(again));
    assert_eq!(reply["askId"], id.as_str(), "{reply}");
    assert!(reply.get("late").is_none(), "{reply}");
}

#[test]
fn an_agent_that_gave_up_silently_and_asks_again_adds_no_second_card() {
    let sandbox = Sandbox::new();
    let (_, tool, call, told) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let first = agent.call(tool, call);
    let id = person.next_ask();
    let again = agent.call(tool, call);
    person.wait_for("two calls wait for it", |record| record["waiters"] == 2);
    person.answer(&id, &["--set", "A"]);
    // It isn't known which of the two calls the client still reads, so both receive the answer.
    assert!(agent.receive_reply(again).contains(told));
    assert!(agent.receive_reply(first).contains(told));
    let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
    assert_eq!(all.as_array().map(Vec::len), Some(1), "{all}");
}

#[test]
fn agents_with_different_session_ids_have_two_asks() {
    let sandbox = Sandbox::new();
    let (_, tool, call, _) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    agent.call_with(tool, call, r#"{"sessionId":"one"}"#);
    let first = person.next_ask();
    agent.call_with(tool, call, r#"{"sessionId":"two"}"#);
    assert_ne!(person.next_ask(), first);
}

#[test]
fn a_time_limit_restarts_when_the_agent_asks_again() {
    let sandbox = Sandbox::with_clock("2100-01-01T10:00:00Z");
    let (_, tool, call, told) = DIALECTS[1];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "codenomad");
    agent.call(tool, call);
    let id = person.next_ask();
    assert_eq!(person.record(&id)["deadlineAt"], "2100-01-01T10:05:00Z");
    agent.end();
    person.wait_for("the call gone", |record| record.get("waiters").is_none());
    Hub::connect(&sandbox).set_clock("2100-01-01T11:00:00Z");

    let mut back = Agent::with_variable(
        &sandbox,
        "codenomad",
        ("ASK_USER_NOW", "2100-01-01T11:00:00Z"),
    );
    let again = back.call(tool, call);
    person.wait_for("a later deadline", |record| {
        record["askId"] == id.as_str() && record["deadlineAt"] == "2100-01-01T11:05:00Z"
    });
    person.answer(&id, &["--set", "A"]);
    assert!(back.receive_reply(again).contains(told));
}

#[test]
fn an_answer_to_a_call_that_waits_is_not_late_although_the_clock_goes_back() {
    let sandbox = Sandbox::with_clock("2100-01-01T10:00:00Z");
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let (_, tool, call, _) = DIALECTS[0];
    let call = agent.call(tool, call);
    let id = person.next_ask();
    Hub::connect(&sandbox).set_clock("2100-01-01T08:00:00Z");
    person.answer(&id, &["--set", "A"]);
    let reply = agent.receive_reply(call);
    assert!(!reply.contains("late"), "{reply}");
}

/// Asks, cancels the call and then answers with A; returns the id.
fn answer_after_leaving(person: &mut Person, agent: &mut Agent, tool: &str, call: &str) -> String {
    let left = agent.call(tool, call);
    let id = person.next_ask();
    agent.cancel(left);
    person.wait_for("the call gone", |record| record.get("waiters").is_none());
    person.answer(&id, &["--set", "A"]);
    id
}

#[test]
fn the_newest_ten_undelivered_answers_are_named_and_the_rest_counted() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let ids: Vec<String> = (1..=12)
        .map(|number| {
            let call = format!(r#"{{"question":"A or B, number {number}?","options":["A","B"]}}"#);
            answer_after_leaving(&mut person, &mut agent, "ask_user", &call)
        })
        .collect();
    let refused = agent.call("ask_user", "{}");
    let result = agent.result(refused);
    let mention = text(&result["content"][1], "text");
    assert!(mention.ends_with("and 2 more"), "{mention}");
    let named: Vec<bool> = ids.iter().map(|id| mention.contains(id)).collect();
    assert_eq!(
        named,
        [[false; 2].as_slice(), &[true; 10]].concat(),
        "{mention}"
    );
}

#[test]
fn the_next_call_of_any_tool_mentions_undelivered_answers() {
    for (dialect, tool, call, told) in DIALECTS {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut agent = Agent::connect(&sandbox, dialect);
        let id = answer_after_leaving(&mut person, &mut agent, tool, call);

        // A refused call and an answered one both mention it beside their reply.
        let refused = agent.call(tool, "{}");
        let result = agent.result(refused);
        let mention = text(&result["content"][1], "text");
        assert!(
            mention.contains("A or B?") && mention.contains(&id),
            "{dialect}: {mention}"
        );
        let other = call.replace("A or B?", "C or D?");
        let asked = agent.call(tool, &other);
        let next = person.next_ask();
        person.answer(&next, &["--set", "B"]);
        let result = agent.result(asked);
        assert!(
            text(&result["content"][1], "text").contains(&id),
            "{dialect}: {result}"
        );
        assert!(
            result.get("structuredContent").is_none(),
            "{dialect}: {result}"
        );

        // A delivered answer isn't mentioned any more.
        let again = agent.call(tool, call);
        assert!(agent.receive_reply(again).contains(told), "{dialect}");
        person.wait_for("it is delivered", |record| {
            record["askId"] == id.as_str() && record["delivered"] == true
        });
        let refused = agent.call(tool, "{}");
        let result = agent.result(refused);
        assert!(result["content"].get(1).is_none(), "{dialect}: {result}");
    }
}

#[test]
fn a_late_answer_is_marked_as_late() {
    let sandbox = Sandbox::new();
    let (_, tool, call, _) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    agent.call(tool, call);
    let id = person.next_ask();
    agent.end();
    person.wait_for("the agent gone", |record| record.get("waiters").is_none());
    person.answer(&id, &["--set", "A"]);
    let mut back = Agent::connect(&sandbox, "native");
    let asked = back.call(tool, call);
    let reply = json(&back.receive_reply(asked));
    assert_eq!(reply["late"], true, "{reply}");
    assert!(reply["answeredAt"].is_string(), "{reply}");
    assert_eq!(reply["answeredBy"], "cli", "{reply}");
}

#[test]
fn an_answer_after_the_deadline_is_marked_as_late() {
    let sandbox = Sandbox::with_clock("2026-01-01T12:00:00Z");
    let clock = |now: &str| {
        sandbox.set_clock(now);
        Hub::connect(&sandbox).set_clock(now);
    };
    let call = r#"{"questions":[{"question":"A or B?","options":["A","B"]}],"timeout":600000}"#;
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let first = agent.call("ask_user", call);
    let id = person.next_ask();
    clock("2026-01-01T12:10:01Z");
    let reply = json(&agent.receive_reply(first));
    assert_eq!(reply["timedOut"], true, "{reply}");
    assert!(reply.get("late").is_none(), "{reply}");
    person.wait_for("the clock's word delivered", |record| {
        record["delivered"] == true
    });

    clock("2026-01-01T12:12:00Z");
    person.answer(&id, &["--set", "A"]);
    clock("2026-01-01T12:13:00Z");
    let again = agent.call("ask_user", call);
    let reply = json(&agent.receive_reply(again));
    assert_eq!(reply["askId"], id.as_str(), "{reply}");
    assert_eq!(reply["answers"][0]["values"], json(r#"["A"]"#), "{reply}");
    assert_eq!(reply["timedOut"], false, "{reply}");
    assert_eq!(reply["late"], true, "{reply}");
    assert_eq!(reply["answeredAt"], "2026-01-01T12:12:00Z", "{reply}");
    person.wait_for("the answer delivered", |record| {
        record["state"] == "answered" && record["delivered"] == true
    });
}

#[test]
fn an_expired_ask_that_is_asked_again_keeps_its_draft() {
    let sandbox = Sandbox::with_clock("2026-01-01T12:00:00Z");
    let clock = |now: &str| {
        sandbox.set_clock(now);
        Hub::connect(&sandbox).set_clock(now);
    };
    let call = r#"{"questions":[{"question":"What name?"}],"timeout":600000}"#;
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let first = agent.call("ask_user", call);
    let id = person.next_ask();
    let screen = Screen::open(&sandbox, &["inbox", "--id", &id]);
    screen.wait_for("What name?");
    screen.type_text("order-");
    screen.wait_for("order-");
    clock("2026-01-01T12:10:01Z");
    assert_eq!(json(&agent.receive_reply(first))["timedOut"], true);
    screen.wait_for("Enter keep as late answer");

    // The deadline starts again, and the answer reaches the agent.
    let again = agent.call("ask_user", call);
    screen.wait_for("Enter send");
    screen.wait_for("order-");
    screen.type_text("processor");
    screen.wait_for("order-processor");
    let record = person.wait_for("it waits again", |record| {
        record.get("askedAgainAt").is_some()
    });
    assert_eq!(record["state"], "waiting", "{record}");
    assert_eq!(record["deadlineAt"], "2026-01-01T12:20:01Z", "{record}");
    assert_eq!(record["askedAgainAt"], "2026-01-01T12:10:01Z", "{record}");
    let all = json(&sandbox.run_ok(&["history", "--json"]));
    assert_eq!(all, json("[]"), "what waits is no history");
    screen.press(&["Enter"]);
    let reply = json(&agent.receive_reply(again));
    assert_eq!(reply["askId"], id.as_str(), "{reply}");
    let values = json(r#"["order-processor"]"#);
    assert_eq!(reply["answers"][0]["values"], values, "{reply}");
    assert_eq!(reply["timedOut"], false, "{reply}");
    assert!(reply.get("late").is_none(), "{reply}");
    person.wait_for("the answer delivered", |record| {
        record["state"] == "answered" && record["delivered"] == true
    });
    let found = json(&sandbox.run_ok(&["history", "--search", "processor", "--json"]));
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
}

#[test]
fn another_running_agent_cannot_take_up_an_abandoned_ask() {
    for (dialect, tool, call, told) in DIALECTS {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut one = Agent::connect(&sandbox, dialect);
        let mut other = Agent::connect(&sandbox, dialect);
        let id = answer_after_leaving(&mut person, &mut one, tool, call);

        // The other agent isn't told that an answer waits, and its identical call is an ask of its
        // own.
        let refused = other.call(tool, "{}");
        let result = other.result(refused);
        assert!(result["content"].get(1).is_none(), "{dialect}: {result}");
        let asked = other.call(tool, call);
        let own = person.next_ask();
        assert_ne!(own, id, "{dialect}");
        person.answer(&own, &["--set", "B"]);
        let reply = other.receive_reply(asked);
        assert!(!reply.contains(told), "{dialect}: {reply}");

        let again = one.call(tool, call);
        let reply = one.receive_reply(again);
        assert!(reply.contains(told), "{dialect}: {reply}");
    }
}

#[test]
fn the_earlier_answer_is_offered_after_a_change_of_hubs() {
    let sandbox = Sandbox::new();
    let (_, tool, call, _) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let first = agent.call(tool, call);
    let id = person.next_ask();
    person.answer(&id, &["--set", "B"]);
    agent.result(first);
    person.wait_for("it is delivered", |record| record["delivered"] == true);
    sandbox.run_ok(&["hub", "--stop"]);

    let again = agent.call(tool, call);
    let next = person.next_ask();
    assert_ne!(next, id);
    let record = person.record(&next);
    let picks = &record["earlierAnswer"]["answers"][0]["picks"];
    assert_eq!(*picks, json("[1]"), "{record}");
    assert!(record.get("draft").is_none(), "{record}");
    person.answer(&next, &["--set", "A"]);
    agent.result(again);
}

#[test]
fn an_answer_to_a_call_that_may_have_given_up_is_confirmed_by_the_person() {
    let sandbox = Sandbox::new();
    let (_, tool, call, told) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    // The client gave up without a message; nothing in the protocol says so.
    let first = agent.call(tool, call);
    let id = person.next_ask();
    person.answer(&id, &["--set", "B"]);
    agent.result(first);
    person.wait_for("it is delivered", |record| record["delivered"] == true);

    // It becomes a question again: only the person can say that the answer still holds.
    let again = agent.call(tool, call);
    let next = person.next_ask();
    assert_ne!(next, id);
    let screen = Screen::open(&sandbox, &["inbox", "--id", &next]);
    screen.wait_for("You answered this");
    screen.wait_until_ready();
    screen.press(&["M-u"]);
    screen.wait_for("2. B  ✓");
    screen.press(&["Enter"]);
    assert!(agent.receive_reply(again).contains(&told.replace('A', "B")));
}
