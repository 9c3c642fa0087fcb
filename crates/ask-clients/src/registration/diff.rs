//! Compares texts line by line: the lines that stay, and a unified diff that is safe to show.

use std::time::Duration;

use ask_core::sanitize::SafeText;
use similar::{ChangeTag, DiffOp, TextDiff};

/// After this time, the rest of a comparison counts as replaced.
const LONGEST: Duration = Duration::from_secs(1);

/// The lines that stay, as pairs of old and new index.
pub fn kept(before: &[&str], after: &[&str]) -> Vec<(usize, usize)> {
    let compared = TextDiff::configure()
        .timeout(LONGEST)
        .diff_slices(before, after);
    let kept = compared.ops().iter().filter_map(|op| match *op {
        DiffOp::Equal {
            old_index,
            new_index,
            len,
        } => Some((old_index..old_index + len).zip(new_index..)),
        DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => None,
    });
    kept.flatten().collect()
}

/// The unified diff of a file, as safe text.
pub fn unified(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    let from = before.map_or("/dev/null", |_| name);
    let to = after.map_or("/dev/null", |_| name);
    let mut text = format!("--- {}\n+++ {}\n", SafeText::line(from), SafeText::line(to));
    let compared = TextDiff::configure()
        .timeout(LONGEST)
        .diff_lines(before.unwrap_or_default(), after.unwrap_or_default());
    for hunk in compared.unified_diff().iter_hunks() {
        text.push_str(&format!("{}\n", hunk.header()));
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            let line = change.value().trim_end_matches(['\n', '\r']);
            text.push_str(&format!("{sign}{}\n", SafeText::line(line)));
            if change.missing_newline() {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    }
    text
}
