//! The fuzzer's [`targets`] and their corpora.

pub mod targets;

use std::fs;
use std::path::{Path, PathBuf};

use targets::Target;

/// The stored inputs of a target, each with its file.
pub fn corpus(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = files(&here.join("corpus").join(target.name)).into_iter();
    let mut inputs: Vec<_> = own
        .filter_map(|path| Some((path.clone(), fs::read(path).ok()?)))
        .collect();
    if target.takes_calls {
        inputs.extend(calls(&here.join("../crates/ask-dialects/tests/dialects")));
    }
    inputs
}

/// The calls of the dialects' cases: in each file, the part above the first line of dashes.
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

/// The paths of a folder's entries, sorted, so that the order is the same on every system.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
