//! The faults of a call's streams, drawn when the call is made.

use std::time::Duration;

use crate::model::{Campaign, pause};
use crate::rng::Rng;

/// The faults of a call's streams.
#[derive(Default)]
pub(super) struct StreamFaults {
    /// Each stream in turn breaks, unless it has ended before.
    pub breaks: Vec<Break>,
    /// How long the client leaves arrived bytes unread.
    pub slow: Option<Duration>,
    /// Whether the client closes the stream at its reply without reading to the end.
    pub closes_at_reply: bool,
}

/// A fault that breaks a stream.
#[derive(Clone, Copy)]
pub(super) struct Break {
    /// Whether it is timed from the answer instead of from the call.
    at_answer: bool,
    after: Duration,
    /// Whether the connection is reset instead of closed.
    pub resets: bool,
    /// After what time the client resumes, if the protocol allows it.
    pub returns: Option<Duration>,
}

impl StreamFaults {
    /// Draws the faults of a call. Streams through a relay aren't reset, because the bytes that are
    /// unread in the relay couldn't be inspected.
    pub(super) fn draw(rng: &mut Rng, may_reset: bool) -> Self {
        let mut faults = Self::default();
        match rng.below(100) {
            0..35 => {}
            35..55 => faults.breaks.push(Break::draw(rng, false)),
            55..75 => faults.breaks.push(Break::draw(rng, true)),
            75..85 => {
                let at_answer = rng.percent(50);
                faults.breaks.push(Break::draw(rng, false));
                faults.breaks.push(Break::draw(rng, at_answer));
            }
            _ => faults.slow = Some(rng.ms(50, 1_200)),
        }
        faults.closes_at_reply = rng.percent(30);
        faults.breaks.reverse();
        for broken in &mut faults.breaks {
            broken.resets &= may_reset;
        }
        faults
    }
}

impl Break {
    fn draw(rng: &mut Rng, at_answer: bool) -> Self {
        let after = match at_answer {
            true => Duration::from_micros(rng.below(6_000)),
            false => rng.ms(0, 900),
        };
        let returns = rng.percent(85).then(|| rng.ms(0, 700));
        Self {
            at_answer,
            after,
            resets: rng.percent(60),
            returns,
        }
    }

    /// Waits until the stream breaks.
    pub(super) async fn moment(self, campaign: &Campaign, tag: Option<u64>) {
        let tried = || {
            let log = campaign.log.borrow();
            let mut latest = log.attempts.values().rev().take(64);
            latest.any(|attempt| Some(attempt.tag) == tag)
        };
        // An answer that was tried before the call gives no time to wait for.
        while self.at_answer && tag.is_some() && !tried() {
            pause(Duration::from_millis(1)).await;
        }
        pause(self.after).await;
    }
}
