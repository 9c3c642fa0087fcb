//! Recognizes yes and no in the person's language, and in English besides.

use ask_config::i18n::Words;

use super::commands::is_letter;

/// Whether a text means yes.
pub(super) fn is_yes(words: Words, said: &str) -> bool {
    among(&words.say("line-words-yes"), said)
}

/// Whether a text means no.
pub(super) fn is_no(words: Words, said: &str) -> bool {
    among(&words.say("line-words-no"), said)
}

/// Whether a letter would mean yes or no if it weren't a command here.
pub(super) fn is_taken(words: Words, said: &str) -> bool {
    let ours = ["y", "n"].contains(&said);
    !ours && is_letter(said) && (is_yes(words, said) || is_no(words, said))
}

fn among(known: &str, said: &str) -> bool {
    let said = said.trim().to_lowercase();
    known.split(' ').any(|word| word == said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ask_config::i18n::Language;

    #[test]
    fn each_language_has_its_own_words_besides_the_english_ones() {
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
            for (said, is) in [(yes, true), ("y", true), ("yes", true), (no, false)] {
                assert_eq!(is_yes(words, said), is, "{} {said}", language.code());
                assert_eq!(is_no(words, said), !is, "{} {said}", language.code());
                assert!(!is_taken(words, said), "{} {said}", language.code());
            }
            assert!(is_no(words, "n") && !is_yes(words, "maybe"));
        }
    }

    #[test]
    fn a_letter_that_is_a_command_is_told_apart() {
        assert!(is_taken(Words::for_language(Language::Spanish), "s"));
        assert!(is_taken(Words::for_language(Language::French), "o"));
        assert!(!is_taken(Words::for_language(Language::English), "s"));
        assert!(!is_taken(Words::for_language(Language::German), "j"));
    }
}
