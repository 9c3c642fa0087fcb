//! Pending files as a surface: each holds one ask, its person fills it in with whatever
//! editor is at hand, and saving it answers.

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

/// Where they are, in an agent's directory.
const FOLDER: &str = ".ask-user";

/// So many asks may wait in one directory.
const MOST: usize = 20;

/// The files that this process looks after.
#[derive(Default)]
pub struct Files(Mutex<Vec<Written>>);

#[derive(Clone)]
struct Written {
    record: Record,
    path: PathBuf,
    /// The text whose mistakes the person was told of.
    told: String,
}

impl Files {
    /// Writes an ask into a file of its agent's directory; the file's name from there.
    pub fn offer(&self, home: &Home, record: &Record) -> anyhow::Result<String> {
        let place = &record.asker.directory;
        let place = place
            .as_deref()
            .context("it is not known where a file would be seen")?;
        let folder = Path::new(place).join(FOLDER);
        checkout::make_folder(&folder)
            .with_context(|| format!("nor can {} be made", folder.display()))?;
        let mut files = self.files();
        if let Some(written) = files.iter().find(|other| other.record.id == record.id) {
            return Ok(shown(&written.path));
        }
        let is_free = |path: &PathBuf| {
            std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
        };
        let mut names = (1..=MOST).map(|number| match number {
            1 => folder.join("pending-questions.json"),
            _ => folder.join(format!("pending-questions-{number}.json")),
        });
        let path = names.find(is_free);
        let path = path.with_context(|| format!("{} is full of questions", folder.display()))?;
        orphans::note(home, record, Some(&path))?;
        checkout::replace(&path, &pi::write_pending(record, clock::now()))
            .with_context(|| format!("nor can {} be written", path.display()))?;
        let name = shown(&path);
        files.push(Written {
            record: record.clone(),
            path,
            told: String::new(),
        });
        Ok(name)
    }

    /// Looks after what another process has left behind.
    pub fn adopt(&self, left: OrphanedAsk) {
        if let Some(path) = left.file.filter(|_| left.record.is_waiting()) {
            self.files().push(Written {
                record: left.record,
                path,
                told: String::new(),
            });
        }
    }

    /// The file of an ask.
    pub fn of(&self, id: &AskId) -> Option<PathBuf> {
        let files = self.files();
        let written = files.iter().find(|written| written.record.id == *id);
        written.map(|written| written.path.clone())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files().is_empty()
    }

    /// Sends what was filled in, and puts the files of asks away that are over. What was answered
    /// and has not reached its agent stays in its file until another store has it.
    pub async fn look(&self, hub: &Client, is_kept: bool) {
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
                !record.is_waiting() && (is_kept || record.is_delivered() || !by_person)
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

    /// Takes what is half filled in along to another hub.
    pub async fn keep_halves(&self, hub: &Client) {
        let all = self.files().clone();
        for Written { record, path, .. } in all {
            if let Ok(Some(draft)) = orphans::filled(&path, &record.id, &record.ask) {
                let _ = hub.save_draft(&record.id, &draft, "pending").await;
            }
        }
    }

    /// Removes the files in which nobody has written.
    pub fn remove_blank(&self) {
        self.files().retain(|Written { record, path, .. }| {
            let blank = matches!(orphans::filled(path, &record.id, &record.ask), Ok(None));
            if blank {
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
    /// Answers with what the file says, if it is filled in. An error is told once for each text.
    async fn send(&mut self, hub: &Client) -> anyhow::Result<()> {
        let (id, ask) = (&self.record.id, &self.record.ask);
        let text = match checkout::read(&self.path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // A question must be somewhere as long as it waits.
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
