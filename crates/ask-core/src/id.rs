//! The identity of an ask.

use std::fmt;

/// Names one ask for ever. It consists of 4 to 64 ASCII letters, digits, `_` and `-`, and begins
/// with a letter or a digit, so that it fits into a file name, a URL and a shell word. It is never
/// [`LATEST`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AskId(String);

/// The word for the newest ask where an id is wanted.
pub const LATEST: &str = "latest";

/// The shortest prefix that is accepted in place of an id.
pub const MIN_PREFIX: usize = 4;

const MAX_LEN: usize = 64;

/// Letters and digits that can't be mistaken for each other (Crockford's base 32).
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl AskId {
    /// Accepts a text that has the form of an id.
    pub fn parse(text: &str) -> Option<Self> {
        let shape = (MIN_PREFIX..=MAX_LEN).contains(&text.len())
            && text.starts_with(|first: char| first.is_ascii_alphanumeric())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        (shape && text != LATEST).then(|| Self(text.to_owned()))
    }

    /// An id in our own form from random bytes: `a_` and 16 characters.
    pub fn native(random: [u8; 16]) -> Self {
        let mut text = String::with_capacity(18);
        text.push_str("a_");
        for byte in random {
            text.push(char::from(ALPHABET[usize::from(byte % 32)]));
        }
        Self(text)
    }

    /// A version 4 UUID from random bytes, for dialects whose ids are UUIDs.
    pub fn uuid(mut random: [u8; 16]) -> Self {
        random[6] = (random[6] & 0x0f) | 0x40;
        random[8] = (random[8] & 0x3f) | 0x80;
        let mut text = String::with_capacity(36);
        for (at, byte) in random.iter().enumerate() {
            if matches!(at, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            for nibble in [byte >> 4, byte & 0x0f] {
                text.push(char::from(b"0123456789abcdef"[usize::from(nibble)]));
            }
        }
        Self(text)
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first eight characters, which some dialects show in place of the id.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }
}

impl fmt::Display for AskId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
