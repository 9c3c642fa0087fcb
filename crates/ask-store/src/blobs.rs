//! The bytes of attached files: a folder of files that are called by what is in
//! them, so that the same file twice takes its room once. Rows name them; what
//! no row names any more is removed here.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ask_config::home;
use ask_core::{Digest, Media};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

/// A file that nothing names is left alone for so long: its draft may be on its way.
const UNNAMED_FOR: Duration = Duration::from_secs(60 * 60);

/// The folder.
#[derive(Clone, Debug)]
pub struct Blobs(PathBuf);

impl Blobs {
    /// Those in a folder, which need not be there yet.
    pub fn in_folder(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// Keeps bytes, durably.
    pub fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        let digest = Digest(Sha256::digest(bytes).into());
        let file = self.file(&digest, Media::sniff(bytes).ending());
        let Some(folder) = file.parent() else {
            return Ok(digest);
        };
        home::private_dir(&self.0)?;
        home::private_dir(folder)?;
        let beside = file.with_extension("new");
        let mut anew = home::private_anew(&beside)?;
        anew.write_all(bytes)?;
        anew.sync_all()?;
        std::fs::rename(&beside, &file)?;
        // Each name survives only with the folder that it stands in, whoever made that.
        home::sync_dir(folder)?;
        home::sync_dir(&self.0)?;
        if let Some(above) = self.0.parent() {
            home::sync_dir(above)?;
        }
        Ok(digest)
    }

    /// Bytes that were kept.
    pub fn get(&self, digest: &Digest) -> io::Result<Option<Vec<u8>>> {
        for ending in Media::endings() {
            match std::fs::read(self.file(digest, ending)) {
                Ok(bytes) => return Ok(Some(bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Where bytes are kept, if they are.
    pub fn path(&self, digest: &Digest) -> Option<PathBuf> {
        let mut files = Media::endings().map(|ending| self.file(digest, ending));
        files.find(|file| file.is_file())
    }

    /// Removes those of these that no row names.
    pub fn remove_unnamed(&self, db: &Connection, digests: &[Digest]) -> rusqlite::Result<()> {
        if digests.is_empty() {
            return Ok(());
        }
        let named = named(db)?;
        for digest in digests {
            if !named.contains(&digest.to_string()) {
                self.remove(digest);
            }
        }
        Ok(())
    }

    /// How many bytes those have that no row names.
    pub fn unnamed_bytes(&self, db: &Connection) -> rusqlite::Result<u64> {
        let named = named(db)?;
        let unnamed = self.files().filter(|file| {
            let name = file.file_stem().and_then(|name| name.to_str());
            name.is_some_and(|name| !named.contains(name))
        });
        let sizes = unnamed.filter_map(|file| Some(file.metadata().ok()?.len()));
        Ok(sizes.sum())
    }

    /// Removes all that no row names, but for those that came a moment ago.
    pub fn sweep(&self, db: &Connection) -> rusqlite::Result<()> {
        let old: HashSet<Digest> = self
            .files()
            .filter(|file| is_old(file))
            .filter_map(|file| Digest::parse(file.file_stem()?.to_str()?))
            .collect();
        let old: Vec<Digest> = old.into_iter().collect();
        self.remove_unnamed(db, &old)
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let folders = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        let files = folders.filter_map(|folder| std::fs::read_dir(folder.path()).ok());
        files.flatten().flatten().map(|file| file.path())
    }

    fn remove(&self, digest: &Digest) {
        if let Some(file) = self.path(digest) {
            let _ = std::fs::remove_file(&file);
            // Goes only when it is empty.
            let _ = file.parent().map(std::fs::remove_dir);
        }
    }

    fn file(&self, digest: &Digest, ending: &str) -> PathBuf {
        let name = digest.to_string();
        self.0.join(&name[..2]).join(format!("{name}.{ending}"))
    }
}

/// The files that answers with files name. Its condition is that of an index.
pub(crate) const NAMED: &str = "SELECT tree.atom FROM ask, json_tree(ask.settlement) AS tree
     WHERE instr(ask.settlement, '\"sha256\"') > 0 AND tree.key = 'sha256'";

/// All files that an answer or a draft names. One walk for however many are to be removed.
fn named(db: &Connection) -> rusqlite::Result<HashSet<String>> {
    const DRAFTED: &str = "SELECT tree.atom FROM desk, json_tree(desk.draft) AS tree
         WHERE instr(desk.draft, '\"sha256\"') > 0 AND tree.key = 'sha256'";
    let mut named = HashSet::new();
    for sql in [NAMED, DRAFTED] {
        let mut statement = db.prepare_cached(sql)?;
        let digests = statement.query_map([], |row| row.get(0))?;
        for digest in digests {
            named.insert(digest?);
        }
    }
    Ok(named)
}

fn is_old(file: &Path) -> bool {
    let changed = std::fs::metadata(file).and_then(|about| about.modified());
    let age = changed.ok().and_then(|changed| changed.elapsed().ok());
    age.is_some_and(|age| age > UNNAMED_FOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_that_a_file_stands_in_is_synced() {
        let name = format!("ask-user-blobs-{}", std::process::id());
        let above = std::env::temp_dir().join(name);
        let folder = above.join("attachments");
        home::synced::taken();
        let digest = Blobs::in_folder(&folder).keep(b"words").unwrap();
        let own = folder.join(&digest.to_string()[..2]);
        assert_eq!(home::synced::taken(), [own, folder, above.clone()]);
        std::fs::remove_dir_all(&above).unwrap();
    }
}
