//! The files of a TLS certificate and its key, and how to notice that they changed.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The permission bit that lets a file's group read it.
const GROUP: u32 = 0o040;

/// The files of a certificate and of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The certificate with its chain, in PEM.
    pub cert: PathBuf,
    /// The key, in PEM.
    pub key: PathBuf,
}

/// The state of both files at a moment: the seconds and nanoseconds of the last change, the inode
/// and the length. `None` for a file that can't be looked at. Renewing or repairing a file changes
/// one of these.
pub type Stamp = [Option<(i64, i64, u64, u64)>; 2];

impl Files {
    /// The pair of files; `None` if neither is set.
    ///
    /// # Errors
    /// Only one is set: HTTPS is wanted and impossible.
    pub fn both(cert: Option<&Path>, key: Option<&Path>) -> Result<Option<Self>, String> {
        let lacks = |set: &str, lacks: &str| {
            Err(format!(
                "{set} is set and {lacks} is not, and HTTPS needs both: set {lacks}, too"
            ))
        };
        match (cert, key) {
            (None, None) => Ok(None),
            (Some(cert), Some(key)) => Ok(Some(Self {
                cert: cert.to_owned(),
                key: key.to_owned(),
            })),
            (Some(_), None) => lacks("http.tls_cert", "http.tls_key"),
            (None, Some(_)) => lacks("http.tls_key", "http.tls_cert"),
        }
    }

    /// The id of the group whose accounts can also read the key.
    pub fn group(&self) -> Option<u32> {
        let about = std::fs::metadata(&self.key).ok()?;
        (about.mode() & GROUP != 0).then(|| about.gid())
    }

    /// The current state of both files.
    pub fn stamp(&self) -> Stamp {
        [&self.cert, &self.key].map(|file| {
            let about = std::fs::metadata(file).ok()?;
            let changed = (about.ctime(), about.ctime_nsec());
            Some((changed.0, changed.1, about.ino(), about.len()))
        })
    }
}
