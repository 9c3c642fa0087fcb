//! The page: an event stream, and a request for each answer (`docs/reference/http.md`).

use std::time::Duration;

use serde_json::{Value, json};

use super::{Shown, Surface};
use crate::harness::{CHOICES, Home};
use crate::http::{Events, Http};

pub(crate) struct PageSurface {
    events: Events,
    requests: Http,
    shown: Shown,
    unsettled: usize,
}

impl PageSurface {
    /// Opens the stream and waits for its snapshot.
    pub(crate) fn open(home: &Home) -> Self {
        let port = home.hub().port;
        let token = home.read("answer-token");
        let mut stream = Http::connect(port, &token);
        stream.send("GET", "/v1/events", &[], "");
        stream.head();
        let mut events = stream.events();
        while events.next().0 != "snapshot" {}
        Self {
            events,
            requests: Http::connect(port, &token),
            shown: Shown::default(),
            unsettled: 0,
        }
    }

    /// Turns it into a page without a reader: its events are discarded.
    pub(crate) fn drain(self) {
        // The thread ends when the hub does.
        std::thread::spawn(|| self.events.drain());
    }

    fn hear(&mut self) -> Option<u64> {
        let (kind, text) = self.events.next();
        if kind != "ask.created" {
            return None;
        }
        let said: Value = serde_json::from_str(&text).expect("each event is JSON");
        self.shown.note(&said["askId"], &said["questions"])
    }
}

impl Surface for PageSurface {
    fn shown(&mut self) -> Vec<u64> {
        loop {
            if let Some(ask) = self.hear() {
                return vec![ask];
            }
        }
    }

    fn answer(&mut self, ask: u64, pick: usize) {
        self.unsettled += 1;
        let path = format!("/v1/asks/{}/answer", self.shown.id(ask));
        let body = json!({"answers": [CHOICES[pick]]}).to_string();
        self.requests.send("POST", &path, &[], &body);
    }

    fn rest(&mut self) {
        while self.unsettled > 0 {
            let reply = self.requests.reply();
            assert!(
                reply.contains(r#""won":true"#),
                "no other surface answers: {reply}"
            );
            self.unsettled -= 1;
        }
    }

    fn listen(&mut self, time: Duration) {
        while !self.events.is_quiet(time) {
            self.hear();
        }
    }
}
