//! One connection of a client to the hub: request lines in, response lines out.

use std::io;
use std::rc::Rc;

use ask_protocol::ipc::{self, ErrorKind, Request, Response};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;
use tokio::sync::mpsc;

use super::hub::{CHANGES_AHEAD, ConnectionId, Hub, find_caller};

/// How many bytes are collected for one write, and the capacity that the buffer keeps afterwards.
const MAX_WRITE: usize = 64 * 1024;
const KEPT_CAPACITY: usize = 4_096;

/// With this many unread responses, no further requests are read from the client.
const MAX_UNREAD: usize = 256;

/// Serves a client until it disconnects.
pub(crate) async fn serve(hub: Rc<Hub>, client: ConnectionId, stream: UnixStream) {
    let caller = find_caller(stream.peer_cred().ok().and_then(|peer| peer.pid()));
    let (reader, mut writer) = stream.into_split();
    let (outgoing, mut responses) = mpsc::unbounded_channel();
    hub.connect(client, outgoing, caller, false);
    let mut incoming = Incoming {
        reader: BufReader::new(reader),
        line: Vec::new(),
    };
    let mut outgoing = Outgoing {
        bytes: Vec::new(),
        written: 0,
        pushed: 0,
        is_discarded: false,
    };
    loop {
        tokio::select! {
            read = incoming.fill(), if responses.len() < MAX_UNREAD => match read {
                Ok(true) => incoming.handle_line(&hub, client),
                Ok(false) | Err(_) => break,
            },
            wrote = writer.write(outgoing.unwritten()), if !outgoing.unwritten().is_empty() => {
                match wrote {
                    Ok(wrote) => outgoing.written += wrote,
                    // Requests that it sent before it disconnected are still handled, all but asks.
                    Err(_) => outgoing.discard(),
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
type NumberedResponse = (u64, Response);

/// The requests of the client.
struct Incoming {
    reader: BufReader<OwnedReadHalf>,
    /// The part of a line that has arrived.
    line: Vec<u8>,
}

impl Incoming {
    /// Reads to the end of a line. Returns false at the end of the stream and for a line that is
    /// too long. Cancel-safe.
    async fn fill(&mut self) -> io::Result<bool> {
        let limit = (ipc::MAX_LINE_BYTES as u64 + 1).saturating_sub(self.line.len() as u64);
        let mut rest = (&mut self.reader).take(limit);
        let read = rest.read_until(b'\n', &mut self.line).await?;
        Ok(read > 0 && self.line.ends_with(b"\n"))
    }

    fn handle_line(&mut self, hub: &Rc<Hub>, client: ConnectionId) {
        let (number, request) = ipc::read_request(&self.line);
        match request {
            // The caller has given up, and may have had the answer in another way: the hub may have
            // hung for minutes. Everything else that it sent still counts.
            Ok(Request::Open { .. }) if self.is_hung_up() => {}
            Ok(request) => hub.serve(client, number, request),
            Err(malformed) => {
                let fault = Response::Fault {
                    kind: ErrorKind::Malformed,
                    text: malformed.to_string(),
                };
                hub.send(client, number, fault);
            }
        }
        self.line.clear();
        // One large request must not keep its memory for as long as the connection lasts.
        self.line.shrink_to(KEPT_CAPACITY);
    }

    /// Whether the client has closed its end.
    fn is_hung_up(&self) -> bool {
        let stream: &UnixStream = self.reader.get_ref().as_ref();
        let mut ends = [PollFd::new(stream, PollFlags::empty())];
        // A hang-up is always reported.
        poll(&mut ends, Some(&Timespec::default()))
            .is_ok_and(|_| ends[0].revents().contains(PollFlags::HUP))
    }
}

/// The responses to the client.
struct Outgoing {
    bytes: Vec<u8>,
    written: usize,
    /// Changes that were written since [`Hub::drained`] was called.
    pushed: usize,
    /// Whether a write failed. Then all responses are dropped.
    is_discarded: bool,
}

impl Outgoing {
    fn unwritten(&self) -> &[u8] {
        &self.bytes[self.written..]
    }

    /// Serializes a response and those queued behind it, so that few writes are needed.
    fn fill(
        &mut self,
        first: NumberedResponse,
        queued: &mut mpsc::UnboundedReceiver<NumberedResponse>,
    ) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_CAPACITY);
        self.written = 0;
        let mut next = Some(first);
        while let Some((number, response)) = next {
            self.append(number, &response);
            next = match self.bytes.len() < MAX_WRITE {
                true => queued.try_recv().ok(),
                false => None,
            };
        }
    }

    fn discard(&mut self) {
        self.bytes = Vec::new();
        self.written = 0;
        self.is_discarded = true;
    }

    fn append(&mut self, number: u64, response: &Response) {
        match response {
            _ if self.is_discarded => {}
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
    use ask_protocol::ipc::TakeUp;
    use ask_store::sqlite::Sqlite;
    use tokio::io::BufReader;
    use tokio::task::LocalSet;

    use super::*;
    use crate::hub::HubSettings;

    /// More than socket buffers and the limit on unread responses can hold.
    const LINES: usize = 100_000;

    /// Runs a test with a hub over a store in a folder of its own.
    fn with_hub<F: Future<Output = ()>>(name: &str, test: impl FnOnce(Rc<Hub>) -> F) {
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
        LocalSet::new().block_on(&runtime.unwrap(), test(hub));
        // The store's thread may still write there, so removal may fail. The system cleans its
        // temporary folder.
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn the_hub_stops_reading_from_a_client_that_reads_no_responses() {
        with_hub("behind", flood_without_reading);
    }

    #[test]
    fn requests_of_a_dropped_connection_are_ignored() {
        with_hub("let-go", async |hub| {
            let (outgoing, _responses) = mpsc::unbounded_channel();
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

    #[test]
    fn an_ask_is_not_opened_for_a_client_that_has_hung_up() {
        with_hub("hung-up", async |hub| {
            let (mut client, server) = UnixStream::pair().unwrap();
            let id = AskId::parse("a_0123456789abcdef").unwrap();
            let record = lifecycle::open(id, "native", Ask::default(), Asker::default(), Time(0));
            let open = Request::Open {
                record: Box::new(record),
                wait: false,
                take_up: TakeUp::Never,
            };
            let open = ipc::write_request(1, &open);
            client.write_all(&open).await.unwrap();
            drop(client);
            serve(Rc::clone(&hub), ConnectionId(1), server).await;
            assert!(hub.idle_since().is_some(), "nothing waits");
        });
    }

    async fn flood_without_reading(hub: Rc<Hub>) {
        let (client_end, server_end) = UnixStream::pair().unwrap();
        let serving = tokio::task::spawn_local(serve(hub, ConnectionId(1), server_end));
        let (reader, mut writer) = client_end.into_split();
        // This test has one thread, so a full socket means that the hub has stopped reading.
        let requests = b"this is no request of the hub's\n".repeat(LINES);
        let mut written = 0;
        for _ in 0..1_000 {
            while let Ok(wrote) = writer.try_write(&requests[written..]) {
                written += wrote;
                if written == requests.len() {
                    break;
                }
            }
            tokio::task::yield_now().await;
        }
        assert!(written < requests.len(), "all was read");
        let (mut replies, mut reply) = (BufReader::new(reader), String::new());
        let rest = async { writer.write_all(&requests[written..]).await };
        let read = async {
            for _ in 0..LINES {
                reply.clear();
                assert!(replies.read_line(&mut reply).await.unwrap() > 0);
            }
        };
        let (rest, ()) = tokio::join!(rest, read);
        rest.unwrap();
        drop((writer, replies));
        serving.await.unwrap();
    }
}
