//! The type and the size of an image, from the first bytes of a file. Nothing is decoded: a wrong
//! size of an image is a wrong number in a line of text, and nothing worse.

use crate::attachment::Media;

/// The type of these bytes. An image whose size can't be found counts as `Other`: nobody could show
/// it.
pub(super) fn media(bytes: &[u8]) -> Media {
    let media = by_signature(bytes);
    match media.is_image() && pixels(media, bytes).is_none() {
        true => Media::Other,
        false => media,
    }
}

fn by_signature(bytes: &[u8]) -> Media {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Media::Png
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Media::Jpeg
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Media::Gif
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Media::Webp
    } else if bytes.starts_with(b"%PDF-") {
        Media::Pdf
    } else if !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok() {
        Media::Text
    } else {
        Media::Other
    }
}

/// Width and height of an image that has them near its beginning.
pub(super) fn pixels(media: Media, bytes: &[u8]) -> Option<(u32, u32)> {
    let (width, height) = match media {
        Media::Png => (big(bytes, 16, 4)?, big(bytes, 20, 4)?),
        Media::Jpeg => jpeg(bytes)?,
        Media::Gif => (little(bytes, 6, 2)?, little(bytes, 8, 2)?),
        Media::Webp => webp(bytes)?,
        Media::Pdf | Media::Text | Media::Other => return None,
    };
    (width > 0 && height > 0).then_some((width, height))
}

/// Skips segments up to the header of a frame.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = *bytes.get(at + 1).filter(|_| bytes[at] == 0xff)?;
        match marker {
            0xff => at += 1,
            // Frame headers of every coding. C4, C8 and CC are tables.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Some((big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?));
            }
            0x01 | 0xd0..=0xd7 => at += 2,
            _ => at = at.checked_add(2 + usize::try_from(big(bytes, at + 2, 2)?).ok()?)?,
        }
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8X" => Some((little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1)),
        b"VP8L" => {
            let bits = little(bytes, 21, 4)?;
            Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        b"VP8 " => Some((
            little(bytes, 26, 2)? & 0x3fff,
            little(bytes, 28, 2)? & 0x3fff,
        )),
        _ => None,
    }
}

fn big(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(count)?)?;
    Some(part.iter().fold(0, |sum, &byte| sum << 8 | u32::from(byte)))
}

fn little(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(count)?)?;
    let reversed = part.iter().rev();
    Some(reversed.fold(0, |sum, &byte| sum << 8 | u32::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(bytes: &[u8]) -> (Media, Option<(u32, u32)>) {
        let found = media(bytes);
        (found, pixels(found, bytes))
    }

    #[test]
    fn images_have_a_type_and_a_size() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20\x08\x06";
        assert_eq!(look(png), (Media::Png, Some((1280, 800))));
        let gif = b"GIF89a\x40\x01\xf0\0rest";
        assert_eq!(look(gif), (Media::Gif, Some((320, 240))));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x0b\x08\0\x64\0\xc8\x03";
        assert_eq!(look(jpeg), (Media::Jpeg, Some((200, 100))));
        let extended = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\0\0\x0f\0\0";
        assert_eq!(look(extended), (Media::Webp, Some((32, 16))));
        let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x1f\xc0\x03\0";
        assert_eq!(look(lossless), (Media::Webp, Some((32, 16))));
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x20\0\x10\0";
        assert_eq!(look(lossy), (Media::Webp, Some((32, 16))));
    }

    #[test]
    fn other_files_are_no_images() {
        assert_eq!(look(b"%PDF-1.7"), (Media::Pdf, None));
        assert_eq!(look("fn größe() {}".as_bytes()), (Media::Text, None));
        assert_eq!(look(b"\x7fELF\x02\0"), (Media::Other, None));
        assert_eq!(look(b"<svg/>"), (Media::Text, None));
    }

    #[test]
    fn truncated_images_are_no_images() {
        let whole = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x0b\x08\0\x64\0\xc8\x03";
        for end in 3..whole.len() - 2 {
            assert_eq!(look(&whole[..end]), (Media::Other, None));
        }
        assert_eq!(look(b"\x89PNG\r\n\x1a\n"), (Media::Other, None));
        assert_eq!(look(b"\xff\xd8\xff\xe0\xff\xff"), (Media::Other, None));
    }
}
