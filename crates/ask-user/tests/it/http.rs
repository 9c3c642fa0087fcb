//! Agents that come over HTTP: who may, how calls wait, and what becomes of replies
//! whose client has lost its stream.

mod calls;
mod limits;
mod origin_guard;
#[cfg(target_os = "linux")]
mod processes;
mod sessions;

/// A question, and what the reply to picking right holds.
const ASK: &str =
    r#"{"questions":[{"id":"way","question":"Which way?","options":["left","right"]}]}"#;
const RIGHT: &str = r#""values":["right"]"#;
