//! Being noticed: the person's program, the desktop and the phone are told, at their time, once,
//! and no more than the person wants.

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

/// A pipe with a name, and the lines that are written into it.
fn pipe(sandbox: &Sandbox, name: &str) -> (PathBuf, Lines) {
    let path = sandbox.home().join(name);
    let mode = Mode::from_raw_mode(0o600);
    mknodat(CWD, &path, FileType::Fifo, mode, 0).expect("the home is ours");
    // Open both ways, it never ends.
    let both = File::options().read(true).write(true).open(&path);
    let lines = Lines::of(name, both.expect("it is there"));
    (path, lines)
}
