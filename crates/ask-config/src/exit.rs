//! Every exit code, and the failure that carries one. The binary turns it into the exit code of the process.

use std::fmt;

/// How a command ends, for the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, or answered.
    Done = 0,
    /// Something failed.
    Failure = 1,
    /// The command line is wrong, or a terminal is needed and there is none.
    Usage = 2,
    /// The person declined.
    Declined = 3,
    /// The time limit passed.
    TimedOut = 4,
    /// Somebody else closed it first.
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

/// A failure that has an exit code of its own and, often, a way out.
#[derive(Debug)]
pub struct Failure {
    /// The code.
    pub exit: Exit,
    /// What happened, and where.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure with a way out.
    pub fn new(exit: Exit, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            exit,
            what: what.into(),
            hint: Some(hint.into()),
        }
    }

    /// A failure that speaks for itself.
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
