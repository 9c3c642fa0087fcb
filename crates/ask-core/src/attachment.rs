//! A file that a person attached to an answer: its name, its type by its first bytes, and the
//! digest under which its bytes are stored.
//!
//! The store has the bytes. The type comes from the bytes and never from the name, because the
//! agent is shown what they are.

mod sniff;

use std::fmt;

use crate::sanitize::SafeText;

/// The largest file that can be attached, in bytes.
pub const MOST_BYTES: usize = 10 * 1024 * 1024;

/// The most files that one answer can have.
pub const MOST_FILES: usize = 10;

/// The most characters that a name keeps.
const MAX_NAME: usize = 100;

/// A file attached to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The person's name for it: a safe line without folders.
    pub name: String,
    /// The type of its bytes.
    pub media: Media,
    /// How many bytes it has.
    pub bytes: u64,
    /// Width and height of an image that contains them.
    pub pixels: Option<(u32, u32)>,
    /// The SHA-256 of its bytes, under which they are stored.
    pub digest: Digest,
    /// Where it can be read on this machine. Not stored: the store of the bytes knows it.
    pub path: Option<String>,
}

/// A SHA-256 hash of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

/// The type of a file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// An image in PNG format.
    Png,
    /// An image in JPEG format.
    Jpeg,
    /// An image in GIF format.
    Gif,
    /// An image in WebP format.
    Webp,
    /// A document in PDF format.
    Pdf,
    /// Text in UTF-8.
    Text,
    /// Bytes of any other type.
    Other,
}

/// Each type, its media type and the extension of its stored files.
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
    /// It has no bytes.
    #[error("{0} is empty")]
    Empty(String),
    /// It has too many bytes.
    #[error(
        "{name} has {}, and at most {} can be attached: make it smaller, or give its path in words",
        measure(*.bytes), measure(MOST_BYTES as u64)
    )]
    TooLarge {
        /// Its name, made safe.
        name: String,
        /// Its size in bytes.
        bytes: u64,
    },
}

impl Media {
    /// The type of these bytes.
    pub fn sniff(bytes: &[u8]) -> Self {
        sniff::media(bytes)
    }

    /// Its media type, as in `image/png`.
    pub fn word(self) -> &'static str {
        self.row().1
    }

    /// The extension of its stored files.
    pub fn ending(self) -> &'static str {
        self.row().2
    }

    /// The type with this media type; `Other` if it is unknown.
    pub fn named(word: &str) -> Self {
        let mut known = MEDIA.iter();
        known
            .find(|(_, name, _)| *name == word)
            .map_or(Self::Other, |(media, ..)| *media)
    }

    /// The type whose stored files have this extension.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let mut known = MEDIA.iter();
        let row = known.find(|(.., known)| *known == ending);
        row.map(|(media, ..)| *media)
    }

    /// The extensions of all types.
    pub fn endings() -> impl Iterator<Item = &'static str> {
        MEDIA.iter().map(|(_, _, ending)| *ending)
    }

    /// Whether it is an image, which agents can be shown.
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
    /// Describes a file by its bytes. Whoever stores them computes the digest.
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

    /// Describes a stored file of a known type and size. Only its first bytes are read; `None` if
    /// they are too few to contain the size of the image.
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

    /// Whether it has the name of an image, and isn't an image that can be read.
    pub fn is_broken_image(&self) -> bool {
        let ending = self.name.rsplit_once('.').map(|(_, ending)| ending);
        let ending = ending.unwrap_or_default().to_ascii_lowercase();
        let called = matches!(ending.as_str(), "png" | "jpg" | "jpeg" | "gif" | "webp");
        called && !self.media.is_image()
    }

    /// Its size in pixels and bytes, as in `1280x800, 214 KB`.
    pub fn measures(&self) -> String {
        let size = measure(self.bytes);
        match self.pixels {
            Some((width, height)) => format!("{width}x{height}, {size}"),
            None => size,
        }
    }
}

/// Checks whether a file of this size can be attached.
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

/// A number of bytes, as people read it.
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

/// The last part of a path as one safe line, without folders and with nothing hidden. A name that
/// was made safe before stays as it is.
pub fn safe_name(raw: &str) -> String {
    let last = raw.rsplit(['/', '\\']).find(|part| !part.trim().is_empty());
    let mut name = last.unwrap_or_default().to_owned();
    loop {
        // What is removed may expose a dot, or a mark that was combined with it.
        let next = make_safer(&name);
        if next == name {
            return name;
        }
        name = next;
    }
}

/// One pass over a name. The result is shorter, or the name itself.
fn make_safer(name: &str) -> String {
    let plain = SafeText::line(name);
    let hides = |char: char| char == '.' || char.is_whitespace();
    let name = plain.as_str().trim_start_matches(hides).trim_end();
    if name.is_empty() {
        return "file".to_owned();
    }
    let over = name.chars().count().saturating_sub(MAX_NAME);
    if over == 0 {
        return name.to_owned();
    }
    // The middle is cut, because the extension shows the type.
    let keep = MAX_NAME / 2;
    let front: String = name.chars().take(keep).collect();
    let back = name.chars().skip(keep + over + 1);
    format!("{front}…{}", back.collect::<String>())
}

impl Digest {
    /// Parses 64 hexadecimal digits.
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
        formatter.write_str(&crate::secret::hex(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_names_contain_no_folder_and_hide_nothing() {
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
        assert_eq!(long.chars().count(), MAX_NAME);
        assert!(long.ends_with(".png"), "{long}");
    }

    #[test]
    fn sizes_are_checked_and_shown_in_units() {
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
    fn digests_are_parsed_as_they_are_written() {
        let digest = Digest([0xa5; 32]);
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("a5"), None);
        assert_eq!(Digest::parse(&"ä".repeat(32)), None);
    }

    #[test]
    fn media_types_are_parsed_as_they_are_written() {
        for (media, ..) in MEDIA {
            assert_eq!(Media::named(media.word()), media);
        }
        assert_eq!(Media::named("video/mp4"), Media::Other);
    }
}
