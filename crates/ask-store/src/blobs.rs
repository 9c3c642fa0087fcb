//! The bytes of attached files: a folder of files that are called by what is in
//! them, so that the same file twice takes its room once. Rows name them; what
//! no row names any more is removed here.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ask_config::home;
use ask_core::{Attachment, Digest, Media};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

/// A file that nothing names is left alone for so long: its draft may be on its way.
const UNNAMED_FOR: Duration = Duration::from_secs(60 * 60);

/// So much of an image is read at first to learn its size in pixels.
const HEAD: u64 = 64 * 1024;

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

    /// Describes kept bytes under a name; `None` if they aren't kept. The type is in the name of the
    /// kept file, and an image says its size near its beginning: of a large file little is read.
    pub fn describe(&self, name: &str, digest: &Digest) -> io::Result<Option<Attachment>> {
        let Some(path) = self.path(digest) else {
            return Ok(None);
        };
        let ending = path.extension().and_then(|ending| ending.to_str());
        let Some(media) = ending.and_then(Media::of_ending) else {
            return Ok(None);
        };
        let file = File::open(&path)?;
        let bytes = file.metadata()?.len();
        let mut head = Vec::new();
        let mut most = if media.is_image() { HEAD } else { 0 };
        loop {
            let missing = most - head.len() as u64;
            (&file).take(missing).read_to_end(&mut head)?;
            match Attachment::from_head(name, media, bytes, &head, *digest) {
                // Metadata of a camera or an editor may be long.
                Ok(None) if (head.len() as u64) == most => most *= 4,
                Ok(described) => return Ok(described),
                Err(_) => return Ok(None),
            }
        }
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

    #[test]
    fn kept_bytes_are_described_as_they_were_attached() {
        let name = format!("ask-user-described-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let blobs = Blobs::in_folder(&folder);
        // A segment of 65,535 bytes, as of a colour profile.
        let segment = [&[0xff, 0xe2, 0xff, 0xff][..], &[0; 65_533]].concat();
        let frame = [0xff, 0xc2, 0, 0x0b, 8, 0, 100, 0, 200, 3];
        let far = [&[0xff, 0xd8][..], &segment, &segment, &frame].concat();
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20\x08\x06";
        for bytes in [b"words".to_vec(), png.to_vec(), far, vec![0; 200_000]] {
            let digest = blobs.keep(&bytes).unwrap();
            let described = blobs.describe("a/file", &digest).unwrap();
            let whole = Attachment::from_bytes("a/file", &bytes, digest).unwrap();
            assert_eq!(described, Some(whole));
        }
        let none = blobs.describe("file", &Digest([0; 32])).unwrap();
        assert_eq!(none, None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
