//! The little of DER that a certificate needs: one element after another, and times.

use ask_core::Time;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A list.
pub const SEQUENCE: u8 = 0x30;
/// Yes or no.
pub const BOOLEAN: u8 = 0x01;
/// A number.
pub const INTEGER: u8 = 0x02;
/// The name of something that is registered.
pub const OBJECT: u8 = 0x06;
/// Bytes.
pub const OCTETS: u8 = 0x04;

const UTC_TIME: u8 = 0x17;
const GENERAL_TIME: u8 = 0x18;

/// What stands at a number of its own.
pub const fn context(number: u8) -> u8 {
    0xa0 | number
}

/// What is left to read.
pub struct Reading<'bytes>(pub &'bytes [u8]);

impl<'bytes> Reading<'bytes> {
    /// The next element: its tag, and what it holds.
    pub fn next(&mut self) -> Option<(u8, &'bytes [u8])> {
        let (&[tag, short], mut rest) = self.0.split_first_chunk()?;
        let length = match short {
            0..=0x7f => usize::from(short),
            // How many bytes the length has; nothing here is longer than two of them tell.
            0x81..=0x83 => {
                let (digits, after) = rest.split_at_checked(usize::from(short & 0x7f))?;
                rest = after;
                let next = |length, digit: &u8| length << 8 | usize::from(*digit);
                digits.iter().fold(0, next)
            }
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, content))
    }

    /// What the next one holds, where it is of this kind.
    pub fn take(&mut self, wanted: u8) -> Option<&'bytes [u8]> {
        let (tag, content) = self.next()?;
        (tag == wanted).then_some(content)
    }

    /// Passes one over that need not be there.
    pub fn skip_if(&mut self, tag: u8) {
        if self.0.first() == Some(&tag) {
            self.next();
        }
    }
}

/// A number, of digits alone.
fn number(digits: &[u8]) -> Option<i16> {
    let is_number = digits.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    text.parse().ok()
}

/// A moment, as certificates write it.
pub fn time((tag, text): (u8, &[u8])) -> Option<Time> {
    let digits = text.strip_suffix(b"Z")?;
    let (year, rest) = match tag {
        UTC_TIME => {
            let (year, rest) = digits.split_at_checked(2)?;
            let year = number(year)?;
            // Two digits of a year mean one from 1950 on.
            (if year < 50 { 2000 + year } else { 1900 + year }, rest)
        }
        GENERAL_TIME => {
            let (year, rest) = digits.split_at_checked(4)?;
            (number(year)?, rest)
        }
        _ => return None,
    };
    let parts: Option<Vec<i8>> = rest
        .chunks(2)
        .map(|two| number(two)?.try_into().ok())
        .collect();
    let &[month, day, hour, minute, second] = parts?.as_slice() else {
        return None;
    };
    let at = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
    let at = at.to_zoned(TimeZone::UTC).ok()?;
    Some(Time(at.timestamp().as_millisecond()))
}
