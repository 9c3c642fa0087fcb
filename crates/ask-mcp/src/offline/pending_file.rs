//! The pending-questions files of a folder: the ask of each file, its draft, the name of the next
//! file, and removal without losing a text.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_config::{checkout, clock, process};
use ask_core::{AskId, Caller, Draft, Gaps, Outcome, Problem, Record, SafeText, lifecycle};
use ask_dialects::{Dialect, pi};
use ask_hub::client::Client;

use super::file_notes;

/// The folder of each dialect's files, within the agent's directory.
pub const FOLDERS: [&str; 2] = [".pi", ".ask-user"];

const NAME: &str = "pending-questions";
/// The name ending of a file with answers that were not sent in time.
const UNSENT_ENDING: &str = ".unsent.json";

/// How many unsent texts of one ask are kept in a folder.
const MAX_UNSENT: u32 = 100;

/// The largest file: an ask of the largest size, formatted for people.
pub const MAX_BYTES: u64 = 1024 * 1024;

/// A file and its ask.
pub struct PendingFile {
    /// The path of the file.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
    /// The ask that it belongs to, if the hub knows it.
    pub record: Option<Record>,
    /// The draft in it.
    pub filled: Result<Option<Draft>, Problem>,
}

impl PendingFile {
    /// Reads a file and looks up its ask.
    pub async fn read(client: &Client, path: &Path) -> anyhow::Result<Self> {
        let read = checkout::read(path, MAX_BYTES);
        Self::with_text(client, path, read).await
    }

    /// Reads a file that was found in its folder. `None` if another process has removed it since.
    async fn read_found(client: &Client, path: &Path) -> anyhow::Result<Option<Self>> {
        match checkout::read(path, MAX_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => Self::with_text(client, path, read).await.map(Some),
        }
    }

    async fn with_text(
        client: &Client,
        path: &Path,
        read: io::Result<String>,
    ) -> anyhow::Result<Self> {
        let text = match read {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Ok(Self {
                    path: path.to_owned(),
                    text: char::REPLACEMENT_CHARACTER.to_string(),
                    record: get_by_id(client, file_notes::find(path)).await?,
                    filled: Err(Problem::new("", "is not UTF-8 text: save it as UTF-8")),
                });
            }
            read => read.with_context(|| format!("reading {}", SafeText::path(path)))?,
        };
        let record = find(client, Some(path), &text).await?;
        Ok(Self::with_record(path, text, record))
    }

    /// Reads a file that the person named. Without an id, it belongs to the waiting ask of its
    /// project that has the same questions, or that is the only one.
    pub async fn read_named(client: &Client, path: &Path) -> anyhow::Result<Self> {
        let file = Self::read(client, path).await?;
        if file.record.is_some() || pi::pending_id(&file.text).is_some() {
            return Ok(file);
        }
        let listing = client.waiting().await?;
        let is_here = |record: &Record| record.is_open() && belongs_to_folder(record, path);
        let waiting: Vec<Record> = listing.records.into_iter().filter(is_here).collect();
        let asks_the_same = |record: &&Record| pi::is_pending_for(&record.ask, &file.text);
        let same: Vec<&Record> = waiting.iter().filter(asks_the_same).collect();
        let record = match (same.as_slice(), waiting.as_slice()) {
            ([same], _) => Some((*same).clone()),
            ([], [only]) => Some(only.clone()),
            _ => None,
        };
        Ok(Self::with_record(path, file.text, record))
    }

    fn with_record(path: &Path, text: String, record: Option<Record>) -> Self {
        let filled = match &record {
            Some(record) => pi::read_pending(&record.ask, &text),
            None if pi::is_blank_pending(&text) => Ok(None),
            None => Err(Problem::new("sessionId", "names no ask that is known here")),
        };
        Self {
            path: path.to_owned(),
            text,
            record,
            filled,
        }
    }

    /// Whether it was written as a pending file: it is noted as one, its ask is known, or it names one.
    pub fn is_pending_file(&self) -> bool {
        self.record.is_some()
            || pi::pending_id(&self.text).is_some()
            || file_notes::find(&self.path).is_some()
    }

    /// Removes the file as it is.
    pub fn remove(&self) -> io::Result<()> {
        checkout::remove(&self.path)?;
        file_notes::forget(&self.path);
        Ok(())
    }

    /// Whether it holds a text that was not sent.
    pub fn holds_unsent(&self) -> bool {
        match (&self.record, &self.filled) {
            (_, Ok(None)) => false,
            (Some(record), Ok(Some(draft))) => !is_outcome(record, draft),
            (None, _) | (_, Err(_)) => !pi::is_blank_pending(&self.text),
        }
    }

    /// Removes the file after its ask was closed. If its text is not the answer, the file is
    /// renamed, and the new path is returned.
    pub fn remove_closed(&self, closed: &Record) -> anyhow::Result<Option<PathBuf>> {
        let is_unsent = match &self.filled {
            Ok(None) => false,
            Ok(Some(draft)) => !is_outcome(closed, draft),
            Err(_) => !pi::is_blank_pending(&self.text),
        };
        let result = match is_unsent {
            true => self.set_aside(&closed.id).map(Some),
            false => checkout::remove(&self.path).map(|()| None),
        };
        file_notes::forget(&self.path);
        match result {
            // Another process was first.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            result => result.with_context(|| format!("removing {}", SafeText::path(&self.path))),
        }
    }

    /// Gives the file a name under which it is no pending file. Another unsent text of the ask may
    /// have the first such name.
    fn set_aside(&self, id: &AskId) -> io::Result<PathBuf> {
        for number in 1..=MAX_UNSENT {
            let name = match number {
                1 => format!("{NAME}-{id}{UNSENT_ENDING}"),
                _ => format!("{NAME}-{id}-{number}{UNSENT_ENDING}"),
            };
            match checkout::rename_new(&self.path, OsStr::new(&name)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                renamed => return renamed.map(|()| self.path.with_file_name(&name)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// Whether an ask was answered with exactly this draft.
pub(super) fn is_outcome(record: &Record, draft: &Draft) -> bool {
    let outcome = record.settlement().map(|settlement| &settlement.outcome);
    let finished = draft.clone().finish(&record.ask, Gaps::Send);
    matches!((outcome, finished), (Some(Outcome::Answered(answered)), Ok(filled)) if *answered == filled)
}

/// The ask that a file belongs to, by the id in it. A file without an id must have been written
/// here. It belongs to its noted ask if it has the same questions, or if no other file of the
/// folder belongs to another ask.
pub async fn find(
    client: &Client,
    path: Option<&Path>,
    text: &str,
) -> anyhow::Result<Option<Record>> {
    if let Some(id) = pi::pending_id(text) {
        return get_by_id(client, AskId::parse(&id)).await;
    }
    let Some(path) = path else {
        return Ok(None);
    };
    let noted_record = get_by_id(client, file_notes::find(path)).await?;
    // A delivered answer belongs to the call that received it.
    let Some(record) = noted_record.filter(|record| !record.is_delivered()) else {
        return Ok(None);
    };
    if pi::is_pending_for(&record.ask, text) {
        return Ok(Some(record));
    }
    for other in paths(path.parent().unwrap_or(Path::new("."))) {
        if other.file_name() == path.file_name() {
            continue;
        }
        let text = checkout::read(&other, MAX_BYTES).unwrap_or_default();
        let id = pi::pending_id(&text).and_then(|id| AskId::parse(&id));
        let found = get_by_id(client, id.or_else(|| file_notes::find(&other))).await?;
        if found.is_some_and(|found| found.id != record.id) {
            return Ok(None);
        }
    }
    Ok(Some(record))
}

async fn get_by_id(client: &Client, id: Option<AskId>) -> anyhow::Result<Option<Record>> {
    match id {
        Some(id) => client.get_exact(id.as_str()).await,
        None => Ok(None),
    }
}

/// Whether the file of an ask would be in the folder of this path.
fn belongs_to_folder(record: &Record, path: &Path) -> bool {
    let is_in_folder = |directory: &String| {
        let folder = ask_dialects::find(&record.dialect).map(folder)?;
        let folder = Path::new(directory).join(folder).canonicalize().ok()?;
        Some(folder == path.canonicalize().ok()?.parent()?)
    };
    record.asker.directory.as_ref().and_then(is_in_folder) == Some(true)
}

/// The files in a folder, the one with the plain name first. Links and pipes are left out: a
/// checkout may contain them. Files that aren't UTF-8 are left out, too, unless they were written here:
/// an error names those.
pub fn paths(folder: &Path) -> Vec<PathBuf> {
    let is_pending_name = |name: &str| {
        name.strip_prefix(NAME)
            .is_some_and(|rest| rest == ".json" || rest.starts_with('-'))
            && name.ends_with(".json")
            && !name.ends_with(UNSENT_ENDING)
    };
    let names = checkout::files(folder, MAX_BYTES).unwrap_or_default();
    let names = names.into_iter();
    let names = names.filter(|name| name.to_str().is_some_and(is_pending_name));
    let paths = names.map(|name| folder.join(name));
    let is_readable = |path: &PathBuf| match checkout::read(path, MAX_BYTES) {
        Ok(_) => true,
        Err(error) => {
            error.kind() == io::ErrorKind::InvalidData && file_notes::find(path).is_some()
        }
    };
    let mut paths: Vec<PathBuf> = paths.filter(is_readable).collect();
    paths.sort_by_key(|path| {
        (
            path.file_stem().is_none_or(|stem| stem != NAME),
            path.clone(),
        )
    });
    paths
}

/// The file of an ask, found by its id or by equal questions of the same session and agent.
pub async fn find_for_record(
    client: &Client,
    dialect: &dyn Dialect,
    record: &Record,
) -> anyhow::Result<Option<PendingFile>> {
    for path in paths(folder(dialect)) {
        let Some(file) = PendingFile::read_found(client, &path).await? else {
            continue;
        };
        let same = |found: &Record| {
            let is_own = lifecycle::declares_names_of(&found.asker, &record.asker);
            found.id == record.id
                || is_own && lifecycle::is_same(found, record) && !is_of_other_agent(found)
        };
        if file.record.as_ref().is_some_and(same) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Whether an agent that runs has asked this, and this process was started by another one.
fn is_of_other_agent(record: &Record) -> bool {
    let ours = || process::caller(std::process::id());
    let theirs = record.asker.caller.clone().map(|caller| Caller {
        agent: caller.agent.or(caller.client),
        ..caller
    });
    let callers = theirs.and_then(|theirs| Some((theirs, ours()?)));
    callers.is_some_and(|(theirs, ours)| theirs.is_of_other_agent(&ours, process::runs))
}

/// All files of an ask.
pub async fn find_all(
    client: &Client,
    dialect: &dyn Dialect,
    id: &AskId,
) -> anyhow::Result<Vec<PendingFile>> {
    let mut all = read_all(client, paths(folder(dialect))).await?;
    all.retain(|file| file.record.as_ref().is_some_and(|record| record.id == *id));
    Ok(all)
}

/// Reads files that were found in their folders.
pub async fn read_all(
    client: &Client,
    paths: impl IntoIterator<Item = PathBuf>,
) -> anyhow::Result<Vec<PendingFile>> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(PendingFile::read_found(client, &path).await?);
    }
    Ok(files)
}

/// Writes the file of an ask, under the plain name if that is free.
pub async fn write(
    client: &Client,
    dialect: &dyn Dialect,
    record: &Record,
) -> anyhow::Result<PathBuf> {
    let folder = folder(dialect);
    checkout::make_folder(folder).with_context(|| format!("making {}", folder.display()))?;
    let text = pi::write_pending(record, clock::now());
    let plain_path = folder.join(format!("{NAME}.json"));
    if let Ok(file) = PendingFile::read(client, &plain_path).await {
        let closed = file.record.as_ref().is_none_or(|found| !found.is_open());
        // Another process may have put its own file in this place by now.
        let is_same = checkout::read(&plain_path, MAX_BYTES).is_ok_and(|now| now == file.text);
        if closed && is_same && !file.holds_unsent() {
            match file.remove() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                result => result?,
            }
        }
    }
    // Of two concurrent processes, one gets the plain name.
    let path = match checkout::create(&plain_path, &text) {
        Ok(()) => plain_path,
        Err(_) => {
            let path = folder.join(format!("{NAME}-{}.json", record.id));
            checkout::replace(&path, &text)
                .with_context(|| format!("writing {}", path.display()))?;
            path
        }
    };
    // Without a note, the file must keep its id.
    let _ = file_notes::note(&path, &record.id);
    Ok(path)
}

fn folder(dialect: &dyn Dialect) -> &'static Path {
    let [pi, others] = FOLDERS;
    Path::new(if dialect.name() == "pi" { pi } else { others })
}
