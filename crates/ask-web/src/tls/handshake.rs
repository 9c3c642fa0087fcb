//! The beginning of a connection to a port with HTTPS: a TLS handshake, or a request over plain
//! HTTP, which is redirected. Both have a time limit.

use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::pairing::listener::CountedStream;

/// The time for either. A phone that has just woken up may need several seconds.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The first byte of TLS: the content type of a handshake record (RFC 8446, section 5.1).
const HANDSHAKE_RECORD: u8 = 0x16;

/// How much of a request over plain HTTP is read.
const MAX_HEAD_BYTES: usize = 4 * 1024;

/// Accepts a TLS connection. Returns `None` if the client doesn't use TLS or the handshake failed.
pub(crate) async fn accept(
    stream: CountedStream,
    config: Arc<ServerConfig>,
    base: &str,
) -> Option<TlsStream<CountedStream>> {
    let handshake = async {
        match stream.peek_first().await? {
            HANDSHAKE_RECORD => TlsAcceptor::from(config).accept(stream).await.ok(),
            _ => {
                redirect(stream, base).await;
                None
            }
        }
    };
    timeout(TIMEOUT, handshake).await.ok().flatten()
}

/// Responds to a request over plain HTTP with the HTTPS address.
async fn redirect(mut stream: CountedStream, base: &str) {
    let mut head = Vec::new();
    let mut buffer = [0; 512];
    while head.len() < MAX_HEAD_BYTES && !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut buffer).await {
            Ok(read) if read > 0 => head.extend_from_slice(&buffer[..read]),
            Ok(_) | Err(_) => break,
        }
    }
    // This fails if the client has closed the connection, which is dropped next anyway.
    let _ = stream.write_all(response(&head, base).as_bytes()).await;
    // As above.
    let _ = stream.shutdown().await;
    // Closing a socket with unread data resets the connection, and the client might lose the
    // response.
    while matches!(stream.read(&mut buffer).await, Ok(read) if read > 0) {}
}

/// The response: a redirect for a well-formed GET or HEAD, otherwise 400. The redirect is temporary,
/// because the certificate may be removed.
fn response(head: &[u8], base: &str) -> String {
    let line = head.split(|&byte| byte == b'\r').next().unwrap_or_default();
    let line = std::str::from_utf8(line).unwrap_or_default();
    let mut words = line.split(' ');
    let is_read = matches!(words.next(), Some("GET" | "HEAD"));
    // No character that could end the header line or make the path a part of the host.
    let is_allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~?=&%+,;:@!$'()*".contains(&byte);
    let is_path = |path: &&str| {
        path.starts_with('/') && !path.starts_with("//") && path.bytes().all(is_allowed)
    };
    let path = words.next().filter(is_path).filter(|_| is_read);
    // A truncated request line lacks the protocol version.
    let is_complete = words.next().is_some_and(|word| word.starts_with("HTTP/"));
    let body = format!("This port speaks HTTPS: use {base}\n");
    let status = match path.filter(|_| is_complete) {
        Some(path) => format!("307 Temporary Redirect\r\nlocation: {base}{path}"),
        None => "400 Bad Request".to_owned(),
    };
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {}\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_redirected_and_never_to_another_host() {
        let base = "https://desk.lan:4127";
        let respond = |head: &str| response(head.as_bytes(), base);
        let redirect = respond("GET /pair HTTP/1.1\r\nhost: desk.lan\r\n\r\n");
        assert!(redirect.starts_with("HTTP/1.1 307 "), "{redirect}");
        assert!(redirect.contains("\r\nlocation: https://desk.lan:4127/pair\r\n"));
        for path in [
            "/?from=notice",
            "/a/ask_1?from=notice",
            "/pair?x",
            "/a%20b?x=%0d%0a&y=@z:1",
        ] {
            let redirect = respond(&format!("GET {path} HTTP/1.1\r\n\r\n"));
            assert!(
                redirect.contains(&format!("\r\nlocation: {base}{path}\r\n")),
                "{redirect}"
            );
            assert_eq!(redirect.matches("\r\n").count(), 8, "{redirect}");
        }
        for other in [
            "POST /v1/pair HTTP/1.1\r\n\r\n",
            "GET //evil.example HTTP/1.1\r\n\r\n",
            "GET @evil.example HTTP/1.1\r\n\r\n",
            "GET http://evil.example/?x HTTP/1.1\r\n\r\n",
            "GET ?x HTTP/1.1\r\n\r\n",
            "GET /\\evil.example HTTP/1.1\r\n\r\n",
            "GET /?x\nlocation: HTTP/1.1\r\n\r\n",
            "GET /cut?off",
            "GET /a\u{0}b HTTP/1.1\r\n\r\n",
            "\u{1}\u{2}",
            "",
        ] {
            let refusal = respond(other);
            assert!(refusal.starts_with("HTTP/1.1 400 "), "{refusal}");
            assert!(
                refusal.ends_with("use https://desk.lan:4127\n") && !refusal.contains("location")
            );
        }
    }
}
