//! The delivery of a response: whether its client is connected, and whether it has received the
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
pub(crate) enum DeliveryStatus {
    /// The client is connected.
    Connected,
    /// The client has lost its stream, and may soon return with another.
    Lost,
    /// The client no longer counts as waiting. It has been disconnected for long and may still
    /// return, or its session has ended.
    Away,
    /// The client received the response.
    Received,
}

/// The delivery of one response. The channel of [`Self::watch`] closes when the client can't
/// return.
#[derive(Clone)]
pub(crate) struct ResponseDelivery(Arc<DeliveryState>);

struct DeliveryState {
    status: watch::Sender<DeliveryStatus>,
    /// Whether the response is stored for a client that returns, so that a stream may end without
    /// it.
    is_stored: AtomicBool,
    /// Whether a stream has sent the whole stored response.
    is_sent: AtomicBool,
    /// Whether the handler is done, so that its response is the next and last message.
    is_answered: AtomicBool,
}

impl Default for ResponseDelivery {
    fn default() -> Self {
        Self(Arc::new(DeliveryState {
            status: watch::Sender::new(DeliveryStatus::Connected),
            is_stored: AtomicBool::new(false),
            is_sent: AtomicBool::new(false),
            is_answered: AtomicBool::new(false),
        }))
    }
}

task_local! {
    /// The delivery of an earlier request that the current request resumes.
    static RESUMED: Arc<OnceLock<ResponseDelivery>>;

    /// Whether the chunk that a body returns from the current poll is the response. rmcp turns an
    /// event into a chunk within one poll, so the stream of events can say which message it is.
    static IS_RESPONSE: Cell<bool>;
}

/// Marks the chunk of the current poll as the response.
pub(super) fn mark_response() {
    // A stream outside of [`DeliveryBody`] reports no delivery.
    let _ = IS_RESPONSE.try_with(|is_response| is_response.set(true));
}

/// Marks the current request as one that resumes the delivery of an earlier one.
pub(super) fn resume_delivery(delivery: ResponseDelivery) {
    // Outside of [`run_resumable`] there is nothing to mark.
    let _ = RESUMED.try_with(|resumed| resumed.set(delivery));
}

/// Runs the handler of a request. Also returns the delivery that the request resumed, if it did.
pub(super) async fn run_resumable<T>(
    response_future: impl Future<Output = T>,
) -> (T, Option<ResponseDelivery>) {
    let resumed = Arc::new(OnceLock::new());
    let response = RESUMED.scope(Arc::clone(&resumed), response_future).await;
    (response, resumed.get().cloned())
}

impl ResponseDelivery {
    /// The delivery of a request, from the parts that rmcp passes on.
    pub(crate) fn from_extensions(extensions: &Extensions) -> Option<Self> {
        extensions.get::<Parts>()?.extensions.get().cloned()
    }

    /// Watches the status, without keeping the channel open.
    pub(crate) fn watch(&self) -> watch::Receiver<DeliveryStatus> {
        self.0.status.subscribe()
    }

    pub(super) fn mark_stored(&self) {
        self.0.is_stored.store(true, Ordering::Relaxed);
    }

    /// Called by a handler that is about to return its result to rmcp.
    pub(crate) fn set_answered(&self) {
        self.0.is_answered.store(true, Ordering::Relaxed);
    }

    /// Whether a chunk of a stream that isn't stored may be the last one, which is the response.
    fn may_end(&self) -> bool {
        !self.0.is_stored.load(Ordering::Relaxed) && self.0.is_answered.load(Ordering::Relaxed)
    }

    pub(super) fn mark_sent(&self) {
        self.0.is_sent.store(true, Ordering::Relaxed);
    }

    /// Whether the end of a body is the end of the response. Otherwise its stream pauses.
    fn ends_response(&self) -> bool {
        !self.0.is_stored.load(Ordering::Relaxed) || self.0.is_sent.load(Ordering::Relaxed)
    }

    pub(super) fn set_status(&self, status: DeliveryStatus) {
        self.0.status.send_if_modified(|now| {
            // Only a new stream ends `Away`; an old one that is closed afterwards doesn't.
            let is_away = *now == DeliveryStatus::Away && status == DeliveryStatus::Lost;
            let changes = *now != status && *now != DeliveryStatus::Received && !is_away;
            if changes {
                *now = status;
            }
            changes
        });
    }
}

/// A body that reports when the response in it was received: when the connection has written it and
/// the client has not closed the connection. Without access to the connection, the response counts
/// as received when the body is polled at its end.
// Clients may disconnect as soon as they have the response, before its stream ends, so the chunk
// with the response must be known when it is written. A stored stream marks it. For other streams,
// rmcp has no hook between a message and its bytes. But the response is the last message, and the
// stream ends with it. So once the handler has finished, each chunk is held until the next chunk or
// the end. rmcp produces that without waiting for anything.
pub(super) struct DeliveryBody {
    body: BodyDataStream,
    delivery: ResponseDelivery,
    client: Option<Client>,
    /// The chunk that is held, because it may be the response.
    held: Option<Bytes>,
    has_ended: bool,
}

impl DeliveryBody {
    pub(super) fn with_response(
        response: Response,
        delivery: ResponseDelivery,
        client: Option<Client>,
    ) -> Response {
        response.map(|body| {
            Body::from_stream(Self {
                body: body.into_data_stream(),
                delivery,
                client,
                held: None,
                has_ended: false,
            })
        })
    }

    /// Sets the status once the connection has written the current chunk.
    fn report_when_written(&self) {
        let delivery = self.delivery.clone();
        match &self.client {
            None => delivery.set_status(DeliveryStatus::Received),
            Some(client) => client.when_written(move |is_received| {
                delivery.set_status(if is_received {
                    DeliveryStatus::Received
                } else {
                    DeliveryStatus::Lost
                });
            }),
        }
    }
}

impl Stream for DeliveryBody {
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
                    let may_end = self.client.is_some() && self.delivery.may_end();
                    let passed_on = if may_end {
                        self.held.replace(chunk)
                    } else {
                        Some(chunk)
                    };
                    if is_response && self.client.is_some() {
                        self.report_when_written();
                    }
                    if let Some(chunk) = passed_on {
                        return Poll::Ready(Some(Ok(chunk)));
                    }
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    self.has_ended = true;
                    if self.delivery.ends_response() {
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

    use ask_hub::http::SocketListener;
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
    struct StoredStream<F>(bool, F);

    impl<F: FnMut() -> Poll<Option<Result<Bytes, axum::Error>>> + Unpin> Stream for StoredStream<F> {
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
    async fn final_status(
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
        let limit = Arc::new(ConnectionLimit::with_places(1, Vec::new(), || ()));
        let delivery = ResponseDelivery::default();
        let mut watch = delivery.watch();
        let serve = move |ConnectInfo(client): ConnectInfo<Client>| {
            let response = Response::new(Body::from_stream(StoredStream(false, then.clone())));
            std::future::ready(DeliveryBody::with_response(
                response,
                delivery.clone(),
                Some(client),
            ))
        };
        let router = Router::new().route("/", get(serve));
        let service = router.into_make_service_with_connect_info::<Client>();
        tokio::spawn(
            axum::serve(
                SocketListener::with_limits(listener, limit, Arc::new(Accounts::new(Vec::new()))),
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
        let client_task = tokio::task::spawn_blocking(move || client(slot));
        let ended = watch
            .wait_for(|status| *status != DeliveryStatus::Connected)
            .await;
        let ended = *ended.unwrap();
        client_task.await.unwrap();
        ended
    }

    #[tokio::test]
    async fn a_client_that_disconnects_after_its_response_has_received_it() {
        let slot = Arc::default();
        // The stream doesn't end, and the client doesn't wait for its end.
        let ended = final_status(
            &slot,
            || Poll::Pending,
            |slot| {
                let mut stream = slot.lock().unwrap().take().unwrap();
                let mut read = Vec::new();
                while !read.windows(2).any(|two| two == b"{}") {
                    let mut buffer = [0; 512];
                    let length = stream.read(&mut buffer).unwrap();
                    read.extend_from_slice(&buffer[..length]);
                }
            },
        );
        assert_eq!(ended.await, DeliveryStatus::Received);
    }

    #[tokio::test]
    async fn a_response_that_was_sent_and_not_written_is_lost() {
        let slot: Arc<Mutex<Option<TcpStream>>> = Arc::default();
        let gone = Arc::clone(&slot);
        let resets = move || {
            if let Some(stream) = gone.lock().unwrap().take() {
                sockopt::set_socket_linger(&stream, Some(std::time::Duration::ZERO)).unwrap();
            }
            Poll::Pending
        };
        let ended = final_status(&slot, resets, |_| {}).await;
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
        let limit = Arc::new(ConnectionLimit::with_places(1, Vec::new(), || ()));
        let router = Router::new().route("/", get(serve));
        tokio::spawn(
            axum::serve(
                SocketListener::with_limits(listener, limit, Arc::new(Accounts::new(Vec::new()))),
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
        let (chunk_sender, chunks) = unbounded_channel();
        let delivery = ResponseDelivery::default();
        let response = Response::new(Body::from_stream(Chunks(chunks)));
        let watched = DeliveryBody::with_response(response, delivery.clone(), Some(client));
        let mut body = watched.into_body().into_data_stream();
        let mut next = || {
            let mut context = Context::from_waker(Waker::noop());
            Pin::new(&mut body)
                .poll_next(&mut context)
                .map(|chunk| chunk.map(Result::unwrap))
        };

        chunk_sender.send(Bytes::from_static(b"progress")).unwrap();
        let is_passed_on = |chunk: &'static [u8]| Poll::Ready(Some(Bytes::from_static(chunk)));
        assert_eq!(next(), is_passed_on(b"progress"), "the call waits");
        chunk_sender
            .send(Bytes::from_static(b"late progress"))
            .unwrap();
        delivery.set_answered();
        assert_eq!(next(), Poll::Pending, "it may be the response");
        chunk_sender.send(Bytes::from_static(REPLY)).unwrap();
        assert_eq!(next(), is_passed_on(b"late progress"));
        assert_eq!(next(), Poll::Pending);
        drop(chunk_sender);
        assert_eq!(next(), is_passed_on(REPLY));
        assert_eq!(next(), Poll::Ready(None));
    }
}
