//! The key that seals. It is the person's own, so that another process, or the same
//! one after a restart, can open what an earlier one sealed.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::Context;

use crate::clock;
use crate::home::{self, Home};

/// The key, made where there is none.
pub fn of(home: &Home, path: &Path) -> anyhow::Result<Vec<u8>> {
    let key = match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            home.prepare()?;
            make_key(path)?;
            std::fs::read(path)
        }
        read => read,
    };
    key.with_context(|| format!("reading {}", path.display()))
}

/// Of two processes that make it at once, the first one's key stays.
fn make_key(path: &Path) -> anyhow::Result<()> {
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let made = || -> std::io::Result<()> {
        let mut file = home::private_append(&beside)?;
        file.set_len(0)?;
        file.write_all(&clock::random())?;
        file.write_all(&clock::random())?;
        file.sync_all()?;
        match std::fs::hard_link(&beside, path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => std::fs::remove_file(&beside),
        }
    };
    made().with_context(|| format!("making {}", path.display()))
}
