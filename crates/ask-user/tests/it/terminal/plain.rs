//! Surfaces besides the full-screen inbox: the plain mode over a pipe, one ask after the other, and
//! a prompt that prints only the reply.

use std::io::Write;
use std::process::Stdio;

use super::{DATABASE, NAME, ask_and_open, start_agent};
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

/// A question of each kind.
const KINDS: &str = r#"{"title":"Set-up","questions":[
    {"id":"db","question":"Which database?","options":["SQLite",{"label":"PostgreSQL (Recommended)","description":"Battle-tested"}]},
    {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth","Docs","Tests"]},
    {"id":"now","question":"Delete now?","type":"confirm"},
    {"id":"name","question":"What name?","label":"Name"}]}"#;

const TRANSCRIPT: &str = "
Set-up
Asked by ask-user for HOME, just now.

Question 1 of 4.
Which database?
1. SQLite.
2. PostgreSQL, recommended. Battle-tested.
0. Your own answer.
Your choice (number, 0, b back, q leave, x decline, ? help): 
Your answer: PostgreSQL (Recommended)

Question 2 of 4.
Which parts?
1. Auth.
2. Docs.
3. Tests.
0. Your own answer.
Your choices (numbers as in 1 3, 0, b back, q leave, x decline, ? help): 
Your own answer, end with an empty line:
Your answer: Auth, Tests; + own answer: webhooks

Question 3 of 4.
Delete now?
1. Yes.
2. No.
0. Your own answer.
Your choice (y, n, 0, b back, q leave, x decline, ? help): 
Your answer: Yes

Question 4 of 4, Name.
What name?
Your answer, end with an empty line (/q leave, /x decline, /c words ask back, /? help):
Your answer: order-
processor

Your answers:
1. Which database?: PostgreSQL (Recommended)
2. Which parts?: Auth, Tests; + own answer: webhooks
3. Delete now?: Yes
4. Name: order-
processor
Send? y, n, or a number to change (? help): 
Answer sent to ask-user.
No question waits for you.";

/// Runs the plain inbox over a pipe with these lines; returns its exit code and output.
fn run_plain(sandbox: &Sandbox, arguments: &[&str], lines: &[&str]) -> (Option<i32>, String) {
    let mut command = sandbox.command(BINARY);
    command.args(["inbox", "--plain"]).args(arguments);
    command.stdin(Stdio::piped());
    let mut running = sandbox.start("inbox --plain", command);
    let mut input = running.child.stdin.take().expect("its input is piped");
    let lines = lines.join("\n") + "\n";
    input
        .write_all(lines.as_bytes())
        .expect("the process reads the lines");
    drop(input);
    let said = running.out.rest();
    let status = running.child.wait().expect("our child process");
    let name = sandbox.home().file_name().expect("a home has a name");
    (
        status.code(),
        said.replace(&*name.to_string_lossy(), "HOME"),
    )
}

#[test]
fn each_kind_of_question_is_answered_in_plain_lines() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let asking = start_agent(&sandbox, "native", KINDS);
    person.next_ask();
    let lines = [
        "2",
        "1 3 0",
        "webhooks",
        "",
        "y",
        "order-",
        "processor",
        "",
        "y",
    ];
    let (code, said) = run_plain(&sandbox, &["--next"], &lines);
    assert_eq!(said, TRANSCRIPT);
    assert_eq!(code, Some(0));
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL (Recommended)"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Auth","Tests"],"customText":"webhooks"},{"questionId":"now","question":"Delete now?","status":"answered","values":["yes"]},{"questionId":"name","question":"What name?","status":"answered","values":["order-\nprocessor"]}]}"#,
    );
}

#[test]
fn one_ask_in_plain_lines_ends_with_the_outcomes_code() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    for (lines, code) in [
        (&["2", "y"][..], 0),
        (&["x", "not now", "y"], 3),
        (&["c why?", "y"], 7),
    ] {
        let asking = start_agent(&sandbox, "pi", DATABASE);
        let id = person.next_ask();
        let (ended, said) = run_plain(&sandbox, &["--id", &id], lines);
        assert_eq!(ended, Some(code), "{said}");
        assert_eq!(asking.receive().0, code, "{said}");
    }
}

#[test]
fn the_end_of_the_pipe_leaves_it_waiting_with_the_draft() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["What name?"]);
    let (ended, said) = run_plain(&sandbox, &["--id", &id], &["half a na"]);
    assert_eq!(ended, Some(8), "{said}");
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.wait_until_bright("half a na");
    screen.type_text("me");
    screen.wait_until_bright("half a name");
    screen.press(&["Enter"]);
    assert_eq!(screen.wait_for_exit(), 0);
    let shown = sandbox.run_ok(&["show", &id]);
    assert!(shown.contains("half a name"), "{shown}");
}

#[test]
fn the_plain_list_shows_all_groups_and_notifies() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let first = start_agent(&sandbox, "pi", DATABASE);
    let id = person.next_ask();
    person.answer(&id, &["--set", "2"]);
    first.receive();
    let late = sandbox.ask(&["Nobody waits for `this`?", "--confirm"]);
    let lines = ["h data", "1", "", "S", "zz", "1", "yes", "y"];
    let (code, said) = run_plain(&sandbox, &[], &lines);
    assert_eq!(code, Some(0), "{said}");
    for told in [
        "1 question is late; its agent stopped waiting,",
        "1. ask-user, HOME, just now: Nobody waits for this?\n",
        "1. ask-user, HOME, just now: Which database? (answered by command)\n",
        "1. Which database?: PostgreSQL\nsent to the agent",
        "answered: 1, 100 %\n",
        "Not understood. Type 1 to open the question;",
        "Keep as a late answer? y, b to change, q leave, ? help: \n",
        "1 answer is kept until its agent fetches it:\n1. ask-user",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    let shown = sandbox.run_ok(&["show", &late]);
    assert!(shown.contains("answered"), "{shown}");

    let plain = [("ASK_USER_PLAIN", "1")];
    let screen = Screen::start(&sandbox, &plain, &[BINARY, "inbox"]);
    screen.wait_for("1. ask-user, ");
    assert!(
        !screen.written().contains('\u{7}'),
        "an ask from before rings no bell"
    );
    sandbox.ask(&["Shall it ring?", "--confirm"]);
    screen.wait_for("Shall it ring?");
    screen.wait_for_output("\u{7}");
}

#[test]
fn plain_mode_survives_a_killed_hub() {
    let sandbox = Sandbox::new();
    let asking = start_agent(&sandbox, "pi", NAME);
    let plain = [("ASK_USER_PLAIN", "1")];
    let screen = Screen::start(&sandbox, &plain, &[BINARY, "inbox"]);
    screen.wait_for("1. ask-user, ");
    screen.type_text("1");
    screen.press(&["Enter"]);
    // The question is in the list, too. What is typed before it opens is dropped.
    screen.wait_for("Your answer, end with an empty line");
    Hub::connect(&sandbox).kill();
    screen.type_text("orders");
    screen.press(&["Enter"]);
    // An empty line right behind it would be of a paste.
    let own =
        || json(&sandbox.run_ok(&["list", "--json"]))[0]["draft"]["answers"][0]["own"].clone();
    while own() != "orders" {}
    screen.press(&["Enter"]);
    screen.wait_for("Send?");
    screen.press(&["y", "Enter"]);
    screen.wait_for("No question waits for you.");
    assert_eq!(
        screen.tmux_variable("alternate_on"),
        "0",
        "lines are appended"
    );
    assert!(!screen.written().contains('\u{1b}'), "nothing is drawn");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"orders","wasCustom":true}]}"#,
    );
}

#[test]
fn next_opens_asks_until_none_is_left() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let first = start_agent(&sandbox, "pi", DATABASE);
    person.next_ask();
    let second = start_agent(&sandbox, "pi", NAME);
    person.next_ask();
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.wait_for("Which database?");
    screen.wait_until_ready();
    // The second Enter arrives when the next ask opens, and must not answer that.
    screen.press(&["2", "Enter", "Enter"]);
    screen.wait_for("What name?");
    screen.type_text("orders");
    screen.wait_until_bright("orders");
    screen.press(&["Enter"]);
    assert_eq!(screen.wait_for_exit(), 0);
    first.receive_reply(
        r#"{"answered":true,"answers":[{"question":"Which database?","answer":"PostgreSQL","selectedOption":"PostgreSQL","wasCustom":false}]}"#,
    );
    second.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"orders","wasCustom":true}]}"#,
    );
}

/// Runs a prompt on a terminal with its output in a file; returns the exit code and the file's
/// content.
fn run_prompt(script: &str, answer: impl Fn(&Screen)) -> (i32, String) {
    let sandbox = Sandbox::new();
    let file = |name: &str| sandbox.home().join(name);
    std::fs::write(file("call.json"), DATABASE).expect("a writable home");
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", script, BINARY]);
    screen.wait_for("Which database?");
    answer(&screen);
    let code = screen.wait_for_exit();
    assert!(!screen.screen().contains("answered"), "{}", screen.screen());
    assert_eq!(screen.tmux_variable("alternate_on"), "0");
    let reply = std::fs::read_to_string(file("reply")).expect("a written file");
    (code, reply)
}

const REPLY: &str = "{\"answered\":true,\"answers\":[{\"question\":\"Which database?\",\"answer\":\"PostgreSQL\",\
                     \"selectedOption\":\"PostgreSQL\",\"wasCustom\":false}]}\n";

#[test]
fn a_prompt_is_drawn_on_the_terminal_and_prints_the_reply_alone() {
    for script in [
        r#""$0" prompt --dialect pi call.json >reply"#,
        r#""$0" prompt --dialect pi <call.json >reply"#,
        r#"cat call.json | "$0" prompt --dialect pi - | cat >reply"#,
    ] {
        let (code, reply) = run_prompt(script, |screen| {
            screen.wait_until_ready();
            screen.press(&["2"]);
            screen.wait_for("✓ chosen");
            screen.press(&["Enter"]);
        });
        assert_eq!((code, reply.as_str()), (0, REPLY), "{script}");
    }
}

#[test]
fn a_prompt_in_plain_lines_prints_the_reply_alone() {
    let script = r#""$0" prompt --dialect pi --mode plain <call.json >reply"#;
    let (code, reply) = run_prompt(script, |screen| {
        screen.wait_for("Your choice (number");
        screen.press(&["2", "Enter"]);
        screen.wait_for("Send?");
        screen.press(&["y", "Enter"]);
    });
    assert_eq!((code, reply.as_str()), (0, REPLY));
}

#[test]
fn esc_cancels_a_prompt() {
    let script = r#""$0" prompt --dialect pi <call.json >reply"#;
    let (code, reply) = run_prompt(script, |screen| {
        screen.wait_until_ready();
        screen.press(&["Escape"]);
    });
    let cancelled = "{\"answered\":false,\"answers\":[],\"cancelled\":true}\n";
    assert_eq!((code, reply.as_str()), (3, cancelled));
}

#[test]
fn a_prompt_that_is_answered_elsewhere_ends_by_itself() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let file = |name: &str| sandbox.home().join(name);
    std::fs::write(file("call.json"), DATABASE).expect("a writable home");
    let script = r#""$0" prompt --dialect pi --result <call.json >reply"#;
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", script, BINARY]);
    screen.wait_until_ready();
    // This also holds with a filled-in form: the person who filled it in may have left.
    screen.press(&["1"]);
    screen.wait_for("✓ chosen");
    let id = person.next_ask();
    person.answer(&id, &["--set", "2"]);
    screen.wait_for("ANSWERED BY COMMAND");
    assert_eq!(screen.wait_for_exit(), 0);
    let result = json(&std::fs::read_to_string(file("reply")).expect("a written file"));
    assert_eq!(
        result["content"][0]["text"],
        *REPLY.trim_end(),
        "the reply of before is in it: {result}"
    );
    assert_eq!(result["structuredContent"], json(REPLY));
    assert_eq!(result["isError"], false);
    let facts = &result["_meta"];
    assert_eq!(facts["ask-user/askId"], *id);
    assert_eq!(
        facts["ask-user/summary"],
        "User was asked about 'Which database?' and chose PostgreSQL."
    );
    person.wait_for("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn a_tiny_terminal_switches_to_plain_mode() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("orders");
    screen.wait_until_bright("orders");
    screen.resize(20, 5);
    screen.wait_for("too small");
    screen.press(&["Enter"]);
    screen.wait_until_gone("too small");
    screen.resize(100, 30);
    screen.wait_for("Number of the question to open");
    screen.press(&["1", "Enter"]);
    screen.wait_for("Your answer so far: orders");
    screen.press(&["Enter"]);
    screen.wait_for("Send?");
    screen.press(&["y", "Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"orders","wasCustom":true}]}"#,
    );
}
