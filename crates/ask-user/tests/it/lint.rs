//! Style as a test: each rule says what to do instead; each limit is a ratchet that may only fall.
//!
//! The code map in docs/explanation/code-map.md has a heading for each crate, with the crates that it depends on
//! (`` ### `crates/ask-hub/` ← core, store ``), and below it a row for each folder of its modules
//! (`` - `client/` the connection to the hub ``).

mod architecture;
mod links;
mod messages;
mod ratchets;
mod rules;
mod tree;
mod vocabulary;

/// Fails with all problems, and with what to do about them.
fn report(advice: &str, problems: Vec<String>) {
    assert!(problems.is_empty(), "{advice}\n  {}", problems.join("\n  "));
}
