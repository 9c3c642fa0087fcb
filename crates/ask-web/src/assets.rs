//! The page's files, which are built into the program. They contain nobody's data: the page requests
//! what it shows from the API.

use std::sync::{Arc, OnceLock};

use ask_config::i18n::{Language, Words};
use ask_core::secret::hex;
use ask_hub::http::reply;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::get;
use sha2::{Digest as _, Sha256};

use super::Web;

/// The content security policy of the page: its own scripts and styles, and requests to its own
/// origin.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types ask-user-worker";

/// The placeholder for the build's version in `index.html`.
const BUILD: &str = "{build}";

/// The tag in `index.html` that names the language.
const LANGUAGE: &str = "<html lang=\"en\">";

/// The text in `index.html` for browsers without scripts.
const WITHOUT_SCRIPTS: &str = "Without JavaScript, answer in a terminal: run `ask-user` there.";

/// A file of the page.
pub(crate) struct Asset {
    path: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
}

macro_rules! file {
    ($path:expr, $name:literal, $media_type:literal) => {
        Asset {
            path: $path,
            media_type: $media_type,
            bytes: include_bytes!(concat!("../web/dist/", $name)),
        }
    };
}

macro_rules! script {
    ($name:literal) => {
        file!(
            concat!("/assets/", $name),
            $name,
            "text/javascript; charset=utf-8"
        )
    };
}

macro_rules! translations {
    ($name:literal) => {
        file!(concat!("/assets/", $name), $name, "application/json")
    };
}

/// All files. The first one is also served for every route of the page.
const FILES: &[Asset] = &[
    file!("/", "index.html", "text/html; charset=utf-8"),
    script!("app.js"),
    script!("card.js"),
    script!("later.js"),
    script!("more.js"),
    script!("pair.js"),
    script!("pairing.js"),
    script!("paths.js"),
    script!("shared.js"),
    script!("shared-2.js"),
    script!("shared-3.js"),
    script!("shared-4.js"),
    file!("/assets/app.css", "app.css", "text/css; charset=utf-8"),
    file!("/assets/more.css", "more.css", "text/css; charset=utf-8"),
    file!("/assets/pair.css", "pair.css", "text/css; charset=utf-8"),
    file!("/assets/paths.css", "paths.css", "text/css; charset=utf-8"),
    translations!("words.de.json"),
    translations!("words.en.json"),
    translations!("words.es.json"),
    translations!("words.fr.json"),
    translations!("words.ja.json"),
    translations!("words.ko.json"),
    translations!("words.zh-Hans.json"),
    file!("/sw.js", "sw.js", "text/javascript; charset=utf-8"),
    file!(
        "/manifest.webmanifest",
        "manifest.webmanifest",
        "application/manifest+json"
    ),
    file!("/icon.svg", "icon.svg", "image/svg+xml"),
];

/// The routes that the page handles in the browser.
const PAGE_ROUTES: [&str; 6] = [
    "/a/{id}",
    "/history",
    "/history/{id}",
    "/pair",
    "/settings",
    "/stats",
];

/// The routes of all files.
pub(crate) fn router() -> Router<Arc<Web>> {
    let files = FILES.iter().map(|file| (file.path, file));
    let first = FILES.iter().take(1);
    let page_routes = first.flat_map(|first| PAGE_ROUTES.map(|route| (route, first)));
    files
        .chain(page_routes)
        .fold(Router::new(), |router, (path, file)| {
            router.route(
                path,
                get(async move |web, parts| handle(file, web, parts).await),
            )
        })
}

async fn handle(file: &'static Asset, State(web): State<Arc<Web>>, parts: Parts) -> Response {
    serve(file, &parts.headers, web.shared.config().language)
}

impl Asset {
    /// The file's text; empty if it isn't text.
    pub(crate) fn text(&self) -> &'static str {
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }
}

/// The file at this path.
pub(crate) fn find(path: &str) -> Option<&'static Asset> {
    FILES.iter().find(|file| file.path == path)
}

/// A hash over all files.
pub(crate) fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let mut hasher = Sha256::new();
        for file in FILES {
            hasher.update(Sha256::digest(file.bytes));
        }
        hex(&hasher.finalize()[..8])
    })
}

/// The bytes to send. The first file also gets the version, so that a cached page notices a hub with
/// another one, and texts in the person's language.
fn bytes(file: &'static Asset, language: Language) -> &'static [u8] {
    static FIRST: [OnceLock<String>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    let index = Language::ALL.iter().position(|one| *one == language);
    let Some(first) = index
        .map(|index| &FIRST[index])
        .filter(|_| file.path == "/")
    else {
        return file.bytes;
    };
    let html = first.get_or_init(|| {
        let tag = format!("<html lang=\"{}\">", language.code());
        let notice = Words::for_language(language).say("page-without-scripts");
        let text = file.text().replace(BUILD, version());
        text.replace(LANGUAGE, &tag)
            .replace(WITHOUT_SCRIPTS, &notice)
    });
    html.as_bytes()
}

/// The language of the first file: the one from the settings, otherwise the first supported one in
/// `Accept-Language` (RFC 9110, section 12.5.4).
fn language(request_headers: &HeaderMap, configured: Option<Language>) -> Language {
    let accepted = request_headers.get(header::ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    let tags = accepted.unwrap_or_default().split(',');
    let tags = tags.filter_map(|tag| tag.split(';').next());
    let first = configured.or_else(|| tags.map(str::trim).find_map(Language::of_locale));
    first.unwrap_or(Language::English)
}

/// A `Link` header (RFC 8288) that preloads the translations with the first file.
fn preload_link(language: Language) -> Option<HeaderValue> {
    let code = language.code();
    let link = format!("</assets/words.{code}.json>; rel=preload; as=fetch; crossorigin");
    HeaderValue::from_str(&link).ok()
}

/// Sends a file, or 304 if the browser has it (`If-None-Match`, RFC 9110, section 13.1.2). `configured`
/// is the language from the settings.
fn serve(
    file: &'static Asset,
    request_headers: &HeaderMap,
    configured: Option<Language>,
) -> Response {
    let language = language(request_headers, configured);
    let bytes = bytes(file, language);
    let tag = format!("\"{}\"", hex(&Sha256::digest(bytes)[..8]));
    let known = request_headers.get(header::IF_NONE_MATCH);
    let is_known = known.is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = Response::new(Body::empty());
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        *response.body_mut() = Body::from(Bytes::from_static(bytes));
        reply::set_content_type(&mut response, file.media_type);
    }
    let headers = response.headers_mut();
    let policy = HeaderValue::from_static(POLICY);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    let revalidate = HeaderValue::from_static("no-cache");
    headers.insert(header::CACHE_CONTROL, revalidate);
    if let Some(link) = preload_link(language).filter(|_| file.path == "/") {
        headers.insert(header::LINK, link);
        let vary = HeaderValue::from_static("accept-language");
        headers.insert(header::VARY, vary);
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_contains_the_version() {
        let first = find("/").expect("the page has a first file");
        let html =
            |language| std::str::from_utf8(bytes(first, language)).expect("the first file is text");
        let text = html(Language::English);
        assert!(text.contains(&format!("content=\"{}\"", version())));
        assert!(!text.contains(BUILD));
        assert!(text.contains(LANGUAGE) && text.contains(WITHOUT_SCRIPTS));
    }

    #[test]
    fn browsers_without_scripts_get_a_notice_in_their_language() {
        let first = find("/").expect("the page has a first file");
        for language in Language::ALL {
            let text = std::str::from_utf8(bytes(first, language)).expect("the first file is text");
            let code = language.code();
            assert!(text.contains(&format!("<html lang=\"{code}\">")), "{code}");
            let notice = Words::for_language(language).say("page-without-scripts");
            let shown = format!("<p>{notice}</p></main></noscript>");
            assert!(text.contains(&shown), "{code}: {text}");
            assert!(!notice.contains(['<', '&']), "{code}");
        }
    }

    #[test]
    fn the_first_file_preloads_the_texts() {
        let link = |path, wanted: &'static str, configured| {
            let mut request_headers = HeaderMap::new();
            request_headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(wanted));
            let response = serve(
                find(path).expect("the file exists"),
                &request_headers,
                configured,
            );
            let link = response.headers().get(header::LINK);
            link.and_then(|link| link.to_str().ok().map(str::to_owned))
        };
        for (wanted, configured, code) in [
            ("pt-BR,fr;q=0.9,en;q=0.8", None, "fr"),
            ("zh-TW, zh-CN", None, "zh-Hans"),
            ("", None, "en"),
            ("fr", Some(Language::German), "de"),
        ] {
            let words = format!("</assets/words.{code}.json>; rel=preload; as=fetch; crossorigin");
            assert_eq!(link("/", wanted, configured), Some(words), "{wanted}");
        }
        assert_eq!(link("/sw.js", "fr", None), None);
    }

    #[test]
    fn the_page_first_requests_as_many_asks_as_the_stream_sends_first() {
        let first = format!("/v1/asks?first={}", crate::events::FIRST_ASKS);
        let page = FILES.iter().find(|file| file.path == "/assets/app.js");
        let page = String::from_utf8_lossy(page.expect("the file exists").bytes);
        assert!(
            page.contains(&format!("\"{first}\"")),
            "app.js fetches {first}"
        );
    }

    #[test]
    fn every_built_file_is_served() {
        let dist = concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist");
        let built = std::fs::read_dir(dist).expect("the page is built");
        let mut built: Vec<String> = built
            .filter_map(|file| file.ok()?.file_name().into_string().ok())
            .collect();
        built.sort();
        let name = |file: &Asset| match file.path.rsplit('/').next() {
            None | Some("") => "index.html".to_owned(),
            Some(name) => name.to_owned(),
        };
        let mut served: Vec<String> = FILES.iter().map(name).collect();
        // The card is served by `app_card.rs` instead.
        served.push("mcp-app.html".to_owned());
        served.sort();
        assert_eq!(served, built, "FILES has a line for each file of web/dist");
    }
}
