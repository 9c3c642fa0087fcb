//! The `native` dialect.

use super::{Call, Dialect, Json, Problem, Refusal, Reply, Setting, Tool, Word};

/// The `native` dialect.
pub struct Native;

impl Dialect for Native {
    fn name(&self) -> &'static str {
        "native"
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
