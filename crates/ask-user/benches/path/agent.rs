//! An agent: a client and the stdio server that it has started.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};

use super::harness::{CHOICES, number_after};
use super::input::Input;

/// The first message of a client.
pub(crate) const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#
);
/// The second message of a client.
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// An agent and its server's process.
pub(crate) struct Agent {
    server: Child,
    calls: Option<ChildStdin>,
    replies: Option<Input>,
}

impl Agent {
    /// Starts a server and sends nothing yet.
    pub(crate) fn start(mut command: Command) -> Self {
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
    pub(crate) fn ready(command: Command) -> Self {
        let mut agent = Self::start(command);
        agent.greet();
        agent
    }

    /// The server's process id.
    pub(crate) fn pid(&self) -> u32 {
        self.server.id()
    }

    /// Opens the conversation and lists the tools; returns both replies.
    pub(crate) fn greet(&mut self) -> (String, String) {
        self.send(INITIALIZE);
        let hello = self.reply().1;
        self.send(INITIALIZED);
        self.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
        (hello, self.reply().1)
    }

    /// Asks. The number identifies the ask here and at the surface.
    pub(crate) fn ask(&mut self, ask: u64) {
        self.send(&call(ask, ""));
    }

    /// Asks with a progress token.
    pub(crate) fn ask_with_progress(&mut self, ask: u64) {
        let meta = format!(r#","_meta":{{"progressToken":{ask}}}"#);
        self.send(&call(ask, &meta));
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        let calls = self.calls.as_mut().expect("the agent's input is open");
        calls
            .write_all(format!("{line}\n").as_bytes())
            .expect("the server takes a call");
    }

    /// The next reply: the request's number, and the text.
    pub(crate) fn reply(&mut self) -> (u64, String) {
        let replies = self
            .replies
            .as_mut()
            .expect("the replies have no other reader");
        loop {
            let line = replies.line();
            if !line.contains(r#""method":"#)
                && let Some(id) = number_after(&line, r#""id":"#)
            {
                return (id, line);
            }
        }
    }

    /// Discards everything that the server sends from now on, like a client that only waits.
    pub(crate) fn listen(&mut self) {
        let replies = self
            .replies
            .take()
            .expect("the replies have no other reader");
        // The thread ends when the server does.
        std::thread::spawn(|| replies.drain());
    }

    /// Closes the server's input and waits until its process has ended.
    pub(crate) fn leave(&mut self) {
        self.calls = None;
        self.server.wait().expect("the server can be waited for");
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The call that asks.
pub(crate) fn call(ask: u64, meta: &str) -> String {
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
