//! The time limit for connections without a response. Anybody who reaches the port may connect, and
//! a client that sends nothing, or never finishes its request, would occupy a place.

use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Interval, interval_at};

/// How long a connection may stay open without a response. Every response begins within a second or
/// two, and a long one, such as an event stream, writes more often than this.
pub const UNANSWERED: Duration = Duration::from_secs(60);

/// Closes a connection that gets no response in time.
pub struct Unanswered {
    until: Option<Interval>,
    /// Whether the time limit starts again after each response.
    always: bool,
    /// Whether bytes came or went since the last check; `None` before the first response.
    moves: Option<bool>,
}

impl Unanswered {
    /// A limit until the first response. After that, the connection may stay open.
    pub(crate) fn since_now(patience: Duration) -> Self {
        let period = patience.max(Duration::from_secs(1));
        Self {
            until: Some(interval_at(Instant::now() + patience, period)),
            always: false,
            moves: None,
        }
    }

    /// A limit that starts again after each response, so that idle keep-alive connections are
    /// closed too.
    pub fn always(patience: Duration) -> Self {
        Self {
            always: true,
            ..Self::since_now(patience)
        }
    }

    /// Records a response: the limit ends, or starts again.
    pub fn is_answered(&mut self) {
        match self.always {
            true => self.moves = Some(true),
            false => self.until = None,
        }
    }

    /// Records incoming bytes: a client may take its time between requests.
    pub fn is_asked(&mut self) {
        self.moves = self.moves.map(|_| true);
    }

    /// Checks the limit, and wakes the task when it is reached.
    ///
    /// # Errors
    /// `TimedOut` when the limit is reached.
    pub fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        while let Some(Poll::Ready(_)) = self.until.as_mut().map(|until| until.poll_tick(context)) {
            if self.moves != Some(true) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.moves = Some(false);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// Counts the checks until the limit is reached.
    async fn ends(mut unanswered: Unanswered) -> usize {
        let mut looks = 0;
        let ended = poll_fn(|context| {
            looks += 1;
            match unanswered.check(context) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(error.kind()),
            }
        });
        assert_eq!(ended.await, io::ErrorKind::TimedOut);
        looks
    }

    #[tokio::test]
    async fn what_is_only_kept_open_ends_after_once_more_as_long() {
        let mut kept = Unanswered::always(Duration::ZERO);
        kept.is_answered();
        kept.is_asked();
        assert!(ends(kept).await > 1, "it was answered meanwhile");
        let mut unheard = Unanswered::always(Duration::ZERO);
        unheard.is_asked();
        ends(unheard).await;
    }
}
