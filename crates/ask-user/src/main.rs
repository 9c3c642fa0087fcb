//! `ask-user`: agents ask, people answer, and nothing in between forgets.

mod cli;
pub mod daemon;
mod rpc;

use std::io::Write;
use std::process::ExitCode;

use ask_config::exit::{Exit, Failure};
use ask_protocol::escape;

fn main() -> ExitCode {
    match cli::run() {
        Ok(exit) => code(exit),
        Err(error) => {
            let exit = error
                .downcast_ref::<Failure>()
                .map_or(Exit::Failure, |failure| failure.exit);
            if is_closed_pipe(&error) {
                return code(Exit::Done);
            }
            // It may repeat what was found or typed.
            let said = escape(format!("{error:#}"));
            let _ = writeln!(std::io::stderr(), "ask-user: {said}");
            code(exit)
        }
    }
}

fn code(exit: Exit) -> ExitCode {
    ExitCode::from(exit as u8)
}

/// Whoever read our output has seen enough: no failure of ours.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
