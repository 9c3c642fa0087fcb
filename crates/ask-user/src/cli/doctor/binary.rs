//! Checks which program this is, and whether a shell finds the same one.

use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use ask_files::programs;
use ask_files::umask;
use ask_hub::{spawn, version};
use rustix::process::{Pid, Signal, kill_process};

use super::finding::{Finding, Report, quoted};

const NAME: &str = "ask-user";

/// The time limit for another program to print its version.
const TIME_LIMIT: Duration = Duration::from_secs(3);

pub(crate) fn check(report: &mut Report) -> anyhow::Result<()> {
    let own = spawn::program_path()?;
    report.add(Finding::fine(
        "program",
        format!("{NAME} {} at {}", version(), own.display()),
    ))?;
    report.add(check_path(&own))
}

/// Compares this program with the one that a shell would start. Clients with a window don't have
/// the shell's `PATH`.
fn check_path(own: &Path) -> Finding {
    let Some(found) = find_on_path() else {
        let folder = own.parent().unwrap_or(own);
        return Finding::warn(
            "path",
            format!("a shell doesn't find `{NAME}`: {} is not on PATH", folder.display()),
        )
        .mend(format!(
            "export PATH={}:\"$PATH\"\nand put that line into your shell's startup file; agents that `ask-user register` wrote down don't need it",
            quoted(folder)
        ));
    };
    if is_same_file(&found, own) {
        return Finding::fine("path", format!("a shell finds it as {}", found.display()));
    }
    let theirs = read_version(&found).unwrap_or_else(|| "doesn't say its version".to_owned());
    Finding::warn(
        "path",
        format!(
            "a shell finds another program: {} ({theirs}), not {}",
            found.display(),
            own.display()
        ),
    )
    .mend(format!(
        "if the other is the older one, remove it or replace it: ln -sf {} {}",
        quoted(own),
        quoted(&found)
    ))
}

/// Finds our name on `PATH`, as a shell outside of the checkout does.
pub(crate) fn find_on_path() -> Option<PathBuf> {
    let folders = programs::search_path().unwrap_or_default();
    std::env::split_paths(&folders).find_map(|folder| {
        let path = folder.join(NAME);
        is_executable(&path).then_some(path)
    })
}

/// Whether a file is executable.
pub(crate) fn is_executable(path: &Path) -> bool {
    let metadata = std::fs::metadata(path);
    metadata.is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Whether two paths lead to one file, through any links.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| {
        let metadata = std::fs::metadata(path).ok()?;
        Some((metadata.dev(), metadata.ino()))
    };
    identity(one).is_some() && identity(one) == identity(other)
}

/// The version that a program prints.
pub(crate) fn read_version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version").stderr(Stdio::null());
    let (text, _) = run_limited(command)?;
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// The first error line of a client's command, started with empty input, after which a server exits
/// successfully. `None` for a command that succeeds or takes too long.
pub(crate) fn startup_error(
    program: &Path,
    args: &[String],
    env: &[(String, String)],
) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).stderr(Stdio::piped());
    command.envs(env.iter().map(|(name, value)| (name, value)));
    let (text, status) = run_limited(command)?;
    (!status.success()).then(|| {
        let line = text.lines().next().unwrap_or("it printed no error");
        line.trim_start_matches("ask-user: ").to_owned()
    })
}

/// Runs a program within a time limit, and returns its output and exit status. It may be any program, so
/// the limits are tight.
fn run_limited(mut command: Command) -> Option<(String, ExitStatus)> {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = umask::ordinary(|| command.spawn()).ok()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw)?;
    let (sender, output) = channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(pipe) = child.stdout.take() {
            // After an error, what was read so far is used.
            let _ = pipe.take(1_000).read_to_end(&mut text);
        }
        if let Some(pipe) = child.stderr.take() {
            // After an error, what was read so far is used.
            let _ = pipe.take(1_000).read_to_end(&mut text);
        }
        // After the time limit nobody receives it.
        let _ = sender.send(child.wait().map(|status| (text, status)));
    });
    let Ok(received) = output.recv_timeout(TIME_LIMIT) else {
        // An error means that the program has just ended.
        let _ = kill_process(pid, Signal::KILL);
        return None;
    };
    let (text, status) = received.ok()?;
    Some((String::from_utf8_lossy(&text).into_owned(), status))
}
