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
    let value = attributes.match_indices("mode").find_map(|(at, name)| {
        let begins = attributes[..at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        let value = attributes[at + name.len()..].trim_start().strip_prefix('=');
        value.filter(|_| begins)
    })?;
    let value = value.trim_start();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_an_attribute_of_that_name_alone() {
        assert_eq!(mode(r#" mode="code""#).as_deref(), Some("code"));
        assert_eq!(mode(" mode = 'ask'").as_deref(), Some("ask"));
        assert_eq!(mode(r#" submode="x" mode="code""#).as_deref(), Some("code"));
        assert_eq!(mode(r#" submode="x""#), None);
    }
}
