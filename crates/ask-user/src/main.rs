//! `ask-user`: agents ask, people answer, and nothing in between forgets.

mod aside;
mod asker;
mod attach;
mod cli;
mod clients;
mod clock;
mod config;
mod descriptors;
mod exit;
mod export;
mod home;
mod hub;
mod loopback;
mod mcp;
mod rpc;
mod store;
mod surface;
mod web;
mod words;

use std::io::Write;
use std::process::ExitCode;

use exit::{Exit, Failure};

fn main() -> ExitCode {
    match cli::run() {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = error
                .downcast_ref::<Failure>()
                .map_or(Exit::Failure, |failure| failure.exit);
            if is_closed_pipe(&error) {
                return Exit::Done.into();
            }
            let _ = writeln!(std::io::stderr(), "ask-user: {error:#}");
            exit.into()
        }
    }
}

/// Whoever read our output has seen enough: no failure of ours.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
