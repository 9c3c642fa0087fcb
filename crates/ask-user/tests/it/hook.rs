//! Clients whose own question tools are taken over: what a hook receives on standard input, and
//! what its client reads from it.

mod claude_code;
mod opencode;
mod plugin;

use std::io::Write;
use std::process::{ChildStdin, Stdio};

use ask_core::Json;

use crate::support::json;
use crate::support::sandbox::{BINARY, Running, Sandbox};

/// A client and the hook that it has started.
struct HookProcess {
    running: Running,
    /// The hook's standard input, until it is closed.
    input: Option<ChildStdin>,
}

impl HookProcess {
    /// Starts a hook and writes this to it.
    fn start(sandbox: &Sandbox, name: &str, text: &str) -> Self {
        let mut command = sandbox.command(BINARY);
        command.args(["hook", name]).stdin(Stdio::piped());
        let mut running = sandbox.start(name, command);
        let input = running.child.stdin.take().expect("its input is piped");
        let mut hooked = Self {
            running,
            input: Some(input),
        };
        hooked.send_message(text);
        hooked
    }

    /// Writes a further line.
    fn send_message(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the hook's input is open");
        writeln!(input, "{text}").expect("the hook reads its input");
    }

    /// Closes the input.
    fn close_input(&mut self) {
        self.input = None;
    }

    /// Everything that the hook prints, after it has ended successfully.
    fn decision(mut self) -> Option<Json> {
        let line = self.running.out.next();
        assert_eq!(self.running.out.next(), None, "one line at most");
        let status = self.running.child.wait().expect("a child process");
        assert!(status.success(), "a hook never fails: {status}");
        line.map(|line| json(&line))
    }

    /// Checks that the hook prints nothing; returns its error.
    fn reason_for_no_decision(mut self) -> String {
        let why = self.running.err.next().expect("the hook prints the reason");
        assert_eq!(self.decision(), None, "no decision is made");
        why
    }
}
