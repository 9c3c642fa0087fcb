//! Files of answers over HTTP: uploads, and downloads in which nothing can run.

use ask_core::{Attachment, Digest, Media};
use ask_hub::http::problem::{Problem, ProblemKind};
use ask_hub::http::reply;
use ask_protocol::api::FileBytes;
use ask_protocol::ipc::{Request, Response as HubResponse};
use ask_protocol::native::File;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use std::sync::Arc;

use super::Web;
use super::openapi::{EmptyFile, FileNotFound, LimitReached};
use super::request::{ApiRequest, UploadRequest};

/// The content security policy of a file: nothing may run.
const POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// Upload a file, before the draft or answer that refers to it
#[utoipa::path(
    post,
    path = "/v1/files",
    operation_id = "putFile",
    params(("name" = Option<String>, Query, description = "The name of the file")),
    request_body(content = FileBytes, content_type = "application/octet-stream"),
    responses((status = 201, description = "Done", body = File<'static>), EmptyFile, LimitReached)
)]
pub(crate) async fn put(
    State(web): State<Arc<Web>>,
    UploadRequest(request): UploadRequest,
) -> Result<Response, Problem> {
    let name = request.query_value("name").unwrap_or("file").to_owned();
    let bytes = request.body.to_vec();
    let stored = web.send(Request::PutFile { bytes }).await?;
    let HubResponse::Filed { digest } = stored else {
        return Err(Problem::unexpected_response(&stored));
    };
    let file = Attachment::from_bytes(&name, &request.body, digest);
    let file = file.map_err(|error| Problem::new(ProblemKind::InvalidValue, error.to_string()))?;
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
        ), FileNotFound)
)]
pub(crate) async fn get(
    State(web): State<Arc<Web>>,
    request: ApiRequest,
) -> Result<Response, Problem> {
    let Some(digest) = Digest::parse(&request.path_parameter) else {
        return Err(Problem::new(
            ProblemKind::NotFound,
            "a file's name is its SHA-256: 64 hexadecimal digits",
        ));
    };
    let bytes = match web.send(Request::GetFile { digest }).await? {
        HubResponse::File { bytes } => bytes,
        other => return Err(Problem::unexpected_response(&other)),
    };
    // The media type is determined from the bytes alone, not from the name.
    let media = Media::sniff(&bytes);
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    let (media_type, disposition) = if media.is_image() {
        (media.word(), "inline")
    } else {
        ("application/octet-stream", "attachment")
    };
    for (name, value) in [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}
