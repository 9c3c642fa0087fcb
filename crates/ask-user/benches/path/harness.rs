//! Homes, the processes in them, and the time limit of every wait.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The binary that is measured.
pub(crate) const OURS: &str = env!("CARGO_BIN_EXE_ask-user");
/// The choices of every question.
pub(crate) const CHOICES: [&str; 2] = ["PostgreSQL", "SQLite"];

/// The folder in which homes are created.
pub(crate) static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// When the current row gives up waiting.
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);

/// A folder of its own, with the processes in it.
pub(crate) struct Home {
    folder: PathBuf,
}

/// A running hub.
pub(crate) struct Hub {
    /// Its process id.
    pub pid: u32,
    /// Its HTTP port.
    pub port: u16,
}

impl Home {
    /// A fresh home. Its folder is on the disk of the build unless another one was named, because
    /// the cost of a sync is part of the measurement.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let parent = FOLDER.get_or_init(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
        let folder = parent.join(format!("bench-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made beside the build");
        let home = Self { folder };
        home.settings("");
        home
    }

    /// The home's folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the settings for the next hub, with those of every measurement: any free port, no
    /// limit on asks, and no removal by age.
    pub(crate) fn settings(&self, history: &str) {
        let history = if history.is_empty() {
            "keep_days = 0"
        } else {
            history
        };
        // One process starts agents and persons here.
        let answers = "[answers]\nbelow_agents = \"mark\"";
        let limits = "[limits]\nopen_asks = 0\nopen_asks_per_agent = 0";
        let text = format!(
            "[http]\nport = 0\nasks_per_minute = 0\n\n[history]\n{history}\n\n{answers}\n\n{limits}\n"
        );
        std::fs::write(self.folder.join("config.toml"), text).expect("a writable home");
    }

    /// A command of ask-user.
    pub(crate) fn ours(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(OURS);
        command.args(arguments).env("ASK_USER_HOME", &self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// The command of the floor server.
    pub(crate) fn floor(&self) -> Command {
        let mut command = Command::new(floor());
        command.arg(&self.folder);
        command
    }

    /// The hub. Starts one if none runs.
    pub(crate) fn hub(&self) -> Hub {
        let mut command = self.ours(&["hub", "--json"]);
        let said = command.stdout(Stdio::piped()).output();
        let said = said.expect("ask-user starts").stdout;
        let about: Value = serde_json::from_slice(&said).expect("ask-user hub prints JSON");
        let number = |name: &str| {
            about[name]
                .as_u64()
                .expect("the output has the hub's address")
        };
        Hub {
            pid: number("pid") as u32,
            port: number("port") as u16,
        }
    }

    /// Stops the hub.
    pub(crate) fn stop(&self) {
        // An error means that no hub runs, which is the aim.
        let _ = self.ours(&["hub", "--stop"]).stderr(Stdio::null()).status();
    }

    /// The trimmed content of a file in the home: a token, or the hub's log.
    pub(crate) fn read(&self, file: &str) -> String {
        let text = std::fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        text.trim().to_owned()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if self.folder.join("hub.lock").exists() {
            self.stop();
        }
        // A folder that can't be removed doesn't change a measurement.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The path of the floor server, which `benches/run` builds.
pub(crate) fn floor() -> PathBuf {
    let here = std::env::current_exe().expect("the bench knows where it is");
    let path = here
        .ancestors()
        .nth(2)
        .expect("the bench is in the build folder")
        .join("examples/floor");
    assert!(
        path.exists(),
        "{} is missing: run benches/run, which builds it",
        path.display()
    );
    path
}

/// The remaining time of the current row.
pub(crate) fn left() -> Duration {
    let deadline = *DEADLINE.lock().expect("no holder of the lock panics");
    deadline.map_or(Duration::from_secs(120), |deadline| {
        deadline.saturating_duration_since(Instant::now())
    })
}

/// Runs a measurement; the error says why it failed. Every wait in it ends at this limit.
pub(crate) fn within<T>(limit: Duration, work: impl FnOnce() -> T) -> Result<T, String> {
    let set = |deadline| *DEADLINE.lock().expect("no holder of the lock panics") = deadline;
    let before = *DEADLINE.lock().expect("no holder of the lock panics");
    let mine = Instant::now() + limit;
    set(Some(before.map_or(mine, |before| before.min(mine))));
    let done = catch_unwind(AssertUnwindSafe(work));
    set(before);
    done.map_err(|why| {
        let text = why.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| why.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "it failed".to_owned());
        if text.starts_with("not done") {
            format!("not done in {} s", limit.as_secs())
        } else {
            text
        }
    })
}

/// The number behind a mark. It identifies an ask in its question, and a call in its reply.
pub(crate) fn number_after(text: &str, mark: &str) -> Option<u64> {
    let (_, from) = text.split_once(mark)?;
    let digits = from.find(|letter: char| !letter.is_ascii_digit());
    from[..digits.unwrap_or(from.len())].parse().ok()
}
