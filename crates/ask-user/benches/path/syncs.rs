//! How often the hub syncs its disk, as strace counts it from outside.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// strace on a running process.
pub struct Strace {
    tracer: Child,
    log: PathBuf,
    /// The end of each part that was marked, in seconds since the epoch.
    marks: Vec<f64>,
}

impl Strace {
    /// Attaches, or says why it can't.
    pub fn attach(pid: u32, log: PathBuf) -> Result<Self, String> {
        let mut strace = Command::new("strace");
        strace
            .args([
                "-f",
                "-ttt",
                "-e",
                "trace=fsync,fdatasync,sync_file_range,msync",
                "-o",
            ])
            .arg(&log);
        strace
            .args(["-p", &pid.to_string()])
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        let mut tracer = strace.spawn().map_err(|error| format!("strace: {error}"))?;
        let said = BufReader::new(tracer.stderr.take().ok_or("strace: no stderr")?);
        let mut heard = String::new();
        for line in said.lines().map_while(Result::ok) {
            if line.contains(" attached") {
                return Ok(Self {
                    tracer,
                    log,
                    marks: vec![now()],
                });
            }
            heard = line;
        }
        // It has ended; there is nothing left to tell of it.
        let _ = tracer.wait();
        Err(heard)
    }

    /// Ends a part.
    pub fn mark(&mut self) {
        self.marks.push(now());
    }

    /// Detaches; the number of syncs in each part.
    pub fn counts(mut self) -> Vec<usize> {
        let interrupt = Command::new("kill")
            .args(["-INT", &self.tracer.id().to_string()])
            .status();
        assert!(
            interrupt.is_ok_and(|status| status.success()),
            "strace can be told to end"
        );
        self.tracer.wait().expect("strace can be waited for");
        let log = std::fs::read_to_string(&self.log).expect("strace wrote its log");
        let begins = log
            .lines()
            .filter(|line| line.contains("sync") && !line.contains("resumed"));
        let times: Vec<f64> = begins
            .filter_map(|line| line.split_whitespace().nth(1)?.parse().ok())
            .collect();
        let within = |from: f64, to: f64| {
            times
                .iter()
                .filter(|&&time| from <= time && time < to)
                .count()
        };
        self.marks
            .windows(2)
            .map(|part| within(part[0], part[1]))
            .collect()
    }
}

fn now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |time| time.as_secs_f64())
}
