//! The messages of agents: JSON-RPC in either era of the protocol.

/// The protocol revision of the modern era.
pub(crate) const MODERN: &str = "2026-07-28";
/// The last protocol revision of the legacy era.
pub(crate) const LEGACY: &str = "2025-11-25";
/// The notification that follows a legacy greeting.
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The protocol of one agent.
pub(crate) struct Protocol {
    client: String,
    /// Whether it is the modern one, in which each request is complete by itself.
    pub modern: bool,
}

impl Protocol {
    /// The protocol of an agent of this client.
    pub(crate) fn new(client: String, modern: bool) -> Self {
        Self { client, modern }
    }

    /// The method of the first request.
    pub(crate) fn first_method(&self) -> &'static str {
        if self.modern {
            "server/discover"
        } else {
            "initialize"
        }
    }

    /// The first request.
    pub(crate) fn first_request(&self, id: i64) -> String {
        let params = if self.modern {
            format!("{{{}}}", self.meta())
        } else {
            let info = self.info();
            format!(r#"{{"protocolVersion":"{LEGACY}","capabilities":{{}},"clientInfo":{info}}}"#)
        };
        request(id, self.first_method(), &params)
    }

    /// A tool call.
    pub(crate) fn call(&self, id: i64, tool: &str, arguments: &str) -> String {
        let params = format!(r#""name":"{tool}","arguments":{arguments}"#);
        let params = if self.modern {
            format!("{{{params},{}}}", self.meta())
        } else {
            format!("{{{params}}}")
        };
        request(id, "tools/call", &params)
    }

    fn meta(&self) -> String {
        let info = self.info();
        format!(
            r#""_meta":{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{info}}}"#
        )
    }

    fn info(&self) -> String {
        format!(r#"{{"name":"{}","version":"1"}}"#, self.client)
    }
}

fn request(id: i64, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

/// The notification that cancels a request.
pub(crate) fn cancelled(id: i64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
}
