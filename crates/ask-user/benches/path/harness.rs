//! Homes, the processes that serve in them, and how long anything may take.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The binary that is measured.
pub const OURS: &str = env!("CARGO_BIN_EXE_ask-user");
/// The choices of every question.
pub const CHOICES: [&str; 2] = ["PostgreSQL", "SQLite"];

/// Where homes are made.
pub static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// When whatever waits now gives up.
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);

/// A folder of its own, with whatever serves in it.
pub struct Home {
    folder: PathBuf,
}

/// Where a hub is.
pub struct Hub {
    /// Its process.
    pub pid: u32,
    /// Where it speaks HTTP.
    pub port: u16,
}

impl Home {
    /// A fresh one. Its folder is on the disk that the build is on, unless another was named:
    /// a sync must cost what it costs.
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let parent = FOLDER.get_or_init(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
        let folder = parent.join(format!("bench-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made beside the build");
        let home = Self { folder };
        home.settings("");
        home
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the settings of the hub that is started next, beside those of every measurement:
    /// a port that is free, as many asks as one likes, and nothing is removed by its age.
    pub fn settings(&self, history: &str) {
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
        std::fs::write(self.folder.join("config.toml"), text).expect("the home is ours");
    }

    /// A command of ask-user.
    pub fn ours(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(OURS);
        command.args(arguments).env("ASK_USER_HOME", &self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// The floor server's command.
    pub fn floor(&self) -> Command {
        let mut command = Command::new(floor());
        command.arg(&self.folder);
        command
    }

    /// The hub, which is started where none runs.
    pub fn hub(&self) -> Hub {
        let mut command = self.ours(&["hub", "--json"]);
        let said = command.stdout(Stdio::piped()).output();
        let said = said.expect("ask-user starts").stdout;
        let about: Value = serde_json::from_slice(&said).expect("ask-user hub prints JSON");
        let number = |name: &str| about[name].as_u64().expect("it says where the hub is");
        Hub {
            pid: number("pid") as u32,
            port: number("port") as u16,
        }
    }

    /// Ends the hub.
    pub fn stop(&self) {
        // A hub that has ended is what is wanted.
        let _ = self.ours(&["hub", "--stop"]).stderr(Stdio::null()).status();
    }

    /// What the file holds of a home: a token, or the hub's log.
    pub fn read(&self, file: &str) -> String {
        let text = std::fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        text.trim().to_owned()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if self.folder.join("hub.lock").exists() {
            self.stop();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The floor server, which `benches/run` builds.
pub fn floor() -> PathBuf {
    let here = std::env::current_exe().expect("the bench knows where it is");
    let path = here
        .ancestors()
        .nth(2)
        .expect("it lies in the build's folder")
        .join("examples/floor");
    assert!(
        path.exists(),
        "{} is missing: run benches/run, which builds it",
        path.display()
    );
    path
}

/// How long whatever waits now may still wait.
pub fn left() -> Duration {
    let deadline = *DEADLINE.lock().expect("nobody panics with it");
    deadline.map_or(Duration::from_secs(120), |deadline| {
        deadline.saturating_duration_since(Instant::now())
    })
}

/// Does something, or says why it came to nothing. All waiting in it ends after this time.
pub fn within<T>(limit: Duration, work: impl FnOnce() -> T) -> Result<T, String> {
    let set = |deadline| *DEADLINE.lock().expect("nobody panics with it") = deadline;
    let before = *DEADLINE.lock().expect("nobody panics with it");
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

/// The number after a mark, which names an ask in its question and a call in its reply.
pub fn number_after(text: &str, mark: &str) -> Option<u64> {
    let (_, from) = text.split_once(mark)?;
    let digits = from.find(|letter: char| !letter.is_ascii_digit());
    from[..digits.unwrap_or(from.len())].parse().ok()
}
