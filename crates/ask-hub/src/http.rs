//! HTTP as every server of ours speaks it: where it listens, who may come in, how much they may ask
//! for, and how a refusal is told. What is served is not decided here.

pub mod account;
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
pub use self::origin_guard::{check, named};
pub use self::problem::ProblemKind;
pub use self::rejection::{BEARER, Refused, challenging, rejection};
pub use self::socket::{Client, Sockets};

/// What is read of any request, whatever the person has set for calls.
pub const LEAST_BYTES: usize = 256 * 1024;

/// How the stack is guarded and timed.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What a client must have in `Authorization: Bearer`; `None` lets everybody in.
    pub token: Option<String>,
    /// Where a person finds the token, for whoever came without it.
    pub token_is: String,
    /// Names of this machine. A request for any other was led here by somebody else's name server.
    pub hosts: Vec<String>,
    /// Hosts whose web pages may call, on any port.
    pub origins: Vec<String>,
    /// The most that a call may hold.
    pub most_bytes: usize,
    /// How long things take.
    pub times: Times,
    /// The sessions that stand.
    pub sessions: Arc<AgentSessions>,
}

/// How long things take.
#[derive(Clone, Debug)]
pub struct Times {
    /// How long a call may take until its headers are sent.
    pub headers: Duration,
    /// Between two comments on a silent stream.
    pub comment: Duration,
    /// How long a call without a stream counts as waited for.
    pub away: Duration,
    /// How long a call is silent until its client is pinged.
    pub ping: Duration,
    /// How long a session that nobody uses stays in memory.
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
            token_is: String::new(),
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
