//! The paths of a campaign: the binary under test, built if needed, and a home of its own that is
//! removed at the end.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::disk::Disk;

/// The binary and the home.
pub(crate) struct Dirs {
    binary: PathBuf,
    home: PathBuf,
    /// The port of all hubs of the campaign, so that a person's own hub isn't disturbed.
    port: u16,
    /// The disk that can be filled.
    pub disk: Disk,
    keep: bool,
}

impl Dirs {
    /// Builds the binary beside this example and creates an empty home.
    pub(crate) fn make(keep: bool) -> Result<Self, String> {
        let binary = build()?;
        // Short, because the path of a Unix socket in it must be short.
        let home = std::env::temp_dir().join(format!("ask-user-faults-{}", std::process::id()));
        std::fs::create_dir(&home).map_err(|error| format!("{}: {error}", home.display()))?;
        let disk = Disk::under(&home);
        std::fs::write(home.join("config.toml"), SETTINGS).map_err(|error| error.to_string())?;
        Ok(Self {
            binary,
            home,
            port: free_port().map_err(|error| format!("no port can be had: {error}"))?,
            disk,
            keep,
        })
    }

    /// The binary under test.
    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }

    /// The home.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The binary with these arguments in this home.
    pub(crate) fn command<S: AsRef<str>>(&self, arguments: &[S]) -> tokio::process::Command {
        let mut command = tokio::process::Command::new(&self.binary);
        self.set_environment(&mut command);
        command.args(arguments.iter().map(AsRef::as_ref));
        command
    }

    /// Any binary, started by a program of its own. The program prints the process id on its
    /// standard error, and ends with the process.
    pub(crate) fn command_of_a_program(
        &self,
        binary: &Path,
        arguments: &[&str],
    ) -> tokio::process::Command {
        let mut command = tokio::process::Command::new("sh");
        self.set_environment(&mut command);
        command.args(["-c", PROGRAM]).arg(binary);
        command.args(arguments).stderr(Stdio::piped());
        command
    }

    fn set_environment(&self, command: &mut tokio::process::Command) {
        for (name, _) in std::env::vars_os() {
            let ours = name.to_string_lossy();
            if ours.starts_with("ASK_USER_") || ours.starts_with("CN_MCP_") {
                command.env_remove(name);
            }
        }
        command
            .env("ASK_USER_HOME", &self.home)
            .env("CN_MCP_PORT", self.port.to_string())
            .current_dir(&self.home)
            .kill_on_drop(true)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
    }
}

/// The hub sees all agents of a campaign as those of one program, so the limits are off.
const SETTINGS: &str = "\
    [limits]\nopen_asks = 0\nopen_asks_per_agent = 0\n\
    [http]\nasks_per_minute = 0\n";

/// A shell script that starts a process, prints its id, and lives as long as it does. The process
/// reads the script's input, which a background process wouldn't inherit otherwise.
const PROGRAM: &str =
    r#"exec 3<&0; "$0" "$@" <&3 2>/dev/null & echo $! >&2; exec 2>/dev/null; wait"#;

impl Drop for Dirs {
    fn drop(&mut self) {
        let mut stop = Command::new(&self.binary);
        stop.args(["hub", "--stop"])
            .env("ASK_USER_HOME", &self.home);
        // If no hub runs, nothing has to be stopped.
        let _ = stop.stdin(Stdio::null()).output();
        if !self.keep {
            self.disk.leave();
            // A home that can't be removed is left behind; the result of the campaign doesn't
            // depend on it.
            let _ = std::fs::remove_dir_all(&self.home);
        }
    }
}

fn free_port() -> std::io::Result<u16> {
    let listening = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    Ok(listening.local_addr()?.port())
}

/// The binary that the environment names; otherwise one that is built with the profile of this
/// example.
fn build() -> Result<PathBuf, String> {
    if let Some(binary) = std::env::var_os("ASK_USER_BIN") {
        return std::path::absolute(&binary).map_err(|error| error.to_string());
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let profile = own.ancestors().nth(2).unwrap_or(Path::new("."));
    let target = profile.parent().unwrap_or(Path::new("."));
    let binary = profile.join("ask-user");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["build", "--quiet", "--bin", "ask-user", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .arg("--target-dir")
        .arg(target);
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let built = cargo.stdin(Stdio::null()).status();
    if !built.is_ok_and(|status| status.success()) && !binary.exists() {
        return Err(format!(
            "there is no {}, and cargo could not build it: run `cargo build --bin ask-user` first",
            binary.display()
        ));
    }
    Ok(binary)
}
