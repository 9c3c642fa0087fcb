//! Why a call can't become an ask: all its problems, each with its place, worded so that an agent
//! can correct the call.

use std::fmt;

/// Why a call can't become an ask. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// All problems, in the order of the call.
    pub problems: Vec<Problem>,
}

/// One problem of a call, worded so that an agent can correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its path, as in `questions[0].options[1].label`; empty for the call as a whole.
    pub path: String,
    /// The problem without the path.
    pub problem: String,
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
        }
    }
}

impl Problem {
    /// A problem at a path.
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            formatter.write_str(&self.problem)
        } else {
            write!(formatter, "{}: {}", self.path, self.problem)
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                formatter.write_str("; ")?;
            }
            problem.fmt(formatter)?;
        }
        Ok(())
    }
}
