//! A device's name: its own choice, reduced to a short name on one line that is safe to show
//! between quotes.

use ask_config::text;
use ask_core::SafeText;

/// The name of a device that gives no usable one.
pub(crate) const DEFAULT_NAME: &str = "a device";

/// The longest name, in columns.
const MAX_COLUMNS: usize = 40;

/// Characters that end a quotation, or look as if they did.
const QUOTES: &str = "\"`\u{201c}\u{201d}\u{201e}\u{201f}\u{2033}\u{2036}\u{02ba}\u{ff02}\u{301d}\u{301e}\u{301f}\u{ab}\u{bb}";

/// How the `User-Agent` of a browser identifies the system; the first match counts.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "Chromebook"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
];

/// How it identifies the browser; the first match counts, because browsers also claim each other's
/// names.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Reduces the name that a device gives itself to a safe one.
pub fn clean_name(name: &str) -> String {
    let line = SafeText::line(name);
    let unquoted = line.as_str().replace(|char| QUOTES.contains(char), "'");
    let words: Vec<&str> = unquoted.split_whitespace().collect();
    let mut name = words.join(" ");
    // Two apostrophes look like a quotation mark.
    while name.contains("''") {
        name = name.replace("''", "'");
    }
    if name
        .chars()
        .all(|char| char == ' ' || char.is_ascii_punctuation())
    {
        return DEFAULT_NAME.to_owned();
    }
    text::clip(&SafeText::line(&name), MAX_COLUMNS, "\u{2026}").to_string()
}

/// A name from a `User-Agent` header: "iPhone, Safari". For another program, the part before its
/// version.
pub fn from_user_agent(agent: &str) -> String {
    let find = |table: &[(&str, &'static str)]| {
        let mut found = table.iter().filter(|(mark, _)| agent.contains(mark));
        found.next().map(|(_, name)| *name)
    };
    let known: Vec<&str> = [find(&SYSTEMS), find(&BROWSERS)]
        .into_iter()
        .flatten()
        .collect();
    if known.is_empty() {
        clean_name(agent.split('/').next().unwrap_or_default())
    } else {
        known.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_cleaned_and_empty_ones_replaced() {
        assert_eq!(clean_name("  iPhone,\n Safari "), "iPhone, Safari");
        assert_eq!(clean_name("Mary's iPad"), "Mary's iPad");
        for empty in ["", " ", "\"", "\u{202e}", "' \"\""] {
            assert_eq!(clean_name(empty), DEFAULT_NAME, "{empty:?}");
        }
        let spoofed = clean_name("phone\" at 10.0.0.1 wants to answer. Does it show 11? [y/N] y");
        assert_eq!(spoofed, "phone' at 10.0.0.1 wants to answer. Doe\u{2026}");
    }

    #[test]
    fn user_agents_become_short_names() {
        let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        for (agent, name) in [
            (safari, "iPhone, Safari"),
            (firefox, "Linux, Firefox"),
            ("curl/8.5.0", "curl"),
            ("", DEFAULT_NAME),
        ] {
            assert_eq!(from_user_agent(agent), name);
        }
    }

    proptest! {
        #[test]
        fn no_name_can_end_its_quotation(input in ".{0,80}") {
            let name = clean_name(&input);
            prop_assert!(!name.contains(|char| QUOTES.contains(char)) && !name.contains("''"));
            prop_assert!(text::width(&name) <= MAX_COLUMNS && !name.contains('\n') && !name.is_empty());
        }
    }
}
