//! Ignore rules from `.gitignore` and `.ignore`, as git applies them. No git process is run: the
//! folder may be an agent's, and its git configuration could run programs.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ask_files::{DirEntry, Entries, read_bytes};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The rule files of a folder. Later ones take precedence.
const RULE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The largest rule file that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// The rules of a folder and of the folders above it.
#[derive(Clone, Debug, Default)]
pub(super) struct IgnoreRules(Option<Arc<Level>>);

#[derive(Debug)]
struct Level {
    /// The rules of one folder.
    rules: Gitignore,
    parent: IgnoreRules,
}

impl IgnoreRules {
    /// The rules of the folder where a walk starts: those of its repository from the top down, or
    /// outside of a repository only its own.
    pub(super) fn from_folder(folder: &Path) -> Self {
        let is_top = |folder: &&Path| folder.join(".git").exists();
        let Some(top) = folder.ancestors().find(is_top) else {
            return Self::default().with_folder(folder);
        };
        let mut files = Vec::new();
        if let Ok(config) = etcetera::home_dir().map(|home| {
            let set = std::env::var_os("XDG_CONFIG_HOME").filter(|set| !set.is_empty());
            set.map_or_else(|| home.join(".config"), PathBuf::from)
        }) {
            let own_rules = config.join("git/ignore");
            // The person's own rule file may be a link.
            files.push(own_rules.canonicalize().unwrap_or(own_rules));
        }
        files.push(top.join(".git/info/exclude"));
        let global_rules =
            Self::default().with_rules(top, files.iter().map(|file| DirEntry::from_path(file)));
        let between: Vec<&Path> = folder
            .ancestors()
            .take_while(|folder| folder.starts_with(top))
            .collect();
        let between = between.into_iter().rev();
        between.fold(global_rules, Self::with_folder)
    }

    /// Adds the rules of a folder at a path that the person chose, whose links are followed.
    fn with_folder(self, folder: &Path) -> Self {
        let files = RULE_FILES.map(|name| DirEntry::from_path(&folder.join(name)));
        self.with_rules(folder, files)
    }

    /// Adds the rules of an open subfolder.
    pub(super) fn with_subfolder(self, folder: &Path, entries: &Entries) -> Self {
        let files = RULE_FILES.map(|name| entries.entry(OsStr::new(name)));
        self.with_rules(folder, files)
    }

    fn with_rules(
        self,
        folder: &Path,
        files: impl IntoIterator<Item = io::Result<DirEntry>>,
    ) -> Self {
        let texts: Vec<String> = files.into_iter().filter_map(read_rules).collect();
        match parse_rules(folder, &texts) {
            Some(rules) => Self(Some(Arc::new(Level {
                rules,
                parent: self,
            }))),
            None => self,
        }
    }

    /// Whether a path is ignored. Without a matching rule, hidden files are ignored.
    pub(super) fn ignores(&self, path: &Path, is_folder: bool) -> bool {
        let mut level_rules = self;
        while let Some(level) = &level_rules.0 {
            match level.rules.matched(path, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => level_rules = &level.parent,
            }
        }
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    }
}

/// The rules in these texts; `None` if there are none.
fn parse_rules(folder: &Path, texts: &[String]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    for text in texts {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for line in text.lines() {
            // Malformed patterns are skipped, as git does.
            let _ = builder.add_line(None, line);
        }
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// Reads a rule file of regular type and limited size. As in git, no link is followed.
fn read_rules(file: io::Result<DirEntry>) -> Option<String> {
    let opened = file.and_then(|file| file.open());
    let bytes = opened
        .and_then(|opened| read_bytes(opened, MAX_BYTES))
        .ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts whether these rules ignore a path, as `git check-ignore` reports it.
    #[track_caller]
    fn assert_ignored(text: &str, path: &str, expected: bool) {
        let start: String = text.chars().take(40).collect();
        let is_folder = path.ends_with('/');
        let folder = Path::new("/folder");
        let rules = parse_rules(folder, &[text.to_owned()]);
        let ignored = rules.is_some_and(|rules| {
            let path = folder.join(path.trim_end_matches('/'));
            rules.matched(path, is_folder).is_ignore()
        });
        assert_eq!(ignored, expected, "{start:?} of {path}");
    }

    #[test]
    fn patterns_match_as_in_git() {
        for (text, out, stays) in [
            ("target", "target/ a/target/ a/target", "targets a/atarget"),
            ("target/", "target/ a/target/", "target a/target"),
            ("/target", "target target/", "a/target"),
            ("a/b", "a/b a/b/", "c/a/b b"),
            ("*.log", "x.log a/.log a/b.log", "x.logs log"),
            ("a*c?e", "abbcde acde", "ace a/cde"),
            ("[a-c]x[!0-9]", "axx cxy", "dxx ax1 a/x"),
            ("[]-]z", "]z -z", "az"),
            ("[z", "[z", "z"),
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
            ("gr\u{fc}*n?", "gr\u{fc}\u{df}nx", "gr\u{fc}n"),
            ("/\n!\n\\", "", "a"),
        ] {
            for path in out.split_whitespace() {
                assert_ignored(text, path, true);
            }
            for path in stays.split_whitespace() {
                assert_ignored(text, path, false);
            }
        }
    }

    #[test]
    fn pathological_patterns_terminate() {
        let path = vec!["a".repeat(200); 40].join("/");
        let pattern = format!("{}b", "**/*a*a*a*a*a*a*/".repeat(12));
        assert_ignored(&pattern, &path, false);
        // Many patterns compile to one automaton, or to none above its size limit: never to one for
        // each.
        for line in ["*a*b*c*d*e?f\n", "**/b/**/c/**\n"] {
            let many = line.repeat(MAX_BYTES as usize / line.len());
            assert_ignored(&many, &path, false);
        }
    }
}
