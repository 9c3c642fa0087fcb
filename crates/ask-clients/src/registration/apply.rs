//! Applies a plan to one file after another: writes what is wanted, or removes it again.

use std::path::{Path, PathBuf};

use ask_core::Json;
use ask_files::Root;

use super::change::{Change, is_written, missing, ours, taken_out};
use super::config_dir::Folder;
use super::entry::{Entry, HOME_VARIABLE, NAME, PROGRAM};
use super::plan::{File, Piece};
use super::text::{self, Problem};
use super::{diff, file_io};

/// The result for one file or folder.
#[derive(Debug)]
pub struct Done {
    /// The file or folder.
    pub path: PathBuf,
    /// What happened to it.
    pub fate: FileResult,
    /// The backup, if this was the first change of a registration.
    pub backup: Option<PathBuf>,
    /// The unified diff.
    pub diff: String,
    /// A note for the person.
    pub note: Option<String>,
}

/// What happened to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileResult {
    /// It already had everything.
    Already,
    /// It was created, or would be.
    Created,
    /// It was changed, or would be.
    Changed,
    /// Everything of ours was removed, or would be.
    Cleared,
    /// It contained nothing else and was deleted, or would be.
    Gone,
    /// It contains nothing of ours.
    Nothing,
    /// It was left unchanged, for this reason. The text is what the person can paste instead.
    Refused(Problem, Option<String>),
}

impl Done {
    fn new(path: &Path, fate: FileResult) -> Self {
        Self {
            path: path.to_owned(),
            fate,
            backup: None,
            diff: String::new(),
            note: None,
        }
    }

    /// Whether it was left unchanged.
    pub fn is_refused(&self) -> bool {
        matches!(self.fate, FileResult::Refused(..))
    }

    /// Whether something changed or would change.
    pub fn is_change(&self) -> bool {
        match self.fate {
            FileResult::Created | FileResult::Changed | FileResult::Cleared | FileResult::Gone => {
                true
            }
            FileResult::Already | FileResult::Nothing | FileResult::Refused(..) => false,
        }
    }
}

/// Writes what is wanted of a file, or with `dry` only reports it. If the client `is_registered`
/// already, content of ours in the file is not part of the backup.
pub fn register(file: &File, is_registered: bool, dry: bool) -> Done {
    let work = |path: &Path| -> Result<Done, Problem> {
        let before = file.read().map_err(failed)?;
        let text = before.as_deref().unwrap_or_default();
        let tree = text::read(file.format, text)?;
        let changes = missing(&tree, &file.pieces)?;
        if changes.is_empty() {
            return Ok(Done::new(path, FileResult::Already));
        }
        let after = text::edit(file.format, text, &changes)?;
        let fate = match before {
            Some(_) => FileResult::Changed,
            None => FileResult::Created,
        };
        let mut done = Done::new(path, fate);
        done.diff = diff::unified(&shown(path), before.as_deref(), Some(&after));
        done.note = note(
            &changes,
            file.entry(&tree),
            file.entry(&text::read(file.format, &after)?),
        );
        if !dry {
            let is_kept = file_io::has_backup(&file.root, path);
            let is_ours = is_written(&tree, &file.pieces, is_registered || is_kept)
                || is_kept && file.entry(&tree).is_some();
            let original = before.as_deref().filter(|_| !is_ours);
            let kept = original.map(|text| file_io::back_up(&file.root, path, text));
            done.backup = kept.transpose().map_err(failed)?;
            file_io::replace(&file.root, path, before.as_deref(), &after).map_err(failed)?;
        }
        Ok(done)
    };
    steady(&file.root, &file.path, || work(&file.path)).unwrap_or_else(|problem| {
        // If the file itself is valid, the person can paste the text that couldn't be written.
        let paste = match problem.place {
            None => entered(file, "").ok(),
            Some(_) => None,
        };
        Done::new(&file.path, FileResult::Refused(problem, paste))
    })
}

/// Removes everything of ours from a file, or with `dry` only reports it. In a file without a
/// backup, of a client without our entry, equal settings belong to the person and stay.
pub fn unregister(file: &File, is_entered: bool, up_to: &Path, dry: bool) -> Done {
    let work = |path: &Path| -> Result<Done, Problem> {
        let Some(text) = file.read().map_err(failed)? else {
            return Ok(Done::new(path, FileResult::Nothing));
        };
        let backup = file.backup().ok().flatten();
        if !is_entered && backup.is_none() && !text.contains(PROGRAM) {
            return Ok(Done::new(path, FileResult::Nothing));
        }
        let Some(after) = cleared(file, &text, backup.as_deref())? else {
            return Ok(Done::new(path, FileResult::Nothing));
        };
        let (fate, after) = match after {
            After::Text(after) => (FileResult::Cleared, Some(after)),
            After::Nothing => (FileResult::Gone, None),
        };
        let mut done = Done::new(path, fate);
        done.diff = diff::unified(&shown(path), Some(&text), after.as_deref());
        if !dry {
            let result = match &after {
                Some(after) => file_io::replace(&file.root, path, Some(&text), after),
                None => file_io::remove(&file.root, path, &text, up_to),
            };
            result.map_err(failed)?;
            if let Some(after) = after {
                file_io::forget_backup(&file.root, path, &after);
            }
        }
        Ok(done)
    };
    steady(&file.root, &file.path, || work(&file.path))
        .unwrap_or_else(|problem| Done::new(&file.path, FileResult::Refused(problem, None)))
}

/// Does the work on a file while no other registration does. Retries if another program changed the
/// file between our read and our write.
pub(crate) fn steady<T>(
    root: &Root,
    path: &Path,
    work: impl Fn() -> Result<T, Problem>,
) -> Result<T, Problem> {
    let locked_work = || {
        let _lock = file_io::lock(root, path);
        work()
    };
    let mut result = locked_work();
    for _ in 0..20 {
        match &result {
            Err(problem) if problem.what == file_io::MEANWHILE => result = locked_work(),
            _ => break,
        }
    }
    result
}

/// A note for the person about the entry.
fn note(changes: &[Change], before: Option<Entry>, after: Option<Entry>) -> Option<String> {
    let homeless = |change: &Change| matches!(change, Change::Remove(_));
    if changes.iter().any(homeless) {
        return Some(format!(
            "{HOME_VARIABLE} is not set here, so the entry sets it no more"
        ));
    }
    let name = after.filter(|_| before.is_none())?.name;
    (name != NAME).then(|| {
        format!("`{NAME}` is the name of another server there, so ours is called `{name}`")
    })
}

/// Whether any of these files has an entry of ours.
pub fn is_entered(files: &[File]) -> bool {
    files.iter().any(|file| {
        let text = file.read().ok().flatten();
        let tree = text.and_then(|text| text::read(file.format, &text).ok());
        tree.is_some_and(|tree| file.entry(&tree).is_some())
    })
}

/// Whether a registration wrote to any of these files.
pub fn is_registered(files: &[File]) -> bool {
    files.iter().any(|file| {
        let text = file.read().ok().flatten();
        let tree = text.and_then(|text| text::read(file.format, &text).ok());
        tree.is_some_and(|tree| is_written(&tree, &file.pieces, false))
    })
}

/// Writes the files of a folder.
pub fn register_folder(folder: &Folder, dry: bool) -> Done {
    if let Some(problem) = folder.problem() {
        return Done::new(&folder.path, FileResult::Refused(problem, None));
    }
    let differing = folder.differing();
    let fate = match differing.is_empty() {
        true => FileResult::Already,
        false if folder.is_absent() => FileResult::Created,
        false => FileResult::Changed,
    };
    let mut done = Done::new(&folder.path, fate);
    for name in &differing {
        let path = folder.path.join(name);
        let before = file_io::read(&folder.root, &path).ok().flatten();
        done.diff += &diff::unified(&shown(&path), before.as_deref(), folder.text(name));
    }
    if !dry && let Err(error) = folder.write() {
        done.fate = FileResult::Refused(failed(error), None);
    }
    done
}

/// Removes the files of a folder, and the folder if it is empty then.
pub fn unregister_folder(folder: &Folder, up_to: &Path, dry: bool) -> Done {
    let mut done = Done::new(&folder.path, FileResult::Nothing);
    let files = folder.files.iter().map(|(name, _)| *name);
    let ours: Vec<&str> = files.filter(|name| folder.is_ours(name)).collect();
    for name in ours {
        let path = folder.path.join(name);
        let Ok(Some(text)) = file_io::read(&folder.root, &path) else {
            continue;
        };
        done.fate = FileResult::Gone;
        done.diff += &diff::unified(&shown(&path), Some(&text), None);
        if !dry && let Err(error) = file_io::remove(&folder.root, &path, &text, up_to) {
            done.fate = FileResult::Refused(failed(error), None);
            break;
        }
    }
    done
}

/// A text with everything of ours added that is missing.
pub fn entered(file: &File, text: &str) -> Result<String, Problem> {
    let tree = text::read(file.format, text)?;
    let changes = missing(&tree, &file.pieces)?;
    text::edit(file.format, text, &changes)
}

/// The content of a file without everything of ours.
#[derive(Debug, PartialEq, Eq)]
pub enum After {
    /// The remaining text.
    Text(String),
    /// Nothing remains: we created the file.
    Nothing,
}

/// A text without everything of ours; `None` if it contains nothing of ours. If nothing else has
/// changed since the backup, the result is the backup, byte for byte.
pub fn cleared(file: &File, text: &str, backup: Option<&str>) -> Result<Option<After>, Problem> {
    let tree = text::read(file.format, text)?;
    let before = backup.and_then(|backup| text::read(file.format, backup).ok());
    let before = before.filter(|before| !is_written(before, &file.pieces, false));
    let changes = ours(&tree, before.as_ref(), &file.pieces);
    if changes.is_empty() {
        return Ok(None);
    }
    if let (Some(backup), Some(original)) = (backup, &before) {
        // Nobody has changed the file since.
        let mut firsts = (1..=file.pieces.len()).rev();
        if firsts.any(|count| {
            registered_text(file, &file.pieces[..count], backup, original).as_deref() == Some(text)
        }) {
            return Ok(Some(After::Text(backup.to_owned())));
        }
    }
    let left = text::edit(file.format, text, &changes)?;
    // An object that would be left empty is kept if it contains a comment.
    let comments = |text: &str| text::comments(file.format, text);
    if comments(&left) < comments(text) {
        let changes = taken_out(&tree, before.as_ref(), &file.pieces, false);
        let kept = text::edit(file.format, text, &changes).ok();
        if let Some(kept) = kept.filter(|kept| comments(&left) < comments(kept)) {
            return Ok(Some(After::Text(kept)));
        }
    }
    // A backup that can't be read, or that contains our entry, can't be compared with.
    if backup.is_none() || before.is_some() {
        let original = before.unwrap_or_else(|| Json::Object(Default::default()));
        // The registration may have been with or without a takeover, whose pieces come last.
        let firsts = (1..=file.pieces.len()).rev();
        let same = firsts
            .map(|count| there_and_back(file, &file.pieces[..count], backup, &original))
            .any(|result| result.as_deref() == Some(&left));
        // A comment in a file that we created is the person's.
        if same && (backup.is_some() || text::comments(file.format, text) == 0) {
            return Ok(Some(
                backup.map_or(After::Nothing, |backup| After::Text(backup.to_owned())),
            ));
        }
    }
    Ok(Some(After::Text(left)))
}

/// The file after registering.
fn registered_text(file: &File, pieces: &[Piece], text: &str, original: &Json) -> Option<String> {
    let changes = missing(original, pieces).ok()?;
    text::edit(file.format, text, &changes).ok()
}

/// The file after registering and unregistering, which equals the original except for white space.
/// `None` if the original contains content of ours.
fn there_and_back(
    file: &File,
    pieces: &[Piece],
    backup: Option<&str>,
    original: &Json,
) -> Option<String> {
    if !ours(original, Some(original), &file.pieces).is_empty() {
        return None;
    }
    let there = registered_text(file, pieces, backup.unwrap_or_default(), original)?;
    let tree = text::read(file.format, &there).ok()?;
    let back = ours(&tree, backup.map(|_| original), &file.pieces);
    text::edit(file.format, &there, &back).ok()
}

fn failed(error: std::io::Error) -> Problem {
    Problem::plain(error.to_string())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
