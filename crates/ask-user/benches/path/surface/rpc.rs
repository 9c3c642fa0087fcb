//! `ask-user rpc --surface`: a child process that exchanges the lines of `docs/reference/protocol.md`.

use std::io::Write;
use std::process::{Child, ChildStdin, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Shown, Surface};
use crate::harness::{CHOICES, Home};
use crate::input::Input;

pub(super) struct RpcSurface {
    process: Child,
    responses: Option<ChildStdin>,
    input: Input,
    shown: Shown,
    unsettled: usize,
}

impl RpcSurface {
    /// Starts the process and waits for its greeting.
    pub(super) fn start(home: &Home) -> Self {
        home.hub();
        let mut command = home.ours(&["rpc", "--surface"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("ask-user starts");
        let responses = process.stdin.take();
        let mut input = Input::new(process.stdout.take().expect("its output is piped"));
        let hello = input.line();
        assert!(hello.contains("ask_user_hello"), "it greets: {hello}");
        let mut surface = Self {
            process,
            responses,
            input,
            shown: Shown::default(),
            unsettled: 0,
        };
        // It greets before it subscribes to the hub; asks that wait until then arrive as a listing.
        surface.listen(Duration::from_millis(50));
        surface
    }

    /// Reads a line; returns the number of the ask that it shows.
    fn hear(&mut self) -> Option<u64> {
        let line = self.input.line();
        let said: Value = serde_json::from_str(&line).expect("each line is JSON");
        match said["type"].as_str() {
            Some("ask_user_request") => self.shown.note(&said["requestId"], &said["questions"]),
            Some("ask_user_closed") => {
                if said["yours"] == true {
                    self.unsettled -= 1;
                }
                None
            }
            Some("ask_user_error") => panic!("refused: {line}"),
            Some(_) | None => None,
        }
    }

    fn response(&mut self, ask: u64, pick: usize) -> String {
        self.unsettled += 1;
        let id = self.shown.id(ask);
        let response = json!({
            "type": "ask_user_response", "requestId": id, "answers": [CHOICES[pick]],
        });
        format!("{response}\n")
    }
}

impl Surface for RpcSurface {
    fn shown(&mut self) -> Vec<u64> {
        loop {
            if let Some(ask) = self.hear() {
                return vec![ask];
            }
        }
    }

    fn answer(&mut self, ask: u64, pick: usize) {
        let line = self.response(ask, pick);
        let responses = self.responses.as_mut().expect("the input is open");
        let sent = responses.write_all(line.as_bytes());
        sent.expect("the process reads the answer");
    }

    fn rest(&mut self) {
        while self.unsettled > 0 {
            self.hear();
        }
    }

    /// Writes on a thread of its own while closed asks are read: otherwise both pipes could fill
    /// up.
    fn answer_all(&mut self, answers: &[(u64, usize)]) {
        let lines: Vec<String> = answers
            .iter()
            .map(|&(ask, pick)| self.response(ask, pick))
            .collect();
        let mut responses = self.responses.take().expect("the input is open");
        std::thread::scope(|scope| {
            let out = &mut responses;
            scope.spawn(move || {
                for line in lines {
                    // If the process has ended, the reader notices.
                    let _ = out.write_all(line.as_bytes());
                }
            });
            self.rest();
        });
        self.responses = Some(responses);
    }

    fn listen(&mut self, time: Duration) {
        while !self.input.is_quiet(time) {
            self.hear();
        }
    }
}

impl Drop for RpcSurface {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
