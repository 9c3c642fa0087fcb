//! MCP's stdio transport: newline-delimited JSON-RPC. Unlike rmcp's codec it responds to malformed
//! lines, ends with its input, and knows when a response was written. It reads only as fast as
//! calls are opened and responses are read, so that a client that floods it, or never reads, is
//! slowed down.

use std::io;
use std::sync::Arc;

use ask_core::json;
use ask_hub::client::Delivery;
use ask_hub::streams::{self, Line, Lines, Writing};
use ask_protocol::ipc;
use rmcp::RoleServer;
use rmcp::model::{
    ClientRequest, ErrorCode, ErrorData, GetExtensions, GetMeta, JsonRpcMessage, NumberOrString,
    ProtocolVersion, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::AsyncWriteExt;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, mpsc, watch};

use super::call::Conversation;

/// An event of the stream.
#[derive(Debug)]
pub(crate) enum Event {
    /// A response was written that contained these outcomes.
    Written(Vec<Delivery>),
    /// The client closed its end of one of the streams.
    Gone,
}

/// The most requests that are read and not begun, and the most responses that are not written yet:
/// more than any client has at once that reads its responses.
const AHEAD: usize = 256;

/// The most calls that are not answered yet, unless the settings let an agent have more asks open. Each of
/// them holds memory, and waits for as long as its client likes: an agent needs a few of them.
const MOST_CALLS: usize = 1_024;

/// The JSON-RPC error of a call beyond them: the first code that the protocol leaves to servers.
const TOO_MANY_CALLS: ErrorCode = ErrorCode(-32_000);

/// A marker in a call's extensions: the call is not answered yet.
#[derive(Clone)]
struct Unanswered(
    #[expect(
        dead_code,
        reason = "the permit is only held, and released when dropped"
    )]
    Arc<OwnedSemaphorePermit>,
);

/// A marker in a request's extensions: the request is read and not begun. Dropping it makes room
/// for the next one.
#[derive(Clone)]
pub(crate) struct Unbegun(
    #[expect(
        dead_code,
        reason = "the permit is only held, and released when dropped"
    )]
    Arc<OwnedSemaphorePermit>,
);

/// Counts a message that is not written yet.
struct Unwritten(watch::Sender<usize>);

impl Unwritten {
    fn count(count: &watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count.clone())
    }
}

impl Drop for Unwritten {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// The stream of one client.
pub(crate) struct Stdio {
    lines: Lines,
    /// Room for requests that are read and not begun.
    room: Arc<Semaphore>,
    /// Room for calls that are not answered yet.
    calls: Arc<Semaphore>,
    /// The number of messages that are not written yet.
    unwritten: watch::Sender<usize>,
    /// Whether a request has begun the conversation.
    begun: bool,
    writing: Arc<Mutex<Writing>>,
    events: mpsc::UnboundedSender<Event>,
    conversation: Arc<Conversation>,
}

impl Stdio {
    /// The standard streams, polled without a thread where the system allows it.
    pub(crate) fn open(
        events: mpsc::UnboundedSender<Event>,
        conversation: Arc<Conversation>,
    ) -> Self {
        Self {
            lines: Lines::new(streams::input(), ipc::MAX_LINE_BYTES),
            room: Arc::new(Semaphore::new(AHEAD)),
            calls: Arc::new(Semaphore::new(MOST_CALLS)),
            unwritten: watch::Sender::new(0),
            begun: false,
            writing: Arc::new(Mutex::new(streams::output())),
            events,
            conversation,
        }
    }

    /// Parses a line. `None` for an empty line or an unknown notification.
    ///
    /// # Errors
    /// The JSON-RPC error to respond with.
    fn message(
        line: Line,
    ) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Box<ServerJsonRpcMessage>> {
        let length = line.length;
        let mut line = line.bytes;
        if length > line.len() {
            let said = format!(
                "the message has {length} bytes; at most {} are read. Send a shorter one",
                ipc::MAX_LINE_BYTES
            );
            line.truncate(4_096);
            return Err(refusal(ErrorCode::INVALID_REQUEST, said, request_id(&line)));
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            return Ok(None);
        }
        let text = json::mend_surrogates(&text);
        match ipc::unline(text.as_bytes()) {
            Ok(message) => Ok(Some(message)),
            Err(_) if is_notification(&text) => Ok(None),
            Err(malformed) => match ask_protocol::text_json(&text) {
                Ok(_) => {
                    let said = format!("not a JSON-RPC 2.0 message of MCP: {malformed}");
                    Err(refusal(ErrorCode::INVALID_REQUEST, said, request_id(&line)))
                }
                Err(problem) => {
                    let said = format!("the line is not JSON: {problem}");
                    Err(refusal(ErrorCode::PARSE_ERROR, said, request_id(&line)))
                }
            },
        }
    }
}

impl Stdio {
    /// Counts a call as unanswered.
    ///
    /// # Errors
    /// The JSON-RPC error to respond with if too many are.
    fn count(
        &self,
        message: &mut RxJsonRpcMessage<RoleServer>,
    ) -> Result<(), Box<ServerJsonRpcMessage>> {
        let JsonRpcMessage::Request(request) = message else {
            return Ok(());
        };
        if !matches!(request.request, ClientRequest::CallToolRequest(_)) {
            return Ok(());
        }
        let Ok(room) = Arc::clone(&self.calls).try_acquire_owned() else {
            let limits = self.conversation.shared.context.config().limits;
            let most = limits.open_asks_per_agent;
            if most == 0 || most > MOST_CALLS as u64 {
                return Ok(());
            }
            let said = format!(
                "{MOST_CALLS} calls wait for their results already, which is the limit. This one was not begun: cancel others, or call again once one has ended"
            );
            return Err(refusal(TOO_MANY_CALLS, said, Some(request.id.clone())));
        };
        let unanswered = Unanswered(Arc::new(room));
        request.request.extensions_mut().insert(unanswered);
        Ok(())
    }

    /// Writes a refusal. `None` if the client is gone.
    async fn refuse(&mut self, refusal: &ServerJsonRpcMessage) -> Option<()> {
        let written = write(&self.writing, refusal).await;
        if written.is_err() {
            // The receiver is gone only while the process ends.
            let _ = self.events.send(Event::Gone);
        }
        written.ok()
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let writing = Arc::clone(&self.writing);
        let events = self.events.clone();
        let conversation = Arc::clone(&self.conversation);
        let unwritten = Unwritten::count(&self.unwritten);
        async move {
            let _unwritten = unwritten;
            let replied = match &item {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                _ => None,
            };
            write(&writing, &item).await.inspect_err(|_| {
                // The receiver is gone only while the process ends.
                let _ = events.send(Event::Gone);
            })?;
            let told = replied.map(|id| conversation.written(&id));
            if let Some(told) = told.filter(|told| !told.is_empty()) {
                // The receiver is gone only while the process ends.
                let _ = events.send(Event::Written(told));
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let mut unwritten = self.unwritten.subscribe();
            let is_taken = unwritten.wait_for(|count| *count < AHEAD);
            // The count's sender lives in `self`, and the semaphore is never closed.
            let _ = is_taken.await;
            let room = Arc::clone(&self.room).acquire_owned().await.ok();
            let line = self.lines.next().await.ok().flatten();
            let Some(line) = line.filter(|line| line.is_ended) else {
                // The receiver is gone only while the process ends.
                let _ = self.events.send(Event::Gone);
                return None;
            };
            match Self::message(line) {
                // rmcp ends the conversation if its first message is not a request, which happens
                // between `server/discover` and the first call. Such messages need no response, so
                // they are skipped.
                Ok(Some(mut message)) => {
                    if let Err(refusal) = self.count(&mut message) {
                        self.refuse(&refusal).await?;
                        continue;
                    }
                    if let (JsonRpcMessage::Request(request), Some(room)) = (&mut message, room) {
                        let unbegun = Unbegun(Arc::new(room));
                        request.request.extensions_mut().insert(unbegun);
                    }
                    self.begun = self.begun || begins(&message);
                    if self.begun || matches!(message, JsonRpcMessage::Request(_)) {
                        return Some(message);
                    }
                }
                Ok(None) => {}
                Err(refusal) => self.refuse(&refusal).await?,
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.writing.lock().await.flush().await
    }
}

async fn write(writing: &Mutex<Writing>, message: &ServerJsonRpcMessage) -> io::Result<()> {
    let line = ipc::line(message).map_err(io::Error::other)?;
    let mut writing = writing.lock().await;
    writing.write_all(&line).await?;
    writing.flush().await
}

fn refusal(code: ErrorCode, said: String, id: Option<RequestId>) -> Box<ServerJsonRpcMessage> {
    let error = ErrorData::new(code, said, None);
    Box::new(ServerJsonRpcMessage::error(error, id))
}

/// Whether rmcp starts the conversation with this request.
fn begins(message: &RxJsonRpcMessage<RoleServer>) -> bool {
    let JsonRpcMessage::Request(request) = message else {
        return false;
    };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => other
            .get_meta()
            .missing_required_keys(&ProtocolVersion::V_2026_07_28)
            .is_empty(),
    }
}

/// Whether a text is a notification. Unknown ones need no response.
fn is_notification(text: &str) -> bool {
    match ask_protocol::text_json(text) {
        Ok(value) => value.get("method").is_some() && value.get("id").is_none(),
        Err(_) => false,
    }
}

/// The id of a request, even if the rest can't be parsed, because its caller waits for a response.
/// Only a top-level `id` counts.
fn request_id(line: &[u8]) -> Option<RequestId> {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = line.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b'"' => {
                let end = end_of_text(line, at)?;
                let after = line[end + 1..].trim_ascii_start();
                if depth == 1 && &line[at + 1..end] == b"id" && after.starts_with(b":") {
                    return id_at(after[1..].trim_ascii_start());
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The position of a JSON string's closing quotation mark.
fn end_of_text(line: &[u8], from: usize) -> Option<usize> {
    let mut at = from + 1;
    loop {
        match line.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Parses a string or a whole number at the beginning of `value`.
fn id_at(value: &[u8]) -> Option<RequestId> {
    if value.starts_with(b"\"") {
        let text = value.get(1..end_of_text(value, 0)?)?;
        let text = String::from_utf8_lossy(text);
        return Some(NumberOrString::String(text.as_ref().into()));
    }
    let is_end = |byte: &u8| matches!(byte, b',' | b'}') || byte.is_ascii_whitespace();
    let end = value.iter().position(is_end)?;
    let number = std::str::from_utf8(&value[..end]).ok()?;
    number.parse().ok().map(NumberOrString::Number)
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;
    use std::task::Poll;

    use ask_config::home::Home;
    use ask_hub::context::Context;
    use rmcp::model::{EmptyResult, ServerResult};
    use tokio::io::AsyncReadExt as _;

    use super::super::Offer;
    use super::super::call::Place;
    use super::super::context::Shared;
    use super::*;

    /// A server whose client has sent `calls` calls and reads nothing.
    fn flooded(calls: usize) -> Stdio {
        let call = |id| {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"ask_user"}}}}"#
            )
        };
        let said: Vec<String> = (0..calls).map(call).collect();
        let said = io::Cursor::new(said.join("\n") + "\n");
        let home = Home::find().expect("the environment names a home folder");
        let shared = Arc::new(Shared::with_context(
            Arc::new(Context::new(home)),
            |_, _| String::new(),
        ));
        let offer = Arc::new(Offer::new(&[], None).expect("an empty offer is valid"));
        let (full, _) = tokio::io::duplex(1);
        Stdio {
            lines: Lines::new(Box::pin(said), ipc::MAX_LINE_BYTES),
            room: Arc::new(Semaphore::new(AHEAD)),
            calls: Arc::new(Semaphore::new(MOST_CALLS)),
            unwritten: watch::Sender::new(0),
            begun: false,
            writing: Arc::new(Mutex::new(Box::pin(full))),
            events: mpsc::unbounded_channel().0,
            conversation: Arc::new(Conversation::new(shared, offer, Place::Here)),
        }
    }

    /// The next message, if it is read now.
    async fn reads(stdio: &mut Stdio) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut next = pin!(stdio.receive());
        // tokio makes long-running tasks yield, however much there is to read.
        tokio::task::yield_now().await;
        poll_fn(|context| {
            Poll::Ready(match next.as_mut().poll(context) {
                Poll::Ready(message) => message,
                Poll::Pending => None,
            })
        })
        .await
    }

    #[tokio::test]
    async fn calls_are_read_no_faster_than_they_are_begun() {
        let mut stdio = flooded(AHEAD + 2);
        let mut read = Vec::new();
        while let Some(message) = reads(&mut stdio).await {
            read.push(message);
        }
        assert_eq!(read.len(), AHEAD);
        let Some(JsonRpcMessage::Request(mut first)) = read.pop() else {
            panic!("calls are requests");
        };
        first.request.extensions_mut().remove::<Unbegun>();
        let next = reads(&mut stdio).await;
        assert!(next.is_some(), "one is begun");
        assert!(reads(&mut stdio).await.is_none());
    }

    #[tokio::test]
    async fn so_many_calls_are_unanswered_and_a_further_one_is_told_so() {
        let mut stdio = flooded(MOST_CALLS + 2);
        let (writes, mut reads_it) = tokio::io::duplex(4_096);
        stdio.writing = Arc::new(Mutex::new(Box::pin(writes)));
        let mut unanswered = Vec::new();
        for number in 0..=MOST_CALLS {
            if number == MOST_CALLS {
                assert!(
                    unanswered.pop().is_some(),
                    "one has ended, so there is room"
                );
            }
            let Some(JsonRpcMessage::Request(mut call)) = reads(&mut stdio).await else {
                panic!("calls are requests");
            };
            call.request.extensions_mut().remove::<Unbegun>();
            unanswered.push(call);
        }
        assert!(reads(&mut stdio).await.is_none(), "the last one is refused");
        let mut said = vec![0; 4_096];
        let length = reads_it.read(&mut said).await.expect("it is written");
        let said = String::from_utf8_lossy(&said[..length]).into_owned();
        assert!(said.contains("\"id\":1025"), "{said}");
        assert!(said.contains("-32000"), "{said}");
        assert!(said.contains("1024 calls wait"), "{said}");
    }

    #[tokio::test]
    async fn calls_are_read_no_faster_than_replies_are_taken() {
        let mut stdio = flooded(1);
        let reply = |id: i64| {
            let result = ServerResult::EmptyResult(EmptyResult {});
            JsonRpcMessage::response(result, NumberOrString::Number(id))
        };
        let mut replies = Vec::new();
        for id in 0..AHEAD as i64 {
            replies.push(stdio.send(reply(id)));
        }
        assert!(reads(&mut stdio).await.is_none());
        // A response that is dropped unwritten isn't counted any more.
        replies.pop();
        assert!(reads(&mut stdio).await.is_some());
    }
}
