//! Files of answers over HTTP: uploaded, and served so that nothing in them can run.

use ask_core::{Attachment, Digest, Media};
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_protocol::api::FileBytes;
use ask_protocol::ipc::{Request, Response as Said};
use ask_protocol::native::File;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use std::sync::Arc;

use super::Web;
use super::openapi::{Empty, Full, NoFile};
use super::request::{Call, FileCall};

/// The content security policy of a file: nothing may run.
const NOTHING: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// Upload a file, before the draft or answer that refers to it
#[utoipa::path(
    post,
    path = "/v1/files",
    operation_id = "putFile",
    params(("name" = Option<String>, Query, description = "What it is called")),
    request_body(content = FileBytes, content_type = "application/octet-stream"),
    responses((status = 201, description = "Done", body = File<'static>), Empty, Full)
)]
pub(crate) async fn put(
    State(web): State<Arc<Web>>,
    FileCall(call): FileCall,
) -> Result<Response, Problem> {
    let name = call.asked("name").unwrap_or("file").to_owned();
    let bytes = call.body.to_vec();
    let kept = web.say(Request::PutFile { bytes }).await?;
    let Said::Filed { digest } = kept else {
        return Err(Problem::unexpected_response(&kept));
    };
    let file = Attachment::from_bytes(&name, &call.body, digest);
    let file = file.map_err(|unfit| Problem::new(ProblemKind::InvalidValue, unfit.to_string()))?;
    Ok(reply::json_with_status(
        StatusCode::CREATED,
        &File::from(&file),
    ))
}

/// Get a file
#[utoipa::path(
    get,
    path = "/v1/files/{digest}",
    operation_id = "getFile",
    params(("digest" = String, Path, description = "The SHA-256 of the file", pattern = "^[0-9a-f]{64}$")),
    responses((
            status = 200,
            description = "Done",
            content((FileBytes = "application/octet-stream"), (FileBytes = "image/*")),
            headers(("Content-Disposition" = String, description = "Whether a browser shows it or saves it")),
        ), NoFile)
)]
pub(crate) async fn get(State(web): State<Arc<Web>>, call: Call) -> Result<Response, Problem> {
    let Some(digest) = Digest::parse(&call.part) else {
        return Err(Problem::new(
            ProblemKind::NotFound,
            "a file is named by 64 hexadecimal digits",
        ));
    };
    let bytes = match web.say(Request::GetFile { digest }).await? {
        Said::File { bytes } => bytes,
        other => return Err(Problem::unexpected_response(&other)),
    };
    // The media type is determined from the bytes alone, not from the name.
    let media = Media::sniff(&bytes);
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    let (kind, place) = match media.is_image() {
        true => (media.word(), "inline"),
        false => ("application/octet-stream", "attachment"),
    };
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, place),
        (header::CONTENT_SECURITY_POLICY, NOTHING),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}
