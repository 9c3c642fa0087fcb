//! The parameters of requests' queries.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::openapi::path::ParameterIn;
use utoipa::{IntoParams, ToSchema};

use crate::native::{Malformed, Moment, Whole, YesNo, from_json};
use ask_core::Json;
use ask_core::history::{End, Filter};

/// Which asks are meant, and which of the closed ones.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Narrowing {
    /// Words that must occur.
    q: Option<String>,
    /// The name of a client, or the name that an agent gives itself.
    agent: Option<String>,
    /// A project's name or directory.
    project: Option<String>,
    /// A git branch.
    branch: Option<String>,
    /// Asked at or after this time.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Moment>,
    /// Asked before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Moment>,
    /// Closed asks: how they ended. `late` means answered late, `undelivered` not delivered yet.
    #[param(inline)]
    outcome: Option<Outcome>,
    /// Closed asks: the surface on which they were closed.
    surface: Option<String>,
    /// Closed asks: whether the person followed the agent's recommendation.
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
    /// `waiting`: open asks. `closed`: the history. By default: the asks that a person can act on.
    #[param(inline)]
    pub state: Option<ListedState>,
    /// Open asks: at most this many, the most urgent first. Not with state=closed.
    #[param(value_type = Option<u64>)]
    pub first: Option<Whole>,
    /// Closed asks: the `before` of the previous page.
    #[param(value_type = Option<u64>)]
    pub before: Option<Whole>,
    /// Closed asks: at most this many; 50 by default, 200 at most.
    #[param(value_type = Option<u64>)]
    pub limit: Option<Whole>,
}

/// Whether the list has open or closed asks.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListedState {
    /// The asks are open.
    Waiting,
    /// The asks are closed.
    Closed,
}

/// What is removed from a history.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Forgetting {
    /// True to delete nothing, and only count.
    #[param(value_type = Option<bool>)]
    pub count: Option<YesNo>,
    /// True to confirm that all closed asks are meant.
    #[param(value_type = Option<bool>)]
    pub all: Option<YesNo>,
}

/// Whether one ask is removed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ForgettingOne {
    /// True to delete the ask even if its answer was not delivered.
    #[param(value_type = Option<bool>)]
    pub undelivered: Option<YesNo>,
}

/// How a history is exported.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Exported {
    /// The format; `json` by default.
    #[param(inline)]
    pub format: Option<ExportFormat>,
}

/// The format of an export.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// An array of records.
    Json,
    /// A table of asks.
    Csv,
    /// Text in Markdown format.
    Md,
}

/// A query without any parameters.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Nothing {}

/// Who waits for the outcome.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WaitedBy {
    /// The `asker.client` of the ask. With it, a program that has another token than the agents'
    /// waits as the asker, and its response delivers the outcome. Otherwise it only looks on.
    pub client: Option<String>,
}

/// Who asks.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(
    dead_code,
    reason = "the asker is parsed from all parameters of a query, as in the URL of MCP"
)]
pub struct AskedBy {
    /// The name that the asking program gives itself.
    client: Option<String>,
    /// The name that the agent gives itself.
    agent: Option<String>,
    /// The id of the agent's session.
    session: Option<String>,
    /// The window of a desktop app that the agent works for (docs/reference/protocol.md).
    instance: Option<String>,
    /// A short name for the project.
    project: Option<String>,
    /// The directory that the agent works in, as an absolute path.
    directory: Option<String>,
}

/// The parameters that a query of this form may have.
pub fn names_of<T: IntoParams>() -> Vec<String> {
    let parameters = T::into_params(|| Some(ParameterIn::Query)).into_iter();
    parameters.map(|parameter| parameter.name).collect()
}

/// Parses a query of this form. Empty parameters are ignored.
pub fn read_query<'a, T: DeserializeOwned>(
    said: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<T, Malformed> {
    let said = said.into_iter().map(|(key, value)| (key, value.trim()));
    let said = said.filter(|(_, value)| !value.is_empty());
    let said: Json = said.map(|(key, value)| (key.clone(), value)).collect();
    from_json(&said, "")
}
