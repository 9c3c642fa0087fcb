//! The standard streams. They are polled like sockets if the system allows it, otherwise a thread
//! reads and writes them. And a reader of lines of bounded length.

use std::io;
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::pin::Pin;

use rustix::fs::{FileType, Mode, OFlags};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// An input stream of this process.
pub(crate) type InputStream = Pin<Box<dyn AsyncRead + Send>>;
/// An output stream of this process.
pub type OutputStream = Pin<Box<dyn AsyncWrite + Send>>;

/// Opens the standard input stream.
pub fn stdin() -> InputStream {
    match reopen(io::stdin(), OFlags::RDONLY) {
        Some(Stream::Socket(socket)) => return Box::pin(socket),
        Some(Stream::Pipe(fd)) => {
            if let Ok(pipe) = pipe::Receiver::from_owned_fd(fd) {
                return Box::pin(pipe);
            }
        }
        None => {}
    }
    Box::pin(tokio::io::stdin())
}

/// Opens the standard output stream.
pub fn stdout() -> OutputStream {
    match reopen(io::stdout(), OFlags::WRONLY) {
        Some(Stream::Socket(socket)) => return Box::pin(socket),
        Some(Stream::Pipe(fd)) => {
            if let Ok(pipe) = pipe::Sender::from_owned_fd(fd) {
                return Box::pin(pipe);
            }
        }
        None => {}
    }
    Box::pin(tokio::io::stdout())
}

enum Stream {
    Pipe(OwnedFd),
    Socket(UnixStream),
}

/// Opens a stream for polling. A pipe is opened a second time, so that non-blocking mode affects
/// only this process. A socket is duplicated. `None` for anything else, such as a file or a
/// terminal.
fn reopen(fd: impl AsFd, access: OFlags) -> Option<Stream> {
    let fd = fd.as_fd();
    match FileType::from_raw_mode(rustix::fs::fstat(fd).ok()?.st_mode) {
        FileType::Socket => {
            let socket = std::os::unix::net::UnixStream::from(fd.try_clone_to_owned().ok()?);
            socket.set_nonblocking(true).ok()?;
            UnixStream::from_std(socket).ok().map(Stream::Socket)
        }
        FileType::Fifo => {
            let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
            let flags = access | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let pipe = rustix::fs::open(path, flags, Mode::empty());
            pipe.ok().map(Stream::Pipe)
        }
        _ => None,
    }
}

/// A line without its line feed.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// The bytes; only the beginning if the line is too long.
    pub bytes: Vec<u8>,
    /// The full length in bytes.
    pub length: usize,
    /// Whether a line feed ended it. Only the last line may lack one.
    pub is_ended: bool,
}

/// A stream, line by line.
pub struct Lines {
    input: BufReader<InputStream>,
    limit: usize,
    bytes: Vec<u8>,
    length: usize,
}

impl Lines {
    /// Keeps at most `limit` bytes of a line.
    pub fn new(input: InputStream, limit: usize) -> Self {
        Self {
            input: BufReader::new(input),
            limit,
            bytes: Vec::new(),
            length: 0,
        }
    }

    /// The next line; `None` at the end. Cancel-safe.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                return Ok((self.length > 0).then(|| self.take(false)));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let free = self.limit - self.bytes.len();
            self.bytes.extend_from_slice(&part[..part.len().min(free)]);
            self.length += part.len();
            let read = part.len() + usize::from(end.is_some());
            self.input.consume(read);
            if end.is_some() {
                return Ok(Some(self.take(true)));
            }
        }
    }

    fn take(&mut self, is_ended: bool) -> Line {
        Line {
            bytes: std::mem::take(&mut self.bytes),
            length: std::mem::take(&mut self.length),
            is_ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_bounded_and_the_last_may_have_no_end() {
        let mut lines = Lines::new(Box::pin(&b"one\n\nlonger\nrest"[..]), 4);
        let mut read = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            read.push((line.bytes, line.length, line.is_ended));
        }
        let line = |bytes: &[u8], length, is_ended| (bytes.to_vec(), length, is_ended);
        assert_eq!(
            read,
            [
                line(b"one", 3, true),
                line(b"", 0, true),
                line(b"long", 6, true),
                line(b"rest", 4, false),
            ]
        );
    }
}
