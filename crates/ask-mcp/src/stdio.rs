//! MCP's stdio transport: newline-delimited JSON-RPC. Unlike rmcp's codec it responds to malformed
//! lines, ends with its input, and knows when a response was written. It reads only as fast as
//! calls are opened and responses are read, so that a client that floods it, or never reads, is
//! slowed down.

use std::io;
use std::sync::Arc;

use ask_core::json;
use ask_hub::client::Delivery;
use ask_hub::streams::{self, Line, Lines, OutputStream};
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

/// The most requests that are read and not started, and the most responses that are not written
/// yet. No client that reads its responses has so many at once.
const MAX_AHEAD: usize = 256;

/// The most unanswered calls, unless the settings let an agent have more open asks. Each holds
/// memory and may wait for any time. An agent needs only a few.
const MAX_CALLS: usize = 1_024;

/// The JSON-RPC error code of a call beyond that limit: the first one that JSON-RPC 2.0 (section
/// 5.1) reserves for servers.
const TOO_MANY_CALLS: ErrorCode = ErrorCode(-32_000);

/// A marker in a call's extensions: the call is not answered yet.
#[derive(Clone)]
struct UnansweredCall(
    #[expect(
        dead_code,
        reason = "the permit is only held, and released when dropped"
    )]
    Arc<OwnedSemaphorePermit>,
);

/// A marker in a request's extensions: the request is read and not started. Dropping it lets
/// another request be read.
#[derive(Clone)]
pub(crate) struct UnstartedRequest(
    #[expect(
        dead_code,
        reason = "the permit is only held, and released when dropped"
    )]
    Arc<OwnedSemaphorePermit>,
);

/// Counts a message that is not written yet.
struct UnwrittenMessage(watch::Sender<usize>);

impl UnwrittenMessage {
    fn new(count: &watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count.clone())
    }
}

impl Drop for UnwrittenMessage {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// The stream of one client.
pub(crate) struct Stdio {
    lines: Lines,
    /// Permits for requests that are read and not started.
    start_permits: Arc<Semaphore>,
    /// Permits for calls that are not answered yet.
    call_permits: Arc<Semaphore>,
    /// The number of messages that are not written yet.
    unwritten: watch::Sender<usize>,
    /// Whether a request has started the conversation.
    has_begun: bool,
    output: Arc<Mutex<OutputStream>>,
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
            lines: Lines::new(streams::stdin(), ipc::MAX_LINE_BYTES),
            start_permits: Arc::new(Semaphore::new(MAX_AHEAD)),
            call_permits: Arc::new(Semaphore::new(MAX_CALLS)),
            unwritten: watch::Sender::new(0),
            has_begun: false,
            output: Arc::new(Mutex::new(streams::stdout())),
            events,
            conversation,
        }
    }

    /// Parses a line. `None` for an empty line or an unknown notification.
    ///
    /// # Errors
    /// The JSON-RPC error to respond with.
    fn parse_line(
        line: Line,
    ) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Box<ServerJsonRpcMessage>> {
        let length = line.length;
        let mut line = line.bytes;
        if length > line.len() {
            let message = format!(
                "the message has {length} bytes; at most {} are read. Send a shorter one",
                ipc::MAX_LINE_BYTES
            );
            line.truncate(4_096);
            return Err(error_response(
                ErrorCode::INVALID_REQUEST,
                message,
                request_id(&line),
            ));
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
                    let message = format!("not a JSON-RPC 2.0 message of MCP: {malformed}");
                    Err(error_response(
                        ErrorCode::INVALID_REQUEST,
                        message,
                        request_id(&line),
                    ))
                }
                Err(problem) => {
                    let message = format!("the line is not JSON: {problem}");
                    Err(error_response(
                        ErrorCode::PARSE_ERROR,
                        message,
                        request_id(&line),
                    ))
                }
            },
        }
    }
}

impl Stdio {
    /// Counts a call as unanswered.
    ///
    /// # Errors
    /// Too many calls are unanswered. The error is the response.
    fn count_call(
        &self,
        message: &mut RxJsonRpcMessage<RoleServer>,
    ) -> Result<(), Box<ServerJsonRpcMessage>> {
        let JsonRpcMessage::Request(request) = message else {
            return Ok(());
        };
        if !matches!(request.request, ClientRequest::CallToolRequest(_)) {
            return Ok(());
        }
        let Ok(permit) = Arc::clone(&self.call_permits).try_acquire_owned() else {
            let limits = self.conversation.shared.context.config().limits;
            let most = limits.open_asks_per_agent;
            if most == 0 || most > MAX_CALLS as u64 {
                return Ok(());
            }
            let message = format!(
                "{MAX_CALLS} calls wait for their results already, which is the limit. This one was not started: cancel others, or call again once one has ended"
            );
            return Err(error_response(
                TOO_MANY_CALLS,
                message,
                Some(request.id.clone()),
            ));
        };
        let unanswered = UnansweredCall(Arc::new(permit));
        request.request.extensions_mut().insert(unanswered);
        Ok(())
    }

    /// Writes a refusal. `None` if the client is gone.
    async fn refuse(&mut self, error_response: &ServerJsonRpcMessage) -> Option<()> {
        let written = write(&self.output, error_response).await;
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
        let output = Arc::clone(&self.output);
        let events = self.events.clone();
        let conversation = Arc::clone(&self.conversation);
        let unwritten = UnwrittenMessage::new(&self.unwritten);
        async move {
            let _unwritten = unwritten;
            let replied = match &item {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                _ => None,
            };
            write(&output, &item).await.inspect_err(|_| {
                // The receiver is gone only while the process ends.
                let _ = events.send(Event::Gone);
            })?;
            let outcomes = replied.map(|id| conversation.take_written(&id));
            if let Some(outcomes) = outcomes.filter(|outcomes| !outcomes.is_empty()) {
                // The receiver is gone only while the process ends.
                let _ = events.send(Event::Written(outcomes));
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let mut unwritten = self.unwritten.subscribe();
            let has_room = unwritten.wait_for(|count| *count < MAX_AHEAD);
            // The count's sender lives in `self`, and the semaphore is never closed.
            let _ = has_room.await;
            let permit = Arc::clone(&self.start_permits).acquire_owned().await.ok();
            let line = self.lines.next().await.ok().flatten();
            let Some(line) = line.filter(|line| line.is_ended) else {
                // The receiver is gone only while the process ends.
                let _ = self.events.send(Event::Gone);
                return None;
            };
            match Self::parse_line(line) {
                // rmcp ends the conversation if its first message is not a request, which happens
                // between `server/discover` and the first call. Such messages need no response, so
                // they are skipped.
                Ok(Some(mut message)) => {
                    if let Err(error_response) = self.count_call(&mut message) {
                        self.refuse(&error_response).await?;
                        continue;
                    }
                    if let (JsonRpcMessage::Request(request), Some(permit)) = (&mut message, permit)
                    {
                        let unstarted = UnstartedRequest(Arc::new(permit));
                        request.request.extensions_mut().insert(unstarted);
                    }
                    self.has_begun = self.has_begun || starts_conversation(&message);
                    if self.has_begun || matches!(message, JsonRpcMessage::Request(_)) {
                        return Some(message);
                    }
                }
                Ok(None) => {}
                Err(error_response) => self.refuse(&error_response).await?,
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.lock().await.flush().await
    }
}

async fn write(output: &Mutex<OutputStream>, message: &ServerJsonRpcMessage) -> io::Result<()> {
    let line = ipc::line(message).map_err(io::Error::other)?;
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

fn error_response(
    code: ErrorCode,
    message: String,
    id: Option<RequestId>,
) -> Box<ServerJsonRpcMessage> {
    let error = ErrorData::new(code, message, None);
    Box::new(ServerJsonRpcMessage::error(error, id))
}

/// Whether rmcp starts the conversation with this request.
fn starts_conversation(message: &RxJsonRpcMessage<RoleServer>) -> bool {
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
                let end = string_end(line, at)?;
                let after = line[end + 1..].trim_ascii_start();
                if depth == 1 && &line[at + 1..end] == b"id" && after.starts_with(b":") {
                    return parse_id(after[1..].trim_ascii_start());
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
fn string_end(line: &[u8], from: usize) -> Option<usize> {
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
fn parse_id(value: &[u8]) -> Option<RequestId> {
    if value.starts_with(b"\"") {
        let text = value.get(1..string_end(value, 0)?)?;
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
    use super::super::call::ClientTransport;
    use super::super::context::Shared;
    use super::*;

    /// A server whose client has sent `calls` calls and reads nothing.
    fn flooded_server(calls: usize) -> Stdio {
        let call = |id| {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"ask_user"}}}}"#
            )
        };
        let input: Vec<String> = (0..calls).map(call).collect();
        let input = io::Cursor::new(input.join("\n") + "\n");
        let home = Home::find().expect("the environment names a home folder");
        let shared = Arc::new(Shared::with_context(
            Arc::new(Context::new(home)),
            |_, _| String::new(),
        ));
        let offer = Arc::new(Offer::new(&[], None).expect("an empty offer is valid"));
        let (full, _) = tokio::io::duplex(1);
        Stdio {
            lines: Lines::new(Box::pin(input), ipc::MAX_LINE_BYTES),
            start_permits: Arc::new(Semaphore::new(MAX_AHEAD)),
            call_permits: Arc::new(Semaphore::new(MAX_CALLS)),
            unwritten: watch::Sender::new(0),
            has_begun: false,
            output: Arc::new(Mutex::new(Box::pin(full))),
            events: mpsc::unbounded_channel().0,
            conversation: Arc::new(Conversation::new(shared, offer, ClientTransport::Stdio)),
        }
    }

    /// The next message, if it is read now.
    async fn next_message(stdio: &mut Stdio) -> Option<RxJsonRpcMessage<RoleServer>> {
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
    async fn calls_are_read_no_faster_than_they_are_started() {
        let mut stdio = flooded_server(MAX_AHEAD + 2);
        let mut read = Vec::new();
        while let Some(message) = next_message(&mut stdio).await {
            read.push(message);
        }
        assert_eq!(read.len(), MAX_AHEAD);
        let Some(JsonRpcMessage::Request(mut first)) = read.pop() else {
            panic!("calls are requests");
        };
        first.request.extensions_mut().remove::<UnstartedRequest>();
        let next = next_message(&mut stdio).await;
        assert!(next.is_some(), "one is begun");
        assert!(next_message(&mut stdio).await.is_none());
    }

    #[tokio::test]
    async fn a_call_beyond_the_limit_of_unanswered_calls_is_refused() {
        let mut stdio = flooded_server(MAX_CALLS + 2);
        let (server_output, mut client_input) = tokio::io::duplex(4_096);
        stdio.output = Arc::new(Mutex::new(Box::pin(server_output)));
        let mut unanswered = Vec::new();
        for number in 0..=MAX_CALLS {
            if number == MAX_CALLS {
                assert!(
                    unanswered.pop().is_some(),
                    "one has ended, so another may start"
                );
            }
            let Some(JsonRpcMessage::Request(mut call)) = next_message(&mut stdio).await else {
                panic!("calls are requests");
            };
            call.request.extensions_mut().remove::<UnstartedRequest>();
            unanswered.push(call);
        }
        assert!(
            next_message(&mut stdio).await.is_none(),
            "the last one is refused"
        );
        let mut message = vec![0; 4_096];
        let length = client_input
            .read(&mut message)
            .await
            .expect("it is written");
        let message = String::from_utf8_lossy(&message[..length]).into_owned();
        assert!(message.contains("\"id\":1025"), "{message}");
        assert!(message.contains("-32000"), "{message}");
        assert!(message.contains("1024 calls wait"), "{message}");
    }

    #[tokio::test]
    async fn calls_are_read_no_faster_than_replies_are_read() {
        let mut stdio = flooded_server(1);
        let reply = |id: i64| {
            let result = ServerResult::EmptyResult(EmptyResult {});
            JsonRpcMessage::response(result, NumberOrString::Number(id))
        };
        let mut replies = Vec::new();
        for id in 0..MAX_AHEAD as i64 {
            replies.push(stdio.send(reply(id)));
        }
        assert!(next_message(&mut stdio).await.is_none());
        // A response that is dropped unwritten doesn't count any more.
        replies.pop();
        assert!(next_message(&mut stdio).await.is_some());
    }
}
