//! A fake agent: it speaks JSON-RPC lines to `ask-user mcp` in either era of the protocol, and
//! panics at output that isn't protocol.

use std::io::Write;
use std::process::{Command, ExitStatus, Stdio};

use ask_core::Json;

use super::sandbox::{BINARY, Running, Sandbox};
use super::{json, text};

/// How an agent begins its session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// `initialize` with this protocol revision.
    Initialize(&'static str),
    /// `server/discover`, and `_meta` in every request.
    Discover,
}

/// The protocol revisions that open with `initialize`.
pub(crate) const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The protocol revision without `initialize`.
pub(crate) const MODERN: &str = "2026-07-28";

const CLIENT: &str = "fake-agent";

/// A program that starts the server of an agent as its client.
pub(crate) const CLIENT_PROGRAM: [&str; 3] = [
    "python3",
    "-c",
    "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))",
];

/// An agent and its server.
pub(crate) struct Agent {
    /// The process of `ask-user mcp`.
    pub server: Running,
    input: Option<Box<dyn Write + Send>>,
    /// Messages that arrived while another one was awaited.
    received: Vec<Json>,
    era: Era,
    /// The capabilities that it declares, as JSON.
    capabilities: String,
    name: &'static str,
    next: i64,
}

impl Agent {
    /// Starts `ask-user mcp` with these arguments and sends nothing yet.
    pub(crate) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.command(BINARY);
        command.arg("mcp").args(arguments).stdin(Stdio::piped());
        Self::from_command(sandbox, command)
    }

    /// Starts a server by a command whose standard input is piped.
    pub(crate) fn from_command(sandbox: &Sandbox, command: Command) -> Self {
        let mut running = sandbox.start("mcp", command);
        let input = running.child.stdin.take().expect("its input is piped");
        Self::from_streams(running, input)
    }

    /// An agent over a running server and any input.
    pub(crate) fn from_streams(server: Running, input: impl Write + Send + 'static) -> Self {
        Self {
            server,
            input: Some(Box::new(input)),
            received: Vec::new(),
            era: Era::Initialize("2025-11-25"),
            capabilities: "{}".to_owned(),
            name: CLIENT,
            next: 0,
        }
    }

    /// Starts a server of one dialect and initializes the session.
    pub(crate) fn connect(sandbox: &Sandbox, dialect: &str) -> Self {
        let mut agent = Self::start(sandbox, &["--dialect", dialect]);
        agent.open(Era::Initialize("2025-11-25"));
        agent
    }

    /// Starts a server of one dialect below a process of its own, so that another client than this
    /// test has started it.
    pub(crate) fn of_another_client(sandbox: &Sandbox, dialect: &str) -> Self {
        let mut agent = Self::start_below(sandbox, &CLIENT_PROGRAM, &["--dialect", dialect]);
        agent.open(Era::Initialize("2025-11-25"));
        agent
    }

    /// Starts a server by a program that gets the server's command as its last arguments, and sends
    /// nothing yet.
    pub(crate) fn start_below(sandbox: &Sandbox, program: &[&str], arguments: &[&str]) -> Self {
        let mut command = sandbox.command(program[0]);
        command.args(&program[1..]).args([BINARY, "mcp"]);
        command.args(arguments).stdin(Stdio::piped());
        Self::from_command(sandbox, command)
    }

    /// Starts a server of one dialect with a variable in its environment.
    pub(crate) fn with_variable(
        sandbox: &Sandbox,
        dialect: &str,
        (name, value): (&str, &str),
    ) -> Self {
        let mut command = sandbox.command(BINARY);
        command.args(["mcp", "--dialect", dialect]);
        command.env(name, value).stdin(Stdio::piped());
        let mut agent = Self::from_command(sandbox, command);
        agent.open(Era::Initialize("2025-11-25"));
        agent
    }

    /// Starts a server and initializes the session with these capabilities.
    pub(crate) fn with_capabilities(sandbox: &Sandbox, era: Era, capabilities: &str) -> Self {
        let mut agent = Self::start(sandbox, &[]);
        agent.set_capabilities(capabilities);
        agent.open(era);
        agent
    }

    /// Sets the capabilities that it declares.
    pub(crate) fn set_capabilities(&mut self, capabilities: &str) {
        capabilities.clone_into(&mut self.capabilities);
    }

    /// Sets the name of the client.
    pub(crate) fn set_name(&mut self, name: &'static str) {
        self.name = name;
    }

    fn client(&self) -> String {
        format!(r#"{{"name":"{}","version":"7.7"}}"#, self.name)
    }

    /// Initializes the session; returns the server's description of itself.
    pub(crate) fn open(&mut self, era: Era) -> Json {
        self.era = era;
        let opened = match era {
            Era::Initialize(revision) => {
                let id = self.request(
                    "initialize",
                    &format!(
                        r#"{{"protocolVersion":"{revision}","capabilities":{},"clientInfo":{}}}"#,
                        self.capabilities,
                        self.client()
                    ),
                );
                self.result(id)
            }
            Era::Discover => {
                let id = self.request("server/discover", "{}");
                self.result(id)
            }
        };
        if era != Era::Discover {
            self.send_message(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
        opened
    }

    /// Sends a line as it is.
    pub(crate) fn send_message(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
        self.send_bytes(b"\n");
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("its input is open");
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        sent.expect("the server reads its input");
    }

    /// Sends a request; returns its id.
    pub(crate) fn request(&mut self, method: &str, params: &str) -> i64 {
        self.request_with(method, params, "{}")
    }

    /// Calls a tool; returns the request's id.
    pub(crate) fn call(&mut self, tool: &str, arguments: &str) -> i64 {
        self.call_with(tool, arguments, "{}")
    }

    /// Calls a tool with `_meta`; returns the request's id.
    pub(crate) fn call_with(&mut self, tool: &str, arguments: &str, meta: &str) -> i64 {
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        self.request_with("tools/call", &params, meta)
    }

    /// Calls a tool again with the input that its first reply requested; returns the request's id.
    pub(crate) fn call_again(
        &mut self,
        tool: &str,
        arguments: &str,
        state: &str,
        replies: &str,
    ) -> i64 {
        let params = format!(
            r#"{{"name":"{tool}","arguments":{arguments},"requestState":"{state}","inputResponses":{replies}}}"#
        );
        self.request_with("tools/call", &params, "{}")
    }

    /// The server's next request for a dialog.
    pub(crate) fn next_dialog(&mut self) -> Json {
        self.receive("a dialog", |message| {
            message["method"] == "elicitation/create"
        })
    }

    /// Replies to a request of the server.
    pub(crate) fn respond(&mut self, request: &Json, result: &str) {
        let id = &request["id"];
        self.send_message(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
        ));
    }

    fn request_with(&mut self, method: &str, params: &str, meta: &str) -> i64 {
        self.next += 1;
        let id = self.next;
        let mut params = json(params);
        let mut meta = json(meta);
        if self.era == Era::Discover {
            let own = format!(
                r#"{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{}}}"#,
                self.capabilities,
                self.client()
            );
            let own = json(&own);
            let (meta, own) = (meta.as_object_mut(), own.as_object());
            let (meta, own) = (meta.expect("an object"), own.expect("an object"));
            meta.extend(own.clone());
        }
        if meta.as_object().is_some_and(|meta| !meta.is_empty()) {
            params["_meta"] = meta;
        }
        self.send_message(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#
        ));
        id
    }

    /// Cancels a request.
    pub(crate) fn cancel(&mut self, id: i64) {
        self.send_message(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        ));
    }

    /// The first wanted message, among those that have arrived and those that will. Panics after
    /// a time limit.
    pub(crate) fn receive(&mut self, what: &str, is_wanted: impl Fn(&Json) -> bool) -> Json {
        if let Some(at) = self.received.iter().position(&is_wanted) {
            return self.received.remove(at);
        }
        loop {
            let Some(line) = self.server.out.next() else {
                let complaint = self.server.err.rest();
                panic!(
                    "the server ended before {what}:\n{}\n{complaint}",
                    self.server.out.lines_so_far()
                );
            };
            let message = protocol(&line);
            if is_wanted(&message) {
                return message;
            }
            self.received.push(message);
        }
    }

    /// The reply to a request, whether result or error.
    pub(crate) fn reply(&mut self, id: i64) -> Json {
        let what = format!("its reply to request {id}");
        self.receive(&what, |message| {
            message["id"] == id && message.get("method").is_none()
        })
    }

    /// The result of a request, which must succeed.
    pub(crate) fn result(&mut self, id: i64) -> Json {
        let reply = self.reply(id);
        let result = reply.get("result").cloned();
        result.unwrap_or_else(|| panic!("request {id} must succeed: {reply}"))
    }

    /// The error of a request, which must fail.
    pub(crate) fn error(&mut self, id: i64) -> Json {
        let reply = self.reply(id);
        let error = reply.get("error").cloned();
        error.unwrap_or_else(|| panic!("request {id} must fail: {reply}"))
    }

    /// The text of a tool's result that isn't an error.
    pub(crate) fn receive_reply(&mut self, id: i64) -> String {
        let result = self.result(id);
        assert_ne!(result["isError"], true, "not an error: {result}");
        text(&result["content"][0], "text")
    }

    /// The text of a tool's error.
    pub(crate) fn error_text(&mut self, id: i64) -> String {
        let result = self.result(id);
        assert_eq!(result["isError"], true, "an error: {result}");
        text(&result["content"][0], "text")
    }

    /// Checks that the server still replies, and that it has sent nothing that fits before.
    pub(crate) fn assert_silent(&mut self, what: &str, is_wanted: impl Fn(&Json) -> bool) {
        let id = self.request("tools/list", "{}");
        self.result(id);
        let unwanted = self.received.iter().find(|message| is_wanted(message));
        assert!(unwanted.is_none(), "{what} must not be sent: {unwanted:?}");
    }

    /// Closes the server's input and waits for its end; returns its status and its last messages.
    pub(crate) fn end(mut self) -> (ExitStatus, Vec<Json>) {
        self.input = None;
        self.wait_for_exit()
    }

    /// Closes the server's input; returns its standard error.
    pub(crate) fn close_and_read_log(mut self) -> String {
        self.input = None;
        self.server.err.rest()
    }

    /// Waits for the server's end; returns its status and its last messages.
    pub(crate) fn wait_for_exit(mut self) -> (ExitStatus, Vec<Json>) {
        while let Some(line) = self.server.out.next() {
            let message = protocol(&line);
            self.received.push(message);
        }
        let status = self.server.child.wait().expect("our child process");
        (status, std::mem::take(&mut self.received))
    }
}

/// Parses a line of a protocol stream, which carries nothing but protocol.
fn protocol(line: &str) -> Json {
    let message = json(line);
    assert_eq!(message["jsonrpc"], "2.0", "a message of JSON-RPC: {line}");
    let kinds = ["method", "result", "error"];
    let kinds = kinds.iter().filter(|kind| message.get(**kind).is_some());
    assert_eq!(kinds.count(), 1, "a request, a result or an error: {line}");
    message
}
