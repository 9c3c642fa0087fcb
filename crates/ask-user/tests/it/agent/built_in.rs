//! Agents that know their client's built-in question tool: they call it in its schema, a command
//! answers, and the replies are compared byte for byte.

use crate::support::agent::Agent;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::text;

const GEMINI: (&str, &str, &str) = (
    "gemini",
    "ask_user",
    r#"{"questions":[
        {"question":"Which database?","header":"Database","type":"choice","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL (Recommended)","description":"Battle-tested"}]},
        {"question":"Which parts?","header":"Parts","type":"choice","multiSelect":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Docs","description":"Pages"}]},
        {"question":"What is it called?","header":"Name","type":"text","placeholder":"shop"},
        {"question":"Shall I begin?","header":"Begin","type":"yesno"}]}"#,
);

const CODEX: (&str, &str, &str) = (
    "codex",
    "request_user_input",
    r#"{"questions":[
        {"id":"db","header":"Database","question":"Which database?","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL (Recommended)","description":"Battle-tested"}]},
        {"id":"region","header":"Region","question":"Which region?","options":[{"label":"north","description":"Green"},{"label":"west","description":"Near"}]}]}"#,
);

const OPENCODE: (&str, &str, &str) = (
    "opencode",
    "question",
    r#"{"questions":[
        {"question":"Which database?","header":"Database","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL (Recommended)","description":"Battle-tested"}]},
        {"question":"Which parts?","header":"Parts","multiple":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Docs","description":"Pages"}]}]}"#,
);

const ROO: (&str, &str, &str) = (
    "roo",
    "ask_followup_question",
    r#"{"question":"How shall we go on?","follow_up":[{"text":"Write the code","mode":"code"},{"text":"Tell me more","mode":null}]}"#,
);

/// The agent's reply after a command has settled the ask, and whether it is an error.
fn reply_after((dialect, tool, call): (&str, &str, &str), arguments: &[&str]) -> (String, bool) {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, dialect);
    let asked = agent.call(tool, call);
    let id = person.next_ask();
    let mut command = vec![arguments[0], &id];
    command.extend(&arguments[1..]);
    sandbox.run_ok(&command);
    let result = agent.result(asked);
    let said = text(&result["content"][0], "text");
    assert_eq!(result["_meta"]["ask-user/askId"], *id, "{result}");
    let value = &result["structuredContent"];
    if value.is_object() {
        assert_eq!(value.to_string(), said, "{dialect}: the reply as a value");
    }
    person.wait_for("it is delivered", |record| record["delivered"] == true);
    (said, result["isError"] == true)
}

/// The reply to an answer.
fn answer(ask: (&str, &str, &str), arguments: &[&str]) -> String {
    let mut command = vec!["answer"];
    command.extend(arguments);
    let (said, is_error) = reply_after(ask, &command);
    assert!(!is_error, "{said}");
    said
}

#[test]
fn answers_have_the_format_of_the_built_in_tool() {
    let all = [
        "--set",
        "1=PostgreSQL",
        "--set",
        "2=Auth,Docs",
        "--set",
        "3=shop",
        "--set",
        "4=yes",
    ];
    assert_eq!(
        answer(GEMINI, &all),
        r#"{"answers":{"0":"PostgreSQL (Recommended)","1":"Auth, Docs","2":"shop","3":"Yes"}}"#
    );
    assert_eq!(
        answer(CODEX, &["--set", "db=SQLite", "--set", "region=west"]),
        r#"{"answers":{"db":{"answers":["SQLite"]},"region":{"answers":["west"]}}}"#
    );
    assert_eq!(
        answer(OPENCODE, &["--set", "1=SQLite", "--set", "2=Auth,Docs"]),
        r#"User has answered your questions: "Which database?"="SQLite", "Which parts?"="Auth, Docs". You can now continue with the user's answers in mind."#
    );
    assert_eq!(
        answer(ROO, &["--set", "Write the code"]),
        "<user_message>\nWrite the code\n</user_message>"
    );
}

#[test]
fn own_text_follows_a_pick_and_notes_are_separate() {
    let command = [
        "--set",
        "1=SQLite",
        "--other",
        "1=with WAL",
        "--note",
        "no hurry",
        "--partial",
    ];
    assert_eq!(
        answer(GEMINI, &command),
        r#"{"answers":{"0":"SQLite, with WAL"},"unanswered":["1","2","3"],"note":"no hurry"}"#
    );
    assert_eq!(
        answer(CODEX, &command),
        r#"{"answers":{"db":{"answers":["SQLite","user_note: with WAL"]},"region":{"answers":[]}},"note":"no hurry"}"#
    );
    assert_eq!(
        answer(OPENCODE, &command),
        "User has answered your questions: \"Which database?\"=\"SQLite, with WAL\", \
         \"Which parts?\"=\"Unanswered\". You can now continue with the user's answers in mind.\n\
         Note: no hurry"
    );
    assert_eq!(
        answer(
            ROO,
            &[
                "--set",
                "Tell me more",
                "--other",
                "in German",
                "--note",
                "no hurry"
            ]
        ),
        "<user_message>\nTell me more\nin German\n</user_message>\nNote: no hurry"
    );
}

#[test]
fn declining_and_clarifying_are_no_answers() {
    let reason = ["decline", "--reason", "not now"];
    let back = ["clarify", "how much data?"];
    for (ask, declined, is_error) in [
        (
            GEMINI,
            "User dismissed ask_user dialog without answering. Reason: not now",
            false,
        ),
        (
            CODEX,
            "request_user_input was cancelled before receiving a response: the user declined to \
             answer. Reason: not now",
            true,
        ),
        (
            OPENCODE,
            "The user dismissed this question. Reason: not now",
            true,
        ),
        (
            ROO,
            "The user declined to answer this question. Reason: not now",
            true,
        ),
    ] {
        assert_eq!(reply_after(ask, &reason), (declined.to_owned(), is_error));
        let (said, is_error) = reply_after(ask, &back);
        assert!(is_error, "{said}");
        assert!(
            said.contains("wants to clarify") && said.contains("how much data?"),
            "{said}"
        );
    }
}

#[test]
fn a_refused_call_names_the_place_and_the_fix() {
    for ((dialect, tool, _), call, wanted) in [
        (
            GEMINI,
            r#"{"questions":[{"question":"Which?","header":"W","type":"essay"}]}"#,
            "Can't ask this: questions[0].type: must be one of choice, text, yesno",
        ),
        (
            CODEX,
            r#"{"questions":[{"id":"a","header":"A","question":"Which?","options":[]}]}"#,
            "Can't ask this: questions[0].options: must have choices: offer 2 or 3, such as {\"label\":\"PostgreSQL\"}; own words are always possible besides",
        ),
        (
            OPENCODE,
            r#"{"questions":[{"question":" ","header":"W","options":[]}]}"#,
            "Can't ask this: questions[0].question: must be a text to show, such as \"Which database should we use?\"",
        ),
        (
            ROO,
            r#"{"question":"Which?","follow_up":"A or B"}"#,
            "Can't ask this: follow_up: must be a list of suggestions such as [{\"text\":\"./src/config.json\",\"mode\":null}], not a string",
        ),
    ] {
        let sandbox = Sandbox::new();
        let mut agent = Agent::connect(&sandbox, dialect);
        let asked = agent.call(tool, call);
        assert_eq!(agent.error_text(asked), wanted, "{dialect}");
    }
}

#[test]
fn the_person_sees_the_mode_of_a_suggestion() {
    let sandbox = Sandbox::new();
    let (dialect, tool, _) = ROO;
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, dialect);
    let tags = r#"{"question":"How shall we go on?","follow_up":"<suggest mode=\"code\">Write it</suggest>\n<suggest>Tell me more</suggest>"}"#;
    let asked = agent.call(tool, tags);
    let id = person.next_ask();
    let options = &person.record(&id)["questions"][0]["options"];
    assert_eq!(options[0]["description"], "mode: code", "{options}");
    assert_eq!(options[1]["label"], "Tell me more", "{options}");
    person.answer(&id, &["--set", "1"]);
    let said = agent.receive_reply(asked);
    assert_eq!(said, "<user_message>\nWrite it\n</user_message>");
}
