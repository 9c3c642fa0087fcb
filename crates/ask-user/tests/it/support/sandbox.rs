//! A home of its own around the real binary: what a story does touches nothing
//! of the person who runs it, and its hub ends with it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use rustix::process::Signal;

use super::hub::send_signal;
use super::lines::{LIMIT, Lines};

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_ask-user");

/// A home, and the commands that live in it.
pub struct Sandbox {
    home: PathBuf,
    /// Where all of its commands read what time it is, if not from the real clock.
    clock: Option<String>,
    /// The port that its hub wants, in place of the one that settings name: any. Of stories that run
    /// side by side only one has the usual one, and another as soon as the first kills its hub.
    port: Option<&'static str>,
    /// The process whose programs are no agent's: the story itself starts agents and persons alike.
    person: Option<String>,
    /// The account that its hub takes for its own, if not the one that runs it.
    account: Option<&'static str>,
}

/// A command that goes on while the story does; it ends with the story.
pub struct Running {
    /// The process.
    pub child: Child,
    /// What it prints.
    pub out: Lines,
    /// What it complains about.
    pub err: Lines,
}

impl Sandbox {
    /// An empty home. Its path is short, because a socket in it must have a short path.
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let home = loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("ask-user-{}-{number}", std::process::id());
            let home = std::env::temp_dir().join(name);
            match std::fs::create_dir(&home) {
                Ok(()) => break home,
                // Left by a run that was killed, under the number that this process has now.
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

    /// The same, where whatever this process starts is below the agents that it starts.
    pub fn below_agents(mut self) -> Self {
        self.person = None;
        self
    }

    /// The same, whose hub is of another account than whoever connects to it.
    pub fn of_another_account(mut self) -> Self {
        // No account has this number: the system means "none" by it.
        self.account = Some("4294967295");
        self
    }

    /// The same, whose hub wants the port that settings name.
    pub fn with_port_of_settings(mut self) -> Self {
        self.port = None;
        self
    }

    /// An empty home in which time stands still.
    pub fn at(now: &str) -> Self {
        let mut sandbox = Self::new();
        sandbox.clock = Some(format!("@{}", sandbox.now().display()));
        sandbox.set_clock(now);
        sandbox
    }

    /// Moves the clock of a home in which time stands still.
    pub fn set_clock(&self, now: &str) {
        let beside = self.home.join("now.new");
        std::fs::write(&beside, now).expect("the clock can be written");
        std::fs::rename(&beside, self.now()).expect("the clock can be set");
    }

    /// Says something in the person's settings.
    pub fn settings(&self, text: &str) {
        std::fs::write(self.home.join("config.toml"), text).expect("settings can be written");
    }

    fn now(&self) -> PathBuf {
        self.home.join("now")
    }

    /// The home.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Any program, in this home.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
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
            // The desktop of whoever runs the tests is no part of them.
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

    /// The binary with these arguments, run to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(BINARY);
        command.args(arguments);
        ended(command)
    }

    /// The binary with these arguments; it must succeed. What it printed.
    pub fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
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

    /// Asks with `ask-user ask … --no-wait`; the id.
    pub fn asks(&self, arguments: &[&str]) -> String {
        let mut command = self.command(BINARY);
        command.arg("ask").args(arguments).arg("--no-wait");
        let output = ended(command);
        assert_eq!(
            output.status.code(),
            Some(8),
            "it is asked and waits: {output:?}"
        );
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Starts a command of [`Sandbox::command`] and reads along.
    pub fn start(&self, who: &str, mut command: Command) -> Running {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{who} must start: {error}"));
        let out = child.stdout.take().expect("its output is piped");
        let err = child.stderr.take().expect("its errors are piped");
        Running {
            child,
            out: Lines::of(who, out),
            err: Lines::of(who, err),
        }
    }
}

/// Runs a command to its end, which must come in time.
pub fn ended(mut command: Command) -> Output {
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
        // A hub that never ran, or was killed by the story, is no failure of it.
        let _ = self.command(BINARY).args(["hub", "--stop"]).output();
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
