//! Questions in the client's own dialog: where it has one, and only there.

mod absent;
mod closed;
mod requests;
mod rounds;

use ask_core::Json;

use crate::support::agent::Era;
use crate::support::json;
use crate::support::sandbox::Sandbox;

/// Where time stands still: whatever is replied is replied at once.
const NOON: &str = "2026-02-04T12:00:00Z";
/// A second and a half later: time for a person.
const LATER: &str = "2026-02-04T12:00:01.5Z";

/// The last revision that opens with `initialize`.
const TITLED: Era = Era::Initialize("2025-11-25");

/// What a client with forms declares.
const FORMS: &str = r#"{"elicitation":{"form":{}}}"#;

/// A call with a question of each kind.
const CALL: &str = r#"{"title":"Set-up","questions":[
    {"id":"db","question":"Which database?","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]},
    {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth","Docs","Tests"]},
    {"id":"name","question":"What name?","required":false}]}"#;

/// A call with one question.
const ONE: &str = r#"{"question":"A or B?","options":["A","B"]}"#;

/// How the latest ask stands.
fn latest(sandbox: &Sandbox) -> Json {
    json(&sandbox.done(&["show", "latest", "--json"]))
}
