//! The destination of a link, as it is shown next to its words. A person trusts that the host is
//! whom they will reach: it is shown in ASCII, where no letter looks like another, and without the
//! user name that a web address may have before it. The page has the same rule in
//! `web/src/components/markdown.tsx`, and `links.json` tests both.

/// The longest label of a host.
const LONGEST_LABEL: usize = 63;

/// What is shown next to the words of a link; `None` if the words are that address.
pub fn displayed_destination(destination: &str, words: &str) -> Option<String> {
    let place = place(destination);
    (bare(&place) != bare(words)).then_some(place)
}

/// An address without the parts that most people leave out.
pub fn bare(address: &str) -> &str {
    let address = address.trim();
    let schemes = ["https://", "http://", "mailto:"].into_iter();
    let mut rests = schemes.filter_map(|scheme| address.strip_prefix(scheme));
    rests.next().unwrap_or(address).trim_end_matches('/')
}

fn place(destination: &str) -> String {
    let Some((scheme, rest)) = destination.split_once(':') else {
        return destination.to_owned();
    };
    let is_web = ["https", "http"]
        .iter()
        .any(|web| scheme.eq_ignore_ascii_case(web));
    // Browsers accept any number of slashes there, of either kind.
    let within = match is_web {
        true => rest.trim_start_matches(['/', '\\']),
        false => rest.strip_prefix("//").unwrap_or(rest),
    };
    let end = within.find(['/', '\\', '?', '#']).unwrap_or(within.len());
    let (authority, path) = within.split_at(end);
    let (name, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    if is_web {
        return format!("{}://{}{path}", scheme.to_ascii_lowercase(), ascii(host));
    }
    match name.is_empty() && within.len() == rest.len() {
        // The link names no host.
        true => destination.to_owned(),
        false => {
            let slashes = &rest[..rest.len() - within.len()];
            format!("{scheme}:{slashes}{name}{}{path}", ascii(host))
        }
    }
}

/// A host as the network knows it, in ASCII.
fn ascii(host: &str) -> String {
    if host.is_ascii() {
        return host.to_owned();
    }
    let narrow = |letter| match letter {
        '。' | '｡' => '.',
        // Fullwidth letters, which are as wide as Chinese ones, mean the usual ones.
        '！'..='～' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        letter => letter,
    };
    let host: String = host.to_lowercase().chars().map(narrow).collect();
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let colon = host.rfind(':').filter(|&at| is_port(&host[at + 1..]));
    let (host, port) = host.split_at(colon.unwrap_or(host.len()));
    let labels = host.split('.').map(|label| match label.is_ascii() {
        true => label.to_owned(),
        false => format!("xn--{}", punycode(label)),
    });
    labels.collect::<Vec<_>>().join(".") + port
}

/// A label in Punycode, RFC 3492.
fn punycode(label: &str) -> String {
    let letters: Vec<u32> = label.chars().take(LONGEST_LABEL).map(u32::from).collect();
    let plain = letters
        .iter()
        .filter_map(|&letter| u8::try_from(letter).ok());
    let mut out: String = plain.filter(u8::is_ascii).map(char::from).collect();
    let basic = out.len() as u32;
    if basic > 0 {
        out.push('-');
    }
    let (mut least, mut delta, mut bias, mut written) = (128, 0, 72, basic);
    while let Some(&next) = letters.iter().filter(|&&letter| letter >= least).min() {
        delta += (next - least) * (written + 1);
        for &letter in &letters {
            if letter < next {
                delta += 1;
            } else if letter == next {
                write_number(&mut out, delta, bias);
                written += 1;
                bias = adapted(delta, written, written == basic + 1);
                delta = 0;
            }
        }
        delta += 1;
        least = next + 1;
    }
    out
}

/// A number in digits whose bases depend on the bias.
fn write_number(out: &mut String, mut number: u32, bias: u32) {
    let digit = |value: u32| char::from_digit(value, 36);
    // In Punycode, letters come before digits.
    let letter = |value: u32| digit((value + 10) % 36).unwrap_or_default();
    for step in 1.. {
        let threshold = (step * 36_u32).saturating_sub(bias).clamp(1, 26);
        if number < threshold {
            break;
        }
        let over = number - threshold;
        out.push(letter(threshold + over % (36 - threshold)));
        number = over / (36 - threshold);
    }
    out.push(letter(number));
}

fn adapted(delta: u32, written: u32, is_first: bool) -> u32 {
    let mut delta = delta / if is_first { 700 } else { 2 };
    delta += delta / written;
    let mut bias = 0;
    while delta > 455 {
        delta /= 35;
        bias += 36;
    }
    bias + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Json;

    #[test]
    fn a_host_that_the_words_dont_name_is_shown() {
        let cases = crate::json::parse(include_str!("links.json")).expect("the file is JSON");
        for case in cases.as_array().expect("a list") {
            let text = |key| case.get(key).and_then(Json::as_str);
            let (words, link) = (text("words").expect("words"), text("link").expect("a link"));
            let place = displayed_destination(link, words);
            match text("host") {
                Some(host) => {
                    let place = place.unwrap_or_else(|| panic!("{host} is shown for {case}"));
                    let rest = bare(&place).strip_prefix(host);
                    let rest = rest.unwrap_or_else(|| panic!("{place} for {case}"));
                    assert!(rest.is_empty() || rest.starts_with(['/', '\\', '?', '#']));
                }
                // Words with the same host may still leave out the path.
                None => assert!(place.is_none() || case["path"] == true, "{place:?}: {case}"),
            }
        }
    }

    #[test]
    fn destinations_outside_of_the_web_are_shown_whole() {
        for (link, place) in [
            ("src/größe.rs#L3", "src/größe.rs#L3"),
            ("urn:größe", "urn:größe"),
            ("C:\\größe", "C:\\größe"),
            ("mailto:ada@exаmple.com", "mailto:ada@xn--exmple-4nf.com"),
            // If the part after the colon is no port, it may not contain another alphabet either.
            ("https://a.example:8а/x", "https://a.xn--example:8-8yh/x"),
            (
                "ssh://git@größe.example/a",
                "ssh://git@xn--gre-6ka8i.example/a",
            ),
        ] {
            assert_eq!(displayed_destination(link, "here").as_deref(), Some(place));
        }
        assert_eq!(
            displayed_destination("mailto:ada@example.com", "ada@example.com"),
            None
        );
        assert_eq!(displayed_destination("src/a.rs", "src/a.rs"), None);
    }

    #[test]
    fn labels_are_encoded_as_in_rfc_3492() {
        for (label, written) in [
            ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
            ("bücher", "bcher-kva"),
        ] {
            assert_eq!(punycode(label), written);
        }
        let long = "ж\u{10ffff}".repeat(1000);
        assert!(punycode(&long).len() < 1000);
    }
}
