//! Files of ours that a client loads from a folder: extensions and plugins, embedded in the
//! program. A new one is a line in [`EXTENSIONS`] or [`TAKEOVERS`], by the client's key.

use std::io;
use std::path::{Path, PathBuf};

use ask_core::dialect::Json;

use super::disk;

/// Files by their names in the folder.
type Embedded = &'static [(&'static str, &'static str)];

/// The extensions that are a client's registration.
const EXTENSIONS: &[(&str, Embedded)] = &[(
    "pi",
    &[
        (
            "ask.ts",
            include_str!("../../../../../extensions/pi/src/ask.ts"),
        ),
        (
            "dialogs.ts",
            include_str!("../../../../../extensions/pi/src/dialogs.ts"),
        ),
        (
            "index.ts",
            include_str!("../../../../../extensions/pi/src/index.ts"),
        ),
        (
            "modes.ts",
            include_str!("../../../../../extensions/pi/src/modes.ts"),
        ),
        (
            "render.ts",
            include_str!("../../../../../extensions/pi/src/render.ts"),
        ),
        (
            "session.ts",
            include_str!("../../../../../extensions/pi/src/session.ts"),
        ),
        ("ask-user.json", "{ \"bin\": \"@PROGRAM@\" }\n"),
    ],
)];

/// The plugins that take a client's question tool over.
const TAKEOVERS: &[(&str, Embedded)] = &[(
    "opencode",
    &[(
        "ask-user.js",
        include_str!("../../../../../extensions/opencode/ask-user.js"),
    )],
)];

/// How such a file calls our program, and where it wants to read its path instead.
const PROGRAMS: [(&str, &str); 2] = [
    ("const PROGRAM = \"ask-user\";", "const PROGRAM = PATH;"),
    ("\"@PROGRAM@\"", "PATH"),
];

/// A folder of a client and the files that we put there.
#[derive(Debug)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// Name and text of each file.
    pub files: Vec<(&'static str, String)>,
}

impl Folder {
    /// The extension for that client.
    pub fn of_extension(key: &str, path: PathBuf, program: &Path) -> Option<Self> {
        find(EXTENSIONS, key, path, program)
    }

    /// The plugin for that client.
    pub fn of_takeover(key: &str, path: PathBuf, program: &Path) -> Option<Self> {
        find(TAKEOVERS, key, path, program)
    }

    /// The files that aren't there as they are to be.
    pub fn differing(&self) -> Vec<&'static str> {
        let files = self.files.iter();
        let other = |(name, text): &&(&str, String)| {
            let there = disk::read(&self.path.join(name)).ok().flatten();
            there.as_ref() != Some(text)
        };
        files.filter(other).map(|(name, _)| *name).collect()
    }

    /// Whether none of them is there.
    pub fn is_absent(&self) -> bool {
        let mut files = self.files.iter();
        files.all(|(name, _)| !self.path.join(name).exists())
    }

    /// What is to be in a file.
    pub fn text(&self, name: &str) -> Option<&str> {
        let mut files = self.files.iter();
        files
            .find(|(known, _)| *known == name)
            .map(|(_, text)| text.as_str())
    }

    /// Writes them.
    pub fn write(&self) -> io::Result<()> {
        for (name, text) in &self.files {
            let path = self.path.join(name);
            let before = disk::read(&path)?;
            if before.as_ref() != Some(text) {
                disk::replace(&path, before.as_deref(), text)?;
            }
        }
        Ok(())
    }
}

fn find(known: &[(&str, Embedded)], key: &str, path: PathBuf, program: &Path) -> Option<Folder> {
    let mut known = known.iter();
    let (_, files) = known.find(|(client, _)| *client == key)?;
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
        for (client, files) in EXTENSIONS {
            let root = env!("CARGO_MANIFEST_DIR");
            let folder = format!("{root}/../../extensions/{client}/src");
            for entry in std::fs::read_dir(folder).expect("its sources") {
                let name = entry.expect("a file").file_name();
                let known = files.iter().any(|(known, _)| name.to_str() == Some(known));
                assert!(
                    known,
                    "{name:?} of {client} is not installed: add it to EXTENSIONS"
                );
            }
        }
    }
}
