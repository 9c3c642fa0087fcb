//! The HTML of the MCP Apps card, which is built into the program. A conversation's key and the
//! texts in the person's language are inserted into it.

use ask_config::i18n::Language;

use crate::assets;

/// The file with script, style and English texts. `build.mjs` builds it together with the page.
const BUILT: &str = include_str!("../web/dist/mcp-app.html");

/// The element for the key.
const KEY_ELEMENT: &str = r#"<meta name="ask-key" content="">"#;

/// The tags before and after the texts.
const TEXTS: (&str, &str) = (
    r#"<script type="application/json" id="words" lang="en">"#,
    "</script>",
);

/// Returns the card with this key, in this language.
pub fn html(key: &str, language: Language) -> String {
    let key_element = KEY_ELEMENT.replace(r#"content="""#, &format!(r#"content="{key}""#));
    let card = BUILT.replacen(KEY_ELEMENT, &key_element, 1);
    let code = language.code();
    let texts = assets::find(&format!("/assets/words.{code}.json"));
    match (texts, card.split_once(TEXTS.0)) {
        (Some(texts), Some((before, after))) if language != Language::English => {
            let (_, after) = after.split_once(TEXTS.1).unwrap_or_default();
            let opening = TEXTS
                .0
                .replace(r#"lang="en""#, &format!(r#"lang="{code}""#));
            [before, &opening, texts.text(), TEXTS.1, after].concat()
        }
        _ => card,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_has_its_key_and_texts_without_markup() {
        assert_eq!(BUILT.matches(KEY_ELEMENT).count(), 1);
        assert_eq!(BUILT.matches(TEXTS.0).count(), 1);
        assert!(html("0f", Language::English).contains(r#"name="ask-key" content="0f""#));
        for language in Language::ALL {
            let card = html("0f", language);
            let opening = format!(r#"id="words" lang="{}">"#, language.code());
            let name = format!("/assets/words.{}.json", language.code());
            let Some(texts) = assets::find(&name) else {
                continue;
            };
            assert!(!texts.text().contains('<'), "{name} is text and no markup");
            assert_eq!(card.matches(&opening).count(), 1, "{name}");
            assert!(card.trim_end().ends_with("</html>"), "{name}");
        }
    }
}
