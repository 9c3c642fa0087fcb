//! The lines of a child's output as events to wait for: no story sleeps.

#![expect(
    clippy::disallowed_methods,
    reason = "a child that says nothing is waited for only so long"
)]

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long any single event may take on a slow and busy machine.
pub const LIMIT: Duration = Duration::from_secs(60);

/// Looks again and again until it is so: for what nobody tells of.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let limit = Instant::now() + LIMIT;
    while !is_so() {
        assert!(Instant::now() < limit, "{what}: not within {LIMIT:?}");
    }
}

/// Lines as they come.
pub struct Lines {
    who: String,
    lines: Receiver<String>,
    /// Everything that came, for the message of a failure.
    seen: Vec<String>,
}

impl Lines {
    /// Reads a stream to its end in the background.
    pub fn of(who: &str, stream: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            who: who.to_owned(),
            lines,
            seen: Vec::new(),
        }
    }

    /// The next line, or `None` at the end.
    pub fn next(&mut self) -> Option<String> {
        match self.lines.recv_timeout(LIMIT) {
            Ok(line) => {
                self.seen.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!(
                "{} said nothing for {LIMIT:?}, after:\n{}",
                self.who,
                self.said()
            ),
        }
    }

    /// The first line from here on that a look makes something of.
    pub fn find<T>(&mut self, what: &str, look: impl Fn(&str) -> Option<T>) -> T {
        while let Some(line) = self.next() {
            if let Some(found) = look(&line) {
                return found;
            }
        }
        panic!(
            "{} ended before {what}, having said:\n{}",
            self.who,
            self.said()
        );
    }

    /// Everything that came so far.
    pub fn said(&self) -> String {
        self.seen.join("\n")
    }

    /// Everything up to the end.
    pub fn rest(&mut self) -> String {
        while self.next().is_some() {}
        self.said()
    }
}
