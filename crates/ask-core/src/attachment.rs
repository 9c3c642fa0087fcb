//! A file that a person attached to an answer: what it is called, what its first
//! bytes say it is, and under which digest its bytes are kept.
//!
//! The bytes themselves are the store's. What kind of file it is comes from the
//! bytes alone, never from the name, because an agent is shown what they are.

mod sniff;

use std::fmt;

use crate::sanitize::SafeText;

/// The largest file that can be attached, in bytes.
pub const MOST_BYTES: usize = 10 * 1024 * 1024;

/// The most files that one answer can carry.
pub const MOST_FILES: usize = 10;

/// The most characters of a name that are kept.
const MOST_NAME: usize = 100;

/// A file attached to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// What the person calls it: a safe line without folders.
    pub name: String,
    /// What its bytes are.
    pub media: Media,
    /// How many bytes it has.
    pub bytes: u64,
    /// Width and height, of an image that says so.
    pub pixels: Option<(u32, u32)>,
    /// Its SHA-256, under which it is kept.
    pub digest: Digest,
    /// Where it can be read on this machine. Not kept: whoever keeps the bytes knows it.
    pub path: Option<String>,
}

/// A SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

/// What the bytes of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// An image.
    Png,
    /// An image.
    Jpeg,
    /// An image.
    Gif,
    /// An image.
    Webp,
    /// A document.
    Pdf,
    /// Text in UTF-8.
    Text,
    /// Anything else.
    Other,
}

/// Every kind of file, its media type and the ending of its kept file.
const MEDIA: [(Media, &str, &str); 7] = [
    (Media::Png, "image/png", "png"),
    (Media::Jpeg, "image/jpeg", "jpg"),
    (Media::Gif, "image/gif", "gif"),
    (Media::Webp, "image/webp", "webp"),
    (Media::Pdf, "application/pdf", "pdf"),
    (Media::Text, "text/plain", "txt"),
    (Media::Other, "application/octet-stream", "bin"),
];

/// Why a file can't be attached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// There is nothing in it.
    #[error("{0} is empty")]
    Empty(String),
    /// It is too large.
    #[error(
        "{name} has {}, and at most {} can be attached: make it smaller, or give its path in words",
        measure(*.bytes), measure(MOST_BYTES as u64)
    )]
    TooLarge {
        /// Its name.
        name: String,
        /// Its size.
        bytes: u64,
    },
}

impl Media {
    /// What these bytes are.
    pub fn sniff(bytes: &[u8]) -> Self {
        sniff::media(bytes)
    }

    /// Its media type.
    pub fn word(self) -> &'static str {
        self.row().1
    }

    /// The ending of its file.
    pub fn ending(self) -> &'static str {
        self.row().2
    }

    /// Reads a media type; one that isn't known is any other file.
    pub fn named(word: &str) -> Self {
        let mut known = MEDIA.iter();
        known
            .find(|(_, name, _)| *name == word)
            .map_or(Self::Other, |(media, ..)| *media)
    }

    /// The one whose files have this ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let mut known = MEDIA.iter();
        let row = known.find(|(.., known)| *known == ending);
        row.map(|(media, ..)| *media)
    }

    /// The endings of all files there are.
    pub fn endings() -> impl Iterator<Item = &'static str> {
        MEDIA.iter().map(|(_, _, ending)| *ending)
    }

    /// Whether agents can be shown it.
    pub fn is_image(self) -> bool {
        match self {
            Self::Png | Self::Jpeg | Self::Gif | Self::Webp => true,
            Self::Pdf | Self::Text | Self::Other => false,
        }
    }

    fn row(self) -> &'static (Self, &'static str, &'static str) {
        let mut rows = MEDIA.iter();
        rows.find(|(media, ..)| *media == self)
            .unwrap_or(&MEDIA[MEDIA.len() - 1])
    }
}

impl Attachment {
    /// Looks at the bytes of a file. Their digest is whoever keeps them to say.
    pub fn from_bytes(name: &str, bytes: &[u8], digest: Digest) -> Result<Self, Unfit> {
        let name = safe_name(name);
        check_size(&name, bytes.len() as u64)?;
        let media = Media::sniff(bytes);
        Ok(Self {
            name,
            media,
            bytes: bytes.len() as u64,
            pixels: sniff::pixels(media, bytes),
            digest,
            path: None,
        })
    }

    /// A kept file of a known type and size; only its first bytes are looked at. `None` if they are
    /// too few to say how large the image is.
    pub fn from_head(
        name: &str,
        media: Media,
        bytes: u64,
        head: &[u8],
        digest: Digest,
    ) -> Result<Option<Self>, Unfit> {
        let name = safe_name(name);
        check_size(&name, bytes)?;
        let pixels = sniff::pixels(media, head);
        let is_known = pixels.is_some() || !media.is_image();
        Ok(is_known.then_some(Self {
            name,
            media,
            bytes,
            pixels,
            digest,
            path: None,
        }))
    }

    /// Whether it is called an image, and is none that can be read.
    pub fn is_broken_image(&self) -> bool {
        let ending = self.name.rsplit_once('.').map(|(_, ending)| ending);
        let ending = ending.unwrap_or_default().to_ascii_lowercase();
        let called = matches!(ending.as_str(), "png" | "jpg" | "jpeg" | "gif" | "webp");
        called && !self.media.is_image()
    }

    /// Its measures, as `1280x800, 214 KB`.
    pub fn measures(&self) -> String {
        let size = measure(self.bytes);
        match self.pixels {
            Some((width, height)) => format!("{width}x{height}, {size}"),
            None => size,
        }
    }
}

/// Whether a file of so many bytes can be attached.
pub fn check_size(name: &str, bytes: u64) -> Result<(), Unfit> {
    let name = || safe_name(name);
    match bytes {
        0 => Err(Unfit::Empty(name())),
        bytes if bytes > MOST_BYTES as u64 => Err(Unfit::TooLarge {
            name: name(),
            bytes,
        }),
        _ => Ok(()),
    }
}

/// A number of bytes for people.
pub fn measure(bytes: u64) -> String {
    const KB: u64 = 1024;
    const MB: u64 = KB * KB;
    match bytes {
        1 => "1 byte".to_owned(),
        0..KB => format!("{bytes} bytes"),
        KB..MB => format!("{} KB", bytes.div_ceil(KB)),
        _ => {
            let tenths = bytes.saturating_mul(10).div_ceil(MB);
            format!("{}.{} MB", tenths / 10, tenths % 10)
        }
    }
}

/// The last part of a path as one safe line that names no folder and hides nothing.
/// A name made safe once is left as it is.
pub fn safe_name(raw: &str) -> String {
    let last = raw.rsplit(['/', '\\']).find(|part| !part.trim().is_empty());
    let mut name = last.unwrap_or_default().to_owned();
    loop {
        // What is taken away may bare a dot, or a mark that stood on it.
        let next = one_safer(&name);
        if next == name {
            return name;
        }
        name = next;
    }
}

/// One pass over a name: it comes back shorter, or as it was.
fn one_safer(name: &str) -> String {
    let plain = SafeText::line(name);
    let hides = |char: char| char == '.' || char.is_whitespace();
    let name = plain.as_str().trim_start_matches(hides).trim_end();
    if name.is_empty() {
        return "file".to_owned();
    }
    let over = name.chars().count().saturating_sub(MOST_NAME);
    if over == 0 {
        return name.to_owned();
    }
    // What is cut is the middle: the ending says what it is.
    let keep = MOST_NAME / 2;
    let front: String = name.chars().take(keep).collect();
    let back = name.chars().skip(keep + over + 1);
    format!("{front}…{}", back.collect::<String>())
}

impl Digest {
    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |at: usize| char::from(pair[at]).to_digit(16);
            *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_no_folder_and_hide_nothing() {
        for (raw, safe) in [
            ("/home/me/design.png", "design.png"),
            ("C:\\Users\\me\\design.png", "design.png"),
            ("../../etc/passwd", "passwd"),
            ("..", "file"),
            ("", "file"),
            (".env", "env"),
            ("evil\u{202e}gnp.exe", "evilgnp.exe"),
            ("a\u{1b}[31mb\n.png", "ab .png"),
            ("folder/", "folder"),
            (".\u{a47}x", "x"),
            (".\u{a47}. x", "x"),
        ] {
            assert_eq!(safe_name(raw), safe, "{raw:?}");
        }
        let long = safe_name(&format!("{}.png", "x".repeat(300)));
        assert_eq!(long.chars().count(), MOST_NAME);
        assert!(long.ends_with(".png"), "{long}");
    }

    #[test]
    fn sizes_are_checked_and_read_well() {
        assert_eq!(measure(12), "12 bytes");
        assert_eq!(measure(1024), "1 KB");
        assert_eq!(measure(218_000), "213 KB");
        assert_eq!(measure(10 * 1024 * 1024), "10.0 MB");
        assert!(check_size("a", MOST_BYTES as u64).is_ok());
        assert_eq!(
            check_size("dir/a.png", MOST_BYTES as u64 + 1)
                .unwrap_err()
                .to_string(),
            "a.png has 10.1 MB, and at most 10.0 MB can be attached: make it smaller, or give its path in words"
        );
        assert!(check_size("a", 0).is_err());
    }

    #[test]
    fn digests_are_read_as_they_are_written() {
        let digest = Digest([0xa5; 32]);
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("a5"), None);
        assert_eq!(Digest::parse(&"ä".repeat(32)), None);
    }

    #[test]
    fn media_types_are_read_as_they_are_written() {
        for (media, ..) in MEDIA {
            assert_eq!(Media::named(media.word()), media);
        }
        assert_eq!(Media::named("video/mp4"), Media::Other);
    }
}
