//! A desktop app with a wizard of its own: it exchanges the bridge's events over a WebSocket.

use std::io::{Read, Write};
use std::net::TcpStream;

use ask_core::Json;
use tungstenite::client::IntoClientRequest;
use tungstenite::error::Error;
use tungstenite::{Message, WebSocket};

use super::json;
use super::lines::{LIMIT, read_some};

/// A connected app.
pub(crate) struct App(WebSocket<Stream>);

/// A connection whose reads survive signals.
struct Stream(TcpStream);

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        read_some(&mut self.0, buffer)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl App {
    /// Connects to the bridge at a port. The error is the HTTP status of a refusal.
    pub(crate) fn connect(port: u16, token: &str, headers: &[(&str, &str)]) -> Result<Self, u16> {
        Self::connect_with_query(port, "", token, headers)
    }

    /// Connects with a query, including its `?`.
    pub(crate) fn connect_with_query(
        port: u16,
        query: &str,
        token: &str,
        headers: &[(&str, &str)],
    ) -> Result<Self, u16> {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
        stream
            .set_read_timeout(Some(LIMIT))
            .expect("a socket timeout");
        let url = format!("ws://127.0.0.1:{port}/bridge{query}");
        let mut request = url.into_client_request().expect("the URL is valid");
        let token = format!("Bearer {token}");
        let all = [("authorization", token.as_str())];
        for (name, value) in all.iter().chain(headers) {
            let name: tungstenite::http::HeaderName = name.parse().expect("a name");
            let value = value.parse().expect("a value");
            request.headers_mut().insert(name, value);
        }
        match tungstenite::client::client(request, Stream(stream)) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(tungstenite::HandshakeError::Failure(Error::Http(refused))) => {
                Err(refused.status().as_u16())
            }
            Err(other) => panic!("neither accepted nor refused: {other}"),
        }
    }

    /// Sends an event.
    pub(crate) fn send_message(&mut self, event: &str) {
        let sent = self.0.send(Message::text(event));
        sent.expect("the bridge listens");
    }

    /// Sends an event and a close frame in one write.
    pub(crate) fn send_and_close(mut self, event: &str) {
        let sent = self.0.write(Message::text(event));
        sent.expect("the bridge listens");
        self.close();
    }

    /// Sends a binary frame.
    pub(crate) fn send_bytes(&mut self, bytes: &'static [u8]) {
        let sent = self.0.send(Message::binary(bytes));
        sent.expect("the bridge listens");
    }

    /// The next event of this kind.
    pub(crate) fn receive(&mut self, kind: &str) -> Json {
        loop {
            match self.0.read().expect("the bridge sends events") {
                Message::Text(text) => {
                    let event = json(&text);
                    assert_eq!(event["type"], kind, "{event}");
                    return event;
                }
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("not an event: {other}"),
            }
        }
    }

    /// Closes the connection and waits for the bridge to close it.
    pub(crate) fn close(mut self) {
        self.0.close(None).expect("the bridge listens");
        loop {
            match self.0.read() {
                // Events that were on their way come first.
                Ok(Message::Close(_) | Message::Text(_)) => {}
                Err(Error::ConnectionClosed) => return,
                other => panic!("no close frame: {other:?}"),
            }
        }
    }

    /// Reads until the bridge closes the connection.
    pub(crate) fn wait_for_close(mut self) {
        while self.0.read().is_ok() {}
    }
}
