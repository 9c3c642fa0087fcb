//! Phone notifications to a server on this machine that refuses some of them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use ask_core::Json;
use rustix::process::Signal;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::NOON;
use crate::support::authority::Authority;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::lines::LIMIT;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::screen::Screen;

/// A request as the server received it.
struct Request {
    path: String,
    /// In lower case.
    headers: String,
    body: Json,
}

/// A server that refuses its first requests.
struct Server {
    port: u16,
    requests: Receiver<Request>,
}

impl Server {
    fn refuse_first(refused: usize) -> Self {
        Self::with_statuses(vec!["503 Service Unavailable"; refused])
    }

    /// A server that replies with these status lines first, and with success afterwards.
    fn with_statuses(first: Vec<&'static str>) -> Self {
        Self::accept_with(first, |stream| stream)
    }

    /// A server over TLS with this certificate.
    fn with_tls((cert, key): (PathBuf, PathBuf)) -> Self {
        let cert = CertificateDer::from_pem_file(cert).expect("a certificate");
        let key = PrivateKeyDer::from_pem_file(key).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("TLS 1.3")
            .with_no_client_auth()
            .with_single_cert(vec![cert], key)
            .expect("the key belongs to the certificate");
        let config = Arc::new(config);
        Self::accept_with(Vec::new(), move |stream| {
            let server = ServerConnection::new(Arc::clone(&config)).expect("a server");
            StreamOwned::new(server, stream)
        })
    }

    fn accept_with<S: Read + Write>(
        mut first: Vec<&'static str>,
        speak: impl Fn(TcpStream) -> S + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("the listener is bound").port();
        let (sender, requests) = channel();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let status = first.pop().unwrap_or("200 OK");
                // A client that breaks off has sent no message.
                let _ = serve(speak(stream), status, &sender);
            }
        });
        Self { port, requests }
    }

    fn next(&self) -> Request {
        let request = self.requests.recv_timeout(LIMIT);
        request.expect("a message comes")
    }

    fn is_silent(&self) -> bool {
        self.requests.try_recv().is_err()
    }
}

fn serve(stream: impl Read + Write, status: &str, sender: &Sender<Request>) -> Option<()> {
    let mut reading = BufReader::new(stream);
    let mut first = String::new();
    reading.read_line(&mut first).ok()?;
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reading.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(count) = lower.strip_prefix("content-length:") {
            length = count.trim().parse().ok()?;
        }
        headers.push_str(&lower);
    }
    let mut body = vec![0; length];
    reading.read_exact(&mut body).ok()?;
    let mut writing = reading.into_inner();
    let reply = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    writing.write_all(reply.as_bytes()).ok()?;
    let request = Request {
        path: first.split(' ').nth(1)?.to_owned(),
        headers,
        body: json(&String::from_utf8(body).ok()?),
    };
    sender.send(request).ok()
}

/// A home whose phone is notified through this server.
fn home_with_webhook(settings: &str) -> Sandbox {
    let sandbox = Sandbox::with_clock(NOON);
    sandbox.write_settings(&format!("[notify]\n{settings}\n"));
    sandbox
}

fn advance_clock(sandbox: &Sandbox, now: &str) {
    sandbox.set_clock(now);
    Hub::connect(sandbox).set_clock(now);
}

/// Waits until the log contains a text this many times.
fn wait_for_log(sandbox: &Sandbox, words: &str, times: usize) {
    let mut tail = std::process::Command::new("tail");
    tail.args(["-n", "+1", "-F"])
        .arg(sandbox.home().join("hub.log"));
    let mut log = sandbox.start("hub.log", tail);
    for _ in 0..times {
        log.out
            .find(words, |line| line.contains(words).then_some(()));
    }
}

#[test]
fn a_webhook_is_delayed_retried_and_notified_of_the_end() {
    let server = Server::refuse_first(2);
    let sandbox = home_with_webhook(&format!(
        "webhook = \"http://127.0.0.1:{}/hook\"\nwebhook_secret = \"Jefe\"",
        server.port
    ));
    let id = sandbox.ask(&["Shall \"I\"?", "--title", "Pets"]);
    advance_clock(&sandbox, "2026-02-04T12:00:59Z");
    assert!(server.is_silent());
    advance_clock(&sandbox, "2026-02-04T12:01:00Z");
    assert_eq!(server.next().path, "/hook");
    wait_for_log(
        &sandbox,
        "webhook: the server said 503; it is tried again",
        1,
    );
    advance_clock(&sandbox, "2026-02-04T12:01:05Z");
    server.next();
    wait_for_log(
        &sandbox,
        "webhook: the server said 503; it is tried again",
        2,
    );
    advance_clock(&sandbox, "2026-02-04T12:01:20Z");
    let third = server.next();
    assert!(
        third.headers.contains("x-ask-user-signature: sha256="),
        "{}",
        third.headers
    );
    assert_eq!(third.body["event"], "asked");
    assert_eq!(third.body["asks"][0]["askId"], id.as_str());
    assert_eq!(third.body["asks"][0]["title"], "Pets");
    assert!(!third.body.to_string().contains("Shall"), "{}", third.body);
    sandbox.run_ok(&["answer", &id, "--set", "secret words"]);
    let over = server.next();
    assert_eq!(over.body["event"], "answered");
    assert!(
        !over.body.to_string().contains("secret words"),
        "{}",
        over.body
    );
    advance_clock(&sandbox, "2026-02-04T14:00:00Z");
    assert!(server.is_silent());
}

#[test]
fn the_next_hub_retries_ntfy_messages() {
    let server = Server::refuse_first(1);
    let sandbox = home_with_webhook(&format!(
        "ntfy = \"http://127.0.0.1:{}/my-topic\"\nntfy_token = \"tk_1\"\nprivacy = \"private\"\n[http]\npublic_url = \"https://desk.example.ts.net/\"",
        server.port
    ));
    let id = sandbox.ask(&["Shall I?", "--title", "Secret"]);
    advance_clock(&sandbox, "2026-02-04T12:01:00Z");
    let first = server.next();
    assert_eq!(first.path, "/");
    wait_for_log(&sandbox, "ntfy: the server said 503", 1);
    Hub::connect(&sandbox).signal(Signal::TERM);
    sandbox.set_clock("2026-02-04T12:01:05Z");
    sandbox.run_ok(&["list"]);
    let second = server.next();
    assert_eq!(first.body, second.body);
    assert!(second.headers.contains("authorization: bearer tk_1"));
    assert_eq!(second.body["topic"], "my-topic");
    let place = format!("https://desk.example.ts.net/a/{id}");
    assert_eq!(second.body["click"], place, "a tap leads to the question");
    assert_eq!(second.body["title"], "A question waits for you");
    assert_eq!(second.body["message"], "1 question");
}

#[test]
fn https_messages_need_a_trusted_certificate() {
    let sandbox = Sandbox::new();
    let (authority, other) = (Authority::new(), Authority::new());
    let server = Server::with_tls(authority.issue(sandbox.home(), &["localhost"]));
    let webhook = format!("https://localhost:{}/hook/secret", server.port);
    sandbox.write_settings(&format!("[notify]\nwebhook = \"{webhook}\"\n"));
    let tried = |trusted: &str| {
        let roots = sandbox.home().join("roots.pem");
        std::fs::write(&roots, trusted).expect("a writable home");
        let mut command = sandbox.command(BINARY);
        command.args(["notify", "--test"]);
        command
            .env("SSL_CERT_FILE", roots)
            .env_remove("SSL_CERT_DIR");
        let output = run_to_end(command);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!said.contains("secret"), "{said}");
        said
    };
    let said = tried(&other.pem);
    assert!(said.contains("certificate"), "{said}");
    let said = tried("");
    assert!(said.contains("no authority for certificates"), "{said}");
    let said = tried(&authority.pem);
    assert!(said.contains("the server took it"), "{said}");
    assert_eq!(server.next().path, "/hook/secret");
}

#[test]
fn a_redirect_is_not_followed() {
    let server = Server::with_statuses(vec!["302 Found\r\nlocation: /elsewhere"]);
    let sandbox = home_with_webhook(&format!("webhook = \"http://127.0.0.1:{}/\"", server.port));
    let tried = sandbox.run(&["notify", "--test"]);
    let said = String::from_utf8_lossy(&tried.stdout).into_owned();
    assert!(said.contains("the server said 302"), "{said}");
    assert_eq!(server.next().path, "/");
    assert!(server.is_silent());
}

#[test]
fn a_message_goes_through_the_proxy_of_the_environment() {
    let server = Server::refuse_first(0);
    let proxy = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let gone = proxy.local_addr().expect("the listener is bound");
    drop(proxy);
    let sandbox = home_with_webhook(&format!("webhook = \"http://127.0.0.1:{}/\"", server.port));
    let tried = |exempt: &str| {
        let mut command = sandbox.command(BINARY);
        command.args(["notify", "--test"]).env("NO_PROXY", exempt);
        let proxy = format!("http://person:secret@{gone}");
        command.env("ALL_PROXY", proxy);
        let output = run_to_end(command);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let said = tried("");
    assert!(said.contains("refused"), "{said}");
    assert!(!said.contains("secret"), "{said}");
    assert!(server.is_silent());
    let said = tried("127.0.0.1");
    assert!(said.contains("the server took it"), "{said}");
    assert_eq!(server.next().path, "/");
}

#[test]
fn quiet_hours_keep_the_phone_quiet_until_they_end() {
    let server = Server::refuse_first(0);
    let sandbox = home_with_webhook(&format!(
        "ntfy = \"http://127.0.0.1:{}/t\"\nquiet_hours = \"11:00-13:00\"",
        server.port
    ));
    sandbox.ask(&["First?"]);
    sandbox.ask(&["Second?"]);
    advance_clock(&sandbox, "2026-02-04T12:59:00Z");
    assert!(server.is_silent());
    advance_clock(&sandbox, "2026-02-04T13:00:00Z");
    assert_eq!(server.next().body["title"], "2 questions wait for you");
}

#[test]
fn an_early_answer_prevents_the_phone_notification() {
    let server = Server::refuse_first(0);
    let sandbox = home_with_webhook(&format!("webhook = \"http://127.0.0.1:{}/\"", server.port));
    let first = sandbox.ask(&["First?"]);
    sandbox.run_ok(&["answer", &first, "--set", "yes"]);
    sandbox.ask(&["Second?"]);
    advance_clock(&sandbox, "2026-02-04T12:01:00Z");
    let told = server.next();
    assert_eq!(told.body["asks"].as_array().map(Vec::len), Some(1));
    assert!(server.is_silent());
}

#[test]
fn plain_mode_counts_as_presence() {
    let server = Server::refuse_first(0);
    let sandbox = home_with_webhook(&format!("webhook = \"http://127.0.0.1:{}/\"", server.port));
    sandbox.ask(&["Shall I?"]);
    let plain = [("ASK_USER_PLAIN", "1")];
    let screen = Screen::start(&sandbox, &plain, &[BINARY, "inbox"]);
    screen.wait_for("Number of the question to open");
    screen.press(&["S", "Enter"]);
    // The statistics are requested after the presence on the same connection: once they are shown,
    // the hub knows that the person is present.
    screen.wait_for("waits now");
    advance_clock(&sandbox, "2026-02-04T12:01:30Z");
    assert!(server.is_silent());
    advance_clock(&sandbox, "2026-02-04T12:02:01Z");
    assert_eq!(server.next().path, "/");
}
