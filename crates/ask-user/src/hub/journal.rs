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

/// Writes a line with the time in front.
pub fn note(text: &str) {
    if let Some(log) = LOG.get() {
        let mut file = log.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{} [{}] {text}\n", crate::clock::now(), std::process::id());
        let _ = file.write_all(line.as_bytes());
    }
}
