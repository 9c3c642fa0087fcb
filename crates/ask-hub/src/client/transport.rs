//! One connection to a running hub of at least our version, after the greeting.

use std::time::Duration;

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_config::process;
use ask_protocol::ipc::{self, Address, Request, Response};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use crate::{in_process, replaces, spawn, version};

/// How long a hub may take to greet. A greeting takes no work, but on a busy machine the hub may
/// not run for seconds.
const GREETING_LIMIT: Duration = Duration::from_secs(10);

/// A connection after the greeting.
pub enum Link {
    /// A connection to another process.
    Socket {
        /// Reads the hub's responses.
        reader: BufReader<OwnedReadHalf>,
        /// Writes our requests.
        writer: OwnedWriteHalf,
        /// The part of a line that has arrived.
        line: Vec<u8>,
        /// Bytes that are queued for writing.
        out: Vec<u8>,
    },
    /// A connection within this process.
    InProcess(in_process::ClientEnd),
}

/// The error for a closed connection.
pub struct ConnectionClosed;

/// A request that may have to be sent again over another connection.
pub enum QueuedRequest {
    /// The value itself, for a hub within the process.
    Value(Box<Request>),
    /// The serialized line, which takes less memory.
    Line(Box<[u8]>),
}

impl QueuedRequest {
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
    /// Queues a request, which [`Self::receive`] and [`Self::flush`] write. For another process it
    /// is serialized once, and only the line is kept.
    pub fn queue(
        &mut self,
        number: u64,
        request: &mut QueuedRequest,
    ) -> Result<(), ConnectionClosed> {
        match self {
            Self::Socket { out, .. } => {
                out.extend_from_slice(request.line(number));
                Ok(())
            }
            Self::InProcess(client_end) => {
                let request = request.value().ok_or(ConnectionClosed)?;
                client_end
                    .requests
                    .send((number, request))
                    .map_err(|_| ConnectionClosed)
            }
        }
    }

    /// Writes the queued requests.
    pub async fn flush(&mut self) -> Result<(), ConnectionClosed> {
        match self {
            Self::Socket { writer, out, .. } if !out.is_empty() => {
                let bytes = std::mem::take(out);
                writer.write_all(&bytes).await.map_err(|_| ConnectionClosed)
            }
            Self::Socket { .. } | Self::InProcess(_) => Ok(()),
        }
    }

    /// The hub's next response, with the number of its request. Queued requests are written
    /// meanwhile, because the hub stops reading from a client that doesn't read. Cancel-safe.
    pub async fn receive(&mut self) -> Result<(u64, Response), ConnectionClosed> {
        let (reader, writer, line, out) = match self {
            Self::InProcess(client_end) => {
                return client_end.responses.recv().await.ok_or(ConnectionClosed);
            }
            Self::Socket {
                reader,
                writer,
                line,
                out,
            } => (reader, writer, line, out),
        };
        loop {
            tokio::select! {
                written = writer.write(out), if !out.is_empty() => {
                    out.drain(..written.map_err(|_| ConnectionClosed)?);
                    out.shrink_to(4_096);
                    continue;
                }
                read = reader.read_until(b'\n', line) => match read {
                    Ok(read) if read > 0 && line.ends_with(b"\n") => {}
                    Ok(_) | Err(_) => return Err(ConnectionClosed),
                },
            }
            let response = ipc::read_response(line);
            line.clear();
            line.shrink_to(4_096);
            // A newer hub may send messages that this version doesn't know.
            if let Ok(response) = response {
                return Ok(response);
            }
        }
    }

    /// Connects to the hub. Starts one where none runs, and replaces an older one.
    pub async fn open(home: &Home) -> anyhow::Result<Self> {
        home.prepare()
            .map_err(|error| Failure::plain(Exit::NoHub, format!("{error:#}")))?;
        for _ in 0..5 {
            match Self::try_open(home).await? {
                // The hub that is started below takes over from the older one.
                Some((_, hub)) if replaces(home, &hub) => {}
                Some((link, _)) => return Ok(link),
                None => {}
            }
            tokio::task::spawn_blocking(spawn::ensure_running).await??;
        }
        Err(super::hub_unreachable())
    }

    /// Connects to a running hub of any version, which is returned. `None` where no hub runs.
    ///
    /// # Errors
    /// The hub accepts the connection but doesn't greet in time.
    pub async fn try_open(home: &Home) -> anyhow::Result<Option<(Self, Address)>> {
        let Ok(text) = std::fs::read_to_string(home.address_file()) else {
            return Ok(None);
        };
        let Ok(mut address) = ipc::read_address(&text) else {
            return Ok(None);
        };
        let Ok(stream) = UnixStream::connect(&address.socket).await else {
            return Ok(None);
        };
        // Another account may have taken the path, for example in /tmp after a restart of the machine.
        let served_by = stream.peer_cred().map(|peer| peer.uid());
        if !served_by.is_ok_and(process::is_same_account) {
            return Ok(None);
        }
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader);
        let hello = Request::Hello { version: version() };
        if writer
            .write_all(&ipc::write_request(0, &hello))
            .await
            .is_err()
        {
            return Ok(None);
        }
        let welcome = tokio::time::timeout(greeting_limit(), read_response(&mut reader)).await;
        let Ok(welcome) = welcome else {
            return Err(Failure::new(
                Exit::NoHub,
                format!(
                    "the hub (process {}) accepts connections but doesn't respond",
                    address.pid
                ),
                format!(
                    "it may be stopped or overloaded: `kill -CONT {0}` resumes it, `kill -9 {0}` ends it, and a new one takes over",
                    address.pid
                ),
            )
            .into());
        };
        let Some(Response::Welcome { version, .. }) = welcome? else {
            return Ok(None);
        };
        address.version = version;
        let link = Self::Socket {
            reader,
            writer,
            line: Vec::new(),
            out: Vec::new(),
        };
        Ok(Some((link, address)))
    }
}

fn greeting_limit() -> Duration {
    // The machine of a test may be busier than any other.
    #[cfg(feature = "testing")]
    if std::env::var_os("ASK_USER_TEST_PATIENCE").is_some() {
        return 6 * GREETING_LIMIT;
    }
    GREETING_LIMIT
}

async fn read_response(reader: &mut BufReader<OwnedReadHalf>) -> anyhow::Result<Option<Response>> {
    let mut line = Vec::new();
    match reader.read_until(b'\n', &mut line).await {
        Ok(read) if read > 0 => Ok(Some(ipc::read_response(&line)?.1)),
        Ok(_) | Err(_) => Ok(None),
    }
}
