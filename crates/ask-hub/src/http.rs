//! What all HTTP servers of this program share: listeners, the checks of clients, limits, and the
//! form of refusals. The routes are in `ask-mcp` and `ask-web`.

pub mod account;
mod account_lookup;
pub mod agent_sessions;
pub mod caller;
pub mod connection_limit;
pub mod idle_timeout;
pub mod limits;
pub mod link_keys;
pub mod loopback;
pub mod origin_guard;
pub mod problem;
pub mod rejection;
pub mod reply;
pub mod request_log;
mod socket;

use std::sync::Arc;
use std::time::Duration;

use self::agent_sessions::AgentSessions;
pub use self::origin_guard::{check_request, named_hosts};
pub use self::problem::ProblemKind;
pub use self::rejection::{BEARER, Rejection, add_challenge, rejection};
pub use self::socket::{Client, SocketListener};

/// A request of at most this many bytes is accepted, whatever limit the settings have for calls.
pub const LEAST_BYTES: usize = 256 * 1024;

/// How the server is guarded and timed.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The token that `Authorization: Bearer` must carry (RFC 6750); `None` admits everybody.
    pub token: Option<String>,
    /// Where a person finds the token; part of the refusal of a request without it.
    pub token_hint: String,
    /// The names of this machine. A request with another `Host` may come from DNS rebinding and is
    /// refused.
    pub hosts: Vec<String>,
    /// Hosts whose web pages may call, on any port.
    pub origins: Vec<String>,
    /// The largest body of a call, in bytes.
    pub most_bytes: usize,
    /// The server's time limits.
    pub times: Times,
    /// The open sessions of agents.
    pub sessions: Arc<AgentSessions>,
}

/// Time limits of the server.
#[derive(Clone, Debug)]
pub struct Times {
    /// How long a call may run before its response headers are sent.
    pub headers: Duration,
    /// The interval of comments on a silent event stream.
    pub comment: Duration,
    /// How long a call whose client lost its stream counts as waited for.
    pub away: Duration,
    /// After how long without an event the client of a call is pinged.
    pub ping: Duration,
    /// How long a session without requests stays in memory.
    pub idle: Duration,
}

impl Default for Guard {
    fn default() -> Self {
        let names = || {
            ["localhost", "127.0.0.1", "[::1]"]
                .map(str::to_owned)
                .to_vec()
        };
        Self {
            token: None,
            token_hint: String::new(),
            hosts: names(),
            origins: names(),
            most_bytes: LEAST_BYTES,
            times: Times::default(),
            sessions: Arc::default(),
        }
    }
}

impl Default for Times {
    fn default() -> Self {
        Self {
            headers: Duration::from_secs(1),
            comment: Duration::from_secs(15),
            away: Duration::from_secs(60),
            ping: Duration::from_secs(4 * 60),
            idle: Duration::from_secs(60),
        }
    }
}
