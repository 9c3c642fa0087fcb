//! Text made safe to show: only [`Plain`] is painted, printed or sent to a page.

use std::fmt;

/// Agents' text without anything a terminal or a reader could be tricked with.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Plain(String);

impl Plain {
    /// For one line: line breaks become spaces.
    pub fn line(text: &str) -> Self {
        Self(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
    }

    /// For many lines.
    pub fn block(text: &str) -> Self {
        Self(text.chars().filter(|c| *c == '\n' || !c.is_control()).collect())
    }

    /// The safe text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}
