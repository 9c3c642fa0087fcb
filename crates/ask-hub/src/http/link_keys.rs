//! One-time keys: `ask-user web` puts one into its link, and the browser exchanges it for a cookie.

use std::sync::{Mutex, PoisonError};

use ask_config::clock;
use ask_core::Time;
use ask_core::secret::{hash, hex, same};

/// How long a key is valid.
const LIFE_MS: u64 = 2 * 60 * 1_000;

/// How many keys are valid at a time. A further one evicts the oldest.
const MOST: usize = 16;

/// Keys that were made and not used.
#[derive(Default)]
pub struct Keys(Mutex<Vec<Key>>);

/// A stored key: its hash, so that memory holds no usable key.
struct Key {
    hash: String,
    until: Time,
    /// The client name of the agent below which the key was requested.
    below_agent: Option<String>,
}

impl Keys {
    /// Makes a key. `below_agent` names the agent whose child process requested it, if any.
    pub fn make(&self, now: Time, below_agent: Option<String>) -> String {
        // 128 bits are enough for two minutes, and the link fits on one line of a terminal.
        let key = hex(&clock::random());
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|key| key.until > now);
        if keys.len() >= MOST {
            keys.remove(0);
        }
        keys.push(Key {
            hash: hash(&key),
            until: now.plus_ms(LIFE_MS),
            below_agent,
        });
        key
    }

    /// Uses up a valid key. Returns the agent below which it was requested.
    pub fn take(&self, key: &str, now: Time) -> Option<Option<String>> {
        let shown = hash(key);
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|key| key.until > now);
        let at = keys.iter().position(|key| same(&shown, &key.hash))?;
        Some(keys.remove(at).below_agent)
    }
}

/// The link that signs a browser in with a one-time key. Browsers don't send the fragment (after
/// `#`) to any server.
pub fn link(port: u16, key: &str) -> String {
    format!("http://127.0.0.1:{port}/#k={key}")
}

/// 256 random bits, as hexadecimal text.
pub fn secret() -> String {
    hex(&[clock::random(), clock::random()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_once_and_not_for_long() {
        let keys = Keys::default();
        let now = Time(1_000_000);
        let (first, second) = (keys.make(now, None), keys.make(now, None));
        assert_ne!(first, second);
        assert!(keys.take("", now).is_none());
        assert!(keys.take(&first[..31], now).is_none());
        assert!(keys.take(&first, now.plus_ms(LIFE_MS - 1)).is_some());
        assert!(keys.take(&first, now).is_none(), "it was used");
        assert!(
            keys.take(&second, now.plus_ms(LIFE_MS)).is_none(),
            "it is too old"
        );
    }

    #[test]
    fn only_so_many_are_kept() {
        let keys = Keys::default();
        let first = keys.make(Time(0), None);
        let last = (0..MOST).map(|_| keys.make(Time(0), None)).last();
        assert!(
            keys.take(&first, Time(1)).is_none(),
            "others took its place"
        );
        assert!(keys.take(&last.unwrap(), Time(1)).is_some());
    }
}
