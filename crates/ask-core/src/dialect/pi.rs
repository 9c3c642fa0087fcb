//! The `pi` dialect.

use super::{Call, Dialect, Json, Problem, Refusal, Reply, Setting, Tool, Word};

/// The `pi` dialect.
pub struct Pi;

impl Dialect for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn tools(&self) -> &'static [Tool] {
        &[]
    }

    fn instructions(&self) -> &'static str {
        ""
    }

    fn read(&self, _tool: &str, _arguments: &Json, _setting: &Setting) -> Result<Call, Refusal> {
        Err(Problem::new("", "not written yet").into())
    }

    fn write(&self, _word: Word<'_>) -> Reply {
        Reply::text("")
    }

    fn strict(&self, _tool: &str, _arguments: &Json) -> Vec<Problem> {
        Vec::new()
    }
}
