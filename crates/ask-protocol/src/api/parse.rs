//! Reads what the card of chat clients sends, field by field.

use crate::native::{Fields, Malformed, from_json};
use ask_core::{Json, Time};

type Read<T> = Result<T, Malformed>;

/// Reads a draft and the revision that it was built on.
pub fn read_draft(body: &Json) -> Read<(ask_core::Draft, Option<u64>)> {
    let kept: super::KeptDraft = from_json(body, "body")?;
    Ok((kept.draft.into(), kept.built_on))
}

/// Reads a text that must be there.
pub fn read_text(body: &Json, key: &str) -> Read<String> {
    Fields::of(body, "body")?.text(key)
}

/// Reads a text that may be there.
pub fn read_optional_text(body: &Json, key: &str) -> Read<Option<String>> {
    let from = Fields::of(body, "body")?;
    from.text_if_any(key)
}

/// Reads a moment that must be there.
pub fn read_time(body: &Json, key: &str) -> Read<Time> {
    Fields::of(body, "body")?.time(key)
}
