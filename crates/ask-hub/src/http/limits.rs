//! Rate limits: how many asks and requests each caller may send in a minute.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use ask_core::Time;

const MINUTE_MS: u64 = 60_000;

/// The key under which all agents are counted, over MCP and the HTTP API.
pub const AGENTS: &str = "agent";

/// The error for a caller over the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    most: u64,
    /// Whether one agent's share is used up, rather than the limit of all.
    is_per_agent: bool,
    /// After how many seconds the next request is accepted.
    pub seconds: u64,
}

impl fmt::Display for TooMany {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (most, scope) = (
            self.most,
            if self.is_per_agent {
                " of one agent"
            } else {
                ""
            },
        );
        write!(
            out,
            "at most {most} asks a minute{scope} are taken (http.asks_per_minute)"
        )
    }
}

/// The requests of each key in its current minute.
pub struct Limits {
    most: u64,
    counts: Mutex<HashMap<String, (Time, u64)>>,
}

impl Limits {
    /// A limit of `most` asks a minute; 0 for no limit.
    pub fn new(most: u64) -> Self {
        Self {
            most,
            counts: Mutex::default(),
        }
    }

    /// Counts one ask. One `caller` among those that share a token gets at most three quarters of
    /// the limit.
    ///
    /// # Errors
    /// The limit is reached; the error says when the next ask is accepted.
    pub fn count_ask(&self, key: &str, caller: Option<&str>, now: Time) -> Result<(), TooMany> {
        let share = (self.most * 3).div_ceil(4);
        if let Some(caller) = caller {
            let counted = self.count_to(share, &format!("{key} {caller}"), now);
            counted.map_err(|seconds| TooMany {
                most: share,
                is_per_agent: true,
                seconds,
            })?;
        }
        self.count(key, now).map_err(|seconds| TooMany {
            most: self.most,
            is_per_agent: false,
            seconds,
        })
    }

    /// Counts one request.
    ///
    /// # Errors
    /// The limit is reached; the number is the seconds until the next one is accepted.
    pub fn count(&self, key: &str, now: Time) -> Result<(), u64> {
        self.count_to(self.most, key, now)
    }

    fn count_to(&self, most: u64, key: &str, now: Time) -> Result<(), u64> {
        if self.most == 0 {
            return Ok(());
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        // A minute that starts far in the future was counted before the clock was set back.
        let is_near =
            |started_at: Time| now.since_ms(started_at).max(started_at.since_ms(now)) < MINUTE_MS;
        counts.retain(|_, (started_at, _)| is_near(*started_at));
        let (started_at, count) = counts.entry(key.to_owned()).or_insert((now, 0));
        if *count < most {
            *count += 1;
            return Ok(());
        }
        let left = MINUTE_MS.saturating_sub(now.since_ms(*started_at));
        Err(left.div_ceil(1_000).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_limit() {
        let limits = Limits::new(2);
        let now = Time(0);
        assert!(limits.count_ask("one", None, now).is_ok());
        assert!(limits.count_ask("one", None, now).is_ok());
        assert!(
            limits
                .count_ask("one", None, now.plus_ms(MINUTE_MS - 1))
                .is_err()
        );
        assert!(limits.count_ask("other", None, now).is_ok());
        assert!(
            limits
                .count_ask("one", None, now.plus_ms(MINUTE_MS))
                .is_ok()
        );
        let ahead = now.plus_ms(60 * MINUTE_MS);
        assert!(
            limits.count_ask("one", None, ahead).is_ok()
                && limits.count_ask("one", None, ahead).is_ok()
        );
        let set_back = limits.count_ask("one", None, now);
        assert!(set_back.is_ok(), "a clock that was set back is no hour");
        let unlimited = Limits::new(0);
        assert!((0..1_000).all(|_| unlimited.count_ask("one", None, now).is_ok()));
    }

    #[test]
    fn one_caller_leaves_a_quarter_to_the_others() {
        let limits = Limits::new(4);
        let now = Time(0);
        let takes = |caller| limits.count_ask("agents", Some(caller), now);
        assert!((0..3).all(|_| takes("greedy").is_ok()));
        let refused = takes("greedy").expect_err("its share is used up");
        assert!(refused.to_string().contains("of one agent"), "{refused}");
        assert!(takes("modest").is_ok());
        let refused = takes("modest").expect_err("all of it is");
        assert!(!refused.to_string().contains("of one agent"), "{refused}");
    }
}
