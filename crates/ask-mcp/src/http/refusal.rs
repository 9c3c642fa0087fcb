//! Turns rmcp's refusals with a bare text into problem documents (RFC 9457). Refusals within MCP
//! are JSON-RPC errors, and stay as they are.

use ask_hub::http::{ProblemKind, rejection};
use axum::body::to_bytes;
use axum::http::{StatusCode, header};
use axum::response::Response;

/// More bytes than any of rmcp's texts has.
const MAX_TEXT_BYTES: usize = 4096;

/// The response, or the problem document that takes the place of a bare text.
pub(super) async fn with_problem_document(response: Response) -> Response {
    let status = response.status();
    let is_failure = status.is_client_error() || status.is_server_error();
    let (mut parts, body) = response.into_parts();
    let kind_of_body = parts.headers.get(header::CONTENT_TYPE);
    let is_text = kind_of_body.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !is_failure || !is_text {
        return Response::from_parts(parts, body);
    }
    let text = to_bytes(body, MAX_TEXT_BYTES).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let problem = rejection(kind(status), status, detail(status, &text));
    let (problem_parts, document) = problem.into_parts();
    parts.headers.extend(problem_parts.headers);
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.extensions.extend(problem_parts.extensions);
    Response::from_parts(parts, document)
}

fn kind(status: StatusCode) -> ProblemKind {
    match status {
        StatusCode::NOT_FOUND => ProblemKind::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => ProblemKind::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => ProblemKind::TooLarge,
        status if status.is_server_error() => ProblemKind::HubUnavailable,
        _ => ProblemKind::Malformed,
    }
}

/// The detail in rmcp's text, which begins with the title of the status.
fn detail(status: StatusCode, text: &str) -> &str {
    let title = status.canonical_reason().unwrap_or_default();
    let rest = text
        .strip_prefix(title)
        .and_then(|rest| rest.strip_prefix(": "));
    match rest.unwrap_or(text) {
        "" => title,
        // rmcp has no other 404.
        "Session not found" => "there is no such session: start another with initialize",
        detail => detail,
    }
}
