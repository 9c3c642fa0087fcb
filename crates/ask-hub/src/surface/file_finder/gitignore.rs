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
const NAMES: [&str; 2] = [".gitignore", ".ignore"];

/// The largest rule file that is read, in bytes.
const MOST_BYTES: u64 = 64 * 1024;

/// The rules of a folder and of the folders above it.
#[derive(Clone, Debug, Default)]
pub(super) struct Ignored(Option<Arc<Level>>);

#[derive(Debug)]
struct Level {
    /// The rules of one folder.
    rules: Gitignore,
    above: Ignored,
}

impl Ignored {
    /// The rules of the folder where a walk begins: those of its repository from the top down, or
    /// only its own outside of a repository.
    pub(super) fn from_folder(folder: &Path) -> Self {
        let is_top = |folder: &&Path| folder.join(".git").exists();
        let Some(top) = folder.ancestors().find(is_top) else {
            return Self::default().entering_above(folder);
        };
        let mut files = Vec::new();
        if let Ok(config) = etcetera::home_dir().map(|home| {
            let set = std::env::var_os("XDG_CONFIG_HOME").filter(|set| !set.is_empty());
            set.map_or_else(|| home.join(".config"), PathBuf::from)
        }) {
            let own = config.join("git/ignore");
            // The person's own rule file may be a link.
            files.push(own.canonicalize().unwrap_or(own));
        }
        files.push(top.join(".git/info/exclude"));
        let everywhere =
            Self::default().and(top, files.iter().map(|file| DirEntry::from_path(file)));
        let between: Vec<&Path> = folder
            .ancestors()
            .take_while(|folder| folder.starts_with(top))
            .collect();
        let between = between.into_iter().rev();
        between.fold(everywhere, Self::entering_above)
    }

    /// The rules of a folder that the person's own word leads to.
    fn entering_above(self, folder: &Path) -> Self {
        let files = NAMES.map(|name| DirEntry::from_path(&folder.join(name)));
        self.and(folder, files)
    }

    /// The rules of a subfolder, which is open.
    pub(super) fn entering(self, folder: &Path, entries: &Entries) -> Self {
        let files = NAMES.map(|name| entries.entry(OsStr::new(name)));
        self.and(folder, files)
    }

    fn and(self, folder: &Path, files: impl IntoIterator<Item = io::Result<DirEntry>>) -> Self {
        let texts: Vec<String> = files.into_iter().filter_map(read).collect();
        match rules(folder, &texts) {
            Some(rules) => Self(Some(Arc::new(Level { rules, above: self }))),
            None => self,
        }
    }

    /// Whether a path is ignored. Without a matching rule, hidden files are.
    pub(super) fn has(&self, path: &Path, is_folder: bool) -> bool {
        let mut next = self;
        while let Some(level) = &next.0 {
            match level.rules.matched(path, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => next = &level.above,
            }
        }
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    }
}

/// The rules in these texts; `None` if there are none.
fn rules(folder: &Path, texts: &[String]) -> Option<Gitignore> {
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
fn read(file: io::Result<DirEntry>) -> Option<String> {
    let opened = file.and_then(|file| file.open());
    let bytes = opened
        .and_then(|opened| read_bytes(opened, MOST_BYTES))
        .ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts whether these rules ignore a path, as `git check-ignore` reports it.
    #[track_caller]
    fn leaves_out(text: &str, path: &str, expected: bool) {
        let start: String = text.chars().take(40).collect();
        let is_folder = path.ends_with('/');
        let folder = Path::new("/folder");
        let rules = rules(folder, &[text.to_owned()]);
        let said = rules.is_some_and(|rules| {
            let path = folder.join(path.trim_end_matches('/'));
            rules.matched(path, is_folder).is_ignore()
        });
        assert_eq!(said, expected, "{start:?} of {path}");
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
                leaves_out(text, path, true);
            }
            for path in stays.split_whitespace() {
                leaves_out(text, path, false);
            }
        }
    }

    #[test]
    fn rules_that_were_made_to_take_for_ever_do_not() {
        let path = vec!["a".repeat(200); 40].join("/");
        let pattern = format!("{}b", "**/*a*a*a*a*a*a*/".repeat(12));
        leaves_out(&pattern, &path, false);
        // Many patterns compile to one automaton, or to none above its size limit: never to one for
        // each.
        for line in ["*a*b*c*d*e?f\n", "**/b/**/c/**\n"] {
            let many = line.repeat(MOST_BYTES as usize / line.len());
            leaves_out(&many, &path, false);
        }
    }
}
