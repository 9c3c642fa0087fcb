//! Bytes as text, for lines of JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::native::{Fields, Malformed};
use ask_core::Json;

/// Bytes as base64.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes of a base64.
pub fn unbase64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Reads bytes as [`base64`] wrote them.
pub(super) fn read(from: &Fields<'_>, key: &str) -> Result<Vec<u8>, Malformed> {
    let text = from.get(key).and_then(Json::as_str);
    text.and_then(unbase64)
        .ok_or_else(|| Malformed(format!("{key}: must be base64")))
}
