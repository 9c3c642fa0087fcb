//! Style as a test: each rule says what to do instead, each limit is a ratchet
//! that may fall and may not rise.
//!
//! The code map in ARCHITECTURE.md is a list. A heading that ends in a folder in
//! backticks (`` ### The core: `crates/ask-core/src/` ``) opens a part of it; each
//! line below that starts with a path in backticks (`` - `ask.rs` what is asked ``)
//! is a row, relative to that folder, or from the root if it starts with `crates/`.
//! A row `` `dialect/…` `` stands for all files in that folder. A row may hold several
//! paths before its prose: `` - `draft.rs` `outcome.rs` how it ends ``.

mod house;
mod map;
mod said;
mod tree;
mod words;

/// Fails with everything that is wrong, and with what to do about it.
fn report(advice: &str, problems: Vec<String>) {
    assert!(problems.is_empty(), "{advice}\n  {}", problems.join("\n  "));
}
