//! A connection that reports when its response was written, and whether its client is still
//! connected, even before the runtime notices a closed connection.
// Whether a client has read a response can't be known for certain. Linux reports most of it: a
// client that closes its socket with unread bytes resets the connection, and so does one that
// receives bytes afterwards. A client that has read everything just ends it. On other systems, an
// ended connection counts as unread.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ask_config::process::{self, Account, Ends};
use ask_core::{Ancestry, Caller, Process};
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, Shutdown};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OnceCell, OwnedSemaphorePermit};
use tokio::time::{Instant, Sleep, sleep_until};

use super::account::Accounts;
use super::account_lookup;
use super::connection_limit::{ConnectionLimit, Permit};
use super::idle_timeout::{RESPONSE_LIMIT, ResponseTimeout};

/// A listener for `Socket`s.
pub struct SocketListener {
    listener: TcpListener,
    limit: Arc<ConnectionLimit>,
    accounts: Arc<Accounts>,
}

impl SocketListener {
    /// A listener with a limit on connections and on accounts.
    pub fn with_limits(
        listener: TcpListener,
        limit: Arc<ConnectionLimit>,
        accounts: Arc<Accounts>,
    ) -> Self {
        Self {
            listener,
            limit,
            accounts,
        }
    }
}

/// One connection, as the server reads and writes it.
pub struct Socket {
    shared: Arc<Shared>,
    timeout: ResponseTimeout,
    /// When the connection is closed if its client reads nothing of what waits to be written.
    write_deadline: Option<Pin<Box<Sleep>>>,
    write_limit: Duration,
    _permit: Option<Permit>,
}

/// The connection, for code that only inspects it.
#[derive(Clone)]
pub struct Client(Arc<Shared>);

struct Shared {
    stream: TcpStream,
    write_callbacks: Mutex<Vec<WriteCallback>>,
    /// The program at the other end, once it was looked up.
    caller: tokio::sync::Mutex<Option<Option<Caller>>>,
    ancestry: tokio::sync::Mutex<Option<Option<Arc<Ancestry>>>>,
    account: OnceCell<Account>,
    /// The permit of a refused account's connection, held until it closes.
    refused_permit: OnceLock<OwnedSemaphorePermit>,
}

/// Called once the response is written. True if the client has not left it unread.
type WriteCallback = Box<dyn FnOnce(bool) + Send>;

impl Client {
    /// Calls `then` once the bytes that are queued now are written.
    pub fn when_written(&self, then: impl FnOnce(bool) + Send + 'static) {
        if self.is_connected() {
            self.0.write_callbacks().push(Box::new(then));
        } else {
            then(false);
        }
    }

    /// The program at the other end, as a sender of requests, if the system reports it. It is
    /// looked up on a blocking thread, once as long as the process runs: it may have given the
    /// connection to another one.
    pub async fn caller(&self) -> Option<Caller> {
        let mut known = self.0.caller.lock().await;
        let process = |caller: &Caller| caller.process;
        if let Some(caller) = known.as_ref().filter(|known| has_not_ended(known, process)) {
            return caller.clone();
        }
        let found = self.look_up(process::caller_from).await;
        known.insert(found.map(Caller::without_session)).clone()
    }

    /// The process at the other end with its ancestors, looked up in the same way.
    pub async fn ancestry(&self) -> Option<Arc<Ancestry>> {
        let mut known = self.0.ancestry.lock().await;
        let process = |ancestry: &Arc<Ancestry>| ancestry.processes.first().copied();
        if let Some(ancestry) = known.as_ref().filter(|known| has_not_ended(known, process)) {
            return ancestry.clone();
        }
        let found = self.look_up(process::ancestry_from).await;
        known.insert(found.map(Arc::new)).clone()
    }

    /// The same for a program that has proved itself with the person's token. If it is on this
    /// machine and can't be looked up, it may be hiding, and counts as below an agent.
    pub async fn program_ancestry(&self) -> Option<Arc<Ancestry>> {
        let is_local = || {
            let peer = self.ends().map(|(theirs, _)| theirs.ip().to_canonical());
            cfg!(target_os = "linux") && peer.is_some_and(|peer| peer.is_loopback())
        };
        let found = self.ancestry().await;
        found.or_else(|| {
            let hidden = || Arc::new(Ancestry::marked_below(process::HIDDEN_PROGRAM));
            is_local().then(hidden)
        })
    }

    /// The same for a program with the cookie of a device: see [`process::device_ancestry`].
    pub async fn device_ancestry(&self) -> Option<Arc<Ancestry>> {
        match self.ancestry().await {
            Some(found) => Some(found),
            None => self.look_up(process::device_ancestry).await.map(Arc::new),
        }
    }

    /// The account of the program at the other end, looked up once, together with others.
    pub async fn account(&self) -> Account {
        let look_up = || async {
            match self.ends() {
                Some(ends) => account_lookup::look_up_account(ends).await,
                None => Account::Unknown,
            }
        };
        *self.0.account.get_or_init(look_up).await
    }

    async fn look_up<T: Send + 'static>(
        &self,
        lookup: fn(SocketAddr, SocketAddr) -> Option<T>,
    ) -> Option<T> {
        let (theirs, ours) = self.ends()?;
        let looking_up = tokio::task::spawn_blocking(move || lookup(theirs, ours));
        looking_up.await.ok()?
    }

    fn ends(&self) -> Option<Ends> {
        let stream = &self.0.stream;
        Some((stream.peer_addr().ok()?, stream.local_addr().ok()?))
    }

    /// Holds this permit until the connection ends.
    pub(super) fn hold_permit(&self, permit: OwnedSemaphorePermit) {
        // Called once for each connection, so the cell is empty.
        let _ = self.0.refused_permit.set(permit);
    }

    /// Closes the connection in both directions.
    pub(super) fn close(&self) {
        // It fails only if the connection is closed already.
        let _ = rustix::net::shutdown(&self.0.stream, Shutdown::Both);
    }

    /// Whether the client has not closed its side.
    pub fn is_connected(&self) -> bool {
        let peek = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        match rustix::net::recv(self.0.stream.as_fd(), &mut [0; 1], peek) {
            Ok((_, length)) => length > 0,
            Err(error) => error == Errno::WOULDBLOCK || error == Errno::INTR,
        }
    }

    /// Whether the client is connected, or has closed its side after it read everything.
    fn has_read_everything(&self) -> bool {
        if self.is_connected() {
            return true;
        }
        let mut polled = [PollFd::new(&self.0.stream, PollFlags::IN)];
        let at_once = Timespec::default();
        let disconnected = PollFlags::ERR | PollFlags::HUP;
        cfg!(target_os = "linux")
            && poll(&mut polled, Some(&at_once)).is_ok()
            && !polled[0].revents().intersects(disconnected)
    }
}

/// Whether the process of a lookup's result isn't known to have ended.
fn has_not_ended<T>(found: &Option<T>, process: impl FnOnce(&T) -> Option<Process>) -> bool {
    let process = found.as_ref().and_then(process);
    process.is_none_or(process::runs)
}

impl Shared {
    fn write_callbacks(&self) -> MutexGuard<'_, Vec<WriteCallback>> {
        self.write_callbacks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Socket {
    fn with_stream(stream: TcpStream, permit: Option<Permit>, write_limit: Duration) -> Self {
        Self {
            shared: Arc::new(Shared {
                stream,
                write_callbacks: Mutex::default(),
                caller: tokio::sync::Mutex::default(),
                ancestry: tokio::sync::Mutex::default(),
                account: OnceCell::new(),
                refused_permit: OnceLock::new(),
            }),
            timeout: ResponseTimeout::until_first_response(write_limit),
            write_deadline: None,
            write_limit,
            _permit: permit,
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let unwritten = std::mem::take(&mut *self.shared.write_callbacks());
        unwritten.into_iter().for_each(|then| then(false));
    }
}

impl Listener for SocketListener {
    type Io = Socket;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Socket, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            // After an error, responses only arrive a little later.
            let _ = stream.set_nodelay(true);
            if let Some((stream, permit)) = self.limit.admit(stream) {
                let socket = Socket::with_stream(stream, Some(permit), RESPONSE_LIMIT);
                let client = Client(Arc::clone(&socket.shared));
                tokio::spawn(Arc::clone(&self.accounts).limit_refused(client));
                return (socket, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, SocketListener>> for Client {
    fn connect_info(stream: IncomingStream<'_, SocketListener>) -> Self {
        Self(Arc::clone(&stream.io().shared))
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.timeout.check(context)?;
        loop {
            ready!(self.shared.stream.poll_read_ready(context))?;
            match self.shared.stream.try_read(buffer.initialize_unfilled()) {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl Socket {
    fn poll(
        &mut self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        while self.shared.stream.poll_write_ready(context)?.is_ready() {
            match write(&self.shared.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => {
                    self.timeout.record_response();
                    self.write_deadline = None;
                    return Poll::Ready(done);
                }
            }
        }
        // Without the deadline, a client that reads nothing would keep its responses in memory for
        // ever.
        let write_limit = self.write_limit;
        let write_deadline = &mut self.write_deadline;
        let write_deadline = write_deadline
            .get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + write_limit)));
        ready!(write_deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll(context, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll(context, |stream| stream.try_write_vectored(slices))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let written = std::mem::take(&mut *self.shared.write_callbacks());
        if !written.is_empty() {
            let taken = Client(Arc::clone(&self.shared)).has_read_everything();
            written.into_iter().for_each(|then| then(taken));
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match rustix::net::shutdown(self.shared.stream.as_fd(), Shutdown::Write) {
            Ok(()) | Err(Errno::NOTCONN) => Poll::Ready(Ok(())),
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::net::Ipv4Addr;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn a_client_that_reads_nothing_is_disconnected() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).await.unwrap();
        let accepted = listener.accept().await.unwrap().0;
        let mut socket = Socket::with_stream(accepted, None, Duration::ZERO);
        let much = vec![0; 1024 * 1024];
        let ended = loop {
            if let Err(ended) = socket.write_all(&much).await {
                break ended;
            }
        };
        assert_eq!(ended.kind(), io::ErrorKind::TimedOut);
        drop(socket);
        let mut taken = Vec::new();
        // Bytes that were written before may arrive or may be lost with the connection.
        let _ = client.read_to_end(&mut taken).await;
    }

    #[tokio::test]
    async fn only_a_connection_without_a_response_times_out() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let _client = TcpStream::connect(address).await.unwrap();
        let mut silent =
            Socket::with_stream(listener.accept().await.unwrap().0, None, Duration::ZERO);
        let ended = silent.read(&mut [0; 1]).await.unwrap_err();
        assert_eq!(ended.kind(), io::ErrorKind::TimedOut);

        let _client = TcpStream::connect(address).await.unwrap();
        let mut answered =
            Socket::with_stream(listener.accept().await.unwrap().0, None, Duration::ZERO);
        answered.write_all(b"something").await.unwrap();
        let mut byte = [0; 1];
        let mut buffer = ReadBuf::new(&mut byte);
        let read_again =
            poll_fn(|context| Poll::Ready(Pin::new(&mut answered).poll_read(context, &mut buffer)));
        assert!(read_again.await.is_pending());
    }
}
