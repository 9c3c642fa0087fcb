//! Starts the hub on demand. The first command that needs it starts a process that outlives the
//! command.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context;
use ask_config::asker;
use ask_config::exit::{Exit, Failure};
use ask_config::process::{AGENT_VARIABLE, COMMAND_VARIABLES};
use ask_files::programs;

/// The variable with which glibc is set.
pub(crate) const TUNABLES: &str = "GLIBC_TUNABLES";

/// Settings of glibc's allocator for a hub, which may run for weeks. By default, glibc keeps the
/// memory of large buffers once a flood of them has ended, and small blocks that each thread has
/// freed keep the memory around them from being used again. Other systems ignore the variable.
pub(crate) const ALLOCATOR: &str = "glibc.malloc.mmap_threshold=32768:\
    glibc.malloc.trim_threshold=262144:glibc.malloc.tcache_count=0";

/// The line that a detached hub prints once clients can connect.
pub const READY: &str = "ready";

/// Makes sure that a hub runs, and returns once clients can connect.
///
/// A second, short-lived process starts the hub, so that the caller needn't reap it as a child.
///
/// # Errors
/// The hub could not be started; the error has its reason.
pub(crate) fn ensure_running() -> anyhow::Result<()> {
    let output = Command::new(program_path()?)
        .args(["hub", "--start"])
        .stdin(Stdio::null())
        .output()
        .context("starting the hub")?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let text = text.trim().trim_start_matches("ask-user: ");
    Err(Failure::plain(Exit::NoHub, format!("the hub could not be started: {text}")).into())
}

/// Starts a detached hub and waits for its first line.
pub fn start_detached() -> anyhow::Result<()> {
    let mut command = Command::new(program_path()?);
    // The hub's working directory is the root, where a relative path would have another meaning.
    if let Some(home) = std::env::var_os("ASK_USER_HOME").filter(|home| !home.is_empty()) {
        command.env("ASK_USER_HOME", std::path::absolute(home)?);
    }
    // Whoever has set the variable knows better.
    if std::env::var_os(TUNABLES).is_none() {
        command.env(TUNABLES, ALLOCATOR);
    }
    // What the hub runs for the person, it finds by this.
    if let Some(path) = programs::search_path() {
        command.env("PATH", path);
    }
    // What the hub starts belongs to nobody above it.
    let of_agents = [AGENT_VARIABLE].into_iter().chain(COMMAND_VARIABLES);
    for variable in of_agents.chain(asker::VARIABLES) {
        command.env_remove(variable);
    }
    let mut child = command
        .args(["hub", "--detached"])
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("starting the hub")?;
    let mut text = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut text)?;
    }
    match text.trim() {
        READY => Ok(()),
        "" => {
            let status = child.wait()?;
            Err(Failure::plain(Exit::Failure, format!("the hub ended at once ({status})")).into())
        }
        problem => Err(Failure::plain(Exit::Failure, problem).into()),
    }
}

/// The path of this program. If a newer version replaced the file, the path of the replacement.
pub fn program_path() -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe().context("finding this program")?;
    if path.exists() {
        return Ok(path);
    }
    let text = path.to_string_lossy();
    let replaced = PathBuf::from(text.trim_end_matches(" (deleted)"));
    if replaced.exists() {
        return Ok(replaced);
    }
    Ok(PathBuf::from("/proc/self/exe"))
}
