//! What agents say: JSON-RPC in either era of the protocol.

/// The modern era.
pub const MODERN: &str = "2026-07-28";
/// The last revision of the era before.
pub const LEGACY: &str = "2025-11-25";
/// What follows a legacy greeting.
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// How one agent speaks.
pub struct Speech {
    client: String,
    /// Whether each of its requests stands for itself.
    pub modern: bool,
}

impl Speech {
    /// Of this client.
    pub fn new(client: String, modern: bool) -> Self {
        Self { client, modern }
    }

    /// The first request's method.
    pub fn greets_with(&self) -> &'static str {
        if self.modern {
            "server/discover"
        } else {
            "initialize"
        }
    }

    /// The first request.
    pub fn greeting(&self, id: i64) -> String {
        let params = if self.modern {
            format!("{{{}}}", self.meta())
        } else {
            let info = self.info();
            format!(r#"{{"protocolVersion":"{LEGACY}","capabilities":{{}},"clientInfo":{info}}}"#)
        };
        request(id, self.greets_with(), &params)
    }

    /// A call of a tool.
    pub fn call(&self, id: i64, tool: &str, arguments: &str) -> String {
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

/// That a call is taken back.
pub fn cancelled(id: i64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
}
