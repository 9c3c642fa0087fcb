//! What the hub has to say for itself: one line an event in `hub.log`.

use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::home;

static LOG: OnceLock<Mutex<std::fs::File>> = OnceLock::new();

/// A log larger than this is begun anew; the one before is kept beside it.
const LARGE: u64 = 1024 * 1024;

/// Opens the log. Before that, and where it can't be opened, notes go nowhere.
pub fn open(path: &Path) {
    if std::fs::metadata(path).is_ok_and(|about| about.len() > LARGE) {
        let _ = std::fs::rename(path, path.with_extension("log.1"));
    }
    if let Ok(file) = home::private_append(path) {
        let _ = LOG.set(Mutex::new(file));
    }
}

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Only to whoever looks for something: with `CN_MCP_DEBUG=1`.
    Debug,
    /// What the hub does.
    Info,
    /// What went wrong.
    Error,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Error => "error",
        }
    }
}

/// Writes a line with the time in front.
pub fn note(text: &str) {
    say(Level::Info, text);
}

/// Writes a line that matters so much. What people ask and answer is in none.
pub fn say(level: Level, text: &str) {
    let Some(log) = LOG.get() else { return };
    if level == Level::Debug && !crate::mcp::debugs() {
        return;
    }
    let (now, level, own) = (crate::clock::now(), level.word(), std::process::id());
    let line = format!("{now} {level} [{own}] {text}\n");
    let mut file = log.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = file.write_all(line.as_bytes());
}
