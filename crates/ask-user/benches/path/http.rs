//! An HTTP client with what the page, an agent and a search need.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use super::agent::{INITIALIZE, INITIALIZED, call};
use super::input::Input;

/// A connection that is kept alive.
pub(crate) struct Http {
    stream: TcpStream,
    input: Input,
    token: String,
}

/// The status line and headers of a response.
pub(crate) struct Head {
    /// The header lines in lower case.
    lines: Vec<String>,
}

/// An event stream.
pub(crate) struct Events {
    input: Input,
    text: Vec<u8>,
}

impl Http {
    /// Connects to a hub with the content of a token file.
    pub(crate) fn connect(port: u16, token: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the hub listens");
        stream
            .set_nodelay(true)
            .expect("TCP sockets support the option");
        let input = stream.try_clone().expect("the socket is cloned");
        Self {
            stream,
            input: Input::new(input),
            token: token.to_owned(),
        }
    }

    /// Sends a request.
    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) {
        let headers: String = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        let sent = self.stream.write_all(request.as_bytes());
        sent.expect("the hub takes a request");
    }

    /// Reads the head of the response.
    pub(crate) fn head(&mut self) -> Head {
        let status = self.input.line().trim_end().to_owned();
        let mut lines = Vec::new();
        loop {
            let line = self.input.line().trim_end().to_owned();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        assert!(status.starts_with("HTTP/1.1 2"), "the hub says {status}");
        Head { lines }
    }

    /// Reads the whole response; returns its body.
    pub(crate) fn reply(&mut self) -> String {
        let head = self.head();
        self.body(&head)
    }

    /// Reads the body behind a head.
    pub(crate) fn body(&mut self, head: &Head) -> String {
        let mut bytes = Vec::new();
        if let Some(length) = head.header("content-length") {
            bytes = self.input.exactly(length.parse().expect("a length"));
        } else if head.header("transfer-encoding").is_some() {
            while let Some(chunk) = chunk(&mut self.input) {
                bytes.extend(chunk);
            }
        }
        String::from_utf8(bytes).expect("the hub speaks UTF-8")
    }

    /// Gets a resource; returns its body.
    pub(crate) fn get(&mut self, path: &str) -> String {
        self.send("GET", path, &[], "");
        self.reply()
    }

    /// Turns the connection into the event stream behind a head.
    pub(crate) fn events(self) -> Events {
        Events {
            input: self.input,
            text: Vec::new(),
        }
    }
}

impl Head {
    /// The value of a header by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.lines.iter().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Events {
    /// The next event: its name and its data. Both are empty for a comment, which keeps the connection alive.
    pub(crate) fn next(&mut self) -> (String, String) {
        let (mut name, mut said) = (String::new(), String::new());
        loop {
            let line = self.line();
            if let Some(value) = line.strip_prefix("event: ") {
                value.clone_into(&mut name);
            } else if let Some(value) = line.strip_prefix("data: ") {
                value.clone_into(&mut said);
            } else if line.is_empty() {
                return (name, said);
            }
        }
    }

    /// Whether no event arrives within a time.
    pub(crate) fn is_quiet(&self, time: Duration) -> bool {
        self.text.is_empty() && self.input.is_quiet(time)
    }

    /// Discards all events to the end of the stream.
    pub(crate) fn drain(self) {
        self.input.drain();
    }

    fn line(&mut self) -> String {
        loop {
            if let Some(at) = self.text.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.text.drain(..=at).collect();
                let line = String::from_utf8(line).expect("the hub speaks UTF-8");
                return line.trim_end().to_owned();
            }
            let more = chunk(&mut self.input);
            self.text.extend(more.expect("the stream goes on"));
        }
    }
}

/// The next chunk of a chunked body (RFC 9112, section 7.1); `None` at its end.
fn chunk(input: &mut Input) -> Option<Vec<u8>> {
    let size = usize::from_str_radix(input.line().trim_end(), 16);
    let size = size.expect("the chunk has a size");
    let bytes = input.exactly(size);
    input.line();
    (size > 0).then_some(bytes)
}

/// An agent that speaks MCP over HTTP. Like most clients, it doesn't end its session.
pub(crate) struct HttpAgent {
    http: Http,
    session: String,
}

impl HttpAgent {
    /// Opens a session.
    pub(crate) fn connect(port: u16, token: &str) -> Self {
        let mut agent = Self {
            http: Http::connect(port, token),
            session: String::new(),
        };
        agent.post(INITIALIZE);
        let head = agent.http.head();
        let session = head.header("mcp-session-id");
        agent.session = session.expect("a session has a name").to_owned();
        agent.http.body(&head);
        agent.post(INITIALIZED);
        agent.http.reply();
        agent
    }

    /// Asks.
    pub(crate) fn ask(&mut self, ask: u64) {
        self.post(&call(ask, ""));
    }

    /// Waits for the reply.
    pub(crate) fn reply(&mut self) -> String {
        self.http.reply()
    }

    fn post(&mut self, body: &str) {
        let accept = ("Accept", "application/json, text/event-stream");
        let session = ("Mcp-Session-Id", self.session.as_str());
        let headers = [accept, session];
        let used = if self.session.is_empty() { 1 } else { 2 };
        self.http.send("POST", "/mcp", &headers[..used], body);
    }
}
