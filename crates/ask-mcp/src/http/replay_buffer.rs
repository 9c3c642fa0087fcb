//! The events of one request in a legacy session, stored so that a client can read them again from
//! any event on.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_core::Stream;
use rmcp::model::ServerJsonRpcMessage;
use rmcp::transport::streamable_http_server::session::ServerSseMessage;
use tokio::time::Instant;

use super::delivery::{DeliveryStatus, ReplyPath, mark_response};

/// How many events are stored. The response is always the last, and old progress has no value.
const KEPT: usize = 32;

/// The events of one request.
pub(super) struct ReplayBuffer {
    state: Mutex<BufferState>,
    reply_path: ReplyPath,
    /// After which time without a reader the client counts as away.
    away: Duration,
}

struct BufferState {
    events: VecDeque<ServerSseMessage>,
    /// How many events were dropped before the first stored one.
    gone: usize,
    /// Whether the server closed the stream; more events may follow on the next one.
    paused: bool,
    replied: bool,
    ended: bool,
    /// The number of readers so far. Only the newest is served.
    reader: u64,
    is_read: bool,
    waker: Option<Waker>,
    spoken_at: Instant,
}

/// A client's stream of the buffer.
pub(super) struct Reader {
    replay: Arc<ReplayBuffer>,
    number: u64,
    next: usize,
}

impl ReplayBuffer {
    pub(super) fn new(reply_path: ReplyPath, away: Duration) -> Arc<Self> {
        let state = BufferState {
            events: VecDeque::new(),
            gone: 0,
            paused: false,
            replied: false,
            ended: false,
            reader: 0,
            is_read: false,
            waker: None,
            spoken_at: Instant::now(),
        };
        let state = Mutex::new(state);
        Arc::new(Self {
            state,
            reply_path,
            away,
        })
    }

    /// Adds an event.
    pub(super) fn push(&self, event: ServerSseMessage) {
        let mut state = self.state();
        state.replied |= is_response(&event);
        if state.events.len() == KEPT {
            state.events.pop_front();
            state.gone += 1;
        }
        state.events.push_back(event);
        state.spoken_at = Instant::now();
        state.wake();
    }

    /// Closes the stream, but not the call.
    pub(super) fn pause(&self) {
        let mut state = self.state();
        state.paused = true;
        state.wake();
    }

    /// Ends the buffer: no event follows.
    pub(super) fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        state.wake();
    }

    /// The delivery of the response.
    pub(super) fn reply_path(&self) -> ReplyPath {
        self.reply_path.clone()
    }

    /// Whether to ping the client: it reads, and has received nothing for this long.
    pub(super) fn is_silent_for(&self, long: Duration) -> bool {
        let state = self.state();
        state.is_read && !state.replied && !state.ended && state.spoken_at.elapsed() >= long
    }

    /// Whether a client reads the buffer.
    pub(super) fn is_read(&self) -> bool {
        self.state().is_read
    }

    /// Whether no event will follow.
    pub(super) fn is_over(&self) -> bool {
        let state = self.state();
        state.replied || state.ended
    }

    /// Whether the response is in the buffer, received or not.
    pub(super) fn has_replied(&self) -> bool {
        self.state().replied
    }

    /// Whether the buffer can be dropped: `a_while` after its client has everything, or `long`
    /// after the last event.
    pub(super) fn is_done(&self, a_while: Duration, long: Duration) -> bool {
        let state = self.state();
        let taken = !state.replied || *self.reply_path.look().borrow() == DeliveryStatus::Taken;
        let kept = if taken { a_while } else { long };
        state.ended && !state.is_read && state.spoken_at.elapsed() >= kept
    }

    /// Gives up the delivery, because the session has ended: the client is away and can't return.
    pub(super) fn give_up(&self) {
        self.reply_path.set_status(DeliveryStatus::Away);
        self.end();
    }

    /// A stream from the event after `after`, or from the first stored event. Ends an earlier
    /// stream, because the client has opened a new one.
    pub(super) fn read(self: &Arc<Self>, after: Option<&str>) -> Reader {
        let mut state = self.state();
        let known = |id: &str| {
            let mut ids = state.events.iter().map(|event| event.event_id.as_deref());
            ids.position(|event| event == Some(id))
        };
        let next = state.gone + after.and_then(known).map_or(0, |at| at + 1);
        state.reader += 1;
        state.is_read = true;
        state.paused = false;
        state.wake();
        let number = state.reader;
        drop(state);
        self.reply_path.set_status(DeliveryStatus::Here);
        let replay = Arc::clone(self);
        Reader {
            replay,
            number,
            next,
        }
    }

    /// A stream of nothing but this response.
    pub(super) fn only(self: &Arc<Self>, response: ServerJsonRpcMessage) -> Reader {
        self.push(ServerSseMessage::from_message(response));
        self.end();
        self.read(None)
    }

    fn state(&self) -> MutexGuard<'_, BufferState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reader is gone. Its client counts as waiting for a while, because it may return.
    fn leave(self: &Arc<Self>, number: u64) {
        let mut state = self.state();
        if state.reader != number {
            return;
        }
        state.is_read = false;
        state.waker = None;
        let over = state.ended;
        drop(state);
        self.reply_path.set_status(DeliveryStatus::Lost);
        let runtime = tokio::runtime::Handle::try_current();
        let Some(runtime) = runtime.ok().filter(|_| !over) else {
            return;
        };
        let replay = Arc::clone(self);
        runtime.spawn(async move {
            tokio::time::sleep_until(Instant::now() + replay.away).await;
            let state = replay.state();
            if state.reader == number {
                drop(state);
                replay.reply_path.set_status(DeliveryStatus::Away);
            }
        });
    }
}

impl BufferState {
    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// Whether an event is the response to its request, rather than progress or a ping.
fn is_response(event: &ServerSseMessage) -> bool {
    matches!(
        event.message.as_deref(),
        Some(ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_))
    )
}

impl Stream for Reader {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let replay = Arc::clone(&self.replay);
        let mut state = replay.state();
        if state.reader != self.number {
            return Poll::Ready(None);
        }
        let at = self.next.saturating_sub(state.gone);
        if let Some(event) = state.events.get(at) {
            self.next = state.gone + at + 1;
            if is_response(event) {
                mark_response();
            }
            return Poll::Ready(Some(event.clone()));
        }
        if state.ended || state.paused {
            if state.replied && state.ended {
                replay.reply_path.is_said();
            }
            return Poll::Ready(None);
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.replay.leave(self.number);
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
    async fn whoever_is_gone_for_long_is_away_until_it_reads_again() {
        let reply_path = ReplyPath::default();
        let mut look = reply_path.look();
        let replay = ReplayBuffer::new(reply_path, Duration::ZERO);
        replay.push(event("0/1"));
        let mut first = replay.read(None);
        assert_eq!(next(&mut first).await.as_deref(), Some("0/1"));
        assert!(replay.is_silent_for(Duration::ZERO), "it is to be pinged");
        drop(first);
        assert!(
            !replay.is_silent_for(Duration::ZERO),
            "nobody would hear it"
        );
        assert_eq!(*look.borrow(), DeliveryStatus::Lost);
        look.wait_for(|standing| *standing == DeliveryStatus::Away)
            .await
            .unwrap();

        let mut second = replay.read(Some("0/1"));
        assert_eq!(*look.borrow(), DeliveryStatus::Here);
        replay.push(event("1/1"));
        replay.push(reply("2/1"));
        replay.end();
        assert_eq!(next(&mut second).await.as_deref(), Some("1/1"));
        assert_eq!(next(&mut second).await.as_deref(), Some("2/1"));
        assert_eq!(*look.borrow(), DeliveryStatus::Here, "it may still break");
        assert_eq!(next(&mut second).await, None);
        replay.reply_path().set_status(DeliveryStatus::Taken);
        drop(second);
        assert_eq!(*look.borrow(), DeliveryStatus::Taken, "for good");
        assert!(replay.is_done(Duration::ZERO, Duration::MAX));
    }

    #[tokio::test]
    async fn a_reply_that_was_not_taken_is_kept_and_can_be_read_again() {
        let reply_path = ReplyPath::default();
        let look = reply_path.look();
        let replay = ReplayBuffer::new(reply_path, Duration::ZERO);
        for index in 0..=KEPT {
            replay.push(event(&format!("{index}/1")));
        }
        replay.push(reply("last/1"));
        replay.end();
        let mut late = replay.read(Some("0/1"));
        assert_eq!(
            next(&mut late).await.as_deref(),
            Some("2/1"),
            "progress grows old"
        );
        let mut again = replay.read(Some(&format!("{KEPT}/1")));
        assert_eq!(next(&mut late).await, None, "only the newest reads");
        assert_eq!(next(&mut again).await.as_deref(), Some("last/1"));
        drop(again);
        assert_eq!(*look.borrow(), DeliveryStatus::Lost);
        assert!(
            !replay.is_done(Duration::ZERO, Duration::MAX),
            "it may be wanted"
        );
    }
}
