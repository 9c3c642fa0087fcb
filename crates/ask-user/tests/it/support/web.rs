//! A browser at the hub's page, and programs with a token, as raw requests.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ask_core::Json;

use super::authority::Trust;
use super::http::Http;
use super::json;
use super::key::Key;
use super::reply::Reply;
use super::sandbox::Sandbox;

/// A client of the HTTP API.
#[derive(Clone)]
pub(crate) struct Web {
    http: Http,
    /// The headers that it sends: a cookie or a token.
    headers: Vec<(String, String)>,
    /// The key that its cookie is bound to.
    key: Option<Key>,
    /// The last nonce that the hub has issued.
    nonce: Arc<Mutex<String>>,
    /// Whether a proxy in front encrypts the connection.
    is_proxied: bool,
}

impl Web {
    /// A client without credentials.
    pub(crate) fn anonymous(sandbox: &Sandbox) -> Self {
        Self {
            http: Http::of_hub(sandbox),
            headers: Vec::new(),
            key: Some(Key::shared()),
            nonce: Arc::default(),
            is_proxied: false,
        }
    }

    /// The client with another key, or without one.
    pub(crate) fn with_key(&self, key: Option<Key>) -> Self {
        Self {
            key,
            ..self.clone()
        }
    }

    /// The client behind a proxy that serves this host over HTTPS.
    pub(crate) fn behind_proxy(&self, host: &str) -> Self {
        Self {
            is_proxied: true,
            ..self.with_header("host", host)
        }
    }

    /// A nonce, which the hub issues to a client without one.
    pub(crate) fn nonce(&self) -> String {
        let reply = self.send_once("POST", "/v1/session", r#"{"key":""}"#);
        reply.header("dpop-nonce").unwrap_or_default().to_owned()
    }

    /// A browser that `ask-user web` has signed in.
    pub(crate) fn page(sandbox: &Sandbox) -> Self {
        let bare = Self::anonymous(sandbox);
        let reply = bare.sign_in(&key(sandbox));
        assert_eq!(reply.status, 204, "the key is good");
        bare.with_cookie(&cookie(&reply))
    }

    /// The client at another address, as `host:port`.
    pub(crate) fn at_address(&self, address: &str) -> Self {
        let (host, port) = address.rsplit_once(':').expect("a host and a port");
        let mut web = self.clone();
        web.http.host = host.to_owned();
        web.http.port = port.parse().expect("a port");
        web
    }

    /// The client over HTTPS.
    pub(crate) fn with_trust(&self, trust: &Trust) -> Self {
        let mut web = self.clone();
        web.http.trust = Some(trust.clone());
        web
    }

    /// The client over plain HTTP.
    pub(crate) fn without_tls(&self) -> Self {
        let mut web = self.clone();
        web.http.trust = None;
        web
    }

    /// The client with a cookie, as our own page sends it.
    pub(crate) fn with_cookie(&self, cookie: &str) -> Self {
        self.with_header("cookie", cookie)
            .with_header("x-ask-user", "page")
            .with_header("sec-fetch-site", "same-origin")
    }

    /// A program with the token in this file.
    pub(crate) fn with_token(sandbox: &Sandbox, file: &str) -> Self {
        let bare = Self::anonymous(sandbox);
        let token = std::fs::read_to_string(sandbox.home().join(file));
        let token = token.expect("the hub's token");
        bare.with_header("authorization", &format!("Bearer {}", token.trim()))
    }

    /// The client with a header, which replaces one of the same name.
    pub(crate) fn with_header(&self, name: &str, value: &str) -> Self {
        let mut web = self.without_header(name);
        web.headers.push((name.to_owned(), value.to_owned()));
        web
    }

    /// The client without a header.
    pub(crate) fn without_header(&self, name: &str) -> Self {
        let mut web = self.clone();
        web.headers.retain(|(known, _)| known != name);
        web
    }

    /// Sends a request with a proof of its key. Repeats it if the hub demands another nonce.
    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> Reply {
        let reply = self.with_proof(method, path).send_once(method, path, body);
        let nonce = reply.header("dpop-nonce").map(str::to_owned);
        let Some(nonce) = nonce else {
            return reply;
        };
        let is_new = std::mem::replace(&mut *self.nonce.lock().unwrap(), nonce.clone()) != nonce;
        match reply.status == 401 && is_new {
            true => self.with_proof(method, path).send_once(method, path, body),
            false => reply,
        }
    }

    /// The client with a proof for one request, unless it has one already, or has a token instead
    /// of a cookie.
    fn with_proof(&self, method: &str, path: &str) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let has = |name: &str| self.headers.iter().any(|(known, _)| known == name);
        let Some(key) = self
            .key
            .as_ref()
            .filter(|_| !has("authorization") && !has("dpop"))
        else {
            return self.clone();
        };
        let id = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
        let nonce = self.nonce.lock().unwrap().clone();
        self.with_header("dpop", &key.proof(method, &self.url(path), &nonce, &id))
    }

    /// The URL of a path, without its query.
    pub(crate) fn url(&self, path: &str) -> String {
        let scheme = match self.http.trust.is_some() || self.is_proxied {
            true => "https",
            false => "http",
        };
        let named = self.headers.iter().find(|(name, _)| name == "host");
        let host = named.map_or_else(|| self.host(), |(_, host)| host.clone());
        let path = path.split('?').next().unwrap_or_default();
        format!("{scheme}://{host}{path}")
    }

    fn send_once(&self, method: &str, path: &str, body: &str) -> Reply {
        let host = self.host();
        self.http.raw(method, path, &self.all_headers(&host), body)
    }

    /// Sends a request, and its body only after a closure has run.
    pub(crate) fn send_slowly(
        &self,
        (method, path): (&str, &str),
        body: &str,
        meanwhile: impl FnOnce(),
    ) -> Reply {
        // A request with an outdated nonce would be rejected, so a fresh one is fetched first.
        self.send("GET", "/v1/session", "");
        let (host, proven) = (self.host(), self.with_proof(method, path));
        let headers = proven.all_headers(&host);
        self.http
            .raw_slowly((method, path), &headers, body, meanwhile)
    }

    fn host(&self) -> String {
        let name = self.http.trust.as_ref().map(|trust| trust.name.as_str());
        let host = name.unwrap_or(&self.http.host);
        format!("{host}:{}", self.http.port)
    }

    /// All headers, with this host unless they name another.
    fn all_headers<'web>(&'web self, host: &'web str) -> Vec<(&'web str, &'web str)> {
        let mut all = Vec::new();
        if !self.headers.iter().any(|(name, _)| name == "host") {
            all.push(("host", host));
        }
        let own = self.headers.iter();
        all.extend(own.map(|(name, value)| (name.as_str(), value.as_str())));
        all
    }

    /// The client at the hub that runs now.
    pub(crate) fn at_hub_of(&self, sandbox: &Sandbox) -> Self {
        Self {
            http: Http::of_hub(sandbox),
            ..self.clone()
        }
    }

    /// Exchanges a one-time key for a session.
    pub(crate) fn sign_in(&self, key: &str) -> Reply {
        self.send("POST", "/v1/session", &format!(r#"{{"key":"{key}"}}"#))
    }

    /// Sends a request that must return this status; returns its JSON.
    pub(crate) fn expect_status(&self, status: u16, method: &str, path: &str, body: &str) -> Json {
        let mut reply = self.send(method, path, body);
        let text = reply.text();
        assert_eq!(reply.status, status, "{method} {path}: {text}");
        match text.is_empty() {
            true => Json::Null,
            false => json(&text),
        }
    }

    /// Gets a resource that must exist.
    pub(crate) fn get_json(&self, path: &str) -> Json {
        self.expect_status(200, "GET", path, "")
    }

    /// Posts a body that must be accepted.
    pub(crate) fn post_json(&self, path: &str, body: &str) -> Json {
        self.expect_status(200, "POST", path, body)
    }

    /// Opens the event stream.
    pub(crate) fn open_events(&self) -> Events {
        let reply = self.send("GET", "/v1/events", "");
        assert_eq!(reply.status, 200);
        Events(reply)
    }

    /// Resumes the event stream after an event.
    pub(crate) fn resume_events(&self, id: &str) -> Events {
        self.with_header("last-event-id", id).open_events()
    }
}

/// The one-time key of the link that `ask-user web` prints.
pub(crate) fn key(sandbox: &Sandbox) -> String {
    let link = sandbox.run_ok(&["web", "--print"]);
    let first = link.lines().next().expect("a link");
    let (_, key) = first.split_once("/#k=").expect("a link with a key");
    key.to_owned()
}

/// The one-time key of the link to `http.public_url`, which `ask-user web` prints second.
pub(crate) fn public_key(sandbox: &Sandbox) -> String {
    let links = sandbox.run_ok(&["web", "--print"]);
    let second = links.lines().nth(1).expect("a second link");
    let (_, key) = second.split_once("/#k=").expect("a link with a key");
    key.to_owned()
}

/// The cookie that a reply sets, as a browser sends it back.
pub(crate) fn cookie(reply: &Reply) -> String {
    let set = reply.header("set-cookie").expect("a cookie");
    let (pair, _) = set.split_once(';').expect("a cookie has attributes");
    pair.to_owned()
}

/// The name of this hub's cookie.
pub(crate) fn cookie_name(sandbox: &Sandbox) -> String {
    let cookie = cookie(&Web::anonymous(sandbox).sign_in(&key(sandbox)));
    let (name, _) = cookie.split_once('=').expect("a cookie has a name");
    name.to_owned()
}

/// The type of a problem document.
pub(crate) fn kind(problem: &Json) -> String {
    let value = super::text(problem, "type");
    let kind = value.strip_prefix("urn:ask-user:problem:");
    kind.unwrap_or_else(|| panic!("a problem: {problem}"))
        .to_owned()
}

/// After this many pings without an event, the test fails.
const PINGS: usize = 20;

/// An event stream.
pub(crate) struct Events(pub Reply);

/// An event.
#[derive(Debug)]
pub(crate) struct Event {
    /// The event's name.
    pub name: String,
    /// The id after which the stream can be resumed.
    pub id: Option<String>,
    /// The event's data.
    pub data: Json,
}

impl Events {
    /// The next event.
    pub(crate) fn next(&mut self) -> Event {
        let (mut name, mut id, mut pings) = (String::new(), None, 0);
        loop {
            let line = self.0.line().expect("the stream goes on");
            if line == ": ping" {
                // The hub sends a ping every 15 seconds. Some may have arrived before the test
                // reads.
                pings += 1;
                assert!(pings < PINGS, "an event was to come");
            } else if let Some(value) = line.strip_prefix("event: ") {
                value.clone_into(&mut name);
            } else if let Some(value) = line.strip_prefix("id: ") {
                id = Some(value.to_owned());
            } else if let Some(value) = line.strip_prefix("data: ") {
                let data = json(value);
                return Event { name, id, data };
            }
        }
    }

    /// The name of the event after the first.
    pub(crate) fn second(mut self) -> String {
        self.next();
        self.next().name
    }

    /// The next event with this name; others are skipped.
    pub(crate) fn receive(&mut self, name: &str) -> Event {
        loop {
            let event = self.next();
            if event.name == name {
                return event;
            }
        }
    }
}
