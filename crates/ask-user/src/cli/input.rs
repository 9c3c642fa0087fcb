//! What a command is given to read: standard input, or a file that the person names. Whoever made the
//! checkout around them may have put there what never ends.

use std::fs::File;
use std::io::{self, stdin};
use std::path::Path;

use anyhow::Context;
use ask_config::checkout;
use ask_mcp::offline::pending_file::MOST_BYTES;

/// The names by which a shell hands over what is open already, as in `<(...)`.
const OPEN: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// All of standard input, as text.
pub fn standard() -> anyhow::Result<String> {
    checkout::text(stdin(), MOST_BYTES).context("reading standard input")
}

/// The same as it is.
pub fn standard_bytes() -> anyhow::Result<Vec<u8>> {
    checkout::bytes(stdin(), MOST_BYTES).context("reading standard input")
}

/// All of a file. Of pipes and devices only those are read that were opened for this command.
pub fn file(name: &str) -> anyhow::Result<String> {
    let text = open(Path::new(name)).and_then(|file| checkout::text(file, MOST_BYTES));
    text.with_context(|| format!("reading {name}"))
}

fn open(path: &Path) -> io::Result<File> {
    let is_open = |folder| OPEN.iter().any(|open| folder == Path::new(open));
    if path == Path::new("/dev/stdin") || path.parent().is_some_and(is_open) {
        return File::open(path);
    }
    let folder = std::env::current_dir()?;
    checkout::open_named(checkout::project(&folder), &folder.join(path))
}
