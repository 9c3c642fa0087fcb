//! One connection of a client to the hub: request lines in, response lines out.

use std::io;
use std::rc::Rc;

use ask_protocol::ipc::{self, ErrorKind, Response};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;
use tokio::sync::mpsc;

use super::hub::{CHANGES_AHEAD, ConnectionId, Hub, caller_of};

/// How many bytes are collected for one write, and how much capacity the buffer keeps afterwards.
const TOGETHER: usize = 64 * 1024;
const KEPT: usize = 4_096;

/// With this many unread responses, no further requests are read from the client.
const MOST_BEHIND: usize = 256;

/// Serves a client until it disconnects.
pub(crate) async fn serve(hub: Rc<Hub>, client: ConnectionId, stream: UnixStream) {
    let caller = caller_of(stream.peer_cred().ok().and_then(|peer| peer.pid()));
    let (reading, mut writing) = stream.into_split();
    let (outgoing, mut responses) = mpsc::unbounded_channel();
    hub.connect(client, outgoing, caller, false);
    let mut incoming = Incoming {
        reading: BufReader::new(reading),
        line: Vec::new(),
    };
    let mut outgoing = Outgoing {
        bytes: Vec::new(),
        written: 0,
        pushed: 0,
        is_cut: false,
    };
    loop {
        tokio::select! {
            read = incoming.fill(), if responses.len() < MOST_BEHIND => match read {
                Ok(true) => incoming.take(&hub, client),
                Ok(false) | Err(_) => break,
            },
            wrote = writing.write(outgoing.unwritten()), if !outgoing.unwritten().is_empty() => {
                match wrote {
                    Ok(wrote) => outgoing.written += wrote,
                    // Requests that it sent before it disconnected are still handled.
                    Err(_) => outgoing.cut(),
                }
                if outgoing.unwritten().is_empty() && outgoing.pushed >= CHANGES_AHEAD / 2 {
                    outgoing.pushed = 0;
                    hub.drained(client);
                }
            }
            next = responses.recv(), if outgoing.unwritten().is_empty() => match next {
                Some(first) => outgoing.fill(first, &mut responses),
                // The hub dropped the connection.
                None => break,
            },
        }
    }
    hub.disconnect(client);
}

/// A response and the number of its request.
type Said = (u64, Response);

/// The requests of the client.
struct Incoming {
    reading: BufReader<OwnedReadHalf>,
    /// The part of a line that has arrived.
    line: Vec<u8>,
}

impl Incoming {
    /// Reads to the end of a line. Returns false at the end of the stream and for a line that is
    /// too long. Cancel-safe.
    async fn fill(&mut self) -> io::Result<bool> {
        let limit = (ipc::MAX_LINE_BYTES as u64 + 1).saturating_sub(self.line.len() as u64);
        let mut rest = (&mut self.reading).take(limit);
        let read = rest.read_until(b'\n', &mut self.line).await?;
        Ok(read > 0 && self.line.ends_with(b"\n"))
    }

    fn take(&mut self, hub: &Rc<Hub>, client: ConnectionId) {
        let (number, request) = ipc::read_request(&self.line);
        match request {
            Ok(request) => hub.serve(client, number, request),
            Err(malformed) => {
                let fault = Response::Fault {
                    kind: ErrorKind::Malformed,
                    text: malformed.to_string(),
                };
                hub.say(client, number, fault);
            }
        }
        self.line.clear();
        // One large request must not keep its memory for as long as the connection lasts.
        self.line.shrink_to(KEPT);
    }
}

/// The responses to the client.
struct Outgoing {
    bytes: Vec<u8>,
    written: usize,
    /// Changes that were written since the engine last heard that the client keeps up.
    pushed: usize,
    /// Whether a write failed. What is left to write is dropped.
    is_cut: bool,
}

impl Outgoing {
    fn unwritten(&self) -> &[u8] {
        &self.bytes[self.written..]
    }

    /// Serializes a response and those queued behind it, so that few writes are needed.
    fn fill(&mut self, first: Said, behind: &mut mpsc::UnboundedReceiver<Said>) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT);
        self.written = 0;
        let mut next = Some(first);
        while let Some((number, response)) = next {
            self.append(number, &response);
            next = match self.bytes.len() < TOGETHER {
                true => behind.try_recv().ok(),
                false => None,
            };
        }
    }

    fn cut(&mut self) {
        self.bytes = Vec::new();
        self.written = 0;
        self.is_cut = true;
    }

    fn append(&mut self, number: u64, response: &Response) {
        match response {
            _ if self.is_cut => {}
            Response::Change(change) => {
                self.bytes.extend_from_slice(change.line());
                self.pushed += 1;
            }
            other => self.bytes.extend(ipc::write_response(number, other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ask_core::{Ask, AskId, Asker, Time, lifecycle};
    use ask_protocol::ipc::{Request, TakeUp};
    use ask_store::sqlite::Sqlite;
    use tokio::io::BufReader;
    use tokio::task::LocalSet;

    use super::*;
    use crate::hub::HubSettings;

    /// More than socket buffers and the limit on unread responses can hold.
    const LINES: usize = 100_000;

    /// A hub over a store in a folder of its own, and what a test does with it.
    fn with_hub<F: Future<Output = ()>>(name: &str, story: impl FnOnce(Rc<Hub>) -> F) {
        let name = format!("ask-user-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let day = Duration::from_secs(86_400);
        let opened = Sqlite::open(
            &folder.join("ask-user.db"),
            &folder.join("attachments"),
            day,
        );
        let hub = Hub::new(opened.unwrap(), HubSettings::with_take_up(day));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        LocalSet::new().block_on(&runtime.unwrap(), story(hub));
        // The store's thread may still write there, so removal may fail. The system cleans its
        // temporary folder.
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn a_client_that_takes_nothing_is_read_no_further() {
        with_hub("behind", flood);
    }

    #[test]
    fn who_is_let_go_of_is_not_heard_any_more() {
        with_hub("let-go", async |hub| {
            let (outgoing, _said) = mpsc::unbounded_channel();
            hub.connect(ConnectionId(1), outgoing, None, false);
            hub.flush().await;
            let id = AskId::parse("a_0123456789abcdef").unwrap();
            let record = lifecycle::open(id, "native", Ask::default(), Asker::default(), Time(0));
            let open = Request::Open {
                record: Box::new(record),
                wait: false,
                take_up: TakeUp::Never,
            };
            hub.serve(ConnectionId(1), 1, open);
            assert!(hub.idle_since().is_some(), "nothing waits");
        });
    }

    async fn flood(hub: Rc<Hub>) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let serving = tokio::task::spawn_local(serve(hub, ConnectionId(1), theirs));
        let (reading, mut writing) = ours.into_split();
        // This test is single-threaded: when the hub leaves the socket full, it has stopped
        // reading.
        let all = b"this is no request of the hub's\n".repeat(LINES);
        let mut written = 0;
        for _ in 0..1_000 {
            while let Ok(wrote) = writing.try_write(&all[written..]) {
                written += wrote;
                if written == all.len() {
                    break;
                }
            }
            tokio::task::yield_now().await;
        }
        assert!(written < all.len(), "all was read");
        let (mut replies, mut reply) = (BufReader::new(reading), String::new());
        let rest = async { writing.write_all(&all[written..]).await };
        let read = async {
            for _ in 0..LINES {
                reply.clear();
                assert!(replies.read_line(&mut reply).await.unwrap() > 0);
            }
        };
        let (rest, ()) = tokio::join!(rest, read);
        rest.unwrap();
        drop((writing, replies));
        serving.await.unwrap();
    }
}
