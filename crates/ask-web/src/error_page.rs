//! The HTML page that a person's browser gets in place of a problem document, in the person's
//! language. Programs get the document of `ask_hub::http::problem`.

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

/// The beginnings of the paths for programs, which always get the document.
const API: [&str; 6] = [
    "/v1/",
    "/openapi.json",
    "/metrics",
    "/healthz",
    "/mcp",
    "/bridge",
];

/// Whether a browser will show the response to this request as a page.
pub(crate) fn wants_page(parts: &Parts) -> bool {
    let value = |name: HeaderName| parts.headers.get(name)?.to_str().ok();
    let is_navigation = [Method::GET, Method::HEAD, Method::POST].contains(&parts.method);
    let destination = value(HeaderName::from_static("sec-fetch-dest"));
    let accepts_html = value(header::ACCEPT).is_some_and(|types| types.contains("text/html"));
    let path = parts.uri.path();
    let is_api = API.iter().any(|prefix| path.starts_with(prefix));
    is_navigation
        && accepts_html
        && !is_api
        && destination.is_none_or(|destination| destination == "document")
}

/// The page for a problem; `None` for problems that only the API has.
pub(crate) fn page(web: &Web, entry: &Entry, problem: &Problem) -> Option<Response> {
    let words = Words::of_person(web.shared.config().language);
    let own_url = format!("http://127.0.0.1:{}", web.pairing_service.port());
    let (title, text) = match problem.kind() {
        ProblemKind::NoRoute | ProblemKind::MethodNotAllowed => {
            ("page-nothing-here", words.say("page-nothing-here-says"))
        }
        ProblemKind::ForeignHost => (
            "page-other-host",
            words.format(
                "page-other-host-says",
                &[("address", own_url.clone().into())],
            ),
        ),
        ProblemKind::ForeignOrigin => ("page-other-site", words.say("page-other-site-says")),
        ProblemKind::DevicesOff => ("page-shut-out", words.say("page-shut-out-says")),
        // Other problems occur only on paths of the API.
        _ => return None,
    };
    let inbox = words.say("page-to-inbox");
    let link = match (problem.kind(), entry) {
        (ProblemKind::ForeignHost, Entry::Loopback) => Some((own_url.as_str(), own_url.as_str())),
        // The address for this device is unknown.
        (ProblemKind::ForeignHost, Entry::Lan(_)) => None,
        _ => Some(("/", inbox.as_str())),
    };
    let mut response = render(words, &words.say(title), &text, link);
    *response.status_mut() = problem.status();
    Some(response)
}

/// Renders the page. The style is inline, because a foreign host gets no other file.
fn render(words: Words, title: &str, text: &str, link: Option<(&str, &str)>) -> Response {
    let nonce = hex(&clock::random());
    let (language, style) = (words.language().code(), include_str!("error_page.css"));
    let (title, text) = (escape(title), escape(text));
    let link = link.map(|(url, name)| format!("<p><a href=\"{url}\">{}</a></p>", escape(name)));
    let link = link.unwrap_or_default();
    let mut response = reply::text(format!(
        "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\
         <style nonce=\"{nonce}\">{style}</style></head>\
         <body><main><h1>{title}</h1><p>{text}</p>{link}</main></body></html>\n"
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
