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
        Self::with(sandbox, arguments, &[])
    }

    /// Starts `ask-user rpc` with more variables in its environment.
    pub(crate) fn with(
        sandbox: &Sandbox,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let mut host = Self::silent(sandbox, &[&["rpc"], arguments].concat(), environment);
        let hello = host.hears("ask_user_hello");
        assert_eq!(hello["protocol"], 1, "{hello}");
        host
    }

    /// Starts any command of ours that exchanges lines.
    pub(crate) fn silent(
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
    pub(crate) fn says(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input is open");
        let written = input.write_all(format!("{line}\n").as_bytes());
        written.expect("the process reads its input");
    }

    /// Asks a call that has only questions.
    pub(crate) fn asks(&mut self, request: &str, questions: &str) {
        self.says(&format!(
            r#"{{"type":"ask_user_request","requestId":"{request}","questions":{questions}}}"#
        ));
    }

    /// Writes the person's response; `response` is what follows the request's id.
    pub(crate) fn responds(&mut self, request: &str, response: &str) {
        self.says(&format!(
            r#"{{"type":"ask_user_response","requestId":"{request}",{response}}}"#
        ));
    }

    /// The next line, which must be of this type.
    pub(crate) fn hears(&mut self, kind: &str) -> Json {
        let Some(line) = self.process.out.next() else {
            let complaint = self.process.err.rest();
            panic!("it ended before {kind}:\n{complaint}");
        };
        let heard = json(&line);
        assert_eq!(heard["type"], kind, "{line}");
        heard
    }

    /// The id of the opened ask in the next line.
    pub(crate) fn opened(&mut self, request: &str) -> String {
        let opened = self.hears("ask_user_opened");
        assert_eq!(opened["requestId"], request);
        text(&opened, "askId")
    }

    /// The request's id in the next line, which asks the host to show something.
    pub(crate) fn shows(&mut self) -> String {
        text(&self.hears("ask_user_request"), "requestId")
    }

    /// Checks the reply to a request; returns the other fields of the line.
    pub(crate) fn told(&mut self, request: &str, reply: &str) -> Json {
        let mut told = self.hears("ask_user_response");
        assert_eq!(told["requestId"], request);
        let fields = told.as_object_mut().expect("a line is an object");
        fields.shift_remove("type");
        fields.shift_remove("requestId");
        let facts = fields.shift_remove("_meta").unwrap_or_default();
        assert_eq!(told.to_string(), reply);
        facts
    }

    /// Checks the error code of the next line; returns the whole line.
    pub(crate) fn errs(&mut self, code: &str) -> String {
        let error = self.hears("ask_user_error");
        assert_eq!(error["code"], code, "{error}");
        error.to_string()
    }

    /// Closes the input and waits for the end.
    pub(crate) fn ends(mut self) -> ExitStatus {
        self.input = None;
        self.process.child.wait().expect("our child process")
    }

    /// Closes the input.
    pub(crate) fn closes(&mut self) {
        self.input = None;
    }
}
