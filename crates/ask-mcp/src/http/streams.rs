//! The streams of legacy sessions that rmcp writes and clients read.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use rmcp::model::RequestId;
use rmcp::transport::streamable_http_server::session::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::LocalSessionHandle;
use tokio::sync::mpsc::Receiver;

use super::event_id;
use super::replay_buffer::{Reader, ReplayBuffer};

/// A stream that belongs to no request.
pub(super) struct Standalone {
    pub said: Receiver<ServerSseMessage>,
    /// Marks the session as open; every such stream holds a clone.
    pub _open: Arc<()>,
}

/// A stream that resumes a broken one.
pub(super) enum Resumed {
    Request(Reader),
    Standalone(Standalone),
}

impl Stream for Standalone {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.said.poll_recv(context)
    }
}

impl Stream for Resumed {
    type Item = ServerSseMessage;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.get_mut() {
            Self::Request(stream) => Pin::new(stream).poll_next(context),
            Self::Standalone(stream) => Pin::new(stream).poll_next(context),
        }
    }
}

/// Copies rmcp's events into the buffer, also while no client reads, under ids of our own.
pub(super) async fn copy_events(
    mut said: Receiver<ServerSseMessage>,
    session: LocalSessionHandle,
    replay: Arc<ReplayBuffer>,
    (period, request): (u64, Option<RequestId>),
) {
    let mut last = None;
    loop {
        let before = last.clone();
        let mut more = false;
        while let Some(mut event) = said.recv().await {
            // rmcp repeats the event from which it resumes.
            if event.event_id.is_none() || event.event_id != before {
                more = true;
                last = event.event_id.clone().or(last);
                let id = event.event_id.take();
                event.event_id = id.map(|id| event_id::write(&id, period, request.as_ref()));
                replay.push(event);
            }
        }
        // A client reopens a stream that the server closed during a call; events until then must
        // not be lost.
        let after = last.as_ref().filter(|_| more && !replay.has_replied());
        let Some(Ok(after)) = after.map(|id| id.parse()) else {
            break;
        };
        let Ok(again) = session.resume(after).await else {
            break;
        };
        replay.pause();
        said = again.inner;
    }
    replay.end();
}
