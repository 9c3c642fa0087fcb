//! Raw HTTP to the hub: requests as bytes, replies as they come in, line by line.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use ask_core::dialect::Json;

use super::agent::MODERN;
use super::hub::address;
use super::json;
use super::lines::LIMIT;
use super::sandbox::Sandbox;

/// Where HTTP is spoken, and with what token.
#[derive(Clone)]
pub struct Http {
    /// The port.
    pub port: u16,
    /// The token.
    pub token: String,
    /// The path of the endpoint.
    pub path: String,
}

/// A reply whose body may still be coming. Dropping it closes the connection.
pub struct Reply {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    body: BufReader<Body>,
}

impl Http {
    /// The hub's, which is started where there is none.
    pub fn of(sandbox: &Sandbox) -> Self {
        sandbox.done(&["list"]);
        let address = address(sandbox).expect("a hub runs and says where");
        let http = address.http.expect("it speaks HTTP");
        Self {
            port: http.port,
            token: http.token,
            path: "/mcp".to_owned(),
        }
    }

    /// The same with a query.
    pub fn with(&self, query: &str) -> Self {
        let path = format!("{}?{query}", self.path);
        Self {
            path,
            ..self.clone()
        }
    }

    /// Sends a request with exactly these headers besides its length.
    pub fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream
            .set_read_timeout(Some(LIMIT))
            .expect("sockets know limits");
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\ncontent-length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("\r\n");
        request.push_str(body);
        // Who is refused may hear of it before all is sent.
        let _ = stream.write_all(request.as_bytes());
        Reply::read(stream)
    }

    /// Sends a request as a client that may come in, with more headers.
    pub fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let host = format!("127.0.0.1:{}", self.port);
        let token = format!("Bearer {}", self.token);
        let mut all = vec![
            ("host", host.as_str()),
            ("authorization", token.as_str()),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        all.extend(headers);
        self.raw(method, &self.path, &all, body)
    }

    /// Calls a tool in the modern way.
    pub fn call(&self, id: i64, tool: &str, arguments: &str) -> Reply {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"raw-http","version":"1"}}}}}}}}"#
        );
        let headers = [
            ("mcp-protocol-version", MODERN),
            ("mcp-method", "tools/call"),
            ("mcp-name", tool),
        ];
        self.send("POST", &headers, &body)
    }

    /// Opens a legacy session.
    pub fn session(&self) -> Session {
        let body = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw-http","version":"1"}}}"#;
        let mut opened = self.send("POST", &[], body);
        let id = opened
            .header("mcp-session-id")
            .expect("a session")
            .to_owned();
        opened.message();
        let session = Session {
            http: self.clone(),
            id,
        };
        let begun = session.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert_eq!(begun.status, 202, "a notification is taken");
        session
    }
}

/// A legacy session.
pub struct Session {
    http: Http,
    id: String,
}

impl Session {
    /// Sends a message.
    pub fn say(&self, body: &str) -> Reply {
        self.send("POST", &[], body)
    }

    /// Sends a request of any kind.
    pub fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut all = vec![
            ("mcp-session-id", self.id.as_str()),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        all.extend(headers);
        self.http.send(method, &all, body)
    }

    /// Calls a tool.
    pub fn call(&self, id: i64, tool: &str, arguments: &str) -> Reply {
        self.say(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        ))
    }

    /// Goes on with a stream after an event.
    pub fn resume(&self, event: &str) -> Reply {
        self.send("GET", &[("last-event-id", event)], "")
    }
}

impl Reply {
    fn read(stream: TcpStream) -> Self {
        let mut reading = BufReader::new(stream);
        let mut line = || {
            let mut line = String::new();
            let read = reading.read_line(&mut line);
            read.unwrap_or_else(|error| panic!("no reply within {LIMIT:?}: {error}"));
            line.trim_end().to_owned()
        };
        let first = line();
        let status = first.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.unwrap_or_else(|| panic!("not HTTP: {first:?}"));
        let headers: Vec<(String, String)> = std::iter::from_fn(|| {
            let line = line();
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect();
        let is_chunked = headers
            .iter()
            .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let length = headers
            .iter()
            .find(|(name, _)| name == "content-length")
            .and_then(|(_, value)| value.parse().ok());
        let body = Body {
            reading,
            is_chunked,
            left: length.unwrap_or(0),
        };
        Self {
            status,
            headers,
            body: BufReader::new(body),
        }
    }

    /// One header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The next line of the body, or `None` at its end.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.body.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(line.trim_end().to_owned()),
            Err(error) => panic!("the body stopped: {error}"),
        }
    }

    /// All of the body that is still to come.
    pub fn text(&mut self) -> String {
        let mut text = String::new();
        let read = self.body.read_to_string(&mut text);
        read.expect("the body is text");
        text
    }

    /// The next event with its id, where it has one; comments are passed over.
    pub fn event(&mut self) -> Option<(Option<String>, String)> {
        let (mut id, mut data) = (None, None);
        while let Some(line) = self.line() {
            if let Some(said) = line.strip_prefix("id:") {
                id = Some(said.trim().to_owned());
            } else if let Some(said) = line.strip_prefix("data:") {
                data = Some(said.trim().to_owned());
            } else if line.is_empty()
                && let Some(data) = data.take()
            {
                return Some((id, data));
            }
        }
        None
    }

    /// The next message.
    pub fn message(&mut self) -> Json {
        loop {
            match self.event() {
                Some((_, data)) if data.is_empty() => {}
                Some((_, data)) => return json(&data),
                None => panic!("the stream ended without a message"),
            }
        }
    }

    /// What a tool said: the text of the next message, which is its result.
    pub fn told(&mut self) -> String {
        let message = self.message();
        super::text(&message["result"]["content"][0], "text")
    }
}

/// A body, whichever way its end is told.
struct Body {
    reading: BufReader<TcpStream>,
    is_chunked: bool,
    /// Of the body, or of the chunk.
    left: usize,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 && self.is_chunked {
            let mut line = String::new();
            self.reading.read_line(&mut line)?;
            if line.trim().is_empty() {
                // The end of the chunk before.
                line.clear();
                self.reading.read_line(&mut line)?;
            }
            self.left = usize::from_str_radix(line.trim(), 16).unwrap_or(0);
        }
        let most = buffer.len().min(self.left);
        if most == 0 {
            return Ok(0);
        }
        let read = self.reading.read(&mut buffer[..most])?;
        self.left -= read;
        Ok(read)
    }
}
