//! One-time keys: what `ask-user web` puts into its link, and a browser exchanges for a cookie.

use std::sync::{Mutex, PoisonError};

use ask_config::clock;
use ask_core::Time;
use sha2::{Digest as _, Sha256};

use crate::http::same;

/// How long a key opens anything.
const LIFE_MS: u64 = 2 * 60 * 1_000;

/// How many keys there are at a time; the oldest goes first.
const MOST: usize = 16;

/// Keys that were made and not used.
#[derive(Default)]
pub struct Keys(Mutex<Vec<(String, Time)>>);

impl Keys {
    /// Makes one.
    pub fn make(&self, now: Time) -> String {
        // It has to be guessed within two minutes, and stands in one line of a terminal.
        let key = hex(&clock::random());
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|(_, until)| *until > now);
        if keys.len() >= MOST {
            keys.remove(0);
        }
        keys.push((hash(&key), now.plus_ms(LIFE_MS)));
        key
    }

    /// Uses one up. Says whether it was good.
    pub fn take(&self, key: &str, now: Time) -> bool {
        let shown = hash(key);
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|(_, until)| *until > now);
        let before = keys.len();
        keys.retain(|(known, _)| !same(&shown, known));
        keys.len() < before
    }
}

/// The link that signs a browser in by a one-time key. What is behind the sign is sent to nobody.
pub fn link(port: u16, key: &str) -> String {
    format!("http://127.0.0.1:{port}/#k={key}")
}

/// 256 random bits, as text.
pub fn secret() -> String {
    hex(&[clock::random(), clock::random()].concat())
}

/// What is kept of a secret.
pub fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_once_and_not_for_long() {
        let keys = Keys::default();
        let now = Time(1_000_000);
        let (first, second) = (keys.make(now), keys.make(now));
        assert_ne!(first, second);
        assert!(!keys.take("", now));
        assert!(!keys.take(&first[..31], now));
        assert!(keys.take(&first, now.plus_ms(LIFE_MS - 1)));
        assert!(!keys.take(&first, now), "it was used");
        assert!(!keys.take(&second, now.plus_ms(LIFE_MS)), "it is too old");
    }

    #[test]
    fn only_so_many_are_kept() {
        let keys = Keys::default();
        let first = keys.make(Time(0));
        let last = (0..MOST).map(|_| keys.make(Time(0))).last();
        assert!(!keys.take(&first, Time(1)), "others took its place");
        assert!(keys.take(&last.unwrap(), Time(1)));
    }
}
