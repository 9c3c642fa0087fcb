//! Checks which program this is, and whether a shell finds the same one.

use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use ask_files::umask;
use ask_hub::{spawn, version};
use rustix::process::{Pid, Signal, kill_process};

use super::finding::{Finding, Report, quoted};

const NAME: &str = "ask-user";

/// How long another program may take to print its version.
const PATIENCE: Duration = Duration::from_secs(3);

pub(crate) fn check(report: &mut Report) -> anyhow::Result<()> {
    let own = spawn::program_path()?;
    report.say(Finding::fine(
        "program",
        format!("{NAME} {} at {}", version(), own.display()),
    ))?;
    report.say(on_path(&own))
}

/// Compares this program with the one that a shell would start. Clients with a window don't have
/// the shell's `PATH`.
fn on_path(own: &Path) -> Finding {
    let Some(found) = found() else {
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
    if is_same(&found, own) {
        return Finding::fine("path", format!("a shell finds it as {}", found.display()));
    }
    let theirs = says_version(&found).unwrap_or_else(|| "doesn't say its version".to_owned());
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

/// The program that a shell finds under our name.
pub(crate) fn found() -> Option<PathBuf> {
    let places = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&places).find_map(|place| {
        let path = place.join(NAME);
        is_program(&path).then_some(path)
    })
}

/// Whether a file is executable.
pub(crate) fn is_program(path: &Path) -> bool {
    let about = std::fs::metadata(path);
    about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Whether two paths lead to one file, through any links.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let which = |path: &Path| {
        let about = std::fs::metadata(path).ok()?;
        Some((about.dev(), about.ino()))
    };
    which(one).is_some() && which(one) == which(other)
}

/// The version that another program prints.
pub(crate) fn says_version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version").stderr(Stdio::null());
    let (text, _) = says(command)?;
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// The error of a client's command, started with empty input: a server exits successfully when its
/// client is gone. `None` for a command that succeeds or takes too long.
pub(crate) fn complains(
    program: &Path,
    args: &[String],
    env: &[(String, String)],
) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).stderr(Stdio::piped());
    command.envs(env.iter().map(|(name, value)| (name, value)));
    let (said, ended) = says(command)?;
    (!ended.success()).then(|| {
        let line = said.lines().next().unwrap_or("it says nothing");
        line.trim_start_matches("ask-user: ").to_owned()
    })
}

/// The output and exit status of a program. It may be any program, so it gets little time.
fn says(mut command: Command) -> Option<(String, ExitStatus)> {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = umask::ordinary(|| command.spawn()).ok()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw)?;
    let (sender, said) = channel();
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
        // The receiver gives up at the time limit.
        let _ = sender.send(child.wait().map(|ended| (text, ended)));
    });
    let Ok(came) = said.recv_timeout(PATIENCE) else {
        // The program may have ended at this moment.
        let _ = kill_process(pid, Signal::KILL);
        return None;
    };
    let (text, ended) = came.ok()?;
    Some((String::from_utf8_lossy(&text).into_owned(), ended))
}
