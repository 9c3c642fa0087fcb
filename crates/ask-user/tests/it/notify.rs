//! Notifications: the person's command, the desktop and the phone receive each event at its time,
//! once, and as the settings want.

mod command;
mod desktop;
mod phone;
mod terminal;

use std::fs::File;
use std::path::PathBuf;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::lines::Lines;
use crate::support::sandbox::Sandbox;

const NOON: &str = "2026-02-04T12:00:00Z";

/// A named pipe, and the lines that are written into it.
fn pipe(sandbox: &Sandbox, name: &str) -> (PathBuf, Lines) {
    let path = sandbox.home().join(name);
    let mode = Mode::from_raw_mode(0o600);
    mknodat(CWD, &path, FileType::Fifo, mode, 0).expect("a writable home");
    // Opened for reading and writing, the pipe never reports its end.
    let both = File::options().read(true).write(true).open(&path);
    let lines = Lines::new(name, both.expect("the pipe exists"));
    (path, lines)
}
