//! Lists of asks over HTTP: those that a person can act on, filtered, and optionally only the most
//! urgent. `history` serves closed asks.

use ask_config::clock;
use ask_hub::client::AskListing;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_hub::surface;
use ask_hub::surface::grouping::keep_most_urgent;
use ask_hub::surface::previous_answers;
use ask_protocol::api::{Asks, Listed, ListedState, Narrowing};
use ask_protocol::ipc::Filter;
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

use super::request::ApiRequest;
use super::{Web, history};

/// List what a person can act on: open asks, expired ones, and answers that no agent has received
///
/// With `state=closed`, a page of the history, newest first. Otherwise, parameters that only apply
/// to the history are refused.
#[utoipa::path(
    get,
    path = "/v1/asks",
    params(Listed, Narrowing),
    responses((status = 200, description = "Done", body = Asks<'static>))
)]
pub(crate) async fn list(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    if request.query_value("state") != Some("closed") {
        history::refuse_history_parameters(&request)?;
    }
    let (listed, narrowing): (Listed, Narrowing) = request.filtered_query("")?;
    match listed.state {
        Some(ListedState::Closed) => history::list_closed(&web, listed, narrowing).await,
        Some(ListedState::Waiting) | None => list_actionable(&web, listed, narrowing.into()).await,
    }
}

/// Lists what a person can act on, or only open asks, and optionally only the most urgent of them.
async fn list_actionable(web: &Web, listed: Listed, filter: Filter) -> Result<Response, Problem> {
    let only_waiting = listed.state.is_some();
    let first = listed.first.map(|first| first.0);
    let client = web.shared.hub().await?;
    let listing = match first {
        Some(first) if filter.is_wide() => client.most_urgent(first).await?,
        Some(_) => client.waiting().await?,
        None => previous_answers::actionable(client).await?,
    };
    let AskListing {
        mut records,
        cursor,
        mut day,
    } = listing;
    records.retain(|record| !only_waiting || record.is_open());
    if !filter.is_wide() {
        let matching = tokio::task::spawn_blocking(move || surface::fitting(records, &filter));
        let matching = matching.await.map_err(anyhow::Error::from)?;
        records = matching
            .map_err(|error| Problem::new(ProblemKind::StorageFailed, error.to_string()))?;
        if let Some(first) = first {
            let first = usize::try_from(first).unwrap_or(usize::MAX);
            day.more = keep_most_urgent(&mut records, first);
        }
    }
    let asks = Asks::waiting(&records, cursor, clock::now(), day);
    Ok(reply::json(&asks))
}
