//! Input of commands: standard input, or a file that the person names. Reads are limited, because
//! the author of a checkout may have put an endless file there.

use std::fs::File;
use std::io::{self, stdin};
use std::path::Path;

use anyhow::Context;
use ask_config::checkout;
use ask_files::{LastLink, read_bytes, read_text};
use ask_mcp::pending_file::MAX_BYTES;

/// The folders under which a shell passes open files, as in `<(...)`.
const DESCRIPTOR_FOLDERS: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// Reads all of standard input as text.
pub(crate) fn read_stdin() -> anyhow::Result<String> {
    read_text(stdin(), MAX_BYTES).context("reading standard input")
}

/// Reads all of standard input as bytes.
pub(crate) fn read_stdin_bytes() -> anyhow::Result<Vec<u8>> {
    read_bytes(stdin(), MAX_BYTES).context("reading standard input")
}

/// Reads all of a file. Pipes and devices are read only if the shell opened them for this command.
pub(crate) fn read_file(name: &str) -> anyhow::Result<String> {
    let text = open(Path::new(name)).and_then(|file| read_text(file, MAX_BYTES));
    text.with_context(|| format!("reading {name}"))
}

fn open(path: &Path) -> io::Result<File> {
    let is_descriptors = |folder| {
        DESCRIPTOR_FOLDERS
            .iter()
            .any(|known| folder == Path::new(known))
    };
    if path == Path::new("/dev/stdin") || path.parent().is_some_and(is_descriptors) {
        return File::open(path);
    }
    checkout::named_here(path, LastLink::Followed)?.open()
}
