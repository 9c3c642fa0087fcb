//! Homes, servers and agents: the same ones around ask-user and around the floor.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::surface::{FloorSurface, HubSurface, Surface};

/// The binary that is measured.
pub const OURS: &str = env!("CARGO_BIN_EXE_ask-user");
/// The choices of every question.
pub const CHOICES: [&str; 2] = ["PostgreSQL", "SQLite"];

/// Where homes are made.
pub static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Whose server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The least possible one.
    Floor,
    /// ask-user.
    Ours,
}

/// A folder of its own, with whatever serves in it.
pub struct Rig {
    side: Side,
    home: PathBuf,
}

/// One agent: a client and the stdio server that it started.
pub struct Agent {
    server: Child,
    calls: Option<ChildStdin>,
    replies: Option<BufReader<ChildStdout>>,
    line: String,
}

impl Rig {
    /// A fresh one. Its folder is on the disk that the build is on, unless another was named:
    /// a sync must cost what it costs.
    pub fn new(side: Side) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = FOLDER.get_or_init(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
        let home = folder.join(format!("bench-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&home).expect("a folder can be made beside the build");
        Self { side, home }
    }

    /// Its folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// A server's command.
    pub fn server(&self) -> Command {
        match self.side {
            Side::Floor => {
                let mut command = Command::new(floor());
                command.arg(&self.home);
                command
            }
            Side::Ours => self.ours(&["mcp"]),
        }
    }

    /// Any command of ask-user.
    pub fn ours(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(OURS);
        command.args(arguments).env("ASK_USER_HOME", &self.home);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// A surface, with the hub started if there is to be one.
    pub fn surface(&self) -> Box<dyn Surface> {
        match self.side {
            Side::Floor => Box::new(FloorSurface::at(&self.home)),
            Side::Ours => Box::new(self.hub_surface()),
        }
    }

    /// A surface at the hub.
    pub fn hub_surface(&self) -> HubSurface {
        let started = self.ours(&["list"]).status().expect("ask-user starts");
        assert!(started.success(), "ask-user list starts the hub");
        HubSurface::at(&self.home)
    }

    /// The hub's process.
    pub fn hub(&self) -> u32 {
        let address =
            std::fs::read_to_string(self.home.join("hub.json")).expect("the hub says where it is");
        ask_protocol::ipc::read_address(&address)
            .expect("the hub says it in its own form")
            .pid
    }

    /// An agent that has listed the tools.
    pub fn agent(&self) -> Agent {
        let mut agent = Agent::start(self.server());
        agent.greet();
        agent
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        if self.side == Side::Ours {
            // A hub that has ended is what is wanted.
            let _ = self.ours(&["hub", "--stop"]).stderr(Stdio::null()).status();
        }
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

/// The floor server, which `benches/run` builds.
pub fn floor() -> PathBuf {
    let here = std::env::current_exe().expect("the bench knows where it is");
    let path = here
        .ancestors()
        .nth(2)
        .expect("it lies in the build's folder")
        .join("examples/floor");
    assert!(
        path.exists(),
        "{} is missing: run benches/run, which builds it",
        path.display()
    );
    path
}

impl Agent {
    /// Starts a server and says nothing yet.
    pub fn start(mut command: Command) -> Self {
        let mut server = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let calls = server.stdin.take();
        let replies = Some(BufReader::new(
            server.stdout.take().expect("its output is piped"),
        ));
        Self {
            server,
            calls,
            replies,
            line: String::new(),
        }
    }

    /// The server's process.
    pub fn pid(&self) -> u32 {
        self.server.id()
    }

    /// Opens the conversation and lists the tools; the replies to both.
    pub fn greet(&mut self) -> (String, String) {
        self.send(concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
            r#""capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#
        ));
        let hello = self.reply().1;
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        self.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
        (hello, self.reply().1)
    }

    /// Asks; the number says which ask it is, here and at the surface.
    pub fn ask(&mut self, ask: u64) {
        self.send(&call(ask, ""));
    }

    /// Asks as clients do that want to hear of progress.
    pub fn ask_with_progress(&mut self, ask: u64) {
        self.send(&call(
            ask,
            &format!(r#","_meta":{{"progressToken":{ask}}}"#),
        ));
    }

    fn send(&mut self, line: &str) {
        let calls = self.calls.as_mut().expect("the agent is there");
        calls
            .write_all(line.as_bytes())
            .and_then(|()| calls.write_all(b"\n"))
            .expect("the server takes a call");
    }

    /// The next reply: to which request, and what.
    pub fn reply(&mut self) -> (u64, String) {
        loop {
            self.line.clear();
            let read = self
                .replies
                .as_mut()
                .expect("nobody else reads")
                .read_line(&mut self.line)
                .expect("the server says something");
            assert!(read > 0, "the server ended early");
            if !self.line.contains(r#""method":"#)
                && let Some(id) = number_after(&self.line, r#""id":"#)
            {
                return (id, self.line.clone());
            }
        }
    }

    /// Hears whatever the server says from now on, as a client does that only waits.
    pub fn listen(&mut self) {
        let mut replies = self.replies.take().expect("nobody else reads");
        // It ends when the server does; there is nothing to be told.
        std::thread::spawn(move || std::io::copy(&mut replies, &mut std::io::sink()));
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

fn call(ask: u64, meta: &str) -> String {
    format!(
        concat!(
            r#"{{"jsonrpc":"2.0","id":{ask},"method":"tools/call","params":{{"name":"ask_user","arguments":"#,
            r#"{{"question":"Question {ask}: which database?","options":["{one}","{two}"]}}{meta}}}}}"#
        ),
        ask = ask,
        one = CHOICES[0],
        two = CHOICES[1],
        meta = meta,
    )
}

/// The number of an ask, from its question.
pub fn number_in(question: &str) -> Option<u64> {
    number_after(question, "Question ")
}

fn number_after(text: &str, mark: &str) -> Option<u64> {
    let (_, from) = text.split_once(mark)?;
    let end = from
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(from.len());
    from[..end].parse().ok()
}
