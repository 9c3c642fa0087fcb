//! A hub's HTTP endpoint, and requests as clients write them.

use ask_protocol::ipc;

use crate::callers;
use crate::model::Campaign;
use crate::protocol::{LEGACY, MODERN};
use crate::session::Identity;

/// The endpoint of a hub, which may have ended.
#[derive(Clone)]
pub(super) struct Endpoint {
    /// The port.
    pub port: u16,
    token: String,
    path: String,
    modern: bool,
    /// The legacy session that was opened there.
    pub session: Option<String>,
}

impl Endpoint {
    /// Reads the endpoint that the hub has written to its home; the caller's identity becomes part
    /// of the URL.
    pub(super) fn find(
        campaign: &Campaign,
        dialect: &str,
        number: u64,
        identity: &Identity,
    ) -> Option<Self> {
        let home = campaign.dirs.home();
        let left = std::fs::read_to_string(home.join("hub.json")).ok()?;
        let address = ipc::read_address(&left).ok()?.http?;
        let directory = home.display();
        let project = callers::project(number);
        let agent = match &identity.name {
            Some(name) => format!("&agent={name}"),
            None => String::new(),
        };
        Some(Self {
            port: address.port,
            token: address.token,
            path: format!("/mcp/{dialect}?directory={directory}&project={project}{agent}"),
            modern: identity.modern,
            session: None,
        })
    }

    /// A POST request with a message.
    pub(super) fn post(&self, method: &str, name: Option<&str>, message: &str) -> String {
        let mut more = String::new();
        if self.modern {
            more = format!("mcp-protocol-version: {MODERN}\r\nmcp-method: {method}\r\n");
            if let Some(name) = name {
                more.push_str(&format!("mcp-name: {name}\r\n"));
            }
        }
        self.request("POST", &more, message)
    }

    /// A GET request that resumes a stream after an event.
    pub(super) fn resume(&self, event: &str) -> String {
        self.request("GET", &format!("last-event-id: {event}\r\n"), "")
    }

    /// A DELETE request that ends the session.
    pub(super) fn delete(&self) -> String {
        self.request("DELETE", "", "")
    }

    fn request(&self, verb: &str, more: &str, body: &str) -> String {
        let Self {
            port, token, path, ..
        } = self;
        let session = self.session.as_ref().map_or(String::new(), |session| {
            format!("mcp-session-id: {session}\r\nmcp-protocol-version: {LEGACY}\r\n")
        });
        format!(
            "{verb} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             content-length: {}\r\n{session}{more}\r\n{body}",
            body.len()
        )
    }
}
