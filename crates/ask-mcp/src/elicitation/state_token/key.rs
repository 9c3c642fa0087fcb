//! The sealing key. It is stored, so that another process, or this one after a restart, can open
//! what an earlier one sealed.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::Context;
use ask_config::clock;
use ask_config::home::{self, Home};

/// The key, created on first use. If it can't be stored, this process uses a key of its own.
pub(super) fn read_or_create_key(home: &Home, path: &Path) -> anyhow::Result<Vec<u8>> {
    static PROCESS_KEY: OnceLock<Vec<u8>> = OnceLock::new();
    match std::fs::read(path) {
        Ok(key) => return Ok(key),
        Err(error) if home.prepare().is_ok() && error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("reading {}", path.display()));
        }
        Err(_) => {}
    }
    let result = home.prepare().and_then(|()| make_key(path));
    match result.and_then(|()| Ok(std::fs::read(path)?)) {
        Ok(key) => Ok(key),
        Err(_) => Ok(PROCESS_KEY
            .get_or_init(|| [clock::random(), clock::random()].concat())
            .clone()),
    }
}

/// Creates the key. Of two concurrent processes, the first one's key stays.
fn make_key(path: &Path) -> anyhow::Result<()> {
    let temporary = path.with_extension(format!("{}.new", std::process::id()));
    let create = || -> std::io::Result<()> {
        let mut file = home::private_append(&temporary)?;
        file.set_len(0)?;
        file.write_all(&clock::random())?;
        file.write_all(&clock::random())?;
        file.sync_all()?;
        match std::fs::hard_link(&temporary, path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => std::fs::remove_file(&temporary),
        }
    };
    create().with_context(|| format!("making {}", path.display()))
}
