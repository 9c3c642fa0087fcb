//! A connection in the hub's own protocol, used by the campaign's surfaces and its probe. A broken
//! connection isn't repaired; whoever needs one opens another.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use ask_core::Record;
use ask_protocol::ipc::{self, Changed, Request, Response};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use crate::dirs::Dirs;

/// A connection to the hub.
pub(crate) struct HubConnection {
    /// The hub's process id, from its own response.
    pub pid: u32,
    reading: BufReader<OwnedReadHalf>,
    writing: OwnedWriteHalf,
    next: u64,
    /// Changes that the hub has sent and that haven't been read.
    pushed: VecDeque<Arc<Record>>,
    /// The beginning of an incomplete line.
    received: Vec<u8>,
}

/// A hub that doesn't respond within this time has lost the request.
const LIMIT: Duration = Duration::from_secs(20);

impl HubConnection {
    /// Connects to the running hub.
    pub(crate) async fn open(dirs: &Dirs) -> Option<Self> {
        let left = std::fs::read_to_string(dirs.home().join("hub.json")).ok()?;
        let address = ipc::read_address(&left).ok()?;
        let stream = UnixStream::connect(&address.socket).await.ok()?;
        let (reading, writing) = stream.into_split();
        let mut connection = Self {
            pid: 0,
            reading: BufReader::new(reading),
            writing,
            next: 0,
            pushed: VecDeque::new(),
            received: Vec::new(),
        };
        let hello = Request::Hello {
            version: "0".to_owned(),
        };
        match connection.call(&hello).await? {
            Response::Welcome { pid, .. } => connection.pid = pid,
            _ => return None,
        }
        Some(connection)
    }

    /// Starts a hub if none runs, and connects to it.
    pub(crate) async fn start(dirs: &Dirs) -> Option<Self> {
        if let Some(connection) = Self::open(dirs).await {
            return Some(connection);
        }
        let mut start = dirs.command(&["hub", "--start"]);
        // If no hub can be started, the caller gets no connection.
        let _ = start.output().await;
        Self::open(dirs).await
    }

    /// Sends a request; returns the response, or `None` if the connection broke.
    pub(crate) async fn call(&mut self, request: &Request) -> Option<Response> {
        self.next += 1;
        let line = ipc::write_request(self.next, request);
        self.writing.write_all(&line).await.ok()?;
        loop {
            let (number, response) = self.receive(LIMIT).await?;
            if number == self.next {
                return Some(response);
            }
            self.keep(response);
        }
    }

    /// The next change; `None` if none arrived in time or the connection broke.
    pub(crate) async fn change(&mut self, limit: Duration) -> Option<Arc<Record>> {
        if self.pushed.is_empty() {
            let (_, response) = self.receive(limit).await?;
            self.keep(response);
        }
        self.pushed.pop_front()
    }

    fn keep(&mut self, response: Response) {
        match response {
            Response::Change(change) => {
                if let Changed::Record(record) = &change.what {
                    self.pushed.push_back(Arc::clone(record));
                }
            }
            Response::Records { records, .. } => self.pushed.extend(records),
            _ => {}
        }
    }

    async fn receive(&mut self, limit: Duration) -> Option<(u64, Response)> {
        let reading = self.reading.read_until(b'\n', &mut self.received);
        tokio::time::timeout(limit, reading).await.ok()?.ok()?;
        let line = std::mem::take(&mut self.received);
        line.ends_with(b"\n")
            .then(|| ipc::read_response(&line).ok())
            .flatten()
    }
}
