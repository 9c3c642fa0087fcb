//! Clients whose own question tools are taken over: what a hook is told on
//! standard input, and what its client reads of it.

mod claude_code;
mod opencode;
mod plugin;

use std::io::Write;
use std::process::{ChildStdin, Stdio};

use ask_core::Json;

use crate::support::json;
use crate::support::sandbox::{BINARY, Running, Sandbox};

/// A client and the hook that it has started.
struct Hooked {
    running: Running,
    /// Where the client talks on.
    input: Option<ChildStdin>,
}

impl Hooked {
    /// Starts a hook and says this to it.
    fn by(sandbox: &Sandbox, name: &str, said: &str) -> Self {
        let mut command = sandbox.command(BINARY);
        command.args(["hook", name]).stdin(Stdio::piped());
        let mut running = sandbox.start(name, command);
        let input = running.child.stdin.take().expect("its input is piped");
        let mut hooked = Self {
            running,
            input: Some(input),
        };
        hooked.says(said);
        hooked
    }

    /// Says more.
    fn says(&mut self, said: &str) {
        let input = self.input.as_mut().expect("the client still talks");
        writeln!(input, "{said}").expect("the hook listens");
    }

    /// Says nothing more.
    fn hushes(&mut self) {
        self.input = None;
    }

    /// What it prints, all of it, after which it has ended well.
    fn prints(mut self) -> Option<Json> {
        let line = self.running.out.next();
        assert_eq!(self.running.out.next(), None, "one line at most");
        let status = self.running.child.wait().expect("it can be waited for");
        assert!(status.success(), "a hook never fails: {status}");
        line.map(|line| json(&line))
    }

    /// Ends without a word to its client, and says why on the side.
    fn declines_to_decide(mut self) -> String {
        let why = self.running.err.next().expect("it says why");
        assert_eq!(self.prints(), None, "no decision is made");
        why
    }
}
