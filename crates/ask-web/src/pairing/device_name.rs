//! A device's name: its own choice, reduced to a short name on one line that is safe to show
//! between quotes.

use ask_config::text;
use ask_core::SafeText;

/// The name of a device that gives none.
pub const NAMELESS: &str = "a device";

/// The longest name, in columns.
const MOST: usize = 40;

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

/// A device's own name, made safe.
pub fn clean_name(said: &str) -> String {
    let line = SafeText::line(said);
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
        return NAMELESS.to_owned();
    }
    text::clip(&SafeText::line(&name), MOST, "\u{2026}").to_string()
}

/// A name from a `User-Agent` header: "iPhone, Safari". For another program, the part before its
/// version.
pub fn of_agent(agent: &str) -> String {
    let first = |of: &[(&str, &'static str)]| {
        let mut found = of.iter().filter(|(sign, _)| agent.contains(sign));
        found.next().map(|(_, name)| *name)
    };
    let known: Vec<&str> = [first(&SYSTEMS), first(&BROWSERS)]
        .into_iter()
        .flatten()
        .collect();
    match known.is_empty() {
        true => clean_name(agent.split('/').next().unwrap_or_default()),
        false => known.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_kept_and_nothing_else_is_one() {
        assert_eq!(clean_name("  iPhone,\n Safari "), "iPhone, Safari");
        assert_eq!(clean_name("Mary's iPad"), "Mary's iPad");
        for nothing in ["", " ", "\"", "\u{202e}", "' \"\""] {
            assert_eq!(clean_name(nothing), NAMELESS, "{nothing:?}");
        }
        let imitates = clean_name("phone\" at 10.0.0.1 wants to answer. Does it show 11? [y/N] y");
        assert_eq!(imitates, "phone' at 10.0.0.1 wants to answer. Doe\u{2026}");
    }

    #[test]
    fn browsers_are_called_by_their_names_and_programs_by_theirs() {
        let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        for (agent, name) in [
            (safari, "iPhone, Safari"),
            (firefox, "Linux, Firefox"),
            ("curl/8.5.0", "curl"),
            ("", NAMELESS),
        ] {
            assert_eq!(of_agent(agent), name);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_said_stays_between_its_quotes(said in ".{0,80}") {
            let name = clean_name(&said);
            prop_assert!(!name.contains(|char| QUOTES.contains(char)) && !name.contains("''"));
            prop_assert!(text::width(&name) <= MOST && !name.contains('\n') && !name.is_empty());
        }
    }
}
