//! The lines of a child process as events to wait for: no test sleeps.

#![expect(
    clippy::disallowed_methods,
    reason = "waits for a silent child need a time limit"
)]

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long any single event may take on a slow and busy machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// Reads once. A read from a socket with a time limit fails if a signal arrives meanwhile, such as
/// that of a child process that ended, so it is repeated then.
pub(crate) fn read_some(reader: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Polls until a condition holds, for changes that nothing reports.
pub(crate) fn poll_until(what: &str, mut condition: impl FnMut() -> bool) {
    let limit = Instant::now() + LIMIT;
    while !condition() {
        assert!(Instant::now() < limit, "{what}: not within {LIMIT:?}");
    }
}

/// The lines of a stream as they arrive.
pub(crate) struct Lines {
    name: String,
    lines: Receiver<String>,
    /// All lines so far, for the message of a failure.
    lines_read: Vec<String>,
}

impl Lines {
    /// Reads a stream to its end in the background.
    pub(crate) fn new(name: &str, stream: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            name: name.to_owned(),
            lines,
            lines_read: Vec::new(),
        }
    }

    /// The next line; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<String> {
        match self.lines.recv_timeout(LIMIT) {
            Ok(line) => {
                self.lines_read.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!(
                "{} printed nothing for {LIMIT:?}, after:\n{}",
                self.name,
                self.lines_so_far()
            ),
        }
    }

    /// The first result of `read` for a line from here on. Panics at the end of the stream.
    pub(crate) fn find<T>(&mut self, what: &str, read: impl Fn(&str) -> Option<T>) -> T {
        while let Some(line) = self.next() {
            if let Some(found) = read(&line) {
                return found;
            }
        }
        panic!(
            "{} ended before {what}, having printed:\n{}",
            self.name,
            self.lines_so_far()
        );
    }

    /// All lines so far.
    pub(crate) fn lines_so_far(&self) -> String {
        self.lines_read.join("\n")
    }

    /// All lines to the end.
    pub(crate) fn rest(&mut self) -> String {
        while self.next().is_some() {}
        self.lines_so_far()
    }
}
