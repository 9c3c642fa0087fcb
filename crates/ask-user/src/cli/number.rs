//! Whole numbers on a command line, with errors for a person. The text of Rust's own error, "invalid
//! digit found in string", doesn't say what to write.

/// Parses a count.
///
/// # Errors
/// A text for the person.
pub(crate) fn parse_count(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| "it must be a whole number, such as 50".to_owned())
}

/// Parses a port.
///
/// # Errors
/// A text for the person.
pub(crate) fn parse_port(text: &str) -> Result<u16, String> {
    text.parse()
        .map_err(|_| format!("it must be a whole number from 0 to {}", u16::MAX))
}
