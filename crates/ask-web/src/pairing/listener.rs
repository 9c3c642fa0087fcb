//! The port for devices at one address of this machine: it accepts connections within limits, and
//! closes all of them at once.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use ask_config::clock;
use ask_config::process::Ends;
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

/// The largest number of open connections.
const MAX_CONNECTIONS: usize = 256;

/// The largest number of connections from one client; one more closes the oldest.
const MAX_PER_CLIENT: usize = 32;

/// The pause after an error of `accept`.
const PAUSE: Duration = Duration::from_millis(100);

/// The two ends of a connection: the client's address first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceEnds(pub Ends);

/// How to serve HTTPS.
#[derive(Clone)]
pub(crate) struct TlsOptions {
    pub tls: Arc<Tls>,
    /// The base of links, such as `https://desk.lan:4127`.
    pub base: String,
}

/// A port that serves devices until this is dropped.
pub(crate) struct DeviceServer {
    pub port: u16,
    /// A duplicate of the listening socket, which can shut it down.
    socket: OwnedFd,
    accepting: JoinHandle<()>,
    serving: JoinHandle<()>,
    connections: Arc<Connections>,
}

/// The open connections, each with a duplicate of its descriptor, which can shut it down.
#[derive(Default)]
struct Connections(Mutex<OpenConnections>);

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
    tls_options: Option<TlsOptions>,
) -> io::Result<DeviceServer> {
    let port = listener.local_addr()?.port();
    let socket = rustix::io::dup(&listener)?;
    let connections = Arc::new(Connections::default());
    let (accepted, receiver) = mpsc::channel(1);
    let accepting = tokio::spawn(accept(
        listener,
        Arc::clone(&connections),
        accepted,
        tls_options,
    ));
    let service = router.into_make_service_with_connect_info::<DeviceEnds>();
    let serving = tokio::spawn(async move {
        // `axum::serve` never returns an error.
        let _ = axum::serve(DeviceListener(receiver), service).await;
    });
    Ok(DeviceServer {
        port,
        socket,
        accepting,
        serving,
        connections,
    })
}

impl DeviceServer {
    /// Closes the port. It can be bound again once this has returned.
    pub(crate) async fn close(mut self) {
        self.accepting.abort();
        // The error is the cancellation itself.
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for DeviceServer {
    /// Closes the port and all connections.
    fn drop(&mut self) {
        // The accepting task ends a moment later; until then, shutting the socket down keeps it
        // from accepting more. A socket that is closed already needs no shutdown.
        let _ = rustix::net::shutdown(&self.socket, Shutdown::Both);
        self.accepting.abort();
        self.serving.abort();
        for (_, stream) in self.connections.lock().all.values() {
            // The client may have closed the connection already.
            let _ = rustix::net::shutdown(stream, Shutdown::Both);
        }
    }
}

async fn accept(
    listener: TcpListener,
    connections: Arc<Connections>,
    accepted: mpsc::Sender<(DeviceConnection, Ends)>,
    tls_options: Option<TlsOptions>,
) {
    loop {
        let admitted = match listener.accept().await {
            Ok((stream, address)) => {
                let ends = stream.local_addr().map(|ours| (address, ours));
                let stream = connections.admit(stream, address.ip());
                stream.zip(ends.ok())
            }
            Err(_) => {
                // Most likely, the process has no file descriptor left until another connection ends.
                sleep_until(Instant::now() + PAUSE).await;
                None
            }
        };
        let Some((stream, ends)) = admitted else {
            continue;
        };
        let Some(TlsOptions { tls, base }) = tls_options.clone() else {
            match accepted.send((DeviceConnection::plain(stream), ends)).await {
                Ok(()) => continue,
                Err(_) => return,
            }
        };
        // Handshakes run concurrently. Each counts as a connection meanwhile.
        let accepted = accepted.clone();
        tokio::spawn(async move {
            if let Some(stream) =
                handshake::accept(stream, tls.server_config(clock::now()), &base).await
            {
                // The receiver is gone once the port is closed.
                let _ = accepted
                    .send((DeviceConnection::encrypted(stream), ends))
                    .await;
            }
        });
    }
}

/// One address for all addresses that one client can have: those of this machine's
/// loopback, and those of one IPv6 network.
fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) if address.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) if address.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            Ipv6Addr::from_bits(network).into()
        }
    }
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection; `None` if the limit is reached. At a client's own limit, its oldest
    /// connection is closed.
    fn admit(self: &Arc<Self>, stream: TcpStream, from: IpAddr) -> Option<CountedStream> {
        // If this fails, responses are delayed a little.
        let _ = stream.set_nodelay(true);
        let descriptor = rustix::io::dup(&stream).ok()?;
        let from = client_of(from);
        let mut open = self.lock();
        let of_client = || open.all.iter().filter(|(_, (ip, _))| *ip == from);
        if of_client().count() >= MAX_PER_CLIENT
            && let Some(oldest) = of_client().map(|(number, _)| *number).min()
            && let Some((_, stream)) = open.all.remove(&oldest)
        {
            // The client may have closed the connection already.
            let _ = rustix::net::shutdown(stream, Shutdown::Both);
        }
        if open.all.len() >= MAX_CONNECTIONS {
            return None;
        }
        let number = open.next;
        open.next += 1;
        open.all.insert(number, (from, descriptor));
        drop(open);
        let connections = Arc::clone(self);
        Some(CountedStream {
            stream,
            number,
            connections,
        })
    }
}

/// An open connection, counted until it is dropped.
pub(crate) struct CountedStream {
    stream: TcpStream,
    number: u64,
    connections: Arc<Connections>,
}

impl CountedStream {
    /// The first byte, which stays unread. `None` if the connection ends before.
    pub(crate) async fn peek_first(&self) -> Option<u8> {
        let mut first = [0];
        let read = self.stream.peek(&mut first).await.ok()?;
        first.first().copied().filter(|_| read > 0)
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        self.connections.lock().all.remove(&self.number);
    }
}

/// Passes accepted connections to `axum`.
struct DeviceListener(mpsc::Receiver<(DeviceConnection, Ends)>);

impl Listener for DeviceListener {
    type Io = DeviceConnection;
    type Addr = Ends;

    async fn accept(&mut self) -> (DeviceConnection, Ends) {
        match self.0.recv().await {
            Some(connection) => connection,
            // The port is closed.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Ends> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Connected<IncomingStream<'_, DeviceListener>> for DeviceEnds {
    fn connect_info(stream: IncomingStream<'_, DeviceListener>) -> Self {
        Self(*stream.remote_addr())
    }
}

impl AsyncRead for CountedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for CountedStream {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_addresses_of_one_client_count_as_one() {
        let client = |address: &str| client_of(address.parse().expect("an address"));
        for loopback in ["127.0.0.2", "127.9.9.9", "::1", "::ffff:127.0.0.3"] {
            assert_eq!(client(loopback), client("127.0.0.1"));
        }
        assert_eq!(client("fd00:77::1"), client("fd00:77::ffff:1"));
        assert_ne!(client("fd00:77::1"), client("fd00:77:0:1::1"));
        assert_ne!(client("192.168.1.2"), client("192.168.1.3"));
        assert_eq!(client("::ffff:192.168.1.2"), client("192.168.1.2"));
    }
}
