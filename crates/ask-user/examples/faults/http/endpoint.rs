//! Where a hub speaks HTTP, and requests as its clients write them.

use ask_protocol::ipc;

use crate::callers;
use crate::model::World;
use crate::protocol::{LEGACY, MODERN};
use crate::session::Who;

/// The way in to a hub that runs, or did.
#[derive(Clone)]
pub struct Door {
    /// The port.
    pub port: u16,
    token: String,
    path: String,
    modern: bool,
    /// The legacy session that it led to.
    pub session: Option<String>,
}

impl Door {
    /// As the hub left it; whoever asks is said in the address.
    pub fn find(world: &World, dialect: &str, number: u64, who: &Who) -> Option<Self> {
        let home = world.place.home();
        let left = std::fs::read_to_string(home.join("hub.json")).ok()?;
        let address = ipc::read_address(&left).ok()?.http?;
        let directory = home.display();
        let project = callers::project(number);
        let agent = match &who.name {
            Some(name) => format!("&agent={name}"),
            None => String::new(),
        };
        Some(Self {
            port: address.port,
            token: address.token,
            path: format!("/mcp/{dialect}?directory={directory}&project={project}{agent}"),
            modern: who.modern,
            session: None,
        })
    }

    /// A message, as a request.
    pub fn post(&self, method: &str, name: Option<&str>, message: &str) -> String {
        let mut more = String::new();
        if self.modern {
            more = format!("mcp-protocol-version: {MODERN}\r\nmcp-method: {method}\r\n");
            if let Some(name) = name {
                more.push_str(&format!("mcp-name: {name}\r\n"));
            }
        }
        self.request("POST", &more, message)
    }

    /// Wants what was said after an event.
    pub fn resume(&self, event: &str) -> String {
        self.request("GET", &format!("last-event-id: {event}\r\n"), "")
    }

    /// Closes the session.
    pub fn delete(&self) -> String {
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
