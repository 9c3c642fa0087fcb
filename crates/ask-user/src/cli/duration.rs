//! Durations on a command line: `90s`, `5m`, `1h`.

use ask_config::duration::parse_duration_ms;

/// Parses a duration of a command line, in milliseconds.
///
/// # Errors
/// A text for the person, if the unit is missing, the duration is zero, or the text is no duration.
pub(crate) fn parse_duration(text: &str) -> Result<u64, String> {
    match parse_duration_ms(text) {
        Some(ms) if ms > 0 => Ok(ms),
        Some(_) => Err("it must be longer than zero".to_owned()),
        None if text.parse::<u64>().is_ok() => Err(format!(
            "it has no unit: write {text}s, {text}m or {text}h for seconds, minutes or hours"
        )),
        None => Err("write a number and its unit: 90s, 5m, 1h".to_owned()),
    }
}

/// Formats a duration in the form that [`parse_duration`] reads.
pub(crate) fn format_duration(ms: u64) -> String {
    match ms % 1_000 {
        0 => format!("{}s", ms / 1_000),
        _ => format!("{ms}ms"),
    }
}
