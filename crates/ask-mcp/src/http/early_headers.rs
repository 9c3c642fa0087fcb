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

const EVENTS: &str = "text/event-stream";

type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// The response if it comes in time; otherwise a stream that will contain it. Dropping either
/// cancels the call.
pub(super) async fn headers(
    answering: impl Future<Output = Response> + Send + 'static,
    request: Bytes,
    times: &Times,
) -> Response {
    let mut answering: Answering = Box::pin(answering);
    if let Ok(answer) = tokio::time::timeout(times.headers, &mut answering).await {
        return answer;
    }
    let mut comments = interval(times.comment);
    comments.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let splice = Splice {
        request,
        part: Part::Waits(answering, comments),
    };
    let mut response = Response::new(Body::from_stream(splice));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// A body of comments, followed by the response.
struct Splice {
    request: Bytes,
    part: Part,
}

enum Part {
    Waits(Answering, Interval),
    /// The response is an event stream itself.
    Flows(BodyDataStream),
    /// The response is one document, which becomes one event. False if it isn't JSON.
    Gathers(BodyDataStream, Vec<u8>, bool),
    Ended,
}

// No field is pinned by address.
impl Unpin for Splice {}

impl Stream for Splice {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match &mut self.part {
                Part::Waits(answering, comments) => {
                    if let Poll::Ready(answer) = answering.as_mut().poll(context) {
                        self.part = flow(answer);
                        continue;
                    }
                    ready!(comments.poll_tick(context));
                    return Poll::Ready(Some(Ok(Bytes::from_static(b": waiting\n\n"))));
                }
                Part::Flows(body) => return Pin::new(body).poll_next(context),
                Part::Gathers(body, all, is_json) => {
                    if let Some(Ok(more)) = ready!(Pin::new(body).poll_next(context)) {
                        all.extend_from_slice(&more);
                        continue;
                    }
                    let (all, is_json) = (std::mem::take(all), *is_json);
                    let document = match is_json {
                        true => all,
                        false => failure(&self.request, &String::from_utf8_lossy(&all)),
                    };
                    self.part = Part::Ended;
                    return Poll::Ready(Some(Ok(write_document_event(&document).into())));
                }
                Part::Ended => return Poll::Ready(None),
            }
        }
    }
}

fn flow(answer: Response) -> Part {
    let kind = answer.headers().get(header::CONTENT_TYPE);
    let is = |wanted: &str| kind.is_some_and(|kind| kind.as_bytes().starts_with(wanted.as_bytes()));
    let (flows, is_json) = (is(EVENTS), is("application/json"));
    let body = answer.into_body().into_data_stream();
    if flows {
        Part::Flows(body)
    } else {
        Part::Gathers(body, Vec::new(), is_json)
    }
}

/// The headers are sent, so a failure becomes the call's JSON-RPC error.
fn failure(request: &[u8], said: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(request);
    let id = match text_json(&text)
        .ok()
        .as_ref()
        .and_then(|call| call.get("id"))
    {
        Some(Json::String(id)) => Some(RequestId::String(id.as_str().into())),
        Some(id) => id.as_i64().map(RequestId::Number),
        None => None,
    };
    let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, said.trim().to_owned(), None);
    ipc::line(&ServerJsonRpcMessage::error(error, id)).unwrap_or_default()
}
