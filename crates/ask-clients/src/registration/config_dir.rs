//! Our files in a client's folder: extensions and plugins, embedded in the program. A new one is a
//! line in [`EXTENSIONS`] or [`TAKEOVERS`], under the client's key.

use std::io;
use std::path::{Path, PathBuf};

use ask_core::{Json, json};
use ask_files::{DirEntry, LastLink, Root};

use super::file_io;
use super::text::Problem;

/// Files by their names in the folder.
type Embedded = &'static [(&'static str, &'static str)];

/// The file with the program's path, in an extension's folder.
const PATH_FILE: &str = "ask-user.json";

/// The extensions that are a client's registration: the key, a phrase that only our files contain,
/// and the files.
const EXTENSIONS: &[(&str, &str, Embedded)] = &[(
    "pi",
    "ask-user for pi",
    &[
        (
            "ask.ts",
            include_str!("../../../../extensions/pi/src/ask.ts"),
        ),
        (
            "dialogs.ts",
            include_str!("../../../../extensions/pi/src/dialogs.ts"),
        ),
        (
            "index.ts",
            include_str!("../../../../extensions/pi/src/index.ts"),
        ),
        (
            "modes.ts",
            include_str!("../../../../extensions/pi/src/modes.ts"),
        ),
        (
            "render.ts",
            include_str!("../../../../extensions/pi/src/render.ts"),
        ),
        (
            "safe.ts",
            include_str!("../../../../extensions/pi/src/safe.ts"),
        ),
        (
            "session.ts",
            include_str!("../../../../extensions/pi/src/session.ts"),
        ),
        (PATH_FILE, "{ \"bin\": \"@PROGRAM@\" }\n"),
    ],
)];

/// The plugins and policies that take over a client's question tool, in the same form. The second
/// field is a text by which a file of an earlier version is known, so it must not change.
const TAKEOVERS: &[(&str, &str, Embedded)] = &[
    (
        "opencode",
        "Hands opencode's own questions to ask-user",
        &[(
            "ask-user.js",
            include_str!("../../../../extensions/opencode/ask-user.js"),
        )],
    ),
    (
        "gemini-cli",
        "Written by `ask-user register",
        &[("ask-user.toml", GEMINI_POLICY)],
    ),
];

/// Denies Gemini CLI its own question tool. Our tool has another name there.
const GEMINI_POLICY: &str = "\
# Written by `ask-user register --takeover`: the agent asks through ask-user instead.
[[rule]]
toolName = \"ask_user\"
decision = \"deny\"
priority = 900
";

/// How such a file names our program, and the text with the program's path that replaces it.
const PROGRAMS: [(&str, &str); 2] = [
    ("const PROGRAM = \"ask-user\";", "const PROGRAM = PATH;"),
    ("\"@PROGRAM@\"", "PATH"),
];

/// A folder of a client with our files.
#[derive(Debug)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// Where it may be: no link leads out of a project.
    pub root: Root,
    /// Name and text of each file.
    pub files: Vec<(&'static str, String)>,
    mark: &'static str,
}

impl Folder {
    /// The extension for this client.
    pub fn of_extension(key: &str, path: PathBuf, program: &Path) -> Option<Self> {
        find(EXTENSIONS, key, path, program)
    }

    /// The plugin for this client.
    pub fn of_takeover(key: &str, path: PathBuf, program: &Path) -> Option<Self> {
        find(TAKEOVERS, key, path, program)
    }

    /// The files that are missing or differ.
    pub fn differing(&self) -> Vec<&'static str> {
        let files = self.files.iter();
        let is_astray = self.astray().is_some();
        let other = |(name, text): &&(&str, String)| {
            let there = file_io::read(&self.root, &self.path.join(name))
                .ok()
                .flatten();
            is_astray || there.as_ref() != Some(text)
        };
        files.filter(other).map(|(name, _)| *name).collect()
    }

    /// Whether none of the files exists.
    pub fn is_absent(&self) -> bool {
        let mut files = self.files.iter();
        files.all(|(name, _)| !file_io::exists(&self.root, &self.path.join(name)))
    }

    /// Why the folder can't be written: it is a link, or contains files that others wrote.
    pub fn problem(&self) -> Option<Problem> {
        if let Some(error) = self.astray() {
            return Some(Problem::plain(error.to_string()));
        }
        if self.is_own() && self.is_link() {
            return Some(Problem::plain(
                "it is a link, and what it leads to is not replaced",
            ));
        }
        let mut files = self.files.iter();
        let foreign = files.find(|(name, _)| {
            let exists = self.entry(name).is_ok_and(|entry| entry.exists());
            exists && !self.is_ours(name)
        });
        let what = |(name, _): &(&str, String)| {
            Problem::plain(format!(
                "{name} in it was not written by `ask-user register`"
            ))
        };
        foreign.map(what)
    }

    /// The error for a folder outside of its project.
    fn astray(&self) -> Option<io::Error> {
        let Root::Below(project) = &self.root else {
            return None;
        };
        let found = project.entry(&self.path, LastLink::Followed);
        // It may be created yet.
        found
            .err()
            .filter(|error| error.kind() != io::ErrorKind::NotFound)
    }

    /// Whether the folder is a link.
    pub(crate) fn is_link(&self) -> bool {
        let entry = self.root.entry(&self.path, LastLink::Kept);
        entry.is_ok_and(|entry| entry.is_link())
    }

    /// The entry of a file, which may be a link.
    fn entry(&self, name: &str) -> io::Result<DirEntry> {
        self.root.entry(&self.path.join(name), LastLink::Kept)
    }

    /// Whether a file was written by us, in this or an earlier version.
    pub fn is_ours(&self, name: &str) -> bool {
        let path = self.path.join(name);
        if self.astray().is_some() || self.is_own() && self.is_link() {
            return false;
        }
        if self.entry(name).is_ok_and(|entry| entry.is_link()) {
            return false;
        }
        let Ok(Some(there)) = file_io::read(&self.root, &path) else {
            return false;
        };
        let marked = |name: &str| {
            let there = file_io::read(&self.root, &self.path.join(name))
                .ok()
                .flatten();
            there.is_some_and(|there| there.contains(self.mark))
        };
        self.text(name) == Some(&there)
            || match self.is_own() {
                true => self.names_program() || marked("index.ts"),
                false => marked(name),
            }
    }

    /// Whether the folder has the file with our program's path, as we write it.
    fn names_program(&self) -> bool {
        if self.entry(PATH_FILE).is_ok_and(|entry| entry.is_link()) {
            return false;
        }
        let text = file_io::read(&self.root, &self.path.join(PATH_FILE));
        let parsed = text.ok().flatten().and_then(|text| json::parse(&text).ok());
        parsed.is_some_and(|json| json.get("bin").is_some_and(|bin| bin.as_str().is_some()))
    }

    /// Whether any of the files exists and is ours.
    pub fn has_ours(&self) -> bool {
        self.files.iter().any(|(name, _)| self.is_ours(name))
    }

    /// Whether the whole folder is ours.
    fn is_own(&self) -> bool {
        self.files.iter().any(|(name, _)| *name == PATH_FILE)
    }

    /// The text that a file should have.
    pub fn text(&self, name: &str) -> Option<&str> {
        let mut files = self.files.iter();
        files
            .find(|(known, _)| *known == name)
            .map(|(_, text)| text.as_str())
    }

    /// Writes the files.
    pub fn write(&self) -> io::Result<()> {
        for (name, text) in &self.files {
            let path = self.path.join(name);
            let before = file_io::read(&self.root, &path)?;
            if before.as_ref() != Some(text) {
                file_io::replace(&self.root, &path, before.as_deref(), text)?;
            }
        }
        Ok(())
    }
}

fn find(
    known: &[(&str, &'static str, Embedded)],
    key: &str,
    path: PathBuf,
    program: &Path,
) -> Option<Folder> {
    let mut known = known.iter();
    let (_, mark, files) = known.find(|(client, ..)| *client == key)?;
    let program = Json::from(program.display().to_string()).to_string();
    let with_program = |text: &str| {
        PROGRAMS
            .iter()
            .fold(text.to_owned(), |text, (before, after)| {
                text.replace(before, &after.replace("PATH", &program))
            })
    };
    let files = files.iter();
    Some(Folder {
        path,
        root: Root::Anywhere,
        mark,
        files: files
            .map(|(name, text)| (*name, with_program(text)))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::EXTENSIONS;

    #[test]
    fn every_file_of_an_extension_is_embedded() {
        for (client, _, files) in EXTENSIONS {
            let root = env!("CARGO_MANIFEST_DIR");
            let folder = format!("{root}/../../extensions/{client}/src");
            for entry in std::fs::read_dir(folder).expect("the extension has a source folder") {
                let name = entry.expect("the folder can be listed").file_name();
                let known = files.iter().any(|(known, _)| name.to_str() == Some(known));
                assert!(
                    known,
                    "{name:?} of {client} is not installed: add it to EXTENSIONS"
                );
            }
        }
    }
}
