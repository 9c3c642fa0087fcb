//! Recognizes yes and no, in the person's language and in English.

use ask_config::i18n::Words;

use super::commands::is_letter;

/// Whether a text means yes.
pub(super) fn is_yes(words: Words, text: &str) -> bool {
    contains_word(&words.say("line-words-yes"), text)
}

/// Whether a text means no.
pub(super) fn is_no(words: Words, text: &str) -> bool {
    contains_word(&words.say("line-words-no"), text)
}

/// Whether a letter means yes or no in the person's language but is a command here.
pub(super) fn is_command_letter(words: Words, text: &str) -> bool {
    let is_english = ["y", "n"].contains(&text);
    !is_english && is_letter(text) && (is_yes(words, text) || is_no(words, text))
}

fn contains_word(known: &str, text: &str) -> bool {
    let text = text.trim().to_lowercase();
    known.split(' ').any(|word| word == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ask_config::i18n::Language;

    #[test]
    fn each_language_has_yes_and_no_besides_the_english_words() {
        for (language, yes, no) in [
            (Language::English, "Yes", "NO"),
            (Language::Spanish, "Sí", "no"),
            (Language::German, "j", "Nein"),
            (Language::French, "oui", "non"),
            (Language::Japanese, "はい", "いいえ"),
            (Language::SimplifiedChinese, "是", "否"),
            (Language::Korean, "예", "아니요"),
        ] {
            let words = Words::for_language(language);
            for (text, means_yes) in [(yes, true), ("y", true), ("yes", true), (no, false)] {
                assert_eq!(is_yes(words, text), means_yes, "{} {text}", language.code());
                assert_eq!(is_no(words, text), !means_yes, "{} {text}", language.code());
                assert!(
                    !is_command_letter(words, text),
                    "{} {text}",
                    language.code()
                );
            }
            assert!(is_no(words, "n") && !is_yes(words, "maybe"));
        }
    }

    #[test]
    fn a_letter_that_is_a_command_is_recognized() {
        assert!(is_command_letter(
            Words::for_language(Language::Spanish),
            "s"
        ));
        assert!(is_command_letter(
            Words::for_language(Language::French),
            "o"
        ));
        assert!(!is_command_letter(
            Words::for_language(Language::English),
            "s"
        ));
        assert!(!is_command_letter(
            Words::for_language(Language::German),
            "j"
        ));
    }
}
