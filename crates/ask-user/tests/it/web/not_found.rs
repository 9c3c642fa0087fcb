//! Unknown addresses: a page for people, a problem document for programs.

use crate::support::sandbox::Sandbox;
use crate::support::web::Web;

/// A browser that navigates to an address.
fn navigating(web: &Web) -> Web {
    web.with_header("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
        .with_header("sec-fetch-dest", "document")
}

#[test]
fn not_found_is_a_page_for_browsers_and_a_problem_for_programs() {
    let sandbox = Sandbox::new();
    let stranger = navigating(&Web::anonymous(&sandbox));
    for path in ["/nope", "/a/", "/a/x/y", "/history/x/y"] {
        let mut shown = stranger.send("GET", path, "");
        assert_eq!(shown.status, 404, "{path}");
        let kind = shown.header("content-type").map(str::to_owned);
        assert_eq!(kind.as_deref(), Some("text/html; charset=utf-8"), "{path}");
        let page = shown.text();
        assert!(page.contains("There is nothing here"), "{page}");
        assert!(page.contains("<a href=\"/\">To the inbox</a>"), "{page}");
        // A program receives a problem document, and without a token not even whether the path
        // exists.
        let mut told = Web::anonymous(&sandbox).send("GET", path, "");
        assert_eq!(told.status, 401, "{path}");
        assert_eq!(
            told.header("content-type"),
            Some("application/problem+json")
        );
        assert!(told.text().contains("urn:ask-user:problem:no-credential"));
    }
    // A path of the page accepts no POST.
    let mut sent = stranger.send("POST", "/a/ask_1", "");
    assert_eq!(sent.status, 405);
    assert!(sent.text().contains("There is nothing here"));
    // The API replies the same to everybody.
    let told = stranger.send("GET", "/v1/nope", "");
    assert_eq!(
        told.header("content-type"),
        Some("application/problem+json")
    );
    // The error page for a foreign host name links to this machine's own.
    let mut shown = stranger
        .with_header("host", "box.example:80")
        .send("GET", "/", "");
    assert_eq!(shown.status, 421);
    let page = shown.text();
    assert!(
        page.contains("This is not the page&#39;s address"),
        "{page}"
    );
    assert!(page.contains("<a href=\"http://127.0.0.1:"), "{page}");
    // It has the page's style inline, because no other file is served under that name.
    let policy = shown.header("content-security-policy").expect("a policy");
    let nonce = policy
        .split("'nonce-")
        .nth(1)
        .and_then(|rest| rest.split('\'').next());
    let style = format!("<style nonce=\"{}\">", nonce.expect("a nonce"));
    assert!(
        page.contains(&style) && page.contains("color-scheme"),
        "{page}"
    );
    assert!(!page.contains("/assets/"), "{page}");
}

#[test]
fn without_javascript_the_page_refers_to_the_terminal() {
    let sandbox = Sandbox::new();
    let german = Web::anonymous(&sandbox).with_header("accept-language", "de-AT,en;q=0.5");
    let mut shown = german.send("GET", "/", "");
    assert_eq!(shown.header("vary"), Some("accept-language"));
    let page = shown.text();
    let says = "<p>Antworte ohne JavaScript in einem Terminal: Führe dort `ask-user` aus.</p>";
    assert!(
        page.contains(says) && page.contains("<html lang=\"de\">"),
        "{page}"
    );
    let page = Web::anonymous(&sandbox)
        .send("GET", "/a/a_nobody", "")
        .text();
    assert!(
        page.contains("Without JavaScript, answer in a terminal"),
        "{page}"
    );
}
