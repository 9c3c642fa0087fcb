//! Bytes as base64 text, for lines of JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Encodes bytes as base64.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes of a base64 text.
pub fn unbase64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}
