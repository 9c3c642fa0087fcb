//! Who answered, as the hub determines it: a program started by an agent may be the agent itself.
//! This test process is the client of the agents here, so everything else that it starts is a
//! descendant of that client.

use std::io::Write as _;

use ask_core::{Answer, AskId, Caller, Draft, Json, Process, Role};
use ask_protocol::ipc::{self, ErrorKind, Request, Response, TakeUp, Verdict};
use ask_protocol::native;
use rustix::process::Signal;

use crate::support::agent::{Agent, CLIENT_PROGRAM, Era};
use crate::support::app::App;
use crate::support::host::Host;
use crate::support::http::Http;
use crate::support::hub::{Hub, address, send_signal};
use crate::support::json;
use crate::support::person::Person;
use crate::support::phone::pair_device;
use crate::support::sandbox::{BINARY, Running, Sandbox, run_to_end};
use crate::support::screen::Screen;
use crate::support::web::{Web, key, kind, public_key};

const CALL: &str = r#"{"questions":[{"question":"May I drop the database?","options":[{"label":"Yes"},{"label":"No"}]}]}"#;

/// An agent that waits for an answer: the agent, the number of its call, and the ask's id.
fn start_asking_agent(sandbox: &Sandbox) -> (Agent, i64, String) {
    let mut agent = Agent::connect(sandbox, "native");
    let call = agent.call("ask_user", CALL);
    (agent, call, wait_for_ask(sandbox))
}

/// The id of the one waiting ask, as soon as there is one.
fn wait_for_ask(sandbox: &Sandbox) -> String {
    loop {
        let listed = json(&sandbox.run_ok(&["list", "--json"]));
        if let Some(id) = listed[0]["askId"].as_str() {
            return id.to_owned();
        }
    }
}

fn show_record(sandbox: &Sandbox, id: &str) -> Json {
    json(&sandbox.run_ok(&["show", id, "--json"]))
}

#[test]
fn an_answer_from_below_an_agent_is_marked_without_another_surface() {
    let sandbox = Sandbox::new().below_agents();
    let (mut agent, call, id) = start_asking_agent(&sandbox);
    sandbox.run_ok(&["answer", &id, "--set", "1=Yes"]);
    let result = agent.result(call);
    let told = result["content"].to_string();
    assert!(told.contains("started below an agent"), "{told}");
    let from = &result["_meta"]["ask-user/answeredFrom"];
    assert_eq!(from["belowAgent"], "fake-agent", "{result}");
    // Some clients show their model nothing but the value if there is one.
    assert!(result.get("structuredContent").is_none(), "{result}");

    let record = show_record(&sandbox, &id);
    assert_eq!(record["answeredBy"], "cli");
    assert_eq!(record["answeredFrom"]["belowAgent"], "fake-agent");
    assert_eq!(record["answeredFrom"]["program"], "ask-user");
    for command in [
        ["show", id.as_str(), ""],
        ["show", id.as_str(), "--summary"],
        ["export", "--format", "json"],
        ["export", "--format", "md"],
        ["export", "--format", "csv"],
    ] {
        let arguments: Vec<&str> = command
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect();
        let said = sandbox.run_ok(&arguments);
        assert!(said.contains("fake-agent"), "{command:?}: {said}");
        assert!(said.contains("below"), "{command:?}: {said}");
    }
    for arguments in [&["history"][..], &["list", "--all"]] {
        let listed = sandbox.run_ok(arguments);
        assert!(listed.contains("[answered, below fake-agent]"), "{listed}");
    }
    let waited = Web::with_token(&sandbox, "token").get_json(&format!("/v1/asks/{id}/wait"));
    assert_eq!(waited["answeredBy"], "cli", "{waited}");
    let from = &waited["answeredFrom"];
    assert_eq!(from["belowAgent"], "fake-agent", "{waited}");
    for arguments in [&["wait", &id][..], &["wait", &id, "--result"]] {
        let waited = sandbox.run(arguments);
        let warned = String::from_utf8_lossy(&waited.stderr).into_owned();
        assert!(warned.contains("below fake-agent"), "{warned}");
    }
}

#[test]
fn an_answer_of_the_person_is_not_marked() {
    let sandbox = Sandbox::new();
    let (mut agent, call, id) = start_asking_agent(&sandbox);
    sandbox.run_ok(&["answer", &id, "--set", "1=Yes"]);
    let result = agent.result(call);
    assert!(!result.to_string().contains("below"), "{result}");
    let record = show_record(&sandbox, &id);
    assert_eq!(record["answeredFrom"]["program"], "ask-user", "{record}");
    assert_eq!(record["answeredFrom"].get("belowAgent"), None, "{record}");
    let waited = Web::with_token(&sandbox, "token").get_json(&format!("/v1/asks/{id}/wait"));
    assert_eq!(waited["answeredBy"], "cli", "{waited}");
    assert_eq!(waited.get("answeredFrom"), None, "{waited}");
    let listed = sandbox.run_ok(&["history"]);
    assert!(listed.contains("[answered]"), "{listed}");
}

#[test]
fn several_answers_that_are_fetched_at_once_are_each_marked() {
    let sandbox = Sandbox::new().below_agents();
    let mut agent = Agent::connect(&sandbox, "native");
    let mut person = Person::new(&sandbox);
    let mut asked = Vec::new();
    for question in ["May I drop the database?", "May I push?"] {
        let call = agent.call(
            "ask_user",
            &format!(r#"{{"question":"{question}","type":"confirm"}}"#),
        );
        let id = person.next_ask();
        agent.cancel(call);
        person.wait_for("the call has ended", |record| {
            record["askId"] == id.as_str() && record.get("waiters").is_none()
        });
        sandbox.run_ok(&["answer", &id, "--set", "yes"]);
        asked.push((question, id));
    }
    let call = agent.call("ask_user_result", "{}");
    let result = agent.result(call);
    let entries = json(result["content"][0]["text"].as_str().expect("a text"));
    let facts = &result["_meta"]["ask-user/asks"];
    let told = result["content"].to_string();
    for (at, (question, id)) in asked.iter().enumerate() {
        let entry = &entries["asks"][at];
        assert_eq!(entry["askId"], id.as_str(), "{result}");
        assert_eq!(entry["answeredFrom"]["belowAgent"], "fake-agent");
        assert_eq!(facts[at]["ask-user/askId"], id.as_str(), "{result}");
        let from = &facts[at]["ask-user/answeredFrom"];
        assert_eq!(from["belowAgent"], "fake-agent", "{result}");
        let begins = format!("({id}): This came from a program that was started below an agent");
        assert!(told.contains(&begins) && told.contains(question), "{told}");
    }
}

#[test]
fn an_answer_from_below_an_agent_waits_for_confirmation() {
    let sandbox = Sandbox::new().below_agents();
    let (mut agent, call, id) = start_asking_agent(&sandbox);
    // Its terminal is started by the tmux server, which no agent has started.
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("May I drop the database?");
    let note = "pay \u{202e}001\u{202c}\u{200b}\u{e0041}";
    let refused = sandbox.run(&["answer", &id, "--set", "1=Yes", "--note", note]);
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("started below fake-agent"), "{said}");
    assert!(said.contains("is filled in there"), "{said}");
    let record = show_record(&sandbox, &id);
    assert_eq!(record["state"], "waiting");
    assert_eq!(record["draft"]["savedBy"], "below fake-agent");
    assert_eq!(
        record["draft"]["answers"][0]["note"], "pay 001",
        "what isn't seen is gone, and the form shows the rest"
    );

    let declined = sandbox.run(&["decline", &id]);
    assert!(
        !declined.status.success(),
        "other verdicts are refused as well"
    );
    screen.press(&["Enter"]);
    screen.wait_for("Not filled in by you, but by a program below fake-agent");
    screen.wait_until_ready();
    // The person corrects the pick, and the note of the program is still there.
    screen.press(&["2"]);
    let corrected = Person::new(&sandbox).wait_for("another pick", |record| {
        record["draft"]["answers"][0]["picks"][0] == 1
    });
    assert_eq!(corrected["draft"]["savedBy"], "below fake-agent");
    let refused = sandbox.run(&["answer", &id, "--set", "1=Yes"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("nothing was kept"), "{said}");
    match Hub::connect(&sandbox).call(&draft_request(&id, 0, None)) {
        Response::Fault { kind, text } => {
            assert_eq!(kind, ErrorKind::NotAllowed);
            assert!(text.contains("until it is sent"), "{text}");
        }
        other => panic!("the person's draft was replaced: {other:?}"),
    }
    screen.wait_for("Not filled in by you, but by a program below fake-agent");
    screen.press(&["Enter"]);
    let result = agent.result(call);
    assert!(!result.to_string().contains("below"), "{result}");
    let record = show_record(&sandbox, &id);
    assert_eq!(record["answeredBy"], "terminal", "{record}");
}

#[test]
fn the_setting_decides_about_answers_from_below_agents() {
    for (setting, taken) in [
        ("below_agents = \"mark\"", true),
        ("below_agents = \"refuse\"", false),
        ("only_from = \"devices\"", false),
    ] {
        let sandbox = Sandbox::new().below_agents();
        sandbox.write_settings(&format!("[answers]\n{setting}\n"));
        let (_agent, _, id) = start_asking_agent(&sandbox);
        let _watched = Web::page(&sandbox).open_events();
        let answered = sandbox.run(&["answer", &id, "--set", "1=Yes"]);
        let said = String::from_utf8_lossy(&answered.stderr).into_owned();
        assert_eq!(answered.status.success(), taken, "{setting}: {said}");
        assert_eq!(said.contains("config.toml"), !taken, "{setting}: {said}");
        let doctor = sandbox.run(&["doctor"]);
        let doctor = String::from_utf8_lossy(&doctor.stdout).into_owned();
        let trip = doctor.lines().find(|line| line.contains("round trip"));
        assert!(
            trip.is_some_and(|line| line.starts_with("ok")),
            "{setting}: {doctor}"
        );
        let state = &show_record(&sandbox, &id)["state"];
        assert_eq!(state == "answered", taken, "{setting}: {state}");
    }
}

#[test]
fn refused_answers_from_below_agents_have_no_bypass() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let (_agent, _, id) = start_asking_agent(&sandbox);
    for way in [
        &["decline", &id][..],
        &["clarify", &id, "What for?"],
        &["answer", &id, "--set", "1=Yes"],
    ] {
        let refused = sandbox.run(way);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("started below fake-agent"), "{way:?}: {said}");
    }
    let mut surface = Host::start(&sandbox, &["--surface"]);
    assert_eq!(surface.next_shown(), id);
    surface.respond(&id, r#""answers":["Yes"]"#);
    let error = surface.receive_error("refused");
    assert!(error.contains("below fake-agent"), "{error}");
    let token = std::fs::read_to_string(sandbox.home().join("answer-token"));
    let token = token.expect("the hub's token");
    let port = Http::of_hub(&sandbox).port;
    let mut app = App::connect(port, token.trim(), &[]).expect("the bridge accepts the app");
    app.receive("cn_ask_user.asked");
    app.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"values":["Yes"]}}]}}"#
    ));
    let error = app.receive("cn_ask_user.error");
    assert!(
        error["message"].to_string().contains("below fake-agent"),
        "{error}"
    );
    let page = Web::page(&sandbox);
    let answer = format!("/v1/asks/{id}/answer");
    let refused = page.expect_status(403, "POST", &answer, r#"{"answers":["Yes"]}"#);
    assert!(
        refused["detail"].to_string().contains("below fake-agent"),
        "{refused}"
    );
    let program = Web::with_token(&sandbox, "answer-token");
    for (what, body) in [
        ("answer", r#"{"answers":["Yes"]}"#),
        ("decline", "{}"),
        ("clarify", r#"{"text":"What for?"}"#),
    ] {
        program.expect_status(403, "POST", &format!("/v1/asks/{id}/{what}"), body);
    }
    let settle = decline(&AskId::parse(&id).expect("the id is valid"), "terminal");
    match Hub::connect(&sandbox).call(&settle) {
        Response::Fault { kind, .. } => assert_eq!(kind, ErrorKind::NotAllowed),
        other => panic!("it was taken over the socket: {other:?}"),
    }
    let said = run_below_agent(&sandbox, r#"printf '1\ny\n' | "$0" inbox --plain --next"#);
    assert!(said.contains("below fake-agent"), "{said}");
    let unsent = run_below_agent(
        &sandbox,
        r#"printf '0\nnot yet\n\n' | "$0" inbox --plain --next"#,
    );
    assert!(
        unsent.contains("Left waiting; what you typed is not kept."),
        "{unsent}"
    );
    assert_eq!(show_record(&sandbox, &id)["state"], "waiting");
}

#[test]
fn a_pending_file_is_not_sent_from_below_an_agent_where_that_is_refused() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let (_agent, ..) = start_asking_agent(&sandbox);
    let file = sandbox.home().join(".pi/pending-questions.json");
    std::fs::write(sandbox.home().join("call.json"), CALL).expect("a writable home");
    let prompt = [
        "prompt",
        "--dialect",
        "pi",
        "--mode",
        "pending",
        "call.json",
    ];
    let asked = sandbox.run(&prompt);
    assert_eq!(asked.status.code(), Some(8), "{asked:?}");
    let text = std::fs::read_to_string(&file).expect("the questions are in a file");
    let id = json(&text)["sessionId"].as_str().expect("an id").to_owned();
    let text = text.replacen(r#""answer": null"#, r#""answer": "Yes""#, 1);
    std::fs::write(&file, text).expect("a writable file");
    for way in [&["pending", "answer"][..], &prompt] {
        let refused = sandbox.run(way);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success(), "{way:?}: {said}");
        assert!(said.contains("started below"), "{way:?}: {said}");
    }
    assert_eq!(show_record(&sandbox, &id)["state"], "waiting");
}

/// An ask whose time has passed: its agent, which was told so, and the ask's id.
fn expire_ask(sandbox: &Sandbox) -> (Agent, String) {
    let mut agent = Agent::connect(sandbox, "native");
    let call = CALL.replacen('{', r#"{"timeout":2500,"#, 1);
    let call = agent.call("ask_user", &call);
    let id = wait_for_ask(sandbox);
    agent.result(call);
    assert_eq!(show_record(sandbox, &id)["state"], "expired");
    (agent, id)
}

#[test]
fn an_expired_ask_still_refuses_answers_from_below_agents() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let (mut agent, id) = expire_ask(&sandbox);
    let refuses_all = || {
        for way in [
            &["answer", &id, "--set", "1=Yes"][..],
            &["decline", &id],
            &["clarify", &id, "What for?"],
        ] {
            let refused = sandbox.run(way);
            let said = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(said.contains("started below fake-agent"), "{way:?}: {said}");
        }
        match Hub::connect(&sandbox).call(&draft_request(&id, 1, None)) {
            Response::Fault { kind, .. } => assert_eq!(kind, ErrorKind::NotAllowed),
            other => panic!("the draft was taken: {other:?}"),
        }
    };
    refuses_all();
    // A hub that starts days later has the ask in its store and not in its memory.
    Hub::connect(&sandbox).kill();
    let mut hub = Hub::start(&sandbox);
    let later = ask_config::clock::now().plus_ms(3 * 86_400_000);
    hub.call(&Request::Clock { now_ms: later.0 });
    refuses_all();
    let call = agent.call("ask_user_result", &format!(r#"{{"askId":"{id}"}}"#));
    let told = agent.result(call).to_string();
    assert!(!told.contains("Yes"), "{told}");
}

#[test]
fn late_answers_from_below_an_agent_wait_for_confirmation() {
    let sandbox = Sandbox::new().below_agents();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("No question waits for you.");
    let (_agent, id) = expire_ask(&sandbox);
    for way in [&["answer", &id, "--set", "1=Yes"][..], &["decline", &id]] {
        let refused = sandbox.run(way);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("started below fake-agent"), "{way:?}: {said}");
    }
    let record = show_record(&sandbox, &id);
    assert_eq!(record["state"], "expired", "{record}");
    assert_eq!(record["draft"]["savedBy"], "below fake-agent", "{record}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_in_the_background_of_a_shell_that_has_ended_is_below_its_agent() {
    let sandbox = Sandbox::new().below_agents();
    let (mut agent, call, id) = start_asking_agent(&sandbox);
    let script = r#"shell=$$; (while kill -0 $shell; do sleep 0.01; done; exec "$0" answer "$1" --set 1=Yes) >/dev/null 2>&1 &"#;
    let mut command = sandbox.command("sh");
    command.args(["-c", script, BINARY, &id]);
    assert!(run_to_end(command).status.success());
    let told = agent.result(call)["content"].to_string();
    assert!(told.contains("started below an agent"), "{told}");
    assert_eq!(
        show_record(&sandbox, &id)["answeredFrom"]["belowAgent"],
        "fake-agent"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_below_a_background_job_with_a_session_of_its_own_is_below_the_jobs_agent() {
    let sandbox = Sandbox::new().below_agents();
    let (mut agent, call, id) = start_asking_agent(&sandbox);
    // As `script`, a test runner, or a program with a terminal of its own does it.
    let job = r#"
import subprocess, sys
subprocess.run(["sh", "-c", '"$0" answer "$1" --set 1=Yes; exit', *sys.argv[1:]], start_new_session=True)
"#;
    let script = r#"shell=$$; (while kill -0 $shell; do sleep 0.01; done; exec python3 -c "$2" "$0" "$1") >/dev/null 2>&1 &"#;
    let mut command = sandbox.command("sh");
    command.args(["-c", script, BINARY, &id, job]);
    assert!(run_to_end(command).status.success());
    let told = agent.result(call)["content"].to_string();
    assert!(told.contains("started below an agent"), "{told}");
}

#[test]
fn asking_and_answering_in_one_command_below_an_agent_is_detected() {
    let sandbox = Sandbox::new().below_agents();
    let (_agent, ..) = start_asking_agent(&sandbox);
    let call =
        r#"{"questions":[{"question":"Ship it?","options":[{"label":"Yes"},{"label":"No"}]}]}"#;
    std::fs::write(sandbox.home().join("call.json"), call).expect("a writable home");
    let said = run_below_agent(
        &sandbox,
        r#""$0" prompt --dialect pi --answers '["Yes"]' call.json"#,
    );
    let listed = json(&sandbox.run_ok(&["history", "--json"]));
    let from = &listed[0]["answeredFrom"];
    assert_eq!(from["belowAgent"], "fake-agent", "{said}: {listed}");
    assert!(
        said.contains("below fake-agent: an agent may have answered itself."),
        "{said}"
    );
    let answered: Vec<&str> = said.lines().filter(|line| line.starts_with('{')).collect();
    let reply = r#"{"answered":true,"answers":[{"question":"Ship it?","answer":"Yes","selectedOption":"Yes","wasCustom":false}]}"#;
    assert_eq!(answered, [reply], "standard output is the reply alone");
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_that_another_agents_shell_left_in_the_background_is_below_that() {
    let call =
        r#"{"questions":[{"question":"Ship it?","options":[{"label":"Yes"},{"label":"No"}]}]}"#;
    // Agents without servers give their process to what they start. The outer one's shell has ended
    // when the inner one asks.
    let declares = r#"
import os, subprocess, sys
def declare():
    ticks = open("/proc/self/stat").read().rpartition(")")[2].split()[19]
    os.environ["ASK_USER_AGENT_PROCESS"] = f"{os.getpid()}:{ticks}"
"#;
    let inner = r#"
program, shell = sys.argv[1:]
while os.getppid() == int(shell):
    pass
declare()
subprocess.run([program, "prompt", "--dialect", "pi", "--answers", '["Yes"]', "call.json"])
open("done", "w")
"#;
    let outer = r#"
program, inner, is_agent = sys.argv[1:]
if is_agent == "true":
    declare()
if not (shell := os.fork()):
    os.setsid()
    subprocess.Popen([sys.executable, "-c", inner, program, str(os.getpid())])
    os._exit(0)
os.waitpid(shell, 0)
while not os.path.exists("done"):
    pass
"#;
    for is_agent in [true, false] {
        let sandbox = Sandbox::new().below_agents();
        std::fs::write(sandbox.home().join("call.json"), call).expect("a writable home");
        let (outer, inner) = (format!("{declares}{outer}"), format!("{declares}{inner}"));
        let mut command = sandbox.command("python3");
        command.args(["-c", &outer, BINARY, &inner, &is_agent.to_string()]);
        command.current_dir(sandbox.home());
        let output = run_to_end(command);
        let history = json(&sandbox.run_ok(&["history", "--json"]));
        let below = &history[0]["answeredFrom"]["belowAgent"];
        assert_eq!(below.is_string(), is_agent, "{history}: {output:?}");
    }
}

#[test]
fn a_prompt_that_the_agents_client_starts_has_no_bypass() {
    for (setting, taken) in [("mark", true), ("refuse", false)] {
        for has_ended in [false, true] {
            let sandbox = Sandbox::new().below_agents();
            sandbox.write_settings(&format!("[answers]\nbelow_agents = \"{setting}\"\n"));
            let mut agent = Agent::connect(&sandbox, "pi");
            let call = r#"{"questions":[{"question":"Ship it?","options":[{"label":"Yes"},{"label":"No"}]}]}"#;
            agent.call("ask_user", call);
            let id = wait_for_ask(&sandbox);
            if has_ended {
                agent.end();
            }
            std::fs::write(sandbox.home().join("call.json"), call).expect("a writable home");
            let mut command = sandbox.command(BINARY);
            command.env("ASK_USER_CLIENT", "fake-agent");
            command.args(["prompt", "--dialect", "pi"]);
            command.args(["--answers", r#"["Yes"]"#, "call.json"]);
            let output = run_to_end(command);
            let case = format!("{setting}, {has_ended}: {output:?}");
            assert_eq!(output.status.success(), taken, "{case}");
            let state = &show_record(&sandbox, &id)["state"];
            assert_eq!(state, "waiting", "the agent's own ask: {case}");
            let history = json(&sandbox.run_ok(&["history", "--json"]));
            if taken {
                let from = &history[0]["answeredFrom"];
                assert_eq!(from["belowAgent"], "fake-agent", "{case}");
            } else {
                assert_eq!(history, json("[]"), "{case}");
            }
        }
    }
}

#[test]
fn a_prompt_answers_no_ask_that_a_command_left() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let call = r#"{"question":"Ship it?","type":"confirm"}"#;
    std::fs::write(sandbox.home().join("call.json"), call).expect("a writable home");
    let mut command = sandbox.command("sh");
    command.args([
        "-c",
        "\"$0\" ask 'Ship it?' --confirm --return-after 1ms; true",
        BINARY,
    ]);
    run_to_end(command);
    let id = wait_for_ask(&sandbox);
    let mut command = sandbox.command("sh");
    let answer = r#""$0" prompt --dialect native --answers '["yes"]' call.json; true"#;
    command.args(["-c", answer, BINARY]);
    let output = run_to_end(command);
    let state = &show_record(&sandbox, &id)["state"];
    assert_eq!(state, "waiting", "what the person was asked: {output:?}");
}

/// Sends requests to the hub by a child process that speaks the hub's protocol itself, as no program
/// of ours would. Returns the last response.
fn call_over_socket(sandbox: &Sandbox, requests: &[Request]) -> String {
    let script = r#"
import socket, sys
hub = socket.socket(socket.AF_UNIX)
hub.connect(sys.argv[1])
replies = hub.makefile("rb")
for line in sys.argv[2:]:
    hub.sendall(line.encode() + b"\n")
    reply = replies.readline()
print(reply.decode())
"#;
    let mut command = sandbox.command("python3");
    command.args(["-c", script]);
    command.arg(address(sandbox).expect("a hub runs").socket);
    let hello = Request::Hello {
        version: "0".to_owned(),
    };
    for (number, request) in std::iter::once(&hello).chain(requests).enumerate() {
        let line = ipc::write_request(number as u64 + 1, request);
        command.arg(String::from_utf8(line).expect("JSON").trim_end());
    }
    String::from_utf8_lossy(&run_to_end(command).stdout).into_owned()
}

/// The surfaces that an agent's own programs name, and others.
const SURFACES: [&str; 5] = ["terminal", "dialog", "app", "pending", "claude-code"];

fn decline(id: &AskId, surface: &str) -> Request {
    Request::Settle {
        id: id.clone(),
        verdict: Verdict::Decline { reason: None },
        surface: surface.to_owned(),
        device: None,
        attempt: 1,
        hold: false,
        relayed: false,
        sender: None,
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_that_asks_and_answers_over_the_socket_has_no_bypass() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let (agent, _, id) = start_asking_agent(&sandbox);
    let record = sandbox.run_ok(&["show", &id, "--json"]);
    agent.end();
    let ended = Caller {
        process: Some(Process {
            pid: 999_999,
            start: 1,
        }),
        ..Caller::of_instance("process:999999:1".to_owned())
    };
    let claims = [
        None,
        Some(Caller::of_role(Role::Hook)),
        Some(Caller::of_role(Role::Command)),
        Some(ended),
    ];
    let cases = claims
        .iter()
        .flat_map(|claim| SURFACES.map(|surface| (claim, surface)));
    for (number, (claim, surface)) in cases.enumerate() {
        let own = format!("a_{number:02}{}", &id[2..]);
        let own = AskId::parse(&own).expect("an id");
        let record = native::read_record(&record.replace(&id, own.as_str()));
        let mut record = record.expect("a record");
        record.asker.caller.clone_from(claim);
        let open = Request::Open {
            record: Box::new(record),
            wait: false,
            take_up: TakeUp::Never,
        };
        let said = call_over_socket(&sandbox, &[open, decline(&own, surface)]);
        let case = format!("{claim:?} {surface}: {said}");
        assert!(said.contains("started below fake-agent"), "{case}");
        let state = &show_record(&sandbox, own.as_str())["state"];
        assert_eq!(state, "waiting", "{case}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_ask_that_a_hook_left_is_not_settled_by_a_program_in_its_name() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let mut hook = run_hook(&sandbox, false);
    let id = wait_for_ask(&sandbox);
    send_signal(hook.child.id(), Signal::TERM);
    hook.child.wait().expect("a child process");
    while show_record(&sandbox, &id).get("waiters").is_some() {}
    let record = sandbox.run_ok(&["show", &id, "--json"]);
    let id = AskId::parse(&id).expect("an id");
    for surface in SURFACES {
        let mut record = native::read_record(&record).expect("a record");
        record.asker.caller = Some(Caller::of_role(Role::Hook));
        let open = Request::Open {
            record: Box::new(record),
            wait: false,
            take_up: TakeUp::WhenLeft,
        };
        let said = call_over_socket(&sandbox, &[open, decline(&id, surface)]);
        assert!(said.contains("started below claude-code"), "{said}");
        let state = &show_record(&sandbox, id.as_str())["state"];
        assert_eq!(state, "waiting", "{surface}: {said}");
    }
}

/// Answers a question in the dialog of a client that started its server by this program, beside
/// another agent of this test.
fn answer_in_dialog(program: &[&str]) -> Json {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"mark\"\n[dialogs]\nuse = \"always\"\n");
    let mut sibling = Agent::start_below(&sandbox, program, &[]);
    sibling.open(Era::Initialize("2025-11-25"));
    let (_agent, _, first) = start_asking_agent(&sandbox);
    let mut client = Agent::start_below(&sandbox, program, &[]);
    client.set_name("inner-agent");
    client.set_capabilities(r#"{"elicitation":{"form":{}}}"#);
    client.open(Era::Initialize("2025-11-25"));
    let call = client.call("ask_user", r#"{"question":"A or B?","options":["A","B"]}"#);
    let dialog = client.next_dialog();
    client.respond(&dialog, r#"{"action":"accept","content":{"q1":"A"}}"#);
    client.result(call);
    let listed = json(&sandbox.run_ok(&["history", "--json"]));
    assert_ne!(listed[0]["askId"], first.as_str(), "{listed}");
    assert_eq!(listed[0]["answeredBy"], "dialog", "{listed}");
    listed[0]["answeredFrom"].clone()
}

#[test]
#[cfg(target_os = "linux")]
fn a_dialog_is_marked_if_another_agent_started_its_client() {
    let nested = answer_in_dialog(&CLIENT_PROGRAM);
    assert_eq!(nested["belowAgent"], "fake-agent", "{nested}");
    // This test is the client of both, as many clients start their servers.
    let wrapped = answer_in_dialog(&["sh", "-c", "\"$@\"; exit", "sh"]);
    assert_eq!(wrapped.get("belowAgent"), None, "{wrapped}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_hides_behind_http_has_no_bypass() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let (_agent, _, id) = start_asking_agent(&sandbox);
    let port = Http::of_hub(&sandbox).port;
    // A process that isn't dumpable hides its open files from those without privileges.
    let script = r#"
import ctypes, sys, urllib.error, urllib.request
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
url, token = sys.argv[1], open("answer-token").read().strip()
headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
request = urllib.request.Request(url, b'{"answers":["Yes"]}', headers)
try:
    print(urllib.request.urlopen(request).read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
"#;
    let mut command = sandbox.command("python3");
    let url = format!("http://127.0.0.1:{port}/v1/asks/{id}/answer");
    command.args(["-c", script, &url]);
    let said = String::from_utf8_lossy(&run_to_end(command).stdout).into_owned();
    assert!(said.starts_with("403"), "{said}");
    assert_eq!(show_record(&sandbox, &id)["state"], "waiting", "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_below_too_many_others_has_no_bypass() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let (_agent, _, id) = start_asking_agent(&sandbox);
    let script = r#"
import os, sys
for _ in range(70):
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os.setsid()
os.execv(sys.argv[1], sys.argv[1:])
"#;
    let mut command = sandbox.command("python3");
    command.args(["-c", script, BINARY, "answer", &id, "Yes"]);
    let output = run_to_end(command);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("started below a program that hides"),
        "{said}"
    );
    assert_eq!(show_record(&sandbox, &id)["state"], "waiting", "{said}");
}

#[test]
fn a_pairing_link_fetched_below_an_agent_is_refused() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[http]\npublic_url = \"https://desk.example.ts.net\"\n");
    // Nobody has asked yet.
    Web::page(&sandbox).post_json("/v1/pairing", r#"{"forMs":3600000}"#);
    let (_agent, ..) = start_asking_agent(&sandbox);
    let fetched = public_key(&sandbox);
    let tunnel = Web::anonymous(&sandbox).behind_proxy("desk.example.ts.net");
    let mut refused = tunnel.sign_in(&fetched);
    assert_eq!(refused.status, 403);
    let problem = json(&refused.text());
    assert_eq!(kind(&problem), "not-allowed", "{problem}");
    assert!(
        problem["detail"].to_string().contains("below fake-agent"),
        "{problem}"
    );
}

#[test]
fn only_from_devices_accepts_a_device() {
    let sandbox = Sandbox::new();
    let phone = pair_device(&sandbox, "answer", "iPhone, Safari");
    Hub::connect(&sandbox).kill();
    sandbox.write_settings("[answers]\nonly_from = \"devices\"\n");
    let (mut agent, call, id) = start_asking_agent(&sandbox);
    let page = Web::page(&sandbox);
    let answer = format!("/v1/asks/{id}/answer");
    page.expect_status(403, "POST", &answer, r#"{"answers":["Yes"]}"#);
    phone.post_json(&answer, r#"{"answers":["Yes"]}"#);
    assert!(agent.receive_reply(call).contains("Yes"));
    let record = show_record(&sandbox, &id);
    assert_eq!(record["answeredDevice"], "iPhone, Safari", "{record}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_below_an_agent_that_has_a_devices_cookie_has_no_bypass() {
    let sandbox = Sandbox::new().below_agents();
    // Nobody has asked yet.
    let phone = pair_device(&sandbox, "answer", "iPhone, Safari");
    let (_agent, _, id) = start_asking_agent(&sandbox);
    let answered = phone.post_json(&format!("/v1/asks/{id}/answer"), r#"{"answers":["Yes"]}"#);
    let record = &answered["record"];
    assert_eq!(
        record["answeredFrom"]["belowAgent"], "fake-agent",
        "{record}"
    );
    assert_eq!(record["answeredDevice"], "iPhone, Safari", "{record}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_made_up_session_hides_no_agent() {
    let sandbox = Sandbox::new().below_agents();
    let http = Http::of_hub(&sandbox);
    let call = http.call_as_text(1, "ask_user", CALL);
    let call = call.replacen("\r\n", "\r\nmcp-session-id: made-up\r\n", 1);
    let asking = std::thread::spawn(move || http.send_text(&call));
    let id = wait_for_ask(&sandbox);
    sandbox.run_ok(&["answer", &id, "Yes"]);
    let record = show_record(&sandbox, &id);
    assert_eq!(record["answeredFrom"]["belowAgent"], "raw-http", "{record}");
    asking.join().expect("the call ends");
}

#[test]
fn the_process_behind_an_http_answer_is_known() {
    let sandbox = Sandbox::new().below_agents();
    let session = Http::of_hub(&sandbox).session();
    let http = std::thread::spawn(move || session.call(2, "ask_user", CALL));
    let id = wait_for_ask(&sandbox);
    let program = Web::with_token(&sandbox, "answer-token");
    let answered = program.post_json(
        &format!("/v1/asks/{id}/answer"),
        r#"{"answers":[{"values":["Yes"]}]}"#,
    );
    let from = &answered["record"]["answeredFrom"];
    assert!(from["belowAgent"].is_string(), "{answered}");
    assert_eq!(from["pid"], std::process::id(), "{answered}");
    http.join().expect("the call ends");
}

#[test]
fn a_browser_whose_link_was_fetched_below_an_agent_is_below_it() {
    let sandbox = Sandbox::new().below_agents();
    let (_agent, _, id) = start_asking_agent(&sandbox);
    // A program started by this process fetches the link, and the page is opened after a restart of
    // the hub.
    let page = Web::page(&sandbox);
    Hub::connect(&sandbox).kill();
    let declined = page
        .at_hub_of(&sandbox)
        .post_json(&format!("/v1/asks/{id}/decline"), "{}");
    let from = &declined["record"]["answeredFrom"];
    assert_eq!(from["belowAgent"], "fake-agent", "{declined}");
}

#[test]
fn a_link_fetched_below_an_agent_replaces_no_session_of_the_person() {
    let sandbox = Sandbox::new().below_agents();
    // Nobody has asked yet.
    let page = Web::page(&sandbox);
    let (_agent, _, id) = start_asking_agent(&sandbox);
    let mut refused = page.sign_in(&key(&sandbox));
    assert_eq!(refused.status, 403);
    let problem = json(&refused.text());
    assert_eq!(kind(&problem), "not-allowed", "{problem}");
    page.get_json(&format!("/v1/asks/{id}"));
}

#[test]
fn the_socket_refuses_the_surface_of_page_and_devices() {
    let sandbox = Sandbox::new();
    let (_agent, _, id) = start_asking_agent(&sandbox);
    let mut hub = Hub::connect(&sandbox);
    let id = AskId::parse(&id).expect("the id is valid");
    let settle = |surface: &str, device: Option<&str>| Request::Settle {
        id: id.clone(),
        verdict: Verdict::Decline { reason: None },
        surface: surface.to_owned(),
        device: device.map(str::to_owned),
        attempt: 1,
        hold: false,
        relayed: false,
        sender: None,
    };
    let keep = Request::SaveDraft {
        id: id.clone(),
        draft: Draft {
            answers: vec![Answer::saying("x")],
            note: None,
        },
        surface: "web".to_owned(),
        built_on: None,
        sender: None,
    };
    let shown = Request::Shown {
        id: id.clone(),
        surface: "web".to_owned(),
    };
    let lookalikes = [
        "Web",
        "web ",
        "w\u{435}b",
        "web\u{200b}",
        "",
        "page",
        "clock",
    ];
    let long = "x".repeat(65);
    let mut forged = vec![
        settle("web", None),
        settle("api", None),
        settle(&long, None),
        settle("terminal", Some("iPhone, Safari")),
        keep,
        shown,
    ];
    forged.extend(lookalikes.map(|surface| settle(surface, None)));
    for forged in forged {
        match hub.call(&forged) {
            Response::Fault { kind, .. } => assert_eq!(kind, ErrorKind::NotAllowed, "{forged:?}"),
            other => panic!("{forged:?} was taken: {other:?}"),
        }
    }
}

#[test]
fn a_client_named_like_a_surface_is_still_an_agent() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let mut agent = Agent::start(&sandbox, &["--dialect", "native"]);
    agent.set_name("cli");
    agent.open(Era::Initialize("2025-11-25"));
    agent.call("ask_user", CALL);
    let id = wait_for_ask(&sandbox);
    let answered = sandbox.run(&["answer", &id, "--set", "1=Yes"]);
    let said = String::from_utf8_lossy(&answered.stderr).into_owned();
    assert!(said.contains("started below cli"), "{said}");
    assert_eq!(show_record(&sandbox, &id)["state"], "waiting");
}

const QUESTIONS: &str = r#"[{"question":"Drop it?","header":"Drop","multiSelect":false,"options":[{"label":"Yes","description":"All"},{"label":"No","description":"Nothing"}]}]"#;

/// Tells the hook of Claude Code about a tool call: that it begins, or that it was answered.
fn run_hook(sandbox: &Sandbox, is_over: bool) -> Running {
    let (event, response) = match is_over {
        false => ("PreToolUse", ""),
        true => (
            "PostToolUse",
            r#","tool_response":{"questions":[],"answers":{"Drop it?":"Yes"}}"#,
        ),
    };
    let said = format!(
        r#"{{"hook_event_name":"{event}","tool_name":"AskUserQuestion","tool_input":{{"questions":{QUESTIONS}}}{response}}}"#
    );
    let mut command = sandbox.command(BINARY);
    command
        .args(["hook", "claude-code"])
        .stdin(std::process::Stdio::piped());
    let mut hook = sandbox.start("a hook", command);
    let mut input = hook.child.stdin.take().expect("its input is piped");
    input
        .write_all(said.as_bytes())
        .expect("the hook reads its input");
    hook
}

/// Who asked, and whether somebody waits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AskedBy {
    HookThatWaits,
    HookThatEnded,
    /// A server that calls itself by the name of the hook's client.
    Server,
}

/// Reports, as the client's hook would, that its person has answered in its dialog. Returns whether
/// the hub took that, and the record.
fn report_of_dialog(setting: &str, asked_by: AskedBy) -> (bool, Json) {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings(&format!("[answers]\nbelow_agents = \"{setting}\"\n"));
    let screen = Screen::open(&sandbox, &["inbox"]);
    let mut agent = Agent::start(&sandbox, &["--dialect", "claude"]);
    agent.set_name("claude-code");
    agent.open(Era::Initialize("2025-11-25"));
    let mut hook = (asked_by != AskedBy::Server).then(|| run_hook(&sandbox, false));
    if hook.is_none() {
        agent.call(
            "AskUserQuestion",
            &format!(r#"{{"questions":{QUESTIONS}}}"#),
        );
    }
    screen.wait_for("Drop it?");
    let id = wait_for_ask(&sandbox);
    if let Some(hook) = hook.as_mut().filter(|_| asked_by == AskedBy::HookThatEnded) {
        send_signal(hook.child.id(), Signal::TERM);
        hook.child.wait().expect("a child process");
        while show_record(&sandbox, &id).get("waiters").is_some() {}
    }
    let settle = decline(&AskId::parse(&id).expect("the id is valid"), "claude-code");
    let response = Hub::connect(&sandbox).call(&settle);
    let is_taken = matches!(response, Response::Settled { won: true, .. });
    (is_taken, show_record(&sandbox, &id))
}

#[test]
#[cfg(target_os = "linux")]
fn a_hook_reports_a_dialog_only_of_its_own_ask_and_only_after_its_end() {
    for (setting, asked_by, is_expected) in [
        ("ask", AskedBy::HookThatEnded, true),
        ("ask", AskedBy::HookThatWaits, false),
        ("ask", AskedBy::Server, false),
        ("refuse", AskedBy::HookThatEnded, false),
        ("mark", AskedBy::Server, true),
    ] {
        let (is_taken, record) = report_of_dialog(setting, asked_by);
        let case = format!("{setting}, {asked_by:?}: {record}");
        assert_eq!(is_taken, is_expected, "{case}");
        if is_taken {
            assert_eq!(record["answeredBy"], "claude-code", "{case}");
            let below = &record["answeredFrom"]["belowAgent"];
            assert_eq!(below, "claude-code", "{case}");
        } else {
            assert_eq!(record["state"], "waiting", "{case}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_hook_after_the_dialog_settles_the_ask_that_its_predecessor_left() {
    let sandbox = Sandbox::new().below_agents();
    let mut asks = run_hook(&sandbox, false);
    let id = wait_for_ask(&sandbox);
    send_signal(asks.child.id(), Signal::TERM);
    asks.child.wait().expect("a child process");
    let mut hears = run_hook(&sandbox, true);
    assert!(hears.child.wait().expect("a child process").success());
    let record = show_record(&sandbox, &id);
    assert_eq!(record["state"], "answered", "{record}");
    assert_eq!(record["answeredBy"], "claude-code", "{record}");
}

/// A draft that picks one of the two options.
fn draft_request(id: &str, pick: usize, built_on: Option<u64>) -> Request {
    Request::SaveDraft {
        id: AskId::parse(id).expect("the id is valid"),
        draft: Draft {
            answers: vec![Answer::picking([pick])],
            note: None,
        },
        surface: "terminal".to_owned(),
        built_on,
        sender: None,
    }
}

#[test]
fn a_draft_from_below_an_agent_is_marked_and_replaces_only_its_own() {
    let sandbox = Sandbox::new().below_agents();
    let (_agent, _, id) = start_asking_agent(&sandbox);
    let mut hub = Hub::connect(&sandbox);
    hub.call(&draft_request(&id, 1, None));
    assert_eq!(
        show_record(&sandbox, &id)["draft"]["savedBy"],
        "below fake-agent"
    );
    match hub.call(&draft_request(&id, 0, Some(1))) {
        Response::Done { count: 1 } => {}
        other => panic!("the next draft of the same form isn't kept: {other:?}"),
    }
    match hub.call(&draft_request(&id, 1, Some(1))) {
        Response::Record(_) => {}
        other => panic!("a newer one is there: {other:?}"),
    }
    let mut host = Host::start(&sandbox, &["--surface"]);
    let shown = host.receive("ask_user_request");
    assert_eq!(shown["draft"]["savedBy"], "below fake-agent", "{shown}");
    let token = std::fs::read_to_string(sandbox.home().join("answer-token"));
    let (port, token) = (Http::of_hub(&sandbox).port, token.expect("a token"));
    let mut app = App::connect(port, token.trim(), &[]).expect("the bridge accepts the app");
    let shown = app.receive("cn_ask_user.asked");
    assert_eq!(shown["draft"]["savedBy"], "below fake-agent", "{shown}");
    drop((host, app));
    let page = Web::page(&sandbox);
    let draft = r#"{"draft":{"answers":[]},"builtOn":1}"#;
    page.expect_status(409, "PUT", &format!("/v1/asks/{id}/draft"), draft);
    let saved = show_record(&sandbox, &id)["draft"].to_string();
    assert!(
        saved.contains(r#""picks":[0]"#),
        "the page's link was fetched below the agent: {saved}"
    );

    hub.kill();
    let mut hub = Hub::start(&sandbox);
    match hub.call(&draft_request(&id, 1, Some(2))) {
        Response::Fault { kind, .. } => assert_eq!(kind, ErrorKind::NotAllowed),
        other => panic!("a person may have changed it before: {other:?}"),
    }
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    hub.kill();
    match Hub::start(&sandbox).call(&draft_request(&id, 0, Some(2))) {
        Response::Fault { kind, .. } => assert_eq!(kind, ErrorKind::NotAllowed),
        other => panic!("it was taken: {other:?}"),
    }
}

#[test]
fn devices_cannot_be_admitted_from_below_an_agent() {
    let sandbox = Sandbox::new().below_agents();
    let (_agent, ..) = start_asking_agent(&sandbox);
    let paired = sandbox.run(&["pair", "--address", "127.0.0.1"]);
    let said = String::from_utf8_lossy(&paired.stderr).into_owned();
    assert!(said.contains("lets no device in"), "{said}");
    let program = Web::with_token(&sandbox, "answer-token");
    program.expect_status(403, "POST", "/v1/pairing", r#"{"address":"127.0.0.1"}"#);
    assert_eq!(program.get_json("/v1/pairing")["on"], false);
}

#[test]
fn history_cannot_be_removed_from_below_an_agent() {
    let sandbox = Sandbox::new().below_agents();
    let (mut agent, call, id) = start_asking_agent(&sandbox);
    sandbox.run_ok(&["answer", &id, "--set", "1=Yes"]);
    agent.result(call);
    for forget in [&["forget", &id, "--yes"], &["forget", "--all", "--yes"]] {
        let refused = sandbox.run(forget);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("removes nothing"), "{forget:?}: {said}");
    }
    let program = Web::with_token(&sandbox, "answer-token");
    program.expect_status(403, "DELETE", &format!("/v1/asks/{id}"), "");
    program.expect_status(403, "DELETE", "/v1/asks?all=true", "");
    assert_eq!(show_record(&sandbox, &id)["state"], "answered");
}

/// An ask that a person's terminal opened, and that is answered by this process.
fn answer_for_terminal(sandbox: &Sandbox) -> Json {
    let script = r#""$0" ask "Ship it?" --confirm --no-wait; exit"#;
    let asks = Screen::start(sandbox, &[], &["sh", "-c", script, BINARY]);
    asks.wait_for_exit();
    let listed = json(&sandbox.run_ok(&["list", "--json"]));
    let asks = listed.as_array().expect("a list");
    let ask = asks
        .iter()
        .find(|ask| ask["questions"][0]["question"] == "Ship it?");
    let id = ask.and_then(|ask| ask["askId"].as_str());
    let id = id.expect("the terminal has asked");
    sandbox.run_ok(&["answer", id, "--set", "yes"]);
    show_record(sandbox, id)
}

#[test]
fn an_agent_that_has_ended_its_server_is_still_an_agent() {
    let sandbox = Sandbox::new().below_agents();
    let (agent, _, id) = start_asking_agent(&sandbox);
    agent.end();
    while show_record(&sandbox, &id).get("waiters").is_some() {}
    let record = answer_for_terminal(&sandbox);
    assert_eq!(record["state"], "answered", "{record}");
    let below = &record["answeredFrom"]["belowAgent"];
    assert_eq!(below, "fake-agent", "{record}");
    let id = record["askId"].as_str().expect("an id");
    let refused = sandbox.run(&["forget", id, "--yes"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("removes nothing"), "{told}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_that_has_ended_its_session_is_still_an_agent() {
    let sandbox = Sandbox::new().below_agents();
    let session = Http::of_hub(&sandbox).session();
    let fetched = session.call(1, "ask_user_result", "{}").tool_text();
    assert!(
        fetched.contains("no answer that you haven't been given"),
        "{fetched}"
    );
    assert_eq!(session.send("DELETE", &[], "").status, 200);
    let record = answer_for_terminal(&sandbox);
    assert_eq!(record["state"], "answered", "{record}");
    let below = record["answeredFrom"].get("belowAgent");
    assert!(below.is_some(), "{record}");
}

#[test]
fn children_from_before_exec_do_not_count_as_the_hubs() {
    let sandbox = Sandbox::new().below_agents();
    let pipe = sandbox.home().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let script =
        r#"(read -r id < "$1"; "$0" answer "$id" --set 1=Yes) & exec "$0" hub --foreground"#;
    let mut command = sandbox.command("sh");
    command.args(["-c", script, BINARY]).arg(&pipe);
    let mut hub = sandbox.start("hub", command);
    // Otherwise the agent may start another hub.
    hub.out
        .find("it listens", |line| line.contains("listens").then_some(()));
    let (mut agent, call, id) = start_asking_agent(&sandbox);
    std::fs::write(&pipe, format!("{id}\n")).expect("the pipe has a reader");
    let told = agent.result(call)["content"].to_string();
    assert!(told.contains("started below an agent"), "{told}");
}

/// Runs a script in a shell below another program, as agents do. The program ends with the shell.
fn run_below_agent(sandbox: &Sandbox, script: &str) -> String {
    let mut command = sandbox.command("sh");
    // Without `exit`, the shell would replace itself by the last command (exec).
    command.args(["-c", &format!("{script}; exit"), BINARY]);
    let output = run_to_end(command);
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
#[cfg(target_os = "linux")]
fn answering_from_another_shell_of_the_agent_is_detected() {
    let sandbox = Sandbox::new().below_agents();
    let asked = run_below_agent(&sandbox, r#""$0" ask "Ship it?" --confirm --no-wait"#);
    let id = asked.trim();
    run_below_agent(&sandbox, &format!(r#""$0" answer {id} --set yes"#));
    let record = show_record(&sandbox, id);
    assert_eq!(record["state"], "answered", "{asked}: {record}");
    let below = &record["answeredFrom"]["belowAgent"];
    assert_eq!(below, &record["asker"]["client"], "{record}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_without_a_server_is_found_however_its_command_asks() {
    // The agent gives its commands sessions of their own and a variable, as many do.
    let agent = r#"
import os, shutil, subprocess, sys
program, ask = sys.argv[1:]
for name in ["bwrap", "dumb-init"]:
    shutil.copy(shutil.which("dash") or shutil.which("sh"), name)
with open("ask.sh", "w") as script:
    script.write('#!/bin/sh\n"$ASK_USER" ask "Ship it?" --confirm --no-wait\ntrue\n')
os.chmod("ask.sh", 0o755)
def run(command):
    env = os.environ | {"ASK_USER": program, "OPENCODE": "1"}
    ran = subprocess.run(["sh", "-c", command + "\nexit"], env=env, start_new_session=True, capture_output=True, text=True)
    return ran.stdout
run(ask)
while not (waiting := run('"$ASK_USER" list --json')).startswith('[{'):
    pass
print(waiting)
run('"$ASK_USER" answer latest --set yes')
"#;
    for ask in [
        "./ask.sh",
        "./bwrap ./ask.sh",
        "./dumb-init ./ask.sh",
        "./bwrap -c './dumb-init ./ask.sh; exit'",
        "script -qec ./ask.sh /dev/null",
        "script -qec './bwrap ./ask.sh' /dev/null",
        // Nothing but the variable leads from the command to its agent.
        r#"shell=$$; (while kill -0 $shell; do sleep 0.01; done; exec ./ask.sh) >/dev/null 2>&1 &"#,
    ] {
        let sandbox = Sandbox::new().below_agents();
        let mut command = sandbox.command("python3");
        command.args(["-c", agent, BINARY, ask]);
        command.current_dir(sandbox.home());
        let output = run_to_end(command);
        let asked = json(&String::from_utf8_lossy(&output.stdout));
        let id = asked[0]["askId"].as_str().expect("an id");
        let record = show_record(&sandbox, id);
        assert_eq!(record["state"], "answered", "{ask}: {record}");
        let below = &record["answeredFrom"]["belowAgent"];
        assert!(below.is_string(), "{ask}: {record}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_that_has_not_asked_yet_is_an_agent() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
    let id = sandbox.ask(&["Ship it?", "--confirm"]);
    // The agent starts a server, and then a shell that answers the question of another agent.
    let agent = r#"
import subprocess, sys
program, id = sys.argv[1:]
server = subprocess.Popen([program, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
server.stdin.flush()
server.stdout.readline()
subprocess.run(["sh", "-c", '"$0" answer "$1" --set yes; exit', program, id])
"#;
    let mut command = sandbox.command("python3");
    command.args(["-c", agent, BINARY, &id]);
    let output = run_to_end(command);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("started below an agent"), "{said}");
    assert_eq!(show_record(&sandbox, &id)["state"], "waiting", "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_command_with_a_session_of_its_own_left_in_the_background_is_below_its_agent() {
    // The agent gives its command a session of its own, as many do, and marks it by a variable.
    let agent = r#"
import os, subprocess, sys
program, id, mark = sys.argv[1:]
server = subprocess.Popen([program, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
server.stdin.flush()
server.stdout.readline()
left = 'shell=$$; (while kill -0 $shell; do sleep 0.01; done; "$0" answer "$1" --set yes; touch done) 2>said &'
subprocess.run(["sh", "-c", left, program, id], start_new_session=True, env=os.environ | {mark: "1"})
while not os.path.exists("done"):
    pass
print(open("said").read())
"#;
    // A program that sets its title, as daemons do, has no environment any more.
    let renamed = agent.replace(
        r#""$0" answer "$1" --set yes; touch done"#,
        r#"exec perl -e "\\$0 = q(x); system @ARGV; open F, q(>done)" "$0" answer "$1" --set yes"#,
    );
    // A program above the agent adopts processes, as in containers.
    let adopts = r#"
import ctypes, os, subprocess, sys
if os.fork():
    os._exit(0)
os.setsid()
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
subprocess.run([sys.executable, "-c", *sys.argv[1:]])
"#;
    for (scripts, mark, is_below) in [
        (&[agent][..], "OPENCODE", true),
        (&[&renamed], "CLAUDECODE", true),
        (&[adopts, agent], "OPENCODE", true),
        (&[agent], "OTHER", false),
    ] {
        let sandbox = Sandbox::new().below_agents();
        sandbox.write_settings("[answers]\nbelow_agents = \"refuse\"\n");
        let id = sandbox.ask(&["Ship it?", "--confirm"]);
        let mut command = sandbox.command("python3");
        command.arg("-c").args(scripts).args([BINARY, &id, mark]);
        command.current_dir(sandbox.home());
        let output = run_to_end(command);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(said.contains("started below an agent"), is_below, "{said}");
        let state = &show_record(&sandbox, &id)["state"];
        assert_eq!(state == "waiting", is_below, "{mark}: {state}, {output:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn asking_in_the_background_of_a_shell_that_has_ended_hides_no_agent() {
    // The agent leads its session, as one that a service starts does, and runs each command in a shell.
    let agent = r#"
import os, subprocess, sys
os.setsid()
program = sys.argv[1]
def run(command):
    return subprocess.run(["sh", "-c", command + "\nexit", program], capture_output=True, text=True).stdout
def leave(command):
    run('shell=$$; (while kill -0 $shell; do sleep 0.01; done; exec ' + command + ') >/dev/null 2>&1 &')
leave('"$0" ask "Ship it?" --confirm')
while not (waiting := run('"$0" list --json')).startswith('[{'):
    pass
print(waiting)
leave('"$0" answer latest --set yes')
while run('"$0" list --json').startswith('[{'):
    pass
"#;
    let in_session = agent.replace("os.setsid()\n", "");
    // The first process of a container leads the session of the agent.
    let init = r#"
import os, shutil, subprocess, sys
init = os.path.abspath("tini")
shutil.copy(os.path.realpath(sys.executable), init)
script = """
import ctypes, os, subprocess, sys
os.setsid()
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
subprocess.run(["python3", "-c", *sys.argv[1:]])
"""
home = os.environ | {"PYTHONHOME": sys.base_prefix}
subprocess.run([init, "-c", script, *sys.argv[1:]], env=home)
"#;
    // A desktop's `systemd --user` adopts processes, as the first process of a machine does elsewhere.
    let adopts = r#"
import ctypes, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
subprocess.run([sys.executable, "-c", *sys.argv[1:]])
"#;
    for scripts in [vec![agent], vec![adopts, agent], vec![init, &in_session]] {
        let sandbox = Sandbox::new().below_agents();
        let mut command = sandbox.command("python3");
        command.arg("-c").args(&scripts).arg(BINARY);
        command.current_dir(sandbox.home());
        let output = run_to_end(command);
        let asked = json(&String::from_utf8_lossy(&output.stdout));
        let id = asked[0]["askId"].as_str().expect("an id");
        let record = show_record(&sandbox, id);
        assert_eq!(record["state"], "answered", "{record}");
        let below = &record["answeredFrom"]["belowAgent"];
        assert_eq!(below, &record["asker"]["client"], "{record}");
        assert!(record["asker"]["caller"]["agent"].is_string(), "{record}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_agent_did_not_start_what_is_older_than_it() {
    let sandbox = Sandbox::new().below_agents();
    // The program that leads the session has ended, as a starter of services does. What it started
    // starts an agent, and answers from a session of its own.
    let person = r#"
import os, subprocess, sys
os.setsid()
if os.fork():
    os._exit(0)
program = sys.argv[1]
agent = """
import subprocess, sys
subprocess.run(["sh", "-c", '"$0" ask "Ship it?" --confirm; exit', sys.argv[1]], stdout=subprocess.DEVNULL)
"""
agent = subprocess.Popen([sys.executable, "-c", agent, program])
def run(*command):
    return subprocess.run([program, *command], capture_output=True, text=True, start_new_session=True).stdout
while not (waiting := run("list", "--json")).startswith('[{'):
    pass
print(waiting)
run("answer", "latest", "--set", "yes")
agent.wait()
"#;
    let mut command = sandbox.command("python3");
    command.args(["-c", person, BINARY]);
    let output = run_to_end(command);
    let asked = json(&String::from_utf8_lossy(&output.stdout));
    let id = asked[0]["askId"].as_str().expect("an id");
    let record = show_record(&sandbox, id);
    assert_eq!(record["state"], "answered", "{record}");
    assert_eq!(record["answeredFrom"].get("belowAgent"), None, "{record}");
}

#[test]
fn two_terminals_of_one_person_do_not_count_as_an_agent() {
    let sandbox = Sandbox::new().below_agents();
    let script = r#""$0" ask "Ship it?" --confirm --no-wait; exit"#;
    let asks = Screen::start(&sandbox, &[], &["sh", "-c", script, BINARY]);
    asks.wait_for_exit();
    let id = wait_for_ask(&sandbox);
    let answer = format!(r#""$0" answer {id} --set yes; exit"#);
    let answers = Screen::start(&sandbox, &[], &["sh", "-c", &answer, BINARY]);
    answers.wait_for_exit();
    let record = show_record(&sandbox, &id);
    assert_eq!(record["state"], "answered", "{record}");
    assert_eq!(record["answeredFrom"].get("belowAgent"), None, "{record}");
}

#[test]
#[cfg(target_os = "linux")]
fn one_terminal_of_a_person_does_not_count_as_an_agent() {
    // The person may have started a shell in the terminal's own.
    for (nested, end) in [
        ("", ""),
        ("sh\n", "exit\n"),
        ("timeout --foreground 60 sh\n", "exit\n"),
        ("sh -c 'nice sh; true'\n", "exit\n"),
    ] {
        let sandbox = Sandbox::new().below_agents();
        let mut command = sandbox.command("script");
        command
            .args(["-q", "/dev/null"])
            .stdin(std::process::Stdio::piped());
        command.env("SHELL", "/bin/sh").env("PROGRAM", BINARY);
        let mut terminal = sandbox.start("a terminal", command);
        let mut types = terminal.child.stdin.take().expect("its input is piped");
        let ask = "\"$PROGRAM\" ask 'Ship it?' --confirm --no-wait\n";
        let answer = "\"$PROGRAM\" answer latest --set yes\nexit\n";
        types
            .write_all([nested, ask, answer, end].concat().as_bytes())
            .expect("the process reads its input");
        terminal.child.wait().expect("a child process");
        let listed = json(&sandbox.run_ok(&["history", "--json"]));
        assert_eq!(listed[0]["state"], "answered", "{listed}");
        assert_eq!(
            listed[0]["answeredFrom"].get("belowAgent"),
            None,
            "{listed}"
        );
    }
}
