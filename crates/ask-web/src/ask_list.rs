//! Lists of asks over HTTP: what a person can act on, filtered, and optionally only the most
//! urgent. Closed asks are served by `history`.

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

use super::request::Call;
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
pub(crate) async fn list(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    if call.asked("state") != Some("closed") {
        history::refuse_of_over(&call)?;
    }
    let (listed, narrowing): (Listed, Narrowing) = call.narrowed("")?;
    match listed.state {
        Some(ListedState::Closed) => history::page(&web, listed, narrowing).await,
        Some(ListedState::Waiting) | None => actable(&web, listed, narrowing.into()).await,
    }
}

/// What a person can act on, or only open asks; of these, optionally only the most urgent.
async fn actable(web: &Web, listed: Listed, filter: Filter) -> Result<Response, Problem> {
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
        let fitting = tokio::task::spawn_blocking(move || surface::fitting(records, &filter));
        let fitting = fitting.await.map_err(anyhow::Error::from)?;
        records =
            fitting.map_err(|error| Problem::new(ProblemKind::StorageFailed, error.to_string()))?;
        if let Some(first) = first {
            let first = usize::try_from(first).unwrap_or(usize::MAX);
            day.more = keep_most_urgent(&mut records, first);
        }
    }
    let listed = Asks::waiting(&records, cursor, clock::now(), day);
    Ok(reply::json(&listed))
}
