//! Where a link leads, as it is shown beside its words. A person takes the host for whom they will
//! reach: it stands in its ASCII form, where no letter passes for another, and without the name that
//! an address of the web may have before it. The page has the same rule in `web/src/components/markdown.tsx`,
//! and both are tried with `links.json`.

/// No label of a host is longer.
const LONGEST_LABEL: usize = 63;

/// What is shown beside the words of a link; nothing if they are that address themselves.
pub fn displayed_destination(destination: &str, words: &str) -> Option<String> {
    let place = place(destination);
    (bare(&place) != bare(words)).then_some(place)
}

/// An address without what most people leave out of it.
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
    // Browsers take any slashes for the two.
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
        // It names no host.
        true => destination.to_owned(),
        false => {
            let slashes = &rest[..rest.len() - within.len()];
            format!("{scheme}:{slashes}{name}{}{path}", ascii(host))
        }
    }
}

/// A host as the network knows it.
fn ascii(host: &str) -> String {
    if host.is_ascii() {
        return host.to_owned();
    }
    let narrow = |letter| match letter {
        '。' | '｡' => '.',
        // Letters as wide as Chinese ones mean the usual ones.
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

/// A label in the letters of RFC 3492.
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

/// A number in digits whose bases change with the bias.
fn write_number(out: &mut String, mut number: u32, bias: u32) {
    let digit = |value: u32| char::from_digit(value, 36);
    // Letters come before digits there.
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
    fn a_host_that_the_words_dont_name_stands_beside_them() {
        let cases = crate::json::parse(include_str!("links.json")).expect("it is JSON");
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
                // Words of the same host may still leave out where on it.
                None => assert!(place.is_none() || case["path"] == true, "{place:?}: {case}"),
            }
        }
    }

    #[test]
    fn what_is_not_of_the_web_is_shown_whole() {
        for (link, place) in [
            ("src/größe.rs#L3", "src/größe.rs#L3"),
            ("urn:größe", "urn:größe"),
            ("C:\\größe", "C:\\größe"),
            ("mailto:ada@exаmple.com", "mailto:ada@xn--exmple-4nf.com"),
            // What is no port is no place for another alphabet either.
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
    fn labels_are_written_as_rfc_3492_has_them() {
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
