//! An agent: a client and the stdio server that it started.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};

use super::harness::{CHOICES, number_after};
use super::input::Input;

/// The first thing a client says.
pub const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#
);
/// The second.
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// One agent.
pub struct Agent {
    server: Child,
    calls: Option<ChildStdin>,
    replies: Option<Input>,
}

impl Agent {
    /// Starts a server and says nothing yet.
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("the server starts");
        let calls = server.stdin.take();
        let replies = server.stdout.take().map(Input::new);
        Self {
            server,
            calls,
            replies,
        }
    }

    /// Starts a server and lists its tools.
    pub fn ready(command: Command) -> Self {
        let mut agent = Self::start(command);
        agent.greet();
        agent
    }

    /// The server's process.
    pub fn pid(&self) -> u32 {
        self.server.id()
    }

    /// Opens the conversation and lists the tools; the replies to both.
    pub fn greet(&mut self) -> (String, String) {
        self.send(INITIALIZE);
        let hello = self.reply().1;
        self.send(INITIALIZED);
        self.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
        (hello, self.reply().1)
    }

    /// Asks; the number says which ask it is, here and at the surface.
    pub fn ask(&mut self, ask: u64) {
        self.send(&call(ask, ""));
    }

    /// Asks as clients do that want to hear of progress.
    pub fn ask_with_progress(&mut self, ask: u64) {
        let meta = format!(r#","_meta":{{"progressToken":{ask}}}"#);
        self.send(&call(ask, &meta));
    }

    /// Says anything.
    pub fn send(&mut self, line: &str) {
        let calls = self.calls.as_mut().expect("the agent is there");
        calls
            .write_all(format!("{line}\n").as_bytes())
            .expect("the server takes a call");
    }

    /// The next reply: to which request, and what.
    pub fn reply(&mut self) -> (u64, String) {
        let replies = self.replies.as_mut().expect("nobody else reads");
        loop {
            let line = replies.line();
            if !line.contains(r#""method":"#)
                && let Some(id) = number_after(&line, r#""id":"#)
            {
                return (id, line);
            }
        }
    }

    /// Hears whatever the server says from now on, as a client does that only waits.
    pub fn listen(&mut self) {
        let replies = self.replies.take().expect("nobody else reads");
        // It ends when the server does.
        std::thread::spawn(|| replies.drain());
    }

    /// The agent goes: the server's input ends. Returns when the process has ended.
    pub fn leave(&mut self) {
        self.calls = None;
        self.server.wait().expect("the server can be waited for");
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The call that asks.
pub fn call(ask: u64, meta: &str) -> String {
    let [one, other] = CHOICES;
    format!(
        concat!(
            r#"{{"jsonrpc":"2.0","id":{ask},"method":"tools/call","params":{{"name":"ask_user","arguments":"#,
            r#"{{"question":"Question {ask}: which database?","options":["{one}","{other}"]}}{meta}}}}}"#
        ),
        ask = ask,
        one = one,
        other = other,
        meta = meta,
    )
}
