//! The program that closed an ask, as the hub saw it. This is evidence of who answered, and no
//! proof: programs of one account can disguise themselves from each other.

use std::fmt;

/// The program that closed an ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The id of its process.
    pub pid: u32,
    /// The file name of its program.
    pub program: Option<String>,
    /// The terminal that controls it, as in `pts/3`.
    pub terminal: Option<String>,
    /// The client of the agent that started it, directly or through others: the agent may have
    /// answered by itself.
    pub below_agent: Option<String>,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program.as_deref().unwrap_or("a program");
        write!(formatter, "{program}, process {}", self.pid)?;
        match &self.terminal {
            Some(terminal) => write!(formatter, ", on {terminal}")?,
            None => formatter.write_str(", without a terminal")?,
        }
        match &self.below_agent {
            Some(agent) => write!(formatter, ", below {agent}"),
            None => Ok(()),
        }
    }
}
