//! One connection to the hub: lines in, lines out, each request a task of its own.

use std::rc::Rc;

use ask_protocol::ipc::{self, Fault, Response};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::mpsc;

use super::desk::{ClientId, Desk, callers};

/// Serves a client until it goes.
pub async fn serve(desk: Rc<Desk>, client: ClientId, stream: UnixStream) {
    let caller = callers::of_peer(stream.peer_cred().ok().and_then(|peer| peer.pid()));
    let (reading, writing) = stream.into_split();
    let (outgoing, said) = mpsc::unbounded_channel();
    desk.join(client, outgoing);
    desk.is_of(client, caller);
    let writer = tokio::task::spawn_local(write(writing, said));
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
        take(&desk, client, &line);
        // One large request must not leave its memory with every connection for ever.
        line.shrink_to(4_096);
    }
    desk.part(client).await;
    let _ = writer.await;
}

/// Takes one request, which is a task of its own from then on.
pub fn take(desk: &Rc<Desk>, client: ClientId, line: &[u8]) {
    let (number, request) = ipc::read_request(line);
    match request {
        Ok(request) => {
            let desk = Rc::clone(desk);
            tokio::task::spawn_local(async move { desk.serve(client, number, request).await });
        }
        Err(malformed) => {
            let fault = Response::Fault {
                kind: Fault::Malformed,
                text: malformed.to_string(),
            };
            desk.say(client, number, fault);
        }
    }
}

/// Writes what has queued up, in as few calls as it takes.
async fn write(mut writing: OwnedWriteHalf, mut said: mpsc::UnboundedReceiver<(u64, Response)>) {
    let mut together = Vec::new();
    while let Some((number, first)) = said.recv().await {
        together.clear();
        together.extend(ipc::write_response(number, &first));
        while together.len() < 64 * 1024 {
            match said.try_recv() {
                Ok((number, next)) => together.extend(ipc::write_response(number, &next)),
                Err(_) => break,
            }
        }
        if writing.write_all(&together).await.is_err() {
            break;
        }
        together.shrink_to(4_096);
    }
}
