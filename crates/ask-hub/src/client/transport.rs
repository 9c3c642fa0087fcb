//! One connection to a running hub of at least our version, after the greeting.

use std::time::Duration;

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_protocol::ipc::{self, Request, Response};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use crate::{in_process, is_newer, spawn, version};

/// How long a hub may take to greet. The greeting needs no other work, but a machine may be so busy
/// that a hub is not run for seconds.
const GREETING: Duration = Duration::from_secs(10);

/// A connection after the greeting.
pub enum Link {
    /// To another process.
    Socket {
        /// The hub's lines.
        reading: BufReader<OwnedReadHalf>,
        /// Our lines.
        writing: OwnedWriteHalf,
        /// The part of a line that has arrived.
        line: Vec<u8>,
        /// Bytes that are queued for writing.
        out: Vec<u8>,
    },
    /// Within the process.
    Within(in_process::Ours),
}

/// The error for a closed connection.
pub struct ConnectionClosed;

/// A request without a response, kept in case it has to be sent again over another connection.
pub enum Said {
    /// The value itself, for a hub within the process.
    Value(Box<Request>),
    /// The serialized line, which takes less memory.
    Line(Box<[u8]>),
}

impl Said {
    fn line(&mut self, number: u64) -> &[u8] {
        if let Self::Value(request) = self {
            *self = Self::Line(ipc::write_request(number, request).into_boxed_slice());
        }
        match self {
            Self::Line(line) => line,
            Self::Value(_) => &[],
        }
    }

    fn value(&self) -> Option<Request> {
        match self {
            Self::Value(request) => Some((**request).clone()),
            Self::Line(line) => ipc::read_request(line).1.ok(),
        }
    }
}

impl Link {
    /// Queues a request, which [`Self::hear`] and [`Self::flush`] write. For another process it is
    /// serialized once, and only the line is kept.
    pub fn say(&mut self, number: u64, request: &mut Said) -> Result<(), ConnectionClosed> {
        match self {
            Self::Socket { out, .. } => {
                out.extend_from_slice(request.line(number));
                Ok(())
            }
            Self::Within(ours) => {
                let request = request.value().ok_or(ConnectionClosed)?;
                ours.requests
                    .send((number, request))
                    .map_err(|_| ConnectionClosed)
            }
        }
    }

    /// Writes what is queued.
    pub async fn flush(&mut self) -> Result<(), ConnectionClosed> {
        match self {
            Self::Socket { writing, out, .. } if !out.is_empty() => {
                let said = std::mem::take(out);
                writing.write_all(&said).await.map_err(|_| ConnectionClosed)
            }
            Self::Socket { .. } | Self::Within(_) => Ok(()),
        }
    }

    /// The hub's next response, with the number of its request. Queued requests are written
    /// meanwhile, because the hub stops reading from a client that doesn't read. Cancel-safe.
    pub async fn hear(&mut self) -> Result<(u64, Response), ConnectionClosed> {
        let (reading, writing, line, out) = match self {
            Self::Within(ours) => return ours.said.recv().await.ok_or(ConnectionClosed),
            Self::Socket {
                reading,
                writing,
                line,
                out,
            } => (reading, writing, line, out),
        };
        loop {
            tokio::select! {
                written = writing.write(out), if !out.is_empty() => {
                    out.drain(..written.map_err(|_| ConnectionClosed)?);
                    out.shrink_to(4_096);
                    continue;
                }
                read = reading.read_until(b'\n', line) => match read {
                    Ok(read) if read > 0 && line.ends_with(b"\n") => {}
                    Ok(_) | Err(_) => return Err(ConnectionClosed),
                },
            }
            let said = ipc::read_response(line);
            line.clear();
            line.shrink_to(4_096);
            // A newer hub may send messages that this version doesn't know.
            if let Ok(said) = said {
                return Ok(said);
            }
        }
    }

    /// Like [`Self::open`], with a time limit of twice the greeting's.
    pub async fn in_time(home: &Home) -> anyhow::Result<Self> {
        let opened = tokio::time::timeout(GREETING * 2, Self::open(home)).await;
        opened.unwrap_or_else(|_| Err(super::gone()))
    }

    /// Connects to the hub. Starts one where none runs, and replaces an older one.
    pub async fn open(home: &Home) -> anyhow::Result<Self> {
        home.prepare()
            .map_err(|error| Failure::plain(Exit::NoHub, format!("{error:#}")))?;
        for _ in 0..5 {
            match Self::try_open(home).await? {
                // The hub that is started next takes over from the older one.
                Some((_, theirs)) if is_newer(&version(), &theirs) => {}
                Some((link, _)) => return Ok(link),
                None => {}
            }
            tokio::task::spawn_blocking(spawn::ensure).await??;
        }
        Err(super::gone())
    }

    /// Connects to a running hub of any version and returns that version. `None` where no hub runs.
    ///
    /// # Errors
    /// The hub accepts the connection but doesn't greet in time.
    pub async fn try_open(home: &Home) -> anyhow::Result<Option<(Self, String)>> {
        let Ok(text) = std::fs::read_to_string(home.address_file()) else {
            return Ok(None);
        };
        let Ok(address) = ipc::read_address(&text) else {
            return Ok(None);
        };
        let Ok(stream) = UnixStream::connect(&address.socket).await else {
            return Ok(None);
        };
        let (reading, mut writing) = stream.into_split();
        let mut reading = BufReader::new(reading);
        let hello = Request::Hello { version: version() };
        if writing
            .write_all(&ipc::write_request(0, &hello))
            .await
            .is_err()
        {
            return Ok(None);
        }
        let welcome = tokio::time::timeout(GREETING, hear_one(&mut reading)).await;
        let Ok(welcome) = welcome else {
            return Err(Failure::new(
                Exit::NoHub,
                format!(
                    "the hub (process {}) is there but says nothing",
                    address.pid
                ),
                format!(
                    "it may be stopped or overloaded: `kill -CONT {0}` lets it go on, `kill -9 {0}` ends it, and a new one takes over",
                    address.pid
                ),
            )
            .into());
        };
        let Some(Response::Welcome {
            version: theirs, ..
        }) = welcome?
        else {
            return Ok(None);
        };
        let link = Self::Socket {
            reading,
            writing,
            line: Vec::new(),
            out: Vec::new(),
        };
        Ok(Some((link, theirs)))
    }
}

async fn hear_one(reading: &mut BufReader<OwnedReadHalf>) -> anyhow::Result<Option<Response>> {
    let mut line = Vec::new();
    match reading.read_until(b'\n', &mut line).await {
        Ok(read) if read > 0 => Ok(Some(ipc::read_response(&line)?.1)),
        Ok(_) | Err(_) => Ok(None),
    }
}
