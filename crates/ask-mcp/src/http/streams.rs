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
    pub events: Receiver<ServerSseMessage>,
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
        self.events.poll_recv(context)
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
    mut events: Receiver<ServerSseMessage>,
    session: LocalSessionHandle,
    buffer: Arc<ReplayBuffer>,
    (period, request): (u64, Option<RequestId>),
) {
    let mut last_event_id = None;
    loop {
        let resumed_after = last_event_id.clone();
        let mut has_new_events = false;
        while let Some(mut event) = events.recv().await {
            // rmcp repeats the event from which it resumes.
            if event.event_id.is_none() || event.event_id != resumed_after {
                has_new_events = true;
                last_event_id = event.event_id.clone().or(last_event_id);
                let id = event.event_id.take();
                event.event_id = id.map(|id| event_id::write(&id, period, request.as_ref()));
                buffer.push(event);
            }
        }
        // A client reopens a stream that the server closed during a call; events until then must
        // not be lost.
        let after = last_event_id
            .as_ref()
            .filter(|_| has_new_events && !buffer.has_response());
        let Some(Ok(after)) = after.map(|id| id.parse()) else {
            break;
        };
        let Ok(resumed) = session.resume(after).await else {
            break;
        };
        buffer.pause();
        events = resumed.inner;
    }
    buffer.end();
}
