//! How long a call may wait for its person, by what is known of its client.

use std::time::Duration;

use super::Client;
use super::labels::Progress;

/// How a client reaches its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Over the server's standard streams.
    Stdio,
    /// Over Streamable HTTP.
    Http,
}

/// How long a call waits for its person. Progress is sent either way, where there is a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Until there is an outcome.
    Block,
    /// So long, and then its agent is told that the question still waits.
    ReturnAfter(Duration),
}

/// How long a call from this client may wait; an unknown one waits.
pub fn strategy(
    known: Option<&Client>,
    has_progress_token: bool,
    transport: Transport,
) -> Strategy {
    let Some(client) = known else {
        return Strategy::Block;
    };
    let silent = match transport {
        Transport::Http => client.http_limit_ms.or(client.limit_ms),
        Transport::Stdio => client.limit_ms,
    };
    let extended = has_progress_token && client.progress == Some(Progress::Extends);
    let limits = [silent.filter(|_| !extended), client.wall_ms];
    let nearest = limits.into_iter().flatten().filter(|ms| *ms > 0).min();
    nearest.map_or(Strategy::Block, |limit| {
        Strategy::ReturnAfter(Duration::from_millis(limit - margin(limit)))
    })
}

/// What is left of a limit for the way back: a twentieth, which a longer limit can spare; at
/// least two seconds, in which even a busy machine has told its client; at most thirty, since
/// the way back is no longer for a longer wait. Half of the limit remains in any case, or
/// nobody could answer within it.
fn margin(limit_ms: u64) -> u64 {
    (limit_ms / 20).clamp(2_000, 30_000).min(limit_ms / 2)
}
