//! What would change, as a unified diff.

use ask_core::plain::Plain;
use similar::TextDiff;

/// The differences of a file, safe to show.
pub fn unified(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    let from = before.map_or("/dev/null", |_| name);
    let to = after.map_or("/dev/null", |_| name);
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let text = TextDiff::from_lines(before, after)
        .unified_diff()
        .header(from, to)
        .to_string();
    let lines = text
        .lines()
        .map(|line| Plain::line(line).to_string() + "\n");
    lines.collect()
}
