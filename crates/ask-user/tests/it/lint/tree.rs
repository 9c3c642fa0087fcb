//! The tree as the rules read it: the files that git tracks, and Rust code without comments and
//! tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A text file of the project.
pub(super) struct File {
    /// The path from the root, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// The workspace's folder.
pub(super) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .nth(2)
        .expect("the crate lies two folders below the root")
        .to_owned()
}

/// Reads a file below the root; panics if it isn't there.
pub(super) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path))
        .unwrap_or_else(|error| panic!("{path} must be there and hold text: {error}"))
}

/// Every text file that git tracks or would track.
pub(super) fn files() -> Vec<File> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .expect("git lists the files of the tree: install git");
    assert!(
        listed.status.success(),
        "git can't list the files: run the tests in a clone, not in an unpacked archive\n{}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let names = String::from_utf8(listed.stdout).expect("paths of the project are UTF-8");
    let text = |path: &str| std::fs::read_to_string(root().join(path)).ok();
    names
        .split('\0')
        .filter(|path| !path.is_empty())
        .filter_map(|path| {
            text(path).map(|text| File {
                path: path.to_owned(),
                text,
            })
        })
        .collect()
}

/// Every Rust file.
pub(super) fn rust() -> Vec<File> {
    let mut files = files();
    files.retain(|file| file.path.ends_with(".rs"));
    files
}

/// The Rust files of the crates' sources.
pub(super) fn sources() -> Vec<File> {
    let mut files = rust();
    files.retain(File::is_source);
    files
}

impl File {
    /// Whether the file belongs to a crate's sources.
    pub(super) fn is_source(&self) -> bool {
        self.path.starts_with("crates/") && self.path.contains("/src/")
    }

    /// Whether the file or a module above it is compiled only for tests.
    pub(super) fn is_test(&self, sources: &[File]) -> bool {
        self.path.match_indices(['/', '.']).any(|(end, _)| {
            let Some((folder, name)) = self.path[..end].rsplit_once('/') else {
                return false;
            };
            let marked = |file: &File| {
                let gates = [
                    format!("#[cfg(test)]\nmod {name};"),
                    format!("#[cfg(test)]\npub mod {name};"),
                ];
                gates.iter().any(|gate| file.text.contains(gate.as_str()))
            };
            let above = [
                format!("{folder}.rs"),
                format!("{folder}/lib.rs"),
                format!("{folder}/main.rs"),
            ];
            sources
                .iter()
                .filter(|file| above.contains(&file.path))
                .any(marked)
        })
    }

    /// The code without comments, line by line.
    pub(super) fn code(&self) -> String {
        let code = |line: &str| -> String {
            let line = line.split(" // ").next().unwrap_or_default();
            let comment = line.trim_start().starts_with("//");
            (if comment { "" } else { line }).to_owned()
        };
        self.text.lines().map(|line| code(line) + "\n").collect()
    }

    /// The code without comments up to its test module, which is always last.
    pub(super) fn shipped(&self) -> String {
        let code = self.code();
        let tests = code.find("#[cfg(test)]\nmod ").unwrap_or(code.len());
        code[..tests].to_owned()
    }

    /// The places where the code contains one of these words, as `path:line: word`.
    pub(super) fn mentions(&self, words: &[impl AsRef<str>]) -> Vec<String> {
        let code = self.code();
        let mut found = Vec::new();
        for (at, line) in code.lines().enumerate() {
            for word in words.iter().map(AsRef::as_ref) {
                if holds(line, word) {
                    found.push(format!("{}:{}: {word}", self.path, at + 1));
                }
            }
        }
        found
    }
}

/// Whether a line contains the word, and not as a part of a longer one.
fn holds(line: &str, word: &str) -> bool {
    let part = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let (first, last) = (word.chars().next(), word.chars().next_back());
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !(part(first) && part(before) || part(last) && part(after))
    })
}
