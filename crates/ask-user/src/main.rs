//! `ask-user`: asks from coding agents, answers from their person. This file maps errors to exit
//! codes; commands are in `cli`.

mod call;
mod cli;
mod daemon;
mod rpc;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use ask_config::exit::{Exit, Failure};
use ask_files::umask;
use ask_protocol::escape;

fn main() -> ExitCode {
    // Every file from here on is private to the person, SQLite's files and sockets too.
    umask::restrict();
    outlive_file_size_limit();
    match cli::run() {
        Ok(exit) => code(exit),
        Err(error) => {
            let exit = error
                .downcast_ref::<Failure>()
                .map_or(Exit::Failure, |failure| failure.exit);
            if is_closed_pipe(&error) {
                return code(Exit::Done);
            }
            // The message may repeat text from files or arguments.
            let said = escape(format!("{error:#}"));
            // Without standard error there is nowhere to report to.
            let _ = writeln!(std::io::stderr(), "ask-user: {said}");
            code(exit)
        }
    }
}

/// A write above a shell's limit (`ulimit -f`) fails, as on a full disk, and doesn't end the process.
fn outlive_file_size_limit() {
    // Without the handler, the system ends the process at such a write.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

fn code(exit: Exit) -> ExitCode {
    ExitCode::from(exit as u8)
}

/// The reader of our output closed the pipe, as `head` does. That is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
