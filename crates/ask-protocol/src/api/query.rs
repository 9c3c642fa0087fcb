//! What requests say in their queries.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::openapi::path::ParameterIn;
use utoipa::{IntoParams, ToSchema};

use crate::native::{Malformed, Moment, Whole, YesNo, from_json};
use ask_core::Json;
use ask_core::history::{End, Filter};

/// Which asks are meant, and which of those that are over.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Narrowing {
    /// Words that must occur.
    q: Option<String>,
    /// A client's name, or what an agent calls itself.
    agent: Option<String>,
    /// A project's name or directory.
    project: Option<String>,
    /// A git branch.
    branch: Option<String>,
    /// Asked since then.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Moment>,
    /// Asked before then.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Moment>,
    /// Of what is over: how it ended; late for answers that came late, undelivered for what its agent has not
    /// been told yet.
    #[param(inline)]
    outcome: Option<Outcome>,
    /// Of what is over: where it was closed.
    surface: Option<String>,
    /// Of what is over: whether what the agent recommended was taken.
    #[param(value_type = Option<bool>)]
    recommended: Option<YesNo>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Answered,
    Late,
    Declined,
    AskBack,
    Expired,
    Withdrawn,
    Undelivered,
}

impl From<Narrowing> for Filter {
    fn from(narrowing: Narrowing) -> Self {
        let end = narrowing.outcome.and_then(|outcome| match outcome {
            Outcome::Answered => Some(End::Answered),
            Outcome::Late => Some(End::Late),
            Outcome::Declined => Some(End::Declined),
            Outcome::AskBack => Some(End::AskedBack),
            Outcome::Expired => Some(End::Expired),
            Outcome::Withdrawn => Some(End::Withdrawn),
            Outcome::Undelivered => None,
        });
        Self {
            search: narrowing.q,
            agent: narrowing.agent,
            project: narrowing.project,
            branch: narrowing.branch,
            end,
            undelivered: narrowing.outcome == Some(Outcome::Undelivered),
            surface: narrowing.surface,
            recommended: narrowing.recommended.map(|recommended| recommended.0),
            since_ms: narrowing.since.map(|since| since.0.0),
            until_ms: narrowing.until.map(|until| until.0.0),
            ..Self::default()
        }
    }
}

/// Which asks are listed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Listed {
    /// `waiting` for what waits alone, `closed` for what is over; else what a person can act on.
    #[param(inline)]
    pub state: Option<ListedState>,
    /// Of what waits, only so many, the most urgent first; not with state=closed.
    #[param(value_type = Option<u64>)]
    pub first: Option<Whole>,
    /// Of what is over: the `before` of the page before.
    #[param(value_type = Option<u64>)]
    pub before: Option<Whole>,
    /// Of what is over: at most so many, 50 if left out, and never more than 200.
    #[param(value_type = Option<u64>)]
    pub limit: Option<Whole>,
}

/// Whether asks wait or are over.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListedState {
    /// They wait.
    Waiting,
    /// They are over.
    Closed,
}

/// What is removed of a history.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Forgetting {
    /// True to remove nothing, and only say how many.
    #[param(value_type = Option<bool>)]
    pub count: Option<YesNo>,
    /// True if everything that is over is meant.
    #[param(value_type = Option<bool>)]
    pub all: Option<YesNo>,
}

/// Whether one ask is removed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ForgettingOne {
    /// True if that is meant of an answer that no agent has been told, too.
    #[param(value_type = Option<bool>)]
    pub undelivered: Option<YesNo>,
}

/// How a history is written out.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Exported {
    /// `json` if left out.
    #[param(inline)]
    pub format: Option<ExportFormat>,
}

/// What a history is written out as.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// An array of records.
    Json,
    /// A table.
    Csv,
    /// Text with marks.
    Md,
}

/// No word of its own.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Nothing {}

/// Who asks.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(
    dead_code,
    reason = "who asks is read from all words of a query, as MCP's address has them"
)]
pub struct AskedBy {
    /// What the asking program calls itself.
    client: Option<String>,
    /// What the agent calls itself.
    agent: Option<String>,
    /// Its session.
    session: Option<String>,
    /// The window of a desktop app that it works for (docs/reference/protocol.md).
    instance: Option<String>,
    /// A short name for the project.
    project: Option<String>,
    /// The directory it works in, a whole path.
    directory: Option<String>,
}

/// The words that a query of this form may have.
pub fn names_of<T: IntoParams>() -> Vec<String> {
    let parameters = T::into_params(|| Some(ParameterIn::Query)).into_iter();
    parameters.map(|parameter| parameter.name).collect()
}

/// Reads a query of this form; what is empty says nothing.
pub fn read_query<'a, T: DeserializeOwned>(
    said: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<T, Malformed> {
    let said = said.into_iter().map(|(key, value)| (key, value.trim()));
    let said = said.filter(|(_, value)| !value.is_empty());
    let said: Json = said.map(|(key, value)| (key.clone(), value)).collect();
    from_json(&said, "")
}
