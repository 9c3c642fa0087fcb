//! Pending files as a surface: each holds one ask. The person edits it in any editor, and saving it
//! answers the ask.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use ask_config::home::Home;
use ask_config::{checkout, clock};
use ask_core::{AskId, Gaps, Record};
use ask_dialects::pi;
use ask_hub::client::Client;

use super::orphans::{self, OrphanedAsk};
use super::pending_file::MAX_BYTES;

/// The folder of the files, within an agent's directory.
const FOLDER: &str = ".ask-user";

/// How many asks may wait in one directory.
const MAX_FILES: usize = 20;

/// The files of this process.
#[derive(Default)]
pub(super) struct PendingFiles(Mutex<Vec<WrittenFile>>);

#[derive(Clone)]
struct WrittenFile {
    record: Record,
    path: PathBuf,
    /// The text whose problem was logged.
    reported_text: String,
    /// Whether its answer was sent.
    is_sent: bool,
}

impl PendingFiles {
    /// Writes an ask into a file in its agent's directory, and returns the file's path relative to
    /// it.
    ///
    /// # Errors
    /// The directory is unknown, full or read-only.
    pub(super) fn offer(&self, home: &Home, record: &Record) -> anyhow::Result<String> {
        let directory = &record.asker.directory;
        let directory = directory
            .as_deref()
            .context("the agent's directory is unknown, so no file can be written there")?;
        let folder = Path::new(directory).join(FOLDER);
        checkout::make_folder(&folder)
            .with_context(|| format!("{} can't be created", folder.display()))?;
        let mut files = self.lock_files();
        if let Some(written) = files.iter().find(|other| other.record.id == record.id) {
            return Ok(relative_name(&written.path));
        }
        let path = create_in(&folder, &pi::write_pending(record, clock::now()))?;
        if let Err(problem) = orphans::write_note(home, record, Some(&path)) {
            // Without a note the file would not count.
            let _ = checkout::remove(&path);
            return Err(problem);
        }
        let name = relative_name(&path);
        files.push(WrittenFile {
            record: record.clone(),
            path,
            reported_text: String::new(),
            is_sent: false,
        });
        Ok(name)
    }

    /// Takes over the file of an ended process.
    pub(super) fn adopt(&self, orphan: OrphanedAsk) {
        if let Some(path) = orphan.file {
            self.lock_files().push(WrittenFile {
                record: orphan.record,
                path,
                reported_text: String::new(),
                is_sent: false,
            });
        }
    }

    /// The file of an ask.
    pub(super) fn path_of(&self, id: &AskId) -> Option<PathBuf> {
        let files = self.lock_files();
        let written = files.iter().find(|written| written.record.id == *id);
        written.map(|written| written.path.clone())
    }

    /// Whether there are no files.
    pub(super) fn is_empty(&self) -> bool {
        self.lock_files().is_empty()
    }

    /// Whether a file has an answer that wasn't sent.
    pub(super) fn have_answer(&self) -> bool {
        let files = self.lock_files();
        let mut unsent = files.iter().filter(|written| !written.is_sent);
        unsent.any(|WrittenFile { record, path, .. }| {
            let draft = orphans::read_draft(path, &record.id, &record.ask)
                .ok()
                .flatten();
            draft.is_some_and(|draft| draft.finish(&record.ask, Gaps::Refuse).is_ok())
        })
    }

    /// Sends the answers in the files, and removes the files of closed asks. The file of an
    /// undelivered answer stays until the answer `is_stored` by the person's hub.
    pub(super) async fn check(&self, home: &Home, hub: &Client, is_stored: bool) {
        let all = self.lock_files().clone();
        for mut written in all {
            let id = written.record.id.clone();
            let Ok(found) = hub.try_get(id.as_str()).await else {
                continue;
            };
            let is_over = found.is_some_and(|record| {
                let by_person = record
                    .settlement()
                    .is_some_and(|settlement| settlement.outcome.is_human());
                !record.is_open() && (is_stored || record.is_delivered() || !by_person)
            });
            if is_over {
                if let Err(error) = orphans::remove_closed_file(&written.path, hub, &id).await {
                    written.log_problem(&error);
                }
                self.lock_files().retain(|other| other.record.id != id);
                continue;
            }
            if let Err(problem) = written.send(home, hub).await {
                written.log_problem(&problem);
            }
            let mut files = self.lock_files();
            if let Some(known) = files.iter_mut().find(|other| other.record.id == id) {
                *known = written;
            }
        }
    }

    /// Saves the texts of the files as drafts at the person's hub.
    pub(super) async fn save_drafts(&self, hub: &Client) {
        let all = self.lock_files().clone();
        for WrittenFile { record, path, .. } in all {
            if let Ok(Some(draft)) = orphans::read_draft(&path, &record.id, &record.ask) {
                // After an error, the file still has the text.
                let _ = hub.save_draft(&record.id, &draft, "pending").await;
            }
        }
    }

    /// Removes the files that nobody has filled in.
    pub(super) fn remove_blank(&self) {
        self.lock_files()
            .retain(|WrittenFile { record, path, .. }| {
                let is_blank =
                    matches!(orphans::read_draft(path, &record.id, &record.ask), Ok(None));
                if is_blank {
                    // If it can't be removed, a blank file does no harm.
                    let _ = checkout::remove(path);
                }
                !is_blank
            });
    }

    fn lock_files(&self) -> MutexGuard<'_, Vec<WrittenFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Creates the next file of this folder. Other processes may do the same.
fn create_in(folder: &Path, text: &str) -> anyhow::Result<PathBuf> {
    for number in 1..=MAX_FILES {
        let path = match number {
            1 => folder.join("pending-questions.json"),
            _ => folder.join(format!("pending-questions-{number}.json")),
        };
        match checkout::create(&path, text) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(error).with_context(|| format!("{} can't be written", path.display()));
            }
        }
    }
    anyhow::bail!(
        "{} has {MAX_FILES} questions already: answer or remove some",
        folder.display()
    )
}

fn relative_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    Path::new(FOLDER).join(name).display().to_string()
}

impl WrittenFile {
    /// Sends the answer if the file is filled in. An error is returned once for each text.
    async fn send(&mut self, home: &Home, hub: &Client) -> anyhow::Result<()> {
        let (id, ask) = (&self.record.id, &self.record.ask);
        let text = match checkout::read(&self.path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // Restores a removed file: a waiting ask must be visible somewhere.
                checkout::replace(&self.path, &pi::write_pending(&self.record, clock::now()))?;
                return Ok(());
            }
            Err(error) if self.reported_text == error.to_string() => return Ok(()),
            Err(error) => {
                self.reported_text = error.to_string();
                return Err(error.into());
            }
        };
        if text == self.reported_text {
            return Ok(());
        }
        let read = orphans::check_text(&text, id, ask).and_then(|()| {
            pi::read_pending(ask, &text).map_err(|problem| anyhow::anyhow!("{problem}"))
        });
        let draft = match read {
            Ok(None) => return Ok(()),
            Ok(Some(draft)) => draft,
            Err(problem) => {
                self.reported_text = text;
                return Err(problem);
            }
        };
        if let Err(unfinished) = draft.clone().finish(ask, Gaps::Refuse) {
            self.reported_text = text;
            anyhow::bail!("{unfinished}");
        }
        if let Err(refused) = super::require_files_accepted(home) {
            self.reported_text = text;
            return Err(refused);
        }
        orphans::answer(hub, id, draft).await?;
        self.is_sent = true;
        Ok(())
    }

    fn log_problem(&self, problem: &anyhow::Error) {
        let path = self.path.display();
        tracing::warn!("{path}: {problem}; nothing was sent");
    }
}
