//! Every command as a person or a script uses it: text, JSON, exit code. Time and randomness are
//! fixed, so that whole texts can be compared.

mod answer;
mod ask;
mod cut;
mod docs;
mod doctor;
mod hidden_text;
mod history;
mod list;
mod pipes;
mod removed;
mod skill;
mod skipped;

use ask_core::Json;

use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox};

/// The time of every command.
const NOON: &str = "2026-02-04T12:00:00Z";

/// A home in which the time and random numbers are fixed.
struct FixedHome {
    sandbox: Sandbox,
}

/// The result of a command.
struct CommandOutput {
    code: i32,
    out: String,
    err: String,
}

impl FixedHome {
    fn new() -> Self {
        Self {
            sandbox: Sandbox::new(),
        }
    }

    /// Runs a command; `seed` determines the ids that it creates.
    fn run_with_seed(&self, seed: u32, arguments: &[&str]) -> CommandOutput {
        let mut command = self.sandbox.command(BINARY);
        command
            .env("ASK_USER_NOW", NOON)
            .env("ASK_USER_SEED", seed.to_string())
            .env("ASK_USER_PROJECT", "shop")
            .args(arguments);
        let output = crate::support::sandbox::run_to_end(command);
        let home = self.sandbox.home().to_string_lossy().into_owned();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&home, "HOME");
        CommandOutput {
            code: output.status.code().expect("no signal ended it"),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.run_with_seed(0, arguments)
    }

    /// The output of a command that succeeds.
    fn stdout_of(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(
            output.code, 0,
            "{arguments:?}: {}{}",
            output.out, output.err
        );
        output.out
    }

    fn json(&self, arguments: &[&str]) -> Json {
        json(&self.stdout_of(arguments))
    }

    /// The error of a command that fails with this exit code and prints nothing.
    fn stderr_of(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(
            output.code, code,
            "{arguments:?}: {}{}",
            output.out, output.err
        );
        assert_eq!(output.out, "", "{arguments:?} prints nothing");
        output.err
    }

    /// Asks without waiting; returns the id.
    fn ask(&self, seed: u32, arguments: &[&str]) -> String {
        let mut all = vec!["ask", "--no-wait"];
        all.extend(arguments);
        let output = self.run_with_seed(seed, &all);
        assert_eq!(output.code, 8, "it waits: {}{}", output.out, output.err);
        output.out.trim().to_owned()
    }

    /// Asks with a native call on standard input; returns the id.
    fn ask_call(&self, seed: u32, call: &str) -> String {
        let file = self.sandbox.home().join("call.json");
        std::fs::write(&file, call).expect("a writable home");
        let mut command = self.sandbox.command(BINARY);
        command
            .env("ASK_USER_NOW", NOON)
            .env("ASK_USER_SEED", seed.to_string())
            .env("ASK_USER_PROJECT", "shop")
            .stdin(std::fs::File::open(&file).expect("a written file"))
            .args(["ask", "--stdin", "--no-wait"]);
        let output = crate::support::sandbox::run_to_end(command);
        assert_eq!(output.status.code(), Some(8), "{output:?}");
        let reply = json(&String::from_utf8_lossy(&output.stdout));
        reply["askId"].as_str().expect("an id").to_owned()
    }
}
