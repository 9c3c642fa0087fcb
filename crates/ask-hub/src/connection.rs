//! One connection to the hub: lines in, lines out.

use std::rc::Rc;

use ask_protocol::ipc::{self, Fault, Response};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::mpsc;

use super::hub::{CHANGES_AHEAD, ClientId, Hub, caller_of};

/// So much is written at once, and so much room is kept for the next time.
const TOGETHER: usize = 64 * 1024;
const KEPT: usize = 4_096;

/// Serves a client until it goes.
pub async fn serve(hub: Rc<Hub>, client: ClientId, stream: UnixStream) {
    let caller = caller_of(stream.peer_cred().ok().and_then(|peer| peer.pid()));
    let (reading, writing) = stream.into_split();
    let (outgoing, said) = mpsc::unbounded_channel();
    hub.join(client, outgoing, caller, false);
    let writer = tokio::task::spawn_local(write(Rc::clone(&hub), client, writing, said));
    let mut reading = BufReader::new(reading);
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = ipc::MAX_LINE_BYTES as u64 + 1;
        match (&mut reading)
            .take(limit)
            .read_until(b'\n', &mut line)
            .await
        {
            Ok(read) if read > 0 && line.ends_with(b"\n") => {}
            Ok(_) | Err(_) => break,
        }
        let (number, request) = ipc::read_request(&line);
        match request {
            Ok(request) => hub.serve(client, number, request),
            Err(malformed) => {
                let fault = Response::Fault {
                    kind: Fault::Malformed,
                    text: malformed.to_string(),
                };
                hub.say(client, number, fault);
            }
        }
        // One large request must not leave its memory with every connection for ever.
        line.shrink_to(KEPT);
    }
    hub.part(client);
    // It ends with the connection's way out.
    let _ = writer.await;
}

/// Writes what has queued up, in as few calls as it takes.
async fn write(
    hub: Rc<Hub>,
    client: ClientId,
    mut writing: OwnedWriteHalf,
    mut said: mpsc::UnboundedReceiver<(u64, Response)>,
) {
    let mut together = Vec::new();
    // Changes that were written since the engine was last told so.
    let mut pushed = 0;
    while let Some((number, first)) = said.recv().await {
        together.clear();
        let mut next = Some((number, first));
        while let Some((number, response)) = next {
            match &response {
                Response::Change(change) => {
                    together.extend_from_slice(change.line());
                    pushed += 1;
                }
                other => together.extend(ipc::write_response(number, other)),
            }
            next = match together.len() < TOGETHER {
                true => said.try_recv().ok(),
                false => None,
            };
        }
        if writing.write_all(&together).await.is_err() {
            break;
        }
        together.shrink_to(KEPT);
        if pushed >= CHANGES_AHEAD / 2 {
            pushed = 0;
            hub.drained(client);
        }
    }
}
