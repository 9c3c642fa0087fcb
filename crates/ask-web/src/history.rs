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
use ask_protocol::ipc::{Filter, Request, Response as Said};
use ask_protocol::native::{self, Stats, YesNo};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_core::Stream;
use tokio::sync::mpsc;

use super::Web;
use super::request::Call;

/// The default and the largest number of asks in a page.
const PAGE: (u64, u64) = (50, 200);

/// A page of closed asks, newest first.
pub(crate) async fn page(
    web: &Web,
    listed: Listed,
    narrowing: Narrowing,
) -> Result<Response, Problem> {
    if listed.first.is_some() {
        let said = "first: takes what waits; of what is over, limit takes so many";
        return Err(Problem::new(ProblemKind::Malformed, said));
    }
    let limit = listed.limit.map_or(PAGE.0, |limit| limit.0);
    let filter = Filter {
        before: listed.before.map(|before| before.0),
        limit: Some(limit.clamp(1, PAGE.1)),
        ..narrowing.into()
    };
    match web.say(Request::History { filter }).await? {
        Said::Records {
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
pub(crate) async fn stats(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let (api::Nothing {}, narrowing) = call.narrowed("")?;
    let filter = narrowing.into();
    match web.say(Request::Stats { filter }).await? {
        Said::Stats(stats) => Ok(reply::json(&Stats::from(&stats.shown()))),
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
pub(crate) async fn forget(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let (forgetting, narrowing): (Forgetting, _) = call.narrowed("Nothing was removed.")?;
    let filter = Filter::from(narrowing);
    if filter.is_wide() && forgetting.all != Some(YesNo(true)) {
        let said = "nothing says which asks are meant: narrow them down, or say all=true";
        return Err(Problem::new(ProblemKind::Malformed, said));
    }
    let count = forgetting.count == Some(YesNo(true));
    let sender = call.sender(&web).await;
    match web
        .say(Request::ForgetSome {
            filter,
            count,
            sender,
        })
        .await?
    {
        Said::Forgotten { count, undelivered } => Ok(reply::json(&Removed { count, undelivered })),
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
        headers(("Content-Disposition" = String, description = "What a browser saves it as")),
    ))
)]
pub(crate) async fn export(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let (exported, narrowing): (Exported, _) = call.narrowed("")?;
    let (format, kind, name) = match exported.format {
        None | Some(ExportFormat::Json) => (Format::Json, "application/json", "history.json"),
        Some(ExportFormat::Csv) => (Format::Csv, "text/csv; charset=utf-8", "history.csv"),
        Some(ExportFormat::Md) => (Format::Md, "text/markdown; charset=utf-8", "history.md"),
    };
    let words = Words::of_person(web.shared.config().language);
    let mut writing = Export::new(narrowing.into(), format, words);
    let client = web.shared.hub().await?.clone();
    let (pages, coming) = mpsc::channel(1);
    tokio::spawn(async move {
        while let Some(page) = writing.next(&client).await.transpose() {
            // An error ends the connection, so that an incomplete export isn't taken for a whole
            // one.
            let page = page.map(Bytes::from).map_err(std::io::Error::other);
            if pages.send(page).await.is_err() {
                return;
            }
        }
    });
    let mut response = Response::new(Body::from_stream(ExportStream(coming)));
    reply::set_content_type(&mut response, kind);
    let place = format!("attachment; filename=\"{name}\"");
    if let Ok(place) = HeaderValue::from_str(&place) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_DISPOSITION, place);
    }
    Ok(response)
}

/// A response body whose chunks another task sends.
pub(crate) struct ExportStream(pub mpsc::Receiver<std::io::Result<Bytes>>);

impl Stream for ExportStream {
    type Item = std::io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// Refuses parameters that only apply to closed asks.
pub(crate) fn refuse_of_over(call: &Call) -> Result<(), Problem> {
    for (key, instead) in [
        ("outcome", ""),
        ("surface", ""),
        ("recommended", ""),
        ("before", ""),
        ("limit", "; of what waits, first takes so many"),
    ] {
        if call.asked(key).is_some() {
            let said = format!(
                "{key}: is for what is over: say state=closed, too, or leave it out{instead}"
            );
            return Err(Problem::new(ProblemKind::Malformed, said));
        }
    }
    Ok(())
}
