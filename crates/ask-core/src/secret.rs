//! What is stored of secrets, and how a secret that is presented is compared with it.

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// The hash of a secret, which is stored in its place.
pub fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares in constant time, which doesn't reveal how much of it is right.
pub fn same(shown: &str, token: &str) -> bool {
    shown.as_bytes().ct_eq(token.as_bytes()).into()
}
