//! Suggestions written as `<suggest mode="code">text</suggest>`, one after the other.

use serde_json::json;

use ask_core::Json;

const OPEN: &str = "<suggest";
const CLOSE: &str = "</suggest>";

/// The suggestions of a text in the form of the tool's schema; `None` if it has no tags.
pub(super) fn parse_suggestions(text: &str) -> Option<Vec<Json>> {
    if !text.trim_start().starts_with('<') {
        return None;
    }
    let mut found = Vec::new();
    for part in text.split(OPEN).skip(1) {
        if !part.starts_with(|next: char| next == '>' || next.is_whitespace()) {
            continue;
        }
        let Some((attributes, rest)) = part.split_once('>') else {
            continue;
        };
        let words = rest.split(CLOSE).next().unwrap_or_default();
        found.push(json!({"text": plain(words.trim()), "mode": mode(attributes)}));
    }
    (!found.is_empty()).then_some(found)
}

fn mode(attributes: &str) -> Option<String> {
    let (_, value) = attributes.split_once("mode")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value
        .chars()
        .next()
        .filter(|sign| matches!(sign, '"' | '\''))?;
    let (mode, _) = value[1..].split_once(quote)?;
    Some(plain(mode))
}

/// Replaces entities with their characters. `&amp;` comes last, so that its result never becomes an
/// entity.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, sign);
    }
    text
}
