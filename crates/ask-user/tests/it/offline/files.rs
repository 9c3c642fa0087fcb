//! Questions without a hub: in files, in dialogs, and without any surface.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use ask_core::Json;
use rustix::process::Signal;

use super::{
    INITIALIZE, agent_at, agent_in, fill_in, make_home_usable, read_file, save, stdout_of,
    wait_for_file,
};
use crate::support::agent::{Agent, Era};
use crate::support::hub::send_signal;
use crate::support::json;
use crate::support::lines::poll_until;
use crate::support::sandbox::{BINARY, Sandbox};

const TWO: &str =
    r#"{"questions":[{"question":"Which?","options":["left","right"]},{"question":"Why?"}]}"#;

#[test]
fn saving_the_pending_file_answers() {
    let sandbox = Sandbox::new();
    let mut agent = agent_in(&sandbox, sandbox.home());
    agent.open(INITIALIZE);
    let call = agent.call("ask_user", TWO);
    let file = wait_for_file(&mut agent, sandbox.home());
    let asked = read_file(&file);
    assert_eq!(asked["questions"][0]["question"], "Which?");
    assert_eq!(asked["questions"][0]["options"][1], "right");

    fill_in(&file, 0, "right");
    let half = "required and not answered: question 2; nothing was sent";
    agent
        .server
        .err
        .find("a partial answer isn't sent", |line| {
            line.contains(half).then_some(())
        });
    let text = read_file(&file).to_string();
    save(&file, &text[..text.len() - 2]);
    agent.server.err.find("a mistake is named", |line| {
        line.contains("nothing was sent").then_some(())
    });
    save(&file, &text);
    fill_in(&file, 1, "because");
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["answers"][0]["values"][0], "right");
    assert_eq!(told["answers"][1]["values"][0], "because");
    agent.end();
    assert!(!file.exists(), "it is of no use any more");
}

#[test]
fn each_offline_ask_has_its_own_file() {
    let sandbox = Sandbox::new();
    let mut agent = agent_in(&sandbox, sandbox.home());
    agent.open(INITIALIZE);
    agent.call("ask_user", r#"{"question":"First?"}"#);
    let first = wait_for_file(&mut agent, sandbox.home());
    let call = agent.call("ask_user", r#"{"question":"Second?"}"#);
    let second = wait_for_file(&mut agent, sandbox.home());
    assert_ne!(first, second);
    let mut without_id = read_file(&second);
    without_id["sessionId"] = Json::Null;
    save(&second, &without_id.to_string());
    fill_in(&second, 0, "mine");
    assert!(agent.receive_reply(call).contains("mine"));
    agent.end();
    let folder = first.parent().expect("a folder");
    let left = std::fs::read_dir(folder)
        .expect("a readable folder")
        .count();
    assert_eq!(left, 0, "an answer that was sent is not kept as unsent");
}

#[test]
fn pending_files_follow_no_links() {
    let sandbox = Sandbox::new();
    let home = sandbox.home();
    std::fs::write(home.join("blocked"), "no folder").expect("a writable home");
    let outside = home.join("outside");
    std::fs::write(&outside, "precious").expect("a writable home");
    let folder = home.join(".ask-user");
    std::fs::create_dir(&folder).expect("a new folder");
    // Names that can be guessed: the shell becomes the server and keeps its number.
    let script = r#"for name in "" .$$ .new-$$ .new .tmp; do
        ln -s ../outside ".ask-user/pending-questions.json$name" || exit
        done
        exec "$0" mcp"#;
    let mut command = sandbox.command("sh");
    command.args(["-c", script, BINARY]);
    command.env("ASK_USER_HOME", home.join("blocked"));
    command.stdin(Stdio::piped());
    let mut running = sandbox.start("mcp", command);
    let input = running.child.stdin.take().expect("its input is piped");
    let mut agent = Agent::from_streams(running, input);
    agent.open(INITIALIZE);
    let call = agent.call("ask_user", r#"{"question":"Which port?"}"#);
    let asked = wait_for_file(&mut agent, home);
    assert!(!asked.is_symlink(), "{}", asked.display());
    fill_in(&asked, 0, "8080");
    assert!(agent.receive_reply(call).contains("8080"));
    agent.end();
    let kept = std::fs::read_to_string(&outside).expect("a file");
    assert_eq!(kept, "precious");
}

#[test]
fn a_folder_that_is_a_link_gets_no_file() {
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.home().join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("a new folder");
    symlink("elsewhere", sandbox.home().join(".ask-user")).expect("a new link");
    let mut agent = agent_in(&sandbox, sandbox.home());
    agent.open(INITIALIZE);
    let call = agent.call("ask_user", r#"{"question":"Hello?"}"#);
    let said = agent.error_text(call);
    assert!(said.contains("no folder of its own"), "{said}");
    agent.end();
    let mut inside = std::fs::read_dir(&elsewhere).expect("a folder");
    assert!(inside.next().is_none(), "nothing is written there");
}

#[test]
fn the_clients_own_dialog_comes_first() {
    for era in [INITIALIZE, Era::Discover] {
        let sandbox = Sandbox::new();
        let mut agent = agent_in(&sandbox, sandbox.home());
        agent.set_capabilities(r#"{"elicitation":{"form":{}}}"#);
        agent.open(era);
        let call = agent.call("ask_user", r#"{"question":"A or B?","options":["A","B"]}"#);
        let content = r#"{"action":"accept","content":{"q1":"B"}}"#;
        let told = if era == Era::Discover {
            let wish = agent.result(call);
            let state = wish["requestState"].as_str().expect("a state");
            let replies = format!(r#"{{"answer":{content}}}"#);
            let question = r#"{"question":"A or B?","options":["A","B"]}"#;
            let again = agent.call_again("ask_user", question, state, &replies);
            agent.receive_reply(again)
        } else {
            let dialog = agent.next_dialog();
            agent.respond(&dialog, content);
            agent.receive_reply(call)
        };
        assert_eq!(json(&told)["answers"][0]["values"][0], "B");
        assert!(!sandbox.home().join(".ask-user").exists(), "no file");
    }
}

/// An agent in this home, in which the settings can be read and no hub can start.
fn agent_without_hub(sandbox: &Sandbox) -> Agent {
    std::fs::create_dir(sandbox.home().join("hub.lock")).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command.arg("mcp").current_dir(sandbox.home());
    command.stdin(Stdio::piped());
    let mut running = sandbox.start("mcp", command);
    let input = running.child.stdin.take().expect("its input is piped");
    Agent::from_streams(running, input)
}

#[test]
fn no_file_answers_after_the_person_has_refused_that() {
    for setting in ["only_from = \"devices\"", "below_agents = \"refuse\""] {
        let sandbox = Sandbox::new();
        let mut agent = agent_without_hub(&sandbox);
        agent.open(INITIALIZE);
        let call = agent.call("ask_user", r#"{"question":"A or B?","options":["A","B"]}"#);
        let file = wait_for_file(&mut agent, sandbox.home());
        sandbox.write_settings(&format!("[answers]\n{setting}\n"));
        fill_in(&file, 0, "A");
        agent.server.err.find("it is refused", |line| {
            line.contains("doesn't accept such answers").then_some(())
        });
        sandbox.write_settings("");
        fill_in(&file, 0, "B");
        let told = json(&agent.receive_reply(call));
        assert_eq!(told["answers"][0]["values"][0], "B", "{told}");
    }
}

#[test]
fn no_dialog_answers_after_the_person_has_allowed_devices_alone() {
    for devices_alone in [false, true] {
        let sandbox = Sandbox::new();
        let mut agent = agent_without_hub(&sandbox);
        agent.set_capabilities(r#"{"elicitation":{"form":{}}}"#);
        agent.open(INITIALIZE);
        if devices_alone {
            sandbox.write_settings("[answers]\nonly_from = \"devices\"\n");
        }
        let call = agent.call("ask_user", r#"{"question":"A or B?","options":["A","B"]}"#);
        if !devices_alone {
            agent.next_dialog();
            continue;
        }
        let told = agent.result(call);
        assert_eq!(told["isError"], true, "{told}");
        let told = told.to_string();
        assert!(told.contains("[answers] in config.toml"), "{told}");
    }
}

/// The note about the only ask of this process, once it has this word.
fn wait_for_note(process: u32, word: &str) {
    let temporary = ask_config::home::temporary().expect("there is a temporary folder");
    let begins = format!("{process}.");
    poll_until(&format!("a note with {word}"), || {
        let folders = std::fs::read_dir(&temporary)
            .into_iter()
            .flatten()
            .flatten();
        let folders =
            folders.filter(|entry| entry.file_name().to_string_lossy().starts_with("left-"));
        let mut notes = folders.flat_map(|folder| {
            std::fs::read_dir(folder.path())
                .into_iter()
                .flatten()
                .flatten()
        });
        notes.any(|note| {
            let is_own = note.file_name().to_string_lossy().starts_with(&begins);
            is_own && std::fs::read_to_string(note.path()).is_ok_and(|text| text.contains(word))
        })
    });
}

#[test]
fn what_a_killed_agent_had_received_without_a_hub_is_in_the_history() {
    let sandbox = Sandbox::new();
    let mut agent = agent_in(&sandbox, sandbox.home());
    agent.open(INITIALIZE);
    let call = agent.call("ask_user", r#"{"question":"Which port?"}"#);
    let file = wait_for_file(&mut agent, sandbox.home());
    fill_in(&file, 0, "8080");
    assert!(agent.receive_reply(call).contains("8080"));
    let process = agent.server.child.id();
    wait_for_note(process, "deliveredAt");
    send_signal(process, Signal::KILL);
    agent.wait_for_exit();
    make_home_usable(&sandbox);
    assert_eq!(json(&stdout_of(&sandbox, &["list", "--json"])), json("[]"));
    let over = json(&stdout_of(&sandbox, &["history", "--json"]));
    assert_eq!(over[0]["state"], "answered", "{over}");
    assert_eq!(over[0]["delivered"], true, "{over}");
    stdout_of(&sandbox, &["hub", "--stop"]);
}

#[test]
fn a_file_that_earlier_asks_had_is_that_of_the_last_one() {
    let sandbox = Sandbox::new();
    let mut agent = agent_in(&sandbox, sandbox.home());
    agent.open(INITIALIZE);
    for port in ["8080", "8081", "8082"] {
        let question = format!(r#"{{"question":"Which port, not {port}?"}}"#);
        let call = agent.call("ask_user", &question);
        let file = wait_for_file(&mut agent, sandbox.home());
        fill_in(&file, 0, port);
        assert!(agent.receive_reply(call).contains(port));
        poll_until("its file is removed", || !file.exists());
    }
    agent.call("ask_user", r#"{"question":"Which host?"}"#);
    let file = wait_for_file(&mut agent, sandbox.home());
    send_signal(agent.server.child.id(), Signal::KILL);
    agent.wait_for_exit();
    fill_in(&file, 0, "localhost");
    make_home_usable(&sandbox);
    let over = json(&stdout_of(&sandbox, &["history", "--json"]));
    let of_host = over.as_array().and_then(|all| {
        let mut all = all.iter();
        all.find(|ask| ask.to_string().contains("Which host?"))
    });
    let of_host = of_host.expect("the last ask is closed");
    assert_eq!(of_host["state"], "answered", "{over}");
    assert!(!file.exists(), "its answer is sent");
    stdout_of(&sandbox, &["hub", "--stop"]);
}

#[test]
fn an_answer_in_a_dialog_without_a_hub_survives_the_agents_server() {
    let sandbox = Sandbox::new();
    let mut agent = agent_in(&sandbox, sandbox.home());
    agent.set_capabilities(r#"{"elicitation":{"form":{}}}"#);
    agent.open(INITIALIZE);
    let question = r#"{"question":"A or B?","options":["A","B"]}"#;
    let call = agent.call("ask_user", question);
    let dialog = agent.next_dialog();
    agent.cancel(call);
    agent.respond(&dialog, r#"{"action":"accept","content":{"q1":"B"}}"#);
    let process = agent.server.child.id();
    wait_for_note(process, "answeredAt");
    send_signal(process, Signal::KILL);
    agent.wait_for_exit();
    make_home_usable(&sandbox);
    let mut next = agent_at(&sandbox, sandbox.home());
    next.open(INITIALIZE);
    let again = next.call("ask_user", question);
    let told = next.result(again).to_string();
    assert!(
        told.contains(r#""B""#) || told.contains("\\\"B\\\""),
        "{told}"
    );
    next.end();
    stdout_of(&sandbox, &["hub", "--stop"]);
}

/// Whether the temporary store of this process exists.
fn has_temporary_store(process: u32) -> bool {
    let folder = ask_config::home::temporary().expect("there is a temporary folder");
    let name = format!("stand-in-{process}-");
    let mut entries = std::fs::read_dir(folder).expect("the temporary folder is there");
    entries.any(|entry| {
        let entry = entry.expect("the temporary folder can be read");
        entry.file_name().to_string_lossy().starts_with(&name)
    })
}

#[test]
fn what_an_ended_agent_left_is_not_taken_where_agents_are_refused() {
    let sandbox = Sandbox::new();
    let mut agent = agent_in(&sandbox, sandbox.home());
    agent.open(INITIALIZE);
    agent.call("ask_user", r#"{"question":"Which port?"}"#);
    let file = wait_for_file(&mut agent, sandbox.home());
    let process = agent.server.child.id();
    assert!(has_temporary_store(process));
    send_signal(process, Signal::KILL);
    agent.wait_for_exit();
    // Its shell may have done this.
    fill_in(&file, 0, "8080");
    make_home_usable(&sandbox);
    let settings = sandbox.home().join("blocked/config.toml");
    std::fs::create_dir(sandbox.home().join("blocked")).expect("a writable home");
    std::fs::write(settings, "[answers]\nbelow_agents = \"refuse\"\n").expect("a writable home");
    let waits = json(&stdout_of(&sandbox, &["list", "--json"]));
    assert_eq!(waits[0]["state"], "waiting", "{waits}");
    assert!(file.exists(), "its text isn't lost");
    assert!(!has_temporary_store(process), "no copy stays for ever");
    stdout_of(&sandbox, &["hub", "--stop"]);
}

#[test]
fn without_any_surface_the_agent_gets_instructions() {
    let sandbox = Sandbox::new();
    let mut agent = agent_in(&sandbox, Path::new("/proc"));
    agent.open(INITIALIZE);
    for _ in 0..2 {
        let call = agent.call("ask_user", r#"{"question":"Hello?"}"#);
        let said = agent.error_text(call);
        assert!(said.contains("nobody has seen it"), "honest: {said}");
        assert!(said.contains("cannot write to"), "what: {said}");
        assert!(said.contains("set ASK_USER_HOME"), "a way out: {said}");
        let folder = "/proc/.ask-user can't be created";
        assert!(said.contains(folder), "what else: {said}");
        assert!(said.contains("question tool of your own"), "go on: {said}");
    }
}

#[test]
fn an_offline_answer_reaches_only_its_restarted_agent() {
    let sandbox = Sandbox::new();
    let question = r#"{"question":"Which port?"}"#;
    let mut agent = agent_in(&sandbox, sandbox.home());
    agent.open(INITIALIZE);
    agent.call("ask_user", question);
    let first = wait_for_file(&mut agent, sandbox.home());
    send_signal(agent.server.child.id(), Signal::KILL);
    agent.wait_for_exit();
    fill_in(&first, 0, "8080");

    // Another agent asks the same there and gets an ask of its own.
    let mut other = agent_at(&sandbox, sandbox.home());
    other.set_name("another-agent");
    other.open(INITIALIZE);
    let call = other.call("ask_user", question);
    let second = wait_for_file(&mut other, sandbox.home());
    assert_ne!(first, second);
    other.assert_silent("another agent's answer", |message| message["id"] == call);
    let process = other.server.child.id();
    other.end();

    // From here on the next agent and the person have a hub. A command brings the asks there.
    make_home_usable(&sandbox);
    sandbox.run_ok(&["list"]);
    let mut next = agent_at(&sandbox, sandbox.home());
    next.open(INITIALIZE);
    let call = next.call("ask_user", question);
    let told = next.result(call).to_string();
    assert!(told.contains("8080"), "{told}");
    assert!(told.contains("below an agent that has ended"), "{told}");
    assert!(!first.exists() && !second.exists());
    let waits = json(&stdout_of(&sandbox, &["list", "--json"]));
    let asker = &waits[0]["asker"];
    assert_eq!(asker["client"], "another-agent", "it still waits: {waits}");
    // The asker is the killed agent's process, not the one that sent the ask to the hub.
    let theirs = asker["caller"]["process"].as_str().expect("a process");
    assert!(theirs.starts_with(&format!("{process}:")), "{waits}");
    next.end();
    stdout_of(&sandbox, &["hub", "--stop"]);
}

#[test]
fn a_planted_pending_file_is_ignored() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join(".ask-user");
    std::fs::create_dir(&folder).expect("a writable home");
    let planted = r#"{"sessionId":"a_00000000000000","questions":[{"question":"Delete it?","answer":"yes"}]}"#;
    let place = folder.join("pending-questions.json");
    std::fs::write(&place, planted).expect("a writable folder");
    let question = r#"{"question":"Delete it?","type":"confirm"}"#;

    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", question);
    agent.assert_silent("an answer", |message| message["id"] == call);
    let mut alone = agent_in(&sandbox, sandbox.home());
    alone.open(INITIALIZE);
    let call = alone.call("ask_user", question);
    let own = wait_for_file(&mut alone, sandbox.home());
    assert_ne!(own, place);
    // The planted content doesn't answer even in the place of our own file.
    save(&own, planted);
    alone.server.err.find("another ask is named", |line| {
        line.contains("sessionId").then_some(())
    });
    alone.assert_silent("an answer", |message| message["id"] == call);
    assert!(place.exists(), "it is not ours to remove");
}

#[test]
fn a_failed_dialog_leaves_a_pending_file() {
    let cancelled = r#"{"action":"cancel"}"#;
    for era in [INITIALIZE, Era::Discover] {
        let sandbox = Sandbox::new();
        let mut agent = agent_in(&sandbox, sandbox.home());
        agent.set_capabilities(r#"{"elicitation":{"form":{}}}"#);
        agent.open(era);
        let question = r#"{"question":"A or B?","options":["A","B"]}"#;
        let mut call = agent.call("ask_user", question);
        if era == Era::Discover {
            let wish = agent.result(call);
            let state = wish["requestState"].as_str();
            let state = state.unwrap_or_else(|| panic!("no dialog: {wish}"));
            let replies = format!(r#"{{"answer":{cancelled}}}"#);
            call = agent.call_again("ask_user", question, state, &replies);
        } else {
            let dialog = agent.next_dialog();
            agent.respond(&dialog, cancelled);
        }
        let file = wait_for_file(&mut agent, sandbox.home());
        fill_in(&file, 0, "B");
        assert_eq!(
            json(&agent.receive_reply(call))["answers"][0]["values"][0],
            "B"
        );
    }
}
