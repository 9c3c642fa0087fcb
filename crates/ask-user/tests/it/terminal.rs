//! The terminal as a person meets it: the real binary in tmux, what is seen on
//! the screen, and what the agent that asked is told, to the letter.

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

/// An agent that asked, and waits.
struct Asking(Running);

/// Has an agent ask in the words of a dialect.
fn asking(sandbox: &Sandbox, dialect: &str, call: &str) -> Asking {
    asks(sandbox.command(BINARY), sandbox, dialect, call)
}

/// Has an agent ask that works in a directory.
fn asking_in(sandbox: &Sandbox, directory: &Path, dialect: &str, call: &str) -> Asking {
    let mut command = sandbox.command(BINARY);
    command.current_dir(directory);
    asks(command, sandbox, dialect, call)
}

fn asks(mut command: Command, sandbox: &Sandbox, dialect: &str, call: &str) -> Asking {
    command.args(["ask", "--stdin", "--dialect", dialect]);
    command.stdin(Stdio::piped());
    let mut running = sandbox.start("ask", command);
    let mut input = running.child.stdin.take().expect("its input is piped");
    input.write_all(call.as_bytes()).expect("it reads the call");
    Asking(running)
}

impl Asking {
    /// Waits for the reply: its exit code, and the text with `ASK` for the ask's id.
    fn hears(mut self) -> (i32, String) {
        let said = self.0.out.rest();
        let status = self.0.child.wait().expect("it is our child");
        let id = said.starts_with('{').then(|| json(&said)["askId"].clone());
        let id = id.as_ref().and_then(|id| id.as_str()).unwrap_or("ASK");
        (status.code().unwrap_or(-1), said.replace(id, "ASK"))
    }

    /// That it is told this, and that it is an answer.
    fn told(self, reply: &str) {
        assert_eq!(self.hears(), (0, reply.to_owned()));
    }
}

/// An agent asks, and the person opens the ask from the list.
fn opened(sandbox: &Sandbox, dialect: &str, call: &str) -> (Asking, Screen) {
    let screen = Screen::open(sandbox, &["inbox"]);
    let asking = asking(sandbox, dialect, call);
    screen.see("1 waiting");
    screen.see("WAITING");
    screen.press(&["Enter"]);
    screen.see(" ago · ");
    (asking, screen)
}

/// An agent asks, and the person opens this ask and nothing else.
fn one_shot(sandbox: &Sandbox, dialect: &str, call: &str) -> (Asking, Screen) {
    let mut person = Person::at(sandbox);
    let asking = asking(sandbox, dialect, call);
    let id = person.asked();
    let screen = Screen::open(sandbox, &["inbox", "--id", &id]);
    screen.see(" ago · ");
    (asking, screen)
}
