//! The terminal surface as its person meets it: the real inbox on a terminal of
//! its own, keys in, pictures out.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::harness::{Home, left};

/// Columns and rows.
const SIZE: (u16, u16) = (100, 30);
/// A picture has ended when nothing follows for so long.
const QUIET: Duration = Duration::from_millis(40);

/// An inbox and the terminal that it is shown on.
pub struct Inbox {
    process: Child,
    terminal: File,
}

impl Inbox {
    /// Opens it, and how long it took until the first words were there.
    pub fn open(home: &Home) -> (Self, Duration) {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).expect("it is ours");
        unlockpt(&terminal).expect("it can be opened");
        let size = Winsize {
            ws_col: SIZE.0,
            ws_row: SIZE.1,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal, size).expect("it has a size");
        let name = ptsname(&terminal, Vec::new()).expect("it has a name");
        let name = name.into_string().expect("which is ASCII");
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

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Waits for the next picture to begin: how long since then.
    pub fn painted_since(&mut self, moment: Instant) -> Duration {
        self.wait(&mut Vec::new());
        let painted = moment.elapsed();
        self.settle();
        painted
    }

    /// Presses a key, and how long its picture took.
    pub fn press(&mut self, key: &[u8]) -> Duration {
        let pressed = Instant::now();
        self.terminal.write_all(key).expect("the terminal is there");
        self.painted_since(pressed)
    }

    /// Waits until nothing more is painted.
    pub fn settle(&mut self) {
        while self.read(&mut Vec::new(), QUIET) {}
    }

    /// Reads what comes next.
    fn wait(&mut self, seen: &mut Vec<u8>) {
        assert!(self.read(seen, left()), "not done in the time it was given");
    }

    /// Reads what is there within a time; whether there was anything.
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
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
