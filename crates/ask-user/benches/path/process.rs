//! What Linux reports about a process: memory, wake-ups, processor time.

use std::fs;
use std::time::Duration;

/// The proportional share of memory (PSS) in kilobytes.
pub(crate) fn pss_kb(pid: u32) -> u64 {
    memory_kb(pid).0
}

/// PSS and RSS (with memory shared with other processes), in kilobytes.
pub(crate) fn memory_kb(pid: u32) -> (u64, u64) {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    (field(&rollup, "Pss:"), field(&rollup, "Rss:"))
}

/// How often all its threads together have voluntarily given up the processor.
pub(crate) fn wakeups(pid: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let status =
        |path: std::path::PathBuf| fs::read_to_string(path.join("status")).unwrap_or_default();
    threads
        .map(|thread| field(&status(thread.path()), "voluntary_ctxt_switches:"))
        .sum()
}

/// The load average of the last minute.
pub(crate) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace()
        .next()
        .unwrap_or("unknown")
        .to_owned()
}

/// The processor time used, with a resolution of 10 ms.
pub(crate) fn cpu(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

fn field(text: &str, name: &str) -> u64 {
    let line = text.lines().find(|line| line.starts_with(name));
    let word = line.and_then(|line| line.split_whitespace().nth(1));
    word.and_then(|word| word.parse().ok()).unwrap_or_default()
}
