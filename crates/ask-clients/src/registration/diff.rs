//! Which lines of a text stay in another, and what would change, as a unified diff. The known
//! crate for it is larger than all that edits files here, and its speed is of no use to
//! settings: where a middle is very long, it counts as replaced.

use std::ops::Range;

use ask_core::sanitize::SafeText;

/// How many pairs of lines are compared at most.
const MOST_PAIRS: usize = 4_000_000;

/// How many lines that stay are shown around what changes.
const AROUND: usize = 3;

/// The lines that stay: where each was, and where it is.
pub fn kept(before: &[&str], after: &[&str]) -> Vec<(usize, usize)> {
    let pairs = || before.iter().zip(after);
    let start = pairs().take_while(|(old, new)| old == new).count();
    let ends = before[start..]
        .iter()
        .rev()
        .zip(after[start..].iter().rev());
    let end = ends.take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (before.len() - end, after.len() - end);
    let mut kept: Vec<(usize, usize)> = (0..start).map(|line| (line, line)).collect();
    let middle = longest(&before[start..old_end], &after[start..new_end]);
    kept.extend(middle.iter().map(|(old, new)| (old + start, new + start)));
    kept.extend((0..end).map(|line| (old_end + line, new_end + line)));
    kept
}

/// The longest common subsequence of two lists of lines.
fn longest(before: &[&str], after: &[&str]) -> Vec<(usize, usize)> {
    let width = after.len() + 1;
    if before.len().saturating_mul(after.len()) > MOST_PAIRS {
        return Vec::new();
    }
    // How many lines the rests from there on have in common.
    let mut common = vec![0_u32; (before.len() + 1) * width];
    for old in (0..before.len()).rev() {
        for new in (0..after.len()).rev() {
            let (here, below) = (old * width + new, (old + 1) * width + new);
            common[here] = match before[old] == after[new] {
                true => common[below + 1] + 1,
                false => common[below].max(common[here + 1]),
            };
        }
    }
    let (mut old, mut new, mut found) = (0, 0, Vec::new());
    while old < before.len() && new < after.len() {
        if before[old] == after[new] {
            found.push((old, new));
            old += 1;
            new += 1;
        } else if common[(old + 1) * width + new] >= common[old * width + new + 1] {
            old += 1;
        } else {
            new += 1;
        }
    }
    found
}

/// The differences of a file, safe to show.
pub fn unified(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    let from = before.map_or("/dev/null", |_| name);
    let to = after.map_or("/dev/null", |_| name);
    let lines = |text: Option<&str>| -> Vec<String> {
        let lines = text.unwrap_or_default().split_inclusive('\n');
        lines.map(str::to_owned).collect()
    };
    let (before, after) = (lines(before), lines(after));
    let old: Vec<&str> = before.iter().map(String::as_str).collect();
    let new: Vec<&str> = after.iter().map(String::as_str).collect();
    let mut text = format!("--- {}\n+++ {}\n", SafeText::line(from), SafeText::line(to));
    for hunk in hunks(&kept(&old, &new), old.len(), new.len()) {
        text.push_str(&format!(
            "@@ -{} +{} @@\n",
            span(&hunk.old),
            span(&hunk.new)
        ));
        let (mut at, mut then) = (hunk.old.start, hunk.new.start);
        for (stays_at, stays_then) in hunk.kept {
            old[at..stays_at]
                .iter()
                .for_each(|line| show(&mut text, '-', line));
            new[then..stays_then]
                .iter()
                .for_each(|line| show(&mut text, '+', line));
            show(&mut text, ' ', old[stays_at]);
            (at, then) = (stays_at + 1, stays_then + 1);
        }
        old[at..hunk.old.end]
            .iter()
            .for_each(|line| show(&mut text, '-', line));
        new[then..hunk.new.end]
            .iter()
            .for_each(|line| show(&mut text, '+', line));
    }
    text
}

fn show(text: &mut String, sign: char, line: &str) {
    let whole = line.trim_end_matches(['\n', '\r']);
    text.push_str(&format!("{sign}{}\n", SafeText::line(whole)));
    if !line.ends_with('\n') {
        text.push_str("\\ No newline at end of file\n");
    }
}

/// Changes that stand close together, with the lines that stay among and around them.
struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
    kept: Vec<(usize, usize)>,
}

fn hunks(kept: &[(usize, usize)], old_len: usize, new_len: usize) -> Vec<Hunk> {
    // The gaps between lines that stay: what went, and what came.
    let ends = kept.iter().copied().chain([(old_len, new_len)]);
    let (mut at, mut hunks) = ((0, 0), Vec::<Hunk>::new());
    for end in ends {
        if end != at {
            let before = AROUND.min(at.0).min(at.1);
            let after = AROUND.min(old_len - end.0).min(new_len - end.1);
            let old = at.0 - before..end.0 + after;
            let new = at.1 - before..end.1 + after;
            match hunks.last_mut().filter(|last| last.old.end >= old.start) {
                Some(last) => {
                    last.old.end = old.end;
                    last.new.end = new.end;
                }
                None => hunks.push(Hunk {
                    old,
                    new,
                    kept: Vec::new(),
                }),
            }
        }
        at = (end.0 + 1, end.1 + 1);
    }
    for hunk in &mut hunks {
        let inside = kept.iter().filter(|(old, _)| hunk.old.contains(old));
        hunk.kept = inside.copied().collect();
    }
    hunks
}

/// A range of lines as a header tells it.
fn span(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        length => format!("{},{length}", lines.start + 1),
    }
}
