//! One-time keys: `ask-user web` puts one into its link, and the browser exchanges it for a cookie.

use std::sync::{Mutex, PoisonError};

use ask_config::clock;
use ask_core::Time;
use ask_core::secret::{hash, hex, same};

/// How long a key is valid.
const VALID_MS: u64 = 2 * 60 * 1_000;

/// How many keys are valid at a time. A further one evicts the oldest.
const MAX_KEYS: usize = 16;

/// Keys that were made and not used.
#[derive(Default)]
pub struct LinkKeys(Mutex<Vec<Key>>);

/// A stored key: its hash, so that memory holds no usable key.
struct Key {
    hash: String,
    until: Time,
    /// The client name of the agent below which the key was requested.
    below_agent: Option<String>,
    /// Whether its link leads to `http.public_url`.
    public: bool,
}

impl LinkKeys {
    /// Makes a key. `below_agent` names the agent whose child process requested it, if any. With
    /// `public` its link leads to `http.public_url`, otherwise to this machine's own address.
    pub fn create(&self, now: Time, below_agent: Option<String>, public: bool) -> String {
        // 128 bits are enough for two minutes, and the link fits on one line of a terminal.
        let key = hex(&clock::random());
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|key| key.until > now);
        if keys.len() >= MAX_KEYS {
            keys.remove(0);
        }
        keys.push(Key {
            hash: hash(&key),
            until: now.plus_ms(VALID_MS),
            below_agent,
            public,
        });
        key
    }

    /// Removes a valid key, and returns the agent below which it was requested. A key that was shown
    /// at the other address than its link's is removed as well, and not valid: other accounts of the
    /// machine can read a link in the arguments of the program that opens it, and a request through
    /// a proxy doesn't tell whose it is.
    pub fn redeem(&self, key: &str, public: bool, now: Time) -> Option<Option<String>> {
        let shown_hash = hash(key);
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.retain(|key| key.until > now);
        let at = keys.iter().position(|key| same(&shown_hash, &key.hash))?;
        let key = keys.remove(at);
        (key.public == public).then_some(key.below_agent)
    }
}

/// The link that signs a browser in with a one-time key. Browsers don't send the fragment (after
/// `#`) to any server.
pub fn sign_in_link(port: u16, key: &str) -> String {
    format!("http://127.0.0.1:{port}/#k={key}")
}

/// 256 random bits, as hexadecimal text.
pub fn random_secret() -> String {
    hex(&[clock::random(), clock::random()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_valid_once_and_for_two_minutes() {
        let keys = LinkKeys::default();
        let now = Time(1_000_000);
        let (first, second) = (keys.create(now, None, false), keys.create(now, None, false));
        assert_ne!(first, second);
        assert!(keys.redeem("", false, now).is_none());
        assert!(keys.redeem(&first[..31], false, now).is_none());
        assert!(
            keys.redeem(&first, false, now.plus_ms(VALID_MS - 1))
                .is_some()
        );
        assert!(keys.redeem(&first, false, now).is_none(), "it was used");
        assert!(
            keys.redeem(&second, false, now.plus_ms(VALID_MS)).is_none(),
            "it is too old"
        );
    }

    #[test]
    fn a_key_is_valid_only_where_its_link_leads() {
        let keys = LinkKeys::default();
        for public in [false, true] {
            let key = keys.create(Time(0), None, public);
            assert!(keys.redeem(&key, !public, Time(1)).is_none());
            assert!(
                keys.redeem(&key, public, Time(1)).is_none(),
                "somebody else may know it now"
            );
        }
    }

    #[test]
    fn the_oldest_key_is_evicted() {
        let keys = LinkKeys::default();
        let first = keys.create(Time(0), None, false);
        let last = (0..MAX_KEYS)
            .map(|_| keys.create(Time(0), None, false))
            .last();
        assert!(
            keys.redeem(&first, false, Time(1)).is_none(),
            "others took its place"
        );
        assert!(keys.redeem(&last.unwrap(), false, Time(1)).is_some());
    }
}
