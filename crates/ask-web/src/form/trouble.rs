//! What a person's browser is shown in place of a problem document: what is not there, or didn't
//! happen, in their language, and the way on. Programs get the document; `problem.rs` has it.

use ask_hub::http::problem::{Kind, Problem};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method, header};
use axum::response::Response;

use super::html::Html;
use super::page;
use super::reader::Reader;
use crate::Web;
use crate::way::Entry;

/// Where programs ask. What they are told is the same for everybody who calls there.
const API: [&str; 6] = [
    "/v1/",
    "/openapi.json",
    "/metrics",
    "/healthz",
    "/mcp",
    "/bridge",
];

/// Whether somebody looks at what this request gets.
pub fn is_looked_at(parts: &Parts) -> bool {
    let text = |name: HeaderName| parts.headers.get(name)?.to_str().ok();
    let is_read = [Method::GET, Method::HEAD, Method::POST].contains(&parts.method);
    let goes = text(HeaderName::from_static("sec-fetch-dest"));
    let wants = text(header::ACCEPT).is_some_and(|wanted| wanted.contains("text/html"));
    let path = parts.uri.path();
    let is_api = API.iter().any(|place| path.starts_with(place));
    is_read && wants && !is_api && goes.is_none_or(|goes| goes == "document")
}

/// The page that says it.
pub fn page(web: &Web, entry: &Entry, parts: &Parts, problem: &Problem) -> Response {
    let reader = Reader::at(web, entry);
    let words = reader.words;
    let here = format!("http://127.0.0.1:{}", web.office.own_port());
    let (title, says) = match problem.kind() {
        Kind::NoRoute | Kind::Method => (
            words.say("form-nothing-here"),
            words.say("form-nothing-here-says"),
        ),
        Kind::NotFound | Kind::Ambiguous => (words.say("form-gone"), words.say("form-gone-says")),
        Kind::ForeignHost => (
            words.say("form-other-host"),
            words.with("form-other-host-says", &[("address", here.clone().into())]),
        ),
        Kind::ForeignOrigin | Kind::NoCsrfHeader => (
            words.say("form-other-site"),
            words.say("form-other-site-says"),
        ),
        Kind::DevicesOff => (words.say("form-shut-out"), words.say("form-shut-out-says")),
        Kind::WrongScope | Kind::NoCredential | Kind::WrongKey => (
            words.say("form-only-sees"),
            words.say("form-only-sees-says"),
        ),
        Kind::TooLarge | Kind::TooMany => {
            (words.say("form-too-much"), words.say("form-too-much-says"))
        }
        Kind::Closed
        | Kind::DraftChanged
        | Kind::NotWaiting
        | Kind::NoWayIn
        | Kind::Untold
        | Kind::KeyReused
        | Kind::Unfit
        | Kind::Malformed => (
            words.say("form-not-taken"),
            words.say("form-not-taken-says"),
        ),
        Kind::Unanswered | Kind::Store | Kind::NoHub => {
            (words.say("form-no-hub"), words.say("form-no-hub-says"))
        }
    };
    let mut html = Html::default();
    html.element("<h1>", &title, "</h1>");
    html.element("<p>", &says, "</p>");
    match (problem.kind(), entry) {
        // Where it was called there is nobody; the way on is another address.
        (Kind::ForeignHost, Entry::Loopback) => {
            html.raw("<p><a").with("href", &here);
            html.element(">", &here, "</a></p>");
        }
        (Kind::ForeignHost, Entry::Lan(_)) => {}
        (
            Kind::NoRoute
            | Kind::Method
            | Kind::NotFound
            | Kind::Ambiguous
            | Kind::ForeignOrigin
            | Kind::NoCsrfHeader
            | Kind::DevicesOff
            | Kind::WrongScope
            | Kind::NoCredential
            | Kind::WrongKey
            | Kind::TooLarge
            | Kind::TooMany
            | Kind::Closed
            | Kind::DraftChanged
            | Kind::NotWaiting
            | Kind::NoWayIn
            | Kind::Untold
            | Kind::KeyReused
            | Kind::Unfit
            | Kind::Malformed
            | Kind::Unanswered
            | Kind::Store
            | Kind::NoHub,
            Entry::Loopback | Entry::Lan(_),
        ) => match super::place(parts) {
            Some(_) => page::back(&mut html, words),
            None => {
                html.element("<p><a href=\"/\">", &words.say("form-to-page"), "</a></p>");
            }
        },
    }
    // Who calls by a foreign name is given nothing else.
    let mut response = match matches!(problem.kind(), Kind::ForeignHost) {
        true => page::alone(reader, &title, html),
        false => page::whole(reader, &title, html),
    };
    *response.status_mut() = problem.status();
    response
}
