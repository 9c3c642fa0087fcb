//! Files of ours that a client loads from a folder: extensions and plugins, embedded in the
//! program. A new one is a line in [`EXTENSIONS`] or [`TAKEOVERS`], by the client's key.

use std::io;
use std::path::PathBuf;

use super::disk;

/// A file by its name in the folder.
type Embedded = (&'static str, &'static str);

/// The extensions that are a client's registration.
const EXTENSIONS: &[(&str, &[Embedded])] = &[];

/// The plugins that take a client's question tool over.
const TAKEOVERS: &[(&str, &[Embedded])] = &[];

/// A folder of a client and the files that we put there.
#[derive(Debug)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// Name and text of each file.
    pub files: &'static [Embedded],
}

impl Folder {
    /// The extension for that client.
    pub fn of_extension(key: &str, path: PathBuf) -> Option<Self> {
        find(EXTENSIONS, key, path)
    }

    /// The plugin for that client.
    pub fn of_takeover(key: &str, path: PathBuf) -> Option<Self> {
        find(TAKEOVERS, key, path)
    }

    /// The files that aren't there as they are to be.
    pub fn differing(&self) -> Vec<String> {
        let files = self.files.iter();
        let other = |(name, text): &&Embedded| {
            let there = disk::read(&self.path.join(name)).ok().flatten();
            there.as_deref() != Some(*text)
        };
        files
            .filter(other)
            .map(|(name, _)| (*name).to_owned())
            .collect()
    }

    /// What is to be in a file.
    pub fn text(&self, name: &str) -> Option<&'static str> {
        let mut files = self.files.iter();
        files
            .find(|(known, _)| *known == name)
            .map(|(_, text)| *text)
    }

    /// Writes them.
    pub fn write(&self) -> io::Result<()> {
        for (name, text) in self.files {
            let path = self.path.join(name);
            let before = disk::read(&path)?;
            if before.as_deref() != Some(*text) {
                disk::replace(&path, before.as_deref(), text)?;
            }
        }
        Ok(())
    }
}

fn find(known: &'static [(&str, &[Embedded])], key: &str, path: PathBuf) -> Option<Folder> {
    let mut known = known.iter();
    let (_, files) = known.find(|(client, _)| *client == key)?;
    Some(Folder { path, files })
}
