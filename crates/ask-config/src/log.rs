//! What the hub has to say for itself: one line an event in `hub.log`.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use ask_core::Time;

use crate::{clock, home};

static LOG: OnceLock<Mutex<Log>> = OnceLock::new();

/// A log larger than this is begun anew; the one before is kept beside it.
const LARGE: u64 = 1024 * 1024;

/// How often something is noted that may happen at any rate.
const SELDOM_MS: u64 = 60_000;

struct Log {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Log {
    fn open(path: &Path) -> std::io::Result<Self> {
        let file = home::private_append(path)?;
        let length = file.metadata()?.len();
        let path = path.to_owned();
        let mut log = Self { path, file, length };
        log.turn();
        Ok(log)
    }

    fn write(&mut self, line: &str) {
        if self.file.write_all(line.as_bytes()).is_ok() {
            self.length += line.len() as u64;
        }
        self.turn();
    }

    /// Begins it anew where it is large.
    fn turn(&mut self) {
        if self.length <= LARGE {
            return;
        }
        // Where that fails, it is tried again only after as much again.
        self.length = 0;
        let before = self.path.with_extension("log.1");
        if std::fs::rename(&self.path, before).is_ok()
            && let Ok(file) = home::private_append(&self.path)
        {
            self.file = file;
        }
    }
}

/// Opens the log. Before that, and where it can't be opened, notes go nowhere.
pub fn open(path: &Path) {
    match Log::open(path) {
        Ok(log) => drop(LOG.set(Mutex::new(log))),
        // Seen where the hub has a terminal; `doctor` looks for itself.
        Err(error) => {
            let said = format!("ask-user: no log is written: {}: {error}\n", path.display());
            let _ = std::io::stderr().write_all(said.as_bytes());
        }
    }
}

/// Something that may happen a thousand times a second, and is noted once in a while.
pub struct Seldom(Mutex<Option<(Time, u64)>>);

impl Default for Seldom {
    fn default() -> Self {
        Self::new()
    }
}

impl Seldom {
    /// It has not happened yet.
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Notes it, and how often it went unnoted before, unless it was noted a moment ago.
    pub fn note(&self, text: &str) {
        if let Some(unnoted) = self.counts(clock::now()) {
            note(&match unnoted {
                0 => text.to_owned(),
                more => format!("{text} (and {more} more like it since the last such line)"),
            });
        }
    }

    fn counts(&self, now: Time) -> Option<u64> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *last {
            Some((at, unnoted)) if *at <= now && now.since_ms(*at) < SELDOM_MS => {
                *unnoted += 1;
                None
            }
            last => last
                .replace((now, 0))
                .map_or(Some(0), |(_, unnoted)| Some(unnoted)),
        }
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

/// Whether the person wants debug lines: `CN_MCP_DEBUG=1`.
pub fn debugs() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| {
        std::env::var("CN_MCP_DEBUG")
            .is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
    })
}

/// Writes a line with the time in front.
pub fn note(text: &str) {
    say(Level::Info, text);
}

/// Writes a line that matters so much. What people ask and answer is in none.
pub fn say(level: Level, text: &str) {
    let Some(log) = LOG.get() else { return };
    if level == Level::Debug && !debugs() {
        return;
    }
    let (now, level, own) = (clock::now(), level.word(), std::process::id());
    let line = format!("{now} {level} [{own}] {text}\n");
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    log.write(&line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_has_grown_large_is_begun_anew_while_it_is_written() {
        let name = format!("ask-user-log-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("hub.log");
        let mut log = Log::open(&path).unwrap();
        let line = format!("{}\n", "x".repeat(1023));
        for _ in 0..3 * 1024 {
            log.write(&line);
        }
        log.write("the last\n");
        let length = |path: &Path| std::fs::metadata(path).unwrap().len();
        assert!(
            std::fs::read_to_string(&path)
                .unwrap()
                .ends_with("the last\n")
        );
        assert!(length(&path) <= LARGE && length(&path.with_extension("log.1")) <= LARGE + 1024);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_happens_all_the_time_is_noted_once_in_a_while() {
        let seldom = Seldom::new();
        assert_eq!(seldom.counts(Time(1_000)), Some(0));
        for ms in 1_000..1_060 {
            assert_eq!(seldom.counts(Time(ms)), None);
        }
        assert_eq!(seldom.counts(Time(61_000)), Some(60));
        assert_eq!(seldom.counts(Time(5)), Some(0), "the clock was set back");
    }
}
