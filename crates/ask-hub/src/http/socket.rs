//! A connection that knows when something was written, and whether its client is still connected,
//! even before the runtime notices the end.
// What a client has read can't be known for certain. Linux tells most of it: a connection that is
// closed with unread bytes is reset, and so is one that receives bytes after it was closed; one
// that is closed with everything read just ends. On other systems, an end counts as unread.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ask_config::process::{self, Account, Ends};
use ask_core::{Ancestry, Caller};
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
use super::connection_limit::{ConnectionLimit, Place};
use super::idle_timeout::{UNANSWERED, Unanswered};

/// A listener for such connections.
pub struct Sockets {
    listener: TcpListener,
    room: Arc<ConnectionLimit>,
    accounts: Arc<Accounts>,
}

impl Sockets {
    /// A listener with a limit on connections and on accounts.
    pub fn in_group(
        listener: TcpListener,
        room: Arc<ConnectionLimit>,
        accounts: Arc<Accounts>,
    ) -> Self {
        Self {
            listener,
            room,
            accounts,
        }
    }
}

/// One connection, as the server reads and writes it.
pub struct Socket {
    line: Arc<Line>,
    unanswered: Unanswered,
    /// The deadline at which the connection is closed if its client has read nothing of what waits
    /// to be written.
    untaken: Option<Pin<Box<Sleep>>>,
    patience: Duration,
    _place: Option<Place>,
}

/// The connection, for code that only inspects it.
#[derive(Clone)]
pub struct Client(Arc<Line>);

struct Line {
    stream: TcpStream,
    awaited: Mutex<Vec<Awaited>>,
    /// The program at the other end, once it was looked up.
    caller: OnceCell<Option<Caller>>,
    ancestry: OnceCell<Option<Arc<Ancestry>>>,
    account: OnceCell<Account>,
    /// The place of a connection from a refused account, held until it closes.
    stranger: OnceLock<OwnedSemaphorePermit>,
}

/// Called with whether everything was written and the client did not leave it unread.
type Awaited = Box<dyn FnOnce(bool) + Send>;

impl Client {
    /// Calls back once everything that the connection is about to write was written.
    pub fn when_written(&self, then: impl FnOnce(bool) + Send + 'static) {
        if self.is_there() {
            self.0.awaited().push(Box::new(then));
        } else {
            then(false);
        }
    }

    /// The program at the other end, as a sender of requests, where the system can tell. It is
    /// looked up once, on a blocking thread.
    pub async fn caller(&self) -> Option<Caller> {
        let look = || async {
            let found = self.look_up(process::caller_from).await;
            found.map(Caller::without_session)
        };
        self.0.caller.get_or_init(look).await.clone()
    }

    /// The process at the other end with its ancestors, looked up in the same way.
    pub async fn ancestry(&self) -> Option<Arc<Ancestry>> {
        let look = || async { self.look_up(process::ancestry_from).await.map(Arc::new) };
        self.0.ancestry.get_or_init(look).await.clone()
    }

    /// The account of the program at the other end, looked up once, together with others.
    pub async fn account(&self) -> Account {
        let look = || async {
            match self.ends() {
                Some(ends) => account_lookup::account(ends).await,
                None => Account::Unknown,
            }
        };
        *self.0.account.get_or_init(look).await
    }

    async fn look_up<T: Send + 'static>(
        &self,
        look: fn(SocketAddr, SocketAddr) -> Option<T>,
    ) -> Option<T> {
        let (theirs, ours) = self.ends()?;
        let looking = tokio::task::spawn_blocking(move || look(theirs, ours));
        looking.await.ok()?
    }

    fn ends(&self) -> Option<Ends> {
        let stream = &self.0.stream;
        Some((stream.peer_addr().ok()?, stream.local_addr().ok()?))
    }

    /// Holds this place for as long as the connection lasts.
    pub(super) fn keep(&self, place: OwnedSemaphorePermit) {
        // Called once for each connection, so the cell is empty.
        let _ = self.0.stranger.set(place);
    }

    /// Closes the connection in both directions.
    pub(super) fn hang_up(&self) {
        // It fails only if the connection is closed already.
        let _ = rustix::net::shutdown(&self.0.stream, Shutdown::Both);
    }

    /// Whether the client has not closed its side.
    pub fn is_there(&self) -> bool {
        let peek = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        match rustix::net::recv(self.0.stream.as_fd(), &mut [0; 1], peek) {
            Ok((_, length)) => length > 0,
            Err(error) => error == Errno::WOULDBLOCK || error == Errno::INTR,
        }
    }

    /// Whether the client is connected, or has closed its side after it read everything.
    fn has_taken(&self) -> bool {
        if self.is_there() {
            return true;
        }
        let mut looked = [PollFd::new(&self.0.stream, PollFlags::IN)];
        let at_once = Timespec::default();
        let broken = PollFlags::ERR | PollFlags::HUP;
        cfg!(target_os = "linux")
            && poll(&mut looked, Some(&at_once)).is_ok()
            && !looked[0].revents().intersects(broken)
    }
}

impl Line {
    fn awaited(&self) -> MutexGuard<'_, Vec<Awaited>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Socket {
    fn with_stream(stream: TcpStream, place: Option<Place>, patience: Duration) -> Self {
        Self {
            line: Arc::new(Line {
                stream,
                awaited: Mutex::default(),
                caller: OnceCell::new(),
                ancestry: OnceCell::new(),
                account: OnceCell::new(),
                stranger: OnceLock::new(),
            }),
            unanswered: Unanswered::since_now(patience),
            untaken: None,
            patience,
            _place: place,
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let unwritten = std::mem::take(&mut *self.line.awaited());
        unwritten.into_iter().for_each(|then| then(false));
    }
}

impl Listener for Sockets {
    type Io = Socket;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Socket, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            // Without this option, responses only arrive a little later.
            let _ = stream.set_nodelay(true);
            if let Some((stream, place)) = self.room.admit(stream) {
                let socket = Socket::with_stream(stream, Some(place), UNANSWERED);
                let client = Client(Arc::clone(&socket.line));
                tokio::spawn(Arc::clone(&self.accounts).look_at(client));
                return (socket, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Sockets>> for Client {
    fn connect_info(stream: IncomingStream<'_, Sockets>) -> Self {
        Self(Arc::clone(&stream.io().line))
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.unanswered.check(context)?;
        loop {
            ready!(self.line.stream.poll_read_ready(context))?;
            match self.line.stream.try_read(buffer.initialize_unfilled()) {
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
        while self.line.stream.poll_write_ready(context)?.is_ready() {
            match write(&self.line.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => {
                    self.unanswered.is_answered();
                    self.untaken = None;
                    return Poll::Ready(done);
                }
            }
        }
        // A client that reads nothing would make the hub hold its responses for ever.
        let patience = self.patience;
        let untaken = &mut self.untaken;
        let untaken =
            untaken.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + patience)));
        ready!(untaken.as_mut().poll(context));
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
        let written = std::mem::take(&mut *self.line.awaited());
        if !written.is_empty() {
            let taken = Client(Arc::clone(&self.line)).has_taken();
            written.into_iter().for_each(|then| then(taken));
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match rustix::net::shutdown(self.line.stream.as_fd(), Shutdown::Write) {
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
    async fn who_takes_nothing_is_cut_off() {
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
    async fn who_was_answered_nothing_is_cut_off_and_nobody_else() {
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
        let mut room = [0; 1];
        let mut room = ReadBuf::new(&mut room);
        let waits =
            poll_fn(|context| Poll::Ready(Pin::new(&mut answered).poll_read(context, &mut room)));
        assert!(waits.await.is_pending());
    }
}
