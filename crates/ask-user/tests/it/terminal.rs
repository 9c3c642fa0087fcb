//! The terminal as a person uses it: the real binary in tmux, the text on the screen, and the exact
//! reply to the agent that asked.

mod attaching;
mod away;
mod choosing;
mod groups;
mod history;
mod inbox;
mod leaving;
mod lines;
mod looks;
mod mouse;
mod notes;
mod plain;
mod race;
mod screens;
mod several;
mod storm;
mod typing;
mod unsent;
mod writing;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox};
use crate::support::screen::Screen;

/// One question with two choices.
const DATABASE: &str = r#"{"questions":[{"question":"Which database?","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]}]}"#;
/// One question without choices.
const NAME: &str = r#"{"questions":[{"question":"What name?"}]}"#;
/// Three questions, one of each kind.
const THREE: &str = r#"{"title":"Set-up","questions":[
    {"id":"db","question":"Which database?","label":"Database","options":["SQLite","PostgreSQL"]},
    {"id":"name","question":"What name?","label":"Name"},
    {"id":"parts","question":"Which parts?","label":"Parts","multiSelect":true,"options":["Auth","Docs"]}]}"#;

/// A waiting agent.
struct WaitingAgent(Running);

/// Starts an agent that asks in a dialect.
fn start_agent(sandbox: &Sandbox, dialect: &str, call: &str) -> WaitingAgent {
    start_asking(sandbox.command(BINARY), sandbox, dialect, call)
}

/// Starts an agent that asks from a directory.
fn start_agent_in(sandbox: &Sandbox, directory: &Path, dialect: &str, call: &str) -> WaitingAgent {
    let mut command = sandbox.command(BINARY);
    command.current_dir(directory);
    start_asking(command, sandbox, dialect, call)
}

fn start_asking(
    mut command: Command,
    sandbox: &Sandbox,
    dialect: &str,
    call: &str,
) -> WaitingAgent {
    command.args(["ask", "--stdin", "--dialect", dialect]);
    command.stdin(Stdio::piped());
    let mut running = sandbox.start("ask", command);
    let mut input = running.child.stdin.take().expect("its input is piped");
    input
        .write_all(call.as_bytes())
        .expect("the process reads the call");
    WaitingAgent(running)
}

impl WaitingAgent {
    /// Waits for the reply; returns the exit code and the text, in which `ASK` replaces the ask's
    /// id.
    fn receive(mut self) -> (i32, String) {
        let said = self.0.out.rest();
        let status = self.0.child.wait().expect("our child process");
        let id = said.starts_with('{').then(|| json(&said)["askId"].clone());
        let id = id.as_ref().and_then(|id| id.as_str()).unwrap_or("ASK");
        (status.code().unwrap_or(-1), said.replace(id, "ASK"))
    }

    /// Checks that the agent receives this reply as an answer.
    fn receive_reply(self, reply: &str) {
        assert_eq!(self.receive(), (0, reply.to_owned()));
    }
}

/// An agent asks, and the person opens the ask from the list.
fn ask_and_open(sandbox: &Sandbox, dialect: &str, call: &str) -> (WaitingAgent, Screen) {
    let screen = Screen::open(sandbox, &["inbox"]);
    let asking = start_agent(sandbox, dialect, call);
    screen.wait_for("1 waiting");
    screen.wait_for("WAITING");
    screen.press(&["Enter"]);
    screen.wait_for(" ago · ");
    (asking, screen)
}

/// An agent asks, and the person opens this ask alone.
fn ask_and_open_alone(sandbox: &Sandbox, dialect: &str, call: &str) -> (WaitingAgent, Screen) {
    let mut person = Person::new(sandbox);
    let asking = start_agent(sandbox, dialect, call);
    let id = person.next_ask();
    let screen = Screen::open(sandbox, &["inbox", "--id", &id]);
    screen.wait_for(" ago · ");
    (asking, screen)
}
