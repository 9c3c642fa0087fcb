//! Agents over HTTP: who may connect, how calls wait, and what happens to replies whose stream was
//! lost.

mod calls;
mod limits;
mod origin_guard;
#[cfg(target_os = "linux")]
mod processes;
mod sessions;

/// A question, and what the reply to picking right contains.
const ASK: &str =
    r#"{"questions":[{"id":"way","question":"Which way?","options":["left","right"]}]}"#;
const RIGHT: &str = r#""values":["right"]"#;
