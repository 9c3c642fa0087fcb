//! All exit codes, and the error that carries one. The binary turns it into the exit code of the
//! process.

use std::fmt;

/// How a command ends, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, or answered.
    Done = 0,
    /// Something failed.
    Failure = 1,
    /// The command line is wrong, or a terminal is needed and missing.
    Usage = 2,
    /// The person declined.
    Declined = 3,
    /// The time limit passed.
    TimedOut = 4,
    /// Somebody else closed the ask first.
    Closed = 5,
    /// The hub can't be reached.
    NoHub = 6,
    /// The person asks back.
    Clarify = 7,
    /// Nobody has answered yet.
    Waiting = 8,
}

/// The codes with their meaning, as the docs print them.
pub const CODES: [(Exit, &str); 9] = [
    (Exit::Done, "done, answered"),
    (Exit::Failure, "failure"),
    (Exit::Usage, "usage, or no terminal where one is needed"),
    (Exit::Declined, "declined"),
    (Exit::TimedOut, "timed out, or withdrawn by the agent"),
    (Exit::Closed, "already closed by someone else"),
    (Exit::NoHub, "hub not reachable"),
    (Exit::Clarify, "the person asks back (clarify)"),
    (
        Exit::Waiting,
        "still waiting (`--no-wait`, `--return-after`, pending file)",
    ),
];

/// An error that has its own exit code and, often, a hint.
#[derive(Debug)]
pub struct Failure {
    /// The exit code of the process.
    pub exit: Exit,
    /// What happened, and where.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Failure {
    /// An error with a hint.
    pub fn new(exit: Exit, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            exit,
            what: what.into(),
            hint: Some(hint.into()),
        }
    }

    /// An error that needs no hint.
    pub fn plain(exit: Exit, what: impl Into<String>) -> Self {
        Self {
            exit,
            what: what.into(),
            hint: None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.what)?;
        match &self.hint {
            Some(hint) => write!(formatter, "\n  {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
