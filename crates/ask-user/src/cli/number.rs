//! Whole numbers of a command line. What Rust says of a wrong one, "invalid digit found in string",
//! is no text for a person.

/// Parses how many of something are wanted.
///
/// # Errors
/// A text for the person.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| "it must be a whole number, such as 50".to_owned())
}

/// Parses the number of a port.
///
/// # Errors
/// A text for the person.
pub(crate) fn port(text: &str) -> Result<u16, String> {
    text.parse()
        .map_err(|_| format!("it must be a whole number from 0 to {}", u16::MAX))
}
