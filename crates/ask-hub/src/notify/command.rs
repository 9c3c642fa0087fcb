//! Programs that the hub runs for the person: with a text on standard input, under a time limit,
//! never through a shell. Their output goes to the log.

use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

use ask_files::programs;

use crate::spawn::{ALLOCATOR, TUNABLES};

/// The most bytes of each output stream that are kept.
const MAX_OUTPUT_BYTES: u64 = 4_096;

/// The result of a program.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// The beginning of its standard output.
    pub out: String,
    /// The beginning of its standard error.
    pub err: String,
}

/// Runs a program to its end. At the time limit, its whole process group is killed.
///
/// # Errors
/// No program is named, it can't be started, or the limit is reached.
pub(crate) async fn run(
    command_line: &[String],
    variables: &[(&str, String)],
    input: String,
    limit: Duration,
) -> Result<CommandOutput, String> {
    let (program, arguments) = command_line.split_first().ok_or("no program is named")?;
    let mut command = Command::new(program);
    if std::env::var_os(TUNABLES).is_some_and(|set| set == ALLOCATOR) {
        command.env_remove(TUNABLES);
    }
    if let Some(path) = programs::search_path() {
        command.env("PATH", path);
    }
    command
        .args(arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = command
        .spawn()
        .map_err(|error| format!("{program} can't be run: {error}"))?;
    let group = child.id().and_then(|id| i32::try_from(id).ok());
    let mut group = KilledGroup(group.and_then(Pid::from_raw));
    match tokio::time::timeout(limit, exchange(&mut child, input)).await {
        Ok(output) => {
            // What it left in the background may go on.
            group.0 = None;
            output.map_err(|error| format!("{program}: {error}"))
        }
        Err(_) => {
            drop(group);
            // Reaps the killed child. Its status has no meaning.
            let _ = child.wait().await;
            Err(format!("{program} was ended after {} s", limit.as_secs()))
        }
    }
}

/// A group of processes that is killed when this is dropped: at the time limit, or because the hub ends.
struct KilledGroup(Option<Pid>);

impl Drop for KilledGroup {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // The group may have ended at this moment.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

async fn exchange(child: &mut Child, input: String) -> std::io::Result<CommandOutput> {
    let stdin = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let write_input = async {
        if let Some(mut stdin) = stdin {
            // A program that doesn't read its input may close it.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
    };
    let read_output = async {
        let mut text = Vec::new();
        if let Some(mut stdout) = stdout {
            (&mut stdout)
                .take(MAX_OUTPUT_BYTES)
                .read_to_end(&mut text)
                .await?;
            tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await?;
        }
        std::io::Result::Ok(text)
    };
    let read_errors = async {
        let mut text = Vec::new();
        if let Some(mut stderr) = stderr {
            (&mut stderr)
                .take(MAX_OUTPUT_BYTES)
                .read_to_end(&mut text)
                .await?;
            tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await?;
        }
        std::io::Result::Ok(text)
    };
    let ((), out, err) = tokio::join!(write_input, read_output, read_errors);
    let status = child.wait().await?;
    Ok(CommandOutput {
        code: status.code(),
        out: String::from_utf8_lossy(&out?).into_owned(),
        err: String::from_utf8_lossy(&err?).into_owned(),
    })
}
