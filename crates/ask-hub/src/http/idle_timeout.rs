//! The minute that a connection may go unanswered: anybody who can reach a port may connect, and who
//! says nothing, or never comes to an end, would hold a connection all the same.

use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Interval, interval_at};

/// How long a connection may be that nothing was answered on. Every answer begins within a second or
/// two, and what goes on for longer, such as a stream of events, writes something more often.
pub const UNANSWERED: Duration = Duration::from_secs(60);

/// When a connection is closed, unless something is answered on it before.
pub struct Unanswered {
    until: Option<Interval>,
    /// Whether that holds again after each answer.
    always: bool,
    /// Whether anything came or went since it was last looked at; nothing counts before an answer.
    moves: Option<bool>,
}

impl Unanswered {
    /// Nothing was answered yet, and that may be so for as long. After that it stays open.
    pub(crate) fn since_now(patience: Duration) -> Self {
        let period = patience.max(Duration::from_secs(1));
        Self {
            until: Some(interval_at(Instant::now() + patience, period)),
            always: false,
            moves: None,
        }
    }

    /// The same, also from each answer on: one that is only kept open for the next is closed, too.
    pub fn always(patience: Duration) -> Self {
        Self {
            always: true,
            ..Self::since_now(patience)
        }
    }

    /// Something was answered: it stays open from here on, or for a while.
    pub fn is_answered(&mut self) {
        match self.always {
            true => self.moves = Some(true),
            false => self.until = None,
        }
    }

    /// Something came: who was answered before may take their time for the next request.
    pub fn is_asked(&mut self) {
        self.moves = self.moves.map(|_| true);
    }

    /// Fails where it went on for too long; else the task is woken when it has.
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

    /// How often it was looked at until it was over.
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
