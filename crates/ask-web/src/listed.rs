//! Lists of asks over HTTP: what a person can act on, narrowed down in the words of a history, and perhaps
//! only the most urgent; what is over is left to `past`.

use ask_config::clock;
use ask_hub::client::Listing;
use ask_hub::http::problem::{Kind, Problem};
use ask_hub::http::reply;
use ask_hub::surface;
use ask_hub::surface::listing::keep_most_urgent;
use ask_hub::surface::recall;
use ask_protocol::api;
use axum::response::Response;

use super::call::Call;
use super::{Web, past};

/// What waits, or what is over.
pub async fn list(web: &Web, call: &Call) -> Result<Response, Problem> {
    match call.asked("state") {
        Some("closed") => past::page(web, call).await,
        state @ (None | Some("waiting")) => actable(web, call, state.is_some()).await,
        Some(other) => {
            let said = format!("state: must be waiting or closed, not \"{other}\"");
            Err(Problem::new(Kind::Malformed, said))
        }
    }
}

/// What a person can act on, perhaps only what waits; and of that, perhaps only the most urgent.
async fn actable(web: &Web, call: &Call, only_waiting: bool) -> Result<Response, Problem> {
    let first = past::number(call, "first")?;
    let filter = past::of_open(call)?;
    let client = web.shared.hub().await?;
    let listing = match first {
        Some(first) if filter.is_wide() => client.most_urgent(first).await?,
        Some(_) => client.waiting().await?,
        None => recall::actable(client).await?,
    };
    let Listing {
        mut records,
        cursor,
        mut day,
    } = listing;
    records.retain(|record| !only_waiting || record.is_waiting());
    if !filter.is_wide() {
        let fitting = tokio::task::spawn_blocking(move || surface::fitting(records, &filter));
        let fitting = fitting.await.map_err(anyhow::Error::from)?;
        records = fitting.map_err(|error| Problem::new(Kind::Store, error.to_string()))?;
        if let Some(first) = first {
            let first = usize::try_from(first).unwrap_or(usize::MAX);
            day.more = keep_most_urgent(&mut records, first);
        }
    }
    let listed = api::write_waiting(&records, cursor, clock::now(), day);
    Ok(reply::json(&listed))
}
