//! The delivery of a response: whether its client is connected, and whether it received the
//! response.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use ask_hub::http::Client;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::request::Parts;
use axum::response::Response;
use futures_core::Stream;
use rmcp::model::Extensions;
use tokio::sync::watch;
use tokio::task_local;

/// The status of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// The client is connected.
    Here,
    /// The client lost its stream and may return with another soon.
    Lost,
    /// The client no longer counts as waiting. It has been gone for long and may still return, or its
    /// session has ended and it can't.
    Away,
    /// The client received the response.
    Taken,
}

/// The delivery of one response. Receivers of [`Self::look`] see the channel close when the client
/// can't return.
#[derive(Clone)]
pub struct ReplyPath(Arc<PathState>);

struct PathState {
    standing: watch::Sender<DeliveryStatus>,
    /// Whether the response is stored for a returning client, so that a stream may end without it.
    kept: AtomicBool,
    /// Whether a stream of a stored response has sent all of it.
    said: AtomicBool,
    /// Whether the handler is done, so that its response is the next and last message.
    is_answered: AtomicBool,
}

impl Default for ReplyPath {
    fn default() -> Self {
        Self(Arc::new(PathState {
            standing: watch::Sender::new(DeliveryStatus::Here),
            kept: AtomicBool::new(false),
            said: AtomicBool::new(false),
            is_answered: AtomicBool::new(false),
        }))
    }
}

task_local! {
    /// The delivery of an earlier request that this request resumes.
    static AGAIN: Arc<OnceLock<ReplyPath>>;

    /// Whether the chunk that a body returns from the current poll is the response. rmcp turns an
    /// event into a chunk within one poll, so the stream of events can say which message it is.
    static IS_RESPONSE: Cell<bool>;
}

/// Marks the chunk of the current poll as the response.
pub(super) fn mark_response() {
    // A stream that is read outside of [`Watched`] has no delivery to report.
    let _ = IS_RESPONSE.try_with(|is_response| is_response.set(true));
}

/// Marks the current request as one that resumes the delivery of an earlier one.
pub(super) fn resume_delivery(reply_path: ReplyPath) {
    // Outside of [`on_its_way`] there is nothing to mark.
    let _ = AGAIN.try_with(|again| again.set(reply_path));
}

/// Answers a request. Also returns the delivery that it resumed, if it did.
pub(super) async fn on_its_way<T>(answering: impl Future<Output = T>) -> (T, Option<ReplyPath>) {
    let again = Arc::new(OnceLock::new());
    let answer = AGAIN.scope(Arc::clone(&again), answering).await;
    (answer, again.get().cloned())
}

impl ReplyPath {
    /// The delivery of a request, from the parts that rmcp passes on.
    pub fn from_extensions(extensions: &Extensions) -> Option<Self> {
        extensions.get::<Parts>()?.extensions.get().cloned()
    }

    /// The status, without keeping the delivery open.
    pub fn look(&self) -> watch::Receiver<DeliveryStatus> {
        self.0.standing.subscribe()
    }

    pub(super) fn keep(&self) {
        self.0.kept.store(true, Ordering::Relaxed);
    }

    /// Called by a handler that is about to return its result to rmcp.
    pub(crate) fn set_answered(&self) {
        self.0.is_answered.store(true, Ordering::Relaxed);
    }

    /// Whether a chunk of a stream that isn't stored may be the last one, which is the response.
    fn may_end(&self) -> bool {
        !self.0.kept.load(Ordering::Relaxed) && self.0.is_answered.load(Ordering::Relaxed)
    }

    pub(super) fn is_said(&self) {
        self.0.said.store(true, Ordering::Relaxed);
    }

    /// Whether the end of a body is the end of the response, rather than a pause of its stream.
    fn ends(&self) -> bool {
        !self.0.kept.load(Ordering::Relaxed) || self.0.said.load(Ordering::Relaxed)
    }

    pub(super) fn set_status(&self, standing: DeliveryStatus) {
        self.0.standing.send_if_modified(|now| {
            let changes = *now != standing && *now != DeliveryStatus::Taken;
            if changes {
                *now = standing;
            }
            changes
        });
    }
}

/// A body that determines whether the response in it was received: when its connection has written
/// it and the client had not closed the connection. Without access to the connection: when the body
/// is polled after its end.
// Clients may disconnect as soon as they have the response, before its stream ends, so the chunk of
// the response has to be known when it is written. A stored stream marks it. On other streams rmcp
// has no hook between the message and its bytes, but the response is the last message and the
// stream ends with it. So once the handler has answered, a chunk waits for the next chunk or the
// end, which rmcp produces without waiting for anything.
pub(super) struct Watched {
    body: BodyDataStream,
    reply_path: ReplyPath,
    client: Option<Client>,
    /// The chunk that waits, because it may be the response.
    held: Option<Bytes>,
    has_ended: bool,
}

impl Watched {
    pub(super) fn with_response(
        response: Response,
        reply_path: ReplyPath,
        client: Option<Client>,
    ) -> Response {
        response.map(|body| {
            Body::from_stream(Self {
                body: body.into_data_stream(),
                reply_path,
                client,
                held: None,
                has_ended: false,
            })
        })
    }

    /// Sets the status once the connection has written what it is given now.
    fn report_when_written(&self) {
        let reply_path = self.reply_path.clone();
        match &self.client {
            None => reply_path.set_status(DeliveryStatus::Taken),
            Some(client) => client.when_written(move |is_taken| {
                reply_path.set_status(match is_taken {
                    true => DeliveryStatus::Taken,
                    false => DeliveryStatus::Lost,
                });
            }),
        }
    }
}

impl Stream for Watched {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        loop {
            let (next, is_response) = IS_RESPONSE.sync_scope(Cell::new(false), || {
                let next = Pin::new(&mut self.body).poll_next(context);
                (next, IS_RESPONSE.with(Cell::get))
            });
            match ready!(next) {
                Some(Ok(chunk)) => {
                    let may_end = self.client.is_some() && self.reply_path.may_end();
                    let passed = match may_end {
                        true => self.held.replace(chunk),
                        false => Some(chunk),
                    };
                    if is_response && self.client.is_some() {
                        self.report_when_written();
                    }
                    if let Some(passed) = passed {
                        return Poll::Ready(Some(Ok(passed)));
                    }
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    self.has_ended = true;
                    if self.reply_path.ends() {
                        self.report_when_written();
                    }
                    return Poll::Ready(self.held.take().map(Ok));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpStream};
    use std::sync::Mutex;
    use std::task::Waker;

    use ask_hub::http::Sockets;
    use ask_hub::http::account::Accounts;
    use ask_hub::http::connection_limit::ConnectionLimit;
    use axum::Router;
    use axum::extract::ConnectInfo;
    use axum::routing::get;
    use rustix::net::sockopt;
    use tokio::net::TcpListener;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    use super::*;

    const REPLY: &[u8] = b"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";

    /// The response of a stored stream, followed by what happens at the next poll.
    struct Says<F>(bool, F);

    impl<F: FnMut() -> Poll<Option<Result<Bytes, axum::Error>>> + Unpin> Stream for Says<F> {
        type Item = Result<Bytes, axum::Error>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            if std::mem::replace(&mut self.0, true) {
                return self.1();
            }
            mark_response();
            Poll::Ready(Some(Ok(Bytes::from_static(REPLY))))
        }
    }

    /// Serves such a response to the client in the slot, and returns the final status of its
    /// delivery.
    async fn ends(
        slot: &Arc<Mutex<Option<TcpStream>>>,
        then: impl FnMut() -> Poll<Option<Result<Bytes, axum::Error>>>
        + Unpin
        + Clone
        + Send
        + Sync
        + 'static,
        client: impl FnOnce(Arc<Mutex<Option<TcpStream>>>) + Send + 'static,
    ) -> DeliveryStatus {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let room = Arc::new(ConnectionLimit::with_places(1, Vec::new(), || ()));
        let reply_path = ReplyPath::default();
        let mut look = reply_path.look();
        let serve = move |ConnectInfo(client): ConnectInfo<Client>| {
            let response = Response::new(Body::from_stream(Says(false, then.clone())));
            std::future::ready(Watched::with_response(
                response,
                reply_path.clone(),
                Some(client),
            ))
        };
        let router = Router::new().route("/", get(serve));
        let service = router.into_make_service_with_connect_info::<Client>();
        tokio::spawn(
            axum::serve(
                Sockets::in_group(listener, room, Arc::new(Accounts::new(Vec::new()))),
                service,
            )
            .into_future(),
        );
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n")
            .unwrap();
        *slot.lock().unwrap() = Some(stream);
        let slot = Arc::clone(slot);
        let acts = tokio::task::spawn_blocking(move || client(slot));
        let ended = look
            .wait_for(|standing| *standing != DeliveryStatus::Here)
            .await;
        let ended = *ended.unwrap();
        acts.await.unwrap();
        ended
    }

    #[tokio::test]
    async fn a_client_that_goes_with_its_reply_has_taken_it() {
        let slot = Arc::default();
        // The stream doesn't end, and the client doesn't wait for its end.
        let ended = ends(
            &slot,
            || Poll::Pending,
            |slot| {
                let mut stream = slot.lock().unwrap().take().unwrap();
                let mut read = Vec::new();
                while !read.windows(2).any(|two| two == b"{}") {
                    let mut room = [0; 512];
                    let length = stream.read(&mut room).unwrap();
                    read.extend_from_slice(&room[..length]);
                }
            },
        );
        assert_eq!(ended.await, DeliveryStatus::Taken);
    }

    #[tokio::test]
    async fn a_reply_that_was_said_and_not_written_is_lost() {
        let slot: Arc<Mutex<Option<TcpStream>>> = Arc::default();
        let gone = Arc::clone(&slot);
        let resets = move || {
            if let Some(stream) = gone.lock().unwrap().take() {
                sockopt::set_socket_linger(&stream, Some(std::time::Duration::ZERO)).unwrap();
            }
            Poll::Pending
        };
        let ended = ends(&slot, resets, |_| {}).await;
        assert_eq!(ended, DeliveryStatus::Lost);
    }

    /// The chunks of rmcp for a call of a revision without sessions.
    struct Chunks(UnboundedReceiver<Bytes>);

    impl Stream for Chunks {
        type Item = Result<Bytes, axum::Error>;

        fn poll_next(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Self::Item>> {
            self.0.poll_recv(context).map(|chunk| chunk.map(Ok))
        }
    }

    /// Connects a client, which reads nothing unless the test does.
    async fn connected() -> (TcpStream, Client) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, mut clients) = unbounded_channel();
        let serve = move |ConnectInfo(client): ConnectInfo<Client>| {
            sender.send(client).unwrap();
            std::future::pending::<()>()
        };
        let room = Arc::new(ConnectionLimit::with_places(1, Vec::new(), || ()));
        let router = Router::new().route("/", get(serve));
        tokio::spawn(
            axum::serve(
                Sockets::in_group(listener, room, Arc::new(Accounts::new(Vec::new()))),
                router.into_make_service_with_connect_info::<Client>(),
            )
            .into_future(),
        );
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n")
            .unwrap();
        (stream, clients.recv().await.unwrap())
    }

    #[tokio::test]
    async fn the_response_of_an_unstored_stream_is_its_last_chunk() {
        let (_stream, client) = connected().await;
        let (says, chunks) = unbounded_channel();
        let reply_path = ReplyPath::default();
        let response = Response::new(Body::from_stream(Chunks(chunks)));
        let watched = Watched::with_response(response, reply_path.clone(), Some(client));
        let mut body = watched.into_body().into_data_stream();
        let mut next = || {
            let mut context = Context::from_waker(Waker::noop());
            Pin::new(&mut body)
                .poll_next(&mut context)
                .map(|chunk| chunk.map(Result::unwrap))
        };

        says.send(Bytes::from_static(b"progress")).unwrap();
        let is_passed_on = |chunk: &'static [u8]| Poll::Ready(Some(Bytes::from_static(chunk)));
        assert_eq!(next(), is_passed_on(b"progress"), "the call waits");
        says.send(Bytes::from_static(b"late progress")).unwrap();
        reply_path.set_answered();
        assert_eq!(next(), Poll::Pending, "it may be the response");
        says.send(Bytes::from_static(REPLY)).unwrap();
        assert_eq!(next(), is_passed_on(b"late progress"));
        assert_eq!(next(), Poll::Pending);
        drop(says);
        assert_eq!(next(), is_passed_on(REPLY));
        assert_eq!(next(), Poll::Ready(None));
    }
}
