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
use super::pending_file::MOST_BYTES;

/// The folder of the files, within an agent's directory.
const FOLDER: &str = ".ask-user";

/// How many asks may wait in one directory.
const MOST: usize = 20;

/// The files of this process.
#[derive(Default)]
pub(super) struct Files(Mutex<Vec<Written>>);

#[derive(Clone)]
struct Written {
    record: Record,
    path: PathBuf,
    /// The text whose mistakes were logged.
    told: String,
}

impl Files {
    /// Writes an ask into a file in its agent's directory, and returns the file's path relative to
    /// it.
    ///
    /// # Errors
    /// The directory is unknown, full or read-only.
    pub(super) fn offer(&self, home: &Home, record: &Record) -> anyhow::Result<String> {
        let place = &record.asker.directory;
        let place = place
            .as_deref()
            .context("it is not known where a file would be seen")?;
        let folder = Path::new(place).join(FOLDER);
        checkout::make_folder(&folder)
            .with_context(|| format!("{} can't be created", folder.display()))?;
        let mut files = self.files();
        if let Some(written) = files.iter().find(|other| other.record.id == record.id) {
            return Ok(shown(&written.path));
        }
        let is_free = |path: &PathBuf| !checkout::exists(path);
        let mut names = (1..=MOST).map(|number| match number {
            1 => folder.join("pending-questions.json"),
            _ => folder.join(format!("pending-questions-{number}.json")),
        });
        let path = names.find(is_free);
        let path = path.with_context(|| format!("{} is full of questions", folder.display()))?;
        orphans::note(home, record, Some(&path))?;
        checkout::replace(&path, &pi::write_pending(record, clock::now()))
            .with_context(|| format!("{} can't be written", path.display()))?;
        let name = shown(&path);
        files.push(Written {
            record: record.clone(),
            path,
            told: String::new(),
        });
        Ok(name)
    }

    /// Takes over the file of an ended process.
    pub(super) fn adopt(&self, left: OrphanedAsk) {
        if let Some(path) = left.file.filter(|_| left.record.is_open()) {
            self.files().push(Written {
                record: left.record,
                path,
                told: String::new(),
            });
        }
    }

    /// The file of an ask.
    pub(super) fn path_of(&self, id: &AskId) -> Option<PathBuf> {
        let files = self.files();
        let written = files.iter().find(|written| written.record.id == *id);
        written.map(|written| written.path.clone())
    }

    /// Whether there are no files.
    pub(super) fn is_empty(&self) -> bool {
        self.files().is_empty()
    }

    /// Sends what was filled in, and removes the files of closed asks. An answer that its agent has
    /// not received stays in its file until it is stored elsewhere.
    pub(super) async fn look(&self, hub: &Client, is_kept: bool) {
        let all = self.files().clone();
        for mut written in all {
            let id = written.record.id.clone();
            let Ok(found) = hub.look(id.as_str()).await else {
                continue;
            };
            let over = found.is_some_and(|record| {
                let by_person = record
                    .settlement()
                    .is_some_and(|settlement| settlement.outcome.is_human());
                !record.is_open() && (is_kept || record.is_delivered() || !by_person)
            });
            if over {
                if let Err(error) = orphans::put_away(&written.path, hub, &id).await {
                    written.complain(&error);
                }
                self.files().retain(|other| other.record.id != id);
                continue;
            }
            let told = written.told.clone();
            if let Err(problem) = written.send(hub).await {
                written.complain(&problem);
            }
            if written.told != told {
                let mut files = self.files();
                let mut files = files.iter_mut();
                if let Some(kept) = files.find(|other| other.record.id == id) {
                    kept.told = written.told;
                }
            }
        }
    }

    /// Saves half-filled files as drafts at another hub.
    pub(super) async fn keep_halves(&self, hub: &Client) {
        let all = self.files().clone();
        for Written { record, path, .. } in all {
            if let Ok(Some(draft)) = orphans::filled(&path, &record.id, &record.ask) {
                // The file itself still has the text.
                let _ = hub.save_draft(&record.id, &draft, "pending").await;
            }
        }
    }

    /// Removes the files that nobody has filled in.
    pub(super) fn remove_blank(&self) {
        self.files().retain(|Written { record, path, .. }| {
            let blank = matches!(orphans::filled(path, &record.id, &record.ask), Ok(None));
            if blank {
                // A blank file that stays does no harm.
                let _ = checkout::remove(path);
            }
            !blank
        });
    }

    fn files(&self) -> MutexGuard<'_, Vec<Written>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shown(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    Path::new(FOLDER).join(name).display().to_string()
}

impl Written {
    /// Sends the answer if the file is filled in. An error is returned once for each text.
    async fn send(&mut self, hub: &Client) -> anyhow::Result<()> {
        let (id, ask) = (&self.record.id, &self.record.ask);
        let text = match checkout::read(&self.path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // Restores a removed file: a waiting ask must be visible somewhere.
                checkout::replace(&self.path, &pi::write_pending(&self.record, clock::now()))?;
                return Ok(());
            }
            Err(error) if self.told == error.to_string() => return Ok(()),
            Err(error) => {
                self.told = error.to_string();
                return Err(error.into());
            }
        };
        if text == self.told {
            return Ok(());
        }
        let read = orphans::check(&text, id, ask).and_then(|()| {
            pi::read_pending(ask, &text).map_err(|problem| anyhow::anyhow!("{problem}"))
        });
        let draft = match read {
            Ok(None) => return Ok(()),
            Ok(Some(draft)) => draft,
            Err(problem) => {
                self.told = text;
                return Err(problem);
            }
        };
        if let Err(unfinished) = draft.clone().finish(ask, Gaps::Refuse) {
            self.told = text;
            anyhow::bail!("{unfinished}");
        }
        orphans::answer(hub, id, draft).await
    }

    fn complain(&self, problem: &anyhow::Error) {
        let path = self.path.display();
        tracing::warn!("{path}: {problem}; nothing was sent");
    }
}
