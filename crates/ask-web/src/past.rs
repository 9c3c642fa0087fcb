//! Asks that are over, over HTTP: a page of them, the figures, all of them written out, or removed.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use ask_config::words::Words;
use ask_core::Time;
use ask_core::history::{End, UNTOLD};
use ask_hub::http::problem::{Kind, Problem};
use ask_hub::http::reply;
use ask_hub::surface::export::{Format, Writing};
use ask_protocol::api;
use ask_protocol::ipc::{Filter, Request, Response as Said, write_figures};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_core::Stream;
use tokio::sync::mpsc;

use super::Web;
use super::call::Call;

/// How many asks a page has, and at most.
const PAGE: (u64, u64) = (50, 200);

/// A page of what is over, newest first.
pub async fn page(web: &Web, call: &Call) -> Result<Response, Problem> {
    if call.asked("first").is_some() {
        let said = "first: takes what waits; of what is over, limit takes so many";
        return Err(Problem::new(Kind::Malformed, said));
    }
    let mut filter = filter(call)?;
    filter.before = number(call, "before")?;
    filter.limit = Some(number(call, "limit")?.unwrap_or(PAGE.0).clamp(1, PAGE.1));
    match web.say(Request::History { filter }).await? {
        Said::Records {
            records, cursor, ..
        } => {
            let records = records.iter().map(|record| &**record);
            Ok(reply::json(&api::write_page(records, cursor)))
        }
        other => Err(Problem::odd(&other)),
    }
}

/// The figures.
pub async fn stats(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let filter = filter(&call)?;
    match web.say(Request::Figures { filter }).await? {
        Said::Figures(figures) => Ok(reply::json(&write_figures(&figures.shown()))),
        other => Err(Problem::odd(&other)),
    }
}

/// Removes what is found, or counts it.
pub async fn forget(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let filter = filter(&call)?;
    if filter.is_wide() && flag(&call, "all")? != Some(true) {
        let said = "nothing says which asks are meant: narrow them down, or say all=true";
        return Err(Problem::new(Kind::Malformed, said));
    }
    let count = flag(&call, "count")? == Some(true);
    match web.say(Request::ForgetSome { filter, count }).await? {
        Said::Forgotten { count, untold } => Ok(reply::json(&api::write_forgotten(count, untold))),
        other => Err(Problem::odd(&other)),
    }
}

/// All of it, written out page by page while it is sent.
pub async fn export(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let (format, kind, name) = match call.asked("format") {
        None | Some("json") => (Format::Json, "application/json", "history.json"),
        Some("csv") => (Format::Csv, "text/csv; charset=utf-8", "history.csv"),
        Some("md") => (Format::Md, "text/markdown; charset=utf-8", "history.md"),
        Some(other) => {
            let said = format!("format: must be json, csv or md, not \"{other}\"");
            return Err(Problem::new(Kind::Malformed, said));
        }
    };
    let words = Words::of_person(web.shared.config().language);
    let mut writing = Writing::new(filter(&call)?, format, words);
    let client = web.shared.hub().await?.clone();
    let (pages, coming) = mpsc::channel(1);
    tokio::spawn(async move {
        while let Some(page) = writing.next(&client).await.transpose() {
            // A history that breaks off must not look whole: its connection breaks off, too.
            let page = page.map(Bytes::from).map_err(std::io::Error::other);
            if pages.send(page).await.is_err() {
                return;
            }
        }
    });
    let mut response = Response::new(Body::from_stream(Coming(coming)));
    reply::kind(&mut response, kind);
    let place = format!("attachment; filename=\"{name}\"");
    if let Ok(place) = HeaderValue::from_str(&place) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_DISPOSITION, place);
    }
    Ok(response)
}

/// Bytes as they come.
pub struct Coming(pub mpsc::Receiver<std::io::Result<Bytes>>);

impl Stream for Coming {
    type Item = std::io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// What narrows down asks that wait. What can be meant of those alone that are over is refused.
pub fn of_open(call: &Call) -> Result<Filter, Problem> {
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
            return Err(Problem::new(Kind::Malformed, said));
        }
    }
    filter(call)
}

fn filter(call: &Call) -> Result<Filter, Problem> {
    let text = |key: &str| match call.asked(key) {
        // No ask has one, and the index takes it for the end of what is looked for.
        Some(text) if text.contains('\0') => {
            let said = format!("{key}: must be a text without the character U+0000");
            Err(Problem::new(Kind::Malformed, said))
        }
        text => Ok(text.map(str::to_owned)),
    };
    let time = |key: &str| match call.asked(key).map(|text| (text, Time::parse(text))) {
        None => Ok(None),
        Some((_, Some(time))) => Ok(Some(time.0)),
        Some((text, None)) => Err(wrong(key, "a time in RFC 3339", text)),
    };
    let untold = call.asked("outcome") == Some(UNTOLD);
    let end = match call.asked("outcome").map(|word| (word, End::find(word))) {
        None => None,
        Some(_) if untold => None,
        Some((_, Some(end))) => Some(end),
        Some((word, None)) => {
            let words = End::ALL.map(|(_, word)| word).join(", ");
            return Err(wrong("outcome", &format!("{words} or {UNTOLD}"), word));
        }
    };
    Ok(Filter {
        search: text("q")?,
        agent: text("agent")?,
        project: text("project")?,
        branch: text("branch")?,
        end,
        untold,
        surface: text("surface")?,
        recommended: flag(call, "recommended")?,
        since_ms: time("since")?,
        until_ms: time("until")?,
        ..Filter::default()
    })
}

/// Yes or no, in the query.
pub fn flag(call: &Call, key: &str) -> Result<Option<bool>, Problem> {
    match call.asked(key) {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(other) => Err(wrong(key, "true or false", other)),
    }
}

/// A whole number of the query.
pub fn number(call: &Call, key: &str) -> Result<Option<u64>, Problem> {
    match call.asked(key).map(|text| (text, text.parse())) {
        None => Ok(None),
        Some((_, Ok(number))) => Ok(Some(number)),
        Some((text, Err(_))) => Err(wrong(key, "a whole number", text)),
    }
}

fn wrong(key: &str, takes: &str, text: &str) -> Problem {
    let said = format!("{key}: must be {takes}, not \"{text}\"");
    Problem::new(Kind::Malformed, said)
}
