//! Sends headers before the response: a long call gets an event stream with comments at once
//! (Server-Sent Events), and its response at the end of it.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use ask_core::Json;
use ask_hub::http::Times;
use ask_protocol::api::write_document_event;
use ask_protocol::{ipc, text_json};
use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_core::Stream;
use rmcp::model::{ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use tokio::time::{Interval, MissedTickBehavior, interval};

const EVENT_STREAM: &str = "text/event-stream";

type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Returns the response if it is ready in time, otherwise a stream that will contain it. Dropping
/// either cancels the call.
pub(super) async fn with_early_headers(
    response_future: impl Future<Output = Response> + Send + 'static,
    request: Bytes,
    times: &Times,
) -> Response {
    let mut response_future: ResponseFuture = Box::pin(response_future);
    if let Ok(response) = tokio::time::timeout(times.headers, &mut response_future).await {
        return response;
    }
    let mut comments = interval(times.comment);
    comments.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let body = CommentedBody {
        request,
        part: BodyPart::Waiting(response_future, comments),
    };
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// A body of comments, followed by the response.
struct CommentedBody {
    request: Bytes,
    part: BodyPart,
}

enum BodyPart {
    Waiting(ResponseFuture, Interval),
    /// The response is an event stream itself.
    Streaming(BodyDataStream),
    /// The response is one document, which becomes one event. False if it isn't JSON.
    Collecting(BodyDataStream, Vec<u8>, bool),
    Ended,
}

impl Stream for CommentedBody {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match &mut self.part {
                BodyPart::Waiting(response_future, comments) => {
                    if let Poll::Ready(response) = response_future.as_mut().poll(context) {
                        self.part = body_part(response);
                        continue;
                    }
                    ready!(comments.poll_tick(context));
                    return Poll::Ready(Some(Ok(Bytes::from_static(b": waiting\n\n"))));
                }
                BodyPart::Streaming(body) => return Pin::new(body).poll_next(context),
                BodyPart::Collecting(body, collected, is_json) => {
                    if let Some(Ok(chunk)) = ready!(Pin::new(body).poll_next(context)) {
                        collected.extend_from_slice(&chunk);
                        continue;
                    }
                    let (collected, is_json) = (std::mem::take(collected), *is_json);
                    let document = if is_json {
                        collected
                    } else {
                        error_document(&self.request, &String::from_utf8_lossy(&collected))
                    };
                    self.part = BodyPart::Ended;
                    return Poll::Ready(Some(Ok(write_document_event(&document).into())));
                }
                BodyPart::Ended => return Poll::Ready(None),
            }
        }
    }
}

fn body_part(response: Response) -> BodyPart {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let has_type = |content_type: &str| {
        kind.is_some_and(|kind| kind.as_bytes().starts_with(content_type.as_bytes()))
    };
    let (is_event_stream, is_json) = (has_type(EVENT_STREAM), has_type("application/json"));
    let body = response.into_body().into_data_stream();
    if is_event_stream {
        BodyPart::Streaming(body)
    } else {
        BodyPart::Collecting(body, Vec::new(), is_json)
    }
}

/// The call's JSON-RPC error for a failure, because the headers with the status are sent already.
fn error_document(request: &[u8], message: &str) -> Vec<u8> {
    let request = String::from_utf8_lossy(request);
    let id = match text_json(&request)
        .ok()
        .as_ref()
        .and_then(|call| call.get("id"))
    {
        Some(Json::String(id)) => Some(RequestId::String(id.as_str().into())),
        Some(id) => id.as_i64().map(RequestId::Number),
        None => None,
    };
    let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, message.trim().to_owned(), None);
    ipc::line(&ServerJsonRpcMessage::error(error, id)).unwrap_or_default()
}
