//! The registration of our server in clients' settings: what each file should contain, what it
//! contains, and the edits in between. [`state`] reports the status of a client and changes
//! nothing. `ask-user register` and `unregister` apply a [`plan()`], one file after another.
//!
//! ```text
//! let here = RegistrationEnv::find()?;            // home, variables, folder, our program
//! for (path, state) in state(&client, &here, Scope::Person) {
//!     match state {
//!         State::Absent => …                      // no file, or no entry of ours in it
//!         State::Ours(entry) => …                 // as we would write it today
//!         State::Outdated(entry, names) => …      // ours, but these fields differ
//!         State::Broken(problem) => …             // the file can't be read: problem.what,
//!     }                                           // problem.place: line and column
//! }
//! ```
//!
//! An entry is ours when what it starts is a program of our name; `entry.command` is what its
//! client would start. Texts are edited without losing a comment (`text`), files are read and
//! replaced as a whole (`file_io`).

pub mod apply;
pub(crate) mod change;
pub(crate) mod config_dir;
pub mod diff;
pub(crate) mod entry;
pub mod file_io;
pub(crate) mod installed_binary;
pub mod plan;
pub mod running_clients;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub(crate) mod text;

use std::path::PathBuf;

pub use entry::Entry;
pub use installed_binary::{RegistrationEnv, is_found};
pub use text::{Problem, position};

use super::Client;
use change::missing;
use plan::{plan, takes_over};

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The person's own.
    Person,
    /// Those of the project that contains the current folder.
    Project,
}

/// The status of a client's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// There is no such file, or no entry of ours in it.
    Absent,
    /// Our entry is there, as it would be written today.
    Ours(Entry),
    /// Our entry is there, but these fields or settings differ from what would be written today.
    Outdated(Entry, Vec<String>),
    /// The file can't be read.
    Broken(Problem),
}

/// The status of each file that a client's registration would write.
pub fn state(client: &Client, here: &RegistrationEnv, scope: Scope) -> Vec<(PathBuf, State)> {
    let plan = plan(client, here, scope, takes_over(client, here, scope));
    let files = plan.files.iter().filter(|file| file.has_entry());
    let mut states: Vec<(PathBuf, State)> = files
        .map(|file| (file.path.clone(), file_state(file)))
        .collect();
    let ours = Entry {
        command: here.program.display().to_string(),
        ..Entry::default()
    };
    let others = plan.files.iter().filter(|file| !file.has_entry());
    states.extend(others.filter_map(|file| {
        let stale = stale_takeover(file)?;
        Some((file.path.clone(), State::Outdated(ours.clone(), stale)))
    }));
    states.extend(plan.takeover.and_then(|folder| {
        let stale = folder.differing().into_iter().map(str::to_owned);
        let stale: Vec<String> = stale.collect();
        let state = State::Outdated(ours.clone(), stale.clone());
        (!stale.is_empty()).then_some((folder.path, state))
    }));
    states.extend(plan.folder.map(|folder| {
        let ours = ours.clone();
        let state = match folder.differing() {
            _ if folder.is_absent() => State::Absent,
            _ if folder.problem().is_some() && !folder.is_link() => State::Absent,
            differing if differing.is_empty() => State::Ours(ours),
            differing => {
                let names = differing.iter().map(|name| (*name).to_owned());
                State::Outdated(ours, names.collect())
            }
        };
        (folder.path, state)
    }));
    states
}

/// The client's files that name another server as we name ours, with that name. A client may use such a
/// server in place of ours.
pub fn servers_of_our_name(
    client: &Client,
    here: &RegistrationEnv,
    scope: Scope,
) -> Vec<(PathBuf, String)> {
    let plan = plan(client, here, scope, false);
    let files = plan.files.into_iter();
    files
        .filter_map(|file| Some((file.path.clone(), file.server_of_our_name()?)))
        .collect()
}

/// The settings of a takeover that differ from what would be written today, in a file without an
/// entry.
fn stale_takeover(file: &plan::File) -> Option<Vec<String>> {
    let tree = text::read(file.format, &file.read().ok()??).ok()?;
    let takes_over =
        |piece: &plan::Piece| matches!(piece, plan::Piece::Setting(setting) if setting.takes_over);
    let first = file.pieces.iter().position(takes_over)?;
    let changes = missing(&tree, &file.pieces[first..]).ok()?;
    let names: Vec<String> = changes.iter().map(change::Change::name).collect();
    (!names.is_empty()).then_some(names)
}

fn file_state(file: &plan::File) -> State {
    let tree = match file.read() {
        Ok(None) => return State::Absent,
        Ok(Some(text)) => text::read(file.format, &text),
        Err(error) => Err(Problem::plain(error.to_string())),
    };
    let tree = match tree {
        Ok(tree) => tree,
        Err(problem) => return State::Broken(problem),
    };
    let Some(entry) = file.entry(&tree) else {
        return State::Absent;
    };
    match missing(&tree, &file.pieces) {
        Ok(changes) if changes.is_empty() => State::Ours(entry),
        Ok(changes) => {
            let names = changes.iter().map(change::Change::name).collect();
            State::Outdated(entry, names)
        }
        Err(problem) => State::Broken(problem),
    }
}

#[cfg(test)]
mod tests;
