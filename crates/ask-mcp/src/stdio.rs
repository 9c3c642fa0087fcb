//! Newline-delimited JSON-RPC over standard input and output. Unlike a plain
//! codec it answers lines that can't be read, ends with its input, and knows when
//! a reply has been written.

use std::io;
use std::sync::Arc;

use ask_core::json;
use ask_hub::client::Delivery;
use ask_hub::streams::{self, Line, Lines, Writing};
use ask_protocol::ipc;
use rmcp::RoleServer;
use rmcp::model::{
    ClientRequest, ErrorCode, ErrorData, GetMeta, JsonRpcMessage, NumberOrString, ProtocolVersion,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::AsyncWriteExt;
use tokio::sync::{Mutex, mpsc};

use super::call::Conversation;

/// What happened on the stream that others must know.
#[derive(Debug)]
pub enum Event {
    /// A reply was written that told of these outcomes.
    Told(Vec<Delivery>),
    /// The client is gone: its end of one of the streams is closed.
    Gone,
}

/// The stream of one client.
pub struct Stdio {
    lines: Lines,
    /// Whether a request has begun the conversation.
    begun: bool,
    writing: Arc<Mutex<Writing>>,
    events: mpsc::UnboundedSender<Event>,
    conversation: Arc<Conversation>,
}

impl Stdio {
    /// The standard streams, without a thread of their own where the system allows.
    pub fn open(events: mpsc::UnboundedSender<Event>, conversation: Arc<Conversation>) -> Self {
        Self {
            lines: Lines::new(streams::input(), ipc::MAX_LINE_BYTES),
            begun: false,
            writing: Arc::new(Mutex::new(streams::output())),
            events,
            conversation,
        }
    }

    /// Makes a message of the line, or the error that the client is told.
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

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let writing = Arc::clone(&self.writing);
        let events = self.events.clone();
        let conversation = Arc::clone(&self.conversation);
        async move {
            let replied = match &item {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                _ => None,
            };
            write(&writing, &item).await.inspect_err(|_| {
                let _ = events.send(Event::Gone);
            })?;
            let told = replied.map(|id| conversation.written(&id));
            if let Some(told) = told.filter(|told| !told.is_empty()) {
                let _ = events.send(Event::Told(told));
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = self.lines.next().await.ok().flatten();
            let Some(line) = line.filter(|line| line.is_ended) else {
                let _ = self.events.send(Event::Gone);
                return None;
            };
            match Self::message(line) {
                // rmcp gives the conversation up when anything but a request comes first, as
                // between `server/discover` and the first call: to nobody's request, no answer.
                Ok(Some(message)) => {
                    self.begun = self.begun || begins(&message);
                    if self.begun || matches!(message, JsonRpcMessage::Request(_)) {
                        return Some(message);
                    }
                }
                Ok(None) => {}
                Err(refusal) => {
                    if write(&self.writing, &refusal).await.is_err() {
                        let _ = self.events.send(Event::Gone);
                        return None;
                    }
                }
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

/// Whether rmcp leaves its waiting for a first request with this one.
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

/// Notifications that rmcp doesn't know are no reason to answer: nobody waits for them.
fn is_notification(text: &str) -> bool {
    match ask_protocol::text_json(text) {
        Ok(value) => value.get("method").is_some() && value.get("id").is_none(),
        Err(_) => false,
    }
}

/// The id of a request, also where the rest of it can't be read: its caller waits for it. Only what
/// stands in the message itself is its id, not what stands deeper.
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

/// Where the text that begins here ends: at its second quotation mark.
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

/// A whole number or a text, up to what follows it.
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
