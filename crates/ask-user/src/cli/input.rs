//! Input of commands: standard input, or a file that the person names. Reads are limited, because
//! the author of a checkout may have put an endless file there.

use std::fs::File;
use std::io::{self, stdin};
use std::path::Path;

use anyhow::Context;
use ask_config::checkout;
use ask_files::{LastLink, read_bytes, read_text};
use ask_mcp::offline::pending_file::MAX_BYTES;

/// The folders under which a shell passes open files, as in `<(...)`.
const OPEN: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// All of standard input, as text.
pub(crate) fn standard() -> anyhow::Result<String> {
    read_text(stdin(), MAX_BYTES).context("reading standard input")
}

/// All of standard input, as bytes.
pub(crate) fn standard_bytes() -> anyhow::Result<Vec<u8>> {
    read_bytes(stdin(), MAX_BYTES).context("reading standard input")
}

/// All of a file. Pipes and devices are only read if they were opened for this command.
pub(crate) fn file(name: &str) -> anyhow::Result<String> {
    let text = open(Path::new(name)).and_then(|file| read_text(file, MAX_BYTES));
    text.with_context(|| format!("reading {name}"))
}

fn open(path: &Path) -> io::Result<File> {
    let is_open = |folder| OPEN.iter().any(|open| folder == Path::new(open));
    if path == Path::new("/dev/stdin") || path.parent().is_some_and(is_open) {
        return File::open(path);
    }
    checkout::named_here(path, LastLink::Followed)?.open()
}
