//! Stores the events of one request in a legacy session, so that a client can read them again after
//! any of them.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_core::Stream;
use rmcp::model::ServerJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::ServerSseMessage;
use tokio::time::Instant;

use super::delivery::{DeliveryStatus, ResponseDelivery, mark_response};
use super::stored_event::StoredEvent;

/// How many events are stored. The response is always the last one, and nobody needs old progress.
const MAX_EVENTS: usize = 32;

/// The events of one request.
pub(super) struct ReplayBuffer {
    state: Mutex<BufferState>,
    delivery: ResponseDelivery,
    /// How long the client may have no stream before it counts as away.
    away: Duration,
}

struct BufferState {
    events: VecDeque<StoredEvent>,
    /// How many events were dropped before the first stored one.
    dropped: usize,
    /// Whether the server closed the stream; more events may follow on the next one.
    is_paused: bool,
    has_response: bool,
    has_ended: bool,
    /// The number of readers so far. Only the newest is served.
    newest_reader: u64,
    has_reader: bool,
    waker: Option<Waker>,
    last_event_at: Instant,
}

/// A client's stream of the buffer.
pub(super) struct Reader {
    buffer: Arc<ReplayBuffer>,
    number: u64,
    next: usize,
}

impl ReplayBuffer {
    pub(super) fn new(delivery: ResponseDelivery, away: Duration) -> Arc<Self> {
        let state = BufferState {
            events: VecDeque::new(),
            dropped: 0,
            is_paused: false,
            has_response: false,
            has_ended: false,
            newest_reader: 0,
            has_reader: false,
            waker: None,
            last_event_at: Instant::now(),
        };
        let state = Mutex::new(state);
        Arc::new(Self {
            state,
            delivery,
            away,
        })
    }

    pub(super) fn push(&self, event: ServerSseMessage) {
        let mut state = self.state();
        let event = StoredEvent::Event(event);
        state.has_response |= event.is_response();
        if state.events.len() == MAX_EVENTS {
            state.events.pop_front();
            state.dropped += 1;
        }
        state.events.push_back(event);
        state.last_event_at = Instant::now();
        state.wake();
    }

    /// Closes the stream, but not the call.
    pub(super) fn pause(&self) {
        let mut state = self.state();
        state.is_paused = true;
        state.wake();
    }

    /// Ends the buffer: no event follows.
    pub(super) fn end(&self) {
        let mut state = self.state();
        state.has_ended = true;
        state.compact_if_unused();
        state.wake();
    }

    /// The delivery of the response.
    pub(super) fn delivery(&self) -> ResponseDelivery {
        self.delivery.clone()
    }

    /// Whether the client reads the buffer and has received no event for this long, so that it is
    /// pinged.
    pub(super) fn is_silent_for(&self, long: Duration) -> bool {
        let state = self.state();
        state.has_reader
            && !state.has_response
            && !state.has_ended
            && state.last_event_at.elapsed() >= long
    }

    /// Whether a client reads the buffer.
    pub(super) fn has_reader(&self) -> bool {
        self.state().has_reader
    }

    /// Whether no event will follow.
    pub(super) fn is_finished(&self) -> bool {
        let state = self.state();
        state.has_response || state.has_ended
    }

    /// Whether the response is in the buffer, received or not.
    pub(super) fn has_response(&self) -> bool {
        self.state().has_response
    }

    /// Whether the buffer may be dropped: the time `short` after its client has received
    /// everything, or the time `long` after the last event.
    pub(super) fn may_be_dropped(&self, short: Duration, long: Duration) -> bool {
        let state = self.state();
        let is_received =
            !state.has_response || *self.delivery.watch().borrow() == DeliveryStatus::Received;
        let kept_for = if is_received { short } else { long };
        state.has_ended && !state.has_reader && state.last_event_at.elapsed() >= kept_for
    }

    /// Abandons the delivery, because the session has ended and its client can't return.
    pub(super) fn abandon(&self) {
        self.delivery.set_status(DeliveryStatus::Away);
        self.end();
    }

    /// A stream from the event after `after`, or from the first stored event. Ends an earlier
    /// stream, because the client has opened a new one.
    pub(super) fn read(self: &Arc<Self>, after: Option<&str>) -> Reader {
        let mut state = self.state();
        let known = |id: &str| {
            let mut ids = state.events.iter().map(StoredEvent::id);
            ids.position(|event| event == Some(id))
        };
        let next = state.dropped + after.and_then(known).map_or(0, |index| index + 1);
        state.newest_reader += 1;
        state.has_reader = true;
        state.is_paused = false;
        state.wake();
        let number = state.newest_reader;
        drop(state);
        self.delivery.set_status(DeliveryStatus::Connected);
        let buffer = Arc::clone(self);
        Reader {
            buffer,
            number,
            next,
        }
    }

    /// A stream of nothing but this response.
    pub(super) fn only_response(self: &Arc<Self>, response: ServerJsonRpcMessage) -> Reader {
        let reader = self.read(None);
        self.push(ServerSseMessage::from_message(response));
        self.end();
        reader
    }

    fn state(&self) -> MutexGuard<'_, BufferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the end of a reader. Its client counts as waiting for a while, because it may
    /// return.
    fn reader_left(self: &Arc<Self>, number: u64) {
        let mut state = self.state();
        if state.newest_reader != number {
            return;
        }
        state.has_reader = false;
        state.waker = None;
        let has_ended = state.has_ended;
        state.compact_if_unused();
        drop(state);
        self.delivery.set_status(DeliveryStatus::Lost);
        let runtime = tokio::runtime::Handle::try_current();
        let Some(runtime) = runtime.ok().filter(|_| !has_ended) else {
            return;
        };
        let buffer = Arc::clone(self);
        runtime.spawn(async move {
            tokio::time::sleep_until(Instant::now() + buffer.away).await;
            let state = buffer.state();
            if state.newest_reader == number {
                drop(state);
                buffer.delivery.set_status(DeliveryStatus::Away);
            }
        });
    }
}

impl BufferState {
    /// Saves memory if no event follows and no client reads.
    fn compact_if_unused(&mut self) {
        if self.has_ended && !self.has_reader {
            self.events.iter_mut().for_each(StoredEvent::compact);
        }
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Stream for Reader {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let buffer = Arc::clone(&self.buffer);
        let mut state = buffer.state();
        if state.newest_reader != self.number {
            return Poll::Ready(None);
        }
        let index = self.next.saturating_sub(state.dropped);
        if let Some(event) = state.events.get(index) {
            self.next = state.dropped + index + 1;
            if event.is_response() {
                mark_response();
            }
            return Poll::Ready(Some(event.to_event()));
        }
        if state.has_ended || state.is_paused {
            if state.has_response && state.has_ended {
                buffer.delivery.mark_sent();
            }
            return Poll::Ready(None);
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.buffer.reader_left(self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use rmcp::model::{EmptyResult, RequestId, ServerResult};

    use super::*;

    fn event(id: &str) -> ServerSseMessage {
        ServerSseMessage::priming(id, Duration::ZERO)
    }

    fn reply(id: &str) -> ServerSseMessage {
        let result = ServerResult::EmptyResult(EmptyResult {});
        ServerSseMessage::new(
            id,
            ServerJsonRpcMessage::response(result, RequestId::Number(1)),
        )
    }

    async fn next(reader: &mut Reader) -> Option<String> {
        let event = poll_fn(|context| Pin::new(&mut *reader).poll_next(context)).await;
        event.map(|event| event.event_id.unwrap_or_default())
    }

    #[tokio::test]
    async fn a_client_without_a_stream_for_long_is_away_until_it_reads_again() {
        let delivery = ResponseDelivery::default();
        let mut status = delivery.watch();
        let buffer = ReplayBuffer::new(delivery, Duration::ZERO);
        buffer.push(event("0/1"));
        let mut first = buffer.read(None);
        assert_eq!(next(&mut first).await.as_deref(), Some("0/1"));
        assert!(buffer.is_silent_for(Duration::ZERO), "it is pinged");
        drop(first);
        assert!(!buffer.is_silent_for(Duration::ZERO), "no client reads it");
        assert_eq!(*status.borrow(), DeliveryStatus::Lost);
        status
            .wait_for(|delivery_status| *delivery_status == DeliveryStatus::Away)
            .await
            .unwrap();

        let mut second = buffer.read(Some("0/1"));
        assert_eq!(*status.borrow(), DeliveryStatus::Connected);
        buffer.push(event("1/1"));
        buffer.push(reply("2/1"));
        buffer.end();
        assert_eq!(next(&mut second).await.as_deref(), Some("1/1"));
        assert_eq!(next(&mut second).await.as_deref(), Some("2/1"));
        assert_eq!(
            *status.borrow(),
            DeliveryStatus::Connected,
            "it may still break"
        );
        assert_eq!(next(&mut second).await, None);
        buffer.delivery().set_status(DeliveryStatus::Received);
        drop(second);
        assert_eq!(*status.borrow(), DeliveryStatus::Received, "for good");
        assert!(buffer.may_be_dropped(Duration::ZERO, Duration::MAX));
    }

    #[tokio::test]
    async fn the_client_of_an_ended_session_stays_away_when_its_stream_is_closed() {
        let delivery = ResponseDelivery::default();
        let status = delivery.watch();
        let buffer = ReplayBuffer::new(delivery, Duration::MAX);
        let mut reader = buffer.read(None);
        buffer.abandon();
        assert_eq!(next(&mut reader).await, None);
        drop(reader);
        assert_eq!(*status.borrow(), DeliveryStatus::Away);
    }

    #[tokio::test]
    async fn a_response_that_was_not_received_can_be_read_again() {
        let delivery = ResponseDelivery::default();
        let status = delivery.watch();
        let buffer = ReplayBuffer::new(delivery, Duration::ZERO);
        for index in 0..=MAX_EVENTS {
            buffer.push(event(&format!("{index}/1")));
        }
        buffer.push(reply("last/1"));
        buffer.end();
        let mut late = buffer.read(Some("0/1"));
        assert_eq!(
            next(&mut late).await.as_deref(),
            Some("2/1"),
            "old progress is dropped"
        );
        let mut again = buffer.read(Some(&format!("{MAX_EVENTS}/1")));
        assert_eq!(next(&mut late).await, None, "only the newest reads");
        assert_eq!(next(&mut again).await.as_deref(), Some("last/1"));
        drop(again);
        assert_eq!(*status.borrow(), DeliveryStatus::Lost);
        assert!(
            !buffer.may_be_dropped(Duration::ZERO, Duration::MAX),
            "its client may return"
        );
    }
}
