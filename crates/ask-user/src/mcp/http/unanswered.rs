//! The minute that a connection may go unanswered: anybody who can reach a port may connect, and who
//! says nothing, or never comes to an end, would hold a connection all the same.

use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Interval, interval_at};

/// How long a connection may be that nothing was answered on. Every answer begins within a second or
/// two.
pub const UNANSWERED: Duration = Duration::from_secs(60);

/// When a connection is closed, unless something is answered on it before.
pub struct Unanswered(Option<Interval>);

impl Unanswered {
    /// Nothing was answered yet, and that may be so for as long.
    pub fn since_now(patience: Duration) -> Self {
        let period = patience.max(Duration::from_secs(1));
        Self(Some(interval_at(Instant::now() + patience, period)))
    }

    /// Something was answered: it stays open from here on.
    pub fn is_answered(&mut self) {
        self.0 = None;
    }

    /// Fails where it went on for too long; else the task is woken when it has.
    pub fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.0.as_mut().map(|until| until.poll_tick(context)) {
            Some(Poll::Ready(_)) => Err(io::ErrorKind::TimedOut.into()),
            Some(Poll::Pending) | None => Ok(()),
        }
    }
}
