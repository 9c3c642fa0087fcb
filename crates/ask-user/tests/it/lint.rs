//! Style as a test: each rule says what to do instead, each limit is a ratchet
//! that may fall and may not rise.
//!
//! The code map in ARCHITECTURE.md has a heading for each crate, with the crates that it depends on
//! (`` ### `crates/ask-hub/` ← core, store ``), and below it a row for each folder of its modules
//! (`` - `desk/` the requests to the hub ``).

mod architecture;
mod messages;
mod rules;
mod tree;
mod vocabulary;

/// Fails with everything that is wrong, and with what to do about it.
fn report(advice: &str, problems: Vec<String>) {
    assert!(problems.is_empty(), "{advice}\n  {}", problems.join("\n  "));
}
