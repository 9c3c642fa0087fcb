//! The HTML page that a person's browser gets in place of a problem document, in their language,
//! for an unknown path or a refused host. Programs get the document, see `ask_hub::http::problem`.

use ask_config::clock;
use ask_config::i18n::Words;
use ask_core::secret::hex;
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::response::Response;

use crate::Web;
use crate::origin::Entry;

/// The paths of programs. Requests there always get the document.
const API: [&str; 6] = [
    "/v1/",
    "/openapi.json",
    "/metrics",
    "/healthz",
    "/mcp",
    "/bridge",
];

/// Whether a person sees the response to this request.
pub(crate) fn is_looked_at(parts: &Parts) -> bool {
    let text = |name: HeaderName| parts.headers.get(name)?.to_str().ok();
    let is_read = [Method::GET, Method::HEAD, Method::POST].contains(&parts.method);
    let goes = text(HeaderName::from_static("sec-fetch-dest"));
    let wants = text(header::ACCEPT).is_some_and(|wanted| wanted.contains("text/html"));
    let path = parts.uri.path();
    let is_api = API.iter().any(|place| path.starts_with(place));
    is_read && wants && !is_api && goes.is_none_or(|goes| goes == "document")
}

/// The page for a problem; `None` for problems that only the API has.
pub(crate) fn page(web: &Web, entry: &Entry, problem: &Problem) -> Option<Response> {
    let words = Words::of_person(web.shared.config().language);
    let here = format!("http://127.0.0.1:{}", web.pairing_service.own_port());
    let (title, says) = match problem.kind() {
        ProblemKind::NoRoute | ProblemKind::MethodNotAllowed => {
            ("page-nothing-here", words.say("page-nothing-here-says"))
        }
        ProblemKind::ForeignHost => (
            "page-other-host",
            words.format("page-other-host-says", &[("address", here.clone().into())]),
        ),
        ProblemKind::ForeignOrigin => ("page-other-site", words.say("page-other-site-says")),
        ProblemKind::DevicesOff => ("page-shut-out", words.say("page-shut-out-says")),
        // Only paths of the API have other problems.
        _ => return None,
    };
    let inbox = words.say("page-to-inbox");
    let way_on = match (problem.kind(), entry) {
        (ProblemKind::ForeignHost, Entry::Loopback) => Some((here.as_str(), here.as_str())),
        // The right address for this device is unknown.
        (ProblemKind::ForeignHost, Entry::Lan(_)) => None,
        _ => Some(("/", inbox.as_str())),
    };
    let mut response = write(words, &words.say(title), &says, way_on);
    *response.status_mut() = problem.status();
    Some(response)
}

/// The style is inline, because a foreign host gets no other file.
fn write(words: Words, title: &str, says: &str, way_on: Option<(&str, &str)>) -> Response {
    let nonce = hex(&clock::random());
    let (language, style) = (words.language().code(), include_str!("error_page.css"));
    let (title, says) = (escape(title), escape(says));
    let way_on = way_on.map(|(to, name)| format!("<p><a href=\"{to}\">{}</a></p>", escape(name)));
    let way_on = way_on.unwrap_or_default();
    let mut response = reply::text(format!(
        "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <style nonce=\"{nonce}\">{style}</style></head>\
         <body><main><h1>{title}</h1><p>{says}</p>{way_on}</main></body></html>\n"
    ));
    reply::set_content_type(&mut response, "text/html; charset=utf-8");
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Escapes a text for HTML.
fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}
