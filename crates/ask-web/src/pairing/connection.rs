//! A device's connection, encrypted or not, with a timeout of one to two minutes, so that idle
//! connections don't count against the limit.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use ask_hub::http::idle_timeout::{RESPONSE_LIMIT, ResponseTimeout};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::server::TlsStream;

use super::listener::CountedStream;

/// A connection with its idle timeout.
pub(super) struct DeviceConnection {
    stream: DeviceStream,
    unanswered: ResponseTimeout,
}

enum DeviceStream {
    Plain(CountedStream),
    Encrypted(Box<TlsStream<CountedStream>>),
}

impl DeviceConnection {
    pub(super) fn plain(stream: CountedStream) -> Self {
        Self::new(DeviceStream::Plain(stream))
    }

    pub(super) fn encrypted(stream: TlsStream<CountedStream>) -> Self {
        Self::new(DeviceStream::Encrypted(Box::new(stream)))
    }

    fn new(stream: DeviceStream) -> Self {
        Self {
            stream,
            unanswered: ResponseTimeout::after_each_response(RESPONSE_LIMIT),
        }
    }
}

impl AsyncRead for DeviceConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.unanswered.check(context)?;
        let before = buffer.filled().len();
        let read = match &mut self.stream {
            DeviceStream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            DeviceStream::Encrypted(stream) => Pin::new(stream).poll_read(context, buffer),
        };
        if buffer.filled().len() > before {
            self.unanswered.record_request();
        }
        read
    }
}

impl AsyncWrite for DeviceConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match &mut self.stream {
            DeviceStream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            DeviceStream::Encrypted(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        // A client that reads nothing must run into the timeout, so only accepted bytes count as a
        // response.
        if written.is_ready() {
            self.unanswered.record_response();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            DeviceStream::Plain(stream) => Pin::new(stream).poll_flush(context),
            DeviceStream::Encrypted(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            DeviceStream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            DeviceStream::Encrypted(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
