//! Questions in the client's own dialog (MCP elicitation): shown where the client declares it, and
//! nowhere else.

mod absent;
mod closed;
mod requests;
mod rounds;

use ask_core::Json;

use crate::support::agent::Era;
use crate::support::json;
use crate::support::sandbox::Sandbox;

/// The fixed time; a reply at this time comes immediately.
const NOON: &str = "2026-02-04T12:00:00Z";
/// One and a half seconds later: enough for a person to have read the question.
const LATER: &str = "2026-02-04T12:00:01.5Z";

/// The last protocol revision that opens with `initialize`.
const LAST_INITIALIZE: Era = Era::Initialize("2025-11-25");

/// The capability that a client with forms declares.
const FORMS: &str = r#"{"elicitation":{"form":{}}}"#;

/// A call with a question of each kind.
const CALL: &str = r#"{"title":"Set-up","questions":[
    {"id":"db","question":"Which database?","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]},
    {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth","Docs","Tests"]},
    {"id":"name","question":"What name?","required":false}]}"#;

/// A call with one question.
const ONE: &str = r#"{"question":"A or B?","options":["A","B"]}"#;

/// The record of the latest ask.
fn latest(sandbox: &Sandbox) -> Json {
    json(&sandbox.run_ok(&["show", "latest", "--json"]))
}
