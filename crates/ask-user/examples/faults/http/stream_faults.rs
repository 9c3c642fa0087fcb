//! The faults of a call's streams, drawn when the call is made.

use std::time::Duration;

use crate::model::{World, pause};
use crate::rng::Chance;

/// The faults of a call's streams.
#[derive(Default)]
pub(super) struct Fate {
    /// Each stream in turn breaks, unless it has ended before.
    pub breaks: Vec<Break>,
    /// How long the client leaves arrived bytes unread.
    pub slow: Option<Duration>,
    /// Whether the client closes the stream at its reply without reading to the end.
    pub is_hasty: bool,
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

impl Fate {
    /// Draws the faults of a call. Streams through a relay aren't reset, because the bytes that are
    /// unread in the relay couldn't be inspected.
    pub(super) fn thrown(chance: &mut Chance, may_reset: bool) -> Self {
        let mut fate = Self::default();
        match chance.below(100) {
            0..35 => {}
            35..55 => fate.breaks.push(Break::thrown(chance, false)),
            55..75 => fate.breaks.push(Break::thrown(chance, true)),
            75..85 => {
                let at_answer = chance.percent(50);
                fate.breaks.push(Break::thrown(chance, false));
                fate.breaks.push(Break::thrown(chance, at_answer));
            }
            _ => fate.slow = Some(chance.ms(50, 1_200)),
        }
        fate.is_hasty = chance.percent(30);
        fate.breaks.reverse();
        for broken in &mut fate.breaks {
            broken.resets &= may_reset;
        }
        fate
    }
}

impl Break {
    fn thrown(chance: &mut Chance, at_answer: bool) -> Self {
        let after = match at_answer {
            true => Duration::from_micros(chance.below(6_000)),
            false => chance.ms(0, 900),
        };
        let returns = chance.percent(85).then(|| chance.ms(0, 700));
        Self {
            at_answer,
            after,
            resets: chance.percent(60),
            returns,
        }
    }

    /// Waits until the stream breaks.
    pub(super) async fn moment(self, world: &World, tag: Option<u64>) {
        let tried = || {
            let ledger = world.ledger.borrow();
            let mut latest = ledger.attempts.values().rev().take(64);
            latest.any(|attempt| Some(attempt.tag) == tag)
        };
        // An answer that was tried before the call gives no time to wait for.
        while self.at_answer && tag.is_some() && !tried() {
            pause(Duration::from_millis(1)).await;
        }
        pause(self.after).await;
    }
}
