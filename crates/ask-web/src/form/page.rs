//! Whole pages without scripts.

use ask_config::clock;
use ask_config::words::Words;
use ask_core::{Record, SafeText};
use ask_hub::http::keys::hex;
use ask_hub::http::reply;
use ask_hub::surface::export::ends;
use ask_hub::surface::labels::{self, who};
use ask_hub::surface::listing::{self, Group};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::card::{Form, hidden};
use super::filled::Fields;
use super::html::Html;
use super::reader::Reader;
use crate::page;

/// What such a page may do: look as we say, and send its form to us.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// One ask, as a form, or how it ended.
pub fn ask(form: &Form<'_>) -> Response {
    if !form.record.is_answerable() {
        return match form.typed().is_empty() {
            true => closed(form.reader, form.record),
            false => too_late(form, form.record),
        };
    }
    let mut html = Html::default();
    form.write(&mut html);
    whole(form.reader, form.record.ask.name().as_str(), html)
}

/// What waits.
pub fn list(reader: Reader, mut records: Vec<Record>) -> Response {
    let words = reader.words;
    let mut html = Html::default();
    let title = words.say("form-waiting");
    html.element("<h1>", &title, "</h1>");
    records.retain(Record::is_answerable);
    listing::sort(&mut records);
    if records
        .first()
        .is_none_or(|one| Group::of(one) != Group::Waiting)
    {
        html.element("<p>", &words.say("inbox-none"), "</p>");
    }
    for these in records.chunk_by(|one, next| Group::of(one) == Group::of(next)) {
        let count = [("count", these.len().into())];
        let head = these.first().and_then(|one| match Group::of(one) {
            Group::Waiting => None,
            Group::Snoozed => Some(words.with("line-put-aside", &count)),
            Group::Late => Some(words.with("line-late", &count)),
            Group::Kept => Some(words.with("line-kept", &count)),
        });
        if let Some(head) = head {
            html.element("<h2>", &head, "</h2>");
        }
        html.raw("<ul>");
        for record in these {
            let headline = record.ask.name();
            html.raw("<li><a")
                .with("href", &format!("/a/{}?form=1", record.id));
            html.element(">", headline.as_str(), "</a> ");
            let asker = who(words, &record.asker);
            html.element("<span class=\"faint\">", &asker, "</span></li>");
        }
        html.raw("</ul>");
    }
    whole(reader, &title, html)
}

/// What became of what was just sent.
pub fn done(reader: Reader, record: &Record) -> Response {
    let words = reader.words;
    let mut html = Html::default();
    let headline = record.ask.name();
    html.element("<h1>", headline.as_str(), "</h1>");
    let done = labels::done(words, record);
    html.element("<p class=\"says\" role=\"status\">", &done, "</p>");
    back(&mut html, words);
    whole(reader, record.ask.name().as_str(), html)
}

/// Somebody was first: how the ask ended, and what was to be sent, to be taken along.
pub fn too_late(form: &Form<'_>, record: &Record) -> Response {
    let words = form.reader.words;
    let mut html = ended(words, record, true);
    let typed = form.typed();
    if !typed.is_empty() {
        html.element("<h2>", &words.say("form-yours"), "</h2>");
        html.element("<p>", &words.say("shared-not-sent"), "</p>");
    }
    for text in typed {
        html.element("<pre class=\"wide\">", &text, "</pre>");
    }
    back(&mut html, words);
    let page = whole(form.reader, record.ask.name().as_str(), html);
    with_status(StatusCode::CONFLICT, page)
}

/// How an ask ended, whoever ended it.
pub fn closed(reader: Reader, record: &Record) -> Response {
    let words = reader.words;
    let mut html = ended(words, record, false);
    back(&mut html, words);
    whole(reader, record.ask.name().as_str(), html)
}

fn ended(words: Words, record: &Record, tried: bool) -> Html {
    let mut html = Html::default();
    let headline = record.ask.name();
    html.element("<h1>", headline.as_str(), "</h1>");
    if tried {
        let says = words.say("card-somebody-first");
        html.element("<p class=\"says\" role=\"alert\">", &says, "</p>");
    }
    // Who answered late finds the answer named here, not the end of the time alone.
    if let (Some(ended), Some(late)) = (record.settlement(), ends::late(words, record)) {
        html.element("<p>", &ends::by(words, ended), "</p>");
        html.element("<p>", &late, "</p>");
    } else {
        html.element("<p>", &ends::how(words, record), "</p>");
    }
    html
}

/// The way back to what waits.
pub fn back(html: &mut Html, words: Words) {
    let back = words.say("form-back");
    html.element("<p><a href=\"/?form=1\">", &back, "</a></p>");
}

/// Asks for the link, or for its key; what was filled in elsewhere goes along.
pub fn sign_in(reader: Reader, filled: Option<&Fields>, wrong: bool) -> Response {
    let words = reader.words;
    let mut html = Html::default();
    html.raw("<h1>ask-user</h1>");
    html.element("<p>", &words.say("form-sign-in"), "</p>");
    if !wrong && filled.is_some_and(Fields::is_filled_in) {
        let says = words.say("form-kept-meanwhile");
        html.element("<p class=\"says\" role=\"alert\">", &says, "</p>");
    }
    if wrong {
        let says = words.say("form-wrong-key");
        html.element("<p class=\"says\" role=\"alert\">", &says, "</p>");
    }
    html.raw("<form method=\"post\">");
    for (name, value) in filled.into_iter().flat_map(Fields::kept) {
        hidden(&mut html, name, value);
    }
    html.raw("<label class=\"field\"><span>");
    html.text(&words.say("form-link")).raw("</span>");
    html.raw("<input name=\"link\" required autocomplete=\"off\" spellcheck=\"false\"></label>");
    let button = words.say("form-sign-in-button");
    html.element(
        "<p class=\"buttons\"><button>",
        &button,
        "</button></p></form>",
    );
    with_status(StatusCode::UNAUTHORIZED, whole(reader, "ask-user", html))
}

/// Says to a device how it is let in.
pub fn not_let_in(reader: Reader) -> Response {
    let mut html = Html::default();
    html.raw("<h1>ask-user</h1>");
    html.element("<p>", &reader.words.say("form-pair"), "</p>");
    html.raw("<p><a href=\"/pair\">/pair</a></p>");
    with_status(StatusCode::UNAUTHORIZED, whole(reader, "ask-user", html))
}

/// Goes on to another place, with a cookie.
pub fn go_to(place: &str, cookie: Option<HeaderValue>) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(place) = HeaderValue::from_str(place) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    with_cookie(response, cookie)
}

/// A page that signs its browser in.
pub fn with_cookie(mut page: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        page.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    page
}

/// A page with another status.
pub fn with_status(status: StatusCode, mut page: Response) -> Response {
    *page.status_mut() = status;
    page
}

/// A page with this on it.
pub fn whole(reader: Reader, title: &str, body: Html) -> Response {
    let mut looks = Html::default();
    looks.raw("<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\"><link rel=\"stylesheet\" href=\"/assets/form.css\">");
    with_looks(reader, title, body, looks, HeaderValue::from_static(POLICY))
}

/// The same for where nothing else of ours is given out: it brings its looks along.
pub fn alone(reader: Reader, title: &str, body: Html) -> Response {
    let nonce = hex(&clock::random());
    let style = page::find("/assets/form.css").map_or("", page::File::text);
    let mut looks = Html::default();
    looks.raw("<style").with("nonce", &nonce);
    looks.raw(">").raw(style).raw("</style>");
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(POLICY));
    with_looks(reader, title, body, looks, policy)
}

fn with_looks(
    reader: Reader,
    title: &str,
    body: Html,
    looks: Html,
    policy: HeaderValue,
) -> Response {
    let words = reader.words;
    let mut html = Html::default();
    html.raw("<!doctype html><html")
        .with("lang", words.language().code());
    html.raw("><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><title>");
    html.text(SafeText::line(title).as_str());
    html.raw("</title>");
    let mut main = Html::default();
    main.raw("</head><body><main>");
    if reader.is_overheard {
        main.element("<p class=\"says\">", &words.say("form-overheard"), "</p>");
    }
    let parts = [html, looks, main, body].map(Html::finish);
    let page = format!("{}</main></body></html>\n", parts.concat());
    let mut response = reply::text(page);
    reply::kind(&mut response, "text/html; charset=utf-8");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    // Of a page that tells nobody where one comes from, browsers say no origin with its form either.
    let ourselves = HeaderValue::from_static("same-origin");
    headers.insert(header::REFERRER_POLICY, ourselves);
    response
}
