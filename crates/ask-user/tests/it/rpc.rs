//! Programs that embed us by JSON lines: those that ask, those that show, what they
//! get wrong, and the examples that we give them.

mod asker;
pub mod clients;
mod docs;
mod lines;
mod surface;

/// One question with two options.
const SHIP: &str = r#"[{"question":"Ship it?","options":[{"label":"Yes"},{"label":"No"}]}]"#;
/// What the pi dialect says when the second was picked.
const NO: &str = r#"{"answered":true,"answers":[{"question":"Ship it?","answer":"No","selectedOption":"No","wasCustom":false}]}"#;
