//! The two files that a certificate lies in, and whether they changed.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The bit that lets the accounts of a file's group read it.
const GROUP: u32 = 0o040;

/// The two files of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The certificate, with those that vouch for it.
    pub cert: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

/// How both files stood when they were looked at: when something about each changed last, which file
/// it is, and how long. Whatever renews or mends them changes one of these.
pub type Stamp = [Option<(i64, i64, u64, u64)>; 2];

impl Files {
    /// Of two that were set; with one of them, HTTPS is meant and can't be had.
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

    /// The number of the group whose accounts can read the key, too.
    pub fn group(&self) -> Option<u32> {
        let about = std::fs::metadata(&self.key).ok()?;
        (about.mode() & GROUP != 0).then(|| about.gid())
    }

    /// How they stand now.
    pub fn stamp(&self) -> Stamp {
        [&self.cert, &self.key].map(|file| {
            let about = std::fs::metadata(file).ok()?;
            let changed = (about.ctime(), about.ctime_nsec());
            Some((changed.0, changed.1, about.ino(), about.len()))
        })
    }
}
