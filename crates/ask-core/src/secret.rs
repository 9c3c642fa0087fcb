//! What is kept of secrets, and how one that is shown is compared with it.

use sha2::{Digest as _, Sha256};

/// What is kept of a secret.
pub fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares in a time that does not tell how much of it is right.
pub fn same(shown: &str, token: &str) -> bool {
    let (shown, token) = (shown.as_bytes(), token.as_bytes());
    let differences = shown.iter().zip(token).fold(0, |all, (one, other)| {
        std::hint::black_box(all | (one ^ other))
    });
    shown.len() == token.len() && differences == 0
}
