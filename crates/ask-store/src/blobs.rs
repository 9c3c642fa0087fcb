//! The bytes of attached files, in a folder. Each file is named by the SHA-256 of its content, so
//! that the same content is stored only once. Rows of the database name the files; files that no
//! row names any more are removed here.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ask_config::home;
use ask_core::{Attachment, Digest, Media};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

/// How old a file that no row names must be to be removed. The draft or answer that names it may
/// arrive until then.
const UNNAMED_GRACE: Duration = Duration::from_secs(60 * 60);

/// The extension of a file that is being written.
const TEMPORARY: &str = "new";

/// How many bytes of an image are read first to find its size in pixels.
const HEAD_BYTES: u64 = 64 * 1024;

/// The folder of attached files.
#[derive(Clone, Debug)]
pub struct Blobs(PathBuf);

impl Blobs {
    /// The files in this folder, which need not exist yet.
    pub fn in_folder(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// Stores bytes. Returns once they survive a power loss.
    pub fn put(&self, bytes: &[u8]) -> io::Result<Digest> {
        let digest = Digest(Sha256::digest(bytes).into());
        let file = self.file(&digest, Media::sniff(bytes).ending());
        let Some(folder) = file.parent() else {
            return Ok(digest);
        };
        home::private_dir(&self.0)?;
        home::private_dir(folder)?;
        let temporary_path = file.with_extension(TEMPORARY);
        let mut temporary = home::private_anew(&temporary_path)?;
        temporary.write_all(bytes)?;
        temporary.sync_all()?;
        std::fs::rename(&temporary_path, &file)?;
        // A name survives a power loss only if the folder that holds it is synced, also if another
        // call created that folder.
        home::sync_dir(folder)?;
        home::sync_dir(&self.0)?;
        if let Some(above) = self.0.parent() {
            home::sync_dir(above)?;
        }
        Ok(digest)
    }

    /// Reads stored bytes. `None` if there are none with this digest.
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

    /// Describes stored bytes as an attachment with this name. `None` if they are not stored or
    /// can't be described. Reads little of a large file: the media type follows from the file's
    /// extension, and an image has its size near its beginning.
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
        let mut limit = if media.is_image() { HEAD_BYTES } else { 0 };
        loop {
            let missing = limit - head.len() as u64;
            (&file).take(missing).read_to_end(&mut head)?;
            match Attachment::from_head(name, media, bytes, &head, *digest) {
                // Metadata of a camera or an editor before the size may be long.
                Ok(None) if (head.len() as u64) == limit => limit *= 4,
                Ok(described) => return Ok(described),
                Err(_) => return Ok(None),
            }
        }
    }

    /// The path of stored bytes. `None` if there are none with this digest.
    pub fn path(&self, digest: &Digest) -> Option<PathBuf> {
        let mut files = Media::endings().map(|ending| self.file(digest, ending));
        files.find(|file| file.is_file())
    }

    /// Removes those of the given files that no row names.
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

    /// The total size of the files that no row names.
    pub fn unnamed_bytes(&self, db: &Connection) -> rusqlite::Result<u64> {
        let named = named(db)?;
        let unnamed = self.files().filter(|file| {
            let name = file.file_stem().and_then(|name| name.to_str());
            name.is_some_and(|name| !named.contains(name))
        });
        let sizes = unnamed.filter_map(|file| Some(file.metadata().ok()?.len()));
        Ok(sizes.sum())
    }

    /// Removes all files that no row names and that are older than [`UNNAMED_GRACE`], and temporary
    /// files that a crash left.
    pub fn sweep(&self, db: &Connection) -> rusqlite::Result<()> {
        let old = self.files().filter(|file| is_old(file));
        let (temporary, old): (Vec<PathBuf>, Vec<PathBuf>) =
            old.partition(|file| file.extension().is_some_and(|ending| ending == TEMPORARY));
        for file in temporary {
            // A file that stays is removed by a later sweep.
            let _ = std::fs::remove_file(file);
        }
        let old: HashSet<Digest> = old
            .iter()
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
            // A file that stays is removed by a later sweep.
            let _ = std::fs::remove_file(&file);
            // This fails while the folder has other files.
            let _ = file.parent().map(std::fs::remove_dir);
        }
    }

    fn file(&self, digest: &Digest, ending: &str) -> PathBuf {
        let name = digest.to_string();
        self.0.join(&name[..2]).join(format!("{name}.{ending}"))
    }
}

/// Selects the files that answers name. The condition is that of the index `ask_files`, so that
/// SQLite uses it.
pub(crate) const ANSWER_FILES: &str = "SELECT tree.atom FROM ask, json_tree(ask.settlement) AS tree
     WHERE instr(ask.settlement, '\"sha256\"') > 0 AND tree.key = 'sha256'";

/// The digests of all files that an answer, a draft or an offered answer names. They are read once,
/// however many files are to be removed.
fn named(db: &Connection) -> rusqlite::Result<HashSet<String>> {
    const DRAFT_FILES: &str = "SELECT tree.atom FROM desk, json_tree(desk.draft) AS tree
         WHERE instr(desk.draft, '\"sha256\"') > 0 AND tree.key = 'sha256'";
    const OFFERED_FILES: &str = "SELECT tree.atom FROM desk, json_tree(desk.earlier_answer) AS tree
         WHERE instr(desk.earlier_answer, '\"sha256\"') > 0 AND tree.key = 'sha256'";
    let mut named = HashSet::new();
    for sql in [ANSWER_FILES, DRAFT_FILES, OFFERED_FILES] {
        let mut statement = db.prepare_cached(sql)?;
        let digests = statement.query_map([], |row| row.get(0))?;
        for digest in digests {
            named.insert(digest?);
        }
    }
    Ok(named)
}

fn is_old(file: &Path) -> bool {
    let modified = std::fs::metadata(file).and_then(|metadata| metadata.modified());
    let age = modified.ok().and_then(|modified| modified.elapsed().ok());
    age.is_some_and(|age| age > UNNAMED_GRACE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_above_a_stored_file_is_synced() {
        let name = format!("ask-user-blobs-{}", std::process::id());
        let parent = std::env::temp_dir().join(name);
        let folder = parent.join("attachments");
        home::synced::taken();
        let digest = Blobs::in_folder(&folder).put(b"words").unwrap();
        let subfolder = folder.join(&digest.to_string()[..2]);
        assert_eq!(home::synced::taken(), [subfolder, folder, parent.clone()]);
        std::fs::remove_dir_all(&parent).unwrap();
    }

    #[test]
    fn a_temporary_file_that_a_crash_left_is_removed_once_it_is_old() {
        let name = format!("ask-user-temporary-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let blobs = Blobs::in_folder(&folder);
        let digest = blobs.put(b"words").unwrap();
        let leave = |digest: &Digest, age| {
            let path = blobs.file(digest, TEMPORARY);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let file = File::create(&path).unwrap();
            let modified = file.metadata().unwrap().modified().unwrap();
            file.set_modified(modified - age).unwrap();
            path
        };
        let old = leave(&digest, UNNAMED_GRACE * 2);
        let new = leave(&Digest([7; 32]), Duration::ZERO);
        let db = crate::sqlite::connect(&folder.join("ask-user.db")).unwrap();
        db.execute_batch(
            "CREATE TABLE ask (settlement TEXT);
             CREATE TABLE desk (draft TEXT, earlier_answer TEXT);",
        )
        .unwrap();
        blobs.sweep(&db).unwrap();
        assert!(!old.exists());
        assert!(new.exists(), "it may be being written");
        assert!(blobs.path(&digest).is_some(), "its file is new");
        drop(db);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn stored_bytes_are_described_like_the_attached_ones() {
        let name = format!("ask-user-described-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let blobs = Blobs::in_folder(&folder);
        // A segment of 65,535 bytes, like that of a colour profile.
        let segment = [&[0xff, 0xe2, 0xff, 0xff][..], &[0; 65_533]].concat();
        let frame = [0xff, 0xc2, 0, 0x0b, 8, 0, 100, 0, 200, 3];
        let jpeg = [&[0xff, 0xd8][..], &segment, &segment, &frame].concat();
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20\x08\x06";
        for bytes in [b"words".to_vec(), png.to_vec(), jpeg, vec![0; 200_000]] {
            let digest = blobs.put(&bytes).unwrap();
            let described = blobs.describe("a/file", &digest).unwrap();
            let attached = Attachment::from_bytes("a/file", &bytes, digest).unwrap();
            assert_eq!(described, Some(attached));
        }
        let none = blobs.describe("file", &Digest([0; 32])).unwrap();
        assert_eq!(none, None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
