//! The terminal surface as a person uses it: the real inbox on a pseudo-terminal, with keys in and
//! pictures out.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::harness::{Home, left};

/// The size in columns and rows.
const SIZE: (u16, u16) = (100, 30);
/// A picture is complete when nothing follows for this long.
const QUIET: Duration = Duration::from_millis(40);

/// An inbox and its terminal.
pub(crate) struct Inbox {
    process: Child,
    terminal: File,
}

impl Inbox {
    /// Opens an inbox; returns the time until the first text appeared.
    pub(crate) fn open(home: &Home) -> (Self, Duration) {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).expect("the terminal is ours");
        unlockpt(&terminal).expect("the terminal can be unlocked");
        let size = Winsize {
            ws_col: SIZE.0,
            ws_row: SIZE.1,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal, size).expect("the terminal takes a size");
        let name = ptsname(&terminal, Vec::new()).expect("the terminal has a name");
        let name = name.into_string().expect("the name is ASCII");
        let side = || {
            let side = File::options().read(true).write(true).open(&name);
            Stdio::from(side.expect("its other side can be opened"))
        };
        let mut command = home.ours(&["inbox"]);
        command.env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
        command.stdin(side()).stdout(side()).stderr(Stdio::null());
        let started = Instant::now();
        let process = command.spawn().expect("ask-user starts");
        let mut inbox = Self {
            process,
            terminal: File::from(terminal),
        };
        let mut seen = Vec::new();
        while !String::from_utf8_lossy(&seen).contains("Question ") {
            inbox.wait(&mut seen);
        }
        let painted = started.elapsed();
        inbox.settle();
        (inbox, painted)
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Waits for the next picture; returns the time from `moment` until it began.
    pub(crate) fn painted_since(&mut self, moment: Instant) -> Duration {
        self.wait(&mut Vec::new());
        let painted = moment.elapsed();
        self.settle();
        painted
    }

    /// Presses a key; returns the time until its picture began.
    pub(crate) fn press(&mut self, key: &[u8]) -> Duration {
        let pressed = Instant::now();
        self.terminal.write_all(key).expect("the terminal is there");
        self.painted_since(pressed)
    }

    /// Waits until nothing more is painted.
    pub(crate) fn settle(&mut self) {
        while self.read(&mut Vec::new(), QUIET) {}
    }

    /// Waits for output and appends it to `seen`.
    fn wait(&mut self, seen: &mut Vec<u8>) {
        assert!(self.read(seen, left()), "not done in the time it was given");
    }

    /// Reads output within a time limit. False if there was none.
    fn read(&mut self, seen: &mut Vec<u8>, limit: Duration) -> bool {
        let limit = Timespec::try_from(limit).expect("a short time");
        let mut ready = [PollFd::new(&self.terminal, PollFlags::IN)];
        if poll(&mut ready, Some(&limit)).is_ok_and(|count| count == 0) {
            return false;
        }
        let mut piece = [0; 65536];
        let count = self.terminal.read(&mut piece).expect("the inbox is there");
        seen.extend_from_slice(&piece[..count]);
        true
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
