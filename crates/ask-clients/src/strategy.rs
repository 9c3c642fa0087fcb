//! How long a call may wait for its person, depending on its client.

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

/// How long a call waits. Progress is sent in either case, if the client gave a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Until there is an outcome.
    Block,
    /// The call returns after this time at the latest, with the message that the ask is still open.
    ReturnAfter(Duration),
}

/// How long a call of this client may wait. A call of an unknown client blocks.
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

/// The part of a limit that is reserved for the response: a twentieth, at least two seconds (enough
/// for a busy machine), and at most thirty (a longer wait doesn't make the response slower). At
/// least half of the limit remains for the person.
fn margin(limit_ms: u64) -> u64 {
    (limit_ms / 20).clamp(2_000, 30_000).min(limit_ms / 2)
}
