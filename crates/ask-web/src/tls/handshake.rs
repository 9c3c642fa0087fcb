//! The beginning of a connection to a port with HTTPS: a TLS handshake, or a request over plain
//! HTTP, which is redirected. Either is limited in time.

use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::pairing::listener::Line;

/// The timeout. A phone that has just woken up may need several seconds.
const LONGEST: Duration = Duration::from_secs(20);

/// The first byte of TLS: the content type of a handshake record (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 0x16;

/// How much of a plain request is read.
const HEAD: usize = 4 * 1024;

/// Accepts a connection; `None` if it was not TLS, or if the handshake failed.
pub(crate) async fn greet(
    line: Line,
    serves: Arc<ServerConfig>,
    base: &str,
) -> Option<TlsStream<Line>> {
    let greeted = async {
        match line.first().await? {
            HANDSHAKE => TlsAcceptor::from(serves).accept(line).await.ok(),
            _ => {
                send_on(line, base).await;
                None
            }
        }
    };
    timeout(LONGEST, greeted).await.ok().flatten()
}

/// Responds to a request over plain HTTP with the HTTPS address.
async fn send_on(mut stream: Line, base: &str) {
    let mut head = Vec::new();
    let mut part = [0; 512];
    while head.len() < HEAD && !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part).await {
            Ok(read) if read > 0 => head.extend_from_slice(&part[..read]),
            Ok(_) | Err(_) => break,
        }
    }
    // The client may be gone; there is nobody else to report that to.
    let _ = stream.write_all(reply(&head, base).as_bytes()).await;
    let _ = stream.shutdown().await;
    // Closing a socket with unread data resets the connection, and the client might lose the
    // response.
    while matches!(stream.read(&mut part).await, Ok(read) if read > 0) {}
}

/// The response. The redirect is temporary, because the certificate may be removed.
fn reply(head: &[u8], base: &str) -> String {
    let line = head.split(|&byte| byte == b'\r').next().unwrap_or_default();
    let line = std::str::from_utf8(line).unwrap_or_default();
    let mut words = line.split(' ');
    let reads = matches!(words.next(), Some("GET" | "HEAD"));
    // Characters that may follow a host, without those that end a line or a host.
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~?=&%+,;:@!$'()*".contains(&byte);
    let is_path =
        |path: &&str| path.starts_with('/') && !path.starts_with("//") && path.bytes().all(is_part);
    let path = words.next().filter(is_path).filter(|_| reads);
    // An address that was cut off has no protocol version after it.
    let is_whole = words.next().is_some_and(|word| word.starts_with("HTTP/"));
    let body = format!("This port speaks HTTPS: use {base}\n");
    let first = match path.filter(|_| is_whole) {
        Some(path) => format!("307 Temporary Redirect\r\nlocation: {base}{path}"),
        None => "400 Bad Request".to_owned(),
    };
    format!(
        "HTTP/1.1 {first}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {}\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_reads_is_led_on_and_nobody_is_led_elsewhere() {
        let base = "https://desk.lan:4127";
        let said = |head: &str| reply(head.as_bytes(), base);
        let led = said("GET /pair HTTP/1.1\r\nhost: desk.lan\r\n\r\n");
        assert!(led.starts_with("HTTP/1.1 307 "), "{led}");
        assert!(led.contains("\r\nlocation: https://desk.lan:4127/pair\r\n"));
        for path in [
            "/?from=notice",
            "/a/ask_1?from=notice",
            "/pair?x",
            "/a%20b?x=%0d%0a&y=@z:1",
        ] {
            let led = said(&format!("GET {path} HTTP/1.1\r\n\r\n"));
            assert!(
                led.contains(&format!("\r\nlocation: {base}{path}\r\n")),
                "{led}"
            );
            assert_eq!(led.matches("\r\n").count(), 8, "{led}");
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
            let told = said(other);
            assert!(told.starts_with("HTTP/1.1 400 "), "{told}");
            assert!(told.ends_with("use https://desk.lan:4127\n") && !told.contains("location"));
        }
    }
}
