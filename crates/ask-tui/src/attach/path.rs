//! Parses paths as people give them: typed, pasted from a shell, or dropped by a file manager as a
//! quoted word, an escaped word or a `file://` URL.

use std::path::{Path, PathBuf};

/// Parses a typed text as a path. A relative path is joined to `from`; `None` if the text is blank.
pub(super) fn parse_path(typed: &str, from: Option<&Path>) -> Option<PathBuf> {
    let text = unquote(typed);
    if text.is_empty() {
        return None;
    }
    let path = match text.strip_prefix("~/") {
        Some(rest) => match std::env::var_os("HOME") {
            Some(home) => Path::new(&home).join(rest),
            None => PathBuf::from(text),
        },
        None => PathBuf::from(text),
    };
    Some(match from {
        Some(folder) => folder.join(path),
        None => path,
    })
}

/// Whether a pasted text is the path of an image and nothing else. Such a paste is attached instead
/// of typed.
pub(crate) fn is_pasted_image(pasted: &str) -> bool {
    let trimmed = pasted.trim();
    if trimmed.lines().count() != 1 || trimmed.len() > 4_096 {
        return false;
    }
    let path = unquote(trimmed);
    let is_absolute = path.starts_with('/') || path.starts_with("~/") || starts_with_drive(&path);
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    is_absolute && matches!(ending.as_str(), "png" | "jpg" | "jpeg" | "gif" | "webp")
}

fn starts_with_drive(path: &str) -> bool {
    let start: Vec<char> = path.chars().take(3).collect();
    matches!(start.as_slice(), [drive, ':', '\\' | '/'] if drive.is_ascii_alphabetic())
}

/// Removes the quotes, escapes or URL scheme that shells and file managers put around a path.
fn unquote(text: &str) -> String {
    let text = text.trim();
    if let Some(address) = text.strip_prefix("file://") {
        // A `file://` URL may name this machine's host before the path (RFC 8089).
        let path = address.find('/').map_or(address, |at| &address[at..]);
        return percent_decode(path);
    }
    for quote in ['"', '\''] {
        let inner = text.strip_prefix(quote);
        if let Some(inner) = inner.and_then(|inner| inner.strip_suffix(quote)) {
            return inner.to_owned();
        }
    }
    if starts_with_drive(text) {
        return text.to_owned();
    }
    let mut unquoted = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        match char {
            '\\' => unquoted.extend(rest.next()),
            char => unquoted.push(char),
        }
    }
    unquoted
}

/// Decodes the percent-encoding of a URL (RFC 3986, section 2.1).
fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
        let pair = digit(at + 1).zip(digit(at + 2));
        match pair.filter(|_| byte == b'%') {
            Some((high, low)) => {
                decoded.push(u8::try_from(high * 16 + low).unwrap_or(byte));
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_quoted_escaped_and_url_paths_are_parsed() {
        let from = Some(Path::new("/src/shop"));
        for (typed, path) in [
            ("shot.png", "/src/shop/shot.png"),
            (" /tmp/a b.png \n", "/tmp/a b.png"),
            ("/tmp/a\\ b.png", "/tmp/a b.png"),
            ("'/tmp/a b.png'", "/tmp/a b.png"),
            ("\"/tmp/it's.png\"", "/tmp/it's.png"),
            ("file:///tmp/a%20b.png", "/tmp/a b.png"),
            ("file://laptop/tmp/gr%C3%B6%C3%9Fe.png", "/tmp/größe.png"),
            ("/tmp/100%.png", "/tmp/100%.png"),
        ] {
            assert_eq!(
                parse_path(typed, from),
                Some(PathBuf::from(path)),
                "{typed:?}"
            );
        }
        assert_eq!(parse_path("  ", from), None);
    }

    #[test]
    fn only_the_path_of_an_image_is_a_pasted_image() {
        for pasted in [
            "/tmp/shot.png",
            "file:///tmp/a%20b.JPG",
            "'/tmp/a b.webp' ",
            "~/shot.jpeg\n",
            "C:\\Users\\me\\shot.gif",
        ] {
            assert!(is_pasted_image(pasted), "{pasted:?}");
        }
        for pasted in [
            "",
            "see /tmp/shot.png",
            "shot.png",
            "/tmp/notes.txt",
            "/tmp/a.png\n/tmp/b.png",
            "https://example.org/a.png",
            "/etc",
        ] {
            assert!(!is_pasted_image(pasted), "{pasted:?}");
        }
    }
}
