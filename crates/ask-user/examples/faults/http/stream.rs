//! One HTTP/1.1 request and the stream of its response, written by hand, so that it can break at
//! any byte and unread bytes can be inspected.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::net::{RecvFlags, Shutdown, sockopt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A server that doesn't close its side within this time sends nothing more.
const SILENCE: Duration = Duration::from_secs(2);

/// How many bytes are read at once.
const BUFFER_BYTES: usize = 16 * 1024;

/// A response that is being received.
pub(super) struct Stream {
    /// Whether it resumes a broken stream.
    pub resumes: bool,
    /// The connection; `None` after a reset.
    tcp: Option<TcpStream>,
    raw: Vec<u8>,
    head: Option<Head>,
    text: Vec<u8>,
    ended: bool,
}

struct Head {
    status: u16,
    session: Option<String>,
    length: Option<usize>,
    chunked: bool,
    events: bool,
}

/// An event of the stream.
pub(super) struct Message {
    /// The id after which the stream can be resumed.
    pub id: Option<String>,
    /// The message, or an empty text.
    pub data: String,
}

impl Stream {
    /// Sends a request.
    pub(super) async fn send(port: u16, request: &str) -> io::Result<Self> {
        let mut tcp = TcpStream::connect(("127.0.0.1", port)).await?;
        tcp.set_nodelay(true)?;
        tcp.write_all(request.as_bytes()).await?;
        Ok(Self {
            resumes: request.starts_with("GET"),
            tcp: Some(tcp),
            raw: Vec::new(),
            head: None,
            text: Vec::new(),
            ended: false,
        })
    }

    /// The response's status, once its head has arrived.
    pub(super) fn status(&self) -> Option<u16> {
        self.head.as_ref().map(|head| head.status)
    }

    /// The session that the response opened.
    pub(super) fn session(&self) -> Option<String> {
        self.head.as_ref()?.session.clone()
    }

    /// Whether the response is complete.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Waits until there is something to read.
    pub(super) async fn readable(&self) {
        // An error shows when reading.
        if let Some(tcp) = &self.tcp {
            let _ = tcp.readable().await;
        }
    }

    /// Reads more bytes; false at the end of the connection.
    pub(super) async fn more(&mut self) -> io::Result<bool> {
        // As many as there are, like clients do.
        self.raw.reserve(BUFFER_BYTES);
        let tcp = self.tcp.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        let read = tcp.read_buf(&mut self.raw).await?;
        self.unwrap();
        Ok(read > 0)
    }

    /// Reads to the end.
    pub(super) async fn whole(&mut self) -> io::Result<()> {
        while !self.ended && self.more().await? {}
        Ok(())
    }

    /// Closes the connection in order and reads what the server had sent until then, which
    /// [`Self::message`] returns.
    pub(super) async fn close(&mut self) {
        if let Some(tcp) = &self.tcp {
            // If the peer has closed the connection already, nothing has to be shut down.
            let _ = rustix::net::shutdown(tcp.as_fd(), Shutdown::Write);
        }
        while let Ok(Ok(true)) = tokio::time::timeout(SILENCE, self.more()).await {}
    }

    /// Resets the connection at once. What was unread in it is returned by [`Self::message`].
    pub(super) fn reset(&mut self) {
        let Some(tcp) = self.tcp.take() else { return };
        let mut buffer = [0; BUFFER_BYTES];
        while let Ok((_, length @ 1..)) =
            rustix::net::recv(tcp.as_fd(), &mut buffer, RecvFlags::DONTWAIT)
        {
            self.raw.extend_from_slice(&buffer[..length]);
        }
        // Without this option the connection is closed instead of reset, which is a fault as well.
        let _ = sockopt::set_socket_linger(tcp.as_fd(), Some(Duration::ZERO));
        drop(tcp);
        self.unwrap();
    }

    /// The next complete message.
    pub(super) fn message(&mut self) -> Option<Message> {
        let head = self.head.as_ref()?;
        if !head.events {
            let whole = self.ended && !self.text.is_empty();
            let data = whole.then(|| std::mem::take(&mut self.text))?;
            let data = String::from_utf8_lossy(&data).into_owned();
            return Some(Message { id: None, data });
        }
        let end = find(&self.text, b"\n\n")?;
        let event: Vec<u8> = self.text.drain(..end + 2).collect();
        let event = String::from_utf8_lossy(&event);
        let field = |name: &str| {
            let mut lines = event.lines();
            lines.find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()))
        };
        let (id, data) = (field("id:"), field("data:").unwrap_or_default());
        Some(Message { id, data })
    }

    fn unwrap(&mut self) {
        if self.head.is_none()
            && let Some(end) = find(&self.raw, b"\r\n\r\n")
        {
            let head: Vec<u8> = self.raw.drain(..end + 4).collect();
            self.head = Some(Head::read(&String::from_utf8_lossy(&head)));
        }
        let Some(head) = &mut self.head else { return };
        while head.chunked && !self.ended {
            let Some(line) = find(&self.raw, b"\r\n") else {
                return;
            };
            let size = String::from_utf8_lossy(&self.raw[..line]).into_owned();
            let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
            let end = line + 2 + size + 2;
            if self.raw.len() < end {
                return;
            }
            self.text.extend_from_slice(&self.raw[line + 2..end - 2]);
            self.raw.drain(..end);
            self.ended = size == 0;
        }
        if let Some(length) = head.length {
            self.text.append(&mut self.raw);
            self.ended = self.text.len() >= length;
        }
    }
}

impl Head {
    fn read(text: &str) -> Self {
        let field = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(':'));
            let found = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.trim().to_owned())
        };
        let status = text
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let is = |name, wanted: &str| field(name).is_some_and(|value| value.starts_with(wanted));
        Self {
            status: status.unwrap_or(0),
            session: field("mcp-session-id"),
            length: field("content-length").and_then(|length| length.parse().ok()),
            chunked: is("transfer-encoding", "chunked"),
            events: is("content-type", "text/event-stream"),
        }
    }
}

fn find(within: &[u8], what: &[u8]) -> Option<usize> {
    within.windows(what.len()).position(|here| here == what)
}
