//! Listening for devices at one address of this machine, and letting go of all of them at once.

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

/// How many connections there are at a time.
const MOST: usize = 256;

/// How many of them come from one address; the oldest goes first.
const MOST_OF_ONE: usize = 32;

/// After how long one that can't be taken is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// Where a request came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller(pub IpAddr);

/// What HTTPS is spoken with, and where links lead.
#[derive(Clone)]
pub struct Encrypted {
    /// The certificate.
    pub tls: Arc<Tls>,
    /// `https://desk.lan:4127`.
    pub base: String,
}

/// A port that listens for devices.
pub struct Listening {
    /// Which port it is.
    pub port: u16,
    /// What listens there.
    listener: OwnedFd,
    accepting: JoinHandle<()>,
    serving: JoinHandle<()>,
    lines: Arc<Lines>,
}

/// Connections that are open, each with a descriptor to hang up by.
#[derive(Default)]
struct Lines(Mutex<Open>);

#[derive(Default)]
struct Open {
    next: u64,
    all: HashMap<u64, (IpAddr, OwnedFd)>,
}

/// Takes a port of an address.
pub async fn bind(address: IpAddr, port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((address, port)).await
}

/// Serves whoever comes there, by HTTPS where there is a certificate.
pub fn serve(
    listener: TcpListener,
    router: Router,
    encrypted: Option<Encrypted>,
) -> io::Result<Listening> {
    let port = listener.local_addr()?.port();
    let listens = rustix::io::dup(&listener)?;
    let lines = Arc::new(Lines::default());
    let (taken, coming) = mpsc::channel(1);
    let accepting = tokio::spawn(accept(listener, Arc::clone(&lines), taken, encrypted));
    let service = router.into_make_service_with_connect_info::<Caller>();
    let serving = tokio::spawn(async move {
        let _ = axum::serve(DeviceListener(coming), service).await;
    });
    Ok(Listening {
        port,
        listener: listens,
        accepting,
        serving,
        lines,
    })
}

impl Listening {
    /// Closes the port, and returns once it can be had again.
    pub async fn close(mut self) {
        self.accepting.abort();
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for Listening {
    /// Closes the port, and hangs up on everybody.
    fn drop(&mut self) {
        // The task that takes connections ends a moment later, and until then they would come in.
        let _ = rustix::net::shutdown(&self.listener, Shutdown::Both);
        self.accepting.abort();
        self.serving.abort();
        for (_, line) in self.lines.open().all.values() {
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
                // Out of file descriptors, most likely: it passes when somebody goes.
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
        // Greetings don't wait for each other. They count among the connections while they last.
        let taken = taken.clone();
        tokio::spawn(async move {
            if let Some(stream) = handshake::greet(line, tls.serves(clock::now()), &base).await {
                // Nobody takes it once devices may come no more.
                let _ = taken
                    .send((DeviceConnection::encrypted(stream), address))
                    .await;
            }
        });
    }
}

impl Lines {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a connection in, if there is room for it.
    fn take(self: &Arc<Self>, stream: TcpStream, from: IpAddr) -> Option<Line> {
        // Where that can't be had, replies come a little later.
        let _ = stream.set_nodelay(true);
        let descriptor = rustix::io::dup(&stream).ok()?;
        let mut open = self.open();
        let of_one = || open.all.iter().filter(|(_, (ip, _))| *ip == from);
        if of_one().count() >= MOST_OF_ONE
            && let Some(oldest) = of_one().map(|(number, _)| *number).min()
            && let Some((_, line)) = open.all.remove(&oldest)
        {
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

/// One connection.
pub struct Line {
    stream: TcpStream,
    number: u64,
    lines: Arc<Lines>,
}

impl Line {
    /// The first byte that comes, which stays there to be read.
    pub async fn first(&self) -> Option<u8> {
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

/// Connections as they were taken.
struct DeviceListener(mpsc::Receiver<(DeviceConnection, SocketAddr)>);

impl Listener for DeviceListener {
    type Io = DeviceConnection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (DeviceConnection, SocketAddr) {
        match self.0.recv().await {
            Some(comer) => comer,
            // Nobody comes any more.
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
