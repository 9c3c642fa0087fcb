//! One line of a file of rules: which paths it means.

use super::name::Name;

/// One line of such a file.
#[derive(Debug)]
pub struct Rule {
    /// Whether it takes back what rules before it left out.
    pub keeps: bool,
    folders_alone: bool,
    parts: Vec<Part>,
}

/// One part of a pattern, between two slashes.
#[derive(Debug)]
enum Part {
    /// `**`: any number of folders.
    Folders,
    Name(Name),
}

impl Rule {
    /// Whether it means a path below its folder.
    pub fn means(&self, names: &[&str], is_folder: bool) -> bool {
        (is_folder || !self.folders_alone) && fits(&self.parts, names)
    }
}

/// What a file says, line by line.
pub fn rules(text: &str) -> Vec<Rule> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().filter_map(rule).collect()
}

fn rule(line: &str) -> Option<Rule> {
    let mut line = line;
    // Spaces at the end mean nothing, but for one behind a backslash.
    while let Some(shorter) = line.strip_suffix(' ')
        && !shorter.ends_with('\\')
    {
        line = shorter;
    }
    if line.starts_with('#') {
        return None;
    }
    let (keeps, line) = match line.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (folders_alone, line) = match line.strip_suffix('/') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (is_anchored, line) = match line.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (line.contains('/'), line),
    };
    if line.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    if !is_anchored {
        parts.push(Part::Folders);
    }
    for part in line.split('/') {
        parts.push(match part {
            "**" => Part::Folders,
            name => Part::Name(Name::read(name)?),
        });
    }
    Some(Rule {
        keeps,
        folders_alone,
        parts,
    })
}

/// Whether a path fits a pattern. Only the last `**` is ever tried again, so that no pattern takes
/// longer than its length times that of the path.
fn fits(parts: &[Part], names: &[&str]) -> bool {
    let (mut part, mut name) = (0, 0);
    let mut again = None;
    while name < names.len() {
        match parts.get(part) {
            // At the end it means what is in a folder, and not the folder.
            Some(Part::Folders) if part + 1 == parts.len() => return true,
            Some(Part::Folders) => {
                part += 1;
                again = Some((part, name));
                continue;
            }
            Some(Part::Name(is)) if is.fits(names[name]) => {
                (part, name) = (part + 1, name + 1);
                continue;
            }
            Some(Part::Name(_)) | None => {}
        }
        let Some((after, from)) = again else {
            return false;
        };
        again = Some((after, from + 1));
        (part, name) = (after, from + 1);
    }
    part == parts.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether rules in a folder leave out a path below it, as git says it by `check-ignore`.
    #[track_caller]
    fn leaves_out(text: &str, path: &str, expected: bool) {
        let is_folder = path.ends_with('/');
        let names: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        let rules = rules(text);
        let mut last = rules
            .iter()
            .rev()
            .filter(|rule| rule.means(&names, is_folder));
        let said = last.next().is_some_and(|rule| !rule.keeps);
        assert_eq!(said, expected, "{text:?} of {path}");
    }

    #[test]
    fn patterns_mean_what_git_takes_them_for() {
        for (text, out, stays) in [
            ("target", "target/ a/target/ a/target", "targets a/atarget"),
            ("target/", "target/ a/target/", "target a/target"),
            ("/target", "target target/", "a/target"),
            ("a/b", "a/b a/b/", "c/a/b b"),
            ("*.log", "x.log a/.log a/b.log", "x.logs log"),
            ("a*c?e", "abbcde acde", "ace a/cde"),
            ("[a-c]x[!0-9]", "axx cxy", "dxx ax1 a/x"),
            ("[]-]z", "]z -z", "az"),
            ("x[[:digit:]_]", "x1 x_", "xa"),
            ("[z", "", "z [z"),
            ("**/deep", "deep a/b/deep", "deeper"),
            ("a/**", "a/b a/b/c", "a/ b/a/c"),
            ("a/**/b", "a/b a/x/y/b", "a/bb c/a/b"),
            ("**", "a a/b", ""),
            ("a**b/c", "ab/c axxb/c", "a/b/c"),
            ("x\\ \nq  ", "q", "x"),
            ("\\#a\n\\!b\n#c", "#a !b", "c #c"),
            ("*.o\n!keep.o", "a.o", "keep.o"),
            ("!keep.o\n*.o", "keep.o", ""),
            ("\u{feff}bom\r\nnext\r\n", "bom next", ""),
            ("gr\u{fc}n?", "gr\u{fc}n\u{df}", "gr\u{fc}n"),
            ("/\n!\n\\", "", "a"),
        ] {
            for path in out.split_whitespace() {
                leaves_out(text, path, true);
            }
            for path in stays.split_whitespace() {
                leaves_out(text, path, false);
            }
        }
    }

    #[test]
    fn a_pattern_that_was_made_to_take_for_ever_does_not() {
        let names = vec!["a".repeat(200); 40];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let pattern = format!("{}b", "**/*a*a*a*a*a*a*/".repeat(12));
        assert!(!rule(&pattern).unwrap().means(&names, true));
    }
}
