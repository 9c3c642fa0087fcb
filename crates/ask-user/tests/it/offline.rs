//! A hub that can't be reached: the question is asked all the same, and nothing that was filled in
//! is lost when the hub is back.

mod back;
mod files;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use ask_core::Json;

use crate::support::agent::{Agent, Era};
use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox};

const INITIALIZE: Era = Era::Initialize("2025-11-25");

/// An agent that works in a directory and whose home can't hold a hub, because it is a file.
fn agent_in(sandbox: &Sandbox, directory: &Path) -> Agent {
    let home = sandbox.home().join("blocked");
    std::fs::write(home, "no folder").expect("a writable home");
    agent_at(sandbox, directory)
}

/// Turns that file into a usable home.
fn make_home_usable(sandbox: &Sandbox) {
    std::fs::remove_file(sandbox.home().join("blocked")).expect("the blocked home is a file");
}

/// The output of a command in that home.
fn stdout_of(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let mut command = sandbox.command(BINARY);
    command.env("ASK_USER_HOME", sandbox.home().join("blocked"));
    command.args(arguments);
    let output = crate::support::sandbox::run_to_end(command);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// An agent in that home, whether it is usable or not.
fn agent_at(sandbox: &Sandbox, directory: &Path) -> Agent {
    let home = sandbox.home().join("blocked");
    let mut command = sandbox.command(BINARY);
    command.arg("mcp").current_dir(directory);
    command.env("ASK_USER_HOME", home).stdin(Stdio::piped());
    let mut running = sandbox.start("mcp", command);
    let input = running.child.stdin.take().expect("its input is piped");
    Agent::from_streams(running, input)
}

/// Waits until the agent's server has named the file of a question; returns its path.
fn wait_for_file(agent: &mut Agent, directory: &Path) -> PathBuf {
    let name = agent.server.err.find("a file is named", |line| {
        let (_, rest) = line.split_once("A question waits in ")?;
        Some(rest.split_once(": ")?.0.to_owned())
    });
    directory.join(name)
}

/// The content of a file.
fn read_file(file: &Path) -> Json {
    json(&std::fs::read_to_string(file).expect("the file is there"))
}

/// Saves a file as editors do: writes another one and renames it.
fn save(file: &Path, text: &str) {
    let beside = file.with_extension("new");
    std::fs::write(&beside, text).expect("the folder is there");
    std::fs::rename(&beside, file).expect("the file can be replaced");
}

/// Fills in an answer.
fn fill_in(file: &Path, question: usize, answer: &str) {
    let mut all = read_file(file);
    all["questions"][question]["answer"] = answer.into();
    save(file, &all.to_string());
}
