//! The time limit for connections without a response. Anybody who reaches the port may connect, and
//! a client that sends nothing, or never finishes its request, would occupy a connection.

use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Interval, interval_at};

/// How long a connection may stay open without a response. Every response begins within two
/// seconds, and event streams write more often than this.
pub const RESPONSE_LIMIT: Duration = Duration::from_secs(60);

/// Closes a connection that gets no response in time.
pub struct ResponseTimeout {
    interval: Option<Interval>,
    /// Whether the time limit starts again after each response.
    restarts: bool,
    /// Whether bytes were received or sent since the last check; `None` before the first response.
    is_active: Option<bool>,
}

impl ResponseTimeout {
    /// A limit until the first response. After that, the connection may stay open.
    pub(crate) fn until_first_response(limit: Duration) -> Self {
        let period = limit.max(Duration::from_secs(1));
        Self {
            interval: Some(interval_at(Instant::now() + limit, period)),
            restarts: false,
            is_active: None,
        }
    }

    /// A limit that starts again after each response, so that idle keep-alive connections are
    /// closed too.
    pub fn after_each_response(limit: Duration) -> Self {
        Self {
            restarts: true,
            ..Self::until_first_response(limit)
        }
    }

    /// Records a response: the limit ends, or starts again.
    pub fn record_response(&mut self) {
        if self.restarts {
            self.is_active = Some(true);
        } else {
            self.interval = None;
        }
    }

    /// Records received bytes. After the first response, they start the period again.
    pub fn record_request(&mut self) {
        self.is_active = self.is_active.map(|_| true);
    }

    /// Checks the limit, and wakes the task when it is reached.
    ///
    /// # Errors
    /// `TimedOut` when the limit is reached.
    pub fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        while let Some(Poll::Ready(_)) = self
            .interval
            .as_mut()
            .map(|interval| interval.poll_tick(context))
        {
            if self.is_active != Some(true) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.is_active = Some(false);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    /// Counts the checks until the limit is reached.
    async fn checks_until_timeout(mut timeout: ResponseTimeout) -> usize {
        let mut checks = 0;
        let ended = poll_fn(|context| {
            checks += 1;
            match timeout.check(context) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(error.kind()),
            }
        });
        assert_eq!(ended.await, io::ErrorKind::TimedOut);
        checks
    }

    #[tokio::test]
    async fn an_idle_connection_ends_after_one_more_period() {
        let mut idle = ResponseTimeout::after_each_response(Duration::ZERO);
        idle.record_response();
        idle.record_request();
        assert!(
            checks_until_timeout(idle).await > 1,
            "it was answered meanwhile"
        );
        let mut silent = ResponseTimeout::after_each_response(Duration::ZERO);
        silent.record_request();
        checks_until_timeout(silent).await;
    }
}
