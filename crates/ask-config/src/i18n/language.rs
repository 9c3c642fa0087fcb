//! The languages of the surfaces, and the one that the person's environment asks for.

/// A language of the surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Spanish.
    Spanish,
    /// German.
    German,
    /// French.
    French,
    /// Japanese.
    Japanese,
    /// Chinese in simplified characters.
    SimplifiedChinese,
    /// Korean.
    Korean,
}

/// The message files of a language, by the name of its folder.
macro_rules! files {
    ($code:literal) => {
        &[
            include_str!(concat!("../../locales/", $code, "/shared.ftl")),
            include_str!(concat!("../../locales/", $code, "/keys.ftl")),
            include_str!(concat!("../../locales/", $code, "/inbox.ftl")),
            include_str!(concat!("../../locales/", $code, "/card.ftl")),
            include_str!(concat!("../../locales/", $code, "/text.ftl")),
            include_str!(concat!("../../locales/", $code, "/history.ftl")),
            include_str!(concat!("../../locales/", $code, "/line.ftl")),
            include_str!(concat!("../../locales/", $code, "/notify.ftl")),
            include_str!(concat!("../../locales/", $code, "/page.ftl")),
        ]
    };
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::English,
        Self::Spanish,
        Self::German,
        Self::French,
        Self::Japanese,
        Self::SimplifiedChinese,
        Self::Korean,
    ];

    /// Its code in `config.toml`, which is also the name of its folder.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::German => "de",
            Self::French => "fr",
            Self::Japanese => "ja",
            Self::SimplifiedChinese => "zh-Hans",
            Self::Korean => "ko",
        }
    }

    pub(super) fn files(self) -> &'static [&'static str] {
        match self {
            Self::English => files!("en"),
            Self::Spanish => files!("es"),
            Self::German => files!("de"),
            Self::French => files!("fr"),
            Self::Japanese => files!("ja"),
            Self::SimplifiedChinese => files!("zh-Hans"),
            Self::Korean => files!("ko"),
        }
    }

    /// The language with this code.
    pub fn find(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code() == code)
    }

    /// The language that the environment asks for, as gettext reads it: the first language of
    /// `LANGUAGE` that we have, otherwise that of the locale's messages, otherwise English.
    pub(crate) fn of_environment() -> Self {
        let said = |name| {
            std::env::var(name)
                .ok()
                .filter(|value: &String| !value.is_empty())
        };
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(said);
        let wanted = said("LANGUAGE").unwrap_or_default();
        Self::of_locales(&wanted, &locale.unwrap_or_default())
    }

    /// The first language of a list that we have, otherwise that of the locale. If the locale is
    /// `C`, the list is ignored.
    fn of_locales(wanted: &str, locale: &str) -> Self {
        let bare = locale.split('.').next().unwrap_or_default();
        let wanted = match bare {
            "" | "C" | "POSIX" => "",
            _ => wanted,
        };
        wanted
            .split(':')
            .chain([locale])
            .find_map(Self::of_locale)
            .unwrap_or(Self::English)
    }

    /// The language of a locale's name, as in `de_AT.UTF-8` or `zh-Hans`.
    pub fn of_locale(locale: &str) -> Option<Self> {
        let name = locale.split(['.', '@']).next()?.to_ascii_lowercase();
        let mut parts = name.split(['_', '-']);
        match (parts.next()?, parts.next()) {
            // Readers of traditional characters need another translation.
            ("zh", Some("tw" | "hk" | "mo" | "hant")) => None,
            ("zh", _) => Some(Self::SimplifiedChinese),
            (language, _) => Self::find(language),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_its_language() {
        for (locale, language) in [
            ("en_GB.UTF-8", Some(Language::English)),
            ("de_AT.UTF-8@euro", Some(Language::German)),
            ("pt_BR", None),
            ("zh_CN.UTF-8", Some(Language::SimplifiedChinese)),
            ("zh-Hans-SG", Some(Language::SimplifiedChinese)),
            ("zh_TW.UTF-8", None),
            ("KO", Some(Language::Korean)),
            ("C.UTF-8", None),
            ("", None),
        ] {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
    }

    #[test]
    fn the_list_of_languages_precedes_the_locale_unless_that_is_c() {
        for (wanted, locale, language) in [
            ("pt:fr:de", "en_US.UTF-8", Language::French),
            ("", "ja_JP.UTF-8", Language::Japanese),
            ("pt", "es_ES", Language::Spanish),
            ("de", "C.UTF-8", Language::English),
            ("de", "", Language::English),
        ] {
            assert_eq!(Language::of_locales(wanted, locale), language);
        }
    }
}
