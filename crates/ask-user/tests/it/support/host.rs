//! A program that embeds ask-user: it exchanges lines with `ask-user rpc`, and panics at output
//! that isn't a whole line of the protocol.

use std::io::Write;
use std::process::{ChildStdin, ExitStatus, Stdio};

use ask_core::Json;

use super::sandbox::{BINARY, Running, Sandbox};
use super::{json, text};

/// A host and its process.
pub(crate) struct Host {
    /// The process.
    pub process: Running,
    input: Option<ChildStdin>,
}

impl Host {
    /// Starts `ask-user rpc` with these arguments and reads its greeting.
    pub(crate) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        Self::start_with_env(sandbox, arguments, &[])
    }

    /// Starts `ask-user rpc` with more variables in its environment.
    pub(crate) fn start_with_env(
        sandbox: &Sandbox,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let mut host = Self::start_command(sandbox, &[&["rpc"], arguments].concat(), environment);
        let hello = host.receive("ask_user_hello");
        assert_eq!(hello["protocol"], 1, "{hello}");
        host
    }

    /// Starts any command of ours that exchanges lines.
    pub(crate) fn start_command(
        sandbox: &Sandbox,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let mut command = sandbox.command(BINARY);
        command.args(arguments).envs(environment.iter().copied());
        command.stdin(Stdio::piped());
        let mut process = sandbox.start("host", command);
        let input = process.child.stdin.take();
        Self { process, input }
    }

    /// Writes a line.
    pub(crate) fn send_message(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input is open");
        let written = input.write_all(format!("{line}\n").as_bytes());
        written.expect("the process reads its input");
    }

    /// Asks a call that has only questions.
    pub(crate) fn ask(&mut self, request: &str, questions: &str) {
        self.send_message(&format!(
            r#"{{"type":"ask_user_request","requestId":"{request}","questions":{questions}}}"#
        ));
    }

    /// Writes the person's response; `response` is what follows the request's id.
    pub(crate) fn respond(&mut self, request: &str, response: &str) {
        self.send_message(&format!(
            r#"{{"type":"ask_user_response","requestId":"{request}",{response}}}"#
        ));
    }

    /// The next line, which must be of this type.
    pub(crate) fn receive(&mut self, kind: &str) -> Json {
        let Some(line) = self.process.out.next() else {
            let complaint = self.process.err.rest();
            panic!("it ended before {kind}:\n{complaint}");
        };
        let message = json(&line);
        assert_eq!(message["type"], kind, "{line}");
        message
    }

    /// The id of the opened ask in the next line.
    pub(crate) fn receive_opened(&mut self, request: &str) -> String {
        let opened = self.receive("ask_user_opened");
        assert_eq!(opened["requestId"], request);
        text(&opened, "askId")
    }

    /// The request's id in the next line, which asks the host to show something.
    pub(crate) fn next_shown(&mut self) -> String {
        text(&self.receive("ask_user_request"), "requestId")
    }

    /// Receives the reply to a request and compares it; returns the `_meta` of the line.
    pub(crate) fn receive_reply(&mut self, request: &str, reply: &str) -> Json {
        let mut line = self.receive("ask_user_response");
        assert_eq!(line["requestId"], request);
        let fields = line.as_object_mut().expect("a line is an object");
        fields.shift_remove("type");
        fields.shift_remove("requestId");
        let facts = fields.shift_remove("_meta").unwrap_or_default();
        assert_eq!(line.to_string(), reply);
        facts
    }

    /// Checks the error code of the next line; returns the whole line.
    pub(crate) fn receive_error(&mut self, code: &str) -> String {
        let error = self.receive("ask_user_error");
        assert_eq!(error["code"], code, "{error}");
        error.to_string()
    }

    /// Closes the input and waits for the end.
    pub(crate) fn end(mut self) -> ExitStatus {
        self.input = None;
        self.process.child.wait().expect("our child process")
    }

    /// Closes the input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }
}
