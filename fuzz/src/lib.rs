//! What the fuzzer tries: [`targets`], and what their corpora hold.

pub mod targets;

use std::fs;
use std::path::{Path, PathBuf};

use targets::Target;

/// The inputs that are kept of a target, with their files.
pub fn corpus(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = files(&here.join("corpus").join(target.name)).into_iter();
    let mut kept: Vec<_> = own
        .filter_map(|path| Some((path.clone(), fs::read(path).ok()?)))
        .collect();
    if target.takes_calls {
        kept.extend(calls(&here.join("../crates/ask-dialects/tests/dialects")));
    }
    kept
}

/// The calls of the dialects' cases: each stands above the first line of dashes.
fn calls(folder: &Path) -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let dialects = files(folder).into_iter();
    let cases = dialects.flat_map(|folder| files(&folder));
    let calls = cases.filter_map(|path| {
        let text = fs::read_to_string(&path).ok()?;
        let (call, _) = text.split_once("\n---")?;
        Some((path, call.as_bytes().to_vec()))
    });
    calls.filter(|(_, call)| call.len() < 4_000)
}

/// What is in a folder, in an order that is the same everywhere.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
