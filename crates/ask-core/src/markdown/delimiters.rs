//! Whether text that could be parsed as Markdown was meant as Markdown. Agents write about globs,
//! dunders, patterns and paths. A character that gets lost there changes what a person agrees to.

use std::ops::Range;

/// Characters whose backslash is an escape of Markdown. Before any other, it is part of the text.
const ESCAPED: &[char] = &['*', '_', '`', '#', '|', '~', '<', '>'];

/// The longest name in a program that is expected.
const LONGEST_NAME: usize = 64;

/// How many bytes the delimiters of emphasized words have on each side, if they were meant as
/// delimiters.
pub(super) fn emphasis(source: &str, range: &Range<usize>, marks: usize) -> Option<usize> {
    let around = |at: Option<char>, signs: &[char]| {
        at.is_none_or(|at| !at.is_ascii_alphanumeric() && !signs.contains(&at))
    };
    let before = source[..range.start].chars().next_back();
    let after = source[range.end..].chars().next();
    let inside = source.get(range.start + marks..range.end.checked_sub(marks)?)?;
    let is_dunder = source[range.start..].starts_with("__")
        && inside.len() <= LONGEST_NAME
        && inside
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
    let is_glob = inside.starts_with(['.', '/', ',']) || inside.ends_with('/');
    let meant = around(before, &['/', '\\', '.', '$', '='])
        && around(after, &['/', '\\', '=', '$', '('])
        && !is_dunder
        && !is_glob;
    meant.then_some(marks)
}

/// Like [`emphasis`], for words that are struck through. One tilde alone is a home directory or an
/// estimate.
pub(super) fn strike(source: &str, range: &Range<usize>) -> Option<usize> {
    source[range.clone()].starts_with("~~").then_some(2)
}

/// Whether brackets before parentheses are a link and not a call.
pub(super) fn is_link(destination: &str) -> bool {
    destination.contains([':', '/', '.', '#', '@'])
}

/// Whether the backslash before a character must be shown.
pub(super) fn keeps_backslash(source: &str, start: usize, since: usize) -> bool {
    let Some(before) = start.checked_sub(1).filter(|&before| before >= since) else {
        return false;
    };
    source.as_bytes().get(before) == Some(&b'\\')
        && !source[start..].starts_with(|sign| ESCAPED.contains(&sign))
}

/// Whether the line above the line of `start` is blank.
pub(super) fn is_apart(source: &str, start: usize) -> bool {
    let mut above = source[..start].split('\n').rev().skip(1);
    above
        .next()
        .is_some_and(|line| line.trim_matches([' ', '>']).is_empty())
}

/// How many columns the line of `start` is indented by, beyond the indent of its block.
pub(super) fn indent(source: &str, start: usize, base: usize) -> usize {
    let line = source[..start]
        .rfind('\n')
        .map_or(&source[..start], |at| &source[at + 1..start]);
    match line.rsplit_once('>') {
        Some((_, rest)) if is_blank(rest) => rest.len().saturating_sub(1),
        None if is_blank(line) => line.len().saturating_sub(base),
        Some(_) | None => 0,
    }
}

/// The column of a place in its line.
pub(super) fn column(source: &str, at: usize) -> usize {
    at - source[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte == b' ')
}
