//! Reads from another process within the time limit of a row.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::harness::left;

/// The reading end of a pipe or socket.
pub(crate) struct Input {
    from: File,
    bytes: Vec<u8>,
    /// How many of the bytes have been returned.
    taken: usize,
}

impl Input {
    /// A reader of a pipe or socket.
    pub(crate) fn new(from: impl Into<OwnedFd>) -> Self {
        Self {
            from: File::from(from.into()),
            bytes: Vec::new(),
            taken: 0,
        }
    }

    /// The next line, without its line break.
    pub(crate) fn line(&mut self) -> String {
        let mut searched = self.taken;
        loop {
            if let Some(at) = self.bytes[searched..]
                .iter()
                .position(|&byte| byte == b'\n')
            {
                let line = self.take(searched + at - self.taken);
                self.take(1);
                return String::from_utf8(line).expect("the output is UTF-8");
            }
            searched = self.fill();
        }
    }

    /// The next `count` bytes.
    pub(crate) fn exactly(&mut self, count: usize) -> Vec<u8> {
        while self.bytes.len() - self.taken < count {
            self.fill();
        }
        self.take(count)
    }

    /// Discards everything until the other side ends.
    pub(crate) fn drain(mut self) {
        // However it ends, nothing depends on it.
        let _ = std::io::copy(&mut self.from, &mut std::io::sink());
    }

    /// Whether nothing arrives within a time.
    pub(crate) fn is_quiet(&self, time: Duration) -> bool {
        self.taken == self.bytes.len() && !self.is_ready(time)
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let taken = self.bytes[self.taken..self.taken + count].to_vec();
        self.taken += count;
        taken
    }

    /// Waits for more bytes; returns where they begin.
    fn fill(&mut self) -> usize {
        assert!(self.is_ready(left()), "not done in the time it was given");
        self.bytes.drain(..self.taken);
        self.taken = 0;
        let begin = self.bytes.len();
        self.bytes.resize(begin + 65_536, 0);
        let count = self.from.read(&mut self.bytes[begin..]);
        let count = count.expect("the stream is readable");
        assert!(count > 0, "the other side ended");
        self.bytes.truncate(begin + count);
        begin
    }

    fn is_ready(&self, time: Duration) -> bool {
        let limit = Timespec::try_from(time).expect("a short time");
        let mut ready = [PollFd::new(&self.from, PollFlags::IN)];
        poll(&mut ready, Some(&limit)).is_ok_and(|count| count > 0)
    }
}
