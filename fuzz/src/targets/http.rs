//! The text parts of HTTP API requests: bodies, queries, and the headers that authenticate them.

use ask_core::secret::same;
use ask_core::{Gaps, Problem};
use ask_protocol::api::{
    self, Answering, Clarifying, Decision, Declining, Exported, Extending, Forgetting, Invited,
    KeptDraft, Key, Listed, Narrowing, PairingOn, Presence, Proof, Snoozing, Switch,
    read_answering, read_body, read_call, read_query,
};
use ask_protocol::ipc::{base64, unbase64};
use ask_protocol::native::Malformed;
use ask_protocol::text_json;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::{assert_is_clear, two_questions};

/// Fragments of requests.
pub const PIECES: &[&str] = &[
    "\"draft\":{\"answers\":[",
    "\"answers\":[",
    "\"leaveGaps\":true",
    "\"note\":",
    "\"until\":\"asked-again\"",
    "\"scope\":\"see\"",
    "\"forMs\":",
    "state=closed&",
    "outcome=late&",
    "since=2026-01-01T00:00:00Z&",
    "%20",
    "Bearer ",
    "; ask_user_session_0=",
    "127.0.0.1:4127",
    "[::1]",
    "http://",
    ".",
    "=",
];

/// The hub's hosts.
const HOSTS: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];
/// The host and path of the request whose proof is checked.
const REQUEST: (&str, &str) = ("127.0.0.1:4127", "/v1/asks");

/// Reads the input as each part of a request.
pub fn run(bytes: &[u8]) {
    check_bodies(bytes);
    let text = String::from_utf8_lossy(bytes);
    check_queries(&text);
    check_headers(&text);
    check_proof(&text);
}

fn check_bodies(bytes: &[u8]) {
    check_body::<Key>(bytes);
    check_body::<KeptDraft>(bytes);
    check_body::<Answering>(bytes);
    check_body::<Declining>(bytes);
    check_body::<Clarifying>(bytes);
    check_body::<Snoozing>(bytes);
    check_body::<Extending>(bytes);
    check_body::<Presence>(bytes);
    check_body::<Switch>(bytes);
    check_body::<Invited>(bytes);
    check_body::<PairingOn>(bytes);
    check_body::<Decision>(bytes);
    let ask = two_questions();
    match read_call(bytes) {
        Ok(value) => match read_answering(&ask, &value) {
            // An empty draft must not become an answer, unless gaps are allowed.
            Ok((draft, gaps)) => {
                let finished = draft.clone().finish(&ask, gaps);
                assert!(gaps == Gaps::Send || finished.is_err() || !draft.answers.is_empty());
            }
            Err(problem) => assert_problem_is_clear(&problem),
        },
        Err(Malformed(problem)) => assert_is_clear(&problem),
    }
}

fn check_body<T: DeserializeOwned + ToSchema>(bytes: &[u8]) {
    if let Err(Malformed(problem)) = read_body::<T>(bytes) {
        assert_is_clear(&problem);
    }
}

fn assert_problem_is_clear(problem: &Problem) {
    assert_is_clear(&problem.to_string());
}

fn check_queries(text: &str) {
    let words = text.split('&').map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_owned(), value.to_owned())
    });
    let words: Vec<(String, String)> = words.collect();
    check_query::<Narrowing>(&words);
    check_query::<Listed>(&words);
    check_query::<Forgetting>(&words);
    check_query::<Exported>(&words);
}

fn check_query<T: DeserializeOwned>(words: &[(String, String)]) {
    let words = words.iter().map(|(name, value)| (name, value));
    if let Err(Malformed(problem)) = read_query::<T>(words) {
        assert_is_clear(&problem);
    }
}

/// Compares each header parser with a second way to tell which texts are valid.
fn check_headers(text: &str) {
    let hosts = HOSTS.map(str::to_owned);
    let lower = text.to_ascii_lowercase();
    let is_ours = HOSTS.iter().any(|host| {
        let port = lower.strip_prefix(host).map(|rest| match rest {
            "" => Some(""),
            rest => rest.strip_prefix(':'),
        });
        port.flatten()
            .is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
    });
    assert_eq!(api::is_one_of(&hosts, text), is_ours, "{text:?}");
    if let Some(host) = api::origin_host(text, &["https"]) {
        assert_eq!(format!("https://{host}"), text);
    }
    if let Some(token) = api::bearer(text) {
        assert!(lower.starts_with("bearer ") && text.trim_end().ends_with(token));
        assert_eq!(same(token, "0123456789abcdef"), token == "0123456789abcdef");
    }
    let name = "ask_user_session_0";
    for value in api::cookies(text, name) {
        assert!(!value.contains(';') && text.contains(&format!("{name}={value}")));
    }
    assert!(same(text, text) && !same(text, &format!("{text}.")));
    assert_eq!(same(text, REQUEST.0), text == REQUEST.0);
}

/// A proof has only one valid text, and is valid for one request only.
fn check_proof(text: &str) {
    let Some(proof) = Proof::parse(text) else {
        return;
    };
    let signature = url_safe(&proof.signature);
    assert_eq!(text, format!("{}.{signature}", proof.signed));
    assert_eq!((proof.key.len(), proof.key[0]), (65, 4));
    let claims = proof.signed.split('.').nth(1).expect("the second part");
    let claims = unbase64(&padded(claims)).expect("Proof::parse read it");
    let claims = text_json(&String::from_utf8_lossy(&claims)).expect("Proof::parse read it");
    let (host, path) = REQUEST;
    let urls = ["http", "https"].map(|scheme| format!("{scheme}://{host}{path}"));
    let is_for_this =
        claims["htm"] == "POST" && urls.iter().any(|url| claims["htu"] == url.as_str());
    assert_eq!(
        proof.is_for("POST", &["http", "https"], host, path),
        is_for_this
    );
    assert!(!proof.is_for("POST", &["https"], host, "/v1/other"));
}

fn url_safe(bytes: &[u8]) -> String {
    let text = base64(bytes).replace('+', "-").replace('/', "_");
    text.trim_end_matches('=').to_owned()
}

fn padded(text: &str) -> String {
    let text = text.replace('-', "+").replace('_', "/");
    let rest = (4 - text.len() % 4) % 4;
    text + &"=".repeat(rest)
}
