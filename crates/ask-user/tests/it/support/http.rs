//! Raw HTTP requests to the hub, in both eras of the protocol.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::agent::MODERN;
use super::authority::Trust;
use super::hub::address;
use super::lines::LIMIT;
use super::reply::Reply;
use super::sandbox::{BINARY, Running, Sandbox};

/// An HTTP address and the token for it.
#[derive(Clone)]
pub(crate) struct Http {
    /// The host.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The bearer token.
    pub token: String,
    /// The path of the endpoint.
    pub path: String,
    /// The trust of a client that uses HTTPS; `None` for plain HTTP.
    pub trust: Option<Trust>,
}

impl Http {
    /// The hub's address. Starts the hub if none runs.
    pub(crate) fn of_hub(sandbox: &Sandbox) -> Self {
        sandbox.run_ok(&["list"]);
        let address = address(sandbox).expect("a hub runs and has written its address");
        let http = address.http.expect("the hub serves HTTP");
        Self {
            host: "127.0.0.1".to_owned(),
            port: http.port,
            token: http.token,
            path: "/mcp".to_owned(),
            trust: None,
        }
    }

    /// The address of a server that an app starts for itself, which ends with the first value.
    pub(crate) fn of_server(sandbox: &Sandbox) -> (Running, Self) {
        let mut command = sandbox.command(BINARY);
        command.args(["mcp", "--port", "0", "--token", "open-sesame"]);
        let mut server = sandbox.start("mcp", command);
        let port = server.err.find("its address", |line| {
            let url = line.strip_prefix("ask-user: MCP at http://127.0.0.1:")?;
            url.strip_suffix("/mcp")?.parse().ok()
        });
        let http = Self {
            trust: None,
            host: "127.0.0.1".to_owned(),
            port,
            token: "open-sesame".to_owned(),
            path: "/mcp".to_owned(),
        };
        (server, http)
    }

    /// The address with a query.
    pub(crate) fn with_query(&self, query: &str) -> Self {
        let path = format!("{}?{query}", self.path);
        Self {
            path,
            ..self.clone()
        }
    }

    /// Sends a request with exactly these headers and a length.
    pub(crate) fn raw(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        self.send_text(&request_text(method, path, headers, body))
    }

    /// Sends the text of a request.
    pub(crate) fn send_text(&self, request: &str) -> Reply {
        let mut stream =
            TcpStream::connect((self.host.as_str(), self.port)).expect("the server listens");
        stream
            .set_read_timeout(Some(LIMIT))
            .expect("a socket timeout");
        if let Some(trust) = &self.trust {
            let mut stream = trust.connect_over(stream);
            stream
                .write_all(request.as_bytes())
                .expect("the certificate is trusted");
            return Reply::read(stream);
        }
        // A refusal may arrive before the whole request is sent.
        let _ = stream.write_all(request.as_bytes());
        Reply::read(stream)
    }

    /// Sends a request over plain HTTP. Between the head and the body, once the hub asks for it
    /// (100 Continue), it runs a closure.
    pub(crate) fn raw_slowly(
        &self,
        (method, path): (&str, &str),
        headers: &[(&str, &str)],
        body: &str,
        meanwhile: impl FnOnce(),
    ) -> Reply {
        const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
        let mut stream =
            TcpStream::connect((self.host.as_str(), self.port)).expect("the server listens");
        stream
            .set_read_timeout(Some(LIMIT))
            .expect("a socket timeout");
        let length = body.len();
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\ncontent-length: {length}\r\nexpect: 100-continue\r\n"
        );
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        stream
            .write_all(head.as_bytes())
            .expect("the hub reads the request");
        let mut interim = vec![0; CONTINUE.len()];
        stream
            .read_exact(&mut interim)
            .expect("the hub asks for the body");
        assert_eq!(interim, CONTINUE, "{}", String::from_utf8_lossy(&interim));
        meanwhile();
        stream
            .write_all(body.as_bytes())
            .expect("the hub reads the request");
        Reply::read(stream)
    }

    /// Sends a request with valid credentials and more headers.
    pub(crate) fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.send_text(&self.request(method, headers, body))
    }

    /// The text of such a request.
    pub(crate) fn request(&self, method: &str, headers: &[(&str, &str)], body: &str) -> String {
        let host = format!("127.0.0.1:{}", self.port);
        let token = format!("Bearer {}", self.token);
        let mut all = vec![
            ("host", host.as_str()),
            ("authorization", token.as_str()),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        all.extend(headers);
        request_text(method, &self.path, &all, body)
    }

    /// Calls a tool in the modern protocol.
    pub(crate) fn call(&self, id: i64, tool: &str, arguments: &str) -> Reply {
        self.send_text(&self.call_as_text(id, tool, arguments))
    }

    /// The text of such a call.
    pub(crate) fn call_as_text(&self, id: i64, tool: &str, arguments: &str) -> String {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"raw-http","version":"1"}}}}}}}}"#
        );
        let headers = [
            ("mcp-protocol-version", MODERN),
            ("mcp-method", "tools/call"),
            ("mcp-name", tool),
        ];
        self.request("POST", &headers, &body)
    }

    /// Opens a legacy session.
    pub(crate) fn session(&self) -> Session {
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
        let initialized =
            session.send_message(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert_eq!(initialized.status, 202, "the notification is accepted");
        session
    }
}

fn request_text(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let length = body.len();
    let mut request = format!("{method} {path} HTTP/1.1\r\ncontent-length: {length}\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    request.push_str(body);
    request
}

/// A legacy session.
pub(crate) struct Session {
    http: Http,
    id: String,
}

impl Session {
    /// The session at another hub or endpoint.
    pub(crate) fn at_endpoint(&self, http: &Http) -> Self {
        Self {
            http: http.clone(),
            id: self.id.clone(),
        }
    }

    /// Sends a message.
    pub(crate) fn send_message(&self, body: &str) -> Reply {
        self.send("POST", &[], body)
    }

    /// Sends any request.
    pub(crate) fn send(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut all = vec![
            ("mcp-session-id", self.id.as_str()),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        all.extend(headers);
        self.http.send(method, &all, body)
    }

    /// Calls a tool.
    pub(crate) fn call(&self, id: i64, tool: &str, arguments: &str) -> Reply {
        self.send_message(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        ))
    }

    /// Resumes a stream after an event (`Last-Event-ID`).
    pub(crate) fn resume(&self, event: &str) -> Reply {
        self.send("GET", &[("last-event-id", event)], "")
    }
}
