//! The person's default time limit of calls, from `CN_MCP_TIMEOUT`. The dialect defines which
//! values are valid.

use std::sync::LazyLock;

use ask_dialects::codenomad;

/// The variable, in milliseconds.
pub const VARIABLE: &str = "CN_MCP_TIMEOUT";

/// The limit, and the problem if the variable's value was not used as it is.
pub fn read() -> (Option<u64>, Option<String>) {
    match std::env::var_os(VARIABLE) {
        None => (None, None),
        Some(text) => codenomad::read_default_limit(&text.to_string_lossy()),
    }
}

/// The limit. The first call logs a problem with the variable's value.
pub fn limit_ms() -> Option<u64> {
    static LIMIT_MS: LazyLock<Option<u64>> = LazyLock::new(|| {
        let (limit_ms, problem) = read();
        if let Some(problem) = problem {
            tracing::warn!("{VARIABLE}: {problem}");
        }
        limit_ms
    });
    *LIMIT_MS
}
