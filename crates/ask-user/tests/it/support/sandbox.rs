//! A home of its own around the real binary: a test touches no file of the person who runs it, and
//! its hub ends with it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use rustix::process::Signal;

use super::hub::send_signal;
use super::lines::{LIMIT, Lines};

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_ask-user");

/// A home and the commands that run in it.
pub(crate) struct Sandbox {
    home: PathBuf,
    /// The file from which all commands read the time; `None` for the real clock.
    clock: Option<String>,
    /// The hub's port in place of the setting: any free one. Parallel tests can't all have the
    /// default port, and another hub may take it when a test kills its own.
    port: Option<&'static str>,
    /// The process whose children don't count as an agent's: the test itself starts agents and
    /// persons alike.
    person: Option<String>,
    /// The user id that the hub takes for its own, if not the real one.
    account: Option<&'static str>,
}

/// A command in the background; it ends with the test.
pub(crate) struct Running {
    /// The process of the command.
    pub child: Child,
    /// The lines of its standard output.
    pub out: Lines,
    /// The lines of its standard error.
    pub err: Lines,
}

impl Sandbox {
    /// An empty home. Its path is short, because the path of a Unix socket must be.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let home = loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("ask-user-{}-{number}", std::process::id());
            let home = std::env::temp_dir().join(name);
            match std::fs::create_dir(&home) {
                Ok(()) => break home,
                // A killed run whose process had the same id has left it.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => panic!("a folder for temporary files can be made: {error}"),
            }
        };
        Self {
            home,
            clock: None,
            port: Some("0"),
            person: Some(std::process::id().to_string()),
            account: None,
        }
    }

    /// Counts the children of this process as those of the agents that it starts.
    pub(crate) fn below_agents(mut self) -> Self {
        self.person = None;
        self
    }

    /// Makes the hub take its clients for another account's.
    pub(crate) fn of_another_account(mut self) -> Self {
        // No account has this number: it means "no user" (`(uid_t) -1`).
        self.account = Some("4294967295");
        self
    }

    /// Uses the port of the settings.
    pub(crate) fn with_port_of_settings(mut self) -> Self {
        self.port = None;
        self
    }

    /// An empty home with a fixed clock.
    pub(crate) fn with_clock(now: &str) -> Self {
        let mut sandbox = Self::new();
        sandbox.clock = Some(format!("@{}", sandbox.now().display()));
        sandbox.set_clock(now);
        sandbox
    }

    /// Sets the fixed clock.
    pub(crate) fn set_clock(&self, now: &str) {
        let new = self.home.join("now.new");
        std::fs::write(&new, now).expect("the clock can be written");
        std::fs::rename(&new, self.now()).expect("the clock file can be replaced");
    }

    /// Writes the settings file.
    pub(crate) fn write_settings(&self, text: &str) {
        std::fs::write(self.home.join("config.toml"), text).expect("settings can be written");
    }

    fn now(&self) -> PathBuf {
        self.home.join("now")
    }

    /// The path of the home.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The store's notes whose keys have this prefix: keys and values.
    pub(crate) fn notes(&self, prefix: &str) -> Vec<(String, String)> {
        let db = self.store();
        let sql = "SELECT key, value FROM note WHERE key LIKE ?1 || '%' ORDER BY key";
        let mut notes = db.prepare(sql).expect("a store with notes");
        let notes = notes.query_map([prefix], |row| Ok((row.get(0)?, row.get(1)?)));
        let notes: rusqlite::Result<_> = notes.and_then(Iterator::collect);
        notes.expect("the store can be read")
    }

    /// Removes such notes while no hub runs.
    pub(crate) fn forget_notes(&self, prefix: &str) {
        let sql = "DELETE FROM note WHERE key LIKE ?1 || '%'";
        let removed = self.store().execute(sql, [prefix]);
        removed.expect("the store can be written");
    }

    fn store(&self) -> rusqlite::Connection {
        let file = self.home.join("ask-user.db");
        rusqlite::Connection::open(file).expect("a store")
    }

    /// Any program, with the environment of this home.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let ours = name.to_string_lossy();
            let is_ours = ours.starts_with("ASK_USER_") || ours.starts_with("CN_MCP_");
            if is_ours || ours == "RUST_LOG" {
                command.env_remove(name);
            }
        }
        command
            .env("ASK_USER_HOME", &self.home)
            .env("TZ", "UTC")
            // The desktop session of whoever runs the tests must not take part.
            .env("XDG_RUNTIME_DIR", &self.home)
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .envs(
                self.person
                    .iter()
                    .map(|person| ("ASK_USER_TEST_PERSON", person)),
            )
            .envs(
                self.account
                    .iter()
                    .map(|account| ("ASK_USER_TEST_ACCOUNT", account)),
            )
            .envs(self.clock.iter().map(|clock| ("ASK_USER_NOW", clock)))
            .envs(self.port.iter().map(|port| ("CN_MCP_PORT", port)))
            .stdin(Stdio::null())
            .current_dir(&self.home);
        command
    }

    /// Runs the binary with these arguments to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(BINARY);
        command.args(arguments);
        run_to_end(command)
    }

    /// The binary, which waits longer than it would otherwise for a hub that is slow to respond.
    fn patient_command(&self) -> Command {
        let mut command = self.command(BINARY);
        command.env("ASK_USER_TEST_PATIENCE", "1");
        command
    }

    /// Runs the binary with these arguments, which must succeed; returns its output.
    pub(crate) fn run_ok(&self, arguments: &[&str]) -> String {
        let mut command = self.patient_command();
        command.args(arguments);
        let output = run_to_end(command);
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(
            output.status.success(),
            "ask-user {} must succeed ({}):\n{out}\n{err}",
            arguments.join(" "),
            output.status
        );
        out.into_owned()
    }

    /// Asks with `ask-user ask … --no-wait`; returns the id.
    pub(crate) fn ask(&self, arguments: &[&str]) -> String {
        let mut command = self.patient_command();
        command.arg("ask").args(arguments).arg("--no-wait");
        let output = run_to_end(command);
        assert_eq!(
            output.status.code(),
            Some(8),
            "it is asked and waits: {output:?}"
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Starts a command of [`Sandbox::command`] and reads its streams.
    pub(crate) fn start(&self, name: &str, mut command: Command) -> Running {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{name} must start: {error}"));
        let out = child.stdout.take().expect("its output is piped");
        let err = child.stderr.take().expect("its errors are piped");
        Running {
            child,
            out: Lines::new(name, out),
            err: Lines::new(name, err),
        }
    }
}

/// Runs a command to its end; panics after a time limit.
pub(crate) fn run_to_end(mut command: Command) -> Output {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let what = format!("{command:?}");
    let child = command
        .spawn()
        .unwrap_or_else(|error| panic!("{what} must start: {error}"));
    let pid = child.id();
    let (sender, outputs) = channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    match outputs.recv_timeout(LIMIT) {
        Ok(output) => output.expect("its output can be read"),
        Err(_) => {
            send_signal(pid, Signal::KILL);
            panic!("{what} did not end within {LIMIT:?}");
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // Errors are dropped: no hub may have run, or the test has killed it.
        let _ = self.command(BINARY).args(["hub", "--stop"]).output();
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Errors are dropped: the process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
