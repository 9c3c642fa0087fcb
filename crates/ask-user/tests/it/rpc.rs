//! Programs that embed ask-user by JSON lines: hosts that ask, hosts that show, their mistakes, and
//! the examples in the tree.

mod asker;
pub(crate) mod clients;
mod docs;
mod lines;
mod surface;

/// One question with two options.
const SHIP: &str = r#"[{"question":"Ship it?","options":[{"label":"Yes"},{"label":"No"}]}]"#;
/// The reply in pi's dialect when the second option was picked.
const NO: &str = r#"{"answered":true,"answers":[{"question":"Ship it?","answer":"No","selectedOption":"No","wasCustom":false}]}"#;
