//! The system calls of a running process, counted by strace.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// strace attached to a running process.
pub(crate) struct Strace {
    tracer: Child,
    /// Kept open: strace writes a message there when a thread begins.
    said: BufReader<ChildStderr>,
    log: PathBuf,
    /// The end of each part, in seconds since the epoch.
    marks: Vec<f64>,
}

/// The calls of one part.
#[derive(Default)]
pub(crate) struct Calls {
    /// All calls.
    pub all: usize,
    /// Calls that wait for the disk.
    pub syncs: usize,
    /// Reads of the store's file or its log.
    pub reads: usize,
    /// Read transactions of SQLite, including those that became writes. Overlapping readers of a
    /// process share a lock and count as one.
    pub looks: usize,
    /// Write transactions of SQLite.
    pub writes: usize,
}

impl Strace {
    /// Attaches and traces some calls, or all. The error says why it can't.
    pub(crate) fn attach(pid: u32, calls: &str, log: PathBuf) -> Result<Self, String> {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-ttt", "-y", "-o"]).arg(&log);
        strace.args(["-e", calls, "-p", &pid.to_string()]);
        strace.stdin(Stdio::null()).stderr(Stdio::piped());
        let tracer = strace.spawn();
        let mut tracer = tracer.map_err(|error| format!("strace can't be started: {error}"))?;
        let mut said = BufReader::new(tracer.stderr.take().ok_or("strace: no stderr")?);
        let mut line = String::new();
        let heard = said.read_line(&mut line);
        if heard.is_err() || !line.contains(" attached") {
            // The tracer has ended; its status adds nothing to the error.
            let _ = tracer.wait();
            return Err(line.trim_end().to_owned());
        }
        Ok(Self {
            tracer,
            said,
            log,
            marks: vec![now()],
        })
    }

    /// Ends a part.
    pub(crate) fn mark(&mut self) {
        self.marks.push(now());
    }

    /// Detaches; returns the calls of each part.
    pub(crate) fn parts(mut self) -> Vec<Calls> {
        let tracer = self.tracer.id().to_string();
        let interrupted = Command::new("kill").args(["-INT", &tracer]).status();
        let interrupted = interrupted.is_ok_and(|status| status.success());
        assert!(interrupted, "strace can be interrupted");
        self.tracer.wait().expect("strace can be waited for");
        drop(self.said);
        let log = std::fs::read_to_string(&self.log).expect("strace wrote its log");
        let mut parts: Vec<Calls> = self.marks[1..].iter().map(|_| Calls::default()).collect();
        for line in log.lines() {
            // Process, time, call.
            let Some((_, rest)) = line.split_once(' ') else {
                continue;
            };
            let Some((time, call)) = rest.trim_start().split_once(' ') else {
                continue;
            };
            let time: f64 = time.parse().unwrap_or_default();
            let part = self
                .marks
                .windows(2)
                .position(|part| part[0] <= time && time < part[1]);
            if let Some(part) = part {
                parts[part].count(call);
            }
        }
        parts
    }
}

impl Calls {
    fn count(&mut self, call: &str) {
        if call.starts_with("<...") || call.starts_with("---") || call.starts_with("+++") {
            return;
        }
        self.all += 1;
        let is = |names: &[&str]| names.iter().any(|name| call.starts_with(name));
        let begins_at = |byte: std::ops::RangeInclusive<u64>| {
            super::harness::number_after(call, "l_start=").is_some_and(|at| byte.contains(&at))
        };
        if is(&["fsync(", "fdatasync(", "sync_file_range(", "msync("]) {
            self.syncs += 1;
        } else if is(&["pread64("]) && call.contains(".db") {
            self.reads += 1;
        } else if is(&["fcntl("]) && call.contains("-shm>") {
            // The bytes of SQLite's WAL index that a reader and a writer lock (WAL_READ_LOCK,
            // WAL_WRITE_LOCK; SQLite file format, section 4.5).
            if call.contains("F_RDLCK") && begins_at(123..=127) {
                self.looks += 1;
            } else if call.contains("F_WRLCK") && begins_at(120..=120) {
                self.writes += 1;
            }
        }
    }
}

fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |time| time.as_secs_f64())
}
