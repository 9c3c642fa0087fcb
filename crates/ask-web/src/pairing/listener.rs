//! The port for devices at one address of this machine: its connections, their limits, and closing
//! all of them at once.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use ask_config::clock;
use axum::Router;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use rustix::net::Shutdown;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use super::connection::DeviceConnection;
use crate::tls::{Tls, handshake};

/// The largest number of connections.
const MOST: usize = 256;

/// The largest number of connections from one address; one more closes the oldest.
const MOST_OF_ONE: usize = 32;

/// The pause after a connection that can't be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// The address of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caller(pub IpAddr);

/// What serving HTTPS takes.
#[derive(Clone)]
pub(crate) struct Encrypted {
    /// The certificate.
    pub tls: Arc<Tls>,
    /// The base of links, such as `https://desk.lan:4127`.
    pub base: String,
}

/// A listening port.
pub(crate) struct DeviceListening {
    /// The port.
    pub port: u16,
    /// A duplicate of the listening socket, to shut it down.
    listener: OwnedFd,
    accepting: JoinHandle<()>,
    serving: JoinHandle<()>,
    lines: Arc<Lines>,
}

/// The open connections, each with a duplicate of its descriptor to shut it down.
#[derive(Default)]
struct Lines(Mutex<OpenConnections>);

#[derive(Default)]
struct OpenConnections {
    next: u64,
    all: HashMap<u64, (IpAddr, OwnedFd)>,
}

/// Binds a port of an address.
pub(crate) async fn bind(address: IpAddr, port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((address, port)).await
}

/// Serves the router on this port, with HTTPS if there is a certificate.
pub(crate) fn serve(
    listener: TcpListener,
    router: Router,
    encrypted: Option<Encrypted>,
) -> io::Result<DeviceListening> {
    let port = listener.local_addr()?.port();
    let listens = rustix::io::dup(&listener)?;
    let lines = Arc::new(Lines::default());
    let (taken, coming) = mpsc::channel(1);
    let accepting = tokio::spawn(accept(listener, Arc::clone(&lines), taken, encrypted));
    let service = router.into_make_service_with_connect_info::<Caller>();
    let serving = tokio::spawn(async move {
        // `axum::serve` never returns an error.
        let _ = axum::serve(DeviceListener(coming), service).await;
    });
    Ok(DeviceListening {
        port,
        listener: listens,
        accepting,
        serving,
        lines,
    })
}

impl DeviceListening {
    /// Closes the port. It can be bound again once this has returned.
    pub(crate) async fn close(mut self) {
        self.accepting.abort();
        // The error is the cancellation itself.
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for DeviceListening {
    /// Closes the port and all connections.
    fn drop(&mut self) {
        // The accepting task ends a moment later; until then, shutting the socket down keeps it
        // from accepting more. A socket that is closed already needs no shutdown.
        let _ = rustix::net::shutdown(&self.listener, Shutdown::Both);
        self.accepting.abort();
        self.serving.abort();
        for (_, line) in self.lines.open().all.values() {
            // The client may have closed the connection already.
            let _ = rustix::net::shutdown(line, Shutdown::Both);
        }
    }
}

async fn accept(
    listener: TcpListener,
    lines: Arc<Lines>,
    taken: mpsc::Sender<(DeviceConnection, SocketAddr)>,
    encrypted: Option<Encrypted>,
) {
    loop {
        let line = match listener.accept().await {
            Ok((stream, address)) => lines.take(stream, address.ip()).map(|line| (line, address)),
            Err(_) => {
                // Most likely there is no file descriptor left, until another connection ends.
                sleep_until(Instant::now() + PAUSE).await;
                None
            }
        };
        let Some((line, address)) = line else {
            continue;
        };
        let Some(Encrypted { tls, base }) = encrypted.clone() else {
            match taken.send((DeviceConnection::plain(line), address)).await {
                Ok(()) => continue,
                Err(_) => return,
            }
        };
        // Handshakes run concurrently. Each counts as a connection meanwhile.
        let taken = taken.clone();
        tokio::spawn(async move {
            if let Some(stream) = handshake::greet(line, tls.serves(clock::now()), &base).await {
                // The receiver is gone once the port is closed.
                let _ = taken
                    .send((DeviceConnection::encrypted(stream), address))
                    .await;
            }
        });
    }
}

impl Lines {
    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection; `None` if the limit is reached. At an address's own limit, its oldest
    /// connection is closed.
    fn take(self: &Arc<Self>, stream: TcpStream, from: IpAddr) -> Option<Line> {
        // Without this option, responses are only delayed a little.
        let _ = stream.set_nodelay(true);
        let descriptor = rustix::io::dup(&stream).ok()?;
        let mut open = self.open();
        let of_one = || open.all.iter().filter(|(_, (ip, _))| *ip == from);
        if of_one().count() >= MOST_OF_ONE
            && let Some(oldest) = of_one().map(|(number, _)| *number).min()
            && let Some((_, line)) = open.all.remove(&oldest)
        {
            // The client may have closed the connection already.
            let _ = rustix::net::shutdown(line, Shutdown::Both);
        }
        if open.all.len() >= MOST {
            return None;
        }
        let number = open.next;
        open.next += 1;
        open.all.insert(number, (from, descriptor));
        drop(open);
        let lines = Arc::clone(self);
        Some(Line {
            stream,
            number,
            lines,
        })
    }
}

/// An open connection, counted until it is dropped.
pub(crate) struct Line {
    stream: TcpStream,
    number: u64,
    lines: Arc<Lines>,
}

impl Line {
    /// Peeks at the first byte, which stays to be read. `None` if the connection ends before.
    pub(crate) async fn first(&self) -> Option<u8> {
        let mut first = [0];
        let read = self.stream.peek(&mut first).await.ok()?;
        first.first().copied().filter(|_| read > 0)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.lines.open().all.remove(&self.number);
    }
}

/// Hands accepted connections to `axum`.
struct DeviceListener(mpsc::Receiver<(DeviceConnection, SocketAddr)>);

impl Listener for DeviceListener {
    type Io = DeviceConnection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (DeviceConnection, SocketAddr) {
        match self.0.recv().await {
            Some(comer) => comer,
            // The port is closed.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Connected<IncomingStream<'_, DeviceListener>> for Caller {
    fn connect_info(stream: IncomingStream<'_, DeviceListener>) -> Self {
        Self(stream.remote_addr().ip())
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
