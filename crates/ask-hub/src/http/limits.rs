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

/// A token bucket for each key: it holds a minute's requests, and is refilled evenly.
pub struct Limits {
    most: u64,
    /// The buckets that aren't full.
    taken: Mutex<HashMap<String, Taken>>,
}

/// What was taken from a bucket and has not come back by a time.
struct Taken {
    at: Time,
    /// The size of the bucket, in requests.
    most: u64,
    /// In parts of a request: `MINUTE_MS` of them are one. `most` of them come back each
    /// millisecond.
    parts: u64,
}

impl Limits {
    /// A limit of `most` asks a minute; 0 for no limit.
    pub fn new(most: u64) -> Self {
        Self {
            most,
            taken: Mutex::default(),
        }
    }

    /// Counts one ask. One `caller` among those that share a token gets at most three quarters of
    /// the limit.
    ///
    /// # Errors
    /// The limit is reached; the error says when the next ask is accepted.
    pub fn count_ask(&self, key: &str, caller: Option<&str>, now: Time) -> Result<(), TooMany> {
        let share = self.most.saturating_mul(3).div_ceil(4);
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
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|_, bucket| {
            let refilled = bucket.most.saturating_mul(now.since_ms(bucket.at));
            bucket.parts = bucket.parts.saturating_sub(refilled);
            bucket.at = now;
            bucket.parts > 0
        });
        let parts = taken.get(key).map_or(0, |bucket| bucket.parts) + MINUTE_MS;
        let missing = parts.saturating_sub(most.saturating_mul(MINUTE_MS));
        if missing > 0 {
            return Err(missing.div_ceil(most).div_ceil(1_000));
        }
        taken.insert(
            key.to_owned(),
            Taken {
                at: now,
                most,
                parts,
            },
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_limit() {
        let limits = Limits::new(2);
        let now = Time(0);
        let count = |key, at| limits.count(key, at);
        assert_eq!([count("one", now), count("one", now)], [Ok(()); 2]);
        assert_eq!(count("one", now), Err(30));
        assert_eq!(count("other", now), Ok(()));
        let unlimited = Limits::new(0);
        assert!((0..1_000).all(|_| unlimited.count("one", now).is_ok()));
    }

    #[test]
    fn requests_come_back_evenly() {
        let limits = Limits::new(3);
        let count = |seconds: u64| limits.count("one", Time(0).plus_ms(seconds * 1_000));
        assert_eq!([count(0), count(0), count(0)], [Ok(()); 3]);
        assert_eq!(count(5), Err(15));
        assert_eq!([count(20), count(20)], [Ok(()), Err(20)]);
        // After an hour there are as many as after a minute.
        let later = [count(3_600), count(3_600), count(3_600), count(3_600)];
        assert_eq!(later, [Ok(()), Ok(()), Ok(()), Err(20)]);
        // A clock that was set back makes no request wait longer.
        assert_eq!([count(0), count(20)], [Err(20), Ok(())]);
        let many = Limits::new(u64::MAX);
        assert_eq!(many.count_ask("one", Some("caller"), Time(0)), Ok(()));
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
