//! The hub's own socket, as the inbox in the terminal uses it: subscribed changes and settlements.
//! The format isn't a public interface; this file follows it.

use std::collections::HashSet;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Shown, Surface};
use crate::harness::{Home, number_after};
use crate::input::Input;

pub(crate) struct SocketSurface {
    stream: UnixStream,
    input: Input,
    requests: u64,
    shown: Shown,
    unsettled: usize,
    undelivered: HashSet<u64>,
}

impl SocketSurface {
    /// Connects to the hub of a home and subscribes to its changes.
    pub(crate) fn connect(home: &Home) -> Self {
        home.hub();
        let stream = UnixStream::connect(home.folder().join("hub.sock"));
        let stream = stream.expect("the hub listens at hub.sock");
        let input = stream.try_clone().expect("the socket is cloned");
        let mut surface = Self {
            stream,
            input: Input::new(input),
            requests: 0,
            shown: Shown::default(),
            unsettled: 0,
            undelivered: HashSet::new(),
        };
        surface.send(json!({"do": "hello", "version": env!("CARGO_PKG_VERSION")}));
        surface.send(json!({"do": "subscribe", "onlyLooks": false}));
        surface.listen(Duration::from_millis(50));
        surface
    }

    /// Turns it into an inbox without a reader: its changes are discarded.
    pub(crate) fn drain(mut self) {
        // The thread ends when the hub does.
        std::thread::spawn(move || std::io::copy(&mut self.stream, &mut std::io::sink()));
    }

    fn send(&mut self, mut request: Value) {
        self.requests += 1;
        request["n"] = self.requests.into();
        let sent = self.stream.write_all(format!("{request}\n").as_bytes());
        sent.expect("the hub takes a request");
    }

    /// Reads a response or a change; returns the new asks.
    fn hear(&mut self) -> Vec<u64> {
        let line = self.input.line();
        let said: Value = serde_json::from_str(&line).expect("each line is JSON");
        assert!(said["fault"].is_null(), "refused: {line}");
        if let Some(won) = said["won"].as_bool() {
            assert!(won, "no other surface answers");
            self.unsettled -= 1;
        } else if said["change"].is_u64() {
            return self.note(&said["record"]).into_iter().collect();
        } else if let Some(records) = said["records"].as_array() {
            return records.iter().filter_map(|one| self.note(one)).collect();
        }
        Vec::new()
    }

    fn note(&mut self, record: &Value) -> Option<u64> {
        if record["state"] == "waiting" {
            return self.shown.note(&record["askId"], &record["questions"]);
        }
        if record["delivered"] == true {
            let question = record["questions"][0]["question"].as_str()?;
            self.undelivered
                .remove(&number_after(question, "Question ")?);
        }
        None
    }
}

impl Surface for SocketSurface {
    fn shown(&mut self) -> Vec<u64> {
        loop {
            let fresh = self.hear();
            if !fresh.is_empty() {
                return fresh;
            }
        }
    }

    fn answer(&mut self, ask: u64, pick: usize) {
        self.unsettled += 1;
        self.undelivered.insert(ask);
        let verdict = json!({"answer": {"answers": [{"picks": [pick]}]}, "gaps": false});
        let id = self.shown.id(ask).to_owned();
        self.send(json!({
            "do": "settle", "id": id, "verdict": verdict, "surface": "bench", "attempt": ask,
        }));
    }

    /// An answered ask is reported once more when its agent has received the answer; the next ask
    /// must not wait for that.
    fn rest(&mut self) {
        while self.unsettled > 0 || !self.undelivered.is_empty() {
            self.hear();
        }
    }

    fn listen(&mut self, time: Duration) {
        while !self.input.is_quiet(time) {
            self.hear();
        }
    }
}
