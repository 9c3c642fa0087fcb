//! The HTML of the MCP Apps card, as it was built into the program, with a conversation's key and
//! in the person's language.

use ask_config::i18n::Language;

use crate::assets;

/// The built file: script, style and English texts. `build.mjs` builds it beside the page.
const BUILT: &str = include_str!("../web/dist/mcp-app.html");

/// The place of the key.
const KEY: &str = r#"<meta name="ask-key" content="">"#;

/// The text before and after the translations.
const WORDS: (&str, &str) = (
    r#"<script type="application/json" id="words" lang="en">"#,
    "</script>",
);

/// The card with this key, in this language.
pub fn html(key: &str, language: Language) -> String {
    let keyed = KEY.replace(r#"content="""#, &format!(r#"content="{key}""#));
    let card = BUILT.replacen(KEY, &keyed, 1);
    let code = language.code();
    let words = assets::find(&format!("/assets/words.{code}.json"));
    match (words, card.split_once(WORDS.0)) {
        (Some(words), Some((before, after))) if language != Language::English => {
            let (_, after) = after.split_once(WORDS.1).unwrap_or_default();
            let begins = WORDS
                .0
                .replace(r#"lang="en""#, &format!(r#"lang="{code}""#));
            [before, &begins, words.text(), WORDS.1, after].concat()
        }
        _ => card,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_card_has_its_key_and_words_that_end_nowhere_else() {
        assert_eq!(BUILT.matches(KEY).count(), 1);
        assert_eq!(BUILT.matches(WORDS.0).count(), 1);
        assert!(html("0f", Language::English).contains(r#"name="ask-key" content="0f""#));
        for language in Language::ALL {
            let card = html("0f", language);
            let begins = format!(r#"id="words" lang="{}">"#, language.code());
            let name = format!("/assets/words.{}.json", language.code());
            let Some(words) = assets::find(&name) else {
                continue;
            };
            assert!(!words.text().contains('<'), "{name} is text and no markup");
            assert_eq!(card.matches(&begins).count(), 1, "{name}");
            assert!(card.trim_end().ends_with("</html>"), "{name}");
        }
    }
}
