//! Closed asks over HTTP: pages, statistics, exports, removal.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use ask_config::i18n::Words;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_hub::surface::export::{Export, Format};
use ask_protocol::api::{
    self, Asks, ExportFormat, Exported, Forgetting, Listed, Narrowing, Removed,
};
use ask_protocol::ipc::{Filter, Request, Response as HubResponse};
use ask_protocol::native::{self, Stats, YesNo};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_core::Stream;
use tokio::sync::mpsc;

use super::Web;
use super::request::ApiRequest;

/// The number of asks in a page if the request has no `limit`.
const DEFAULT_LIMIT: u64 = 50;

/// The largest number of asks in a page.
const MAX_LIMIT: u64 = 200;

/// Lists a page of closed asks, newest first.
pub(crate) async fn list_closed(
    web: &Web,
    listed: Listed,
    narrowing: Narrowing,
) -> Result<Response, Problem> {
    if listed.first.is_some() {
        let message = "first: doesn't apply to closed asks; use limit";
        return Err(Problem::new(ProblemKind::Malformed, message));
    }
    let limit = listed.limit.map_or(DEFAULT_LIMIT, |limit| limit.0);
    let filter = Filter {
        before: listed.before.map(|before| before.0),
        limit: Some(limit.clamp(1, MAX_LIMIT)),
        ..narrowing.into()
    };
    match web.send(Request::History { filter }).await? {
        HubResponse::Records {
            records, cursor, ..
        } => {
            let records = records.iter().map(|record| &**record);
            Ok(reply::json(&Asks::page(records, cursor)))
        }
        other => Err(Problem::unexpected_response(&other)),
    }
}

/// Get statistics of the history
#[utoipa::path(
    get,
    path = "/v1/history/stats",
    params(Narrowing),
    responses((status = 200, description = "Done", body = Stats<'static>))
)]
pub(crate) async fn stats(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let (api::Nothing {}, narrowing) = request.filtered_query("")?;
    let filter = narrowing.into();
    match web.send(Request::Stats { filter }).await? {
        HubResponse::Stats(stats) => Ok(reply::json(&Stats::from(&stats.shown()))),
        other => Err(Problem::unexpected_response(&other)),
    }
}

/// Remove the closed asks that match, for good; answers that no agent has received are kept
#[utoipa::path(
    delete,
    path = "/v1/asks",
    operation_id = "forgetSome",
    params(Forgetting, Narrowing),
    responses((status = 200, description = "Done", body = Removed))
)]
pub(crate) async fn forget(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let (forgetting, narrowing): (Forgetting, _) =
        request.filtered_query("Nothing was removed.")?;
    let filter = Filter::from(narrowing);
    if filter.is_too_wide_to_remove() && forgetting.all != Some(YesNo(true)) {
        let message = "the request selects no asks: send a filter, or all=true for all closed asks";
        return Err(Problem::new(ProblemKind::Malformed, message));
    }
    let count = forgetting.count == Some(YesNo(true));
    let sender = request.sender(&web).await;
    match web
        .send(Request::ForgetSome {
            filter,
            count,
            sender,
        })
        .await?
    {
        HubResponse::Forgotten { count, undelivered } => {
            Ok(reply::json(&Removed { count, undelivered }))
        }
        other => Err(Problem::unexpected_response(&other)),
    }
}

/// Export the history
#[utoipa::path(
    get,
    path = "/v1/history/export",
    params(Exported, Narrowing),
    responses((
        status = 200,
        description = "Done, page by page",
        content(
            (Vec<native::Record<'static>> = "application/json"),
            (String = "text/csv"),
            (String = "text/markdown"),
        ),
        headers(("Content-Disposition" = String, description = "The name of the file to save")),
    ))
)]
pub(crate) async fn export(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let (exported, narrowing): (Exported, _) = request.filtered_query("")?;
    let (format, media_type, name) = match exported.format {
        None | Some(ExportFormat::Json) => (Format::Json, "application/json", "history.json"),
        Some(ExportFormat::Csv) => (Format::Csv, "text/csv; charset=utf-8", "history.csv"),
        Some(ExportFormat::Md) => (Format::Md, "text/markdown; charset=utf-8", "history.md"),
    };
    let words = Words::of_person(web.shared.config().language);
    let mut writing = Export::new(narrowing.into(), format, words);
    let client = web.shared.hub().await?.clone();
    let (chunks, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        while let Some(chunk) = writing.next(&client).await.transpose() {
            // An error breaks the connection, so that nobody takes an incomplete export for a
            // complete one.
            let chunk = chunk.map(Bytes::from).map_err(std::io::Error::other);
            if chunks.send(chunk).await.is_err() {
                return;
            }
        }
    });
    let mut response = Response::new(Body::from_stream(ChunkedBody(receiver)));
    reply::set_content_type(&mut response, media_type);
    let disposition = format!("attachment; filename=\"{name}\"");
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// A response body. Another task sends its chunks.
pub(crate) struct ChunkedBody(pub mpsc::Receiver<std::io::Result<Bytes>>);

impl Stream for ChunkedBody {
    type Item = std::io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// Refuses parameters that only apply to closed asks.
pub(crate) fn refuse_history_parameters(request: &ApiRequest) -> Result<(), Problem> {
    for (key, instead) in [
        ("outcome", ""),
        ("surface", ""),
        ("recommended", ""),
        ("before", ""),
        ("limit", "; for open asks, use first"),
    ] {
        if request.query_value(key).is_some() {
            let message = format!(
                "{key}: applies only to closed asks: add state=closed, or leave it out{instead}"
            );
            return Err(Problem::new(ProblemKind::Malformed, message));
        }
    }
    Ok(())
}
